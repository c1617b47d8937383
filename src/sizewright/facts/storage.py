"""The facts of peripheral busses and of disks."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from sizewright.configuration.model import DISK, Channel, Device, System
from sizewright.demand.rates import RAW_USES, sum_lines
from sizewright.demand.usage import UsageProfile
from sizewright.facts.fact import count_known, count_true
from sizewright.facts.storage_records import ChannelFacts, DiskFacts
from sizewright.guide.model import UNKNOWN, Guide, Row
from sizewright.load.model import DiskLimits, Load, Share
from sizewright.quantity import Quantity, as_quantity, count, largest, sum_known, total
from sizewright.setup.installation import zone_count, zones_of


def zone_inversions(device: Device, guide: Guide) -> Quantity | None:
    """Return the hot partitions in slower zones than a cold one; None if that is unknown."""
    starts = [(part.hot, part.start_cylinder) for part in device.partitions]
    if not starts or any(None in each for each in starts):
        return None
    cold = [start.likely for hot, start in starts if start and not hot]
    first_cold = min(cold, default=math.inf)
    behind = [start.likely for hot, start in starts if start and hot and start.likely > first_cold]
    zones = zones_of(device.model, guide)
    if behind and (not zones or first_cold < zones[0][0]):
        return None

    def speed(start: float) -> float:
        return [size for first, size in zones if first <= start][-1]

    slow = [start for start in behind if speed(start) < max(map(speed, cold))]
    return count(len(slow), "hot partitions behind cold ones")


_IDE = "ide"


def attached_facts(system: System, load: Load, guide: Guide) -> dict[str, Any]:
    """Return what is attached to all channels together, if all of them are stated."""
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
        "ide_kb_per_s": sum_known(
            (sum_lines(load.channels.get(each.id), "KB/s") for each in ide), "KB/s"
        ),
        "free_mb": _free_mb(system, load, guide),
        **_tray_facts(system, guide),
    }


def _tray_facts(system: System, guide: Guide) -> dict[str, Any]:
    """Return the string controllers of the platform's trays, and the most that are possible."""
    for tray in guide.table("trays"):
        most = tray.cell("controllers_limit")
        if most is not None and system.platform in tray.list("platforms"):
            number = len(controllers_of(tray, system, guide))
            return {
                "string_controllers": count(number, "string controllers with disks"),
                "string_controllers_limit": most,
            }
    return {}


def controllers_of(tray: Row, system: System, guide: Guide) -> tuple[str, ...]:
    """Return the channels with disks of the kind that is in a tray."""
    return tuple(
        channel.id for channel in system.channels
        if guide.row("disk-busses", channel.kind).text("interface") == tray.text("interface")
        and any(device.kind == "disk" for device in channel.devices)
    )  # fmt: skip


def _free_mb(system: System, load: Load, guide: Guide) -> Quantity | None:
    """Return the space of all disks less what is stored on them, in MB; None if unknown."""

    def free(disk: Device) -> Quantity | None:
        capacity = guide.row(disk.table, disk.model).cell("capacity_mb")
        stored = sum_lines(load.stored.get(disk.id), "MB")
        if capacity is None or stored is None:
            return None
        return largest(as_quantity(0, "MB"), capacity - stored)

    return sum_known(map(free, system.disks()), "MB")


def channel_facts(
    name: str,
    kind: Row,
    devices: int,
    hot: tuple[int, int] | None,
    demanded: Quantity | None,
    backup_while_in_use: bool | None,
    active: Share,
    bus_time: Share,
) -> ChannelFacts:
    """Return the facts of a channel with a number of devices.

    `hot` are the hot disks read at random and serially, `active` the active disks, `bus_time` the
    time that the bus is held; the last two each with a limit.
    """
    random, serial = hot if hot is not None else (None, None)
    return ChannelFacts(
        id=name,
        kind=kind.id or None,
        family=kind.text("interface") or ("other" if kind.id != UNKNOWN else None),
        devices=count(devices, "devices"),
        device_limit=kind.cell("targets_limit"),
        random_disks=None if random is None else count(random, "hot random disks", "disk"),
        serial_disks=None if serial is None else count(serial, "hot serial disks", "disk"),
        demanded_kb_per_s=demanded,
        rate_kb_per_s=kind.cell("rate_mb_per_s", "KB/s"),
        active_disks=active.used,
        active_limit=active.limit,
        bus_ms_per_s=bus_time.used,
        bus_limit_ms_per_s=bus_time.limit,
        backup_while_in_use=backup_while_in_use,
    )


def channel_of(system: System, channel: Channel, load: Load, guide: Guide) -> ChannelFacts:
    """Return the facts of a channel of a system, with its cables and addresses."""
    kind = guide.row("disk-busses", channel.kind)
    backup = load.usage.backup
    busy = backup and backup.while_in_use
    facts = channel_facts(
        channel.id, kind, len(channel.devices), _hot(system, channel, load),
        sum_lines(load.channels[channel.id], "KB/s"),
        any(d.purpose == "backup" for d in channel.devices) and busy,
        load.active.get(channel.id, Share()), load.bus_time.get(channel.id, Share()),
    )._replace(
        signalling=kind.text("signalling") or None,
        cable_m=channel.cable_m,
        cable_limit_m=kind.cell("cable_limit_m"),
        connector_pairs=channel.connector_pairs,
    )  # fmt: skip
    if "devices" in system.unstated and not channel.devices:
        return facts._replace(
            devices=None, random_disks=None, serial_disks=None, backup_while_in_use=None
        )
    rates = [d.rate_mb_per_s for d in channel.devices if d.kind == DISK]
    slow = [None if rate is None else rate.high <= 0 for rate in rates]
    return facts._replace(
        same_targets=_same_targets(channel),
        unusual_targets=_unusual_targets(channel, kind),
        asynchronous_disks=count_true(slow, "asynchronous disks", "disk"),
    )


