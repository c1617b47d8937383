"""The facts of an existing server that no plan has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sizewright import units
from sizewright.box.profile import weighted
from sizewright.configuration.model import (
    AsBuilt,
    Device,
    EnclosureAsBuilt,
    System,
    Volume,
    VolumeAsBuilt,
)
from sizewright.demand.usage import UsageProfile
from sizewright.facts.boards import controller_facts, segment_facts
from sizewright.facts.derive import Facts
from sizewright.facts.records import VolumeFacts
from sizewright.facts.scsi_chain import Spread, alike, chain_facts, made_for, spread_of
from sizewright.facts.storage import told
from sizewright.facts.storage_records import EnclosureFacts
from sizewright.guide.model import Guide, Row
from sizewright.guide.raid import usable_share
from sizewright.load.model import Load
from sizewright.quantity import Quantity, ambiguous, count, total


def profile_facts(profiles: tuple[str, ...], usage: UsageProfile, guide: Guide) -> dict[str, Any]:
    """Shares over all accesses of the profiles; nothing where none is stated."""
    if not profiles:
        return {}
    rows = [guide.row("load-profiles", name) for name in profiles]
    return {
        "load_profiles": profiles,
        "transfer_kb": usage.transfer_kb,
        "random_share": _share(rows, "random_percent"),
        "disk_write_share": _share(rows, "writes_percent"),
        "bound_by": _said(profiles, "binds", guide),
        "spared": _said(profiles, "spared", guide),
    }


def _share(rows: Sequence[Row], column: str) -> Quantity | None:
    found = weighted(rows, column)
    return found and found.to(units.PURE)


def _said(profiles: tuple[str, ...], column: str, guide: Guide) -> tuple[str, ...] | None:
    """What the guide says of the servers with these loads; None where it says nothing of one."""
    mixes = {row.text("load_profile"): row.list(column) for row in guide.table("server-mixes")}
    found = [mixes.get(name, ()) for name in profiles]
    return tuple(sorted({what for each in found for what in each})) if all(found) else None


_UNKNOWN = VolumeAsBuilt()
_LAYOUTS = ("single", "stripe", "concatenation")


def array_facts(
    record: VolumeFacts, volume: Volume, system: System, shown: AsBuilt, guide: Guide
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


def _bus_kinds(devices: list[Device], shown: AsBuilt, guide: Guide) -> tuple[str, ...] | None:
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


def enclosure_facts(
    each: EnclosureAsBuilt, system: System, load: Load, shown: AsBuilt, guide: Guide
) -> EnclosureFacts:
    """A box of drives with what is in it; of one whose busses are not told nobody knows that."""
    row = guide.row("trays", each.model)
    there = {device.id: device for device in system.devices()}
    busses = [[there[disk] for disk in bus if disk in there] for bus in each.busses]
    disks = [device for bus in busses for device in bus]
    rate, number = row.find("maximum_mb_per_s"), row.find("channels")
    facts = EnclosureFacts(
        id=each.id, model=each.model, places=_places(row, each.tall_disks), busses=number,
        maximum_kb_per_s=rate.to("KB/s") if rate else None,
    )  # fmt: skip
    if not each.busses:
        return facts
    spread = spread_of([len(bus) for bus in busses], int(number.likely) if number else 0)
    return facts._replace(
        disks=count(len(disks), "disks in the enclosure", "disk"),
        most_bus_disks=spread.most if spread else None,
        fewest_bus_disks=spread.fewest if spread else None,
        disks_alike=alike(disks, shown, guide) if disks else None,
        imbalance_loss_percent=_loss(spread, each.model, guide),
        demanded_kb_per_s=_demanded(disks, system, load),
        unadvised_disks=_unadvised(row, disks, shown, guide),
    )


def _places(row: Row, tall: bool | None) -> Quantity | None:
    """Places by the drives' height: where it is not told, from the fewest to the most."""
    low, high = row.find("one_inch_disks_limit"), row.find("tall_disks_limit")
    if low is None or high is None:
        return row.find("disks_limit")
    return ambiguous(low, high) if tall is None else high if tall else low


def _loss(spread: Spread | None, model: str, guide: Guide) -> Quantity | None:
    """What the guide sees lost where so many disks are all on one bus."""
    if spread is None or spread.fewest.high > 0:
        return None
    for row in guide.table("bus-imbalance-effects").by("enclosure").get((model,), ()):
        disks = row.find("disks_on_one_bus")
        if disks is not None and disks.likely == spread.most.likely:
            return row.find("loss_percent")
    return None


def _demanded(disks: list[Device], system: System, load: Load) -> Quantity | None:
    """What the disks move over the channels that they are devices of."""
    wanted, found = {disk.id for disk in disks}, []
    for channel in system.channels:
        ours = {device.id for device in channel.devices} & wanted
        if not ours:
            continue
        lines, names = load.channels[channel.id], {device.id for device in channel.devices}
        if lines is None:
            return None
        whole = ours == {d.id for d in channel.devices if d.kind == "disk"}
        if not whole and any(line.name not in names for line in lines):
            return None
        found += [line.figure for line in lines if whole or line.name in ours]
    return total(found, "KB/s")


def _unadvised(row: Row, disks: list[Device], shown: AsBuilt, guide: Guide) -> Quantity | None:
    """Disks made for other busses than those whose drives perform best in such a box."""
    advised = row.list("advised_disk_busses")
    if not advised:
        return None
    kinds = [made_for(disk, shown, guide) for disk in disks]
    answers = [None if kind is None else kind.id not in advised for kind in kinds]
    return told(answers, "disks made for other busses", "disk")


def with_shown(
    facts: Facts, usage: UsageProfile, system: System, load: Load, shown: AsBuilt, guide: Guide
) -> Facts:
    """The facts of a box that exists, with those that no plan has."""
    channels = {channel.id: channel for channel in system.channels}
    boards = {board.id: board for board in system.boards}
    volumes = {volume.name: volume for volume in system.volumes}
    return facts._replace(
        system=facts.system._replace(**profile_facts(shown.profiles, usage, guide)),
        slots=tuple(
            record._replace(**segment_facts(record.id, system, load, shown, guide))
            for record in facts.slots
        ),
        boards=tuple(
            record._replace(
                **controller_facts(boards[record.id], system, load, shown, guide)
            )
            for record in facts.boards
        ),
        enclosures=tuple(
            enclosure_facts(each, system, load, shown, guide) for each in shown.enclosures
        ),
        channels=tuple(
            record._replace(**chain_facts(system, channels[record.id], shown, guide))
            for record in facts.channels
        ),
        volumes=tuple(
            record._replace(
                **array_facts(record, volumes[record.id], system, shown, guide)
            )
            for record in facts.volumes
        ),
    )  # fmt: skip
