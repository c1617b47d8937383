"""NFS service on a system: what its platform can serve, and what it costs the processors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import reduce

from sizewright import units
from sizewright.configuration.model import System
from sizewright.demand.model import Demand, LineItem, Lines
from sizewright.guide.model import Citation, Guide, Row, rated_platforms
from sizewright.load.model import NfsCapacity, processor_second
from sizewright.load.network_traffic import interface_ops
from sizewright.quantity import Quantity, ambiguous, as_quantity, count, total


def nfs_capacity(guide: Guide, platform: str, interfaces: Collection[Row]) -> NfsCapacity | None:
    """Return what a platform serves over such interfaces; None if the guide has no row for it.

    The row with the largest load is the machine's own (Table 1). In a guide that rates no
    interfaces, fewer networks than that row needs serve what the row for them states, or their
    share of the load.
    """
    rows = [r for r in guide.table("nfs-capacity") if r.text("platform") == platform]
    if not rows:
        return None
    rows.sort(key=_networks)
    own = rated_platforms(guide)[platform]
    reached = [r for r in rows if _networks(r) <= len(interfaces)]
    row = reached[-1] if reached else rows[0]
    capacity = NfsCapacity(
        own.figure("maximum_ops_per_s"), own.find("sustained_ops_per_s"),
        row.find("required_networks"), own.figure("maximum_ops_per_s"),
        _in_sum(interfaces, guide),
    )  # fmt: skip
    if _rates_interfaces(guide) or (row is own and reached):
        return capacity
    maximum, sustained = row.figure("maximum_ops_per_s"), row.find("sustained_ops_per_s")
    if not reached:
        share = count(len(interfaces), "networks attached") / row.figure("required_networks")
        maximum, sustained = maximum * share, sustained and sustained * share
    return capacity._replace(maximum=maximum, sustained=sustained)


def _networks(row: Row) -> float:
    return row.number("required_networks")


def _rates_interfaces(guide: Guide) -> bool:
    return any(row.find("nfs_ops_per_s") is not None for row in guide.table("network-interfaces"))


def _in_sum(interfaces: Collection[Row], guide: Guide) -> Quantity | None:
    """Return what interfaces pass together in op/s (Table 2); None if one of them is not known."""
    passed = [interface_ops(interface, guide) for interface in interfaces]
    if None in passed:
        return None
    return total((ops for ops in passed if ops is not None), "op/s")


def interfaces_of(system: System, guide: Guide) -> tuple[Row, ...]:
    """Return the rows of the interfaces of a system's ports."""
    return tuple(guide.row("network-interfaces", port.interface) for port in system.ports)


def kernel_lines(
    demand: Demand, system: System, guide: Guide, capacity: NfsCapacity | None
) -> Lines:
    """Return the kernel time of NFS in ms/s: lines for each service and its accelerators.

    An operation costs 1000 ms ÷ the maximum load of the machine; without a single kernel lock, the
    time of all processors that the load was rated with. An interface that processes protocols saves
    part of it. The guide is ambiguous on whether this part is in the lock, so it widens the range.
    If other processors than the host's serve files, the host takes no time. A platform without a
    rated load may have measured transfers: then only their data counts.
    """
    if not _host_serves(system, guide):
        return ()
    if capacity is None:
        return tuple(_transfer_lines(demand, system, guide))
    networks = dict.fromkeys(s.network for s in demand.streams)
    relief = {network: _relief(system, guide, (network,)) for network in networks}
    cost = ms_per_op(capacity, system, guide)
    lines = tuple(
        LineItem(s.service, _relieved(s.weighted * cost, relief[s.network])) for s in demand.streams
    )
    return (*lines, *_accelerator_lines(system, guide, lines))


def kernel_lines_of(
    weighted: LineItem, system: System, guide: Guide, capacity: NfsCapacity | None
) -> Lines:
    """Return the same for all NFS operations of a system together, over all its networks."""
    if capacity is None or not _host_serves(system, guide):
        return ()
    relief = _relief(system, guide, {port.network for port in system.ports})
    time = weighted.figure * ms_per_op(capacity, system, guide)
    service = (LineItem(weighted.name, _relieved(time, relief)),)
    return (*service, *_accelerator_lines(system, guide, service))


