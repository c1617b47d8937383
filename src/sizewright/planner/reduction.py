"""Less of a load that is planned, where no plan meets every limit for all of it."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor

from sizewright.demand.model import Demand
from sizewright.demand.rates import sum_lines
from sizewright.load.lines import rates_of
from sizewright.planner.alternatives import FewerLines, LessMemory, Reduction
from sizewright.planner.plan import Plan
from sizewright.quantity import count
from sizewright.units import PERCENT


def find_less_memory(
    demand: Demand, planned: Callable[[Demand], Plan | None], too_much_mb: float
) -> LessMemory | None:
    """Return the largest use of memory without what is too much, in whole MB, if it is `planned`.

    Memory of the operating system, and of data that is kept there, stays.
    """
    largest = max(demand.memory, key=lambda each: each.grows * each.figure.high, default=None)
    if largest is None or not largest.grows:
        return None
    mb = floor(largest.figure.high - too_much_mb)
    if mb < 1:
        return None
    less = largest._replace(figure=largest.figure * (mb / largest.figure.high))
    memory = tuple(less if each is largest else each for each in demand.memory)
    plan = planned(demand._replace(memory=memory))
    return plan and LessMemory(largest, mb, plan)


def find_fewer_lines(
    demand: Demand, planned: Callable[[Demand], Plan | None], share: float
) -> FewerLines | None:
    """Return the fastest lines in a number that is `planned`; their speed cannot be reduced.

    All lines then have no more than a `share` of their data. None if that has no plan.
    """
    timed = [each for each in demand.lines if each.kbit_per_s is not None]
    if not timed or not share:
        return None
    fastest = max(timed, key=lambda each: each.kbit_per_s.high if each.kbit_per_s else 0)
    assert fastest.kbit_per_s is not None
    too_much = (1 - share) * sum_lines(rates_of(timed), "Kb/s").high
    number = int(fastest.number.high) - ceil(too_much / fastest.kbit_per_s.high)
    if number < 1:
        return None
    fewer = fastest._replace(number=count(number, "number of lines", "line"))
    lines = tuple(fewer if each is fastest else each for each in demand.lines)
    plan = planned(demand._replace(lines=lines))
    return plan and FewerLines(fastest, number, plan)


def find_most(
    least: int, of: int, planned: Callable[[int], Plan | None], is_spent: Callable[[], bool]
) -> tuple[int, Plan] | None:
    """Return the largest number, less than all, that is `planned`; None if the least is not.

    It is searched by halves. What has no plan is taken to have none with more.
    """
    first = planned(least) if of > least else None
    if first is None:
        return None
    number, plan, _ = _search_by_halves(least, of, planned, is_spent)
    return number, plan or first


def find_reduction(
    planned: Callable[[float], Plan | None], is_spent: Callable[[], bool],
    known: int = 0, guess: int = 0,
) -> Reduction | None:  # fmt: skip
    """Return the largest part of a load that is `planned`, in whole percent.

    It is searched by halves above a part that is `known` to be supported, first at a `guess`. What
    has no plan is taken to have none with more load. None if there is none, or if steps were used
    up before one was found.
    """
    percent, plan, proven = _search_by_halves(
        known, PERCENT, lambda percent: planned(percent / PERCENT), is_spent, guess
    )
    return Reduction(percent / PERCENT, plan, proven) if percent else None


def _search_by_halves(
    low: int, high: int, planned: Callable[[int], Plan | None], is_spent: Callable[[], bool],
    guess: int = 0,
) -> tuple[int, Plan | None, bool]:  # fmt: skip
    """Return the largest number found that is `planned`, its plan, and whether the next is not.

    It is `low`, without a plan, if none above that is; `high` is taken to have none. A `guess` in
    between is tried first.
    """
    plan, number = None, guess
    while high - low > 1 and not is_spent():
        number = number if low < number < high else (low + high) // 2
        if (found := planned(number)) is None:
            high = number
        else:
            low, plan = number, found
    return low, plan, high - low <= 1
