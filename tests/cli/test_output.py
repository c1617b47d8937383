"""Where the output cannot be written, or is no longer read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sizewright.cli.exits import Exit

ROOT = Path(__file__).resolve().parents[2]
WORKLOAD = str(ROOT / "examples/sun-1992/case-1-departmental-nfs/workload.yaml")
FULL = Path("/dev/full")
# Streams are buffered, as they are for users: what a buffer still holds may fail at exit.
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": ""}
COMMAND = (sys.executable, "-m", "sizewright")

needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
WAYS = pytest.mark.parametrize(
    "args",
    [
        ("plan", WORKLOAD),
        ("plan", WORKLOAD, "--format", "json"),
        ("tables",),
        ("--help",),
        ("plan", "--help"),
        ("--version",),
    ],
    ids=" ".join,
)


@needs_full
@WAYS
def test_a_device_that_is_full_is_told_in_one_line(args: tuple[str, ...]) -> None:
    with FULL.open("wb") as full:
        run = subprocess.run(
            (*COMMAND, *args), stdout=full, stderr=subprocess.PIPE, env=ENVIRONMENT, text=True
        )
    assert run.stderr == "<stdout>: cannot be written: no space left on device\n"
    assert run.returncode == Exit.BAD_INPUT


@needs_full
def test_it_ends_as_a_file_that_cannot_be_written_does() -> None:
    run = subprocess.run(
        (*COMMAND, "tables", "-o", FULL), capture_output=True, env=ENVIRONMENT, text=True
    )
    assert run.stderr == "/dev/full: cannot be written: no space left on device\n"
    assert run.returncode == Exit.BAD_INPUT


@needs_full
@pytest.mark.parametrize("args", [("tables",), ("check", "missing.yaml")], ids=" ".join)
def test_without_room_for_the_message_the_exit_code_tells(args: tuple[str, ...]) -> None:
    with FULL.open("wb") as full:
        run = subprocess.run((*COMMAND, *args), stdout=full, stderr=full, env=ENVIRONMENT)
    assert run.returncode == Exit.BAD_INPUT


@WAYS
def test_a_pipe_that_nobody_reads_any_more_is_no_matter(args: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        run = subprocess.run(
            (*COMMAND, *args), stdout=writing, stderr=subprocess.PIPE, env=ENVIRONMENT, text=True
        )
    finally:
        os.close(writing)
    assert run.stderr == ""
    assert run.returncode in (Exit.PASS, Exit.FAIL)
