"""Why a plan is not smaller, or why there is none: the machines that were passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sizewright.configuration.model import SYSTEM
from sizewright.planner.choice import PartialSolution
from sizewright.planner.infeasibility import PassedOver, Rejection, rejection, with_largest_shares
from sizewright.planner.parts import machines
from sizewright.planner.plan import Plan
from sizewright.planner.planning import Planning
from sizewright.planner.single import plan_single
from sizewright.planner.survival import after_failure


def explained(plan: Plan, planning: Planning) -> Plan:
    """Return a plan with why machines do not pass, and with the closest alternative if none does.

    Of a pair that is not found it is said of one system after the failure of the other, if that is
    not found either.
    """
    if plan.chosen is None and SYSTEM in plan.demand.survives:
        alone = plan_single(after_failure(plan.demand, planning), planning, at_length=True)
        plan = plan if alone.chosen else alone
    rejected = tuple(_rejections(plan.passed_over))
    none_passes = len(rejected) == len(machines(plan.guide, plan.demand))
    if none_passes:
        rejected = with_largest_shares(rejected, plan.demand, planning)
    plan = plan._replace(rejected=rejected)
    if plan.chosen is None and none_passes:
        # Most plans are found, and the program starts without it.
        from sizewright.planner.closest import with_closest

        plan = with_closest(plan, planning)
    return plan._replace(passed_over=())


def _rejections(passed_over: Iterable[PassedOver]) -> Iterator[Rejection]:
    tried: dict[str, PartialSolution | None] = {}
    for each in passed_over:
        platform = each.machine.platform.id
        found = rejection(each, tried.get(platform))
        tried[platform] = found.choice
        yield found
