"""The closest alternative of a plan that was not found, as small as it can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import fsum

from sizewright.configuration.model import System
from sizewright.demand.model import Demand
from sizewright.evaluate.limits import over_limit
from sizewright.evaluate.policy import Cost
from sizewright.limits import MISS_STEPS, SPARE_SLOTS_TRIED
from sizewright.planner.bounds import SLOTS
from sizewright.planner.infeasibility import (
    Rejection,
    excess_over_limits,
    machine_of,
    rejection,
    search_nearer,
    with_larger_share,
    with_nearer,
)
from sizewright.planner.plan import Plan
from sizewright.planner.planning import Planning
from sizewright.planner.reasons import broken
from sizewright.planner.stages import costs_under, shrink
from sizewright.rules.rule import Finding


def find_closest(
    found: Iterable[Rejection], plan: Plan, planning: Planning
) -> tuple[tuple[Rejection, ...], Rejection]:
    """Return all rejections of a plan, and of them the best closest alternative that is found.

    It and the largest machine are asked for more of the load; what supports most is then without
    parts that reduce nothing.
    """
    rejected = list(found)
    nearest = _nearest_of(rejected)
    if rejected[-1].judgement is not None and not nearest.load_share:
        # Of machines that support no part of the load the largest counts, for which few steps were
        # left.
        largest = plan.passed_over[-1]._replace(planning=planning._replace(refusals=None))
        rejected[-1] = rejection(largest, rejected[-1].choice)
        nearest = _nearest_of(rejected)
    for n in {rejected.index(nearest), len(rejected) - 1}:
        nearer = _nearer(rejected[n], plan.demand, planning)
        rejected[n] = with_larger_share(nearer, plan.demand, planning, nearest.load_share)
    closest = _nearest_of(rejected)
    bare = without_spare_parts(closest, plan.demand, planning)
    return tuple(bare if each is closest else each for each in rejected), bare


def _nearer(rejected: Rejection, demand: Demand, planning: Planning) -> Rejection:
    """Return a rejection with the configuration that exceeds least, as far as it is found.

    For the closest alternative that is looked for in more steps than for other machines.
    """
    if rejected.judgement is None or rejected.choice is None:
        return rejected
    machine = machine_of(rejected.judgement.system, demand, planning.guide)
    if any(map(_is_of_slots, rejected.findings)):
        machine = machine.with_spare_slots(SPARE_SLOTS_TRIED)
    search = search_nearer(rejected.choice, machine, demand, planning, MISS_STEPS)
    return with_nearer(rejected, search)


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


def _nearest_of(rejected: Iterable[Rejection]) -> Rejection:
    """The rejection that supports most of the load, breaks fewest limits, and exceeds them least.

    Of machines that lack as much, it is the one whose parts are the least short of what is needed.
    Of equal ones it is the smallest, or the largest if they have too few parts or slots.
    """
    nearest, *others = rejected
    for each in others:
        own, best = _nearness(each), _nearness(nearest)
        if own > best or (own == best and (nearest.lacks or any(map(_is_of_slots, each.findings)))):
            nearest = each
    return nearest


def _nearness(rejection: Rejection) -> tuple[float, ...]:
    broken = (rejection.lacks, rejection.waive, rejection.findings)
    short = fsum(each.times for each in rejection.lacks)
    # How many slots are missing depends on which of equal boards were tried.
    over = (
        over_limit(each.asked, each.shown, "likely")
        for each in rejection.findings if not _is_of_slots(each)
    )  # fmt: skip
    return (rejection.load_share, *(-len(each) for each in broken), -short, -fsum(over))


def _is_of_slots(finding: Finding) -> bool:
    return finding.asked.subject == SLOTS
