"""Where the output cannot be written, or is no longer read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sizewright.cli.exits import Exit

from .conftest import CASE_1, Run

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


BOX = "name: files\nplatform: sparcstation-2\n"


@pytest.mark.parametrize("way", ["file", "link", "hard link", "second box"])
def test_an_input_is_never_overwritten(run: Run, tmp_path: Path, way: str) -> None:
    box, output = tmp_path / "box.yaml", tmp_path / "out.yaml"
    box.write_text(BOX)
    inputs = [box]
    if way == "file":
        output = box
    elif way == "link":
        output.symlink_to(box)
    elif way == "hard link":
        output.hardlink_to(box)
    else:
        output.write_text(BOX)
        inputs = [box, output]
    result = run("check", *inputs, "-o", output)
    assert result.exit_code == Exit.BAD_INPUT
    assert "out.yaml: is an input" in result.stderr or "box.yaml: is an input" in result.stderr
    assert box.read_text() == output.read_text() == BOX


def test_a_link_that_leads_to_itself_is_refused(run: Run, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    result = run("rules", "-o", loop)
    assert result.exit_code == Exit.BAD_INPUT
    assert result.stderr == f"{loop}: cannot be written: too many levels of symbolic links\n"
    assert loop.is_symlink()


def test_a_link_to_a_new_file_makes_it(run: Run, tmp_path: Path) -> None:
    link, new = tmp_path / "link", tmp_path / "new"
    link.symlink_to(new)
    assert run("rules", "-o", link).exit_code == 0
    assert new.is_file()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all files")
def test_an_output_need_not_be_readable(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "output"
    output.touch(0o200)
    assert run("rules", "-o", output).exit_code == 0


def test_a_yaml_file_in_this_folder_may_be_written_again(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the command does not read is no input, wherever it is."""
    monkeypatch.chdir(tmp_path)
    Path("box.yaml").write_text(BOX)
    Path("out.yaml").write_text("of last month\n")
    result = run("check", "box.yaml", "-o", "out.yaml")
    assert result.exit_code != Exit.BAD_INPUT, result.stderr
    assert "of last month" not in Path("out.yaml").read_text()


def test_a_table_of_an_overlay_is_never_overwritten(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "over" / "tables" / "sun-1992" / "disks.yaml"
    table.parent.mkdir(parents=True)
    table.write_text("table: disks\nrows: {}\n")
    result = run("plan", CASE_1, "--overlay", tmp_path / "over", "-o", table)
    assert result.exit_code == Exit.BAD_INPUT
    assert "disks.yaml: is an input of this command" in result.stderr
    assert table.read_text() == "table: disks\nrows: {}\n"


def test_a_written_plan_is_not_replaced_by_its_comparison(run: Run, tmp_path: Path) -> None:
    lock = tmp_path / "plan.json"
    lock.write_text("{}")
    for command in (("plan", CASE_1, "--locked", lock), ("diff", lock, CASE_1)):
        assert run(*command, "-o", lock).exit_code == Exit.BAD_INPUT
        assert lock.read_text() == "{}"
