"""Whether a budget holds at one end of its ranges, as far as its figures tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import isclose
from typing import NamedTuple

from sizewright.decide.direction import Way, opposite, together
from sizewright.evaluate.budgets import Budget
from sizewright.quantity import Quantity
from sizewright.rules.intervals import TOLERANCE

# What of a limit counts against an end of what is used.
AGAINST = {"low": "high", "likely": "likely", "high": "low"}


class Margin(NamedTuple):
    """What is used of a resource against its limit, at one end.

    A limit that grows beyond the capacity leaves the capacity as the limit.
    """

    budget: Budget
    used: Quantity
    limit: Quantity
    capacity: Quantity | None
    end: str

    def figures(self) -> Iterable[Quantity]:
        """All that the verdict hangs on."""
        both = (self.used, self.limit)
        return both if self.capacity is None else (*both, self.capacity)

    def ends(self, now: Callable[[Quantity], Quantity]) -> tuple[float, float]:
        """What is used, and the limit, at the ends that count."""
        limit = now(self.limit)
        if self.capacity is not None:
            capacity = now(self.capacity)
            limit = capacity if capacity.low < limit.low else limit
        return now(self.used).at(self.end), limit.at(AGAINST[self.end])

    def holds(self, now: Callable[[Quantity], Quantity]) -> bool:
        """Whether no more is used than the limit, to the last digit."""
        used, limit = self.ends(now)
        return used <= limit

    def holds_about(self, now: Callable[[Quantity], Quantity]) -> bool:
        """Whether no more is used than the limit, as a verdict says it: to within rounding."""
        used, limit = self.ends(now)
        return used <= limit or isclose(used, limit, rel_tol=TOLERANCE)

    def way(self, ways: Mapping[int, Way]) -> Way:
        """Which way the use of the limit goes."""
        used, *limits = (ways.get(id(figure), Way.STAYS) for figure in self.figures())
        return together((used, opposite(together(limits))))


def margins(budgets: Iterable[Budget], end: str) -> tuple[Margin, ...]:
    """The margins of all budgets that have a limit and whose use is known."""
    return tuple(
        Margin(budget, budget.used, budget.limit, budget.capacity, end)
        for budget in budgets
        if budget.used is not None and budget.limit is not None
    )
