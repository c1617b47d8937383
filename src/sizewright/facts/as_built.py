"""The facts of an existing server that no plan has."""

from typing import Any

from sizewright.box.measurements import weighted
from sizewright.box.schema import BoxEnclosure
from sizewright.configuration.model import DISK, Device, Volume
from sizewright.facts.built import Built, chain_facts, controller_facts, segment_facts, spread_of
from sizewright.facts.derive import Facts
from sizewright.facts.fact import count_true
from sizewright.facts.storage_records import EnclosureFacts, VolumeFacts
from sizewright.guide.model import Guide, Row, usable_share
from sizewright.quantity import Quantity, ambiguous, count, sum_known, total
from sizewright.units import PURE


def profile_facts(built: Built) -> dict[str, Any]:
    """Return shares over all accesses of the load profiles; nothing if none is stated."""
    profiles, guide = built.shown.profiles, built.guide
    if not profiles:
        return {}
    rows = [guide.row("load-profiles", name) for name in profiles]
    random, writes = (weighted(rows, column) for column in ("random_percent", "writes_percent"))
    return {
        "load_profiles": profiles,
        "transfer_kb": built.load.usage.transfer_kb,
        "random_share": random and random.to(PURE),
        "disk_write_share": writes and writes.to(PURE),
        "bound_by": _stated(profiles, "binds", guide),
        "spared": _stated(profiles, "spared", guide),
    }


def _stated(profiles: tuple[str, ...], column: str, guide: Guide) -> tuple[str, ...] | None:
    """Return what the guide states for these loads; None if it states nothing for one."""
    mixes = {row.text("load_profile"): row.list(column) for row in guide.table("server-mixes")}
    found = [mixes.get(name, ()) for name in profiles]
    return tuple(sorted({what for each in found for what in each})) if all(found) else None


_LAYOUTS = ("single", "stripe", "concatenation")


def array_facts(record: VolumeFacts, volume: Volume, built: Built) -> dict[str, Any]:
    """Return what is known about a volume by its RAID level, and of the disks that it is on."""
    system, guide = built.system, built.guide
    raid = built.shown.raids.get(volume.name)
    level = guide.row("raid-levels", raid) if raid else None
    disks = list({d.id: d for d in system.devices() if d.id in volume.disks}.values())
    rows = [built.made_for(disk) for disk in disks]
    kinds = {row.id for row in rows if row is not None}
    # If two kinds are known, it does not matter what the unknown ones are.
    settled = rows and (None not in rows or len(kinds) > 1)
    providers = {
        channel.provider for channel in system.channels
        if any(device.id in volume.disks for device in channel.devices)
    }  # fmt: skip
    facts: dict[str, Any] = {
        "raid_level": raid,
        "bus_kinds": tuple(sorted(kinds)) if settled else None,
        "controllers": count(len(providers), "controllers")
        if providers and all(providers)
        else None,
    }
    if level is None:
        parity = None if raid is None else False
        return {**facts, "survives_disk": _has_whole_copy(record, raid), "parity": parity}
    tolerant = level.get_flag("fault_tolerant")
    facts |= {
        "usable_mb": _usable_mb(level, disks, built),
        "survives_disk": True if _has_whole_copy(record, "") else tolerant,
        "parity": level.get_flag("parity"),
        "uncommon_for": level.list("uncommon_for"),
        "second_controller_gain_percent": level.cell("second_controller_gain_percent"),
    }
    if record.layout is None and level.text("layout") in _LAYOUTS:
        facts["layout"] = level.text("layout")
    copies = level.cell("disk_cost_factor")
    if copies is not None and len(volume.copies) == 1:
        # The controller itself stores each part of the volume on a second disk of the one list.
        facts |= {"copies": copies, "copies_share_disk": False, "copies_share_channel": None}
    return facts


def _has_whole_copy(record: VolumeFacts, raid: str | None) -> bool | None:
    """Return whether a volume has a second copy on other disks; `raid` is "" of no array."""
    if record.copies is None or record.copies_share_disk is None:
        return None
    several = isinstance(record.copies, Quantity) and record.copies.low > 1
    if several and not record.copies_share_disk:
        return True
    return False if raid == "" else None


