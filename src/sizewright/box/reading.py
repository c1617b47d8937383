"""Reads a box file, and describes the box in the guide's terms."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from sizewright.box.measurements import measured_of, observed_facts, preset_access, transfer_kb
from sizewright.box.names import name_errors
from sizewright.box.parts import AsBuilt, as_built_of, processors_of, system_of
from sizewright.box.reports import over_time
from sizewright.box.schema import NONE, Box, BoxChannel, BoxNetwork
from sizewright.configuration.model import System
from sizewright.configuration.slots import ANY, slots_of
from sizewright.demand.backup import with_terms
from sizewright.demand.model import Backup
from sizewright.demand.nfs import kb_per_op, mix_factor
from sizewright.demand.rates import LineDemand, LineItem
from sizewright.demand.services import printed_rate
from sizewright.demand.usage import NetworkUse, UsageProfile, VolumeUse, kept_in_memory
from sizewright.documents import Document
from sizewright.errors import Diagnostic, collect_errors, join_or, shown, unknown_name
from sizewright.guide.model import Guide, Row, memory_at_most, place_of, require_row
from sizewright.guide.parameters import likely_parameter
from sizewright.load.measured import Measured, Moment
from sizewright.quantity import Quantity, count, sum_known, total
from sizewright.schema.quantity import read_model
from sizewright.units import PURE

# The parameter of a rule: how long a mean of reports is, in seconds.
BUSIEST_S = "busiest_s"

Path = tuple[str | int, ...]


def reference_errors(box: Box, document: Document) -> Iterator[Diagnostic]:
    """Yield each part that has a load or a measurement but is not in the box."""
    known = {
        "network": [n.id for n in box.networks or ()],
        "disk": [d.id for c in box.channels or () for d in c.parts],
        "channel": [c.id for c in box.channels or ()],
        "board": [b.id for b in box.boards or ()],
    }
    for path, kind, named in _named(box):
        for name in named:
            if name not in known[kind]:
                place = document.place((*path, name))
                yield unknown_name(place, kind, name, known[kind], f"a {kind} of this box")


def _named(box: Box) -> Iterator[tuple[Path, str, Mapping[str, object]]]:
    stated: list[tuple[Path, object]] = [(("observed",), box.observed), (("load",), box.load)]
    for tool, reports in box.observed.reports.items():
        stated += [(("observed", "reports", tool, n), report) for n, report in enumerate(reports)]
    for path, part in stated:
        for kind in ("network", "disk", "channel"):
            yield (*path, f"{kind}s"), kind, getattr(part, f"{kind}s")
    yield ("observed", "boards"), "board", box.observed.boards
    over = box.backup and box.backup.over
    yield ("backup",), "network", {str(over): over} if over else {}
    for key in ("data", "all_systems", "all_systems_ops"):
        yield ("load", key), "network", getattr(box.load, key)
    for key in ("stored", "work"):
        yield ("load", key), "disk", getattr(box.load, key)


_ITS_OWN = "one that nothing else has"
# A target of this interface may have several units, so that a rule judges those that share one.
_WITH_UNITS = "scsi"
_FILES, _RAW, _NO_FILES = "file_system", "raw", "none"


def plausibility_errors(box: Box, processors: int | None, guide: Guide) -> Iterator[Diagnostic]:
    """Yield what no machine can have; unknown names are reported elsewhere."""
    yield from _processors(box, guide)
    yield from _memory(box, guide)
    yield from _slots(box, processors, guide)
    yield from _reached(box, guide)
    busses = guide.table("disk-busses").rows
    for channel in box.channels or ():
        if channel.kind in busses:
            yield from _devices(channel, busses[channel.kind], guide, _boxed(channel, box))
            yield from _targets(channel, busses[channel.kind])


def _processors(box: Box, guide: Guide) -> Iterator[Diagnostic]:
    counts = guide.row_or_blank("platforms", box.platform).list("processor_counts")
    if counts and box.processors is not None and box.processors > max(counts):
        what = f"processors: {box.processors} do not fit in {shown(box.platform)}"
        yield Diagnostic(place_of(box.processors, "box"), what, f"at most {max(counts)}")


def _memory(box: Box, guide: Guide) -> Iterator[Diagnostic]:
    """Yield memory that is more than the machine takes, and memory on boards that are not there."""
    platform, total_mb = guide.row_or_blank("platforms", box.platform), box.memory.total_mb
    kinds, beyond_mb = platform.list("memory_boards"), box.memory.expansion_mb
    stated = {board.board for board in box.boards or ()}
    if (
        kinds
        and beyond_mb
        and beyond_mb.low > 0
        and box.boards is not None
        and stated.isdisjoint(kinds)
    ):
        what = f"expansion_mb: {beyond_mb.low:g} MB need a memory board, and boards has none"
        yield Diagnostic(place_of(beyond_mb, "box"), what, f"a board {join_or(kinds)}")
    most = memory_at_most(platform)
    if most is not None and total_mb is not None and total_mb.low > most:
        what = f"total_mb: {total_mb.low:g} MB do not fit in {shown(box.platform)}"
        yield Diagnostic(place_of(total_mb, "box"), what, f"at most {most:g} MB")


def _slots(box: Box, processors: int | None, guide: Guide) -> Iterator[Diagnostic]:
    """Yield slots that do not exist or are taken, on busses whose slots take any board.

    Where a bus keeps slots for some boards, a rule judges what is in each. Slots may be counted
    from 0, as kernels do, or from 1.
    """
    slots = slots_of(guide, box.platform, processors)
    kept = {slot.bus for slot in slots if slot.takes != (ANY,)}
    highest = {slot.bus: slot.number for slot in slots if slot.bus not in kept}
    rows = {**guide.table("boards").rows, **guide.table("memory-boards").rows}
    taken: dict[tuple[str, int], str] = {}
    for board in box.boards or ():
        row = rows.get(board.board)
        bus = board.bus or (row.text("bus") if row else "")
        if bus not in highest:
            continue
        for number in board.slots:
            place = place_of(number, "box")
            if number > highest[bus]:
                what = f"slots: {shown(box.platform)} has no {bus} slot {number}"
                yield Diagnostic(place, what, f"at most {highest[bus]}")
            elif (bus, number) in taken:
                what = f"slots: {bus} slot {number} is that of board {shown(taken[bus, number])}"
                yield Diagnostic(place, what, _ITS_OWN)
            else:
                taken[bus, number] = board.id


def _boxed(channel: BoxChannel, box: Box) -> frozenset[str]:
    """Return disks of enclosures that attach to the channel as one unit."""
    ours = (each for each in box.enclosures if each.channel == channel.id)
    return frozenset(disk for each in ours for disk in each.disks)


def _devices(
    channel: BoxChannel, kind: Row, guide: Guide, boxed: Collection[str]
) -> Iterator[Diagnostic]:
    """Yield devices of another interface; a device without listed busses is not checked."""
    busses = guide.table("disk-busses").rows
    rows = {**guide.table("disks").rows, **guide.table("removable-media").rows}
    ours = kind.text("interface")
    for device in channel.parts:
        if device.id in boxed:
            continue
        row = rows.get(device.device)
        fitting = (device.bus_kind,) if device.bus_kind else row.list("disk_busses") if row else ()
        theirs = {busses[bus].text("interface") for bus in fitting if bus in busses}
        if ours and theirs and ours not in theirs:
            what = (
                f"device: {shown(device.device)} attaches to {' or '.join(sorted(theirs))}, and "
                f"channel {shown(channel.id)} is {ours}"
            )
            yield Diagnostic(place_of(device.device, "box"), what, f"a device for {ours}")


def _targets(channel: BoxChannel, kind: Row) -> Iterator[Diagnostic]:
    """Yield SCSI targets past the last, and targets that two devices share."""
    limit = kind.cell("targets_limit")
    seen: dict[int, str] = {}
    for device in channel.parts:
        target = device.target
        if target is None:
            continue
        if limit is not None and target > limit.high:
            what = f"target: channel {shown(channel.id)} has no target {target}"
            yield Diagnostic(place_of(target, "box"), what, f"at most {limit.high:.0f}")
        elif target in seen and kind.text("interface") != _WITH_UNITS:
            what = f"target: {target} is that of {shown(seen[target])}"
            yield Diagnostic(place_of(target, "box"), what, _ITS_OWN)
        seen.setdefault(target, device.id)


def _reached(box: Box, guide: Guide) -> Iterator[Diagnostic]:
    """Yield volumes whose file access method does not fit their use."""
    for volume in box.volumes or ():
        way = guide.row_or_blank("file-access-methods", volume.file_access)
        system = way.text("file_system")
        if not system or volume.use not in (_FILES, _RAW):
            continue
        if (volume.use == _RAW) != (system == _NO_FILES):
            what = f"file_access: {shown(way.id)} on {shown(volume.name)}, of use {volume.use}"
            expected = "a way to files" if volume.use == _FILES else "a way to raw partitions"
            yield Diagnostic(place_of(volume.file_access, "box"), what, expected)


def read_box(document: Document) -> Box:
    """Return the box of a document; raises InputError with all errors."""
    box = read_model(document, Box)
    with collect_errors() as errors:
        errors.extend(reference_errors(box, document))
    return box


class Known(NamedTuple):
    """Everything that a box file states; `observed` are facts by subject and id.

    `moments` are the values of single reports, in which sums of parts may be greatest.
    """

    system: System
    usage: UsageProfile
    measured: Measured
    observed: Mapping[str, Mapping[str, Mapping[str, Any]]]
    shown: AsBuilt = AsBuilt()
    moments: tuple[Moment, ...] = ()


def known_of(box: Box, guide: Guide, busiest_s: float | None = None) -> Known:
    """Return a box in the guide's terms; raises InputError with all errors.

    These are names that lead nowhere, and what no such machine can be. Reports count by their mean
    over the busiest seconds, by default those of the rule's parameter; 0 is each report by itself.
    """
    if busiest_s is None:
        busiest_s = likely_parameter(BUSIEST_S, box.policy.parameters, guide)
    seen, moments = over_time(box.observed, busiest_s)
    box = box.replace(observed=seen)
    processors = processors_of(box, guide)
    with collect_errors() as errors:
        errors.extend(plausibility_errors(box, processors, guide))
        unknown = tuple(name_errors(box, guide))
        errors.extend(unknown)
        if not unknown:
            with errors.catch():
                system = system_of(box, processors, guide)
        with errors.catch():
            usage = usage_of_box(box, guide)
        with errors.catch():
            measured = measured_of(box, processors, guide)
        with errors.catch():
            observed = observed_facts(box, processors, guide)
        with errors.catch():
            shown = as_built_of(box, guide)
    return Known(system, usage, measured, observed, shown, moments)


def usage_of_box(box: Box, guide: Guide) -> UsageProfile:
    """Return the stated use of a box; raises InputError for a mix that is not in the guide."""
    nfs, load = box.observed.nfs, box.load
    ops = nfs.ops_per_s if nfs else None
    volumes, preset = box.volumes or (), preset_access(box, guide)
    return UsageProfile(
        services=tuple(sorted(str(s) for s in box.services)) if box.services is not None else None,
        # Those of all networks, if some of them are clients of NFS.
        clients=box.clients or (
            _sum(box, "clients") if "nfs" in map(str, box.services or ("nfs",)) else None
        ),
        diskless_clients=box.diskless_clients or _sum(box, "diskless_clients"),
        nfs_ops_per_s=ops or load.nfs_ops_per_s,
        nfs_weighted_ops_per_s=_weighted(box, guide),
        nfs_write_share=load.nfs_write_share or _write_share(box, guide),
        nfs_kb_per_op=(
            kb_per_op(require_row(guide, "nfs-mixes", nfs.mix), guide) if nfs and nfs.mix else None
        ),
        cached=kept_in_memory((v.name, v.cached_mb) for v in volumes) or None,
        stored_mb=None if box.volumes is None
        else sum_known((v.size_mb for v in box.volumes), "MB"),
        networks={
            n.id: NetworkUse(
                _medium(n, guide), n.keep_medium, n.fastest_response, _on(box, n, "clients"),
                _on(box, n, "diskless_clients"),
            )
            for n in box.networks or ()
        },
        volumes={
            v.name: VolumeUse(
                v.access or preset, _hot(v.activity), v.protection, v.use, v.mirrored_for,
                v.clustered, v.full_percent and v.full_percent.to(PURE),
                "" if v.database == NONE else v.database, bool(v.in_turns), v.file_access,
                v.size_mb, v.saved_mb,
            )
            for v in volumes
        },
        disks={
            d.id: VolumeUse(d.access or (None if volumes else preset), _hot(d.activity))
            for c in box.channels or () for d in c.parts
        },
        backup=_backup(box, guide),
        transfer_kb=transfer_kb(box, guide),
        wide_lines=None if box.wide_lines is None else tuple(
            LineDemand(
                "", line.name, "wide", count(line.count, f"lines of {line.name}", "line"),
                printed_rate(line.kbit_per_s, guide),
            )
            for line in box.wide_lines
        ),
        processes=None if load.processes is None
        else tuple(LineItem(name, figure) for name, figure in load.processes.items()),
        many_small_files=box.applications.many_small_files,
        small_file_ops_per_s=box.applications.small_file_ops_per_s,
        database_ops_per_s=box.applications.database_ops_per_s,
        shared_writes=box.applications.shared_writes,
        databases=None if box.databases is None else tuple(sorted(map(str, box.databases))),
    )  # fmt: skip


def _backup(box: Box, guide: Guide) -> Backup | None:
    stated = box.backup
    if stated is None:
        return None
    when = Backup(stated.wanted, stated.during_working_hours, stated.at_night_in_use)
    # The network to drives on another system is among the ports, with its own medium.
    return with_terms(when, stated, guide)


def _medium(network: BoxNetwork, guide: Guide) -> str | None:
    """Return the medium that a network must keep; empty if it may change, None if not stated."""
    free = network.any_medium
    if free is None and network.keep_medium is not None:
        free = not network.keep_medium
    interface = guide.table("network-interfaces").rows.get(network.interface)
    if free is None or interface is None:
        return None
    return "" if free else interface.text("medium")


def _hot(activity: str | None) -> bool | None:
    return None if activity is None else activity == "hot"


def _sum(box: Box, name: str) -> Quantity | None:
    """Return the clients of all networks; None unless each network states them."""
    return sum_known((getattr(n, name) for n in box.networks), "client") if box.networks else None


def _on(box: Box, network: BoxNetwork, name: str) -> Quantity | None:
    """Return the clients on a network: as stated, else those of the box if it has no other."""
    stated: Quantity | None = getattr(network, name)
    alone = len(box.networks or ()) == 1
    return getattr(box, name) if stated is None and alone else stated


def _weighted(box: Box, guide: Guide) -> Quantity | None:
    """Return operations per second of the reference mix: as observed, else as planned.

    None if the mix of what was observed is not stated.
    """
    nfs, planned = box.observed.nfs, box.load.nfs
    if nfs is None or nfs.ops_per_s is None:
        return None if planned is None else total(planned.values(), "op/s")
    if nfs.mix is not None:
        factor = mix_factor(require_row(guide, "nfs-mixes", nfs.mix))
        return nfs.ops_per_s / factor if factor else nfs.ops_per_s
    return nfs.ops_per_s if nfs.writes_percent is not None else None


def _write_share(box: Box, guide: Guide) -> Quantity | None:
    """Return the share of writes among NFS operations: as measured, else by the stated mix."""
    nfs = box.observed.nfs
    if nfs is None:
        return None
    if nfs.writes_percent is not None:
        return nfs.writes_percent.to(PURE)
    writes = require_row(guide, "nfs-mixes", nfs.mix).cell("writes_percent") if nfs.mix else None
    return writes.to(PURE) if writes is not None else None
