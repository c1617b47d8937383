from __future__ import annotations

from dataclasses import replace

import pytest

from sizewright.errors import InputError
from sizewright.evaluate.budgets import Budget
from sizewright.output.explain import choose, explain_text
from sizewright.output.json.explain import explain_data
from sizewright.output.reports import PlanReport
from sizewright.workload.not_counted import Omission

from .conftest import CASES, Reporter

NETWORK = """\
primary/network/administrative (network administrative)
used 8 op/s, 3% of its limit: pass
  administrative: 8 op/s
    = administrative clients × administrative load ops per s each
    = 8 clients × 1 op/s per client
      8 clients: services.administrative.clients [case-1.yaml:{clients}, section
        1.1.8, fact]
      1 op/s per client: services.administrative.load.ops_per_s_each
        [case-1.yaml:{ops}, section 1.1.8, fact]
  capacity 400 op/s
    400 op/s: nfs_ops_per_s of lance-ethernet [table network-interfaces, section
      1.1.2, Table 2, printed]
  limit 320 op/s, set by rule 1.1.1-interface-sustained
    = nfs ops per s × sustained share
    = 400 op/s × 0.8
      400 op/s: nfs_ops_per_s of lance-ethernet [table network-interfaces,
        section 1.1.2, Table 2, printed]
      0.8: rule 1.1.1-interface-sustained, sustained_share [section 1.1.1,
        printed]
"""


def _place(text: str, service: str, key: str) -> str:
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if line.strip() == f"name: {service}"
                 and lines[n - 1].strip() == "- kind: nfs")  # fmt: skip
    at = next(n for n in range(start, len(lines)) if lines[n].strip().startswith(f"{key}:"))
    return f"{at + 1}:{lines[at].index(':') + 3}"


def chosen_budgets(report: PlanReport, wanted: str = "") -> tuple[Budget, ...]:
    return choose(report, wanted)[0]


def test_a_network_is_unfolded_down_to_its_lines(reported: Reporter) -> None:
    text = CASES["case-1"].read_text(encoding="utf-8")
    expected = NETWORK.format(
        clients=_place(text, "administrative", "clients"),
        ops=_place(text, "administrative", "ops_per_s_each"),
    )
    assert explain_text(reported("case-1"), "network/administrative") == expected


def test_the_low_end_of_the_same_plan_is_unfolded_on_request(reported: Reporter) -> None:
    """4 or 5 of 12 workstations at once (1.1.8), 30 op/s each, of 450 op/s (Table 1)."""
    high = explain_text(reported("case-1"), "kernel_lock")
    low = explain_text(reported("case-1"), "kernel_lock", "low")
    assert low.startswith("Shares and formulas are at the low end of all ranges, verdicts at ")
    assert "\n    = 120 op/s × 1000 ms/s ÷ 450 op/s\n" in low
    assert "\n    = 150 op/s × 1000 ms/s ÷ 450 op/s\n" in high
    assert explain_text(reported("case-1"), "kernel_lock", "high") == high
    data = explain_data(reported("case-1"), "kernel_lock", "low")
    assert (data["size_for"], data["end"]) == ("high", "low")


def test_cells_of_one_column_are_called_after_their_rows(reported: Reporter) -> None:
    """Table 7 was measured on a machine of 22 MIPS; the planned one has another speed."""
    (database, *_) = explain_text(reported("case-4"), "processors").split("\n    = 1")
    flat = " ".join(database.split())
    assert "× mips of sun-4-490 ÷ mips of sparcserver-690mp" in flat
    assert "mips ÷ mips" not in " ".join(explain_text(reported("case-4")).split())


def test_a_named_figure_is_unfolded_once(reported: Reporter) -> None:
    text = explain_text(reported("case-1"), "kernel_lock")
    # What eNFS gathers and what joined disks add follow from the same operations.
    assert text.count("ecad: operations (traced above)") == 2
    assert text.count("= 12 clients × 5 clients ÷ 12 clients") == 1


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("kernel_lock", ["primary/kernel_lock"]),
        ("primary/kernel_lock", ["primary/kernel_lock"]),
        ("/memory/", ["primary/memory"]),
        ("network/pcs", ["primary/network/pcs"]),
        ("network", [f"primary/network/{n}" for n in ("administrative", "pcs", "technical")]),
    ],
)
def test_a_resource_goes_by_its_id_or_kind(
    reported: Reporter, wanted: str, found: list[str]
) -> None:
    assert [b.resource for b in chosen_budgets(reported("case-1"), wanted)] == found


def test_each_resource_goes_by_its_name_in_reports(reported: Reporter) -> None:
    report = reported("case-1")
    names = report.named["primary"]
    assert chosen_budgets(report)
    for budget in chosen_budgets(report):
        label = names.budget(budget)
        assert budget in chosen_budgets(report, label), label
        assert budget in chosen_budgets(report, label.upper())
    both = chosen_budgets(report, "1.3 GB disk #2")
    assert [budget.resource for budget in both] == [
        "primary/disk/1-3gb-scsi-2", "primary/space/1-3gb-scsi-2",
    ]  # fmt: skip


