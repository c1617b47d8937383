"""What is attached to a system over all of its channels together."""

from __future__ import annotations

from typing import Any

from sizewright.configuration.model import System
from sizewright.guide.model import Guide
from sizewright.load.model import Load, sum_of
from sizewright.quantity import Quantity, count, total

_IDE = "ide"


def attached_facts(system: System, load: Load, guide: Guide) -> dict[str, Any]:
    """Devices counted over channels that may be limited together; all channels must be stated."""
    ide = [
        channel for channel in system.channels
        if guide.row("disk-busses", channel.kind).text("interface") == _IDE
    ]  # fmt: skip
    devices = [device for channel in ide for device in channel.devices]
    disks = sum(1 for device in devices if device.kind == "disk")
    return {
        "drives": count(len(system.devices()), "drives"),
        "ide_devices": count(len(devices), "devices on IDE channels"),
        "ide_disks": count(disks, "disks on IDE channels", "disk"),
        "ide_kb_per_s": _sum([sum_of(load.channels.get(each.id), "KB/s") for each in ide]),
    }


def _sum(rates: list[Quantity | None]) -> Quantity | None:
    """All of them together; None where one is unknown."""
    known = [rate for rate in rates if rate is not None]
    return total(known, "KB/s") if len(known) == len(rates) else None
