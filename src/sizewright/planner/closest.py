"""The closest alternative of a plan that was not found, as small as it can be."""

from __future__ import annotations

from functools import partial

from sizewright.demand.model import Demand
from sizewright.demand.subset import scale_rates
from sizewright.planner.infeasibility import Rejection, broken, machine_of, with_smallest
from sizewright.planner.plan import Plan
from sizewright.planner.planning import Planning
from sizewright.planner.stages import costs_under, shrink


def with_smallest_nearest(plan: Plan, nearest: Rejection, planning: Planning) -> Plan:
    """Return a plan without a configuration, whose closest alternative is as small as it can be."""
    found = with_smallest(nearest, plan.demand, planning)
    found = without_spare_parts(found, plan.demand, planning)
    rejected = tuple(found if each is nearest else each for each in plan.rejected)
    return plan._replace(rejected=rejected, nearest=found)


def without_spare_parts(rejected: Rejection, demand: Demand, planning: Planning) -> Rejection:
    """Return a rejection without parts that neither its reasons nor the load it supports need.

    A search that ends early may leave them. Without a load that meets every limit, disks stay:
    fewer of them would exceed the same limits by more.
    """
    if rejected.judgement is None:
        return rejected
    share = rejected.load_share
    part = scale_rates(demand, share) if share else demand
    costs = partial(costs_under, demand=part, planning=planning)
    system = shrink(rejected.judgement.system, part, planning, costs, keep_disks=not share)
    judged = planning.evaluate(demand, system)
    machine = machine_of(system, demand, planning.guide)
    findings = tuple(broken(judged, planning, machine))
    return rejected._replace(findings=findings, judgement=judged)
