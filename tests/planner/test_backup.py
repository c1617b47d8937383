"""The drives of a plan end a full backup in its window, or the plan is refused with the hours.

By hand: the 8mm drive saves 220 KB/s (2.4.2), so 6187.5 MB of 1024 KB take 28,800 s, which is 8 h.
An Ethernet passes 440 KB/s (Table 10), as much as two drives.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_workloads import ENGINE, planned, read
from guide.overlays import cell, overlay
from settled import settled
from sizewright.api import check, load_engine, plan, read_workload
from sizewright.box.reading import read_box
from sizewright.demand.usage import usage_of
from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.evaluate.system import Evaluation
from sizewright.load.backup import BackupRun, backup_on, saved_data
from sizewright.output.box_file import box_text
from sizewright.output.json.plan import plan_data
from sizewright.output.reports import PlanReport
from sizewright.planner.devices import backup_sets
from sizewright.planner.parts import Machine
from sizewright.planner.plan import Plan
from small import GUIDE, plain, row, volume

EIGHT_HOURS = 6187.5
STACKER = "8mm-tape-stacker"
DRIVE = "8mm-helical-scan-tape"


def saving(size_mb: float, wishes: tuple[str, ...] = (), **backup: Any) -> Plan:
    """A plan that saves one volume of a size."""
    return planned(workload(size_mb, wishes, **backup))


def workload(size_mb: float, wishes: tuple[str, ...] = (), **backup: Any) -> dict[str, Any]:
    media = {"removable_media": list(wishes)}
    return plain({}, volumes=[volume("files", size_mb)], wishes=media, backup=backup)


def run_of(found: Plan) -> BackupRun:
    """The backup of the system that a plan shows."""
    assert found.shown is not None
    run = backup_on(found.shown.load, found.shown.system, found.guide)
    assert run is not None
    return run


def chosen_of(found: Plan) -> Evaluation:
    """The system that a plan recommends."""
    assert found.chosen is not None
    return found.chosen


def data_mb(found: Plan) -> float:
    """The data of a full backup in MB."""
    size = run_of(found).data_mb
    assert size is not None
    return size.likely


def hours(found: Plan) -> float:
    """Hours of a full backup."""
    figure = run_of(found).full_hours
    assert figure is not None
    return figure.likely


@pytest.mark.parametrize(
    ("size_mb", "drives"), [(EIGHT_HOURS, 1), (6190, 2), (2 * EIGHT_HOURS, 2), (12400, 3)]
)
def test_a_window_has_as_many_drives_as_it_takes(size_mb: float, drives: int) -> None:
    found = saving(size_mb, window=8)
    assert run_of(found).drives == {DRIVE: drives}
    assert hours(found) == pytest.approx(size_mb / EIGHT_HOURS * 8 / drives)
    assert found.holds


def test_without_a_window_there_is_one_drive_and_the_report_states_the_hours() -> None:
    """20.6 GB at 220 KB/s: 26 hours and a half."""
    found = saving(20_600)
    assert run_of(found).drives == {DRIVE: 1}
    assert hours(found) == pytest.approx(20_600 * 1024 / 220 / 3600)
    assert not any(budget.kind == "backup" for budget in chosen_of(found).budgets)


def test_a_window_that_no_permitted_number_of_drives_keeps_is_refused_with_numbers() -> None:
    found = saving(3 * EIGHT_HOURS, window="8 h", tapes_at_most=2)
    assert found.chosen is None
    assert found.nearest is not None
    assert "A full backup takes 12 h; the window is 8 h" in [
        f.message for f in found.nearest.findings
    ]
    assert run_of(found).drives == {DRIVE: 2}
    assert saving(3 * EIGHT_HOURS, window="8 h", tapes_at_most=3).holds


def test_drives_that_are_wished_for_work_on_the_backup() -> None:
    found = saving(2 * EIGHT_HOURS, (DRIVE, DRIVE), window=8)
    assert run_of(found).drives == {DRIVE: 2}
    assert run_of(saving(3 * EIGHT_HOURS, (DRIVE,), window=8)).drives == {DRIVE: 3}
    assert run_of(saving(EIGHT_HOURS, (DRIVE, DRIVE))).drives == {DRIVE: 2}


@pytest.mark.parametrize(("wished", "tried"), [((), DRIVE), ((STACKER,), STACKER)])
def test_drives_of_other_vendors_are_tried_only_if_they_are_wished_for(
    wished: tuple[str, ...], tried: str
) -> None:
    """Case study 7 has a stacker because its customer asks for one (1.3.1.2)."""
    asked = saving(EIGHT_HOURS, wished, window=8).demand
    machine = Machine(GUIDE, row("platforms", "sparcserver-690mp"), 2, "solaris-1.0.1")
    sets = list(backup_sets(machine, asked, saved_data(usage_of(asked))))
    assert sets == [(tried,)]


def test_more_drives_wished_for_than_allowed_is_an_error_at_its_place() -> None:
    text = f"""\
