"""Every budget of a system, from its load, its facts and the limits that rules set."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sizewright.configuration.model import SYSTEM, System
from sizewright.configuration.slots import slot_groups
from sizewright.demand.rates import Known, LineItem, Lines, sum_lines
from sizewright.evaluate.limits import (
    RESOURCES,
    SPACE,
    STATED,
    Resource,
    applying,
    as_known,
    bounded_capacity,
    kept,
    least_limit,
    resource_of,
)
from sizewright.evaluate.policy import Policy
from sizewright.facts.derive import Facts
from sizewright.guide.model import REPORTED, Guide
from sizewright.load.backup import backup_on
from sizewright.load.channels import bus_second
from sizewright.load.lines import lines_on_boards, rates_of
from sizewright.load.model import Load, processor_second
from sizewright.quantity import Quantity, as_quantity, count
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import LIMITS, RECOMMENDED, VIOLATION, Finding, Verdict
from sizewright.rules.values import FALSE, TIGHT, TRUE, at_most, number


class Budget(NamedTuple):
    """One resource of one system.

    `used` is None if it is unknown. `limit_rule` is the rule that sets the limit, empty if the
    capacity is the limit. Above the `recommended` limit of `recommended_rule` the verdict is tight.
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

    def fullness(self, end: str) -> float | None:
        """How full the resource is at one end: a disk of its capacity, others of their limit."""
        if self.kind == SPACE and self.utilisation is not None:
            return self.utilisation.at(end)
        return self.share_of_limit(end)

    def is_over(self, end: str) -> bool:
        """Return whether the use exceeds the limit at one end of the demand, not only at another.

        An exceeded recommended limit does not count.
        """
        share = self.share_of_limit(end) if self.verdict == "tight" else None
        return self.verdict == "violated" or (share is not None and at_most(share, 1.0) is FALSE)


def against_recommended(budgets: Iterable[Budget]) -> tuple[Budget, ...]:
    """Return the budgets that have a recommended limit below the other, against that limit."""
    return tuple(
        each._replace(limit=each.recommended, limit_rule=each.recommended_rule)
        for each in budgets
        if each.recommended is not None and each.used
        and (each.limit is None or each.recommended.low < each.limit.low)
    )  # fmt: skip


def capacities(facts: Facts, rule_set: RuleSet) -> Facts:
    """Return the facts with each network's capacity: the least by its interface and by rules."""
    networks = []
    for record in facts.networks:
        subjects = facts.asked("network", record)
        bounds = applying("network.nfs_ops_per_s", subjects, rule_set)
        capacity = bounded_capacity(record.interface_ops_per_s, bounds, subjects)
        networks.append(record._replace(capacity_ops_per_s=capacity))
    return facts._replace(networks=tuple(networks))


def budgets(
    system: System, load: Load, facts: Facts, rule_set: RuleSet, guide: Guide,
    reserve: Quantity | None = None,
) -> tuple[Budget, ...]:  # fmt: skip
    """Return every budget of a system, from the kernel lock to single disks.

    A `reserve` of all limits on loads stays free.
    """
    uses = _uses(system, load, facts, guide)
    return tuple(_budget(use, system.id, facts, rule_set, reserve) for use in uses)


def stated_budgets(
    system: str, facts: Facts, rule_set: RuleSet, reserve: Quantity | None = None
) -> tuple[Budget, ...]:
    """Return limits on what was measured of a whole system; a plan has them in other budgets."""
    found = []
    for name, resource in STATED.items():
        figure = as_known(getattr(facts.system, name.partition(".")[2]))
        is_apart = resource.kind != "interfaces" or len(facts.networks) > 1
        if figure is not None and not figure.args and is_apart:
            whole = resource.capacity.partition(".")[2]
            capacity = getattr(facts.system, whole) if whole else None
            use = _Use(name, facts.system, (LineItem("measured", figure),), capacity)
            found.append(_budget(use, system, facts, rule_set, reserve))
    for name in rule_set.bounds:
        subject, _, field = name.partition(".")
        share = as_known(getattr(facts.reported, field)) if subject == REPORTED else None
        if share is not None:
            use = _Use(name, facts.reported, (LineItem("measured", share.to("%")),), _ALL_TIME)
            found.append(_budget(use, system, facts, rule_set, reserve))
    return tuple(found)


def used(system: System, load: Load, facts: Facts, guide: Guide) -> dict[str, Quantity]:
    """Return the use of each resource of a system, as far as it is known, without its limit."""
    uses = _uses(system, load, facts, guide)
    sums = {use.path(system.id): sum_lines(use.lines, use.terms.unit) for use in uses}
    return {resource: figure for resource, figure in sums.items() if figure is not None}


