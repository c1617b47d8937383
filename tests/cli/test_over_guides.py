"""`compare --guides`, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from sizewright.cli.exits import Exit
from sizewright.cli.files import schema_of

from .conftest import CASE_1, ROOT, Run

pytestmark = pytest.mark.no_cover

CASE_3 = ROOT / "examples/sun-1992/case-3-ad-hoc-query-server/workload.yaml"


def test_the_other_guides_stand_after_the_own_one(run: Run) -> None:
    found = run("compare", CASE_1, "--guides", "all")
    assert (found.exit_code, found.stderr) == (Exit.PASS, "")
    heads = [line for line in found.stdout.splitlines() if line.startswith("Guide ")]
    assert [head.split(":")[0] for head in heads] == [
        "Guide sun-1992", "Guide auspex-1992", "Guide compaq-1999", "Guide solaris-x86-1998",
        "Guide sun-fire-2005",
    ]  # fmt: skip


def test_named_guides_stand_in_a_fixed_order(run: Run) -> None:
    one = run("compare", CASE_1, "--guides", "solaris-x86-1998", "--guides", "auspex-1992")
    other = run("compare", CASE_1, "--guides", "auspex-1992", "--guides", "solaris-x86-1998")
    assert one.stdout == other.stdout
    assert "compaq-1999" not in one.stdout


def test_the_json_is_its_contract(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "over.json"
    found = run("compare", CASE_1, "--guides", "all", "--format", "json", "-o", path)
    assert (found.exit_code, found.stdout) == (Exit.PASS, "")
    data = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema_of("across")).validate(data)
    assert data["holds"] is True


def test_parameters_of_the_policy_count(run: Run, tmp_path: Path) -> None:
    """A limit that the workload's policy moves moves what is full."""
    text = CASE_1.read_text(encoding="utf-8")
    path = tmp_path / "w.yaml"
    moved = "policy:\n  parameters: {1.1.1-interface-sustained: {sustained_share: 0.4}}\n"
    path.write_text(text.replace("policy:\n", moved), encoding="utf-8")

    def network(of: Path) -> float:
        data = json.loads(run("compare", of, "--guides", "auspex-1992", "--format", "json").stdout)
        loads = data["guides"][0]["machines"][0]["loads"]
        return next(float(load["share"]) for load in loads if load["kind"] == "network")

    assert network(path) == pytest.approx(2 * network(CASE_1))


def test_a_written_plan_is_no_workload(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    assert run("plan", CASE_1, "--format", "json", "-o", path).exit_code == Exit.PASS
    found = run("compare", path, "--guides", "all")
    assert found.exit_code == Exit.BAD_INPUT
    assert "is a written plan" in found.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((CASE_1, "--guides", "auspex"), "there is no guide 'auspex'"),
        ((CASE_1, "--guides", "sun-1992"), "sun-1992 is the input's own guide"),
        ((CASE_1, "--guides", "all", "--guides", "all"), "all is named more than once"),
        ((CASE_1, CASE_1, "--guides", "all"), "takes one workload, not 2"),
        ((CASE_1, "--guides", "all", "--systems", 1), "leave out --systems"),
        ((CASE_3, "--guides", "all"), "ad-hoc-queries serves no files"),
        (("none.yaml", "--guides", "all"), "there is no such file"),
        ((CASE_1, "--guide", "compaq-1999", "--guides", "all"), "has no '"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    run: Run, arguments: tuple[object, ...], told: str
) -> None:
    found = run("compare", *arguments)
    assert (found.exit_code, found.stdout) == (Exit.BAD_INPUT, "")
    assert told in found.stderr
