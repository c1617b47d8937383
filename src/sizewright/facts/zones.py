"""Zones of a disk: tracks further out hold more, and pass faster under the heads."""

from __future__ import annotations

from sizewright.configuration.model import Device, Partition
from sizewright.guide.model import Guide, Row
from sizewright.quantity import Quantity, count


def _zones(model: str, guide: Guide) -> list[tuple[float, float]]:
    """First cylinder and track size of each zone of a disk, outermost first."""
    if "disk-zones" not in guide.tables:
        return []
    return sorted(
        (row.number("start_cylinder"), row.number("track_size_sectors"))
        for row in guide.table("disk-zones")
        if model in row.list("disks") and row.find("start_cylinder") is not None
    )


def zone_count(disk: Row, guide: Guide) -> Quantity | None:
    """Zones of different speed; 1 where all tracks are alike, None where they are not printed."""
    sizes = {size for _, size in _zones(disk.id, guide)}
    if sizes:
        return count(len(sizes), "zones")
    return None if disk.find("zone_gain_percent") is not None else count(1, "zones")


def zone_inversions(device: Device, guide: Guide) -> Quantity | None:
    """Hot partitions in slower zones than some cold one; None where use or place is unknown."""
    parts = device.partitions
    if not parts or any(p.hot is None or p.start_cylinder is None for p in parts):
        return None
    cold = [_start(part) for part in parts if not part.hot]
    behind = [part for part in parts if part.hot and cold and _start(part) > min(cold)]
    zones = _zones(device.model, guide)
    if behind and not zones:
        return None

    def speed(start: float) -> float:
        return [size for first, size in zones if first <= start][-1]

    slow = [part for part in behind if speed(_start(part)) < max(map(speed, cold))]
    return count(len(slow), "hot partitions behind cold ones")


def _start(part: Partition) -> float:
    return part.start_cylinder.likely if part.start_cylinder else 0
