"""The facts of volumes that are arrays: what their level makes of their disks."""

from __future__ import annotations

from typing import Any

from sizewright.configuration.model import Device, System, Volume
from sizewright.configuration.shown import Shown, VolumeShown
from sizewright.facts.chain import made_for
from sizewright.facts.records import VolumeFacts
from sizewright.guide.model import Guide, Row
from sizewright.guide.raid import usable_share
from sizewright.quantity import Quantity, count, total

_UNKNOWN = VolumeShown()
_LAYOUTS = ("single", "stripe", "concatenation")


def array_facts(
    record: VolumeFacts, volume: Volume, system: System, shown: Shown, guide: Guide
) -> dict[str, Any]:
    """What is known of a volume by its level, and of the disks that it lies on."""
    said = shown.volumes.get(volume.name, _UNKNOWN)
    level = guide.row("raid-levels", said.raid) if said.raid else None
    devices = list({d.id: d for d in system.devices() if d.id in volume.disks}.values())
    facts: dict[str, Any] = {
        "raid_level": said.raid,
        "bus_kinds": _bus_kinds(devices, shown, guide),
        "controllers": _controllers(volume, system),
    }
    if level is None:
        plain = None if said.raid is None else False
        return {**facts, "survives_disk": _kept_twice(record, said.raid), "parity": plain}
    facts |= {
        "usable_mb": _usable(level, devices, guide),
        "survives_disk": _outlives(level, record),
        "parity": level.find_flag("parity"),
        "uncommon_for": level.list("uncommon_for"),
        "second_controller_gain_percent": level.find("second_controller_gain_percent"),
    }
    if record.layout is None and level.text("layout") in _LAYOUTS:
        facts["layout"] = level.text("layout")
    twice = level.find("disk_cost_factor")
    if twice is not None and len(volume.copies) == 1:
        # One list of disks of which the controller itself keeps each part again on another.
        facts |= {"copies": twice, "copies_share_disk": False, "copies_share_channel": None}
    return facts


def _kept_twice(record: VolumeFacts, raid: str | None) -> bool | None:
    """Whether a volume that is no array, or perhaps none, has a copy beside each disk's."""
    if record.copies is None or record.copies_share_disk is None:
        return None
    several = isinstance(record.copies, Quantity) and record.copies.low > 1
    if several and not record.copies_share_disk:
        return True
    return False if raid == "" else None


def _outlives(level: Row, record: VolumeFacts) -> bool | None:
    """Whether the level outlives a disk, or the array is one of several copies."""
    alone = level.find_flag("fault_tolerant")
    return True if alone or _kept_twice(record, "") else alone


def _bus_kinds(devices: list[Device], shown: Shown, guide: Guide) -> tuple[str, ...] | None:
    rows = [made_for(device, shown, guide) for device in devices]
    kinds = {row.id for row in rows if row is not None}
    # Two kinds are two, whatever those are that nobody told.
    settled = rows and (None not in rows or len(kinds) > 1)
    return tuple(sorted(kinds)) if settled else None


def _controllers(volume: Volume, system: System) -> Quantity | None:
    providers = {
        channel.provider for channel in system.channels
        if any(device.id in volume.disks for device in channel.devices)
    }  # fmt: skip
    return count(len(providers), "controllers") if providers and all(providers) else None


def _usable(level: Row, devices: list[Device], guide: Guide) -> Quantity | None:
    """The disks' room by the level's share; None where disks differ and one is kept for parity."""
    rooms = [guide.row(d.table, d.model).find("capacity_mb") for d in devices]
    known = [room for room in rooms if room is not None]
    share = usable_share(level, len(devices))
    if not known or len(known) < len(rooms) or share is None:
        return None
    alike = len({(room.low, room.high) for room in known}) == 1
    if not alike and level.find("usable_capacity_percent") is None:
        return None
    return total(known, "MB") * share
