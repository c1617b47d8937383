"""By what factor the load can grow before a resource reaches its limit."""

from __future__ import annotations

from typing import NamedTuple

from sizewright.evaluate.budgets import Budget
from sizewright.quantity import Quantity

# Resources whose use grows with the load; slots, addresses, space and memory do not.
_GROWING = ("kernel_lock", "processors", "nfs", "network", "active", "channel", "disk")


class Headroom(NamedTuple):
    """A resource with the factor by which its use can grow; below 1 it is over its limit."""

    resource: str
    factor: Quantity
    limit_rule: str


def headroom(budgets: tuple[Budget, ...]) -> tuple[Headroom, ...]:
    """Every resource that grows with the load, the first to reach its limit first."""
    found = [
        Headroom(budget.resource, budget.limit / budget.used, budget.limit_rule)
        for budget in budgets
        if budget.kind in _GROWING
        and budget.limit is not None
        and budget.used is not None
        and budget.used.low > 0
    ]
    return tuple(sorted(found, key=lambda each: (each.factor.low, each.resource)))
