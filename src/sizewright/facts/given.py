"""Draws the facts of a system from its configuration and load."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from sizewright.configuration.model import Channel, Device, System
from sizewright.configuration.slots import slot_groups
from sizewright.demand.model import Demand, Item
from sizewright.facts.network import network_facts
from sizewright.facts.records import (
    BusFacts,
    ChannelFacts,
    DiskFacts,
    NetworkFacts,
    SlotsFacts,
    SystemFacts,
    VolumeFacts,
)
from sizewright.facts.storage import channel_facts, disk_facts
from sizewright.figure import Figure, count, mean, readings, total
from sizewright.guide.model import Guide, Row
from sizewright.load.model import Lines, Load, NfsCapacity
from sizewright.load.nfs import processor_second
from sizewright.load.place import memory_lines

SYSTEM = "system"


class Facts(NamedTuple):
    """Every subject of one system; rules on any subject may also read the system's."""

    system: SystemFacts
    networks: tuple[NetworkFacts, ...]
    slots: tuple[SlotsFacts, ...]
    busses: tuple[BusFacts, ...]
    channels: tuple[ChannelFacts, ...]
    disks: tuple[DiskFacts, ...]
    volumes: tuple[VolumeFacts, ...]

    def by_subject(self) -> Mapping[str, tuple[Any, ...]]:
        """Subject name -> its records."""
        return {
            SYSTEM: (self.system,),
            "network": self.networks,
            "slots": self.slots,
            "bus": self.busses,
            "channel": self.channels,
            "disk": self.disks,
            "volume": self.volumes,
        }


def sum_of(lines: Lines, unit: str) -> Figure:
    """The total of budget lines."""
    return total((line.figure for line in lines), unit)


def given_facts(demand: Demand, system: System, load: Load, guide: Guide) -> Facts:
    """All facts that need no budget; the rest is still unknown."""
    return Facts(
        system=_system(demand, system, load, guide),
        networks=tuple(_networks(demand, system, load, guide)),
        slots=_slots(system, guide),
        busses=_busses(system, load, guide),
        channels=tuple(_channel(demand, system, c, load, guide) for c in system.channels),
        disks=tuple(
            _disk(demand, system, d, load, guide) for d in system.devices() if d.kind == "disk"
        ),
        volumes=_volumes(demand, system),
    )


def machine_facts(
    demand: Demand, platform: Row, processors: int, operating_system: str, guide: Guide
) -> dict[str, Any]:
    """The facts of a system that its demand, platform and operating system settle."""
    ops = sum_of(demand.at_worst(tuple(Item(s.service, s.ops) for s in demand.streams)), "op/s")
    weighted = demand.at_worst(tuple(Item(s.service, s.weighted) for s in demand.streams))
    backup = demand.backup
    return {
        "platform": platform.id,
        "desktop": platform.flag("desktop"),
        "processors": count(processors, "processors"),
        "fewest_processors": count(min(platform.list("processor_counts") or (1,)), "fewest"),
        "kernel_locks": guide.row("operating-systems", operating_system).find("kernel_locks"),
        "clients": demand.clients,
        "diskless_clients": demand.diskless_clients,
        "nfs_ops_per_s": ops,
        "nfs_weighted_ops_per_s": sum_of(weighted, "op/s"),
        "nfs_write_share": write_share(demand),
        "memory_needed_mb": sum_of(memory_lines(demand, operating_system, guide), "MB"),
        "onboard_memory_limit_mb": platform.find("onboard_memory_limit_mb"),
        "stored_mb": total((v.size_mb for v in demand.volumes), "MB"),
        "backup_wanted": backup.wanted,
        "backup_while_in_use": backup.wanted
        and (backup.during_working_hours or backup.at_night_in_use),
    }


def write_share(demand: Demand) -> Figure | None:
    """Writes among all NFS operations, over all moments; None without operations."""
    found: Figure | None = None
    for streams in demand.moments():
        busy = [s for s in streams if s.ops.high > 0]
        if not busy:
            continue
        share = mean([s.write_share for s in busy], [s.ops for s in busy])
        found = readings(found, share) if found else share
    return found


def nfs_facts(
    capacity: NfsCapacity | None, networks: int, interface_kinds: Collection[str]
) -> dict[str, Any]:
    """The facts that the networks settle."""
    return {
        "networks": count(networks, "networks attached"),
        "required_networks": capacity.required_networks if capacity else None,
        "nfs_maximum_ops_per_s": capacity.maximum if capacity else None,
        "nfs_sustained_ops_per_s": capacity.sustained if capacity else None,
        "protocol_offload": "protocol_offload_nic" in interface_kinds,
    }


def memory_facts(platform: Row, memory_mb: float) -> dict[str, Any]:
    """The facts that the memory settles."""
    onboard = platform.find("onboard_memory_limit_mb")
    beyond = max(0.0, memory_mb - onboard.likely) if onboard else 0.0
    return {
        "memory_mb": count(memory_mb, "memory installed", "MB"),
        "expansion_memory_mb": count(beyond, "memory on expansion boards", "MB"),
    }


