"""A configuration as it is to be installed: addresses, partitions, the kernel's parameters."""

from collections.abc import Collection, Iterator, Mapping
from math import floor
from typing import Any

from sizewright.configuration.model import Channel, Device, Partition, System, Volume
from sizewright.configuration.slots import slots_of
from sizewright.demand.rates import FILE_SYSTEM, LineItem, sum_lines
from sizewright.demand.usage import UsageProfile, VolumeUse
from sizewright.guide.model import UNKNOWN, Guide, Row, cells
from sizewright.quantity import Quantity, ambiguous, ceil, count, largest, total
from sizewright.units import PURE
from sizewright.workload.volume import BACKUP_INDEX, ROOT

_TABLE = "tunables"
NFSD = "nfsd"


def nfsd(usage: UsageProfile, platform: Row, guide: Guide) -> Quantity | None:
    """Return how many nfsd a file server starts; None for others, or if processes are not known.

    It is the usual number (2.2.3), or less, so that each process has a context.
    """
    row = guide.table(_TABLE).rows.get(NFSD)
    usual = row.cell("recommended") if row else None
    if usual is None or usage.processes is None or "nfs" not in (usage.services or ()):
        return None
    started, unit = usual.high, contexts(platform, guide)
    if unit is not None:
        others = sum_lines(usage.processes, PURE)
        left = floor(unit.low - others.high) - 1
        started = max(usual.low, min(usual.high, left))
    return count(started, "nfsd processes started")


def contexts(platform: Row, guide: Guide) -> Quantity | None:
    """Return the contexts of a platform if each process needs one (2.2.3, Table 4)."""
    row = guide.row("mmu", platform.text("mmu"))
    return row.cell("contexts") if row.text("mmu_type") == "SRAM" else None


def processes(
    usage: UsageProfile, platform: Row, guide: Guide, started: Quantity | None
) -> tuple[LineItem, ...] | None:
    """Return the processes that are active at once, first nfsd: as stated, else as advised."""
    if usage.processes is None:
        return None
    own = started or nfsd(usage, platform, guide)
    if own is None:
        return usage.processes
    served = LineItem(NFSD, own)
    there = total((own, *(line.figure for line in usage.processes)), PURE)
    apart = total((line.figure for line in usage.without_files), PURE)
    if apart.high <= there.high:
        return served, *usage.processes
    # Services that are never active beside file service have its contexts too.
    return served, LineItem("others, with or without file service", largest(there, apart) - own)


def name_cache_entries(maxusers: Quantity | None, guide: Guide) -> Quantity | None:
    """Return the entries of the kernel's cache of names, by the parameter for its size."""
    for row in guide.table(_TABLE):
        base, each = row.cell("base_entries"), row.cell("entries_per_maxusers")
        if maxusers is not None and base is not None and each is not None:
            return base + each * maxusers
    return None


def zones_of(model: str, guide: Guide) -> list[tuple[float, float]]:
    """Return first cylinder and track size of each zone of a disk, outermost first."""
    return sorted(
        (row.number("start_cylinder"), row.number("track_size_sectors"))
        for row in guide.table("disk-zones")
        if model in row.list("disks") and row.cell("start_cylinder") is not None
    )


def zone_count(disk: Row, guide: Guide) -> Quantity | None:
    """Return the zones of different speed; 1 if all tracks are equal, None if not printed."""
    sizes = {size for _, size in zones_of(disk.id, guide)}
    if sizes:
        return count(len(sizes), "zones")
    known = disk.id != UNKNOWN and disk.cell("zone_gain_percent") is None
    return count(1, "zones") if known else None


def maxusers(memory_mb: Any, usage: UsageProfile, guide: Guide) -> Quantity | None:
    """Return MAXUSERS for the memory of a system; None if that is not known.

    It is the value that the text prints for a server of files, and about one for each MB for any
    other (section 2.10.4 and Rule XXII).
    """
    if not isinstance(memory_mb, (int, float)):
        return None
    files = "nfs" in (usage.services or ())
    return (files and _for_files(memory_mb, guide)) or _for_memory(memory_mb, guide)


