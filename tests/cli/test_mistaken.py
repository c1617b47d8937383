"""One kind of file where the other is wanted: one message says so, and where to go."""

from __future__ import annotations

from pathlib import Path

import pytest

from sizewright.cli.exits import Exit

from .conftest import CASE_1, EXAMPLES, SILENT, Run

BOX = EXAMPLES / "appendix-d" / "box.yaml"
NO_PLATFORM = "name: a\nprocessors: 1\nmemory: {total_mb: 64}\nvolumes: []\n"
NO_WISHES = "name: a\nservices: [{kind: nfs, name: b, clients: 3, load: {ops_per_s_each: 1}}]\n"


def _said(run: Run, *arguments: object, stdin: str | None = None) -> str:
    result = run(*arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
    return result.stderr


def _place(file: Path, key: str) -> str:
    lines = file.read_text(encoding="utf-8").splitlines()
    (line,) = (n for n, text in enumerate(lines, start=1) if text.startswith(f"{key}:"))
    return f"{file}:{line}:1: '{key}'"


def test_a_box_file_is_no_workload(run: Run) -> None:
    more = ": this looks like a box file, not a workload\n  try sizewright check\n"
    assert _said(run, "plan", BOX) == _place(BOX, "platform") + more
    drafted = _said(run, "plan", "-", stdin=NO_PLATFORM)
    assert drafted == f"<stdin>:2:1: 'processors'{more}"


def test_a_workload_is_no_box_file(run: Run) -> None:
    more = ": this looks like a workload, not a box file\n  try sizewright plan\n"
    assert _said(run, "check", CASE_1) == _place(CASE_1, "wishes") + more
    assert _said(run, "check", SILENT) == _place(SILENT, "exclusive") + more
    assert _said(run, "check", "-", stdin=NO_WISHES) == f"<stdin>:2:1: 'services'{more}"


@pytest.mark.parametrize(
    ("command", "text", "what"),
    [
        ("check", "name: a\nplatform: x\nservices: [{kind: nfs}]\n", "3:12: services:"),
        ("check", "services: [nfs]\n", "1:1: name is missing"),
        ("plan", NO_WISHES + "platform: x\n", "3:1: unknown key 'platform'"),
        ("plan", "name: a\n", "1:1: services is missing"),
        ("plan", "- platform\n", "1:1: a list is not allowed here"),
    ],
)
def test_what_is_not_clearly_the_other_kind_keeps_its_own_faults(
    run: Run, command: str, text: str, what: str
) -> None:
    said = _said(run, command, "-", stdin=text)
    assert f"<stdin>:{what}" in said
    assert "looks like" not in said
