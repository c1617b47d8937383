"""The load of an existing server: what was measured on its parts, and what follows from that.

Peaks of different moments are not added. What varies in time was observed in single reports, or is
a range of their least, mean and greatest values. The load of one part is its greatest value. A sum
of parts is the largest that they have at one moment. Of ranges alone it is known only that one part
at a time was at its greatest while the others did at least their least, and what all did in the
mean; the larger of both counts.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from sizewright.configuration.model import DISK, Channel, System
from sizewright.demand.rates import (
    LOG,
    READ,
    WRITE,
    Known,
    LineItem,
    Lines,
    layer_of,
    sum_lines,
)
from sizewright.demand.usage import UsageProfile
from sizewright.guide.model import Guide
from sizewright.load.cpu_load import kernel_lines_of, nfs_capacity, nfs_interfaces
from sizewright.load.derive import add_disk_use, memory_lines
from sizewright.load.disk_work import disk_patterns
from sizewright.load.model import Asked, Exclusive, Load
from sizewright.load.storage import backup_kb_per_s, bus_lines, moved_of, stored_lines
from sizewright.quantity import Quantity, at_end, leaves, with_leaves

NFS = "NFS operations"
# Lines of a disk whose operations were measured by their kind.
READS, WRITES = "reads", "writes"


class Measured(NamedTuple):
    """Rates measured on the parts of a system; what is missing was not measured.

    `data` is what the system has on networks, `wires` what all systems have where others have some,
    and `wire_ops` the NFS operations of all systems there.
    `moved` is the data of disks whose reads and writes were measured apart, in KB/s. `sizes` are
    the volumes' megabytes. `asked` are the operations of disks that were planned, or that moved
    from a failed disk; of their services some are `exclusive`. The services of which no time is
    known are as in a Load.
    """

    kernel_lock: Known = None
    processors: Known = None
    nfs: Known = None
    memory: Known = None
    networks: Mapping[str, Lines] = {}
    data: Mapping[str, Lines] = {}
    wires: Mapping[str, Lines] = {}
    wire_ops: Mapping[str, Lines] = {}
    disks: Mapping[str, Lines] = {}
    channels: Mapping[str, Lines] = {}
    moved: Mapping[str, Lines] = {}
    stored: Mapping[str, Lines] = {}
    sizes: Mapping[str, Quantity] = {}
    asked: Mapping[str, tuple[Asked, ...]] = {}
    exclusive: Exclusive = ()
    untimed_kernel: tuple[str, ...] = ()
    untimed: tuple[str, ...] = ()


def derive_measured(measured: Measured, usage: UsageProfile, system: System, guide: Guide) -> Load:
    """Return the load of an existing server: the measured rates, and others derived from them."""
    known = "ports" not in system.unstated
    networks = _networks(measured, usage, system)
    interfaces = nfs_interfaces(system, guide, lambda port: _may_have(networks[port.id]))
    capacity = nfs_capacity(guide, system.platform, interfaces) if known else None
    weighted = usage.nfs_weighted_ops_per_s
    derived = None if weighted is None else (LineItem(NFS, weighted),)
    nfs = derived if measured.nfs is None else measured.nfs
    networks = _networks(measured, usage, system)
    kernel = measured.kernel_lock
    if kernel is None and nfs and _serves_nfs_alone(usage, otherwise=True):
        ops = sum_lines(nfs, "op/s")
        kernel = kernel_lines_of(LineItem(NFS, ops), system, guide, capacity, networks) or None
    disks = {disk.id: measured.disks.get(disk.id) for disk in system.disks()}
    channels = {
        c.id: with_tapes(c, _channel(c, disks, measured, usage, system), usage, guide)
        for c in system.channels
    }
    asked = {disk: asked_of_disk(disk, measured, usage, system) for disk in disks}
    rated = _transferred(measured.channels)
    moved = {
        disk: rated[disk] if disk in rated and disk not in measured.asked
        else None if each is None else moved_of(each, measured.exclusive)
        for disk, each in asked.items()
    }  # fmt: skip
    load = Load(
        networks=networks,
        nfs=nfs,
        nfs_capacity=capacity,
        kernel_lock=kernel,
        processors=_processors(measured, usage, kernel),
        disks=disks,
        stored=_stored(measured, system, guide),
        channels=channels,
        busses={} if "boards" in system.unstated else bus_lines(system, guide, channels),
        memory=_memory(measured, usage, system, guide),
        usage=usage,
        patterns=disk_patterns(usage, system),
        data=_data(measured, networks, usage),
        wires=measured.wires,
        wire_ops=measured.wire_ops,
        moved=moved,
        asked=asked,
        exclusive=measured.exclusive,
        untimed_kernel=measured.untimed_kernel,
        untimed=measured.untimed,
    )
    return add_disk_use(load, system, guide)


def _memory(measured: Measured, usage: UsageProfile, system: System, guide: Guide) -> Known:
    """Return what needs memory: as planned, else as far as it follows from what is stated.

    What the system itself and data kept in memory need grows in neither with the load.
    """
    if measured.memory is None:
        return memory_lines(usage, system.operating_system, guide)
    stated = usage._replace(cached=usage.cached or ())
    derived = memory_lines(stated, system.operating_system, guide) or ()
    steady = {line.name for line in derived}
    return tuple(line._replace(grows=line.name not in steady) for line in measured.memory)


def _transferred(channels: Mapping[str, Known]) -> Mapping[str, Lines]:
    """Return what each device transfers, if the lines of its channel contain it."""
    return {line.name: (line,) for lines in channels.values() for line in lines or ()}


def asked_of_disk(
    disk: str, measured: Measured, usage: UsageProfile, system: System
) -> tuple[Asked, ...] | None:
    """Return what is demanded of a disk: as planned, else its operations at their mean size.

    The size of reads and that of writes are one, unless the data of each was measured. If reads
    and writes were not measured apart, operations on a log are writes. Others count as reads,
    because it is not known.
    """
    if disk in measured.asked:
        return measured.asked[disk]
    lines = measured.disks.get(disk)
    moved = _transferred(measured.channels).get(disk)
    layer, operation = _layer(disk, usage, system)
    each = usage.transfer_kb
    if lines and moved:
        each = _mean_kb(moved, lines, disk) or each
    if lines is None and moved and each is not None:
        lines = tuple(line._replace(figure=line.figure / each) for line in moved)
    if lines is None or each is None:
        return None
    kinds, apart = {READS: READ, WRITES: WRITE}, measured.moved.get(disk, ())
    sizes = {
        kind: _mean_kb(_named(kind, apart), _named(kind, lines), f"{disk} {kind}") for kind in kinds
    }
    return tuple(
        Asked(
            line.name, line.figure, sizes.get(line.name) or each, layer,
            kinds.get(line.name, operation),
        )
        for line in lines
    )  # fmt: skip


def _named(name: str, lines: Lines) -> Lines:
    return tuple(line for line in lines if line.name == name)


def _mean_kb(moved: Lines, lines: Lines, what: str) -> Quantity | None:
    """Return the mean size of operations in KB/op; None if it is not known."""
    rate = sum_lines(lines, "op/s")
    if not moved or rate.low <= 0:
        return None
    return (sum_lines(moved, "KB/s") / rate).with_name(f"{what}: mean size of an operation")


def _layer(disk: str, usage: UsageProfile, system: System) -> tuple[str, str]:
    """Return the layer of a disk's data, empty if it is not known, and the kind of operations."""
    uses = [
        usage.volumes[v.name].use for v in system.volumes
        if v.is_on(disk) and v.name in usage.volumes
    ]  # fmt: skip
    kinds = {(layer_of(use), WRITE if use == LOG else READ) for use in uses if use is not None}
    return kinds.pop() if len(kinds) == 1 and None not in uses else ("", READ)


