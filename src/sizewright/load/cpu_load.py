"""Processor time: of NFS by what a platform serves, and of everything else that a system does."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import reduce
from typing import NamedTuple

from sizewright.configuration.model import Port, System
from sizewright.demand.model import Demand
from sizewright.demand.rates import Known, LineItem, Lines, UserTime, pattern_of, sum_lines
from sizewright.guide.model import Citation, Guide, Row, rated_platforms
from sizewright.load.disk_work import disk_rows, overhead, work_lines
from sizewright.load.lines import carriers, lines_on_boards
from sizewright.load.model import NfsCapacity, mips_of, processor_second
from sizewright.load.network_traffic import interface_of, interface_ops, packet_lines
from sizewright.quantity import (
    Quantity,
    ambiguous,
    as_quantity,
    count,
    largest,
    mean,
    smallest,
    sum_known,
)
from sizewright.units import PURE


class CpuLoad(NamedTuple):
    """Lines of processor time in ms/s, in the kernel and in all; None if it is not known.

    `capacity` is what the platform serves over its networks that carry NFS.
    """

    capacity: NfsCapacity | None
    kernel: Known
    processors: Known


def cpu_load(demand: Demand, system: System, guide: Guide) -> CpuLoad:
    """Return the processor time of a demand on a system: a small part of its whole load."""
    serving = {stream.network for stream in demand.streams}
    interfaces = nfs_interfaces(system, guide, lambda port: port.network in serving)
    capacity = nfs_capacity(guide, system.platform, interfaces)
    works = work_lines(demand, system, guide)
    return CpuLoad(capacity, *cpu_lines(demand, system, guide, capacity, works))


def cpu_lines(
    demand: Demand, system: System, guide: Guide, capacity: NfsCapacity | None, works: Known
) -> tuple[Known, Known]:
    """Return the time in the kernel and all processor time, from the lines of work on disks.

    In the kernel are files served, work on disks, packets, faults and synchronous lines. Both are
    None if the cost of some work is not known.
    """
    if works is None:
        return None, None
    service = kernel_lines(demand, system, guide, capacity)
    kernel = (
        *service,
        *_manager_lines(demand, service, system, guide),
        *works,
        *packet_lines(demand, system, guide),
        *_direct_lines(demand, system, guide),
        *_wide_lines(demand, system, guide),
    )
    return demand.at_peak(kernel), demand.at_peak((*kernel, *_user_lines(demand, system, guide)))


def _user_lines(demand: Demand, system: System, guide: Guide) -> Iterator[LineItem]:
    """Yield the time outside of the kernel; a process of one thread uses one processor at most."""
    for user in demand.user:
        busy = processors_used(user, system, guide)
        if busy is not None and not user.low:
            if user.single:
                busy = smallest(busy, count(1, "one processor for one thread"))
            name = f"{user.service}: its own work"
            yield LineItem(name, busy * processor_second(), user.service)


def processors_used(user: UserTime, system: System, guide: Guide) -> Quantity | None:
    """Return how many processors of a system it takes, at their speed; None if it takes all."""
    if user.processors is None or user.mips is None:
        return user.processors
    return user.processors * (user.mips / mips_of(system.platform, guide))


def _direct_lines(demand: Demand, system: System, guide: Guide) -> Iterator[LineItem]:
    for kernel in demand.kernel:
        time = kernel.ms_per_s
        if kernel.mips is not None:
            time = time * (kernel.mips / mips_of(system.platform, guide))
        yield LineItem(f"{kernel.service}: {kernel.name}", time, kernel.service)


def _wide_lines(demand: Demand, system: System, guide: Guide) -> Iterator[LineItem]:
    """Yield synchronous lines: the share of a full line that each is, at what its board costs."""
    if not any(line.kind == "wide" for line in demand.lines):
        return
    kinds = carriers(guide)
    for model, lines in lines_on_boards(demand.lines, system, guide, by_model=True).items():
        cost = kinds[model].row.cell("mips_per_line")
        if cost is None:
            continue
        for line in lines:
            whole = guide.default_row("network-media", "wide_line")
            speed = whole.require("media_speed_mbit_per_s", "Kb/s")
            assert line.kbit_per_s is not None
            share = (line.kbit_per_s / speed).with_name(f"{line.name}: share of a full line")
            mips = cost * line.number * share
            time = (mips / mips_of(system.platform, guide)) * processor_second()
            yield LineItem(line.title, time, line.service)


def joined_title(service: str, volume: str) -> str:
    """Return the name of the line for what a volume manager adds to a file service."""
    return f"{service}: {volume} on joined disks"


def _manager_lines(
    demand: Demand, service: Lines, system: System, guide: Guide
) -> Iterator[LineItem]:
    """Yield what a volume manager adds to the disk traffic within file service, in ms/s.

    The guide takes a share of the service's kernel time for its disk traffic. The part of it that
    goes to managed volumes costs more by the overheads of their layouts; nothing does so of reads
    from memory, and of writes where nothing is written.
    """
    name = guide.defaults.get("nfs_disk_share", "")
    managed = {volume.name: volume for volume in system.volumes if volume.manager}
    if not name or not managed:
        return
    share = guide.row("protocol-costs", name).require("share_percent", PURE)
    times = {line.name: line.figure for line in service}
    needs = {volume.name: volume for volume in demand.volumes}
    nothing = as_quantity(0)
    for stream in demand.streams:
        time = times.get(stream.service)
        for use in stream.uses:
            volume = managed.get(use.volume)
            if time is None or volume is None:
                continue
            need = needs[use.volume]
            if not need.reads and not need.writes:
                continue
            disks = tuple(disk_rows(volume, system, guide))
            kind = pattern_of(need.access)
            reads = overhead(volume, f"{kind}_read_percent", disks, system, guide)
            writes = overhead(volume, f"{kind}_write_percent", disks, system, guide)
            if reads is None or writes is None:
                continue
            reads, writes = (reads if need.reads else nothing, writes if need.writes else nothing)
            added = reads
            if stream.read_share.high + stream.write_share.high > 0:
                added = mean([reads, writes], [stream.read_share, stream.write_share])
            title = joined_title(stream.service, use.volume)
            whole = time * share if use.share.low == 1 else time * share * use.share
            yield LineItem(title, (whole * added).with_name(title), stream.service)


def nfs_capacity(guide: Guide, platform: str, interfaces: Collection[Row]) -> NfsCapacity | None:
    """Return what a platform serves over such interfaces; None if the guide has no row for it.

    The row with the largest load is the machine's own (Table 1). In a guide that rates no
    interfaces, fewer networks than that row needs serve what the row for them states: from one to
    the other between two rows, or their share of the load of the first row.
    """
    rows = sorted(
        guide.table("nfs-capacity").by("platform").get((platform,), ()),
        key=lambda row: row.number("required_networks"),
    )
    if not rows:
        return None
    own = rated_platforms(guide)[platform]
    reached = [r for r in rows if r.number("required_networks") <= len(interfaces)]
    row = reached[-1] if reached else rows[0]
    networks = count(len(interfaces), "networks with NFS")
    capacity = NfsCapacity(
        own.require("maximum_ops_per_s"), own.cell("sustained_ops_per_s"),
        own.cell("required_networks"), networks,
        own.require("maximum_ops_per_s"),
        sum_known((interface_ops(row, guide) for row in interfaces), "op/s"),
        _over_networks(networks, guide),
    )  # fmt: skip
    rated = any(r.cell("nfs_ops_per_s") is not None for r in guide.table("network-interfaces"))
    if rated or (row is own and reached):
        return capacity
    maximum, sustained = row.require("maximum_ops_per_s"), row.cell("sustained_ops_per_s")
    if not reached:
        share = networks / row.require("required_networks")
        maximum, sustained = maximum * share, sustained and sustained * share
    elif len(interfaces) > row.number("required_networks"):
        maximum = ambiguous(maximum, rows[len(reached)].require("maximum_ops_per_s"))
    return capacity._replace(maximum=maximum, sustained=sustained)


def _over_networks(networks: Quantity, guide: Guide) -> Quantity | None:
    """Return the largest load in op/s that Table 1 has over a number of networks.

    Any machine's row shows what its networks pass; fewer of them pass their share of it. It is None
    if the guide has no sustained loads.
    """
    whole = as_quantity(1)
    found = [
        sustained * smallest(whole, networks / row.require("required_networks"))
        for row in guide.table("nfs-capacity")
        if (sustained := row.cell("sustained_ops_per_s")) and row.cell("required_networks")
    ]
    return largest(*found) if found else None


def interfaces_of(system: System, guide: Guide) -> tuple[Row, ...]:
    """Return the rows of the interfaces of a system's ports."""
    return tuple(interface_of(port, guide) for port in system.ports)


