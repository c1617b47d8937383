"""Two systems, and a kernel lock that one system exceeds, as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sizewright.demand.model import LineItem
from sizewright.output.plain import explained, plain_number, quantity
from sizewright.output.reports import PlanReport
from sizewright.planner.plan import Pair


def pair_data(pair: Pair | None, end: str) -> dict[str, Any] | None:
    """The services of each system, and what the kernel of either must do alone; null without."""
    if pair is None:
        return None
    return {
        "primary": list(pair.deal.primary),
        "alternate": list(pair.deal.alternate),
        "failover": [
            {
                "failed": each.failed,
                "survivor": each.survivor,
                "used": quantity(each.used),
                "capacity": quantity(each.capacity),
                "items": _items(each.lines, end),
            }
            for each in pair.failover
        ],
    }


def lock_data(report: PlanReport) -> dict[str, Any] | None:
    """What is over the lock of the single system that comes nearest; null where none is."""
    found, end = report.excess, report.plan.policy.size_for
    if found is None:
        return None
    from sizewright.output.kernel_lock import proposals

    budget = found.budget
    assert budget.used is not None and budget.limit is not None
    return {
        "platform": found.platform,
        "used": quantity(budget.used),
        "limit": quantity(budget.limit),
        "over": plain_number(report.at_end(budget.used) - budget.limit.low),
        "items": _items(found.lines, end),
        "proposals": [
            {
                "kind": each.kind,
                "name": each.name,
                "says": each.says,
                "used": [quantity(used) for used in each.used],
                "holds": each.holds,
                "available": each.available,
            }
            for each in proposals(found, report.plan)
        ],
    }


def _items(lines: Iterable[LineItem], end: str) -> list[dict[str, Any]]:
    return [{"name": line.name, **explained(line.figure, end)} for line in lines]
