"""When each resource reaches its limit, if growth goes on as the workload states it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sizewright.decide.margin import Margin, margins
from sizewright.decide.search import change
from sizewright.decide.whatif import Leaf, WhatIf, set_to
from sizewright.demand.build import YEARS
from sizewright.evaluate.budgets import Budget
from sizewright.limits import YEARS_AT_MOST


class Reach(NamedTuple):
    """The years after which a resource is at its limit, and those that it was planned for.

    `years` is 0 where it is over its limit before anything grows, and None where it stays under it
    for as long as is looked ahead.
    """

    resource: str
    years: float | None
    horizon_years: float


def reaches(budgets: Iterable[Budget], end: str) -> tuple[Reach, ...]:
    """Every resource that grows, at one end of the ranges; the first to reach its limit first."""
    known = margins(budgets, end)
    what = WhatIf(figure for margin in known for figure in margin.figures())
    found = [
        Reach(margin.budget.resource, _years(leaf, margin), figure.at(end))
        for leaf, figure in what.leaves.items()
        if leaf.name == YEARS
        for margin in _growing(what, leaf, known)
    ]
    return tuple(sorted(found, key=_first_first))


def _first_first(reach: Reach) -> tuple[bool, float, str]:
    return reach.years is None, reach.years or 0, reach.resource


def _growing(what: WhatIf, leaf: Leaf, known: Iterable[Margin]) -> Iterable[Margin]:
    moved = {id(figure) for figure in what.above(leaf)}
    return (margin for margin in known if id(margin.used) in moved)


def _years(leaf: Leaf, margin: Margin) -> float | None:
    alone = WhatIf(margin.figures())

    def over(years: float) -> bool:
        try:
            return not margin.holds_about(alone.under(leaf, lambda old: set_to(old, years)))
        except OverflowError:
            return True

    if over(0):
        return 0
    for year in range(YEARS_AT_MOST):
        if over(year + 1):
            return change(over, year, year + 1)[0]
    return None
