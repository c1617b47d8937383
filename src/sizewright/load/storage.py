"""Stored data and its operations on disks, channels and the busses above them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sizewright.configuration.model import System
from sizewright.demand.model import Demand, Item, VolumeDemand
from sizewright.figure import Figure, Source, count, total
from sizewright.guide.model import Guide, Row
from sizewright.load.model import Lines


def disk_lines(demand: Demand, system: System) -> Mapping[str, Lines]:
    """Operations a second on each disk, a line for each service."""
    wanted = {volume.name: volume for volume in demand.volumes}
    stored: dict[str, list[Stored]] = {d.id: [] for d in system.devices() if d.kind == "disk"}
    for volume in system.volumes:
        need = wanted.get(volume.name)
        if need is None:
            continue
        disks = sorted({part.disk for copy in volume.copies for part in copy})
        for disk in disks:
            stored[disk].append(Stored(need, len(disks), len(volume.copies)))
    return {disk: asked_of_disk(demand, volumes) for disk, volumes in stored.items()}


class Stored(NamedTuple):
    """A volume that lies on so many disks in so many copies."""

    need: VolumeDemand
    disks: int
    copies: int


def asked_of_disk(demand: Demand, stored: Sequence[Stored]) -> Lines:
    """Operations a second on one of the disks that some volumes lie on, a line for each service.

    A volume's operations spread evenly over its disks: reads over all copies, writes to each.
    """
    by_service: dict[str, list[Figure]] = {}
    for volume in stored:
        for kind, items in (("reads", volume.need.reads), ("writes", volume.need.writes)):
            for item in items:
                rate = item.figure
                if kind == "writes" and volume.copies > 1:
                    rate = rate * count(volume.copies, "copies")
                if volume.disks > 1:
                    rate = rate / count(volume.disks, f"disks of {volume.need.name}")
                named = rate.named(f"{volume.need.name} {kind}")
                by_service.setdefault(item.name, []).append(named)
    lines = [Item(name, total(rates, "op/s")) for name, rates in sorted(by_service.items())]
    return demand.at_worst(tuple(lines))


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
    demand: Demand, system: System, guide: Guide, disks: Mapping[str, Lines]
) -> Mapping[str, Lines]:
    """Kilobytes a second over each channel: its disks' transfers, and backups while in use."""
    busy_backup = demand.backup.wanted and demand.backup.during_working_hours
    lines: dict[str, Lines] = {}
    for channel in system.channels:
        items = []
        for device in channel.devices:
            if device.kind == "disk":
                operations = disks[device.id]
                if operations:
                    rate = total((i.figure for i in operations), "op/s")
                    items.append(Item(device.id, rate * demand.transfer_kb))
            elif busy_backup and device.purpose == "backup":
                rate_kb = guide.row(device.table, device.model).find("transfer_kb_per_s")
                if rate_kb is not None:
                    items.append(Item(device.id, rate_kb))
        lines[channel.id] = tuple(items)
    return lines


def bus_lines(system: System, guide: Guide) -> Mapping[str, Lines]:
    """Typical bandwidth that the boards on each I/O bus ask of it, in MB/s."""
    lines: dict[str, list[Item]] = {}
    for board in system.boards:
        if board.table != "boards":
            continue
        row = guide.row(board.table, board.model)
        demand = row.find("typical_bandwidth_mb_per_s")
        if demand is None:
            demand = row.find("maximum_bandwidth_mb_per_s")
        if demand is not None:
            lines.setdefault(board.bus, []).append(Item(board.id, demand))
    return {bus: tuple(items) for bus, items in sorted(lines.items())}
