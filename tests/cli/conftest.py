"""Runs the command as a user does, in this process, with a cache of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from case_reports import too_much_file
from generated_workloads import text_of
from sizewright.cli.main import main
from small import plain

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples" / "sun-1992"
CASE_1 = EXAMPLES / "case-1-departmental-nfs" / "workload.yaml"
SILENT = EXAMPLES / "case-2-training-center" / "silent.yaml"
WITH_SOUND = too_much_file()

Run = Callable[..., Result]


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SIZEWRIGHT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workload that its machine does not support: 400 op/s on one Ethernet."""
    path = tmp_path_factory.mktemp("refused") / "refused.yaml"
    wishes, one = {"platforms": ["sparcstation-2"]}, {"systems": 1}
    asked = plain({"clients": 400}, wishes=wishes, availability=one)
    path.write_text(text_of(asked), encoding="utf-8")
    return path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line; what it prints on each stream is apart."""
    # A fault of the program is to be seen as such, not as an exit code.
    monkeypatch.setenv("SIZEWRIGHT_DEBUG", "1")

    def command(*arguments: object, stdin: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(
            main, [str(a) for a in arguments], input=stdin, prog_name="sizewright"
        )
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return command
