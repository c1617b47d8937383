"""The load of a demand on a system: rates on its parts."""

import math
from collections.abc import Iterable, Mapping
from functools import partial

from sizewright.configuration.model import Port, System
from sizewright.demand.model import Demand, VolumeDemand
from sizewright.demand.rates import Known, LineItem, Lines
from sizewright.demand.usage import UsageProfile, usage_of
from sizewright.guide.model import Guide, Row
from sizewright.load.channels import active_part, channel_use
from sizewright.load.cpu_load import cpu_load
from sizewright.load.disk_work import disk_patterns, work_lines
from sizewright.load.lines import on_system
from sizewright.load.model import Load
from sizewright.load.network_traffic import data_lines, wire_lines, wire_ops
from sizewright.load.storage import (
    Stored,
    asked_by_disk,
    asked_of,
    bus_lines,
    channel_lines,
    disk_limits,
    for_equal_disks,
    moved_of,
    on_disks,
    operations_of,
    stored_lines,
)
from sizewright.quantity import count


def is_hot(volume: VolumeDemand, busy: float, demand: Demand) -> bool:
    """Return whether a volume is hot that keeps a disk `busy`, as `busy_share` returns it.

    If it is not stated, it is hot if it keeps the disk busier than the demand's `hot_share`.
    """
    return busy > demand.hot_share if volume.hot is None else volume.hot


def busy_share(volume: VolumeDemand, disk: Row, copies: int, demand: Demand, guide: Guide) -> float:
    """Return the load of a volume ÷ the rate that a disk sustains, with each copy on one disk.

    It is infinite if the disk has no rate for the work. Open-ended work keeps its disks busy as
    long as it runs.
    """
    if any(work.open_ended and not work.low for work in volume.work):
        return math.inf
    asked = asked_of(demand, [Stored(volume, copies, copies)])
    active = active_part(disk, volume.access, asked, demand.exclusive, guide)
    if active is None:
        return math.inf if asked else 0
    return active.at(demand.size_for)


def add_activity(usage: UsageProfile, demand: Demand, system: System, guide: Guide) -> UsageProfile:
    """Return the usage of a system under a demand, with what is busy and hot on its disks."""
    needs = {volume.name: volume for volume in demand.volumes}
    models = {disk.id: disk.model for disk in system.disks()}
    volumes = dict(usage.volumes)
    for volume in system.volumes:
        if (need := needs.get(volume.name)) is None:
            continue
        rows = [guide.row("disks", model) for model in {models[disk] for disk in volume.disks}]
        copies = len(volume.copies)
        busy = max((busy_share(need, row, copies, demand, guide) for row in rows), default=0)
        hot = is_hot(need, busy, demand)
        volumes[volume.name] = volumes[volume.name]._replace(hot=hot, busy=busy)
    return usage._replace(volumes=volumes)


def usage_on(demand: Demand, system: System, guide: Guide) -> UsageProfile:
    """Return the usage of a system under a demand, with the traffic of its lines."""
    placed = on_system(demand, system, guide)
    return add_activity(usage_of(placed), placed, system, guide)


def derive_load(demand: Demand, system: System, guide: Guide) -> Load:
    """Return the whole load of a demand on a system, with the pace of work in runs."""
    return add_pace(derive_demanded(demand, system, guide), demand, system, guide)


def add_pace(load: Load, demand: Demand, system: System, guide: Guide) -> Load:
    """Return a load with the pace of work in runs, on which no budget depends."""
    if not demand.operations:
        return load
    # File service alone has no work in runs and does not need the pace of any.
    from sizewright.load.pace import work_loads

    demand = on_system(demand, system, guide)
    return load._replace(works=work_loads(demand, system, guide, load.nfs_capacity))


def derive_demanded(
    demand: Demand, system: System, guide: Guide, usage: UsageProfile | None = None
) -> Load:
    """Return the load of a demand without the pace of work in runs.

    `usage` is that of the demand alone, to be calculated once for several systems.
    """
    placed = on_system(demand, system, guide)
    usage = usage if usage and placed is demand else usage_of(placed)
    demand = placed
    usage = add_activity(usage, demand, system, guide)
    exclusive = demand.exclusive
    cpu = cpu_load(demand, system, guide)
    asked = asked_by_disk(demand, on_disks(demand, system))
    patterns = disk_patterns(usage, system)
    equal = partial(for_equal_disks, system, guide, patterns, asked)
    moved = equal(lambda _, __, each: moved_of(each or (), exclusive))
    channels = channel_lines(demand, system, guide, moved)
    networks: dict[str, Lines] = {port.id: () for port in system.ports}
    networks |= on_ports({n.name: demand.at_peak(n.ops) for n in demand.networks}, system.ports)
    load = Load(
        networks=networks,
        nfs=demand.at_peak(tuple(LineItem(s.service, s.weighted) for s in demand.streams)),
        nfs_capacity=cpu.capacity,
        kernel_lock=cpu.kernel,
        processors=cpu.processors,
        disks=equal(lambda _, __, each: operations_of(each or (), exclusive)),
        stored=stored_lines({v.name: v.size_mb for v in demand.volumes}, system),
        channels=channels,
        busses=bus_lines(system, guide, channels),
        memory=memory_lines(usage, system.operating_system, guide),
        usage=usage,
        patterns=patterns,
        data=on_ports(data_lines(demand), system.ports),
        wires=on_ports(wire_lines(demand), system.ports),
        wire_ops=on_ports(wire_ops(demand), system.ports),
        low_priority=work_lines(demand, system, guide, low=True) or (),
        moved=moved,
        asked=asked,
        exclusive=exclusive,
        untimed_kernel=demand.untimed(in_kernel=True),
        untimed=demand.untimed(in_kernel=False),
    )
    return add_disk_use(load, system, guide)


def add_disk_use(load: Load, system: System, guide: Guide) -> Load:
    """Return a load with the use of its disks and channels, from the demand on each disk."""
    active, bus_time = channel_use(load, system, guide)
    transfer_kb, exclusive = load.usage.transfer_kb, load.exclusive
    limits = for_equal_disks(
        system, guide, load.patterns, load.asked,
        lambda row, use, each: disk_limits(row, use.access, each, transfer_kb, guide, exclusive),
    )  # fmt: skip
    return load._replace(limits=limits, active=active, bus_time=bus_time)


def on_ports(data: Mapping[str, Lines], attached: Iterable[Port]) -> dict[str, Lines]:
    """Return lines of communities by port; the networks of one community share them evenly."""
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


def memory_lines(usage: UsageProfile, operating_system: str, guide: Guide) -> Known:
    """Return the memory in MB of the operating system, and of all that asks for some.

    None if it is not known what asks for memory, or which operating system runs.
    """
    if usage.cached is None or not operating_system:
        return None
    working = guide.row("operating-systems", operating_system).cell("working_memory_mb")
    services = usage.services or ()
    if "database" in services and "nfs" not in services and "database" in guide.defaults:
        usual = guide.default_row("database-systems", "database")
        working = usual.cell("operating_system_memory_mb")
    own = () if working is None else (LineItem("operating system", working, grows=False),)
    return *own, *usage.cached