class _Use(NamedTuple):
    """What uses a resource of a part, by its facts, and the capacity in the same unit.

    `resource` is its name in rules. The use `is_complete` unless services have one that is not
    known.
    """

    resource: str
    part: Any
    lines: Known
    capacity: Any
    is_complete: bool = True

    @property
    def terms(self) -> Resource:
        """Return the kind and unit of its budget."""
        return resource_of(self.resource)

    @property
    def name(self) -> str:
        """Return the name of the part; empty if it is the system itself."""
        of_system = self.resource.startswith((f"{SYSTEM}.", f"{REPORTED}."))
        return "" if of_system else self.part.id

    def path(self, system: str) -> str:
        """Return the id of its budget."""
        return "/".join(each for each in (system, self.terms.kind, self.name) if each)


def _uses(system: System, load: Load, facts: Facts, guide: Guide) -> tuple[_Use, ...]:
    return (
        *_system_uses(system, load, facts, guide), *_bus_uses(system, load, facts, guide),
        *_channel_uses(system, load, facts), *_disk_uses(load, facts),
    )  # fmt: skip


def _system_uses(system: System, load: Load, facts: Facts, guide: Guide) -> Iterator[_Use]:
    """Yield the uses of processors, networks and memory, and of the time for a backup."""
    whole, locks = facts.system, facts.system.kernel_locks
    one_lock = isinstance(locks, Quantity) and locks.high == 1
    if load.kernel_lock and one_lock:
        second, known = processor_second(), not load.untimed_kernel
        yield _Use("system.kernel_lock_share", whole, load.kernel_lock, second, known)
    if load.processors:
        time = processor_second(system.processors) if system.processors else None
        yield _Use("system.processor_share", whole, load.processors, time, not load.untimed)
    if load.nfs_capacity is not None and load.nfs:
        yield _Use("system.nfs_weighted_ops_per_s", whole, load.nfs, load.nfs_capacity.maximum)
    for network in facts.networks:
        lines, data = load.networks[network.id], load.on_wire(network.id)
        # Of a network without NFS its data is unknown, not its operations.
        is_unknown = lines is not None and not lines and data is None
        if lines or not (data or is_unknown):
            yield _Use("network.nfs_ops_per_s", network, lines, network.interface_ops_per_s)
        shared = load.wire_ops.get(network.id)
        if shared:
            yield _Use("network.shared_ops_per_s", network, shared, network.medium_ops_per_s)
        if data or is_unknown:
            yield _Use("network.data_kb_per_s", network, data, network.medium_kb_per_s)
        yield from _busy("network.utilisation_share", network, network.utilisation_share)
    stack = tuple(_stack_lines(load, facts))
    if stack and one_lock:
        # What the fibre passes is no limit of the stack, which has only one that is recommended.
        yield _Use("system.stack_kb_per_s", whole, stack, None)
    yield _Use("system.memory_needed_mb", whole, load.memory, whole.memory_mb)
    backup = backup_on(load, system, guide)
    if backup is not None and backup.asked.window is not None:
        yield _Use("system.backup_hours", whole, backup.hours, whole.backup_window_hours)


def _stack_lines(load: Load, facts: Facts) -> Iterator[LineItem]:
    """Yield the data of each network whose speed the protocol stack limits, in KB/s."""
    for record in facts.networks:
        data = load.data.get(record.id) if record.limited_by_stack else None
        if data:
            yield LineItem(record.id, sum_lines(data, "KB/s"))


def _bus_uses(system: System, load: Load, facts: Facts, guide: Guide) -> Iterator[_Use]:
    """Yield the uses of slots, of boards with synchronous lines, and of I/O busses."""
    for slots, group in zip(facts.slots, slot_groups(guide, system), strict=True):
        taken = tuple(
            LineItem(board, count(n, f"slots of {board}", "slot")) for board, n in group.taken
        )
        yield _Use("slots.used", slots, None if slots.used is None else taken, slots.available)
    lines = load.usage.wide_lines
    wide = lines_on_boards(lines, system, guide) if lines else {}
    for board in facts.boards if lines else ():
        if wide.get(board.id):
            rates = rates_of(wide[board.id])
            yield _Use("board.lines_kbit_per_s", board, rates, board.lines_limit_kbit_per_s)
    for bus in facts.busses:
        yield _Use("bus.demanded_mb_per_s", bus, load.busses[bus.id], bus.sustained_mb_per_s)


def _channel_uses(system: System, load: Load, facts: Facts) -> Iterator[_Use]:
    """Yield the uses of each channel: active disks, transfers or bus time, and addresses."""
    for channel, node in zip(facts.channels, system.channels, strict=True):
        active, held = load.active.get(channel.id), load.bus_time.get(channel.id)
        if active is not None and active.limit is not None:
            yield _Use("channel.active_disks", channel, active.lines, None)
        if held is not None and held.limit is not None:
            yield _Use("channel.bus_ms_per_s", channel, held.lines, bus_second())
        else:
            moved = load.channels[channel.id]
            yield _Use("channel.demanded_kb_per_s", channel, moved, channel.rate_kb_per_s)
        devices = tuple(LineItem(d.id, count(1, d.id)) for d in node.devices)
        yield _Use("channel.devices", channel, devices, channel.device_limit)