def _processors(measured: Measured, usage: UsageProfile, kernel: Known) -> Known:
    """Return all processor time; if there is only NFS service, it is the kernel time."""
    if measured.processors is not None:
        return measured.processors
    return kernel if _serves_nfs_alone(usage, otherwise=False) else None


def _serves_nfs_alone(usage: UsageProfile, otherwise: bool) -> bool:
    """Return whether NFS is the only service; `otherwise` if services are not stated."""
    return otherwise if usage.services is None else set(usage.services) <= {"nfs"}


def _networks(measured: Measured, usage: UsageProfile, system: System) -> Mapping[str, Known]:
    """Return the NFS operations on each port; all of them if there is only one port.

    If NFS is not among the services, and no operations are stated, there are none.
    """
    ops, alone = usage.nfs_ops_per_s, len({port.id for port in system.ports}) == 1
    derived: Known = (LineItem(NFS, ops),) if alone and ops is not None else None
    if ops is None and usage.services is not None and "nfs" not in usage.services:
        derived = ()
    return {port.id: measured.networks.get(port.id, derived) for port in system.ports}


def _may_have(operations: Known) -> bool:
    """Return whether there are operations, or it is not known."""
    return operations is None or any(line.figure.high > 0 for line in operations)


def _data(
    measured: Measured, networks: Mapping[str, Known], usage: UsageProfile
) -> dict[str, Lines]:
    """Return the KB/s on each port: as measured, else that of NFS if it is the only service."""
    found = {port: measured.data[port] for port in networks if port in measured.data}
    size = usage.nfs_kb_per_op
    if size is not None and _serves_nfs_alone(usage, otherwise=False):
        for port, lines in networks.items():
            if port not in found and lines:
                ops = sum_lines(lines, "op/s")
                found[port] = (LineItem("NFS data", ops * size),)
    return found