def _system(demand: Demand, system: System, load: Load, guide: Guide) -> SystemFacts:
    platform = guide.row("platforms", system.platform)
    lock = sum_of(load.kernel_lock, "ms/s")
    processors = sum_of(load.processors, "ms/s")
    nvram = guide.row("nvram-accelerators", system.accelerator) if system.accelerator else None
    kinds = {guide.row("software", name).text("kind") for name in system.software}
    interfaces = {
        guide.row("network-interfaces", p.interface).text("interface_kind") for p in system.ports
    }
    measured = bool(load.nfs) and load.nfs_capacity is not None
    return SystemFacts(
        **machine_facts(demand, platform, system.processors, system.operating_system, guide),
        **nfs_facts(load.nfs_capacity, len(system.ports), interfaces),
        **memory_facts(platform, system.memory_mb),
        id=system.id,
        kernel_lock_share=lock / processor_second() if measured else None,
        processor_share=processors / processor_second(system.processors) if measured else None,
        mirrored=any(len(v.copies) > 1 and v.manager for v in system.volumes),
        volume_manager="volume_manager" in kinds,
        online_backup="online_backup" in kinds,
        backup_device=any(_backs_up(d, guide) for d in system.devices()),
        nvram_accelerator=nvram is not None,
        nvram_bus=nvram.text("bus") if nvram else "",
        disk_adapter_busses=_adapter_busses(system, platform.text("builtin_io_bus")),
        write_gathering="write_gathering_nfs" in kinds,
    )


def _backs_up(device: Device, guide: Guide) -> bool:
    return device.kind != "disk" and "backup" in guide.row(device.table, device.model).list("use")


def _adapter_busses(system: System, builtin: str) -> tuple[str, ...]:
    busses = {board.id: board.bus for board in system.boards}
    found = {
        busses.get(channel.provider, builtin)
        for channel in system.channels
        if any(d.kind == "disk" for d in channel.devices)
    }
    return tuple(sorted(found))


def _networks(demand: Demand, system: System, load: Load, guide: Guide) -> list[NetworkFacts]:
    wanted = {network.name: network for network in demand.networks}
    segments: dict[str, int] = {}
    for port in system.ports:
        segments[port.network] = segments.get(port.network, 0) + 1
    return [
        network_facts(
            port.id,
            guide.row("network-interfaces", port.interface),
            wanted.get(port.network),
            segments[port.network],
            sum_of(load.networks[port.id], "op/s"),
            guide,
        )
        for port in system.ports
    ]


def _slots(system: System, guide: Guide) -> tuple[SlotsFacts, ...]:
    return tuple(
        SlotsFacts(
            group.name,
            count(sum(n for _, n in group.taken), "slots used", "slot"),
            count(group.available, "slots there are", "slot"),
        )
        for group in slot_groups(guide, system)
    )


def _busses(system: System, load: Load, guide: Guide) -> tuple[BusFacts, ...]:
    rates: dict[str, Row] = {
        row.text("bus"): row
        for row in guide.table("platform-busses")
        if row.text("platform") == system.platform
    }
    return tuple(
        BusFacts(bus, sum_of(lines, "MB/s"), rates[bus].find("sustained_mb_per_s") if bus in rates
                 else None)
        for bus, lines in load.busses.items()
    )  # fmt: skip


def _channel(
    demand: Demand, system: System, channel: Channel, load: Load, guide: Guide
) -> ChannelFacts:
    hot = hot_disks(demand, system)
    patterns = [_access(demand, system, d.id) for d in channel.devices if d.id in hot]
    busy = demand.backup.wanted and demand.backup.during_working_hours
    return channel_facts(
        channel.id,
        guide.row("disk-busses", channel.kind),
        len(channel.devices),
        (patterns.count("random"), patterns.count("serial")),
        sum_of(load.channels[channel.id], "KB/s"),
        busy and any(d.purpose == "backup" for d in channel.devices),
    )


def hot_disks(demand: Demand, system: System) -> frozenset[str]:
    """Disks with data in frequent use."""
    hot = {v.name for v in demand.volumes if v.hot}
    return frozenset(
        part.disk
        for volume in system.volumes
        if volume.name in hot
        for copy in volume.copies
        for part in copy
    )


def _access(demand: Demand, system: System, disk: str) -> str:
    here = {
        volume.name for volume in system.volumes
        if any(part.disk == disk for copy in volume.copies for part in copy)
    }  # fmt: skip
    stored = [v for v in demand.volumes if v.name in here]
    found = {v.access for v in ([v for v in stored if v.hot] or stored)}
    return "random" if "random" in found else "serial" if found else ""


def _disk(demand: Demand, system: System, device: Device, load: Load, guide: Guide) -> DiskFacts:
    return disk_facts(
        device.id,
        guide.row(device.table, device.model),
        _access(demand, system, device.id),
        sum_of(load.disks[device.id], "op/s"),
        sum_of(load.stored[device.id], "MB"),
        demand.transfer_kb,
    )


def _volumes(demand: Demand, system: System) -> tuple[VolumeFacts, ...]:
    wanted = {volume.name: volume for volume in demand.volumes}
    channel_of = {d.id: channel.id for channel in system.channels for d in channel.devices}
    found = []
    for volume in system.volumes:
        need = wanted.get(volume.name)
        disks = [{part.disk for part in copy} for copy in volume.copies]
        channels = [{channel_of[d] for d in copy} for copy in disks]
        found.append(
            VolumeFacts(
                id=volume.name,
                access=need.access if need else "random",
                protection=need.protection if need else "none",
                copies=count(len(volume.copies), "copies"),
                copies_share_channel=_overlap(channels),
                copies_share_disk=_overlap(disks),
            )
        )
    return tuple(found)


def _overlap(sets: list[set[str]]) -> bool:
    return sum(map(len, sets)) > len(set().union(*sets)) if sets else False
