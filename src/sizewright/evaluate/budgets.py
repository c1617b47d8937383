"""Every budget of a system, from its load, its facts and the limits that rules set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sizewright.configuration.model import System
from sizewright.configuration.slots import slot_groups
from sizewright.demand.model import LineItem
from sizewright.evaluate.limits import applies, carries_load, kept, named
from sizewright.facts.derive import SYSTEM, Facts
from sizewright.guide.model import Guide
from sizewright.load.channels import bus_second
from sizewright.load.model import Known, Lines, Load, sum_of
from sizewright.load.nfs import processor_second
from sizewright.quantity import Quantity, ambiguous, as_quantity, count, smallest, total
from sizewright.rules.compiler import RuleSet
from sizewright.rules.intervals import FALSE, TIGHT, TRUE, UNKNOWN, at_most, number
from sizewright.rules.rule import LIMITS, RECOMMENDED, VIOLATION, Bound, Finding, Rule, Verdict


class Budget(NamedTuple):
    """One resource of one system.

    `used` is None where what is asked of it is not known.
    `limit_rule` names the rule that sets the limit; empty where the capacity itself is the limit.
    Between the `recommended` limit, where `recommended_rule` sets one, and the limit it is tight.
    """

    resource: str
    system: str
    kind: str
    name: str
    unit: str
    items: Lines
    used: Quantity | None
    capacity: Quantity | None
    limit: Quantity | None
    limit_rule: str
    utilisation: Quantity | None
    verdict: Verdict
    recommended: Quantity | None = None
    recommended_rule: str = ""

    def share_of_limit(self, end: str) -> float | None:
        """How full the resource is against its limit, at one end of the demand."""
        if self.used is None or self.limit is None or self.limit.low <= 0:
            return None
        ratio = self.used / self.limit
        return ratio.at(end)

    def is_over(self, end: str) -> bool:
        """Return whether the use exceeds the limit at one end of the demand, not only at another.

        An exceeded recommended limit does not count.
        """
        share = self.share_of_limit(end) if self.verdict == "tight" else None
        return self.verdict == "violated" or (share is not None and at_most(share, 1.0) is FALSE)


def capacities(facts: Facts, book: RuleSet) -> Facts:
    """The facts with each network's capacity: the least of its interface's and any rule's."""
    networks = []
    for record in facts.networks:
        subjects = facts.asked("network", record)
        capacity = _bounded(
            record.interface_ops_per_s, "network.nfs_ops_per_s", "network", subjects, book
        )
        networks.append(record._replace(capacity_ops_per_s=capacity))
    return facts._replace(networks=tuple(networks))


def budgets(
    system: System, load: Load, facts: Facts, book: RuleSet, guide: Guide,
    reserve: Quantity | None = None,
) -> tuple[Budget, ...]:  # fmt: skip
    """Every budget of a system, from the kernel lock down to single disks.

    Of limits on loads a `reserve` stays free.
    """
    make = _Maker(system.id, facts, book, reserve)
    found: list[Budget] = []
    locks = facts.system.kernel_locks
    if load.kernel_lock and isinstance(locks, Quantity) and locks.high == 1:
        found.append(make("kernel_lock", "", "ms/s", load.kernel_lock, processor_second(), SYSTEM))
    if load.processors:
        whole = processor_second(system.processors) if system.processors else None
        found.append(make("processors", "", "ms/s", load.processors, whole, SYSTEM))
    if load.nfs_capacity is not None and load.nfs:
        found.append(make("nfs", "", "op/s", load.nfs, load.nfs_capacity.maximum, SYSTEM))
    for record in facts.networks:
        lines = load.networks[record.id]
        data = load.on_wire(record.id)
        if lines or not data:
            capacity = record.interface_ops_per_s
            found.append(make("network", record.id, "op/s", lines, _figure(capacity), record))
        if data:
            speed = _figure(record.medium_kb_per_s)
            found.append(make("data", record.id, "KB/s", data, speed, record))
    stack = tuple(_stack_lines(load, facts))
    if stack and isinstance(locks, Quantity) and locks.high == 1:
        speeds = (_figure(r.medium_kb_per_s) for r in facts.networks if r.limited_by_stack)
        media = total((speed for speed in speeds if speed is not None), "KB/s")
        found.append(make("stack", "", "KB/s", stack, media, SYSTEM))
    found.append(make("memory", "", "MB", load.memory, _figure(facts.system.memory_mb), SYSTEM))
    for slots, group in zip(facts.slots, slot_groups(guide, system), strict=True):
        taken = tuple(
            LineItem(board, count(n, f"slots of {board}", "slot")) for board, n in group.taken
        )
        lines = taken if slots.used is not None else None
        found.append(make("slots", slots.id, "slot", lines, _figure(slots.available), slots))
    for bus in facts.busses:
        lines = load.busses[bus.id]
        found.append(make("bus", bus.id, "MB/s", lines, _figure(bus.sustained_mb_per_s), bus))
    for channel, node in zip(facts.channels, system.channels, strict=True):
        active = load.active.get(channel.id)
        if active is not None and active.limit is not None:
            found.append(make("active", channel.id, "disk", active.lines, active.limit, channel))
        bus_time = load.bus_time.get(channel.id)
        if bus_time is not None and bus_time.limit is not None:
            whole = bus_second()
            found.append(make("channel", channel.id, "ms/s", bus_time.lines, whole, channel))
        else:
            lines, rate = load.channels[channel.id], _figure(channel.rate_kb_per_s)
            found.append(make("channel", channel.id, "KB/s", lines, rate, channel))
        devices = tuple(LineItem(d.id, count(1, d.id)) for d in node.devices)
        limit = _figure(channel.device_limit)
        found.append(make("targets", channel.id, "1", devices, limit, channel))
    for disk in facts.disks:
        if disk.access == "serial":
            lines, whole = load.moved.get(disk.id), _figure(disk.maximum_kb_per_s)
            found.append(make("disk", disk.id, "KB/s", lines, whole, disk))
        else:
            lines, whole = load.disks[disk.id], _figure(disk.maximum_ops_per_s)
            found.append(make("disk", disk.id, "op/s", lines, whole, disk))
        stored = load.stored[disk.id]
        found.append(make("space", disk.id, "MB", stored, _figure(disk.capacity_mb), disk))
    return tuple(found)


