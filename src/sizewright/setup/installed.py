"""A configuration as it is to be installed: addresses, partitions, the kernel's parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sizewright.configuration.model import Channel, Device, Partition, System, Volume
from sizewright.configuration.slots import slots_of
from sizewright.demand.usage import Usage, VolumeUse
from sizewright.guide.model import Guide, Row
from sizewright.quantity import Quantity, ceil, count
from sizewright.setup import kernel

_FILES = "file_system"
_UNKNOWN = VolumeUse()

Settled = Mapping[str, Mapping[str, Mapping[str, Any]]]


def set_up(system: System, usage: Usage, guide: Guide) -> System:
    """A planned system with what installation is to give it; what is stated already stays."""
    channels = tuple(_channel(channel, system, usage, guide) for channel in system.channels)
    platform, memory = guide.row("platforms", system.platform), system.memory_mb
    values = {
        "maxusers": kernel.maxusers(memory, guide) if isinstance(memory, (int, float)) else None,
        "nfsd": kernel.nfsd(usage, platform, guide),
    }
    known = {name: value for name, value in values.items() if value is not None}
    volumes = tuple(_striped(volume, guide) for volume in system.volumes)
    return system._replace(
        channels=channels, volumes=volumes, tunables={**known, **system.tunables}
    )


def _striped(volume: Volume, guide: Guide) -> Volume:
    """A volume whose stripe has pieces of the size that is advised (2.11.3)."""
    row = guide.tables["tunables"].rows.get("interlace") if "tunables" in guide.tables else None
    if row is None or volume.layout != "stripe" or volume.interlace_kb is not None:
        return volume
    return volume._replace(interlace_kb=row.find("recommended_kb"))


def _channel(channel: Channel, system: System, usage: Usage, guide: Guide) -> Channel:
    devices = tuple(_partitioned(device, system, usage, guide) for device in channel.devices)
    return channel._replace(
        devices=tuple(_addressed(devices, guide.row("disk-busses", channel.kind)))
    )


def _addressed(devices: tuple[Device, ...], kind: Row) -> Iterator[Device]:
    """Devices at the customary addresses of their kind (2.3.3), then at those that are left."""
    usual = {name: list(kind.list(f"{name}_targets")) for name in ("disk", "tape", "cd_rom")}
    most = kind.find("targets_limit")
    if not any(usual.values()) or most is None or any(d.target is not None for d in devices):
        yield from devices
        return
    own = kind.find("adapter_target")
    given: dict[str, int] = {}
    for device in devices:
        if usual.get(device.kind):
            given[device.id] = usual[device.kind].pop(0)
    every = range(int(most.likely) + 1)
    left = iter(
        n for n in every if n not in given.values() and (own is None or n != own.likely)
    )  # fmt: skip
    for device in devices:
        target = given[device.id] if device.id in given else next(left, None)
        yield device._replace(target=target)


def _partitioned(device: Device, system: System, usage: Usage, guide: Guide) -> Device:
    """A disk with a partition for each volume on it, hot ones first (Rule X)."""
    if device.kind != "disk" or device.partitions:
        return device
    here = [volume for volume in system.volumes if volume.lies_on(device.id)]
    here.sort(key=lambda volume: not _use(volume, usage).hot)
    row = guide.row(device.table, device.model)
    return device._replace(partitions=tuple(_partitions(device.id, here, row, usage)))


def _use(volume: Volume, usage: Usage) -> VolumeUse:
    return usage.volumes.get(volume.name, _UNKNOWN)


def _partitions(disk: str, volumes: list[Volume], row: Row, usage: Usage) -> Iterator[Partition]:
    """Partitions in the order of volumes; where they begin is told where cylinders have a size."""
    cylinder = row.find("cylinder_kb")
    start = count(0, f"first cylinder of {disk}", "cylinder")
    for volume in volumes:
        use = _use(volume, usage)
        size = count(_size_mb(volume, disk), f"{volume.name} on {disk}", "MB")
        begins = start if cylinder is not None else None
        yield Partition(volume.name, size, begins, use.use, use.hot)
        if cylinder is not None:
            start = start + _cylinders(size, cylinder)


def _cylinders(size: Quantity, cylinder: Quantity) -> Quantity:
    """Whole cylinders of about so many kilobytes that hold a partition."""
    each = cylinder / count(1, "cylinder", "cylinder")
    return ceil(size.to("KB") / each)


def _size_mb(volume: Volume, disk: str) -> float:
    return sum(part.size_mb for copy in volume.copies for part in copy if part.disk == disk)


def settled(system: System, usage: Usage, guide: Guide) -> Settled:
    """Facts of a planned system that installation makes true, by subject and id."""
    shared = {d.id for d in system.devices() if d.dual_ported}
    served = bool(system.accelerator)
    return {
        "network": {
            port.id: {"concentrator": True} for port in system.ports
            if _needs_concentrator(port.interface, guide)
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
                **({"clustered": True} if v.manager and _use(v, usage).use == _FILES else {}),
            }
            for v in system.volumes
        },
    }  # fmt: skip


def _needs_concentrator(interface: str, guide: Guide) -> bool:
    parts = guide.tables["third-party-parts"].rows if "third-party-parts" in guide.tables else {}
    needs = guide.row("network-interfaces", interface).list("needs")
    return any(
        name in parts and parts[name].text("kind") == "network_concentrator" for name in needs
    )