@pytest.mark.parametrize("case", ["case-1", "case-4", "case-7"])
def test_what_a_row_of_a_table_calls_several_parts_is_taken_too(
    reported: Reporter, case: str
) -> None:
    report = reported(case)
    names = report.named["primary"]
    of_model = [
        (b, (names.of(b.kind, b.name).partition(" #")[0],)) for b in chosen_budgets(report)
        if b.system == "primary"
    ]  # fmt: skip
    rows = [row for row in names.alike(of_model) if len(row[2]) > 1]
    assert rows
    for label, _, budgets in rows:
        assert set(budgets) <= set(chosen_budgets(report, label)), label
    disks = [b.name for b in chosen_budgets(reported("case-1"), "space, 1.3 GB disk #2 to #3")]
    assert disks == ["1-3gb-scsi-2", "1-3gb-scsi-3"]


def test_a_service_with_the_name_of_a_network_shows_what_it_uses_elsewhere_too(
    reported: Reporter,
) -> None:
    found = [budget.resource for budget in chosen_budgets(reported("case-1"), "pcs")]
    assert found[:2] == ["primary/network/pcs", "primary/data/pcs"]
    assert "primary/kernel_lock" in found and "primary/network/technical" not in found


def test_what_does_not_count_is_said_before_the_numbers(reported: Reporter) -> None:
    report = replace(reported("case-1"), not_counted=(Omission("pcs", "traffic", "traffic"),))
    assert explain_text(report).startswith("Not counted (the workload does not state it, so it")
    of_lock = explain_text(report, "kernel_lock")
    assert of_lock.startswith("Not counted (not stated): ") and "\nprimary/kernel_lock" in of_lock


def test_each_part_that_is_ordered_goes_by_its_name_to_the_resources_that_it_uses(
    reported: Reporter,
) -> None:
    report = reported("case-1")
    shown = report.plan.shown
    assert shown is not None
    for line in report.order:
        if line.table in ("boards", "disks", "removable-media"):
            assert chosen_budgets(report, line.name), line.name
    assert chosen_budgets(report, "SPARCstation-2") == shown.budgets
    found = {budget.resource for budget in chosen_budgets(report, "1.3 GB SCSI disk")}
    assert {f"primary/disk/1-3gb-scsi-{n}" for n in range(1, 5)} <= found
    board = chosen_budgets(report, "TRI/S (4- or 16Mb)")
    assert "primary/slots/sbus" in {budget.resource for budget in board}


def test_without_a_resource_all_are_explained(reported: Reporter) -> None:
    report = reported("case-1")
    assert report.plan.shown is not None
    assert chosen_budgets(report) == report.plan.shown.budgets
    text = explain_text(report)
    for budget in report.plan.shown.budgets:
        assert f"{budget.resource} (" in text


@pytest.mark.parametrize(
    ("wanted", "near"),
    [("kernel-lock", "kernel_lock"), ("networks", "network"), ("network/tecnical", "technical")],
)
def test_an_unknown_resource_is_answered_with_the_nearest(
    reported: Reporter, wanted: str, near: str
) -> None:
    with pytest.raises(InputError) as caught:
        chosen_budgets(reported("case-1"), wanted)
    (fault,) = caught.value.faults
    assert str(fault.place) == "case-1.yaml"
    assert fault.what == f"no resource, rule or part is called '{wanted}'"
    assert near in fault.hint


def test_parts_services_and_headings_of_findings_can_be_explained(reported: Reporter) -> None:
    report = reported("case-1")
    parts = {f.subject.rpartition("/")[2] for f in report.findings}
    for part in sorted(parts | {each.name for each in report.plan.demand.services}):
        assert any(choose(report, part))
    budgets, _ = choose(report, "ecad")
    assert {b.kind for b in budgets} >= {"kernel_lock", "nfs", "network", "disk"}
    assert all(any(item.owner == "ecad" for item in b.items) for b in budgets)
    (heading,) = (f for f in report.findings if (f.rule, f.subject) == ("VII", SCSI))
    for name in ("Rule VII on channel built-in SCSI", "vii on channel BUILT-IN scsi"):
        assert choose(report, name) == ((), (heading,))


SCSI = "primary/channel/builtin-1"


def test_the_nearest_miss_is_explained_where_nothing_holds(reported: Reporter) -> None:
    text = explain_text(reported("with-sound"), "nfs")
    first = " ".join(text.splitlines()[:2])
    assert first.startswith("No configuration meets every limit. Traced below: the closest alter")
    assert "limit 650 op/s, set by rule 1.1.1-sustained" in text
