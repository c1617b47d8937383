"""The largest part of a load that is planned, where no plan meets every limit for all of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sizewright.demand.model import Demand
from sizewright.demand.subset import scale_rates
from sizewright.planner.plan import Plan
from sizewright.units import PERCENT


class Reduction(NamedTuple):
    """A part of a load, which is a `share` of all its rates, and its plan.

    It has no plan if it is the part that was known before. The next percent was found to have none
    if it is `proven`.
    """

    share: float
    plan: Plan | None
    proven: bool


def find_reduction(
    demand: Demand, planned: Callable[[Demand], Plan | None], is_spent: Callable[[], bool],
    known: int = 0, guess: int = 0,
) -> Reduction | None:  # fmt: skip
    """Return the largest part of a load that is `planned`, in whole percent.

    It is searched by halves above a part that is `known` to be supported, first at a `guess`. Sizes
    of data and numbers of clients and lines stay. What has no plan is taken to have none with more
    load. None if there is none, or if steps were used up before one was found.
    """
    plan = None
    low, high = known, PERCENT
    percent = guess
    while high - low > 1 and not is_spent():
        percent = percent if low < percent < high else (low + high) // 2
        found = planned(scale_rates(demand, percent / PERCENT))
        if found is None:
            high = percent
        else:
            low, plan = percent, found
    return Reduction(low / PERCENT, plan, high - low <= 1) if low else None