def _stored(measured: Measured, system: System, guide: Guide) -> Mapping[str, Known]:
    """Return the megabytes on each disk, unknown if some volume on it has no size."""
    disks = system.disks()
    if "volumes" in system.unstated:
        return {disk.id: measured.stored.get(disk.id) for disk in disks}
    derived = stored_lines(measured.sizes, system)
    laid = [(v.name, part) for v in system.volumes for copy in v.copies for part in copy]
    vague = {part.disk for name, part in laid if name not in measured.sizes}
    room = {d.id: guide.row(d.table, d.model).cell("capacity_mb") for d in disks}
    uneven = _perhaps_uneven(system, derived, room)
    # A volume whose disks are not stated may be on any disk.
    if not all(volume.copies for volume in system.volumes):
        derived = {}
    known = {disk: lines for disk, lines in derived.items() if disk not in vague | uneven}
    return {disk.id: measured.stored.get(disk.id, known.get(disk.id)) for disk in disks}


def _perhaps_uneven(
    system: System, stored: Mapping[str, Lines], room: Mapping[str, Quantity | None]
) -> set[str]:
    """Return disks with parts of volumes that are perhaps no even shares.

    Parts whose size is not stated are even shares, unless these overfill a disk, and there is room
    on the disks that share the same volumes.
    """
    linked: dict[str, set[str]] = {}
    for volume in system.volumes:
        for copy in volume.copies:
            shared = {part.disk for part in copy if not part.sized}
            joined = shared.union(*(linked.get(disk, ()) for disk in shared))
            linked |= dict.fromkeys(joined, joined)

    def is_overfull(disks: Collection[str]) -> bool:
        used = [sum_lines(stored[disk], "MB").high for disk in disks if stored[disk]]
        rooms = [known.low for disk in disks if (known := room[disk])]
        return len(rooms) == len(disks) and sum(used) > sum(rooms)

    return {
        name for name, disks in linked.items()
        if any(is_overfull([disk]) for disk in disks) and not is_overfull(disks)
    }  # fmt: skip


def with_tapes(channel: Channel, lines: Known, usage: UsageProfile, guide: Guide) -> Known:
    """Return the lines of a channel, with drives that save data while the system is in use.

    What was measured on the channel as a whole contains them.
    """
    named = {line.name for line in lines or ()}
    if lines is None or named - {device.id for device in channel.devices}:
        return lines
    tapes = [
        LineItem(device.id, rate) for device in channel.devices
        if device.id not in named and (rate := backup_kb_per_s(device, usage.backup, guide))
    ]  # fmt: skip
    return (*lines, *tapes)


def _channel(
    channel: Channel, disks: Mapping[str, Known], measured: Measured, usage: UsageProfile,
    system: System,
) -> Known:  # fmt: skip
    """Return what was measured on a channel, else what its disks transfer, if all are known."""
    if channel.id in measured.channels:
        return measured.channels[channel.id]
    if not channel.devices and "devices" in system.unstated:
        return None
    lines = []
    for device in channel.devices:
        if device.kind != DISK:
            continue
        operations = disks[device.id]
        if operations is None or usage.transfer_kb is None:
            return None
        if operations and measured.asked.get(device.id):
            moved = moved_of(measured.asked[device.id], measured.exclusive)
            lines.append(LineItem(device.id, sum_lines(moved, "KB/s")))
        elif operations:
            rate = sum_lines(operations, "op/s")
            lines.append(LineItem(device.id, rate * usage.transfer_kb))
    return tuple(lines)


# How a value that was observed is named: by its path in the box file, and its time if known.
_OBSERVED = "observed."
AT = " at "

# Values of the same time, by the names of those that they replace.
Moment = Mapping[str, Quantity]


