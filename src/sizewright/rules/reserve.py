"""A reserve: the part of every limit on a load that is to stay free."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizewright.quantity import Quantity, as_quantity
from sizewright.rules.model import Rule

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