def with_findings(
    budgets: Iterable[Budget], found: Iterable[Finding], book: RuleSet
) -> tuple[Budget, ...]:
    """Return the budgets, each with the worst verdict of the rules that limit its resource.

    A rule may limit a part of a resource: file systems that are nearly full (1.2.4).
    """
    kinds = {
        rule.id: _PARTS[name]
        for rule in book.rules if rule.severity in LIMITS
        for name in rule.require.names if name in _PARTS
    }  # fmt: skip
    worst: dict[str, Verdict] = {}
    for finding in found:
        if finding.rule in kinds and finding.verdict in _WORSE:
            system, _, name = finding.subject.split("/", 2)
            path = f"{system}/{kinds[finding.rule]}/{name}"
            worst[path] = max(worst.get(path, "holds"), finding.verdict, key=_WORSE.index)
    return tuple(
        each._replace(verdict=max(each.verdict, worst[each.resource], key=_WORSE.index))
        if each.resource in worst and each.verdict in _WORSE else each
        for each in budgets
    )  # fmt: skip


def _stack_lines(load: Load, facts: Facts) -> Iterator[LineItem]:
    """Yield the data of each network whose speed the protocol stack limits, in KB/s."""
    for record in facts.networks:
        data = load.data.get(record.id) if record.limited_by_stack else None
        if data:
            yield LineItem(record.id, total((line.figure for line in data), "KB/s"))


# Resource kind -> (subject of its rules, resource as rules name it), in the order of a report.
_RESOURCES: Mapping[str, tuple[str, str]] = {
    "kernel_lock": (SYSTEM, "system.kernel_lock_share"),
    "processors": (SYSTEM, "system.processor_share"),
    "nfs": (SYSTEM, "system.nfs_weighted_ops_per_s"),
    "network": ("network", "network.nfs_ops_per_s"),
    "data": ("network", "network.data_kb_per_s"),
    "stack": (SYSTEM, "system.stack_kb_per_s"),
    "memory": (SYSTEM, "system.memory_needed_mb"),
    "slots": ("slots", "slots.used"),
    "bus": ("bus", "bus.demanded_mb_per_s"),
    "active": ("channel", "channel.active_disks"),
    "channel": ("channel", "channel.demanded_kb_per_s"),
    "targets": ("channel", "channel.devices"),
    "disk": ("disk", "disk.operations_per_s"),
    "space": ("disk", "disk.stored_mb"),
}
# What is judged in another unit than most of its kind: serial disks, and SCSI busses.
_IN_UNIT: Mapping[tuple[str, str], str] = {
    ("disk", "KB/s"): "disk.demanded_kb_per_s",
    ("channel", "ms/s"): "channel.bus_ms_per_s",
}

