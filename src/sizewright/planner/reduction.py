"""The largest part of a load that is planned, where no plan meets every limit for all of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sizewright.demand.model import Demand
from sizewright.demand.subset import scale_rates
from sizewright.planner.plan import Plan
from sizewright.units import PERCENT


class Reduction(NamedTuple):
    """The plan of a part of a load, which is a `share` of all its rates."""

    share: float
    plan: Plan


def find_reduction(
    demand: Demand, planned: Callable[[Demand], Plan | None], is_spent: Callable[[], bool]
) -> Reduction | None:
    """Return the largest part of a load that is `planned`, in whole percent, by halves.

    Sizes of data and numbers of clients stay. What has no plan is taken to have none with more
    load, so that the part is one that passes and may not be the largest. None if there is none, or
    if steps were used up before one was found.
    """
    found = None
    low, high = 0, PERCENT
    while high - low > 1 and not is_spent():
        percent = (low + high) // 2
        plan = planned(scale_rates(demand, percent / PERCENT))
        if plan is None:
            high = percent
        else:
            low, found = percent, Reduction(percent / PERCENT, plan)
    return found
