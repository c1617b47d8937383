"""Stored data and its operations on disks, channels and the busses above them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from sizewright.configuration.model import System
from sizewright.demand.model import Demand, Item, VolumeDemand
from sizewright.figure import Figure, Source, count, smallest, total
from sizewright.guide.model import Guide, Row
from sizewright.load.model import Known, Lines


def disk_lines(demand: Demand, stored: OnDisks) -> Mapping[str, Lines]:
    """Operations a second on each disk, a line for each service."""
    return _each(stored, lambda volumes: asked_of_disk(demand, volumes))


def on_disks(demand: Demand, system: System) -> OnDisks:
    """Each disk with the volumes that lie on it."""
    wanted = {volume.name: volume for volume in demand.volumes}
    stored: dict[str, list[Stored]] = {d.id: [] for d in system.devices() if d.kind == "disk"}
    for volume in system.volumes:
        need = wanted.get(volume.name)
        if need is None:
            continue
        disks = sorted(volume.disks)
        for disk in disks:
            stored[disk].append(Stored(need, len(disks), len(volume.copies)))
    return stored


class Stored(NamedTuple):
    """A volume that lies on so many disks in so many copies."""

    need: VolumeDemand
    disks: int
    copies: int


OnDisks = Mapping[str, Sequence[Stored]]
T = TypeVar("T")


def _each(stored: OnDisks, of: Callable[[Sequence[Stored]], T]) -> dict[str, T]:
    """For each disk what its volumes ask, worked out once for disks with the same volumes."""
    known: dict[tuple[str, ...], T] = {}
    found = {}
    for disk, volumes in stored.items():
        names = tuple(volume.need.name for volume in volumes)
        if names not in known:
            known[names] = of(volumes)
        found[disk] = known[names]
    return found


def asked_of_disk(demand: Demand, stored: Sequence[Stored]) -> Lines:
    """Operations a second on one of the disks that some volumes lie on, a line for each service.

    A volume's operations spread evenly over its disks: reads over all copies, writes to each.
    """
    by_service: dict[str, list[Figure]] = {}
    for asked in _asked(stored):
        by_service.setdefault(asked.service, []).append(asked.rate)
    lines = [Item(name, total(rates, "op/s")) for name, rates in sorted(by_service.items())]
    return demand.at_worst(tuple(lines))


def moved_by_disk(demand: Demand, stored: Sequence[Stored]) -> Figure | None:
    """Kilobytes a second that such a disk moves; None where nothing is asked of it."""
    lines: dict[str, list[Figure]] = {}
    for asked in _asked(stored):
        size = demand.transfer_kb if asked.block_kb is None else asked.block_kb
        lines.setdefault(asked.service, []).append(asked.rate * size)
    items = tuple(Item(name, total(rates, "KB/s")) for name, rates in sorted(lines.items()))
    return total((line.figure for line in demand.at_worst(items)), "KB/s") if items else None


class _Asked(NamedTuple):
    """Operations a second of one service on one disk; NFS moves what its operations carry."""

    service: str
    rate: Figure
    block_kb: Figure | None = None


def _asked(stored: Sequence[Stored]) -> Iterator[_Asked]:
    for volume in stored:
        for kind, items in (("reads", volume.need.reads), ("writes", volume.need.writes)):
            for item in items:
                yield _Asked(item.name, _on_one(volume, item.figure, kind))
        for work in volume.need.work:
            rate = work.ops
            if rate is not None and not work.low:
                kind = "reads" if work.operation == "read" else "writes"
                yield _Asked(work.service, _on_one(volume, rate, kind), work.block_kb)


def _on_one(volume: Stored, rate: Figure, kind: str) -> Figure:
    if kind == "writes" and volume.copies > 1:
        rate = rate * count(volume.copies, "copies")
    if volume.disks > 1:
        rate = rate / count(volume.disks, f"disks of {volume.need.name}")
    return rate.named(f"{volume.need.name} {kind}")


def disk_limits(
    disk: Row, access: str | None, transfer_kb: Figure | None
) -> tuple[Figure | None, Figure | None]:
    """Operations a second that a disk can do, and those it sustains where the guide prints them.

    A serial disk is held to its transfer speed, any other to its random rate.
    """
    if access is None:
        return None, None
    if access == "serial":
        transfer = disk.find("transfer_mb_per_s")
        return (transfer.to("KB/s") / transfer_kb if transfer and transfer_kb else None), None
    return disk.find("maximum_random_ops_per_s"), disk.find("random_ops_per_s_at_65_percent")


def stored_lines(sizes: Mapping[str, Figure], system: System) -> Mapping[str, Lines]:
    """Megabytes on each disk, a line for each volume with a part there, by the volumes' sizes."""
    lines: dict[str, list[Item]] = {d.id: [] for d in system.devices() if d.kind == "disk"}
    for volume in system.volumes:
        for copy in volume.copies:
            whole = sum(part.size_mb for part in copy)
            for part in copy:
                size = sizes.get(volume.name) or count(whole, "MB as laid out", "MB")
                lines[part.disk].append(Item(volume.name, _share(size, part.size_mb, whole)))
    return {disk: tuple(items) for disk, items in lines.items()}


def _share(size: Figure, part_mb: float, whole_mb: float) -> Figure:
    if part_mb == whole_mb or whole_mb == 0:
        return size
    share = part_mb / whole_mb
    return size * Figure(
        share, share, share, "1", name="part of the volume laid out here",
        source=Source("count", "layout"),
    )  # fmt: skip


def channel_lines(
    demand: Demand, system: System, guide: Guide, stored: OnDisks
) -> Mapping[str, Lines]:
    """Kilobytes a second over each channel: its disks' transfers, and backups while in use."""
    busy_backup = demand.backup.while_in_use
    moved = _each(stored, lambda volumes: moved_by_disk(demand, volumes))
    lines: dict[str, Lines] = {}
    for channel in system.channels:
        items = []
        for device in channel.devices:
            rate = moved.get(device.id)
            if rate is not None:
                items.append(Item(device.id, rate))
            elif device.kind != "disk" and busy_backup and device.purpose == "backup":
                rate_kb = guide.row(device.table, device.model).find("transfer_kb_per_s")
                if rate_kb is not None:
                    items.append(Item(device.id, rate_kb))
        lines[channel.id] = tuple(items)
    return lines


def bus_lines(system: System, guide: Guide, channels: Mapping[str, Known]) -> Mapping[str, Lines]:
    """Bandwidth that the boards on each I/O bus ask of it, in MB/s.

    Of a board that only brings channels it is what they carry, where that is known and less than
    what the guide calls typical under heavy load; of any other the typical demand.
    """
    lines: dict[str, list[Item]] = {}
    for board in system.boards:
        if board.table != "boards":
            continue
        row = guide.row(board.table, board.model)
        demand = row.find("typical_bandwidth_mb_per_s")
        if demand is None:
            demand = row.find("maximum_bandwidth_mb_per_s")
        if demand is None:
            continue
        if len(row.list("role")) == 1 and row.list("disk_busses"):
            carried = [channels[c.id] for c in system.channels if c.provider == board.id]
            if carried and None not in carried:
                sum_ = total((i.figure for lines in carried for i in lines or ()), "KB/s")
                demand = smallest(demand, sum_.to("MB/s"))
        lines.setdefault(board.bus, []).append(Item(board.id, demand))
    return {bus: tuple(items) for bus, items in sorted(lines.items())}
