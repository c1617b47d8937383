"""Cases that plan nothing: what a guide works out by itself, held against its tables and rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cases.copies import EXAMPLES, Copy
from sizewright.api import Engine
from sizewright.cases.reading import case_folders, read_case
from sizewright.cases.running import run_case
from sizewright.cli.main import main
from sizewright.documents import Document
from sizewright.errors import InputError

EXPECTED = "expected.yaml"
INVENTORY = "inventory.yaml"
WORKED = EXAMPLES / "worked-examples"
PART = WORKED / "machines"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["test", *map(str, words)], prog_name="sizewright")


def test_such_a_case_has_no_workload_and_agrees(machines: Copy) -> None:
    outcome = machines.run()
    assert outcome.case.workload == ""
    assert {result.workload for result in outcome.results} == {""}
    assert not outcome.fails


def test_the_worked_examples_plan_nothing_and_none_differs_unexplained() -> None:
    parts = case_folders(WORKED)
    assert len(parts) == 6
    assert all(read_case(folder).workload == "" for folder in parts)
    result = run(WORKED)
    assert result.exit_code == 0, result.output
    assert "DIFFERS" not in result.output


def test_the_guide_is_asked_for_once_and_is_the_one_that_the_expectations_name(
    machines: Copy,
) -> None:
    asked: list[Document] = []

    def engine(document: Document) -> Engine:
        asked.append(document)
        return machines.engine

    run_case(read_case(machines.folder), engine)
    assert [(Path(one.name).name, one.data["guide"]) for one in asked] == [(EXPECTED, "sun-1992")]


def test_a_guide_that_is_not_there_is_told_with_its_place(machines: Copy) -> None:
    machines.change(EXPECTED, "guide: sun-1992", "guide: sun-1993")
    result = run(machines.folder)
    assert result.exit_code == 2
    assert "there is no guide 'sun-1993'" in result.stderr
    assert f"{EXPECTED}:" in result.stderr


@pytest.mark.parametrize(
    ("file", "before", "after", "failing"),
    [
        (INVENTORY, "printed: 320", "printed: 321", "nfs-capacity-sparcstation-2-one-network"),
        (INVENTORY, "printed: 85", "printed: 90", "options-nvram-uniprocessor-limit"),
        (INVENTORY, "printed: [5, 15]", "printed: [5, 20]", "options-striping-cost"),
        (INVENTORY, "printed: 12.5", "printed: 13", "processor-cycle-80-mhz"),
        (EXPECTED, "maximum_ops_per_s", "sustained_ops_per_s",
         "nfs-capacity-sparcstation-2-one-network"),
        (EXPECTED, 'right: "0.8 * 540"', 'right: "0.8 * 550"', "nfs-capacity-sparcserver-630mp"),
        (EXPECTED, "bound: at_most", "bound: at_least", "cache-write-buffer-gain"),
        (EXPECTED, 'right: "440"', 'right: "432"', "nfs-capacity-sparcserver-630mp+1"),
    ],
)  # fmt: skip
def test_what_is_wrong_fails(
    machines: Copy, file: str, before: str, after: str, failing: str
) -> None:
    assert machines.change(file, before, after).fails() == {failing}


def test_a_cell_that_an_overlay_changes_differs(tmp_path: Path) -> None:
    folder = tmp_path / "overlay" / "tables" / "sun-1992"
    folder.mkdir(parents=True)
    (folder / "nfs-capacity.yaml").write_text(
        "table: nfs-capacity\nrows:\n"
        "  - id: sparcstation-2-one-network\n    maximum_ops_per_s: 500\n",
        encoding="utf-8",
    )
    result = run(PART, "--overlay", tmp_path / "overlay")
    assert result.exit_code == 1, result.stderr
    assert "DIFFERS  nfs-capacity-sparcstation-2-one-network" in result.stdout


@pytest.mark.parametrize(
    "root", ["budgets[nfs].used", "system.platform", "demand.streams", "holds"]
)
def test_a_path_into_a_plan_leads_nowhere(machines: Copy, root: str) -> None:
    before = "path: parameter[1.1.7-nvram-uniprocessor][busy_share]"
    with pytest.raises(InputError) as caught:
        machines.change(EXPECTED, before, f"path: {root}").run()
    assert f"there is no '{root.partition('.')[0].partition('[')[0]}'" in caught.value.text()
    assert f"{EXPECTED}:" in caught.value.text()


def test_a_difference_that_a_rule_forces_needs_a_plan(machines: Copy) -> None:
    before = "    path: parameter[1.1.7-nvram-uniprocessor][busy_share]\n"
    differs = "    differs: {right: 85, inputs: here, forced_by: XIV, reason: said}\n"
    result = machines.change(EXPECTED, before, before + differs).results()
    reason = result["options-nvram-uniprocessor-limit"].reason
    assert reason == "listed as a difference, but the plan has what is printed"


def test_one_check_of_such_a_case_may_have_a_workload(machines: Copy) -> None:
    source = EXAMPLES / "case-1-departmental-nfs" / "workload.yaml"
    (machines.folder / "workload.yaml").write_bytes(source.read_bytes())
    before = '        right: "320"\n'
    further = "      - path: system.platform\n        workload: workload.yaml\n"
    machines.change(EXPECTED, before, f"{before}{further}        decision: sparcstation-2\n")
    outcome = machines.run()
    assert {result.workload for result in outcome.results} == {"", "workload.yaml"}
    assert not outcome.fails
    (planned,) = (result for result in outcome.results if result.workload)
    assert planned.computed == "sparcstation-2"
