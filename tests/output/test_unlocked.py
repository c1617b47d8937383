"""Machines whose host has no part in serving files: what reports say of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from functional import KINDS, OF_KINDS, files, served
from generated_workloads import read
from sizewright.api import check, plan
from sizewright.box.reading import read_box
from sizewright.cli.files import schema_of
from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.evaluate.policy import Policy
from sizewright.output.check import check_text
from sizewright.output.explain import choose
from sizewright.output.html.page import plan_html
from sizewright.output.json.check import check_data
from sizewright.output.json.plan import plan_data
from sizewright.output.names import Names, OwnNames
from sizewright.output.plan import plan_markdown, plan_text
from sizewright.output.prices import parts_list
from sizewright.output.remedies import without_lock
from sizewright.output.render import Style
from sizewright.output.reports import CheckReport, PlanReport
from written_plans import reread, written

from .conftest import Reporter

SAYS = (
    "No kernel lock is listed: on NS 3000, file service runs on other processors and uses no "
    "time of the host."
)
WHERE = "section 3, Figure 5"


@pytest.fixture(scope="module")
def report() -> PlanReport:
    return PlanReport(served(networks=3), "files", "", "files.yaml", "0" * 64)


def told(text: str) -> str:
    """A page without its line ends."""
    return " ".join(text.split())


def test_the_budgets_say_why_no_lock_is_among_them_and_where_that_stands(
    report: PlanReport,
) -> None:
    text = plan_text(report)
    line = f"{SAYS} [{WHERE}]"
    assert told(text).count(line) == 1
    budgets = text.index("Budgets (")
    assert budgets < text.index("No kernel lock") < text.index("Notes")
    assert SAYS in told(plan_markdown(report))
    assert "No kernel lock is listed" in plan_html(report)


def test_it_stands_in_the_data_as_well(report: PlanReport) -> None:
    data = plan_data(report)
    assert data["no_kernel_lock"] == [
        {"system": "primary", "platform": "ns-3000", "says": SAYS, "source": WHERE}
    ]
    assert data["kernel_lock"] is None
    Draft202012Validator(schema_of("plan")).validate(json.loads(json.dumps(data)))


def test_a_check_says_it_too() -> None:
    path = Path(__file__).parents[2] / "examples" / "auspex-1992" / "benchmark-ns-5500" / "box.yaml"
    document = parse_document(path.read_text(encoding="utf-8"), "box.yaml")
    found = CheckReport(check(read_box(document), OF_KINDS), document, Policy())
    assert "on NS 5500, file service runs on other processors" in told(check_text(found))
    data = check_data(found)
    assert [each["platform"] for each in data["no_kernel_lock"]] == ["ns-5500"]
    Draft202012Validator(schema_of("check")).validate(json.loads(json.dumps(data)))


@pytest.mark.parametrize("wanted", ["kernel_lock", "Kernel lock"])
def test_who_asks_for_the_lock_learns_why_there_is_none(report: PlanReport, wanted: str) -> None:
    with pytest.raises(InputError) as caught:
        choose(report, wanted)
    (fault,) = caught.value.faults
    assert (fault.what, fault.hint) == (f"{SAYS} [{WHERE}]", "")


def test_nothing_is_said_where_the_host_serves_files(reported: Reporter) -> None:
    report = reported("case-1")
    assert "No kernel lock" not in plan_text(report)
    assert "no_kernel_lock" not in plan_data(report)


def test_nothing_is_said_of_a_host_of_which_the_guide_says_that_it_serves(
    report: PlanReport,
) -> None:
    shown = report.shown
    assert shown is not None
    assert KINDS.row("platforms", "sparcserver-690mp").flag("host_serves_nfs")
    other = shown._replace(system=shown.system._replace(platform="sparcserver-690mp"))
    assert without_lock(KINDS, other) is None


def test_nothing_is_said_where_no_files_are_served(report: PlanReport) -> None:
    shown = report.shown
    assert shown is not None
    assert without_lock(KINDS, shown) is not None
    idle = shown.facts.system._replace(services=("database",))
    assert without_lock(KINDS, shown._replace(facts=shown.facts._replace(system=idle))) is None


def test_every_part_is_ordered_with_its_purpose(report: PlanReport) -> None:
    lines = {line["row"]: line for line in plan_data(report)["order"] if line["kind"] == "board"}
    assert {row: (line["quantity"], line["purpose"]) for row, line in lines.items()} == {
        "ethernet-processor": (2, "network net0 to net2"),
        "write-cache": (1, "speeds up writes"),
        "file-processor": (1, "file processor"),
        "storage-processor": (1, "disks and CD-ROM"),
        "host-processor-sun-4": (1, "host processor"),
    }


def test_places_that_are_only_counted_are_no_slots(report: PlanReport) -> None:
    """3.3: how many processors there can be is printed, the slots of the backplane are not."""
    shown = report.shown
    assert shown is not None
    names = Names(KINDS, shown.system)
    assert {names.slots(board) for board in shown.system.boards} == {"VME", "Storage-processor"}
    assert [names.provider(port.provider) for port in shown.system.ports] == [
        "Ethernet processor #1", "Ethernet processor #1", "Ethernet processor #2",
    ]  # fmt: skip
    assert "VME protocol processor 0 of 2" in told(plan_text(report))
    assert ",VME,network net0 to net2," in parts_list(report.order)


def test_channels_of_one_board_are_numbered(report: PlanReport) -> None:
    shown = report.shown
    assert shown is not None
    names = Names(KINDS, shown.system)
    assert [names.channel(channel) for channel in shown.system.channels] == [
        f"Storage processor channel #{n}" for n in range(1, 6)
    ]
    own = OwnNames(KINDS, shown.system)
    first = shown.system.channels[0]
    assert own.channel(first) == first.id == "storage-processor-1-1"


@pytest.mark.parametrize("networks", [1, 8])
def test_no_line_is_too_wide_and_plain_terminals_get_plain_characters(networks: int) -> None:
    plain = Style(colour=False, unicode=False)
    found = plan(read(files(networks=networks, size_mb=50000)), OF_KINDS)
    text = plan_text(PlanReport(found, "files", "", "files.yaml", "0" * 64), style=plain)
    assert text.isascii()
    assert [line for line in text.splitlines() if len(line) > 80] == []


def test_a_plan_that_is_read_back_gives_the_same_budgets(report: PlanReport) -> None:
    shown = report.shown
    assert shown is not None
    again = reread(written(report.plan), OF_KINDS)
    assert [b.resource for b in again.judged.budgets] == [b.resource for b in shown.budgets]
    assert [b.verdict for b in again.judged.budgets] == [b.verdict for b in shown.budgets]
