"""The load of a demand on a system: rates on its parts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from sizewright.configuration.model import Port, System
from sizewright.demand.model import Demand, Known, LineItem, Lines, VolumeDemand
from sizewright.demand.usage import UsageProfile, cached_lines, services_of, usage_of
from sizewright.guide.model import Guide, Row
from sizewright.load.channels import active_disks, active_part, attached_to, bus_time
from sizewright.load.cpu_load import Times
from sizewright.load.disk_work import ActiveWork, work_lines, work_rates
from sizewright.load.model import Load, NfsCapacity
from sizewright.load.network_traffic import data_lines, other_lines
from sizewright.load.nfs import interfaces_of, nfs_capacity
from sizewright.load.pace import work_loads
from sizewright.load.storage import (
    Stored,
    asked_by_disk,
    asked_of,
    bus_lines,
    channel_lines,
    moved_of,
    on_disks,
    operations_of,
    stored_lines,
)
from sizewright.quantity import count


def is_hot(volume: VolumeDemand, disk: Row, copies: int, demand: Demand, guide: Guide) -> bool:
    """Whether a volume is hot on a disk of a model, each of its copies being on one.

    Where nobody says so it is hot if it asks for more than the demand's `hot_share` of what the
    disk sustains. Work without a rate of its own keeps its disks busy for as long as it goes on.
    """
    if volume.hot is not None:
        return volume.hot
    if any(work.open_ended and not work.low for work in volume.work):
        return True
    asked = asked_of(demand, [Stored(volume, copies, copies)])
    active = active_part(disk, volume.access, asked, demand.exclusive, guide)
    if active is None:
        return bool(asked)
    return active.at(demand.size_for) > demand.hot_share


def add_activity(usage: UsageProfile, demand: Demand, system: System, guide: Guide) -> UsageProfile:
    """The usage of a system under a demand, with what is hot on its disks."""
    found = dict(_activities(demand, system, guide))
    if not found:
        return usage
    volumes = {
        name: use._replace(hot=found[name]) if name in found else use
        for name, use in usage.volumes.items()
    }
    return usage._replace(volumes=volumes)


def _activities(demand: Demand, system: System, guide: Guide) -> Iterator[tuple[str, bool]]:
    open_ = {volume.name: volume for volume in demand.volumes if volume.hot is None}
    models: Mapping[str, str] = {d.id: d.model for d in system.devices() if d.kind == "disk"}
    for laid in system.volumes if open_ else ():
        volume = open_.get(laid.name)
        if volume is not None:
            rows = {models[disk]: guide.row("disks", models[disk]) for disk in laid.disks}
            hot = (is_hot(volume, row, len(laid.copies), demand, guide) for row in rows.values())
            yield laid.name, any(hot)


class CpuLoad(NamedTuple):
    """Work as it goes on a system, what it sends, and the processor time that all takes.

    Time is told line by line in ms/s, in the kernel and in all; None where it is not known.
    """

    capacity: NfsCapacity | None
    works: tuple[ActiveWork, ...]
    data: Mapping[str, Lines]
    kernel: Known
    processors: Known


def cpu_load(demand: Demand, system: System, guide: Guide) -> CpuLoad:
    """How a demand keeps the processors of a system busy: much sooner told than its whole load."""
    capacity = nfs_capacity(guide, system.platform, interfaces_of(system, guide))
    works = work_rates(demand, system, guide)
    kernel, processors = Times(demand, system, guide, capacity).of(works)
    return CpuLoad(capacity, works, data_lines(demand), kernel, processors)


def derive_load(demand: Demand, system: System, guide: Guide) -> Load:
    """The load of a demand on a system, node by node."""
    return add_pace(derive_demanded(demand, system, guide), demand, system, guide)


def add_pace(load: Load, demand: Demand, system: System, guide: Guide) -> Load:
    """The same with the pace of work in runs, which no budget depends on."""
    return load._replace(works=work_loads(demand, system, guide, load.nfs_capacity))


def derive_demanded(demand: Demand, system: System, guide: Guide) -> Load:
    """The load of a demand without the pace of work in runs."""
    busy = cpu_load(demand, system, guide)
    asked = asked_by_disk(demand, on_disks(demand, system))
    moved = {disk: moved_of(each, demand.exclusive) for disk, each in asked.items()}
    channels = channel_lines(demand, system, guide, moved)
    usage = add_activity(usage_of(demand), demand, system, guide)
    attached = {
        c.id: attached_to(c, usage, system, guide, asked, channels[c.id], demand.exclusive)
        for c in system.channels
    }
    kinds = {c.id: guide.row("disk-busses", c.kind) for c in system.channels}
    return Load(
        networks=network_lines(demand, system),
        nfs=demand.at_peak(tuple(LineItem(s.service, s.weighted) for s in demand.streams)),
        nfs_capacity=busy.capacity,
        kernel_lock=busy.kernel,
        processors=busy.processors,
        disks={disk: operations_of(each, demand.exclusive) for disk, each in asked.items()},
        stored=stored_lines({v.name: v.size_mb for v in demand.volumes}, system),
        channels=channels,
        busses=bus_lines(system, guide, channels),
        memory=memory_lines(
            cached_lines(demand), services_of(demand), system.operating_system, guide
        ),
        data=on_ports(busy.data, system.ports),
        shared=on_ports(other_lines(demand), system.ports),
        low_priority=work_lines(work_rates(demand, system, guide, low=True), system, guide) or (),
        moved=moved,
        asked=asked,
        exclusive=demand.exclusive,
        active={name: active_disks(kinds[name], each) for name, each in attached.items()},
        bus_time={name: bus_time(kinds[name], each, guide) for name, each in attached.items()},
    )


def on_ports(data: Mapping[str, Lines], attached: Iterable[Port]) -> Mapping[str, Lines]:
    """Data of communities by port; the networks of one community share its data evenly."""
    ports: dict[str, list[str]] = {}
    for port in attached:
        ports.setdefault(port.network, []).append(port.id)
    return {
        port: tuple(
            line if len(ids) == 1
            else line._replace(figure=line.figure / count(len(ids), f"networks of {network}"))
            for line in data[network]
        )
        for network, ids in ports.items() if network in data for port in ids
    }  # fmt: skip


def network_lines(demand: Demand, system: System) -> Mapping[str, Lines]:
    """NFS operations a second on each port; segments of one community share its load evenly."""
    wanted = {network.name: network for network in demand.networks}
    segments: dict[str, int] = {}
    for port in system.ports:
        segments[port.network] = segments.get(port.network, 0) + 1
    lines: dict[str, Lines] = {}
    for port in system.ports:
        need = wanted.get(port.network)
        items = demand.at_peak(need.ops) if need else ()
        if segments[port.network] > 1:
            n = count(segments[port.network], f"networks of {port.network}")
            items = tuple(LineItem(item.name, item.figure / n) for item in items)
        lines[port.id] = items
    return lines


def memory_lines(
    asked: Lines, services: Collection[str], operating_system: str, guide: Guide
) -> Lines:
    """Memory for the operating system's own work and for all that asks for some, in MB."""
    working = guide.row("operating-systems", operating_system).find("working_memory_mb")
    if "database" in services and "nfs" not in services and "database" in guide.defaults:
        row = guide.row("database-systems", guide.defaults["database"])
        working = row.find("operating_system_memory_mb")
    return (*((LineItem("operating system", working),) if working is not None else ()), *asked)


def memory_of(usage: UsageProfile, operating_system: str, guide: Guide) -> Known:
    """The same of a use; None where it is not known what asks for memory, or what runs."""
    if usage.cached is None or not operating_system:
        return None
    return memory_lines(usage.cached, usage.services or (), operating_system, guide)