def _host_serves(system: System, guide: Guide) -> bool:
    return others_serve(guide.row("platforms", system.platform)) is None


def others_serve(platform: Row) -> Citation | None:
    """Return the place that says that other processors serve files; None if the host does."""
    serves = platform.find_flag("host_serves_nfs")
    return platform.mark_of("host_serves_nfs") if serves is False else None


def measured_transfers(guide: Guide, platform: str) -> Mapping[str, Quantity]:
    """Processor time in ms/KB that a platform took for files read and written over NFS.

    By operation; of several measurements the dearest is likely, and all are the range.
    """
    costs: dict[str, list[Quantity]] = {}
    for row in guide.table("nfs-file-tests").by("server").get((platform,), ()):
        rate, busy = row.find("rate_mb_per_s"), row.find("server_system_percent")
        if rate is None or busy is None:
            continue
        user = row.find("server_user_percent")
        share = (busy + user if user is not None else busy).to(units.PURE)
        counts = guide.row("platforms", platform).list("processor_counts")
        time = share * processor_second(max(counts, default=1))
        cost = (time / rate.to("KB/s")).named(f"{row.id}: processor time of a KB")
        costs.setdefault(row.text("operation"), []).append(cost)
    return {
        operation: reduce(ambiguous, sorted(found, key=lambda cost: -cost.high))
        for operation, found in costs.items()
    }


def _transfer_lines(demand: Demand, system: System, guide: Guide) -> Iterator[LineItem]:
    costs = measured_transfers(guide, system.platform)
    for stream in demand.streams:
        for operation, ops in (("read", stream.reads), ("write", stream.writes)):
            if operation in costs:
                time = (ops * demand.transfer_kb) * costs[operation]
                name = f"{stream.service}: data {operation}"
                yield LineItem(name, time.named(name), stream.service)


def ms_per_op(capacity: NfsCapacity, system: System, guide: Guide) -> Quantity:
    """Return the processor time of an operation of the reference mix, in ms/op (Table 1).

    One lock keeps NFS to one processor's time. With many locks the rated load needs all processors
    that it was rated with: the fewest with which the platform is sold (1.1.6).
    """
    runs = system.operating_system
    locks = guide.row("operating-systems", runs).find("kernel_locks") if runs else None
    counts = guide.row("platforms", system.platform).list("processor_counts")
    rated_with = min(counts, default=1) if locks is not None and locks.low > 1 else 1
    return processor_second(rated_with) / capacity.rated


def _relieved(time: Quantity, relief: Quantity | None) -> Quantity:
    """Return time in ms/s, from none to all of the relief counted."""
    return time if relief is None else ambiguous(time, time * (as_quantity(1) - relief))


def _relief(system: System, guide: Guide, networks: Collection[str]) -> Quantity | None:
    reliefs = {
        guide.row("network-interfaces", p.interface).find("processor_relief_percent")
        for p in system.ports
        if p.network in networks
    }
    if len(reliefs) != 1 or None in reliefs:
        return None
    (relief,) = reliefs
    return relief.to(units.PURE) if relief is not None else None


def _accelerator_lines(system: System, guide: Guide, service: Lines) -> Lines:
    found = []
    if system.accelerator and system.processors == 1:
        row = guide.row("nvram-accelerators", system.accelerator)
        overhead = row.find("uniprocessor_overhead_percent")
        if overhead is not None:
            found.append((row.text("name"), overhead))
    for name in system.software:
        row = guide.row("software", name)
        low, high = (
            row.find("update_cpu_overhead_percent"), row.find("write_cpu_overhead_percent")
        )  # fmt: skip
        if row.text("kind") == "write_gathering_nfs" and low is not None and high is not None:
            found.append((row.text("name"), ambiguous(high, low)))
    several = len(service) > 1
    return tuple(
        LineItem(
            f"{item.name}: {name}" if several else name,
            item.figure * share.to(units.PURE),
            item.owner,
        )
        for name, share in found
        for item in service
    )
