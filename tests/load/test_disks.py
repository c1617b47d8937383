"""What one disk delivers: Table 8 at random, the media rate and Table 7 in sequence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizewright.guide.model import Row
from sizewright.load.disk_work import DiskRate, disk_rate
from sizewright.load.model import Asked
from sizewright.quantity import Quantity, count
from small import GUIDE, governing_cell, three

DISKS = [
    row.id for row in GUIDE.table("disks")
    if row.cell("transfer_mb_per_s") and row.cell("maximum_random_ops_per_s")
]  # fmt: skip
KINDS = [
    (pattern, layer, operation)
    for pattern in ("random", "serial")
    for layer in ("file_system", "raw", "")
    for operation in ("read", "update", "write")
]


def block(kb: float) -> Quantity:
    return count(kb, "a block", "KB/op")


def asked(kb: float, layer: str, operation: str) -> Asked:
    return Asked("", count(1, "a rate", "op/s"), block(kb), layer, operation)


def rate(
    disk: str, pattern: str, kb: float, layer: str = "file_system", operation: str = "read"
) -> DiskRate:
    found = disk_rate(GUIDE.row("disks", disk), pattern, asked(kb, layer, operation), GUIDE)
    assert found is not None
    return found


def test_at_8_kb_the_random_rates_are_the_printed_cells() -> None:
    """Table 8, 424 MB: 12.7 ms, 78 a second, 50 at 65 %; not the 14.1 to 15.0 ms of its parts."""
    found = rate("424mb-scsi", "random", 8)
    assert (three(found.full), three(found.sustained)) == ((78, 78, 78), (50, 50, 50))
    assert governing_cell(found.full).where.startswith("disks/")


def test_a_larger_random_block_takes_its_own_transfer_longer() -> None:
    """424 MB, 64 KB: 12.7 ms and 56 KB at 2.2 to 3.0 MB/s (2252.8 to 3072 KB/s) more."""
    found = rate("424mb-scsi", "random", 64)
    assert found.full.low == pytest.approx(78 * 12.7 / (12.7 + 56 / 2.2528))
    assert found.full.high == pytest.approx(78 * 12.7 / (12.7 + 56 / 3.072))
    assert found.sustained.low == pytest.approx(50 * 12.7 / (12.7 + 56 / 2.2528))


def test_smaller_random_operations_are_not_more_a_second() -> None:
    """1.3.1.2 has 60 raw operations of 2 KB a drive; Table 7 measured 74 and 83, less than 92."""
    found = rate("1-3gb-ipi", "random", 2, "raw")
    assert (three(found.full), three(found.sustained)) == ((92, 92, 92), (60, 60, 60))


def test_in_sequence_a_disk_delivers_its_media_rate() -> None:
    """424 MB, 56 KB: 2252.8 to 3072 KB/s are 40.2 to 54.9 operations, 65 % of them sustained."""
    found = rate("424mb-scsi", "serial", 56)
    assert (found.full.low, found.full.high) == (
        pytest.approx(2252.8 / 56), pytest.approx(3072 / 56)
    )  # fmt: skip
    assert found.sustained.high == pytest.approx(0.65 * 3072 / 56)
    assert governing_cell(found.full).where.startswith("disks/")


@pytest.mark.parametrize(
    ("disk", "layer", "operation", "kb", "measured"),
    [
        ("1-3gb-ipi", "file_system", "read", 8, 368),
        ("1-3gb-ipi", "raw", "read", 2, 505),
        ("1-3gb-ipi", "raw", "write", 2, 85),
        ("1-3gb-scsi", "file_system", "write", 8, 259),
    ],
)
def test_what_was_measured_on_a_layer_bounds_its_serial_work(
    disk: str, layer: str, operation: str, kb: float, measured: float
) -> None:
    """Table 7: file systems at 8 KB, raw disks at 2 KB; the media rate allows more there."""
    found = rate(disk, "serial", kb, layer, operation)
    assert three(found.full) == (measured, measured, measured)
    assert governing_cell(found.full).where.startswith("disk-operation-costs/")


def test_below_the_measured_size_nothing_was_measured() -> None:
    """1.3 GB through the file system, 4 KB: 3072 to 4608 KB/s ÷ 4, not the 368 of 8 KB."""
    assert rate("1-3gb-ipi", "serial", 4).full.low == pytest.approx(768)


def test_large_blocks_are_bounded_by_the_media_rate_again() -> None:
    """1.3 GB raw, 64 KB: 3072 to 4608 KB/s ÷ 64 = 48 to 72, less than the 505 of 2 KB."""
    found = rate("1-3gb-ipi", "serial", 64, "raw")
    assert (found.full.low, found.full.high) == (pytest.approx(48), pytest.approx(72))
    assert governing_cell(found.full).where.startswith("disks/")


def test_the_911_mb_drive_delivers_530_serial_raw_reads() -> None:
    """1.2.9.2: about 530 of 8 KB; 6 MB/s would be 768."""
    found = rate("911mb-ipi", "serial", 8, "raw")
    assert three(found.full) == (530, 530, 530)
    assert found.sustained.high == pytest.approx(0.65 * 530)
    assert rate("911mb-ipi", "serial", 8, "file_system").full.high == pytest.approx(768)


def test_a_disk_without_printed_rates_is_not_known() -> None:
    blank = next(
        row for row in GUIDE.table("disks") if row.cell("maximum_random_ops_per_s") is None
    )
    assert disk_rate(blank, "random", asked(8, "raw", "read"), GUIDE) is None


@given(
    disk=st.sampled_from(DISKS), kind=st.sampled_from(KINDS),
    kb=st.floats(0.5, 1024), more=st.floats(1, 100),
)  # fmt: skip
def test_larger_blocks_never_raise_the_rate(
    disk: str, kind: tuple[str, str, str], kb: float, more: float
) -> None:
    pattern, layer, operation = kind
    small = rate(disk, pattern, kb, layer, operation)
    large = rate(disk, pattern, kb * more, layer, operation)
    for a, b in zip(small[:2], large[:2], strict=True):
        assert all(b.at(end) <= a.at(end) * (1 + 1e-9) for end in ("low", "likely", "high"))


@given(disk=st.sampled_from(DISKS), kind=st.sampled_from(KINDS), kb=st.floats(0.5, 1024))
def test_no_disk_delivers_more_than_its_media_rate(
    disk: str, kind: tuple[str, str, str], kb: float
) -> None:
    pattern, layer, operation = kind
    found = rate(disk, pattern, kb, layer, operation)
    media = GUIDE.row("disks", disk).require("transfer_mb_per_s").high * 1024
    assert found.full.high * kb <= media * (1 + 1e-9)
    assert found.sustained.high <= found.full.high


def faster(disk: Row, by: float) -> Row:
    """The same drive with every time shorter by a factor."""
    more = ("transfer_mb_per_s", "maximum_random_ops_per_s", "random_ops_per_s_at_65_percent")
    values = {}
    for name in more:
        value = disk.values[name]
        values[name] = [v * by for v in value] if isinstance(value, (list, tuple)) else value * by
    if time := disk.values.get("typical_8kb_transfer_ms"):
        values["typical_8kb_transfer_ms"] = time / by
    return disk.with_values(values)


@given(
    disk=st.sampled_from(DISKS), kind=st.sampled_from(KINDS), kb=st.floats(0.5, 1024),
    by=st.floats(1, 10),
)  # fmt: skip
def test_a_faster_drive_never_delivers_less(
    disk: str, kind: tuple[str, str, str], kb: float, by: float
) -> None:
    pattern, layer, operation = kind
    slow = rate(disk, pattern, kb, layer, operation)
    row = faster(GUIDE.row("disks", disk), by)
    fast = disk_rate(row, pattern, asked(kb, layer, operation), GUIDE)
    assert fast is not None
    for a, b in zip(slow[:2], fast[:2], strict=True):
        assert all(b.at(end) >= a.at(end) * (1 - 1e-9) for end in ("low", "likely", "high"))


def test_drives_with_the_same_mechanics_do_no_more_where_they_were_not_measured() -> None:
    """Table 7 has 505 raw reads and 85 raw writes of 2 KB a second, of the 1.3 GB drive on IPI."""
    for operation, most in (("read", 505), ("write", 85)):
        for disk in ("1-3gb-ipi", "1-3gb-scsi"):
            assert rate(disk, "serial", 2, "raw", operation).full.high == most


@pytest.mark.parametrize("disk", ["424mb-scsi", "1-0gb-ipi", "st83200k", "104mb-scsi"])
def test_no_drive_does_more_than_the_quickest_that_was_measured(disk: str) -> None:
    """A log of 2 KB writes is limited by the turns of the disk: 85 a second on the 1.3 GB drive."""
    assert rate(disk, "serial", 2, "raw", "write").full.high == 85


@pytest.mark.parametrize("disk", ["424mb-scsi", "1-3gb-scsi", "1-3gb-ipi"])
def test_a_random_operation_on_a_sequential_disk_moves_the_heads_there_and_back(disk: str) -> None:
    """As many random as sequential operations take the time that all would take at random."""
    row = GUIDE.row("disks", disk)
    random = disk_rate(row, "random", asked(8, "raw", "read"), GUIDE)
    one, other = (
        disk_rate(row, "serial", asked(8, "raw", "read")._replace(pattern=pattern), GUIDE)
        for pattern in ("random", "sequential")
    )
    assert random is not None and one is not None and other is not None
    both = 1 / one.full.likely + 1 / other.full.likely
    assert both == pytest.approx(2 / random.full.likely)