def _disk_uses(load: Load, facts: Facts) -> Iterator[_Use]:
    """Yield the uses of each disk: transfers or operations, its time as measured, and space."""
    for disk in facts.disks:
        yield from _busy("disk.busy_share", disk, disk.busy_share)
        if disk.access == "serial":
            moved = load.moved.get(disk.id)
            yield _Use("disk.demanded_kb_per_s", disk, moved, disk.maximum_kb_per_s)
        else:
            asked = load.disks[disk.id]
            yield _Use("disk.operations_per_s", disk, asked, disk.maximum_ops_per_s)
        yield _Use("disk.stored_mb", disk, load.stored[disk.id], disk.capacity_mb)


def _busy(resource: str, part: Any, share: Any) -> Iterator[_Use]:
    """Yield the time that a part is busy, if that was measured."""
    known = as_known(share)
    if known is not None:
        yield _Use(resource, part, (LineItem(part.id, known.to("%")),), _ALL_TIME)


def with_findings(
    budgets: Iterable[Budget],
    found: Iterable[Finding],
    rule_set: RuleSet,
    policy: Policy | None = None,
) -> tuple[Budget, ...]:
    """Return the budgets, each with the worst verdict of the rules that limit its resource.

    A rule may limit a part of a resource: file systems that are nearly full (1.2.4). A budget that
    is over a limit of a rule that the policy waives there is waived.
    """
    kinds = {
        rule.id: _PARTS[name]
        for rule in rule_set.rules if rule.severity in LIMITS
        for name in rule.require.names if name in _PARTS
    }  # fmt: skip
    worst: dict[str, Verdict] = {}
    for finding in found:
        if finding.rule in kinds and finding.verdict in _WORSE:
            system, _, name = finding.subject.split("/", 2)
            path = f"{system}/{kinds[finding.rule]}/{name}"
            worst[path] = max(worst.get(path, "holds"), finding.verdict, key=_WORSE.index)
    return tuple(
        each._replace(verdict=_with_rules(each, worst.get(each.resource, "holds"), policy))
        for each in budgets
    )


def _with_rules(budget: Budget, worst: Verdict, policy: Policy | None) -> Verdict:
    """Return the verdict of a budget, of which rules have a `worst` verdict."""
    if budget.verdict not in _WORSE:
        return budget.verdict
    found = max(budget.verdict, worst, key=_WORSE.index)
    where = f"{budget.system}/{_SUBJECTS[budget.kind]}/{budget.name}"
    waived = policy is not None and policy.reason(budget.limit_rule, where)
    return "waived" if found != "holds" and waived else found


_ALL_TIME = as_quantity(1).to("%").with_name("all of the time")
# Kind of a budget -> the subject of rules that it is about.
_SUBJECTS = {resource.kind: name.partition(".")[0] for name, resource in RESOURCES.items()}
# Kinds of budget that carry no load: full by design, and no measure of how far it can grow.
ROOM = frozenset(resource.kind for resource in RESOURCES.values() if resource.room)
# Of these no use grows with the load.
STEADY = ROOM - {"memory"}

# What is limited of a part of a resource: (subject, fact) -> the resource's kind.
_PARTS: Mapping[tuple[str, str], str] = {("disk", "file_system_share"): SPACE}
# Verdicts of a limit, the best first.
_WORSE: tuple[Verdict, ...] = ("holds", "tight", "waived", "violated")


def _budget(
    use: _Use, system: str, facts: Facts, rule_set: RuleSet, reserve: Quantity | None = None
) -> Budget:
    terms = use.terms
    subjects = facts.asked(use.resource.partition(".")[0], use.part)
    bounds = applying(use.resource, subjects, rule_set)
    capacity = bounded_capacity(use.capacity, bounds, subjects)
    limit, rule = least_limit(capacity, bounds, subjects, VIOLATION)
    least, wish = least_limit(capacity, bounds, subjects, RECOMMENDED)
    if reserve is not None and not terms.room:
        part = kept(reserve)
        limit, least = limit and limit * part, least and least * part
    recommended = least if wish else None
    used = sum_lines(use.lines, terms.unit)
    verdict = _verdict(used, limit, recommended)
    if verdict == "holds" and not use.is_complete:
        verdict = "unknown"
    return Budget(
        use.path(system), system, terms.kind, use.name, terms.unit, use.lines or (), used, capacity,
        limit, rule,
        used / capacity if used and capacity and capacity.low > 0 else None,
        verdict, recommended, wish,
    )  # fmt: skip


def _verdict(
    used: Quantity | None, limit: Quantity | None, recommended: Quantity | None
) -> Verdict:
    if used is None or (limit is None and recommended is None):
        return "unknown"
    verdict = TRUE if limit is None else at_most(number(used), number(limit))
    if verdict is TRUE and recommended is not None:
        verdict = TRUE if at_most(number(used), number(recommended)) is TRUE else TIGHT
    return "holds" if verdict is TRUE else "tight" if verdict is TIGHT else "violated"
