"""`compare`, `diff` and `plan --locked`, as a user runs them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from generated_workloads import text_of
from guide.overlays import cell, overlay
from sizewright.cli.exits import Exit
from sizewright.cli.files import schema_of
from sizewright.cli.main import main
from sizewright.guide.loader import load_guide
from small import plain

from .conftest import CASE_1, SILENT, WITH_SOUND, Run

pytestmark = pytest.mark.no_cover

CELL = ("nfs-capacity", "sparcstation-2-two-networks", "maximum_ops_per_s", 440)


@cache
def planned() -> bytes:
    """The plan of the first case study as JSON."""
    found = CliRunner().invoke(main, ["plan", str(CASE_1), "--format", "json"])
    assert found.exit_code == Exit.PASS
    return found.stdout_bytes


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    """The plan of the first case study, written as JSON."""
    path = tmp_path / "plan.json"
    path.write_bytes(planned())
    return path


@pytest.fixture
def doubled(tmp_path: Path) -> Path:
    """The first case study with twice the clients of one group."""
    text = CASE_1.read_text(encoding="utf-8")
    path = tmp_path / "doubled.yaml"
    path.write_text(text.replace("clients: 12\n", "clients: 24\n"), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != text
    return path


def test_every_platform_is_compared(run: Run) -> None:
    found = run("compare", CASE_1)
    assert (found.exit_code, found.stderr) == (Exit.PASS, "")
    data = json.loads(run("compare", CASE_1, "--format", "json").stdout)
    jsonschema.Draft202012Validator(schema_of("compare")).validate(data)
    rows = [row for row in load_guide("sun-1992").table("platforms") if row.flag("orderable")]
    names = [row.text("name") for row in rows]
    assert sorted(column["name"] for column in data["columns"]) == sorted(names)
    assert all(name in found.stdout for name in names)
    assert found.stdout.startswith("Platforms for departmental-nfs, at the high end")


def test_identical_systems_are_counted_as_the_plan_counts_them(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "divided.yaml"
    path.write_text(text_of(plain({"clients": 400})), encoding="utf-8")
    planned = json.loads(run("plan", path, "--format", "json").stdout)
    assert [m["quantity"] for m in planned["group"]["members"]] == [2]
    lines = [" ".join(line.split()) for line in run("compare", path).stdout.splitlines()]
    counts = [n for line in lines if line.startswith("systems ") for n in line.split()[1:]]
    assert counts == ["2"] * 4
    assert any(line.startswith("disks 2 × ") for line in lines)
    columns = json.loads(run("compare", path, "--format", "json").stdout)["columns"]
    assert [[part["quantity"] for part in each["parts"]] for each in columns] == [[2]] * 4


def test_where_no_platform_holds_it_ends_with_1_and_says_why_not(run: Run) -> None:
    found = run("compare", WITH_SOUND)
    assert found.exit_code == Exit.FAIL
    verdicts = [line for line in found.stdout.splitlines() if line.startswith("  verdict ")]
    assert " ".join(verdicts).split().count("fail") == 4
    assert "\nWhy not\n  SPARCstation-2\n    - " in found.stdout


def test_options_reach_every_column(run: Run) -> None:
    data = json.loads(
        run("compare", SILENT, "--size-for", "low", "--systems", 1, "--format", "json").stdout
    )
    assert {column["size_for"] for column in data["columns"]} == {"low"}
    assert all(len(column["parts"]) <= 1 for column in data["columns"])


def test_plans_and_workloads_stand_side_by_side(run: Run, lock: Path, refused: Path) -> None:
    found = run("compare", lock, refused, "--format", "json")
    data = json.loads(found.stdout)
    assert [c["name"] for c in data["columns"]] == [str(lock), str(refused)]
    assert [c["holds"] for c in data["columns"]] == [True, False]
    assert (found.exit_code, data["of"]) == (Exit.PASS, "")
    assert run("compare", refused, refused).exit_code == Exit.FAIL
    one = json.loads(run("compare", lock, "--format", "json").stdout)
    assert one["columns"] == data["columns"][:1]


def test_a_plan_may_come_from_standard_input_once(run: Run, lock: Path) -> None:
    found = run("diff", "-", lock, stdin=lock.read_bytes())
    assert (found.exit_code, found.stdout) == (Exit.PASS, "no difference\n")
    found = run("diff", lock, "-", stdin=CASE_1.read_bytes())
    assert (found.exit_code, found.stdout) == (Exit.PASS, "no difference\n")
    for arguments in (("diff", "-", "-"), ("compare", "-", "-"), ("plan", "-", "--locked", "-")):
        found = run(*arguments, stdin=lock.read_bytes())
        assert (found.exit_code, found.stdout) == (Exit.BAD_INPUT, "")
        assert "once only" in found.stderr


def test_a_difference_names_the_line_behind_it(
    run: Run, lock: Path, doubled: Path, tmp_path: Path
) -> None:
    found = run("diff", lock, doubled)
    assert (found.exit_code, found.stderr) == (Exit.FAIL, "")
    assert "because of services.ecad.clients" in found.stdout
    after = tmp_path / "doubled.json"
    run("plan", doubled, "--format", "json", "-o", after)
    data = json.loads(run("diff", lock, after, "--format", "json").stdout)
    jsonschema.Draft202012Validator(schema_of("diff")).validate(data)
    keys = [c["key"] for c in data["causes"]]
    # Cells are causes too if only one of the two plans rests on them (it drops eNFS).
    assert keys[0] == "services.ecad.clients"
    assert "workload" in keys
    back = json.loads(run("diff", after, lock, "--format", "json").stdout)
    assert (back["before"], back["after"]) == (data["after"], data["before"])


def test_a_plan_that_is_locked_is_printed_as_ever(run: Run, lock: Path) -> None:
    plain, kept = run("plan", CASE_1), run("plan", CASE_1, "--locked", lock)
    assert (kept.exit_code, kept.stdout) == (plain.exit_code, plain.stdout)
    assert kept.stderr == f"same as the lock {lock}\n"
    chosen = run("plan", CASE_1, "--locked", lock, "--rule", "XIV", "--break-even")
    assert chosen.exit_code == Exit.PASS


def test_a_plan_that_does_not_hold_is_no_better_for_being_locked(
    run: Run, refused: Path, tmp_path: Path
) -> None:
    path = tmp_path / "plan.json"
    assert run("plan", refused, "--format", "json", "-o", path).exit_code == Exit.FAIL
    kept = run("plan", refused, "--locked", path)
    assert (kept.exit_code, kept.stderr) == (Exit.FAIL, f"same as the lock {path}\n")
    assert kept.stdout.startswith("Plan for ")


def test_a_row_that_moves_a_locked_plan_is_named_and_nothing_written(
    run: Run, lock: Path, tmp_path: Path
) -> None:
    laid, out = overlay(tmp_path, "ours", cells=cell(*CELL)), tmp_path / "new.json"
    before = lock.read_bytes()
    for arguments in ((), ("-o", out), ("--format", "json", "-o", lock)):
        found = run("plan", CASE_1, "--overlay", laid, "--locked", lock, *arguments)
        assert (found.exit_code, found.stdout) == (Exit.FAIL, "")
        assert found.stderr.startswith(f"sizewright: differs from the lock {lock}\n")
        told = " ".join(found.stderr.split())
        assert "/".join(map(str, CELL[:3])) + ": 450 op/s → 440 op/s" in told
    assert not out.exists()
    assert lock.read_bytes() == before


def test_a_line_that_moves_a_locked_plan_is_named(run: Run, lock: Path, doubled: Path) -> None:
    found = run("plan", doubled, "--locked", lock)
    assert found.exit_code == Exit.FAIL
    assert "services.ecad.clients: 12 clients → 24 clients" in " ".join(found.stderr.split())
    assert f"{CASE_1}:75:14→{doubled}:75:14" in "".join(found.stderr.split())


BAD = {
    "no JSON": ("{", ":1:2: is not valid JSON"),
    "another command's": ('{"schema": "sizewright.explain/1"}', "holds 'sizewright.explain/1'"),
    "another version": ('{"schema": "sizewright.plan/9"}', "another version"),
    "not whole": ('{"schema": "sizewright.plan/1"}', "guide is missing"),
    "steering": ('{"schema": "\\u001b[31m"}', "holds '\\x1b[31m', not a plan"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_plan_file_ends_with_2_and_writes_nothing(
    run: Run, lock: Path, tmp_path: Path, name: str
) -> None:
    text, what = BAD[name]
    bad, out = tmp_path / "bad.json", tmp_path / "out"
    bad.write_text(text, encoding="utf-8")
    for arguments in (
        ("diff", lock, bad), ("diff", bad, CASE_1), ("compare", lock, bad),
        ("plan", CASE_1, "--locked", bad),
    ):  # fmt: skip
        found = run(*arguments, "-o", out)
        assert (found.exit_code, found.stdout) == (Exit.BAD_INPUT, "")
        assert found.stderr.startswith(f"{bad}") and what in found.stderr
        assert not out.exists()


def test_the_faults_of_all_files_are_told_at_once(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("[", encoding="utf-8")
    found = run("diff", bad, tmp_path / "none.yaml")
    assert found.exit_code == Exit.BAD_INPUT
    assert "is not valid JSON" in found.stderr and "there is no such file" in found.stderr
    assert run("compare").exit_code == Exit.BAD_INPUT


def test_names_in_a_plan_file_cannot_steer_a_terminal(run: Run, lock: Path, tmp_path: Path) -> None:
    data = json.loads(lock.read_text(encoding="utf-8"))
    data["budgets"][0]["resource"] = "\x1b[31mred\r\n"
    data["systems"] = []
    other = tmp_path / "other.json"
    other.write_text(json.dumps(data), encoding="utf-8")
    for arguments in (("diff", lock, other), ("compare", lock, other)):
        found = run(*arguments)
        assert "\x1b" not in found.stdout and "\r" not in found.stdout
