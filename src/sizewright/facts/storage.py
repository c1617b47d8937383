"""The facts of one channel and of one disk."""

from __future__ import annotations

from sizewright.facts.records import ChannelFacts, DiskFacts
from sizewright.figure import Figure, count
from sizewright.guide.model import Row
from sizewright.load.storage import disk_limits


def channel_facts(
    name: str,
    kind: Row,
    devices: int,
    hot: tuple[int, int],
    demanded: Figure,
    backup_while_in_use: bool,
) -> ChannelFacts:
    """A channel with so many devices, of them `hot` disks read at random and serially."""
    rate = kind.find("rate_mb_per_s")
    random, serial = hot
    return ChannelFacts(
        id=name,
        kind=kind.id,
        family=kind.text("interface") or "other",
        devices=count(devices, "devices"),
        device_limit=kind.find("targets_limit"),
        random_disks=count(random, "hot random disks", "disk"),
        serial_disks=count(serial, "hot serial disks", "disk"),
        demanded_kb_per_s=demanded,
        rate_kb_per_s=rate.to("KB/s") if rate else None,
        backup_while_in_use=backup_while_in_use,
    )


def disk_facts(
    name: str, disk: Row, access: str, operations: Figure, stored: Figure, transfer_kb: Figure
) -> DiskFacts:
    """A disk with what is asked of it and what lies on it."""
    maximum, sustained = disk_limits(disk, access, transfer_kb)
    return DiskFacts(
        id=name,
        model=disk.id,
        access=access,
        operations_per_s=operations,
        maximum_ops_per_s=maximum,
        sustained_ops_per_s=sustained,
        stored_mb=stored,
        capacity_mb=disk.find("capacity_mb"),
    )
