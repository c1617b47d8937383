"""Disks: how many operations one delivers, and the pattern in which it is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sizewright.configuration.model import System
from sizewright.demand.model import RANDOM, RAW, READ, SEQUENTIAL
from sizewright.demand.usage import UsageProfile, VolumeUse
from sizewright.guide.model import Guide, Row
from sizewright.load.model import DiskPattern
from sizewright.quantity import Quantity, as_quantity, largest, smallest
from sizewright.units import PURE


class DiskRate(NamedTuple):
    """Operations a second of one disk: at `full` utilisation, and `sustained` at the advised one.

    If a guide advises no utilisation, both are the same.
    """

    full: Quantity
    sustained: Quantity


def disk_rate(
    disk: Row, pattern: str, layer: str, operation: str, block_kb: Quantity, guide: Guide
) -> DiskRate | None:
    """Return what a disk delivers of operations of this size; None if no rate is printed.

    `pattern` is random, or serial (sequential). `layer` is file_system, raw, or empty if it is not
    known.
    """
    if pattern == RANDOM:
        return _random(disk, block_kb)
    return _serial(disk, layer, operation, block_kb, guide)


def _media_kb_per_s(disk: Row) -> Quantity | None:
    """Return the rate between platter and head in KB/s."""
    rate = disk.find("transfer_mb_per_s")
    return None if rate is None else rate.to("KB/s")


def _random(disk: Row, block_kb: Quantity) -> DiskRate | None:
    """Return the printed rates × the printed time ÷ the time of an operation of this size."""
    full = disk.find("maximum_random_ops_per_s")
    if full is None:
        return None
    sustained = disk.find("random_ops_per_s_at_65_percent")
    slower = _slower(disk, full, block_kb)
    if slower is not None:
        full = full / slower
        sustained = None if sustained is None else sustained / slower
    return DiskRate(full, full if sustained is None else sustained)


def _slower(disk: Row, full: Quantity, block_kb: Quantity) -> Quantity | None:
    """Return the time of an operation of this size ÷ the printed time; None if the sizes are equal.

    Its time is the printed one − printed size ÷ media rate + its own size ÷ media rate, with the
    same media rate in both places, and at least that of the transfer.
    """
    printed_kb, media = disk.find("random_block_kb"), _media_kb_per_s(disk)
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
    """Return media rate ÷ size, at most what was measured with blocks of this size or smaller."""
    media = _media_kb_per_s(disk)
    if media is None:
        return None
    full = media / block_kb
    for measured, at_kb in _measured(disk, layer, operation, guide):
        if block_kb.low >= at_kb.high:
            full = smallest(full, measured)
    share = disk.find("sustained_percent")
    return DiskRate(full, full if share is None else full * share.to(PURE))


def _measured(
    disk: Row, layer: str, operation: str, guide: Guide
) -> tuple[tuple[Quantity, Quantity], ...]:
    """Return the serial rates measured on this disk: op/s, and KB an operation."""
    printed_kb = disk.find("random_block_kb")
    prose = disk.find("sequential_raw_8kb_reads_per_s")
    found = []
    if (layer, operation) == (RAW, READ) and prose is not None and printed_kb is not None:
        found.append((prose, printed_kb))
    rows = guide.table("disk-operation-costs").by("layer", "pattern", "operation")
    for row in rows.get((layer, SEQUENTIAL, operation), ()):
        measured, at_kb = row.find("rate_ops_per_s"), row.find("block_kb")
        if row.text("disk") == disk.id and measured is not None and at_kb is not None:
            found.append((measured, at_kb))
    return tuple(found)


def disk_patterns(usage: UsageProfile, system: System) -> Mapping[str, DiskPattern]:
    """Return the use of each disk: as stated of the disk itself, else as of the volumes on it.

    A volume whose disks are not stated may be on any disk.
    """
    here: dict[str, list[DiskPattern]] = {disk.id: [] for disk in system.disks()}
    anywhere = []
    for volume in system.volumes:
        use = usage.volumes.get(volume.name)
        if not volume.copies:
            anywhere.append(_stated(use or VolumeUse()))
        elif use:
            for disk in volume.disks & here.keys():
                here[disk].append(_stated(use))
    known = "volumes" not in system.unstated
    found = {}
    for disk, on_it in here.items():
        stated = usage.disks.get(disk)
        if stated is not None and (stated.access is not None or stated.hot is not None):
            found[disk] = _stated(stated)
        elif known:
            hot = _hot(on_it, anywhere)
            found[disk] = DiskPattern(hot, _access(on_it, anywhere, hot))
        else:
            found[disk] = DiskPattern(None, None)
    return found


def _hot(here: list[DiskPattern], anywhere: list[DiskPattern]) -> bool | None:
    if any(each.hot for each in here):
        return True
    return False if all(each.hot is False for each in (*here, *anywhere)) else None


def _access(here: list[DiskPattern], anywhere: list[DiskPattern], hot: bool | None) -> str | None:
    """Return the pattern of the hot data, or of all if none is hot; random if both occur."""
    counting = [each for each in here if each.hot is hot and hot is not None]
    if any(each.access == RANDOM for each in counting):
        return RANDOM
    possible = [each for each in (*here, *anywhere) if not hot or each.hot is not False]
    if not possible:
        return ""
    kinds = {each.access for each in possible}
    return possible[0].access if here and len(kinds) == 1 else None


def _stated(use: VolumeUse) -> DiskPattern:
    """Return a stated use; data with a pattern of access and no activity is hot."""
    hot = use.access is not None if use.hot is None and use.access is not None else use.hot
    return DiskPattern(hot, use.access)
