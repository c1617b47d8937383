"""Starting files: each works as it is, and a newcomer's path leads somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from sizewright.cli.files import STARTING_FILES, starting_file

from .conftest import Run

WORKLOADS = [kind for kind in STARTING_FILES if kind != "box"]


@pytest.mark.parametrize("kind", STARTING_FILES)
def test_a_starting_file_is_printed(kind: str, run: Run) -> None:
    result = run("new", kind)
    assert (result.exit_code, result.stdout) == (0, starting_file(kind))
    assert result.stdout.startswith("# ")
    assert all(len(line) <= 100 for line in result.stdout.splitlines())


def test_every_starting_file_has_its_kind() -> None:
    folder = Path(__file__).resolve().parents[2] / "src" / "sizewright" / "starting"
    assert {path.stem for path in folder.iterdir()} == set(STARTING_FILES)


@pytest.mark.parametrize("kind", WORKLOADS)
def test_a_workload_is_planned_as_it_is(kind: str, run: Run) -> None:
    result = run("plan", "-", stdin=starting_file(kind))
    assert (result.exit_code, result.stderr) == (0, "")
    assert "\nRecommended: " in result.stdout


def test_a_box_is_checked_as_it_is(run: Run) -> None:
    result = run("check", "-", stdin=starting_file("box"))
    assert (result.exit_code, result.stderr) == (0, "")
    assert "\nPass: " in result.stdout


@pytest.mark.parametrize("form", ["text", "json", "markdown", "csv", "yaml", "html"])
def test_a_newcomers_path(
    form: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "nfs", "-o", "workload.yaml").exit_code == 0
    text = Path("workload.yaml").read_text(encoding="utf-8")
    before = run("plan", "workload.yaml").stdout
    for old, new in (("clients: 25 ", "clients: 40 "), ("active: [6, 10]", "active: [10, 16]")):
        assert text.count(old) == 1
        text = text.replace(old, new)
    Path("workload.yaml").write_text(text, encoding="utf-8")
    after = run("plan", "workload.yaml", "--format", form)
    assert after.exit_code == 0
    assert after.stdout != before
    explained = run("explain", "workload.yaml", "network/office").stdout
    assert "10–16 clients: services.homes.active" in explained


def test_a_file_is_overwritten_only_by_force(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "box.yaml"
    target.write_text("mine")
    result = run("new", "box", "-o", target)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"{target}: exists\n  expected the name of a new file; use --force to overwrite it\n"
    )
    assert target.read_text() == "mine"
    assert run("new", "box", "-o", target, "--force").exit_code == 0
    assert target.read_text(encoding="utf-8") == starting_file("box")


def test_a_wrong_kind_is_answered_with_the_nearest(run: Run) -> None:
    result = run("new", "databse")
    assert result.exit_code == 2
    assert "'databse' is not one of 'nfs', 'database', 'mixed', 'box'" in result.stderr
    assert "Did you mean 'database'?" in result.stderr