def nfs_interfaces(
    system: System, guide: Guide, has_nfs: Callable[[Port], bool]
) -> tuple[Row, ...]:
    """Return the rows of the interfaces of ports that have NFS; of all if no port has."""
    ports = tuple(filter(has_nfs, system.ports)) or system.ports
    return tuple(interface_of(port, guide) for port in ports)


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
    if others_serve(guide.row("platforms", system.platform)):
        return ()
    if capacity is None:
        return tuple(_transfer_lines(demand, system, guide))
    relief = {s.network: _relief(system, guide, _evenly(s.network, system)) for s in demand.streams}
    cost = ms_per_op(capacity, system, guide)
    lines = tuple(
        LineItem(s.service, _relieved(s.weighted * cost, relief[s.network])) for s in demand.streams
    )
    return (*lines, *_accelerator_lines(system, guide, lines))


def kernel_lines_of(
    weighted: LineItem,
    system: System,
    guide: Guide,
    capacity: NfsCapacity | None,
    networks: Mapping[str, Known],
) -> Lines:
    """Return the same for all NFS operations of a system; `networks` are those on each port."""
    if capacity is None or others_serve(guide.row("platforms", system.platform)):
        return ()
    passed = {port: sum_lines(lines, "op/s") for port, lines in networks.items()}
    relief = _relief(system, guide, passed)
    time = weighted.figure * ms_per_op(capacity, system, guide)
    service = (LineItem(weighted.name, _relieved(time, relief)),)
    return (*service, *_accelerator_lines(system, guide, service))


