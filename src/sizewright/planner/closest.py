"""The closest alternative of a plan that was not found, as small as it can be."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright.configuration.model import System
from sizewright.demand.model import Demand
from sizewright.evaluate.policy import Cost
from sizewright.planner.infeasibility import (
    Rejection,
    broken,
    excess_over_limits,
    machine_of,
    rejection,
    with_larger_share,
)
from sizewright.planner.plan import Plan
from sizewright.planner.planning import Planning
from sizewright.planner.single import nearest_of
from sizewright.planner.stages import costs_under, shrink


def improve_closest(plan: Plan, nearest: Rejection, planning: Planning) -> Plan:
    """Return a plan without a configuration, with the best closest alternative that is found.

    It and the largest machine are asked for more of the load; what supports most is then without
    parts that reduce nothing.
    """
    rejected = list(plan.rejected)
    if rejected[-1].judgement is not None and not nearest.load_share:
        # Of machines that support no part of the load the largest counts, for which few steps were
        # left.
        machine = machine_of(rejected[-1].judgement.system, plan.demand, planning.guide)
        rejected[-1] = rejection(machine, (), plan.demand, planning._replace(refusals=None))
        nearest = nearest_of(rejected)
    for n in {rejected.index(nearest), len(rejected) - 1}:
        rejected[n] = with_larger_share(rejected[n], plan.demand, planning, nearest.load_share)
    closest = nearest_of(rejected)
    found = without_spare_parts(closest, plan.demand, planning)
    all_of_them = tuple(found if each is closest else each for each in rejected)
    return plan._replace(rejected=all_of_them, nearest=found)


def without_spare_parts(rejected: Rejection, demand: Demand, planning: Planning) -> Rejection:
    """Return a rejection without parts that its reasons do not need.

    A search that ends early may leave them. No limit is exceeded by more than it was.
    """
    if rejected.judgement is None:
        return rejected

    def costs(smaller: System) -> Iterator[Cost]:
        yield from costs_under(smaller, demand, planning)
        yield Cost(excess=excess_over_limits(planning.evaluate(demand, smaller), planning.policy))

    system = shrink(rejected.judgement.system, demand, planning, costs, keep_disks=True)
    judged = planning.evaluate(demand, system)
    machine = machine_of(system, demand, planning.guide)
    findings = tuple(broken(judged, planning, machine))
    return rejected._replace(findings=findings, judgement=judged)
