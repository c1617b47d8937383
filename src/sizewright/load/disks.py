"""Disks: how many operations one delivers, and the pattern in which it is used."""

from __future__ import annotations

from typing import NamedTuple

from sizewright.configuration.model import System
from sizewright.demand.usage import UsageProfile, VolumeUse
from sizewright.guide.model import Guide, Row
from sizewright.quantity import Quantity, as_quantity, largest, smallest
from sizewright.units import PURE

RANDOM, SEQUENTIAL = "random", "sequential"
PATTERNS = {"random": RANDOM, "serial": SEQUENTIAL, "sequential": SEQUENTIAL}


class DiskRate(NamedTuple):
    """Operations a second of one disk: at `full` utilisation, and `sustained` at the advised one.

    `basis` is the row of the table that governs. Where a guide advises no utilisation, a disk
    sustains what it can do in full.
    """

    full: Quantity
    sustained: Quantity
    basis: Row


def disk_rate(
    disk: Row, pattern: str, layer: str, operation: str, block_kb: Quantity, guide: Guide
) -> DiskRate | None:
    """What a disk delivers of operations of so many KB each; None where its rate is not printed.

    `pattern` is random, or serial (sequential). `layer` is file_system, raw, or empty where that
    is not known.
    """
    if PATTERNS[pattern] == RANDOM:
        return _random(disk, block_kb)
    return _serial(disk, layer, operation, block_kb, guide)


def media_kb_per_s(disk: Row) -> Quantity | None:
    """The most that passes between platter and head, in KB/s."""
    rate = disk.find("transfer_mb_per_s")
    return None if rate is None else rate.to("KB/s")


def _random(disk: Row, block_kb: Quantity) -> DiskRate | None:
    """The printed rates, by the ratio of the printed time to that of an operation of this size."""
    full = disk.find("maximum_random_ops_per_s")
    if full is None:
        return None
    sustained = disk.find("random_ops_per_s_at_65_percent")
    slower = _slower(disk, full, block_kb)
    if slower is not None:
        full = full / slower
        sustained = None if sustained is None else sustained / slower
    return DiskRate(full, full if sustained is None else sustained, disk)


def _slower(disk: Row, full: Quantity, block_kb: Quantity) -> Quantity | None:
    """By what an operation of this size takes longer than the printed one; None where it does not.

    Its time is the printed one − printed size ÷ media rate + its own size ÷ media rate, the media
    rate being the same in both places, and never less than the transfer alone.
    """
    printed_kb, media = disk.find("random_block_kb"), media_kb_per_s(disk)
    if printed_kb is None or media is None or _same(printed_kb, block_kb):
        return None
    printed = disk.find("typical_8kb_transfer_ms")
    printed_s = as_quantity(1) / full if printed is None else printed.to("s") / as_quantity(1, "op")
    more = (block_kb - printed_kb) / media
    return largest(as_quantity(1) + more / printed_s, block_kb / media / printed_s)


def _same(one: Quantity, other: Quantity) -> bool:
    return (one.low, one.high) == (other.low, other.high)


def _serial(
    disk: Row, layer: str, operation: str, block_kb: Quantity, guide: Guide
) -> DiskRate | None:
    """The media rate over the size, and no more than was measured with blocks no larger."""
    media = media_kb_per_s(disk)
    if media is None:
        return None
    full, basis = media / block_kb, disk
    for row, measured, at_kb in _measured(disk, layer, operation, guide):
        if block_kb.low >= at_kb.high:
            if measured.likely < full.likely:
                basis = row
            full = smallest(full, measured)
    share = disk.find("sustained_percent")
    return DiskRate(full, full if share is None else full * share.to(PURE), basis)


def _measured(
    disk: Row, layer: str, operation: str, guide: Guide
) -> tuple[tuple[Row, Quantity, Quantity], ...]:
    """Serial rates measured on the very disk: the row, op/s, and KB an operation."""
    printed_kb = disk.find("random_block_kb")
    prose = disk.find("sequential_raw_8kb_reads_per_s")
    found = []
    if (layer, operation) == ("raw", "read") and prose is not None and printed_kb is not None:
        found.append((disk, prose, printed_kb))
    rows = guide.table("disk-operation-costs").by("layer", "pattern", "operation")
    for row in rows.get((layer, SEQUENTIAL, operation), ()):
        measured, at_kb = row.find("rate_ops_per_s"), row.find("block_kb")
        if row.text("disk") == disk.id and measured is not None and at_kb is not None:
            found.append((row, measured, at_kb))
    return tuple(found)


class DiskPattern(NamedTuple):
    """The access pattern that a disk sees, empty where nothing lies on it; None is unknown."""

    hot: bool | None
    access: str | None


def pattern_of(usage: UsageProfile, system: System, disk: str) -> DiskPattern:
    """The use of a disk: as stated of the disk itself, else as of the volumes on it.

    A volume of which nobody said where it lies may lie on it too; what is certain all the same
    stands.
    """
    stated = usage.disks.get(disk)
    if stated is not None and (stated.access is not None or stated.hot is not None):
        return _alone(stated)
    if "volumes" in system.unstated:
        return DiskPattern(None, None)
    here, perhaps = [], []
    for volume in system.volumes:
        use = usage.volumes.get(volume.name)
        if not volume.copies:
            perhaps.append(_alone(use or VolumeUse()))
        elif use and volume.lies_on(disk):
            here.append(_alone(use))
    hot = _hot(here, perhaps)
    return DiskPattern(hot, _access(here, perhaps, hot))


def _hot(here: list[DiskPattern], perhaps: list[DiskPattern]) -> bool | None:
    if any(each.hot for each in here):
        return True
    return False if all(each.hot is False for each in (*here, *perhaps)) else None


def _access(here: list[DiskPattern], perhaps: list[DiskPattern], hot: bool | None) -> str | None:
    """The pattern of the hot data, or of all where none is hot; random where both are met."""
    counting = [each for each in here if each.hot is hot and hot is not None]
    if any(each.access == "random" for each in counting):
        return "random"
    possible = [each for each in (*here, *perhaps) if not hot or each.hot is not False]
    if not possible:
        return ""
    kinds = {each.access for each in possible}
    return possible[0].access if here and len(kinds) == 1 else None


def _alone(use: VolumeUse) -> DiskPattern:
    """Whoever states an access pattern and no activity speaks of data in use."""
    hot = use.access is not None if use.hot is None and use.access is not None else use.hot
    return DiskPattern(hot, use.access)