def _usable_mb(level: Row, disks: list[Device], built: Built) -> Quantity | None:
    """Return the disks' capacity by the level's share, in MB.

    None if a capacity is unknown, or if disks differ and the level keeps whole ones for parity.
    """
    sizes = [built.row(disk).cell("capacity_mb") for disk in disks]
    whole, share = sum_known(sizes, "MB"), usable_share(level, len(disks))
    if not disks or whole is None or share is None:
        return None
    differ = len({(size.low, size.high) for size in sizes if size}) > 1
    if differ and level.cell("usable_capacity_percent") is None:
        return None
    return whole * share


def enclosure_facts(each: BoxEnclosure, built: Built) -> EnclosureFacts:
    """Return the facts of a box of drives; what is in it is unknown if no busses are stated."""
    row = built.guide.row("trays", each.enclosure)
    there = {device.id: device for device in built.system.devices()}
    busses = [[there[disk] for disk in bus if disk in there] for bus in each.busses]
    disks = [device for bus in busses for device in bus]
    number = row.cell("channels")
    facts = EnclosureFacts(
        id=each.id, model=row.id, places=_places(row, each.tall_disks), busses=number,
        maximum_kb_per_s=row.cell("maximum_mb_per_s", "KB/s"),
    )  # fmt: skip
    if not each.busses:
        return facts
    spread = spread_of([len(bus) for bus in busses], int(number.likely) if number else 0)
    most, fewest = spread or (None, None)
    return facts._replace(
        disks=count(len(disks), "disks in the enclosure", "disk"),
        most_bus_disks=most,
        fewest_bus_disks=fewest,
        disks_alike=built.are_alike(disks) if disks else None,
        imbalance_loss_percent=spread and _imbalance_loss(*spread, row.id, built.guide),
        demanded_kb_per_s=_demanded(disks, built),
        unadvised_disks=_unadvised(row, disks, built),
    )


def _places(row: Row, tall: bool | None) -> Quantity | None:
    """Return the places by the drives' height: a range if it is not stated."""
    low, high = row.cell("one_inch_disks_limit"), row.cell("tall_disks_limit")
    if low is None or high is None:
        return row.cell("disks_limit")
    return ambiguous(low, high) if tall is None else high if tall else low


def _imbalance_loss(most: Quantity, fewest: Quantity, model: str, guide: Guide) -> Quantity | None:
    """Return the loss that the guide states for this number of disks, all on one bus."""
    if fewest.high > 0:
        return None
    for row in guide.table("bus-imbalance-effects").by("enclosure").get((model,), ()):
        disks = row.cell("disks_on_one_bus")
        if disks is not None and disks.likely == most.likely:
            return row.cell("loss_percent")
    return None


def _demanded(disks: list[Device], built: Built) -> Quantity | None:
    """Return what the disks move over their channels, in KB/s."""
    wanted, found = {disk.id for disk in disks}, []
    for channel in built.system.channels:
        names = {device.id for device in channel.devices}
        if not names & wanted:
            continue
        lines = built.load.channels[channel.id]
        if lines is None:
            return None
        whole = names & wanted == {d.id for d in channel.devices if d.kind == DISK}
        if not whole and any(line.name not in names for line in lines):
            return None
        found += [line.figure for line in lines if whole or line.name in wanted]
    return total(found, "KB/s")


def _unadvised(row: Row, disks: list[Device], built: Built) -> Quantity | None:
    """Return the disks made for other busses than those that perform best in the enclosure."""
    advised = row.list("advised_disk_busses")
    if not advised:
        return None
    kinds = [built.made_for(disk) for disk in disks]
    answers = [None if kind is None else kind.id not in advised for kind in kinds]
    return count_true(answers, "disks made for other busses", "disk")


def add_as_built(facts: Facts, built: Built) -> Facts:
    """Return the facts of an existing server, with those that no plan has."""
    system = built.system
    volumes = zip(facts.volumes, system.volumes, strict=True)
    enclosures = tuple(enclosure_facts(each, built) for each in built.shown.enclosures)
    return facts._replace(enclosures=enclosures).replaced_by(
        {
            "system": {system.id: profile_facts(built)},
            "slots": {each.id: segment_facts(each.id, built) for each in facts.slots},
            "board": {board.id: controller_facts(board, built) for board in system.boards},
            "channel": {channel.id: chain_facts(channel, built) for channel in system.channels},
            "volume": {record.id: array_facts(record, volume, built) for record, volume in volumes},
        }
    )