name: files
networks: [{{name: north, medium: ethernet}}]
volumes: [{{name: files, size_mb: 100, access: random}}]
services: [{{kind: nfs, name: a, network: north, clients: 1, load: {{ops_per_s_each: 1}}}}]
wishes: {{removable_media: [{DRIVE}, {DRIVE}]}}
backup: {{tapes_at_most: 1}}
"""
    with pytest.raises(InputError) as caught:
        plan(read_workload(parse_document(text, "w.yaml")), ENGINE)
    assert caught.value.text() == (
        f"w.yaml:6:25: removable_media names 2 drives for backups: {DRIVE}, {DRIVE}\n"
        "  expected at least as many"
    )


def test_a_daily_backup_saves_its_share() -> None:
    run = run_of(saving(EIGHT_HOURS, window=8, incremental_percent=10))
    assert run.daily_hours is not None
    assert run.daily_hours.likely == pytest.approx(0.8)


def test_a_full_backup_fills_whole_tapes_of_what_the_workload_says_one_holds() -> None:
    """Of 2300 to 5000 MB each, 6000 MB fill two or three."""
    media = run_of(saving(6000, tape_mb=[2300, 5000])).media
    assert media is not None
    assert (media.low, media.high) == (2, 3)


def test_swap_is_not_saved_and_a_mirror_only_once() -> None:
    volumes = [
        volume("files", 1000, protection="mirror"), volume("swap", 500, use="swap"),
    ]  # fmt: skip
    assert data_mb(planned(plain({}, volumes=volumes, backup={}))) == 1000


def test_growth_counts_because_the_data_must_be_saved_then_too() -> None:
    """After two years of 100 MB more a year."""
    volumes = [volume("files", 800, growth_mb_per_year=100)]
    more = {"growth": {"percent": 0, "years": 2}, "backup": {}}
    assert data_mb(planned(plain({}, volumes=volumes, **more))) == 1000


@pytest.mark.parametrize(("drives", "rate"), [(1, 220), (2, 440), (4, 440)])
def test_over_a_network_the_slower_of_drives_and_network_counts(drives: int, rate: float) -> None:
    found = saving(EIGHT_HOURS, over="north", tapes_at_most=drives)
    run = run_of(found)
    assert run.kb_per_s is not None
    assert (run.drives, run.kb_per_s.likely) == ({DRIVE: drives}, rate)
    assert hours(found) == pytest.approx(8 * 220 / rate)
    assert not any(d.kind == "tape" for d in chosen_of(found).system.devices())
    assert found.holds


def test_over_a_network_the_window_is_kept_or_refused() -> None:
    over = {"over": "north", "tapes_at_most": 4, "window": 8}
    assert saving(2 * EIGHT_HOURS, **over).holds
    found = saving(2.5 * EIGHT_HOURS, **over)
    assert found.chosen is None
    assert hours(found) == pytest.approx(10)


def divided(**backup: Any) -> Plan:
    """A plan of one service, whose clients and data may be divided over systems."""
    service = {"name": "files", "uses": ["files"]}
    wanted = plain(service, volumes=[volume("files", 3 * EIGHT_HOURS)], backup=backup)
    return plan(read(wanted), ENGINE)


@pytest.mark.parametrize("where", [{}, {"over": "north"}])
def test_several_systems_have_no_more_drives_together_than_one_may(where: dict[str, str]) -> None:
    """Three drives are needed, and more than the network passes, however the data is divided."""
    assert divided(**where, window="8 h", tapes_at_most=3).holds is not bool(where)
    assert divided(**where, window="8 h", tapes_at_most=2).chosen is None


@pytest.mark.parametrize("busy", [False, True])
def test_over_a_network_in_use_the_data_loads_the_network(busy: bool) -> None:
    found = saving(1000, over="north", during_working_hours=busy)
    assert found.chosen is not None
    lines = found.chosen.load.data["north"] or ()
    assert [line.figure.likely for line in lines if line.owner == "backup"] == (
        [220] if busy else []
    )


def test_a_network_that_only_leads_to_tapes_is_attached() -> None:
    base = workload(1000, over="tapes")
    base["networks"] = [*base["networks"], {"name": "tapes", "medium": "ethernet"}]
    found = planned(base)
    assert found.chosen is not None
    assert {port.network for port in found.chosen.system.ports} == {"north", "tapes"}


def test_tapes_are_counted_if_a_tape_has_a_known_capacity(tmp_path: Path) -> None:
    """5 GB on tapes of 2300 MB: three."""
    site = overlay(tmp_path, "site", table=cell("removable-media", DRIVE, "capacity_mb", 2300))
    found = plan(read(workload(5000)), load_engine("sun-1992", (site,)))
    media = run_of(found).media
    assert media is not None
    assert media.likely == 3
    assert run_of(saving(5000)).media is None


def test_the_written_box_states_the_same_hours() -> None:
    found = saving(2 * EIGHT_HOURS, window=8, incremental_percent=20)
    report = PlanReport(found, "small", "", "small.yaml", "0" * 64)
    assert found.chosen is not None
    text = box_text(report, found.chosen)
    checked = check(read_box(parse_document(text, "box.yaml")), ENGINE).judged
    run = backup_on(checked.load, checked.system, ENGINE.guide)
    assert run is not None
    assert run.full_hours is not None
    assert run.daily_hours is not None
    assert (run.full_hours.likely, run.daily_hours.likely) == pytest.approx((8, 1.6))
    (budget,) = (b for b in checked.budgets if b.kind == "backup")
    assert budget.verdict == "holds"


def test_the_record_states_data_rate_hours_and_drives_with_their_sources() -> None:
    found = saving(EIGHT_HOURS, window=9, incremental_percent=10)
    (record,) = plan_data(PlanReport(found, "small", "", "small.yaml", "0" * 64))["backups"]
    assert record["drives"] == [{"model": DRIVE, "count": 1}]
    used = {name: record[name]["used"]["likely"] for name in ("data", "rate", "full", "daily")}
    assert used == {"data": EIGHT_HOURS, "rate": 220, "full": 8, "daily": pytest.approx(0.8)}
    assert record["media"] is None
    assert "removable-media/8mm-helical-scan-tape" in json.dumps(record["rate"]["sources"])


@given(
    size_mb=st.integers(1, 12_000), window=st.integers(1, 24),
    most=st.one_of(st.none(), st.integers(1, 4)),
)  # fmt: skip
@settled(40)
def test_a_plan_keeps_its_window_with_no_drive_too_many(
    size_mb: int, window: int, most: int | None
) -> None:
    needed = -(-size_mb * 1024 // (220 * 3600 * window))
    found = saving(size_mb, window=window, **({"tapes_at_most": most} if most else {}))
    if most is not None and needed > most:
        assert found.chosen is None
    else:
        assert run_of(found).drives == {DRIVE: needed}
        assert hours(found) <= window
