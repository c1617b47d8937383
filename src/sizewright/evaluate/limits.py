"""The limit that a rule sets on a resource, and the reserve that is kept free of it."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sizewright.guide.model import REPORTED
from sizewright.quantity import Quantity, ambiguous, as_quantity, smallest
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import Bound, Rule, Subjects
from sizewright.rules.values import FALSE, UNKNOWN
from sizewright.units import PURE


class Resource(NamedTuple):
    """The kind and unit of a resource's budget, and the fact that is its capacity.

    A share of a capacity has none. A resource without a load is `room`: it is enough or
    not, so that no reserve is kept of it.
    """

    kind: str
    unit: str
    capacity: str = ""
    room: bool = False


# Kinds of the budgets of a disk's space, and of the time for a full backup.
SPACE, BACKUP = "space", "backup"
# The resources that have a budget, as rules name them, in the order of a report.
RESOURCES: Mapping[str, Resource] = {
    "system.kernel_lock_share": Resource("kernel_lock", "ms/s"),
    "system.processor_share": Resource("processors", "ms/s"),
    "system.nfs_weighted_ops_per_s": Resource("nfs", "op/s", "system.nfs_maximum_ops_per_s"),
    "network.nfs_ops_per_s": Resource("network", "op/s", "network.capacity_ops_per_s"),
    "network.shared_ops_per_s": Resource("shared", "op/s", "network.medium_ops_per_s"),
    "network.data_kb_per_s": Resource("data", "KB/s", "network.medium_kb_per_s"),
    "network.utilisation_share": Resource("utilisation", "%"),
    "system.stack_kb_per_s": Resource("stack", "KB/s"),
    "system.memory_needed_mb": Resource("memory", "MB", "system.memory_mb", room=True),
    "system.backup_hours": Resource(BACKUP, "h", "system.backup_window_hours", room=True),
    "slots.used": Resource("slots", "slot", "slots.available", room=True),
    "board.lines_kbit_per_s": Resource("lines", "Kb/s", "board.lines_limit_kbit_per_s", room=True),
    "bus.demanded_mb_per_s": Resource("bus", "MB/s", "bus.sustained_mb_per_s"),
    "channel.active_disks": Resource("active", "disk"),
    "channel.demanded_kb_per_s": Resource("channel", "KB/s", "channel.rate_kb_per_s"),
    "channel.bus_ms_per_s": Resource("channel", "ms/s"),
    "channel.devices": Resource("targets", "1", "channel.device_limit", room=True),
    "disk.busy_share": Resource("busy", "%"),
    "disk.operations_per_s": Resource("disk", "op/s", "disk.maximum_ops_per_s"),
    "disk.demanded_kb_per_s": Resource("disk", "KB/s", "disk.maximum_kb_per_s"),
    "disk.stored_mb": Resource(SPACE, "MB", "disk.capacity_mb", room=True),
}
# The same of resources that have a budget only if a server is checked.
STATED: Mapping[str, Resource] = {
    "system.nfs_ops_per_s": Resource("interfaces", "op/s", "system.interfaces_ops_per_s"),
    "system.active_processes": Resource("processes", "1", room=True),
    "system.descriptors_needed": Resource("descriptors", "1", room=True),
}
# What rules limit that is a property of a part: it has neither a budget nor a load.
PROPERTIES: Mapping[str, Resource] = {"network.latency_ms": Resource("latency", "ms", room=True)}
_EVERY = {**RESOURCES, **STATED, **PROPERTIES}
_UNLISTED = Resource("", "")


def resource_of(name: str) -> Resource:
    """Return a resource by the name that rules use; one without a budget has a load.

    A share that a system reports is of a kind of its own.
    """
    subject, _, field = name.partition(".")
    if subject == REPORTED:
        return Resource(field, "%")
    return _EVERY.get(name, _UNLISTED)


def look_up(rule: Rule, name: str, subjects: Subjects) -> Quantity | None:
    """Return the parameter or the fact of this name as a quantity, None if it is unknown."""
    subject, dot, field = name.partition(".")
    return as_known(getattr(subjects[subject], field) if dot else rule.parameters[name])


def as_known(value: Any) -> Quantity | None:
    """Return a fact as a quantity, None if it is unknown."""
    return value if isinstance(value, Quantity) or value is None else as_quantity(value)


def limit_set(
    rule: Rule, bound: Bound, subjects: Subjects, capacity: Quantity | None
) -> Quantity | None:
    """Return the limit that a bound sets on a resource of this capacity; None if it is unknown."""
    if bound.at_most:
        return look_up(rule, bound.at_most, subjects)
    name = bound.share or bound.without_gain
    part = look_up(rule, name, subjects) if name else None
    if part is None or capacity is None:
        return None
    return capacity * part.to(PURE) if bound.share else capacity / (1 + part.to(PURE))


def use_and_limit(rule: Rule, bound: Bound, subjects: Subjects) -> tuple[Quantity, Quantity] | None:
    """Return what is used of a resource and the limit that a bound sets; None if one is unknown."""
    used, whole = look_up(rule, bound.resource, subjects), resource_of(bound.resource).capacity
    # A share has no capacity: it is one of 1.
    capacity = look_up(rule, whole, subjects) if whole else as_quantity(1)
    limit = limit_set(rule, bound, subjects, capacity)
    return None if used is None or limit is None else (used, limit)


def over_limit(rule: Rule, subjects: Subjects, end: str) -> float:
    """Return by what part of its limit a rule is exceeded at one end of the ranges.

    The largest of its bounds that apply; 0 if none is exceeded.
    """
    over = 0.0
    for bound in rule.bounds:
        known = use_and_limit(rule, bound, subjects)
        if known is not None and known[1].low > 0 and rule.applies(bound, subjects) is not FALSE:
            used, limit = known
            over = max(over, (used / limit).at(end) - 1)
    return over


class Applying(NamedTuple):
    """A bound that applies to a resource, or may apply: it is not `sure` if a fact is missing."""

    rule: Rule
    bound: Bound
    sure: bool


def applying(resource: str, subjects: Subjects, rule_set: RuleSet) -> list[Applying]:
    """Return each bound on a resource that applies or, as far as is known, may apply."""
    found = (
        (rule, bound, rule.applies(bound, subjects))
        for rule, bound in rule_set.bounds.get(resource, ())
    )
    return [Applying(rule, bound, t is not UNKNOWN) for rule, bound, t in found if t is not FALSE]


def bounded_capacity(whole: Any, bounds: Iterable[Applying], subjects: Subjects) -> Quantity | None:
    """Return the capacity of a resource: its own, or the least that a rule gives it."""
    capacity = as_known(whole)
    for rule, bound, sure in bounds:
        given = look_up(rule, bound.capacity, subjects) if bound.capacity and sure else None
        if given is not None:
            capacity = given if capacity is None else smallest(capacity, given)
    return capacity


def least_limit(
    capacity: Quantity | None, bounds: Iterable[Applying], subjects: Subjects, severity: str
) -> tuple[Quantity | None, str]:
    """Return the least limit of a severity and the id of its rule.

    One that only may apply is the lower end of a range. It is the capacity, and no rule's, if no
    rule sets a lower one.
    """
    limit, by = capacity, ""
    lowest, perhaps = capacity, ""
    for rule, bound, sure in bounds:
        if rule.severity != severity:
            continue
        value = limit_set(rule, bound, subjects, capacity)
        if value is None or value is capacity:
            continue
        nameless = limit is not None and value.low == limit.low and not by and not rule.own
        if sure and (limit is None or value.low < limit.low or nameless):
            limit, by = value, rule.id
        if lowest is None or value.low < lowest.low:
            lowest, perhaps = value, rule.id
    if limit is None or lowest is None or not lowest.low < limit.low:
        return limit, by
    return ambiguous(lowest, limit), perhaps


def kept(reserve: Quantity) -> Quantity:
    """Return the part of a limit that a load may use."""
    return as_quantity(1) - reserve


def with_reserve(rule: Rule, subjects: Subjects, reserve: Quantity | None) -> Subjects:
    """Return the subjects of a rule with the loads that it limits divided by what they may use.

    A load is below a part of its limit if, divided by that part, it is below the whole limit.
    """
    if reserve is None:
        return subjects
    loads = {b.resource for b in rule.bounds if not b.capacity and not resource_of(b.resource).room}
    changed = dict(subjects)
    for resource in sorted(loads):
        subject, _, field = resource.partition(".")
        used = getattr(changed[subject], field)
        if isinstance(used, Quantity):
            changed[subject] = changed[subject]._replace(**{field: used / kept(reserve)})
    return changed
