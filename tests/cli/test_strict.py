"""Load that a workload does not state: in every report, and with --strict in the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sizewright.cli.files import starting_file

from .conftest import Run

USES = "    uses: {homes: 70, programs: 30}   # which volumes, in which proportion\n"


@pytest.fixture
def silent(tmp_path: Path) -> str:
    """A workload whose file service names no volumes."""
    text = starting_file("nfs")
    assert text.count(USES) == 1
    file = tmp_path / "silent.yaml"
    file.write_text(text.replace(USES, ""), encoding="utf-8")
    return str(file)


def test_a_report_says_what_is_not_counted_before_the_parts(silent: str, run: Run) -> None:
    result = run("plan", silent)
    assert result.exit_code == 0
    before, _, after = result.stdout.partition("\nNot counted")
    assert "What to order" not in before and "its operations on disks" in after
    assert "uses: [VOLUME]" in " ".join(after.split())


def test_strict_makes_it_a_failure(silent: str, run: Run) -> None:
    assert run("plan", silent, "--strict").exit_code == 1
    whole = run("plan", "-", "--strict", stdin=starting_file("nfs"))
    assert whole.exit_code == 0
    assert "Not counted" not in whole.stdout


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_pages_say_it_too(silent: str, form: str, run: Run) -> None:
    assert "Not counted" in run("plan", silent, "--format", form).stdout


def test_the_json_lists_it(silent: str, run: Run) -> None:
    listed = json.loads(run("plan", silent, "--format", "json").stdout)["not_counted"]
    assert {each["subject"] for each in listed} == {"homes", "programs"}
    assert listed[0] == {
        "subject": "homes", "what": "its operations on disks", "add": "uses: [VOLUME]",
        "typical": "",
    }  # fmt: skip
