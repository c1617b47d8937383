"""Why a plan is not smaller, or why there is none: the machines that were passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from sizewright.configuration.model import SYSTEM
from sizewright.planner.choice import PartialSolution
from sizewright.planner.infeasibility import PassedOver, Rejection, rejection, with_largest_shares
from sizewright.planner.parts import machines
from sizewright.planner.plan import Plan
from sizewright.planner.planning import Planning
from sizewright.planner.single import plan_single
from sizewright.planner.survival import after_failure


def explained(plan: Plan, planning: Planning) -> Plan:
    """Return a plan with the reasons why machines do not pass, which are found when asked for.

    Of a pair that is not found it is said of one system after the failure of the other, if that is
    not found either.
    """
    if plan.chosen is None and SYSTEM in plan.demand.survives:
        alone = plan_single(after_failure(plan.demand, planning), planning, at_length=True)
        plan = plan if alone.chosen else alone
    return plan._replace(passed_over=(), reasons=Explanation(plan, planning))


class Explanation:
    """Why machines were passed over for a plan; the closest alternative if none passes."""

    def __init__(self, plan: Plan, planning: Planning) -> None:
        self._plan = plan
        self._planning = planning

    @property
    def passed_over(self) -> tuple[PassedOver, ...]:
        """Each machine that was passed over."""
        return self._plan.passed_over

    @property
    def rejected(self) -> tuple[Rejection, ...]:
        """Each machine that was passed over, with its reasons."""
        return self._found[0]

    @property
    def nearest(self) -> Rejection | None:
        """The closest alternative, if no machine passes."""
        # To know that there is none needs no search.
        return self._found[1] if self._plan.chosen is None else None

    @cached_property
    def _found(self) -> tuple[tuple[Rejection, ...], Rejection | None]:
        plan, planning = self._plan, self._planning
        rejected = tuple(_rejections(plan.passed_over))
        if len(rejected) < len(machines(plan.guide, plan.demand)):
            return rejected, None
        rejected = with_largest_shares(rejected, plan.demand, planning)
        if plan.chosen is not None:
            return rejected, None
        # Most plans are found, and the program starts without it.
        from sizewright.planner.closest import find_closest

        return find_closest(rejected, plan, planning)


def _rejections(passed_over: Iterable[PassedOver]) -> Iterator[Rejection]:
    tried: dict[str, PartialSolution | None] = {}
    for each in passed_over:
        platform = each.machine.platform.id
        found = rejection(each, tried.get(platform))
        tried[platform] = found.choice
        yield found
