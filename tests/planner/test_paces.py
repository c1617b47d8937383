"""How many disks work in runs keeps busy, and how many it must to end in time, by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_workloads import ENGINE
from serving import demanded, measured
from settled import settled
from sizewright.demand.model import Operations
from sizewright.planner.paces import Paces
from sizewright.planner.parts import Machine
from sizewright.planner.policy import FREE, Policy
from sizewright.planner.storage import Store
from small import GUIDE, row, system

BOOK = ENGINE.book.judging("plan")
SERIAL = 530  # raw reads of 8 KB a second of the 911 MB drive (Table 8)
DISK = row("disks", "911mb-ipi")
SKETCH = system(platform="sparcserver-690mp", processors=2)


def paces(most: int = 9, platform: str = "sparcserver-690mp", **policy: Any) -> Paces:
    machine = Machine(GUIDE, row("platforms", platform), 2, "solaris-1.0.1")
    return Paces(machine, BOOK, Policy(**policy), {}, most)


def runs(network: str = "", **work: Any) -> Operations:
    """Serial runs of as many reads as one drive makes in a minute, if nothing else is said."""
    item = {"volume": "scans", "ops": 60 * SERIAL, "as_fast_as_disks": True, "ops_per_s": None}
    service = {**measured(**item | work), **({"network": network} if network else {})}
    networks = [{"name": "north", "medium": "ethernet"}]
    (found,) = demanded(service, networks=networks).operations
    return found


def fewest(operations: Operations, most: int = 9, **policy: Any) -> int | None:
    return paces(most, **policy).fewest(operations, DISK, SKETCH)


@pytest.mark.parametrize(("within_s", "disks"), [(61, 1), (60, 1), (59, 2), (30, 2), (29, 3)])
def test_a_run_that_is_to_end_sooner_keeps_more_disks_busy(within_s: float, disks: int) -> None:
    """1.2.9.2: one drive makes 530 reads a second."""
    assert fewest(runs(within_s=within_s)) == disks


def test_no_number_of_disks_ends_a_run_that_more_would_have_to() -> None:
    assert fewest(runs(within_s=20), most=3) == 3
    assert fewest(runs(within_s=20), most=2) is None
    assert fewest(runs(within_s=20), most=0) is None


def test_work_that_nobody_waits_for_keeps_one_disk_busy() -> None:
    assert fewest(runs()) == 1


def test_without_the_rule_no_run_is_late() -> None:
    assert fewest(runs(within_s=20), waived={"1.2.9.2-completion": "so agreed"}) == 1


def test_the_larger_end_of_a_run_counts_where_plans_are_for_it() -> None:
    work = runs(ops=[60 * SERIAL, 120 * SERIAL], within_s=60)
    assert [fewest(work, size_for=end) for end in ("low", "high")] == [1, 2]


def test_a_network_that_holds_back_results_is_no_matter() -> None:
    """It may yet be exchanged; in time with so many disks is a run only as fast as it passes."""
    held = runs("north", within_s=30, returns_mb=1000)
    found = paces()
    assert found.fewest(held, DISK, SKETCH) == 2
    assert not found.in_time(held, DISK, 9, SKETCH)


@settled(60)
@given(ops=st.integers(1, 40_000), within_s=st.integers(1, 60), most=st.integers(0, 6))
def test_it_is_the_least_number_that_ends_in_time(ops: int, within_s: int, most: int) -> None:
    work, found = runs(ops=ops, within_s=within_s), paces(most)
    late = [ops / (n * SERIAL) > within_s for n in range(1, most + 1)]
    number = found.fewest(work, DISK, SKETCH)
    assert number == (late.index(False) + 1 if False in late else None)
    assert [not found.in_time(work, DISK, n + 1, SKETCH) for n in range(most)] == late


def store(per_copy: int, copies: int = 1) -> Store:
    return Store("scans", DISK.id, per_copy, copies, 0, "", FREE)


@pytest.mark.parametrize(
    ("work", "per_copy", "width", "busy"),
    [
        # One disk of a string in sequence, three at random (2.4.3).
        ({}, 5, 1, 1), ({}, 5, 2, 2), ({}, 5, 5, 5),
        ({"volume": "tables"}, 5, 1, 3), ({"volume": "tables"}, 5, 2, 5),
        ({"volume": "tables"}, 7, 2, 6), ({"volume": "tables"}, 7, 3, 7),
        # No more than there are runs.
        ({"by": 1}, 5, 5, 1), ({"by": 2}, 5, 5, 2),
    ],
)  # fmt: skip
def test_each_channel_keeps_some_disks_at_work(
    work: dict[str, Any], per_copy: int, width: int, busy: int
) -> None:
    assert paces().at_work(runs(**work), store(per_copy), width, DISK, SKETCH) == (busy,)


def test_what_is_written_keeps_one_copy_at_work() -> None:
    writes = runs(operation="write")
    assert paces().at_work(writes, store(2, copies=2), 2, DISK, SKETCH) == (2, 2)
    assert paces().at_work(runs(), store(2), 2, DISK, SKETCH) == (2,)


def test_copies_that_may_meet_on_channels_are_told_apart_and_together() -> None:
    """A channel keeps one disk at work in a serial run, whichever copy it belongs to."""
    assert paces().at_work(runs(), store(2, copies=2), 2, DISK, SKETCH) == (4, 2)


def test_every_kind_of_channel_that_the_machine_can_have_is_told() -> None:
    """Of the kinds that take the disk; the machine has one of them."""
    disk = row("disks", "1-3gb-scsi")
    small = Store("tables", disk.id, 4, 1, 0, "", FREE)
    found = paces(platform="sparcstation-2").at_work(runs(volume="tables"), small, 1, disk, SKETCH)
    assert found == (2,)
