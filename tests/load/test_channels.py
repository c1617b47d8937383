"""Active disks of a channel by Rules VII and IX, and the time that its bus is held (2.4.2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st

from sizewright.guide.model import Row, Table
from sizewright.load.channels import (
    Attached,
    active_disks,
    active_part,
    bus_time,
    streaming_part,
)
from sizewright.load.model import Asked, Share
from sizewright.quantity import Quantity, as_quantity
from small import GUIDE, given, row

SCSI, IPI = row("disk-busses", "scsi-synchronous"), row("disk-busses", "ipi-2")
KB = 1024


def asked(rate: float, kb: float = 8, operation: str = "read", layer: str = "file_system") -> Asked:
    return Asked("service", given(rate, unit="op/s"), given(kb, unit="KB/op"), layer, operation)


def active(model: str, access: str | None, *kinds: Asked) -> Quantity:
    found = active_part(row("disks", model), access, kinds, (), GUIDE)
    assert found is not None
    return found


def hung(access: str | None, number: float = 0, reads: float = 0, others: float = 0) -> Attached:
    kb = given(reads, unit="KB/s"), given(others, unit="KB/s")
    return Attached("disk", access, as_quantity(number, "disk"), *kb, disk=True)


def tape(kb: float) -> Attached:
    return Attached("tape", "", None, given(0, unit="KB/s"), given(kb, unit="KB/s"), True)


def part(share: Share) -> tuple[float, float]:
    used, limit = share.used, share.limit
    assert used is not None
    assert limit is not None
    return (used / limit).low, (used / limit).high


def test_a_random_disk_counts_by_its_demand_over_its_65_percent_rate() -> None:
    """Table 8: 60 a second of the 1.3 GB drive; 45 are three quarters of an active disk."""
    assert active("1-3gb-ipi", "random", asked(45)).high == pytest.approx(0.75)


def test_a_serial_disk_counts_by_its_kilobytes_over_what_it_sustains() -> None:
    """424 MB: 1680 KB/s of 65 % of 2252.8 to 3072 KB/s."""
    found = active("424mb-scsi", "serial", asked(30, 56))
    assert found.high == pytest.approx(1680 / (0.65 * 2252.8))
    assert found.low == pytest.approx(1680 / (0.65 * 3072))


def test_a_disk_of_unknown_pattern_counts_as_either() -> None:
    """911 MB, 45 raw reads of 8 KB: one disk at random, 45 ÷ (0.65 × 530) of one serially."""
    found = active("911mb-ipi", None, asked(45, layer="raw"))
    assert (found.low, found.likely, found.high) == (
        pytest.approx(45 / (0.65 * 530)), pytest.approx(1), pytest.approx(1)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("channel", "random", "serial", "used"),
    [
        (SCSI, (1, 1), (), 1), (SCSI, (), (1, 1, 1, 1), 1), (SCSI, (1,), (1, 1), 1),
        (SCSI, (0.5, 0.5, 0.5, 0.5), (), 1), (SCSI, (1, 1, 1), (), 1.5),
        (IPI, (1, 1, 1), (), 1), (IPI, (), (1,), 1), (IPI, (1,), (1,), 4 / 3),
        (IPI, (), (1, 1), 2),
    ],
)  # fmt: skip
def test_two_random_or_four_serial_on_scsi_three_or_one_on_a_string(
    channel: Row, random: tuple[float, ...], serial: tuple[float, ...], used: float
) -> None:
    disks = [hung("random", n) for n in random] + [hung("serial", n) for n in serial]
    found = active_disks(channel, disks)
    assert part(found)[1] == pytest.approx(used)


def log(kind: str, rate: float, kb: float, operation: str = "write") -> Attached:
    """A raw serial disk of the 1.3 GB IPI drive: 40 writes are 0.724 of its 0.65 × 85 (Table 7)."""
    of = asked(rate, kb, operation, "raw")
    active_ = active_part(row("disks", kind), "serial", [of], (), GUIDE)
    streaming = streaming_part(row("disks", kind), "serial", [of], (), GUIDE)
    nothing = given(0, unit="KB/s")
    return Attached("log", "serial", active_, nothing, of.kb_per_s, False, True, streaming)


def test_a_log_on_a_string_counts_as_the_one_disk_that_it_keeps_busy() -> None:
    """1.1.4: serial disks saturate a string if they transfer large quantities of data.

    40 raw writes of 2 KB are 40 ÷ (0.65 × 85) = 0.724 of a disk, and 80 KB/s are 4 % or less of
    what it sustains of serial reads, so 0.12 of three random disks at most.
    """
    found = active_disks(IPI, [log("1-3gb-ipi", 40, 2), hung("random", 0.8), hung("random", 0.8)])
    assert part(found)[1] == pytest.approx((40 / (0.65 * 85) + 1.6) / 3)


def test_logs_alone_on_a_string_count_as_beside_random_disks() -> None:
    """Two logs of 80 KB/s are no large quantities of data (1.1.4): 1.45 of 3 disks, not of 1.

    A third of what one keeps busy is more than the 4 % of serial reads that it transfers.
    """
    logs = [log("1-3gb-ipi", 40, 2), log("1-3gb-ipi", 40, 2)]
    alone = active_disks(IPI, logs)
    assert part(alone)[1] == pytest.approx(2 * 40 / (0.65 * 85) / 3)
    assert part(alone) == pytest.approx(part(active_disks(IPI, [*logs, hung("random", 0)])))


def test_a_serial_reader_on_a_string_counts_as_three_random_disks() -> None:
    """911 MB: 530 raw reads of 8 KB; Rule IX has one such disk on a controller."""
    found = active_disks(IPI, [log("911mb-ipi", 0.65 * 530, 8, "read"), hung("random", 0)])
    assert part(found)[1] == pytest.approx(1)


def test_the_formula_of_2_4_2_gives_two_random_disks() -> None:
    """0.20 × 5120 ÷ (8 × 60) = 2.13 disks: at 60 operations of 8 KB each, they fill the budget."""
    disks = 0.20 * 5 * KB / (8 * 60)
    assert disks == pytest.approx(2.13, abs=0.005)
    found = bus_time(SCSI, [hung("random", others=disks * 8 * 60)], GUIDE)
    assert part(found)[0] == pytest.approx(1)


def test_an_asynchronous_device_holds_the_bus_at_1_2_mb_a_second() -> None:
    """2.4.2: 220 KB/s are 18 % (220 ÷ 1228.8); a tape of 1 MB/s is 83 %, where 87 % is printed."""
    for kb, share in ((220, 0.179), (KB, 1 / 1.2)):
        found = bus_time(SCSI, [tape(kb)], GUIDE)
        assert part(found)[1] == pytest.approx(share, abs=0.0005)


def test_a_tape_beside_busy_disks_is_held_to_a_fifth() -> None:
    """179 ms/s of the 200 that are left to the disks and the tape together."""
    found = bus_time(SCSI, [tape(220), hung("random", others=100)], GUIDE)
    assert part(found)[1] == pytest.approx((220 / 1228.8 + 100 / (4.1 * KB)) / 0.20)


def test_a_synchronous_disk_holds_the_bus_by_the_speed_of_the_bus() -> None:
    """1000 KB/s of serial reads: 1000 ÷ 4.1 to 5.0 MB/s of the 65 %, whatever its media rate."""
    found = bus_time(SCSI, [hung("serial", reads=1000)], GUIDE)
    assert part(found) == (
        pytest.approx(1000 / (5 * KB) / 0.65), pytest.approx(1000 / (4.1 * KB) / 0.65)
    )  # fmt: skip


def test_serial_reads_and_all_else_share_a_bus_by_their_limits() -> None:
    """serial reads ÷ 65 % + all else ÷ 20 % ≤ 1."""
    found = bus_time(SCSI, [hung("serial", reads=1000, others=50), hung("random", others=200)],
                     GUIDE)  # fmt: skip
    bus = 4.1 * KB
    assert part(found)[1] == pytest.approx(1000 / bus / 0.65 + 250 / bus / 0.20)


def test_an_unknown_pattern_gives_no_more_than_65_percent() -> None:
    """Between 1000 ÷ 5 MB/s of 65 % and 1000 ÷ 4.1 MB/s of 20 %."""
    found = bus_time(SCSI, [hung(None, reads=1000)], GUIDE)
    assert part(found) == (
        pytest.approx(1000 / (5 * KB) / 0.65), pytest.approx(1000 / (4.1 * KB) / 0.20)
    )  # fmt: skip
    # The time itself is known: 1000 KB/s ÷ 4.1 to 5.0 MB/s; only its limit is not.
    assert found.used is not None
    assert (found.used.low, found.used.high) == pytest.approx((1e6 / 5 / KB, 1e6 / 4.1 / KB))


def test_an_idle_device_takes_no_time_even_if_its_speed_is_unknown() -> None:
    """Else a drive for backups at night hides that the disks beside it hold the bus too long."""

    def channel(name: str, **changed: Any) -> Row:
        return Row(SCSI.table, SCSI.columns, name, {**SCSI.values, **changed}, SCSI.mark, {})

    slow = channel("slow", asynchronous_bus="unrated")
    unrated = channel("unrated", rate_mb_per_s=None)
    busses = GUIDE.table("disk-busses")
    rows = {**busses.rows, "unrated": unrated}
    table = Table(busses.name, busses.title, busses.columns, rows)
    guide = GUIDE._replace(tables={**GUIDE.tables, "disk-busses": table})
    disks = [hung("random", others=1000)]
    assert part(bus_time(slow, [*disks, tape(0)], guide)) == part(bus_time(slow, disks, guide))
    assert bus_time(slow, [*disks, tape(1)], guide) == Share()


def test_a_string_has_no_share_of_time() -> None:
    assert bus_time(IPI, [hung("random", others=100)], GUIDE) == Share()


attached = st.lists(
    st.builds(
        hung, st.sampled_from(["random", "serial"]), st.floats(0, 3), st.floats(0, 5000),
        st.floats(0, 5000),
    ), max_size=4,
)  # fmt: skip


@hypothesis_given(disks=attached, more=attached)
def test_a_further_device_never_lowers_what_is_taken(
    disks: list[Attached], more: list[Attached]
) -> None:
    for of in (lambda d: active_disks(SCSI, d), lambda d: bus_time(SCSI, d, GUIDE)):
        assert part(of(disks + more))[1] >= part(of(disks))[1] * (1 - 1e-9)