def _hot(system: System, channel: Channel, load: Load) -> tuple[int, int] | None:
    """Return the hot disks read at random and serially; None if the use of a disk is unknown.

    Disks that are read in turns count as one, because one at a time is in use.
    """
    patterns = {d.id: load.patterns[d.id] for d in channel.devices if d.kind == DISK}
    if any(p.hot is None or (p.hot and p.access is None) for p in patterns.values()):
        return None
    random = sum(p.hot is True and p.access == "random" for p in patterns.values())
    serial = [disk for disk, p in patterns.items() if p.hot and p.access == "serial"]
    return random, len({_reader(load.usage, system, disk) for disk in serial})


def _reader(usage: UsageProfile, system: System, disk: str) -> tuple[str, ...]:
    """Return what a disk is busy for: a set of volumes read in turns, or the disk alone."""
    hot = [
        volume.name for volume in system.volumes
        if volume.is_on(disk)
        and volume.name in usage.volumes and usage.volumes[volume.name].hot
    ]  # fmt: skip
    if hot and all(usage.volumes[name].in_turns for name in hot):
        return ("volumes", *sorted(hot))
    return ("disk", disk)


def _same_targets(channel: Channel) -> Quantity | None:
    targets = [d.target for d in channel.devices if d.target is not None]
    unknown = len(channel.devices) - len(targets) if len(channel.devices) > 1 else 0
    return count_known(len(targets) - len(set(targets)), unknown, "devices at an address in use")


def _unusual_targets(channel: Channel, kind: Row) -> Quantity | None:
    usual = {name: kind.list(f"{name}_targets") for name in ("disk", "tape", "cd_rom")}
    ours = [(d.target, usual[d.kind]) for d in channel.devices if usual.get(d.kind)]
    unusual = [None if target is None else target not in usual for target, usual in ours]
    return count_true(unusual, "devices at unusual addresses")


def disk_facts(
    name: str,
    disk: Row,
    access: str | None,
    operations: Quantity | None,
    moved: Quantity | None,
    limits: DiskLimits,
    stored: Quantity | None,
) -> DiskFacts:
    """Return the facts of a disk under its load."""
    return DiskFacts(
        id=name,
        model=disk.id or None,
        access=access,
        operations_per_s=operations,
        maximum_ops_per_s=limits.maximum_ops,
        sustained_ops_per_s=limits.sustained_ops,
        demanded_kb_per_s=moved,
        maximum_kb_per_s=limits.maximum_kb,
        sustained_kb_per_s=limits.sustained_kb,
        stored_mb=stored,
        capacity_mb=disk.cell("capacity_mb"),
    )


def file_system_share(
    stored: Iterable[tuple[str | None, Quantity]], capacity: Quantity | None
) -> Quantity | None:
    """Return how full file systems are in what raw data leaves of a disk, by use and MB.

    None if the disk has no file system, or if a use or the capacity is unknown (1.2.4).
    """
    parts = tuple(stored)
    files = tuple(size for use, size in parts if use not in RAW_USES)
    if not files or capacity is None or any(use is None for use, _ in parts):
        return None
    left = capacity - total((size for use, size in parts if use in RAW_USES), "MB")
    return total(files, "MB") / left if left.low > 0 else None


def only_files(uses: Iterable[str | None]) -> bool | None:
    """Return whether all data on a disk is in file systems; None if a use is unknown."""
    found = tuple(uses)
    if any(use in RAW_USES for use in found) or not found:
        return False
    return None if None in found else True


def disk_of(device: Device, load: Load, guide: Guide) -> DiskFacts:
    """Return the facts of a disk of a system, with its partitions and ports."""
    row = guide.row(device.table, device.model)
    facts = disk_facts(
        device.id, row, load.patterns[device.id].access,
        sum_lines(load.disks[device.id], "op/s"), sum_lines(load.moved.get(device.id), "KB/s"),
        load.limits[device.id],
        sum_lines(load.stored[device.id], "MB"),
    )  # fmt: skip
    stored = [
        (use.use if (use := load.usage.volumes.get(item.name)) else None, item.figure)
        for item in load.stored[device.id] or ()
    ]
    return facts._replace(
        interface=row.text("interface") or None,
        dual_ported=device.dual_ported,
        **partition_facts([(part.use, part.hot) for part in device.partitions]),
        only_files=only_files(use for use, _ in stored),
        file_system_share=file_system_share(stored, row.cell("capacity_mb")),
        zones=zone_count(row, guide),
        zone_inversions=zone_inversions(device, guide),
    )


def partition_facts(parts: Sequence[tuple[str | None, bool | None]]) -> dict[str, Any]:
    """Return the facts of a disk's partitions, from the use of each and whether it is hot.

    A number is a range if some are unknown.
    """
    if not parts:
        return {}
    uses = [use for use, _ in parts]
    swap = [None if use is None else use == "swap" for use in uses]
    files = [
        False if hot is False or use in RAW_USES else None if use is None else hot
        for use, hot in parts
    ]
    return {
        "partitions": count(len(parts), "partitions"),
        "hot_partitions": count_true([hot for _, hot in parts], "hot partitions"),
        "swap_partitions": count_true(swap, "swap partitions"),
        "hot_file_systems": count_true(files, "hot file systems"),
        "uses": None if None in uses else tuple(sorted({use for use in uses if use})),
    }
