"""What to do first about a server that breaks limits: a change of it, and what the change does.

A change is tried on the server as it is: what was measured on a disk moves with the disk, or with
its data, and nothing measured is edited. So only changes whose effect can be computed are tried:
first of what is there (disks on other channels, data on other disks, clients on other networks),
then one more controller or more processors. For all else the remedy of the rule is what to do; then
the server must be measured again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Literal, NamedTuple

from sizewright.box.reading import Known, known_of
from sizewright.check.check import Check, forget_measured, judge_known
from sizewright.configuration.model import SYSTEM, Board, Channel, Device, System, Volume
from sizewright.demand.model import Lines
from sizewright.demand.usage import NetworkUse
from sizewright.evaluate.policy import Policy
from sizewright.guide.model import SEVERITIES, Guide
from sizewright.limits import CHANGES_TRIED
from sizewright.load.measured import Measured
from sizewright.quantity import Quantity, count
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import LIMITS, RECOMMENDED, Finding
from sizewright.units import PURE

_TWO = count(2, "parts that share evenly")
# Findings by rule and subject.
Findings = Mapping[tuple[str, str], Finding]
# Facts of a system in which it shows that memory is short.
_SHORT_MEMORY = frozenset({"page_outs_per_s", "page_scans_per_s", "swap_outs_per_s"})
_ASKED = frozenset({"disk.operations_per_s", "disk.demanded_kb_per_s", "disk.busy_share"})


class Change(NamedTuple):
    """A change of a server: `part` goes `to` another part, or something is added.

    A `disk` goes to another channel, or to that of an added `controller`, which goes by its model.
    Half of the `data` of a disk goes to another disk, half of the `clients` of a network to another
    network. Or there are as many `processors` as `to` says.
    """

    kind: Literal["disk", "data", "clients", "controller", "processors"]
    part: str
    to: str

    @property
    def buys(self) -> bool:
        """Whether it needs a part that is not there."""
        return self.kind in ("controller", "processors")


class Step(NamedTuple):
    """What to do first: about this finding, by this change.

    `after` is the finding on the changed server. Both are None if no change was found whose effect
    can be computed.
    """

    finding: Finding
    change: Change | None = None
    after: Finding | None = None

    @property
    def figures(self) -> tuple[Quantity, Quantity] | None:
        """How much of the limited resource is used before and after; None without a change."""
        before = _used(self.finding)
        after = None if self.after is None else _used(self.after)
        return None if before is None or after is None else (before, after)

    @property
    def needs_measuring(self) -> bool:
        """Whether only measuring again can tell what the step has changed."""
        load = bool(self.finding.asked.bounds) or _is_memory(self.finding)
        return self.change is None and load


def first_step(check: Check, rule_set: RuleSet, policy: Policy) -> Step | None:
    """Return what to do first; None if every limit is met that could be checked.

    If only a recommended limit is exceeded, it is a change or nothing.
    """
    broken = [
        f for f in check.findings
        if f.verdict == "violated" and (f.severity in LIMITS or _is_memory(f))
    ]  # fmt: skip
    exceeded = (f for f in check.findings if f.severity == RECOMMENDED and f.verdict == "tight")
    findings = ranked(broken or exceeded)
    if not findings:
        return None
    step = _best_step(findings[0], check, rule_set, policy)
    # A recommended limit alone is no reason to measure again.
    return step if broken or step.change is not None else None


def _best_step(first: Finding, check: Check, rule_set: RuleSet, policy: Policy) -> Step:
    """Return the best change that was found for a finding; none if no change helps.

    A change is one after which less of the resource is used, and no limit is broken that was met,
    or by more than before. Of several it is the one after which the fewest limits are broken, the
    least of the resource is used, and the part that takes more has the least to do. Of numbers of
    processors it is the least that is enough.
    """
    before = {_key(f): f for f in check.judged.findings}
    tried: list[tuple[tuple[float, ...], Step]] = []
    known = known_of(check.box, check.guide)
    for change, changed in islice(_changes(first, known, check.guide), CHANGES_TRIED):
        judged = judge_known(changed, check.guide, rule_set, policy)
        after = {_key(f): f for f in judged.findings}
        step = Step(first, change, after.get(_key(first)))
        if step.figures is None or step.figures[1].high >= step.figures[0].high:
            continue
        # More processors take more from no other part.
        taking = after.get((first.rule, f"{first.subject.rpartition('/')[0]}/{change.to}"), first)
        if (taking is first or taking.verdict == "holds") and not _any_worse(before, after):
            broken = sum(f.verdict == "violated" and f.asked.blocks for f in judged.findings)
            filled = _used(taking)
            # Processors are tried from the fewest on.
            enough = change.kind == "processors" and after[_key(first)].verdict == "holds"
            merit = (
                change.buys,
                broken,
                0 if enough else step.figures[1].high,
                filled.high if filled is not None else 0,
            )
            tried.append((merit, step))
    return min(tried, key=lambda each: each[0])[1] if tried else Step(first)


def _any_worse(before: Findings, after: Findings) -> bool:
    """Return whether a limit is broken that was not, or by more than it was."""
    for key, finding in after.items():
        if finding.verdict != "violated" or not finding.asked.blocks:
            continue
        if key not in before or before[key].verdict != "violated":
            return True
        was, now = _used(before[key]), _used(finding)
        if was is not None and now is not None and now.high > was.high:
            return True
    return False


def ranked(found: Iterable[Finding]) -> list[Finding]:
    """Return findings by what is to be done first: limits before advice, causes before effects.

    A shortage of memory keeps a disk busy that has nothing but swap, so it comes before that disk,
    and is as severe. Of the others, what exceeds its limit by most comes first.
    """
    findings = list(found)
    effects = [f for f in findings if _is_swap_disk(f)]

    def urgency(finding: Finding) -> tuple[int, bool, float]:
        severity = SEVERITIES.index(finding.severity)
        if _is_memory(finding):
            severity = min([severity, *(SEVERITIES.index(f.severity) for f in effects)])
        late = finding in effects and any(_is_memory(f) for f in findings)
        return severity, late, -_excess(finding)

    return sorted(findings, key=urgency)


def _is_memory(finding: Finding) -> bool:
    short = _reads_shortage(finding) and finding.severity != "note"
    return short or _fact(finding) == (SYSTEM, "memory_needed_mb")


def _reads_shortage(finding: Finding) -> bool:
    return bool(finding.asked.facts_of(SYSTEM) & _SHORT_MEMORY)


def memory_shortage(found: Iterable[Finding]) -> Finding | None:
    """Return the limit on measured paging or swapping that is broken; it has no headroom."""
    return next(
        (
            f for f in found
            if f.verdict == "violated" and f.severity in LIMITS and _reads_shortage(f)
        ),
        None,
    )  # fmt: skip


def _is_swap_disk(finding: Finding) -> bool:
    disk = finding.read.get("disk")
    return disk is not None and bool(disk.uses) and set(disk.uses) == {"swap"}


def _key(finding: Finding) -> tuple[str, str]:
    return finding.rule, finding.subject


def _fact(finding: Finding) -> tuple[str, str]:
    """Return the subject and the name of the fact that its rule limits; empty if it has none."""
    resource = finding.asked.bounds[0].resource if finding.asked.bounds else ""
    subject, _, name = resource.partition(".")
    return subject, name


def _used(finding: Finding) -> Quantity | None:
    subject, name = _fact(finding)
    figure = getattr(finding.read.get(subject), name, None)
    return figure if isinstance(figure, Quantity) else None


def _excess(finding: Finding) -> float:
    """Return how many times its limit is used at the worse end; 1 if that is not known."""
    used = _used(finding)
    limits = [f for name, f in finding.figures.items() if name != ".".join(_fact(finding))]
    if used is None or len(limits) != 1 or limits[0].low <= 0:
        return 1
    return used.high / limits[0].low


def _changes(finding: Finding, known: Known, guide: Guide) -> Iterator[tuple[Change, Known]]:
    """Yield changes that may help, each with what is known about the changed server."""
    subject, name = _fact(finding)
    if subject == "channel":
        part = finding.read[subject].id
        for channel in known.system.channels:
            yield from _moved_disks("disk", part, channel.id, known)
        for model, more in _with_controllers(part, known, guide):
            yield from _moved_disks("controller", part, model, more)
    elif subject == "network":
        yield from _moved_clients(finding.read[subject].id, known, guide)
    elif f"{subject}.{name}" in _ASKED:
        yield from _moved_data(finding.read[subject].id, known)
    elif name == "processor_share":
        yield from _more_processors(known, guide)


def _moved_disks(
    kind: Literal["disk", "controller"], crowded: str, other: str, known: Known
) -> Iterator[tuple[Change, Known]]:
    """Yield a server for each disk of a channel that may go to another channel of its kind."""
    measured, system = known.measured, known.system
    boxed = {disk for each in known.shown.enclosures for disk in each.disks}
    channels = {channel.id: channel for channel in system.channels}
    source, target = channels[crowded], channels[other]
    for disk in source.devices if target.kind == source.kind and target != source else ():
        lines = _moved_lines(measured, disk.id, crowded, other)
        if not measured.disks.get(disk.id) or disk.dual_ported or disk.id in boxed or lines is None:
            continue
        left = source._replace(devices=tuple(d for d in source.devices if d != disk))
        more = target._replace(devices=(*target.devices, _addressed(disk, target)))
        changed = {**channels, crowded: left, other: more}
        yield (
            Change(kind, disk.id, other),
            known._replace(
                system=system._replace(channels=tuple(changed.values())),
                measured=measured._replace(channels=lines),
            ),
        )


def _with_controllers(crowded: str, known: Known, guide: Guide) -> Iterator[tuple[str, Known]]:
    """Yield the server with one more controller of each model that has such a channel.

    Models that are there come before others. Its channel goes by the model.
    """
    system, measured = known.system, known.measured
    kinds = {channel.id: channel.kind for channel in system.channels}
    providers = {c.provider for c in system.channels if c.kind == kinds[crowded]}
    models = {board.model: board for board in system.boards if board.id in providers}
    if not models and "boards" not in system.unstated:
        models = {board.model: board for board in _adapters(kinds[crowded], system.platform, guide)}
    for model, board in models.items():
        if model in kinds or model in {each.id for each in system.boards}:
            continue
        channel = Channel(model, kinds[crowded], model)
        lines = {**measured.channels, model: ()} if crowded in measured.channels else {}
        yield (
            model,
            known._replace(
                system=system._replace(
                    boards=(*system.boards, board._replace(id=model, slots=())),
                    channels=(*system.channels, channel),
                ),
                measured=measured._replace(channels=lines or measured.channels),
            ),
        )


def _adapters(kind: str, platform: str, guide: Guide) -> Iterator[Board]:
    """Yield the boards on sale that have channels of a kind, and nothing else."""
    for row in guide.table("boards"):
        fits = row.flag("orderable") and platform not in row.list("not_on")
        if fits and kind in row.list("disk_busses") and "network_interface" not in row.list("role"):
            yield Board(row.id, "boards", row.id, row.text("bus"), (), "")


def _moved_lines(
    measured: Measured, disk: str, source: str, target: str
) -> dict[str, Lines] | None:
    """Return what channels carry; None if the share of the disk was not measured by itself."""
    lines = dict(measured.channels)
    if source not in lines and target not in lines:
        return lines
    own = tuple(line for line in lines.get(source, ()) if line.name == disk)
    if not own or target not in lines:
        return None
    lines[source] = tuple(line for line in lines[source] if line.name != disk)
    lines[target] = (*lines[target], *own)
    return lines


def _addressed(disk: Device, channel: Channel) -> Device:
    """Return a disk at its own address, or at the first that is free on a channel."""
    taken = {device.target for device in channel.devices}
    if disk.target is None or disk.target not in taken:
        return disk
    return disk._replace(target=next(n for n in range(len(taken) + 1) if n not in taken))


def _moved_data(busy: str, known: Known) -> Iterator[tuple[Change, Known]]:
    """Yield a server for each disk that can take half of the data of a busy one."""
    measured, system = known.measured, known.system
    lines = measured.disks.get(busy)
    if not lines or busy in measured.asked:
        return
    for disk in system.disks():
        own, channels = measured.disks.get(disk.id), _shared_lines(known, busy, disk.id)
        if disk.id == busy or own is None or disk.id in measured.asked or channels is None:
            continue
        stored = _shared_load(measured.stored, busy, disk.id)
        disks = {**measured.disks, busy: _half(lines), disk.id: (*own, *_half(lines))}
        yield (
            Change("data", busy, disk.id),
            known._replace(
                system=system._replace(volumes=tuple(_divided(system, busy, disk.id))),
                measured=measured._replace(disks=disks, channels=channels, stored=stored or {}),
                observed=_with_busy_time(known, busy, disk.id),
            ),
        )


def _half(lines: Lines) -> Lines:
    return tuple(line._replace(figure=line.figure / _TWO) for line in lines)


def _shared_lines(known: Known, busy: str, other: str) -> dict[str, Lines] | None:
    """Return what channels carry if half of what one disk has moves to another.

    None if the share of one of them was not measured by itself.
    """
    lines = dict(known.measured.channels)
    ends = {
        disk: channel.id
        for channel in known.system.channels for disk in (d.id for d in channel.devices)
        if disk in (busy, other)
    }  # fmt: skip
    if not set(ends.values()) & set(lines):
        return lines
    half = _half(tuple(line for line in lines.get(ends[busy], ()) if line.name == busy))
    if not half or ends[other] not in lines:
        # Within one channel nothing changes for the channel.
        return lines if ends[busy] == ends[other] else None
    rest = tuple(line for line in lines[ends[busy]] if line.name != busy)
    lines[ends[busy]] = (*rest, *half)
    more = (line._replace(name=other) for line in half)
    lines[ends[other]] = (*lines[ends[other]], *more)
    return lines


def _divided(system: System, busy: str, other: str) -> Iterator[Volume]:
    """Yield the volumes of a system, with half of each part on a disk on another."""
    for volume in system.volumes:
        copies = tuple(
            tuple(
                part._replace(disk=disk, size_mb=part.size_mb / len(disks))
                for part in copy
                for disks in ((busy, other) if part.disk == busy else (part.disk,),)
                for disk in disks
            )
            for copy in volume.copies
        )
        yield volume._replace(copies=copies)


def _with_busy_time(
    known: Known, busy: str, other: str
) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Return what was observed, with half of the busy time of a disk moved to another.

    The time of a disk on which it was not measured becomes unknown. Times of one moment are added
    if there are reports, else the greatest.
    """
    disks = known.observed.get("disk", {})
    times = [disks.get(disk, {}).get("busy_share") for disk in (busy, other)]
    if times == [None, None]:
        return known.observed
    before, own = times
    half = before / _TWO if isinstance(before, Quantity) else None
    more = None
    if isinstance(own, Quantity) and half is not None:
        more = _greatest_sum(known, busy, other) or own + half
    changed = {
        busy: {**disks.get(busy, {}), "busy_share": half},
        other: {**disks.get(other, {}), "busy_share": more},
    }
    return {**known.observed, "disk": {**disks, **changed}}


