"""Places a demand on a system: the one way from operations to rates on nodes."""

from __future__ import annotations

from collections.abc import Mapping

from sizewright.configuration.model import System
from sizewright.demand.model import Demand, Item
from sizewright.demand.usage import cached_lines
from sizewright.figure import count
from sizewright.guide.model import Guide
from sizewright.load.model import Lines, Load
from sizewright.load.nfs import kernel_lines, nfs_capacity
from sizewright.load.storage import bus_lines, channel_lines, disk_lines, stored_lines


def load_on(demand: Demand, system: System, guide: Guide) -> Load:
    """The load of a demand on a system, node by node."""
    capacity = nfs_capacity(guide, system.platform, len(system.ports))
    kernel = kernel_lines(demand, system, guide, capacity)
    disks = disk_lines(demand, system)
    return Load(
        networks=network_lines(demand, system),
        nfs=demand.at_worst(tuple(Item(s.service, s.weighted) for s in demand.streams)),
        nfs_capacity=capacity,
        kernel_lock=kernel,
        processors=kernel,
        disks=disks,
        stored=stored_lines({v.name: v.size_mb for v in demand.volumes}, system),
        channels=channel_lines(demand, system, guide, disks),
        busses=bus_lines(system, guide),
        memory=memory_lines(cached_lines(demand), system.operating_system, guide),
    )


def network_lines(demand: Demand, system: System) -> Mapping[str, Lines]:
    """NFS operations a second on each port; segments of one community share its load evenly."""
    wanted = {network.name: network for network in demand.networks}
    segments: dict[str, int] = {}
    for port in system.ports:
        segments[port.network] = segments.get(port.network, 0) + 1
    lines: dict[str, Lines] = {}
    for port in system.ports:
        need = wanted.get(port.network)
        items = demand.at_worst(need.ops) if need else ()
        if segments[port.network] > 1:
            n = count(segments[port.network], f"networks of {port.network}")
            items = tuple(Item(item.name, item.figure / n) for item in items)
        lines[port.id] = items
    return lines


def memory_lines(cached: Lines, operating_system: str, guide: Guide) -> Lines:
    """Memory for the operating system's own work and for data worth keeping, in MB."""
    working = guide.row("operating-systems", operating_system).find("working_memory_mb")
    return (*((Item("operating system", working),) if working is not None else ()), *cached)