def _planned_maxusers(memory_mb: Any, usage: UsageProfile, guide: Guide) -> Quantity | None:
    """Return MAXUSERS that satisfies Rule XXII too, which asks for more than the text sometimes."""
    found = maxusers(memory_mb, usage, guide)
    return found and largest(*filter(None, (found, _for_memory(memory_mb, guide))))


def _for_memory(memory_mb: float, guide: Guide) -> Quantity | None:
    each = next(cells(maxusers_rows(guide), "recommended_per_mb"), None)
    return each and each * count(memory_mb, "memory installed", "MB")


def _for_files(memory_mb: float, guide: Guide) -> Quantity | None:
    """Return what is printed for this memory or the next smaller; None if there is nothing."""
    found = [
        row.require("recommended") for row in maxusers_rows(guide)
        if (least := row.cell("memory_from_mb")) is not None
        and (memory_mb >= least.likely if row.cell("memory_to_mb") else memory_mb > least.likely)
    ]  # fmt: skip
    return largest(*found) if found else None


def maxusers_rows(guide: Guide) -> list[Row]:
    """Return the rows that advise MAXUSERS."""
    return [row for row in guide.table(_TABLE) if row.text("name") == "MAXUSERS"]


# Uses of volumes with a file system; the rest are partitions without one.
_FILES = (FILE_SYSTEM, ROOT, BACKUP_INDEX)
_UNKNOWN = VolumeUse()

Settled = Mapping[str, Mapping[str, Mapping[str, Any]]]


def install(system: System, usage: UsageProfile, guide: Guide) -> System:
    """Return a planned system with the values of its installation; stated values stay."""
    # A disk for the operating system that is not planned has the first target of a disk.
    uses = [volume.use for volume in usage.volumes.values()]
    apart = bool(uses) and lacks_system_disk(uses, system.operating_system, guide)
    channels = tuple(
        _channel(channel, system, usage, guide, disks_before=int(apart and n == 0))
        for n, channel in enumerate(system.channels)
    )
    platform, memory = guide.row("platforms", system.platform), system.memory_mb
    values = {
        "maxusers": _planned_maxusers(memory, usage, guide),
        "nfsd": nfsd(usage, platform, guide),
    }
    known = {name: value for name, value in values.items() if value is not None}
    volumes = tuple(_striped(volume, guide) for volume in system.volumes)
    return system._replace(
        channels=channels, volumes=volumes, tunables={**known, **system.tunables}
    )


def resize(system: System, sizes: Mapping[str, float], usage: UsageProfile, guide: Guide) -> System:
    """Return an installed system with volumes of other sizes, in MB by their names."""
    volumes = tuple(v.of_size(sizes[v.name]) if v.name in sizes else v for v in system.volumes)
    disks = frozenset[str]().union(*(v.disks for v in volumes if v not in system.volumes))

    def bare(device: Device) -> Device:
        return device._replace(partitions=()) if device.id in disks else device

    channels = tuple(c._replace(devices=tuple(map(bare, c.devices))) for c in system.channels)
    return install(system._replace(volumes=volumes, channels=channels), usage, guide)


def _striped(volume: Volume, guide: Guide) -> Volume:
    """Return a volume whose stripe has pieces of the size that is advised (2.11.2, 2.11.3).

    All disks share one transfer, so that more of them have smaller pieces, of whole blocks.
    """
    row = guide.table("tunables").rows.get("interlace")
    if row is None or volume.layout != "stripe" or volume.interlace_kb is not None:
        return volume
    size, block, few = map(row.cell, ("recommended_kb", "lowest_kb", "recommended_disks"))
    disks = max(len(copy) for copy in volume.copies)
    if size is not None and block is not None and few is not None and disks > few.likely:
        blocks = max(1, floor(size.high * few.likely / disks / block.likely))
        most = block * count(blocks, f"blocks of a piece on each of {disks} disks")
        size = most if blocks == 1 else ambiguous(block, most)
    return volume._replace(interlace_kb=size)


def lacks_system_disk(uses: Collection[str | None], operating_system: str, guide: Guide) -> bool:
    """Return whether an operating system needs a disk, and volumes of these uses have none."""
    runs = guide.row("operating-systems", operating_system)
    return runs.cell("system_mb") is not None and ROOT not in uses