def derive_peak(
    measured: Measured, usage: UsageProfile, system: System, guide: Guide,
    moments: Sequence[Moment] = (),
) -> Load:  # fmt: skip
    """Return the load of an existing server, with each sum of parts at its peak."""
    if not any(map(_varies, _all_lines(measured))):
        return derive_measured(measured, usage, system, guide)
    ends = (partial(at_end, end=end) for end in ("low", "likely", "high"))
    changes = (*ends, *(partial(_at_moment, moment) for moment in moments))
    loads = [derive_measured(_replaced(measured, each), usage, system, guide) for each in changes]
    greatest = loads[2]
    found: dict[str, Any] = {"processors": peak(*(load.processors for load in loads))}
    for name in ("disks", "channels", "busses"):
        found[name] = {
            part: peak(*(getattr(load, name).get(part) for load in loads))
            for part in getattr(greatest, name)
        }
    for name in ("active", "bus_time"):
        found[name] = {
            part: share._replace(lines=peak(*(getattr(load, name)[part].lines for load in loads)))
            for part, share in getattr(greatest, name).items()
        }
    return greatest._replace(**found)


def derive_busiest(
    measured: Measured, usage: UsageProfile, system: System, guide: Guide,
    moments: Sequence[Moment] = (),
) -> Load:  # fmt: skip
    """Return the load at the moment with most operations on all disks; else at its peak."""
    loads = [
        derive_measured(_replaced(measured, partial(_at_moment, moment)), usage, system, guide)
        for moment in moments
    ]  # fmt: skip
    if not loads:
        return derive_peak(measured, usage, system, guide)
    return max(loads, key=lambda load: sum(_sum(lines or ()) for lines in load.disks.values()))


def _at_moment(moment: Moment, leaf: Quantity) -> Quantity:
    return moment.get(leaf.name.partition(AT)[0]) or at_end(leaf, "likely")


def peak(least: Known, mean: Known, greatest: Known, *moments: Known) -> Known:
    """Return lines at the moment of their largest sum, from their values at all moments.

    That is one line at its greatest and the others at their least, or all at their mean, or at one
    of the moments that are known.
    """
    if least is None or mean is None or not greatest or len(greatest) == 1:
        return greatest
    low = {line.name: line for line in least}
    # What does nothing at its least has no line.
    most = max(greatest, key=lambda line: _sum((line,)) - _sum(filter(None, [low.get(line.name)])))
    alone = tuple(
        line if line is most else low[line.name]
        for line in greatest if line is most or line.name in low
    )  # fmt: skip
    return max(*filter(None, moments), mean, alone, key=_sum)


def _sum(lines: Iterable[LineItem]) -> float:
    return sum(line.figure.high for line in lines)


# What may vary in time: lines of the whole system, and lines by part.
_OF_SYSTEM = ("kernel_lock", "processors")
_OF_PARTS = ("disks", "channels", "moved", "networks", "data")


def _all_lines(measured: Measured) -> Iterator[LineItem]:
    """Yield the lines of all that may vary in time."""
    for name in _OF_SYSTEM:
        yield from getattr(measured, name) or ()
    for name in _OF_PARTS:
        for lines in getattr(measured, name).values():
            yield from lines


def is_observed(line: LineItem) -> bool:
    """Return whether a line follows from what was measured."""
    return any(map(is_observed_value, leaves(line.figure)))


def is_observed_value(leaf: Quantity) -> bool:
    """Return whether a value was measured."""
    return leaf.name.startswith(_OBSERVED)


def _varies(line: LineItem) -> bool:
    return any(map(_is_range, leaves(line.figure)))


def _is_range(leaf: Quantity) -> bool:
    return is_observed_value(leaf) and leaf.low < leaf.high


def _replaced(measured: Measured, change: Callable[[Quantity], Quantity]) -> Measured:
    """Return what was measured with each observed range replaced."""

    def at(leaf: Quantity) -> Quantity:
        return change(leaf) if _is_range(leaf) else leaf

    def of(lines: Known) -> Known:
        return lines and tuple(
            line._replace(figure=with_leaves(line.figure, at)) if _varies(line) else line
            for line in lines
        )

    changed: dict[str, Any] = {name: of(getattr(measured, name)) for name in _OF_SYSTEM}
    for name in _OF_PARTS:
        changed[name] = {part: of(lines) for part, lines in getattr(measured, name).items()}
    changed["asked"] = {
        disk: tuple(
            each._replace(rate=with_leaves(each.rate, at), block_kb=with_leaves(each.block_kb, at))
            for each in asked
        )
        for disk, asked in measured.asked.items()
    }
    return measured._replace(**changed)
