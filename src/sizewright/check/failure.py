"""An existing server that has lost a part: what was measured moves to what is left."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from sizewright.box.reading import Known, known_of
from sizewright.box.schema import Box
from sizewright.check.check import Check, forget_measured, judge_known
from sizewright.configuration.model import (
    DISK,
    System,
    Volume,
    components,
    disconnected,
    lost_volumes,
    remove_component,
    removed_parts,
)
from sizewright.demand.rates import READ, LineItem, Lines, divided_lines, sum_lines
from sizewright.evaluate.policy import Policy
from sizewright.failure import Failure, newly_missed, without_protection
from sizewright.guide.model import UNKNOWN, Guide
from sizewright.load.measured import WRITES, Measured, asked_of_disk
from sizewright.load.model import Asked
from sizewright.quantity import Quantity, ambiguous, as_quantity, count, mean, total
from sizewright.rules.compiler import RuleSet
from sizewright.workload.volume import ESSENTIAL


def _degraded(known: Known, left: System, guide: Guide) -> tuple[Known, System, frozenset[str]]:
    """Return what is known, and what is left, if arrays work without some disks.

    They are the arrays whose level survives the lost disks. Such an array does not survive another
    disk. Its other disks, which come last, do more; how much more is unknown.
    """
    there = {device.id for device in left.devices()}
    raids, sizes = dict(known.shown.raids), dict(known.measured.sizes)
    kept: dict[str, Volume] = {}
    for volume in known.system.volumes:
        missing = volume.disks - there
        if len(volume.copies) != 1 or not _survives(volume, len(missing), known, guide):
            continue
        (copy,) = volume.copies
        parts = tuple(part for part in copy if part.disk in there)
        kept[volume.name] = volume._replace(copies=(parts,))
        raids[volume.name] = ""
        if volume.name in sizes:
            share = count(len(parts), "disks left", "disk") / count(len(copy), "disks", "disk")
            sizes[volume.name] = sizes[volume.name] * share
    if not kept:
        return known, left, frozenset()
    others = {volume.name: volume for volume in left.volumes} | kept
    volumes = tuple(others[v.name] for v in known.system.volumes if v.name in others)
    return (
        known._replace(
            shown=known.shown._replace(raids=raids), measured=known.measured._replace(sizes=sizes)
        ),
        left._replace(volumes=volumes),
        frozenset(disk for volume in kept.values() for disk in volume.disks),
    )


def _survives(volume: Volume, missing: int, known: Known, guide: Guide) -> bool:
    level = guide.row("raid-levels", known.shown.raids.get(volume.name) or UNKNOWN)
    failures = level.cell("disk_failures_survived")
    return failures is not None and 1 <= missing <= failures.low


def box_failure(check: Check, component: str, rule_set: RuleSet, policy: Policy) -> Failure:
    """Return an existing server without one of its components; raises KeyError for any other.

    Only what depends on the component changes: values measured for the whole system stay.
    """
    known = known_of(check.box, check.guide)
    whole = known.system
    kind = components(whole)[component]
    known, left, busier = _degraded(known, remove_component(whole, component), check.guide)
    after = judge_known(_left(known, left, busier), check.guide, rule_set, policy)
    after = without_protection(after, rule_set)
    parts = removed_parts(whole, left)
    # As in a check without a failure, what passes in the best case does not fail.
    best = policy._replace(size_for="low")
    lost = (*lost_volumes(whole, left), *_lost_partitions(check.box, whole, parts))
    broken, borderline = newly_missed(check.judged, after, rule_set, best)
    return Failure(
        component, kind, left.id, parts, lost, disconnected(whole, left), (),
        check.judged, after, broken, _has_unknown(whole, parts), borderline=borderline,
    )  # fmt: skip


def _lost_partitions(box: Box, whole: System, parts: tuple[str, ...]) -> Iterator[str]:
    """Yield the partitions for root and swap on lost disks that are no part of a volume."""
    uses = {volume.name: volume.use for volume in box.volumes or ()}
    laid = {(uses.get(volume.name), disk) for volume in whole.volumes for disk in volume.disks}
    for device in whole.devices():
        for use in dict.fromkeys(partition.use for partition in device.partitions):
            if device.id in parts and use in ESSENTIAL and (use, device.id) not in laid:
                yield f"{use} on {device.id}"


def _has_unknown(whole: System, parts: tuple[str, ...]) -> bool:
    """Return whether disks are lost whose data is not stated."""
    disks = {d.id for d in whole.devices() if d.kind == DISK and d.id in parts}
    told = {disk for volume in whole.volumes for disk in volume.disks}
    placed = "volumes" not in whole.unstated and all(v.copies for v in whole.volumes)
    return not placed and not disks <= told


def _left(known: Known, left: System, arrays: frozenset[str]) -> Known:
    """Return what is known about a server if it has only these parts.

    The disks of `arrays` do more than was measured; how much more is unknown.
    """
    whole, measured = known.system, known.measured
    stopped = _stopped(whole, left)
    disks, shares, unknown = _disks(measured.disks, whole, left, stopped)
    disks = {name: lines for name, lines in disks.items() if name not in arrays}
    moved = arrays | unknown | shares.keys() | stopped.keys()
    taken = {
        name: found for name in moved - unknown - arrays
        if (found := _taken(name, shares.get(name, {}), known, stopped)) is not None
    }  # fmt: skip
    successors = _successors(whole, left)
    busier = {"disk": moved, "network": set(chain.from_iterable(successors.values()))}
    return known._replace(
        system=left,
        measured=measured._replace(
            disks=disks,
            networks=_ports(measured.networks, left, successors),
            data=_ports(measured.data, left, successors),
            wires=_ports(measured.wires, left, successors),
            wire_ops=_ports(measured.wire_ops, left, successors),
            channels=_channels(measured, whole, left, moved, taken, stopped),
            moved={name: lines for name, lines in measured.moved.items() if name not in moved},
            asked={name: asked for name, asked in measured.asked.items() if name not in moved}
            | {name: (*own, *more) for name, (own, more) in taken.items()},
        ),
        observed=forget_measured(known.observed, busier),
    )


def _stopped(whole: System, left: System) -> dict[str, bool]:
    """Return the disks that are left of copies that stop, and whether they have nothing else.

    A copy stops if it loses one of its disks.
    """
    there = {device.id for device in left.devices()}
    remaining = {volume.name: volume.copies for volume in left.volumes}
    disks = {
        part.disk for volume in whole.volumes
        for kept in (remaining.get(volume.name, ()),) if len(kept) < len(volume.copies)
        for copy in volume.copies if copy not in kept
        for part in copy if part.disk in there
    }  # fmt: skip
    return {disk: _has_nothing_of(left.volumes, disk, left) for disk in disks}


def _left_of(figure: Quantity, has_stopped: bool) -> Quantity:
    """Return what a disk still does: if one of its copies has stopped, from none to all."""
    return ambiguous(figure, as_quantity(0, figure.unit)) if has_stopped else figure


def _left_lines(disk: str, lines: Lines, stopped: Mapping[str, bool]) -> Lines:
    return () if stopped.get(disk) else tuple(
        line._replace(figure=_left_of(line.figure, disk in stopped)) for line in lines
    )  # fmt: skip


def _disks(
    measured: Mapping[str, Lines], whole: System, left: System, stopped: Mapping[str, bool]
) -> tuple[dict[str, Lines], dict[str, dict[str, Quantity]], set[str]]:
    """Return the rates of disks that are left, and what each takes over from which lost disk.

    The last result is the disks that do more, and it is unknown how much. Of the work of a lost
    disk only reads of its copies move to the other copies: all of them if it has nothing else,
    their rate is known, and one disk takes them; else from nothing to all of its work. If its rate
    was not measured, theirs are unknown then.
    """
    there = {d.id for d in left.devices()}
    found = {
        name: _left_lines(name, lines, stopped) for name, lines in measured.items() if name in there
    }  # fmt: skip
    found |= {name: () for name, is_idle in stopped.items() if is_idle}
    remaining = {volume.name: volume for volume in left.volumes}
    more: dict[str, dict[str, Quantity]] = {}
    unknown: set[str] = set()
    for volume in whole.volumes:
        kept = remaining.get(volume.name)
        if kept is None or len(kept.copies) == len(volume.copies):
            continue
        others = sorted(kept.disks)
        copies = tuple(copy for copy in volume.copies if copy not in kept.copies)
        for disk in sorted(volume._replace(copies=copies).disks):
            lines = measured.get(disk)
            if lines is None:
                unknown.update(others)
                continue
            reads = tuple(line for line in lines if line.name != WRITES)
            if reads:
                apart = len(reads) < len(lines) and _is_alone(volume, disk, whole)
                certain = apart and len(others) == 1
                share = _share(reads, len(others), volume.name, certain)
                for other in others:
                    moved = more.setdefault(other, {})
                    # Volumes on one disk share its rate: each may have it all, but it counts once.
                    if disk not in moved or moved[disk].high < share.high:
                        moved[disk] = share
    for name, shares in more.items():
        if name in found:
            items = (LineItem(_reads_from(disk), share) for disk, share in shares.items())
            found[name] = (*found[name], *items)
    for name in unknown:
        found.pop(name, None)
    return found, more, unknown


def _reads_from(disk: str) -> str:
    return f"reads from {disk}"


_Taken = tuple[tuple[Asked, ...], tuple[Asked, ...]]


def _taken(
    disk: str, shares: Mapping[str, Quantity], known: Known, stopped: Mapping[str, bool]
) -> _Taken | None:
    """Return what is left of a disk's operations, and what it takes over, with the size they had.

    None if the kind or size of some is not known.
    """
    if stopped.get(disk):
        return (), ()
    own = asked_of_disk(disk, known.measured, known.usage, known.system)
    if own is None or disk not in known.measured.disks:
        return None
    own = tuple(each._replace(rate=_left_of(each.rate, disk in stopped)) for each in own)
    more = []
    for lost, share in shares.items():
        asked = asked_of_disk(lost, known.measured, known.usage, known.system) or ()
        reads = [each for each in asked if each.service != WRITES and each.rate.high > 0]
        if not share.high:
            continue
        if not reads:
            return None
        size, layers = reads[0].block_kb, {each.layer for each in reads}
        if len(reads) > 1:
            size = mean([each.block_kb for each in reads], [each.rate for each in reads])
        layer = reads[0].layer if len(layers) == 1 else ""
        more.append(Asked(_reads_from(lost), share, size, layer, READ))
    return own, tuple(more)


def _is_alone(volume: Volume, disk: str, system: System) -> bool:
    """Return whether a disk has nothing but one volume."""
    return _has_nothing_of((each for each in system.volumes if each != volume), disk, system)


def _has_nothing_of(volumes: Iterable[Volume], disk: str, system: System) -> bool:
    """Return whether a disk has no data of these volumes, and no partition of anything else."""
    placed = (bool(each.copies) and not each.is_on(disk) for each in volumes)
    return all(placed) and not any(d.partitions for d in system.disks() if d.id == disk)


def _share(lines: Lines, others: int, volume: str, certain: bool) -> Quantity:
    whole = sum_lines(lines, "op/s")
    if others > 1:
        whole = whole / count(others, f"disks of {volume} left")
    return whole if certain else ambiguous(whole, as_quantity(0, "op/s"))


def _successors(whole: System, left: System) -> dict[str, list[str]]:
    """Return the ports that take over from each lost one: those that are left of its network."""
    there = {port.id for port in left.ports}
    return {
        lost.id: [port.id for port in left.ports if port.network == lost.network]
        for lost in whole.ports
        if lost.id not in there
    }


def _ports(
    measured: Mapping[str, Lines], left: System, successors: Mapping[str, list[str]]
) -> dict[str, Lines]:
    """Return the loads of networks that take over the load of lost networks evenly."""
    there = {port.id for port in left.ports}
    found = {name: lines for name, lines in measured.items() if name in there}
    for lost, others in successors.items():
        part = measured.get(lost)
        if part is not None and len(others) > 1:
            part = divided_lines(part, count(len(others), "networks left"))
        for name in others:
            if part is None:
                found.pop(name, None)
            elif name in found:
                found[name] = (*found[name], *part)
    return found


def _channels(
    measured: Measured,
    whole: System,
    left: System,
    busier: frozenset[str],
    taken: Mapping[str, _Taken],
    stopped: Mapping[str, bool],
) -> dict[str, Lines]:
    """Return the measured loads of channels, with what their disks take over.

    They are unknown if a disk does more or less, and it is not known what; or if a disk does other
    work than was measured, and only the load of the whole channel was.
    """
    had = {channel.id: {d.id for d in channel.devices} for channel in whole.channels}
    found: dict[str, Lines] = {}
    for channel in left.channels:
        lines = measured.channels.get(channel.id)
        own = {device.id for device in channel.devices}
        if lines is None or busier & own - taken.keys():
            continue
        changed = own != had[channel.id] or not own.isdisjoint(busier)
        if not changed or all(line.name in had[channel.id] for line in lines):
            lost = had[channel.id] - own
            found[channel.id] = tuple(
                _with_taken(each, taken) for line in lines if line.name not in lost
                for each in _left_lines(line.name, (line,), stopped)
            )  # fmt: skip
    return found


def _with_taken(line: LineItem, taken: Mapping[str, _Taken]) -> LineItem:
    """Return what a device transfers, with what it takes over, in KB/s."""
    _, more = taken.get(line.name, ((), ()))
    rates = [line.figure, *(each.kb_per_s for each in more)]
    return line if len(rates) == 1 else line._replace(figure=total(rates, "KB/s"))
