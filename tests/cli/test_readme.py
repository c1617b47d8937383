"""What the front page shows can be done as it stands: its files are read, its commands run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sizewright.api import read_workload
from sizewright.box.read import read_box
from sizewright.documents import parse_document
from test_project import Shown, agrees, shown_in

from .conftest import ROOT, Run

PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = [
    text for text in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
    if text.startswith("name:")
]  # fmt: skip
OVERLAY = re.compile(r"`site/(rules/[^`]+)`.*?\n+```yaml\n(.*?)^```$", re.M | re.S)
SESSIONS = [
    shown for block in re.findall(r"^```console\n.*?^```$", PAGE, re.M | re.S)
    if (shown := tuple(shown_in(block))) and not shown[0].command.startswith("make ")
]  # fmt: skip


@pytest.mark.parametrize("text", FILES, ids=lambda text: text.splitlines()[0])
def test_a_shown_file_is_read(text: str) -> None:
    document = parse_document(text, "README.md")
    if "\nservices:" in text:
        assert read_workload(document).services
    else:
        assert read_box(document).platform


def test_files_of_both_kinds_are_shown() -> None:
    assert {"\nservices:" in text for text in FILES} == {True, False}


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session[-1].command)
def test_a_shown_session_goes_as_shown(
    session: tuple[Shown, ...], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    code = 0
    for shown in session:
        program, *words = shlex.split(shown.command)
        if program == "echo":
            assert (words, shown.output) == (["$?"], (str(code),))
            continue
        assert program == "sizewright", shown.command
        result = run(*words)
        code = result.exit_code
        assert code in (0, 1), result.stderr
        printed = tuple(line.rstrip() for line in result.stdout.strip("\n").splitlines())
        if shown.output:
            assert agrees(shown.output, printed), f"{shown.command} prints:\n{result.stdout}"
        else:
            assert not printed, f"{shown.command} prints, and nothing is shown of it"
        if "-o" in words:
            assert Path(words[words.index("-o") + 1]).stat().st_size


def test_a_session_for_each_user_is_shown() -> None:
    commands = {shown.command.split()[1] for session in SESSIONS for shown in session}
    assert commands >= {"plan", "explain", "box", "check", "test"}


def test_the_shown_overlay_changes_the_rule_that_it_names(run: Run, tmp_path: Path) -> None:
    found = OVERLAY.search(PAGE)
    assert found is not None
    path, text = tmp_path / found[1], found[2]
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    (rule,) = re.findall(r"^id: (\S+)$", text, re.M)
    own, laid_over = (
        run("rules", "show", rule, *options) for options in ((), ("--overlay", tmp_path))
    )
    assert own.exit_code == laid_over.exit_code == 0
    assert own.stdout != laid_over.stdout