# What is limited of a part of a resource: (subject, fact) -> the resource's kind.
_PARTS: Mapping[tuple[str, str], str] = {("disk", "file_system_share"): "space"}
# Verdicts of a limit, the best first.
_WORSE: tuple[Verdict, ...] = ("holds", "tight", "waived", "violated")


class _Maker:
    """Makes budgets of one system."""

    def __init__(self, system: str, facts: Facts, book: RuleSet, reserve: Quantity | None) -> None:
        self.reserve = reserve
        self.system = system
        self.facts = facts
        self.book = book

    def __call__(
        self, kind: str, name: str, unit: str, items: Known, whole: Quantity | None, record: Any
    ) -> Budget:
        subject, resource = _RESOURCES[kind]
        resource = _IN_UNIT.get((kind, unit), resource)
        subjects = self.facts.asked(subject, self.facts.system if subject == SYSTEM else record)
        capacity = _bounded(whole, resource, subject, subjects, self.book)
        limit, rule = _limit(capacity, resource, subject, subjects, self.book)
        least, wish = _limit(capacity, resource, subject, subjects, self.book, RECOMMENDED)
        if self.reserve is not None and carries_load(resource):
            part = kept(self.reserve)
            limit, least = limit and limit * part, least and least * part
        used = sum_of(items, unit)
        utilisation = used / capacity if used and capacity and capacity.low > 0 else None
        path = "/".join(part for part in (self.system, kind, name) if part)
        return Budget(
            path, self.system, kind, name, unit, items or (), used, capacity, limit, rule,
            utilisation, _verdict(used, limit, least if wish else None), least if wish else None,
            wish,
        )  # fmt: skip


def _verdict(
    used: Quantity | None, limit: Quantity | None, recommended: Quantity | None
) -> Verdict:
    if used is None or limit is None:
        return "unknown"
    says = at_most(number(used), number(limit))
    if says is TRUE and recommended is not None:
        says = TRUE if at_most(number(used), number(recommended)) is TRUE else TIGHT
    return "holds" if says is TRUE else "tight" if says is TIGHT else "violated"


def _figure(value: Any) -> Quantity | None:
    return value if isinstance(value, Quantity) or value is None else as_quantity(value)


def _applying(
    resource: str, subject: str, subjects: Mapping[str, Any], book: RuleSet
) -> Iterator[tuple[Rule, Bound, bool]]:
    """Each bound on a resource that applies or, as far as is known, may; and whether it does."""
    for rule in book.by_subject[subject]:
        for bound in rule.bounds:
            if bound.resource != resource:
                continue
            says = applies(rule, bound, subjects)
            if says is not FALSE:
                yield rule, bound, says is not UNKNOWN


def _bounded(
    whole: Any, resource: str, subject: str, subjects: Mapping[str, Any], book: RuleSet
) -> Quantity | None:
    """The capacity of a resource: its own, or the least that a rule gives it."""
    capacity = _figure(whole)
    for rule, bound, sure in _applying(resource, subject, subjects, book):
        if not bound.capacity or not sure:
            continue
        figure = named(rule, bound.capacity, subjects)
        if figure is not None:
            capacity = figure if capacity is None else smallest(capacity, figure)
    return capacity


def _limit(
    capacity: Quantity | None,
    resource: str,
    subject: str,
    subjects: Mapping[str, Any],
    book: RuleSet,
    severity: str = VIOLATION,
) -> tuple[Quantity | None, str]:
    """The least limit of a severity and its rule; one that only may apply is a range's lower end.

    It is the capacity, and no rule's, where none sets a lower one.
    """
    limit, by = capacity, ""
    lowest, perhaps = capacity, ""
    for rule, bound, sure in _applying(resource, subject, subjects, book):
        if rule.severity != severity:
            continue
        if bound.at_most:
            figure = named(rule, bound.at_most, subjects)
        elif bound.share and capacity is not None:
            share = named(rule, bound.share, subjects)
            figure = capacity * share if share is not None else None
        else:
            continue
        if figure is None or figure is capacity:
            continue
        nameless = limit is not None and figure.low == limit.low and not by and not rule.own
        if sure and (limit is None or figure.low < limit.low or nameless):
            limit, by = figure, rule.id
        if lowest is None or figure.low < lowest.low:
            lowest, perhaps = figure, rule.id
    if limit is None or lowest is None or not lowest.low < limit.low:
        return limit, by
    return ambiguous(lowest, limit), perhaps