def _channel(
    channel: Channel, system: System, usage: UsageProfile, guide: Guide, disks_before: int
) -> Channel:
    devices = tuple(_partitioned(device, system, usage, guide) for device in channel.devices)
    return channel._replace(
        devices=tuple(_addressed(devices, guide.row("disk-busses", channel.kind), disks_before))
    )


def _addressed(devices: tuple[Device, ...], kind: Row, disks_before: int) -> Iterator[Device]:
    """Devices at the customary addresses of their kind (2.3.3), then at those that are left.

    The first addresses of disks stay free for a number of other ones.
    """
    usual = {name: list(kind.list(f"{name}_targets")) for name in ("disk", "tape", "cd_rom")}
    most = kind.cell("targets_limit")
    if not any(usual.values()) or most is None or any(d.target is not None for d in devices):
        yield from devices
        return
    kept, usual["disk"] = usual["disk"][:disks_before], usual["disk"][disks_before:]
    own = kind.cell("adapter_target")
    given: dict[str, int] = {}
    for device in devices:
        if usual.get(device.kind):
            given[device.id] = usual[device.kind].pop(0)
    every = range(int(most.likely) + 1)
    left = iter(
        n for n in every
        if n not in (*given.values(), *kept) and (own is None or n != own.likely)
    )  # fmt: skip
    for device in devices:
        target = given[device.id] if device.id in given else next(left, None)
        yield device._replace(target=target)


def _partitioned(device: Device, system: System, usage: UsageProfile, guide: Guide) -> Device:
    """Return a disk with a partition for each volume on it, the busiest first (Rule X)."""
    if device.kind != "disk" or device.partitions:
        return device
    here = [volume for volume in system.volumes if volume.is_on(device.id)]
    uses = {volume.name: _use(volume, usage) for volume in here}
    here.sort(key=lambda volume: (
        not uses[volume.name].hot, -uses[volume.name].busy,
        # Used while a backup runs only.
        uses[volume.name].use == BACKUP_INDEX,
    ))  # fmt: skip
    row = guide.row(device.table, device.model)
    return device._replace(partitions=tuple(_partitions(device.id, here, row, usage)))


def _use(volume: Volume, usage: UsageProfile) -> VolumeUse:
    return usage.volumes.get(volume.name, _UNKNOWN)


def _partitions(
    disk: str, volumes: list[Volume], row: Row, usage: UsageProfile
) -> Iterator[Partition]:
    """Yield partitions in the order of volumes, with their start if cylinders have a size."""
    cylinder = row.cell("cylinder_kb")
    start = count(0, f"first cylinder of {disk}", "cylinder")
    for volume in volumes:
        use = _use(volume, usage)
        here = (part for copy in volume.copies for part in copy if part.disk == disk)
        size = count(sum(part.size_mb for part in here), f"{volume.name} on {disk}", "MB")
        begins = start if cylinder is not None else None
        yield Partition(volume.name, size, begins, use.use, use.hot)
        if cylinder is not None:
            # A cylinder has about this many KB; a partition takes whole ones.
            start = start + ceil(size.to("KB") / (cylinder / count(1, "cylinder", "cylinder")))


def installed_facts(system: System, usage: UsageProfile, guide: Guide) -> Settled:
    """Return facts of a planned system that installation makes true, by subject and id."""
    shared = {d.id for d in system.devices() if d.dual_ported}
    served = bool(system.accelerator)
    parts = guide.table("third-party-parts")
    joining = {row.id for row in parts if row.text("kind") == "network_concentrator"}
    return {
        "network": {
            port.id: {"concentrator": True} for port in system.ports
            if not joining.isdisjoint(guide.row("network-interfaces", port.interface).list("needs"))
        },
        "slots": {
            bus: {"gaps_without_jumpers": count(0, "empty slots without jumpers", "slot")}
            for bus in {s.bus for s in slots_of(guide, system.platform, system.processors)}
        },
        "disk": {
            d.id: {"accelerated": served and d.id not in shared}
            for d in system.devices() if d.kind == "disk"
        },
        "volume": {
            v.name: {
                "accelerated": served and not v.disks & shared,
                **({"clustered": True} if v.manager and _use(v, usage).use in _FILES else {}),
            }
            for v in system.volumes
        },
    }  # fmt: skip
