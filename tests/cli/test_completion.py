"""What a shell completes: commands, options, and the names that a guide has."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from sizewright.cli.files import PROGRAM, SHELLS, VARIABLE
from sizewright.cli.main import COMMANDS, main
from sizewright.guide.loader import guide_ids

from .conftest import Run


def completed(*words: str) -> list[str]:
    """What the last word may become."""
    found = ShellComplete(main, {}, PROGRAM, VARIABLE).get_completions(list(words[:-1]), words[-1])
    return [item.type if item.type != "plain" else str(item.value) for item in found]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("pl",), {"plan"}),
        (("",), set(COMMANDS)),
        (("new", ""), {"nfs", "database", "mixed", "box"}),
        (("schema", "t"), {"table"}),
        (("completion", ""), set(SHELLS)),
        (("plan", "--gui"), {"--guide"}),
        (("plan", "--guide", "sun-1"), {"sun-1992"}),
        (("plan", "--guide", ""), set(guide_ids())),
        (("plan", "--rule", "xiii"), {"XIII"}),
        (("check", "box.yaml", "--ignore", "XXVII"), {"XXVII", "XXVIII"}),
        (("plan", "--format", "mark"), {"markdown"}),
        (("plan", "--size-for", "l"), {"low", "likely"}),
        (("tables", "disks"), {"disks"}),
        (("tables", "disks", "424"), {"424mb-scsi"}),
        (("tables", "--guide", "sun-1992", "network-m"), {"network-media"}),
        (("rules", "show", "2.10.1"), {"2.10.1-kernel-lock"}),
        (("box", "from-p"), {"from-probe"}),
        (("box", "from-probe", "--platform", "sparcstation-2"), {"sparcstation-2"}),
        (("plan", "work"), {"file"}),
        (("check", ""), {"file"}),
        (("explain", ""), {"file"}),
        (("compare", "a.yaml", ""), {"file"}),
        (("diff", "a.yaml", ""), {"file"}),
        (("plan", "a.yaml", "--locked", ""), {"file"}),
        (("box", "from-iostat", "--box", ""), {"file"}),
    ],
)
def test_names_are_completed(words: tuple[str, ...], found: set[str]) -> None:
    assert set(completed(*words)) == found


@pytest.mark.parametrize(
    "words",
    [
        ("tables", "no-such-table", ""),
        ("tables", "--guide", "no-such-guide", ""),
        ("tables", "--overlay", "/no/such/folder", ""),
        ("plan", "--format", "bogus", "--rule", "no-such-rule"),
        ("plan", "--no-such-option", "--rule", "no-such-rule"),
    ],
)
def test_where_nothing_can_be_found_nothing_is_said(words: tuple[str, ...]) -> None:
    assert completed(*words) == []


def test_names_say_what_they_stand_for() -> None:
    complete = ShellComplete(main, {}, PROGRAM, VARIABLE).get_completions
    (disks,) = complete(["tables"], "disks")
    assert disks.help == "Disk drives"
    (rule,) = complete(["rules", "show"], "XIII")
    assert rule.help.startswith("Load on a network")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_protocol_of_each_shell(shell: str) -> None:
    env = {
        VARIABLE: f"{shell}_complete", "COMP_WORDS": f"{PROGRAM} tables disk-z",
        "COMP_CWORD": "disk-z" if shell == "fish" else "2",
    }  # fmt: skip
    result = CliRunner().invoke(main, [], prog_name=PROGRAM, env=env)
    assert result.exit_code == 0
    assert "disk-zones" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_for_each_shell(shell: str, run: Run, tmp_path: Path) -> None:
    result = run("completion", shell)
    assert (result.exit_code, result.stderr) == (0, "")
    assert VARIABLE in result.stdout and f"{shell}_complete" in result.stdout
    if shutil.which(shell):
        script = tmp_path / "script"
        script.write_text(result.stdout)
        subprocess.run([shell, "-n", script], check=True)


def test_another_shell_is_refused(run: Run) -> None:
    result = run("completion", "fihs")
    assert result.exit_code == 2
    assert "Did you mean 'fish'?" in result.stderr