def _greatest_sum(known: Known, busy: str, other: str) -> Quantity | None:
    """Return the greatest sum at one moment of a disk's busy time and half of that of another.

    None if one of them was not measured at each moment.
    """
    sums = []
    for moment in known.moments:
        here, there = (moment.get(f"observed.disks.{disk}.busy_percent") for disk in (busy, other))
        if here is None or there is None:
            return None
        sums.append((there + here / _TWO).to(PURE))
    return max(sums, key=lambda share: share.high, default=None)


def _moved_clients(busy: str, known: Known, guide: Guide) -> Iterator[tuple[Change, Known]]:
    """Yield a server for each network of the same medium with half of the clients of a busy one."""
    measured, system, usage = known.measured, known.system, known.usage
    media = {
        port.id: guide.row("network-interfaces", port.interface).text("medium")
        for port in system.ports
    }
    for other, medium in media.items():
        ops = _shared_load(measured.networks, busy, other)
        data = _shared_load(measured.data, busy, other)
        if other == busy or medium != media[busy] or ops is None or data is None:
            continue
        uses = {**usage.networks, **dict(_shared_clients(usage.networks, busy, other))}
        yield (
            Change("clients", busy, other),
            known._replace(
                usage=usage._replace(networks=uses),
                measured=measured._replace(networks=ops, data=data),
                observed=forget_measured(known.observed, {"network": (busy, other)}),
            ),
        )


