"""Option --set: a value changed for one run gives what the changed file gives, and says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

FILE = """\
name: files
networks: [{name: lan, medium: ethernet}]
volumes:
  - {name: homes, size_mb: 300, access: random}
  - {name: a.b, size_mb: 100, access: random}
services:
  - {kind: nfs, name: files, clients: 10, load: {ops_per_s_each: 2},
      network: lan, uses: [homes, a.b]}
"""


@pytest.fixture
def workload(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("files.yaml").write_text(FILE, encoding="utf-8")
    return "files.yaml"


@pytest.mark.parametrize(
    ("assignment", "old", "new"),
    [
        ("services.files.clients=40", "clients: 10", "clients: 40"),
        ("services.files.clients=[20, 40]", "clients: 10", "clients: [20, 40]"),
        ("services.files.load.ops_per_s_each=3", "ops_per_s_each: 2", "ops_per_s_each: 3"),
        ("volumes.a.b.size_mb=0.2 GB", "size_mb: 100", "size_mb: 0.2 GB"),
        (
            "services.files.load={activity: x}",
            "load: {ops_per_s_each: 2}",
            "load: {activity: x}",
        ),
        ("growth.percent=20", "name: files\nnet", "name: files\ngrowth: {percent: 20}\nnet"),
    ],
)
def test_it_plans_what_the_changed_file_plans(
    assignment: str, old: str, new: str, workload: str, run: Run
) -> None:
    changed = run("plan", workload, "--set", assignment, "--full")
    assert FILE.count(old) == 1
    Path("other.yaml").write_text(FILE.replace(old, new), encoding="utf-8")
    other = run("plan", "other.yaml", "--full")
    assert changed.exit_code == other.exit_code
    told = f"Changed for this run: {assignment}\n"
    assert changed.stdout.replace(told, "") == other.stdout
    assert (told in changed.stdout) == bool(changed.stdout)


def test_several_changes_hold_together_and_the_json_names_them(workload: str, run: Run) -> None:
    changes = ["services.files.clients=40", "services.files.active=4"]
    options = [part for change in changes for part in ("--set", change)]
    data = json.loads(run("plan", workload, *options, "--format", "json").stdout)
    assert data["workload"]["changes"] == changes
    [network] = data["networks"][:1]
    assert (network["unit"], network["used"]["high"]) == ("op/s", 8)


def test_an_explanation_names_the_option_as_the_source(workload: str, run: Run) -> None:
    result = run("explain", workload, "network/lan", "--set", "services.files.active=4")
    assert "4 clients: services.files.active [--set services.files.active=4]" in result.stdout


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("5..30", "[5, 30]"), ("5-30", "[5, 30]"), ("5–30", "[5, 30]"),
        ("5 to 30 clients", "[5 clients, 30 clients]"),
    ],
)  # fmt: skip
def test_how_a_range_is_written_is_told(text: str, meant: str, workload: str, run: Run) -> None:
    result = run("plan", workload, "--set", f"services.files.clients={text}")
    assert result.exit_code == 2
    assert f"'{text}' is not a quantity" in result.stderr
    assert f"; write a range as {meant}\n" in result.stderr
    assert run("plan", workload, "--set", f"services.files.clients={meant}").exit_code == 0


@pytest.mark.parametrize(
    ("assignments", "message"),
    [
        (
            ["services.fles.clients=3"],
            "--set services.fles.clients=3: services has no item 'fles'\n"
            "  expected one of files; did you mean 'files'?\n",
        ),
        (
            ["services.files.client=3"],
            "--set services.files.client=3: unknown key 'client'\n",
        ),
        (
            ["services.files.clients"],
            "--set: 'services.files.clients' is not an assignment\n"
            "  expected KEY=VALUE, for example services.NAME.clients=20\n",
        ),
        (
            ["services.files.clients.x=2"],
            "--set services.files.clients.x=2: services.files.clients is one value",
        ),
        (["name=[1"], "is not valid YAML"),
        (["services.files.clients=-1"], "--set services.files.clients=-1: clients: "),
        (["services.x.y=2", "volumes.z=1"], "--set volumes.z=1: volumes has no item 'z'"),
    ],
)
def test_what_cannot_be_set_is_named(
    assignments: list[str], message: str, workload: str, run: Run
) -> None:
    options = [part for assignment in assignments for part in ("--set", assignment)]
    result = run("plan", workload, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
