from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from sizewright import __version__
from sizewright.cli.exits import Exit
from sizewright.cli.main import COMMANDS, main

from .conftest import CASE_1, ROOT, SILENT, Run

COMMAND = [sys.executable, "-m", "sizewright"]
ENV = {**os.environ, "PYTHONPATH": str(ROOT / "src")}


def test_a_plan_that_holds(run: Run) -> None:
    result = run("plan", CASE_1)
    assert (result.exit_code, result.stderr) == (Exit.PASS, "")
    assert result.stdout.startswith("Plan for departmental-nfs: ")


def test_a_plan_that_does_not(run: Run, refused: Path) -> None:
    result = run("plan", refused)
    assert (result.exit_code, result.stderr) == (Exit.FAIL, "")
    assert "Fail" in result.stdout


def test_json_on_standard_output(run: Run) -> None:
    result = run("plan", CASE_1, "--format", "json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["schema"] == "sizewright.plan/1"


def test_standard_input(run: Run) -> None:
    result = run("plan", "-", "--format", "json", stdin=CASE_1.read_bytes())
    assert json.loads(result.stdout)["workload"]["file"] == "<stdin>"


@pytest.mark.parametrize(("end", "other"), [("low", "high"), ("likely", "high")])
def test_size_for_overrules_the_workload(run: Run, end: str, other: str) -> None:
    data = json.loads(run("plan", CASE_1, "--size-for", end, "--format", "json").stdout)
    assert data["policy"]["size_for"] == data["demand"]["size_for"] == end
    assert json.loads(run("plan", CASE_1, "--format", "json").stdout)["policy"]["size_for"] == other


def test_an_explanation(run: Run) -> None:
    result = run("explain", CASE_1, "network/technical")
    assert result.exit_code == 0
    assert result.stdout.startswith("primary/network/technical (network technical)\n")
    data = json.loads(run("explain", CASE_1, "--format", "json").stdout)
    assert data["schema"] == "sizewright.explain/1"


def test_tables_from_the_list_to_a_cell(run: Run) -> None:
    assert "  disks " in run("tables").stdout
    assert run("tables", "disks").stdout.startswith("disks: Disk drives\n")
    assert run("tables", "DISKS", "424mb-scsi").stdout.startswith("disks/424mb-scsi\n")
    assert len(json.loads(run("tables", "--format", "json").stdout)) > 10
    assert json.loads(run("tables", "disks", "--format", "json").stdout)["table"] == "disks"
    row = run("tables", "disks", "424mb-scsi", "--format", "json").stdout
    assert json.loads(row)["id"] == "424mb-scsi"


def test_rules_from_the_list_to_one(run: Run) -> None:
    assert "\n  XIII " in run("rules").stdout
    assert run("rules", "show", "xiii").stdout.startswith("Rule XIII: ")
    listed = json.loads(run("rules", "--format", "json").stdout)
    shown = json.loads(run("rules", "show", "XIII", "--format", "json").stdout)
    assert shown in listed


def test_an_overlay_changes_tables_and_rules_alike(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "site" / "rules" / "sun-1992"
    folder.mkdir(parents=True)
    (folder / "ours.yaml").write_text(
        "id: XIII\nparameters:\n"
        '  max_nfs_ops_per_s: {value: 200, unit: op/s, source: {section: "2.5.2"}}\n'
    )
    site = tmp_path / "site"
    text = run("rules", "show", "XIII", "--overlay", site).stdout
    assert "max_nfs_ops_per_s = 200 op/s" in text
    assert "overlay" in text
    data = json.loads(run("plan", SILENT, "--overlay", site, "--format", "json").stdout)
    (change,) = data["overlays"]
    assert (change["overlay"], change["after"], change["used"]) == ("site", "200", True)


def test_the_version(run: Run) -> None:
    assert run("--version").stdout == f"sizewright, version {__version__}\n"


@pytest.mark.parametrize("arguments", [(), *((name,) for name in COMMANDS)])
def test_help_fits_the_page_and_has_an_example(run: Run, arguments: tuple[str, ...]) -> None:
    text = run(*arguments, "--help").stdout
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "Example:\n" in text
    assert f"    {' '.join(('sizewright', *arguments))}" in text
    assert run(*arguments, "-h").stdout == text


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command; of a group those in it."""
    context = main.make_context("sizewright", ["plan"])
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {own}", one) for own, one in command.commands.items())
        else:
            yield name, command


# They help to write input and to use the command itself; no guide is asked.
HELPERS = ("new", "schema", "completion", "man")


@pytest.mark.parametrize("name", HELPERS)
def test_what_helps_to_write_input_goes_to_a_file_too(name: str) -> None:
    params = dict(commands())[name].params
    assert "-o" in {option for param in params for option in param.opts}


@pytest.mark.parametrize(
    ("name", "command"),
    tuple((name, command) for name, command in commands() if name not in HELPERS),
    ids=lambda value: str(value),
)
def test_every_command_has_the_shared_options(name: str, command: click.Command) -> None:
    names = {option for param in command.params for option in param.opts}
    assert {"--format", "--guide", "--overlay", "--output", "-o"} <= names
    assert command.help


# --- where the result goes ------------------------------------------------------------------------


def test_a_file_is_written_whole(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "plan.txt"
    result = run("plan", CASE_1, "-o", target)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert target.read_text(encoding="utf-8") == run("plan", CASE_1).stdout
    assert list(tmp_path.iterdir()) == [target]


def test_a_result_that_breaks_a_limit_is_written_too(
    run: Run, refused: Path, tmp_path: Path
) -> None:
    target = tmp_path / "plan.json"
    assert run("plan", refused, "--format", "json", "-o", target).exit_code == 1
    assert json.loads(target.read_bytes())["verdict"] == "violated"


def test_a_file_stays_as_it_was_where_the_input_is_bad(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "plan.txt"
    target.write_text("before")
    result = run("plan", tmp_path / "none.yaml", "-o", target)
    assert result.exit_code == 2
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_stays_as_it_was_where_writing_fails(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "plan.txt"
    target.write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    result = run("plan", CASE_1, "-o", target)
    assert result.exit_code == 2
    assert result.stderr == f"{target}: cannot be written: no space left on device\n"
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_stays_a_link(run: Run, tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("before")
    link.symlink_to(real)
    assert run("rules", "-o", link).exit_code == 0
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8").startswith("Rules of guide")


@pytest.mark.skipif(not Path("/dev/null").is_char_device(), reason="no such device here")
def test_a_device_is_written_to_and_not_replaced(run: Run) -> None:
    assert run("rules", "-o", "/dev/null").exit_code == 0
    assert Path("/dev/null").is_char_device()


def test_a_dash_is_standard_output(run: Run, tmp_path: Path) -> None:
    assert run("rules", "-o", "-").stdout == run("rules").stdout


@pytest.mark.parametrize("form", ["text", "json"])
def test_whoever_reads_may_stop_early(form: str) -> None:
    with subprocess.Popen(
        [*COMMAND, "plan", str(CASE_1), "--format", form],
        env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_an_interrupt_is_quiet() -> None:
    code = (
        "import signal, sizewright.cli.plan as plan\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def interrupted(*_): signal.raise_signal(signal.SIGINT)\n"
        "plan.load_document = interrupted\n"
        "from sizewright.cli.main import main\n"
        "main(['plan', 'x.yaml'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], env=ENV, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (Exit.INTERRUPTED, b"", b"")


@pytest.mark.parametrize(("debug", "ending"), [("", b""), ("1", b"end\n")])
def test_the_process_ends_at_once_unless_it_is_examined(debug: str, ending: bytes) -> None:
    code = (
        "import atexit, sys; atexit.register(print, 'end')\n"
        "from sizewright.__main__ import run\n"
        "sys.argv[1:] = ['plan', 'nowhere.yaml']\n"
        "print('start'); run()\n"
    )
    env = {**ENV, "SIZEWRIGHT_DEBUG": debug}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (Exit.BAD_INPUT, b"start\n" + ending)
    assert done.stderr.startswith(b"nowhere.yaml: ")


# What took long to import, and a plan in text does not use.
UNUSED = ("jinja2", "difflib", "unittest", "asyncio")


def test_a_plan_imports_nothing_that_it_does_not_use() -> None:
    code = (
        "import os, sys\n"
        "from sizewright.__main__ import run\n"
        f"sys.argv[1:] = ['plan', {str(CASE_1)!r}]\n"
        "os._exit = lambda code: sys.stderr.write('\\n'.join(sys.modules))\n"
        "run()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], env=ENV, capture_output=True, check=True)
    loaded = done.stderr.decode().split()
    assert "sizewright.planner.search" in loaded
    assert not {name for name in UNUSED if name in loaded}


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_an_old_terminal_gets_what_it_can_show(encoding: str) -> None:
    done = subprocess.run(
        [*COMMAND, "plan", str(CASE_1)], env={**ENV, "PYTHONIOENCODING": encoding},
        capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    assert b"######" in done.stdout


def test_json_is_utf_8_wherever_it_goes() -> None:
    done = subprocess.run(
        [*COMMAND, "plan", str(CASE_1), "--format", "json"],
        env={**ENV, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    formulas = [i["formula"] for b in json.loads(done.stdout)["budgets"] for i in b["items"]]
    assert any("×" in formula for formula in formulas)


def _on_a_terminal(extra: dict[str, str]) -> bytes:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    env = {k: v for k, v in ENV.items() if k != "NO_COLOR"} | {"TERM": "xterm"} | extra
    with subprocess.Popen([*COMMAND, "plan", str(CASE_1)], env=env, stdout=theirs) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                more = os.read(ours, 1 << 16)
            except OSError:
                break
            if not more:
                break
            seen += more
        os.close(ours)
    assert process.returncode == 0
    return seen


@pytest.mark.parametrize(
    ("extra", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False), ({"NO_COLOR": ""}, True)],
)
def test_colour_on_a_terminal_unless_it_is_not_wanted(
    extra: dict[str, str], coloured: bool
) -> None:
    assert (b"\x1b[" in _on_a_terminal(extra)) is coloured


def test_no_colour_in_a_pipe(run: Run) -> None:
    assert "\x1b" not in run("plan", CASE_1).stdout


def _accept_interrupts() -> None:
    """Undo what a shell does to a command that it starts in the background: SIGINT is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interrupt_from_the_keyboard_ends_a_long_plan() -> None:
    with subprocess.Popen(
        [*COMMAND, "plan", "-"], env=ENV, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, preexec_fn=_accept_interrupts,
    ) as process:  # fmt: skip
        # It waits for its input by then, so the interrupt meets it at work.
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (Exit.INTERRUPTED, b"", b"")