def others_serve(platform: Row) -> Citation | None:
    """Return the place that says that other processors serve files; None if the host does."""
    serves = platform.get_flag("host_serves_nfs")
    return platform.mark_of("host_serves_nfs") if serves is False else None


def measured_transfers(guide: Guide, platform: str) -> Mapping[str, Quantity]:
    """Processor time in ms/KB that a platform took for files read and written over NFS.

    By operation; of several measurements the dearest is likely, and all are the range.
    """
    costs: dict[str, list[Quantity]] = {}
    for row in guide.table("nfs-file-tests").by("server").get((platform,), ()):
        rate, busy = row.cell("rate_mb_per_s"), row.cell("server_system_percent")
        if rate is None or busy is None:
            continue
        user = row.cell("server_user_percent")
        share = (busy + user if user is not None else busy).to(PURE)
        counts = guide.row("platforms", platform).list("processor_counts")
        time = share * processor_second(max(counts, default=1))
        cost = (time / rate.to("KB/s")).with_name(f"{row.id}: processor time of a KB")
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
                yield LineItem(name, time.with_name(name), stream.service)


def ms_per_op(capacity: NfsCapacity, system: System, guide: Guide) -> Quantity:
    """Return the processor time of an operation of the reference mix, in ms/op (Table 1).

    One lock keeps NFS to one processor's time. With many locks the rated load needs all processors
    that it was rated with: the fewest with which the platform is sold (1.1.6).
    """
    locks = guide.row("operating-systems", system.operating_system).cell("kernel_locks")
    counts = guide.row("platforms", system.platform).list("processor_counts")
    rated_with = min(counts, default=1) if locks is not None and locks.low > 1 else 1
    return processor_second(rated_with) / capacity.rated


def _relieved(time: Quantity, relief: Quantity | None) -> Quantity:
    """Return time in ms/s, from none to all of the relief counted."""
    return time if relief is None else ambiguous(time, time * (as_quantity(1) - relief))


def _evenly(network: str, system: System) -> Mapping[str, Quantity]:
    """Return equal parts of a community's load for each of its ports."""
    ids = [port.id for port in system.ports if port.network == network]
    return {port: count(1, f"part on {port}") for port in ids}


def _relief(system: System, guide: Guide, passed: Mapping[str, Quantity | None]) -> Quantity | None:
    """Return the part of NFS time that interfaces save, each of the operations `passed` by it.

    None if they save nothing, or if they differ and what one passes is not known.
    """
    ports = [port for port in system.ports if port.id in passed]
    found = [interface_of(port, guide).cell("processor_relief_percent") for port in ports]
    if len(set(found)) > 1:
        weights = [weight for port in ports if (weight := passed[port.id])]
        if len(weights) < len(ports) or not any(weight.high for weight in weights):
            return None
        found = [mean([relief or as_quantity(0, "%") for relief in found], weights)]
    return found[0].to(PURE) if found and found[0] else None


def _accelerator_lines(system: System, guide: Guide, service: Lines) -> Lines:
    found = []
    if system.accelerator and system.processors == 1:
        row = guide.row("nvram-accelerators", system.accelerator)
        overhead = row.cell("uniprocessor_overhead_percent")
        if overhead is not None:
            found.append((row.text("name"), overhead))
    for name in system.software:
        row = guide.row("software", name)
        low, high = (
            row.cell("update_cpu_overhead_percent"), row.cell("write_cpu_overhead_percent")
        )  # fmt: skip
        if row.text("kind") == "write_gathering_nfs" and low is not None and high is not None:
            found.append((row.text("name"), ambiguous(high, low)))
    several = len(service) > 1
    return tuple(
        LineItem(
            f"{item.name}: {name}" if several else name, item.figure * share.to(PURE), item.owner
        )
        for name, share in found
        for item in service
    )