def _shared_load(loads: Mapping[str, Lines], busy: str, other: str) -> Mapping[str, Lines] | None:
    """Return loads with half of one moved to another; None if only one of them was measured."""
    if (busy in loads) != (other in loads):
        return None
    if busy not in loads:
        return loads
    half = _half(loads[busy])
    return {**loads, busy: half, other: (*loads[other], *half)}


def _shared_clients(
    uses: Mapping[str, NetworkUse], busy: str, other: str
) -> Iterator[tuple[str, NetworkUse]]:
    """Yield how two networks are used if half of the clients of one are on the other."""
    here, there = uses.get(busy, NetworkUse()), uses.get(other, NetworkUse())
    names = ("clients", "diskless_clients")
    half = {n: None if (all_ := getattr(here, n)) is None else all_ / _TWO for n in names}
    more = {
        n: None if half[n] is None or (own := getattr(there, n)) is None else own + half[n]
        for n in names
    }
    yield busy, here._replace(**half)
    yield other, there._replace(**more)


def _more_processors(known: Known, guide: Guide) -> Iterator[tuple[Change, Known]]:
    """Yield the server with each larger number of processors that its platform may have."""
    counts = guide.row("platforms", known.system.platform).list("processor_counts")
    for number in counts if known.system.processors is not None else ():
        if number > known.system.processors:
            change = Change("processors", known.system.platform, str(number))
            yield change, known._replace(system=known.system._replace(processors=int(number)))
