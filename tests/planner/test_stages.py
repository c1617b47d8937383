"""The stages of a purchase are parts of the last one, each carries its load, and they add up to it.

By hand: the 1.3 GB disk takes 1170 MB of files, if 90 % of it may be full (1.2.4).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from math import log
from typing import Any

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from generated_workloads import ENGINE, fitting, planned, read, workloads
from settled import settled
from sizewright.api import check, report_plan, stages
from sizewright.box.reading import read_box
from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.load.backup import backup_on
from sizewright.output.bill_of_materials import StageOrder, bill_of_materials, stage_orders
from sizewright.output.box_file import box_text
from sizewright.output.json.plan import plan_data
from sizewright.output.plan import plan_text
from sizewright.output.reports import PlanReport
from sizewright.planner.stages import Stage, parts_of, stage_years
from small import plain, volume

GROWING = {"growth": {"percent": 0, "years": 3}}
DRIVE = "8mm-helical-scan-tape"


def staged(workload: dict[str, Any]) -> tuple[Stage, ...]:
    """The stages of a plan."""
    (found,) = stages(read(workload), ENGINE, planned(workload))
    return found


def disks(stage: Stage) -> Counter[str]:
    return Counter(disk.model for disk in stage.judged.system.disks())


def orders(found: tuple[Stage, ...]) -> tuple[StageOrder, ...]:
    return stage_orders(found, ENGINE.guide, found[-1].demand.size_for)


def growing(size_mb: float, more: float, **changes: Any) -> dict[str, Any]:
    files = volume("files", size_mb, growth_mb_per_year=more, **changes)
    return plain({}, volumes=[files], wishes={"platforms": ["sparcstation-2"]}, **GROWING)


def test_the_years_are_today_each_year_and_the_horizon() -> None:
    assert stage_years(3) == (0, 1, 2, 3)
    assert stage_years(2.5) == (0, 1, 2, 2.5)
    assert stage_years(0) == (0,)


def test_each_year_adds_the_disks_that_its_data_needs() -> None:
    """1100, 2200, 3300 and 4400 MB: one disk more each year."""
    found = staged(growing(1100, 1100))
    assert [disks(stage) for stage in found] == [{"1-3gb-scsi": n} for n in (1, 2, 3, 4)]
    added = [[(line.row, line.quantity) for line in each.lines] for each in orders(found)]
    assert added[2:] == [[("1-3gb-scsi", 1)], [("1-3gb-scsi", 1)]]


def test_a_new_disk_is_for_what_is_on_it() -> None:
    """1000 MB that do not grow stay on a disk of their own; 1100 more MB a year need one each."""
    workload = growing(1100, 1100)
    workload["volumes"].append(volume("archive", 1000, own_disks=True))
    today, *later = orders(staged(workload))
    purposes = [[line.purpose for line in each.lines if line.kind == "disk"] for each in later]
    assert purposes == [["files"]] * 3
    assert [line.purpose for line in today.lines if line.kind == "disk"] == ["archive, files"]


def test_no_stage_is_fuller_than_the_guide_advises_if_the_plan_is_not() -> None:
    """A disk of 1300 MB holds 1200 MB, 92 %; the guide advises at most 90 % (1.2.4)."""
    found = staged(growing(1200, 500))
    assert [disks(stage).total() for stage in found] == [2, 2, 2, 3]


def test_copies_of_a_mirror_grow_together() -> None:
    found = staged(growing(1100, 1100, protection="mirror"))
    assert [disks(stage).total() for stage in found] == [2, 4, 6, 8]


def test_each_stage_survives_what_the_plan_survives() -> None:
    """One copy must do all reads if a disk of the other fails: 29, 36, 45, 57, 71 op/s.

    A 424 MB disk sustains 50 op/s, so that each copy needs a second one for the load in year 3. At
    work the reads are spread over both copies, and two disks would do in all years.
    """
    reads = {"name": "reads", "volume": "rows", "ops_per_s": 29, "block_kb": 2}
    service = {"kind": "measured", "name": "rest", "user_processors": 0.1, "work": [reads]}
    found = staged(plain(
        {}, services=[service], volumes=[volume("rows", 100, use="raw")],
        availability={"survives": ["disk"]}, growth={"percent": 25, "years": 4},
        wishes={"platforms": ["sparcstation-2"], "system_elsewhere": True},
    ))  # fmt: skip
    models = {model for stage in found for model in disks(stage)}
    assert models == {"424mb-scsi"}
    assert [disks(stage).total() for stage in found] == [2, 2, 2, 4, 4]
    today, *_ = orders(found)
    assert today.until == pytest.approx(log(50 / 29) / log(1.25), abs=0.01)


def test_drives_for_backups_come_with_the_data() -> None:
    """6187.5 MB take one drive 8 hours (220 KB/s); 7000 MB need a second one."""
    workload = growing(4000, 1000) | {"backup": {"window": 8}}
    found = staged(workload)
    runs = [backup_on(s.judged.load, s.judged.system, ENGINE.guide) for s in found]
    assert [run and run.drives for run in runs] == [{DRIVE: n} for n in (1, 1, 1, 2)]


def test_a_drive_that_is_wished_for_is_bought_today() -> None:
    workload = growing(4000, 1000) | {"backup": {"window": 8}}
    workload["wishes"] = workload["wishes"] | {"removable_media": [DRIVE, DRIVE]}
    first, *_ = staged(workload)
    assert [d.model for d in first.judged.system.devices()].count(DRIVE) == 2


def test_a_stage_says_how_long_it_suffices() -> None:
    """1100 of 1300 MB, of which files may fill 95 %: room for 135 more, in 135 ÷ 1100 years."""
    first, *_ = orders(staged(growing(1100, 1100)))
    assert first.limit is not None
    assert first.limit.resource.startswith("primary/space/")
    assert first.limit.years is not None
    assert first.limit.years == pytest.approx((0.95 * 1300 - 1100) / 1100)


def test_slots_and_places_of_later_parts_stay_free() -> None:
    found = staged(growing(2000, 3000))
    final = found[-1].judged.system
    first = found[0].judged.system
    kept = {(bus, slot) for bus, slots in orders(found)[0].slots for slot in slots}
    taken = {(b.bus, slot) for b in first.boards for slot in b.slots}
    assert kept | taken == {(b.bus, slot) for b in final.boards for slot in b.slots}
    assert not kept & taken


@pytest.mark.parametrize("growth", [None, {"percent": 10}])
def test_without_years_of_growth_there_are_no_stages(growth: dict[str, Any] | None) -> None:
    workload = plain({}, **({"growth": growth} if growth else {}))
    with pytest.raises(InputError) as caught:
        staged(workload)
    assert caught.value.text() == (
        "--stages: the workload states no years of growth\n  expected growth with percent and years"
    )


def report_of(workload: dict[str, Any]) -> PlanReport:
    document = parse_document("name: small", "small.yaml")
    return report_plan(read(workload), document, ENGINE, in_stages=True)


def test_the_report_and_the_record_state_the_stages() -> None:
    report = report_of(growing(1100, 1100))
    lines = [" ".join(line.split()) for line in plan_text(report).splitlines()]
    assert "in 3 years 1 1.3 GB SCSI disk files" in lines
    records = plan_data(report)["stages"]
    assert [record["years"] for record in records] == [0, 1, 2, 3]
    assert [line["row"] for line in records[3]["order"]] == ["1-3gb-scsi"]


def test_the_report_says_by_when_the_parts_of_a_later_stage_are_needed() -> None:
    """1000 of 1300 MB are used today, and 500 more each year: 95 % are full after 0.47 years."""
    text = " ".join(plan_text(report_of(growing(1000, 500))).split())
    # Today has one disk, which needs no number.
    assert "are enough for 0.4 years; the first limit is space, 1.3 GB disk. They" in text
    # 90 % are full after 0.34 years, and the disk that is bought for the first year keeps that.
    assert "They keep the recommended limits that the whole plan keeps for 0.3 years" in text
    assert "Buy the parts for the load in 1 year after 0.3 years at the latest." in text


def test_parts_that_no_rule_asks_for_are_listed_without_a_reason() -> None:
    """A plan whose search stopped early may have more parts than rules ask for."""
    report = report_of(growing(100, 25))
    (first, *_) = report.stages[0]
    stages = (first, first._replace(stage=first.stage._replace(years=1.0, rules=())))
    text = " ".join(plan_text(replace(report, stages=(stages,))).split())
    assert "The parts for the load in 1 year are enough for" in text
    assert "The parts for the load in 1 year are for" not in text


@pytest.mark.parametrize(("more", "told"), [(25, "more than 10 years"), (120, "9.4 years")])
def test_no_year_is_named_beyond_ten_years_and_the_horizon(more: float, told: str) -> None:
    text = " ".join(plan_text(report_of(growing(100, more))).split())
    assert f"Today's parts are enough for {told}; the first limit is space" in text


def test_parts_that_only_advice_asks_for_name_its_rule() -> None:
    """0.7 × 1.25² = 1.09 processors outside of the kernel: two, and one for the kernel (1.2.8)."""
    session = {"kind": "timesharing", "name": "users", "sessions": 4, "user_processors": 0.7}
    workload = plain({}, wishes={"platforms": ["sparcserver-670mp"]},
                     growth={"percent": 25, "years": 2})  # fmt: skip
    report = report_of(workload | {"services": [*workload["services"], session]})
    text = " ".join(plan_text(report).split())
    assert "in 2 years 2 processors" in text
    assert "The parts for the load in 2 years are for rule 1.2.8-user-processors." in text
    rules = [record["rules"] for record in plan_data(report)["stages"]]
    assert rules == [[], [], ["1.2.8-user-processors"]]


def test_a_stage_says_for_how_long_its_parts_follow_the_rules_of_the_next() -> None:
    """0.7 × 1.25^t processors outside of the kernel are 1, with one for it 2, at t = 1.598 years.

    So long two processors follow rule 1.2.8-user-processors.
    """
    session = {"kind": "timesharing", "name": "users", "sessions": 4, "user_processors": 0.7}
    workload = plain({}, wishes={"platforms": ["sparcserver-670mp"]},
                     growth={"percent": 25, "years": 2})  # fmt: skip
    report = report_of(workload | {"services": [*workload["services"], session]})
    *_, last = plan_data(report)["stages"]
    assert last["rules_kept_years"] == pytest.approx(log(1 / 0.7) / log(1.25), abs=0.01)
    text = " ".join(plan_text(report).split())
    rule = "rule 1.2.8-user-processors"
    assert f"for the load in 2 years are for {rule}. Today's parts follow it for 1.5 years." in text


def test_the_written_box_is_that_of_today_and_passes() -> None:
    today = report_of(growing(1100, 1100)).today
    assert today.plan.chosen is not None
    box = read_box(parse_document(box_text(today, today.plan.chosen), "box.yaml"))
    found = check(box, ENGINE)
    assert found.holds
    assert len(found.judged.system.disks()) == 1


def test_a_check_of_the_parts_of_today_tells_from_when_they_no_longer_suffice() -> None:
    """The load of today comes with the growth that was stated: 20 % a year for two years."""
    workload = plain({}, growth={"percent": 20, "years": 2})
    report = report_of(workload)
    assert report.today.plan.chosen is not None
    written = box_text(report.today, report.today.plan.chosen)
    assert yaml.safe_load(written)["growth"] == {"percent": 20}
    first = check(read_box(parse_document(written, "box.yaml")), ENGINE).headroom[0]
    limit = report.stages[0][0].limit
    assert limit is not None and limit.years is not None and first.years is not None
    assert (first.resource, first.years) == (limit.resource, pytest.approx(limit.years, rel=1e-6))


def test_a_check_of_the_parts_of_today_tells_from_when_growing_data_no_longer_fit() -> None:
    """1000 of 1300 MB are used today, and 500 more each year: 95 % are full after 0.47 years."""
    report = report_of(growing(1000, 500))
    assert report.today.plan.chosen is not None
    written = box_text(report.today, report.today.plan.chosen)
    first = check(read_box(parse_document(written, "box.yaml")), ENGINE).data_growth[0]
    limit = report.stages[0][0].limit
    assert limit is not None and first.years == pytest.approx((0.95 * 1300 - 1000) / 500)
    assert (first.resource, first.years) == (limit.resource, pytest.approx(limit.years, rel=1e-6))


def test_a_plan_without_stages_has_grown_already_and_its_file_states_no_growth() -> None:
    workload = plain({}, growth={"percent": 20, "years": 2})
    report = report_plan(read(workload), parse_document("name: small", "small.yaml"), ENGINE)
    assert report.plan.chosen is not None
    assert "growth" not in yaml.safe_load(box_text(report, report.plan.chosen))


def broken(stage: Stage) -> set[str]:
    return {
        finding.rule for finding in stage.judged.findings
        if finding.verdict == "violated" and finding.severity == "violation"
    }  # fmt: skip


@settled(20)
@given(workloads(), st.integers(0, 40), st.integers(1, 3))
def test_stages_are_parts_of_the_plan_carry_their_load_and_add_up_to_it(
    workload: dict[str, Any], percent: int, years: int
) -> None:
    workload["growth"] = {"percent": percent, "years": years}
    for each in workload.get("volumes", ()):
        each["growth_mb_per_year"] = each["size_mb"] if isinstance(each["size_mb"], int) else 50
    plan = fitting(workload)
    assume(plan.group is None)
    assert plan.chosen is not None
    (found,) = stages(read(workload), ENGINE, plan)
    assert [stage.years for stage in found] == list(range(years + 1))
    assert found[-1].judged == plan.chosen
    for before, after in pairwise(found):
        assert parts_of(before.judged.system) <= parts_of(after.judged.system)
        assert not broken(before)
    whole = Counter({
        (line.table, line.row): line.quantity
        for line in bill_of_materials(ENGINE.guide, plan.demand, plan.chosen.system)
    })  # fmt: skip
    added: Counter[tuple[str, str]] = Counter()
    for order in orders(found):
        added.update({(line.table, line.row): line.quantity for line in order.lines})
    assert added == whole
    assert sum(order.memory_mb for order in orders(found)) == plan.chosen.system.memory_mb
    assert sum(order.processors for order in orders(found)) == plan.chosen.system.processors
