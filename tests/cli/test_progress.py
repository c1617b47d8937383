"""Progress is told on a terminal, and nowhere else."""

from __future__ import annotations

import io
import sys

import pytest

from sizewright.cli.plan import progress

from .conftest import CASE_1, Run


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_sees_nothing(run: Run) -> None:
    plain, told = run("plan", CASE_1), run("plan", CASE_1, "--verbose")
    assert (told.exit_code, told.stdout, told.stderr) == (0, plain.stdout, "")


def test_a_terminal_sees_what_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    from sizewright.api import load_engine, plan, read_workload
    from sizewright.documents import read_document

    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress(True) as watch:
        plan(read_workload(read_document(CASE_1)), load_engine("sun-1992"), watch=watch)
    told = terminal.getvalue()
    assert "\r\x1b[Ktrying SPARCstation-2 …" in told
    assert told.endswith("\r\x1b[K")


def test_only_who_asks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress(False) as watch:
        watch("trying it")
    assert terminal.getvalue() == ""


def test_a_fault_leaves_no_line_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with pytest.raises(ValueError, match="odd"), progress(True) as watch:
        watch("trying \x1b[2J")
        raise ValueError("odd")
    assert terminal.getvalue() == "\r\x1b[Ktrying \\x1b[2J …\r\x1b[K"
