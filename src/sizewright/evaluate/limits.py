"""The limit that a rule sets on a resource, and the reserve that is kept free of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizewright.quantity import Quantity, as_quantity
from sizewright.rules.intervals import FALSE, Truth, conjunction
from sizewright.rules.rule import Bound, Rule

Subjects = Mapping[str, Any]

# Resource -> the fact that is its capacity. A resource that is a share of its capacity has none.
CAPACITIES: Mapping[str, str] = {
    "system.nfs_weighted_ops_per_s": "system.nfs_maximum_ops_per_s",
    "system.memory_needed_mb": "system.memory_mb",
    "network.nfs_ops_per_s": "network.capacity_ops_per_s",
    "network.data_kb_per_s": "network.medium_kb_per_s",
    "slots.used": "slots.available",
    "bus.demanded_mb_per_s": "bus.sustained_mb_per_s",
    "channel.demanded_kb_per_s": "channel.rate_kb_per_s",
    "channel.devices": "channel.device_limit",
    "disk.operations_per_s": "disk.maximum_ops_per_s",
    "disk.demanded_kb_per_s": "disk.maximum_kb_per_s",
    "disk.stored_mb": "disk.capacity_mb",
}


def applies(rule: Rule, bound: Bound, subjects: Subjects) -> Truth:
    """Return whether a bound of a rule applies to its subject."""
    guards = [guard for guard in (rule.when, bound.when) if guard is not None]
    return conjunction(*(guard.evaluate(subjects, rule.parameters) for guard in guards))


def named(rule: Rule, name: str, subjects: Subjects) -> Quantity | None:
    """Return the parameter or the fact of this name as a figure, None if it is unknown."""
    subject, dot, field = name.partition(".")
    value: Any = getattr(subjects[subject], field) if dot else rule.parameters[name]
    return value if isinstance(value, Quantity) or value is None else as_quantity(value)


def limit_set(rule: Rule, bound: Bound, subjects: Subjects) -> Quantity | None:
    """Return the limit of a resource under a bound, in the unit of the resource's fact."""
    if bound.at_most:
        return named(rule, bound.at_most, subjects)
    share = named(rule, bound.share, subjects) if bound.share else None
    capacity = CAPACITIES.get(bound.resource, "")
    if share is None or not capacity:
        return share
    whole = named(rule, capacity, subjects)
    return None if whole is None else whole * share


def over_limit(rule: Rule, subjects: Subjects, end: str) -> float:
    """Return by what part of its limit a rule is exceeded at one end of the ranges.

    The largest of its bounds that apply; 0 if none is exceeded.
    """
    over = 0.0
    for bound in rule.bounds:
        used = named(rule, bound.resource, subjects)
        limit = limit_set(rule, bound, subjects)
        if used is None or limit is None or limit.low <= 0:
            continue
        if applies(rule, bound, subjects) is not FALSE:
            over = max(over, (used / limit).at(end) - 1)
    return over


# Resources that carry no load: what is needed there is there, or it is not.
_ROOM = frozenset(("slots.used", "channel.devices", "disk.stored_mb", "system.memory_needed_mb"))


def kept(reserve: Quantity) -> Quantity:
    """Return the part of a limit that a load may use."""
    return as_quantity(1) - reserve


def carries_load(resource: str) -> bool:
    """Return whether a reserve is kept of a resource, named as rules name it."""
    return resource not in _ROOM


def with_reserve(
    rule: Rule, subjects: Mapping[str, Any], reserve: Quantity | None
) -> Mapping[str, Any]:
    """Return the subjects of a rule with the loads that it limits divided by what they may use.

    A load is below a part of its limit if, divided by that part, it is below the whole limit.
    """
    if reserve is None:
        return subjects
    changed = dict(subjects)
    loads = {b.resource for b in rule.bounds if not b.capacity and carries_load(b.resource)}
    for resource in sorted(loads):
        subject, _, field = resource.partition(".")
        used = getattr(changed[subject], field)
        if isinstance(used, Quantity):
            changed[subject] = changed[subject]._replace(**{field: used / kept(reserve)})
    return changed
