"""Plans of workloads: the plan that is asked for, its stages, and what further plans follow."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sizewright.configuration.model import SYSTEM
from sizewright.demand.build import demand_of
from sizewright.demand.model import Demand
from sizewright.engine import Engine, policy_of, rules_for
from sizewright.errors import Location, collect_errors, refusal
from sizewright.evaluate.findings import cost_of, costs_of
from sizewright.guide.model import MissingDataError
from sizewright.guide.parameters import parameter_of
from sizewright.limits import (
    DECIMALS,
    FURTHER_STEPS,
    ROOM_TRIED,
)
from sizewright.planner.availability import protected
from sizewright.planner.plan import (
    Plan,
    check_plannable,
    determinant,
)
from sizewright.planner.planning import Planning, ProgressCallback, unwatched
from sizewright.planner.protection import plan_surviving
from sizewright.planner.systems import member_demands
from sizewright.quantity import Quantity, as_quantity, set_to
from sizewright.workload.workload import EVEN, Wishes, Workload

if TYPE_CHECKING:
    from sizewright.planner.stages import Stage


def plan(
    workload: Workload,
    engine: Engine,
    systems: int | None = None,
    watch: ProgressCallback = unwatched,
) -> Plan:
    """Plan a workload, on the given number of systems if it is stated.

    `watch` is called with what is being tried.

    Raises InputError for names or parameters that the guide does not have, and for a guide that
    has too little data on its machines.
    """
    guide = engine.guide
    check_plannable(guide)
    with collect_errors() as errors:
        with errors.catch():
            rule_set = rules_for(workload.policy, engine, "plan")
        with errors.catch():
            demand = demand_of(workload, guide)
        with errors.catch():
            policy = policy_of(workload.policy, guide)
    if systems is not None:
        if SYSTEM in demand.survives and systems > 1 and systems % 2:
            what = f"the failure of a system is survived by pairs of systems, not {systems}"
            raise refusal(Location("--systems"), what, EVEN)
        demand = demand._replace(systems=systems)
    found = plan_surviving(demand, Planning(guide, rule_set, policy, watch))
    return _arranged_with_room(found, workload, engine, watch)


def _arranged_with_room(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback
) -> Plan:
    """Return a plan whose systems, if nearly full, have their parts in places that keep room.

    A system is the same if its parts keep no more room anywhere, or if more advice is not followed.
    """
    if found.demand.survives or room_missed(found, workload, engine) is None:
        return found
    planning = plan_further(found, workload, engine, watch)
    rooms = (room_missed(plan, workload, engine) for plan in found.plans)
    return found.with_plans(
        tuple(
            plan if least is None else _with_room(plan, least, planning)
            for plan, least in zip(found.plans, rooms, strict=True)
        )
    )


def _with_room(found: Plan, least: Quantity, planning: Planning) -> Plan:
    """Return the plan of one system with its parts in places that keep the most room found."""
    from sizewright.planner.stages import parts_of

    chosen = found.chosen
    assert chosen is not None
    alone = found.demand._replace(platforms=(chosen.system.platform,), systems=1)
    before = cost_of(costs_of(chosen.facts, planning.rule_set, found.policy))
    for part in ROOM_TRIED:
        policy = found.policy._replace(reserve=least * as_quantity(part))
        other = plan_passing(alone, planning._replace(policy=policy))
        if other is None or other.chosen is None:
            continue
        system = other.chosen.system._replace(id=chosen.system.id)
        again = planning.evaluate(found.demand, system)
        after = cost_of(costs_of(again.facts, planning.rule_set, found.policy))
        if parts_of(again.system) == parts_of(chosen.system) and after <= before:
            return found._replace(chosen=again)
    return found


def plan_on(platform: str, workload: Workload, engine: Engine, systems: int | None = None) -> Plan:
    """Plan a workload on one platform, whatever it wishes; raises InputError as `plan` does."""
    wishes = (workload.wishes or Wishes()).replace(platforms=(platform,))
    return plan(workload.replace(wishes=wishes), engine, systems)


def plan_with_disks(model: str, found: Plan, workload: Workload, engine: Engine) -> Plan | None:
    """Return a plan on the platform of another one with disks of one model; None if none passes."""
    assert found.chosen is not None
    planning = plan_further(found, workload, engine, unwatched)
    platforms = (found.chosen.system.platform,)
    asked = as_stated(found, workload)._replace(platforms=platforms, disk_models=(model,))
    return plan_passing(asked, planning)


def stages(workload: Workload, engine: Engine, found: Plan) -> tuple[tuple[Stage, ...], ...]:
    """Return the stages in which the parts of each system of a plan can be bought, today's first.

    There are as many systems in all years; identical ones have the same stages. Raises InputError
    if the workload states no years of growth, and for systems that survive a failure.
    """
    from sizewright.planner.failover import nearest_to_limit, single_failures
    from sizewright.planner.stages import Stage, plan_stages, stage_years

    growth = workload.growth
    if growth is None or growth.years is None:
        what = "the workload states no years of growth"
        raise refusal(Location("--stages"), what, "growth with percent and years")
    guide, end, group = engine.guide, found.policy.size_for, found.group
    if group is not None and group.division is None:
        what = "stages of systems that survive a failure are not planned"
        raise refusal(
            Location("--stages"), what, "a workload without availability: {survives: [system]}"
        )
    horizon = growth.years
    *before, last = stage_years(horizon.at(end))

    def demand_at(system: int, years: float) -> Demand:
        grown = workload.replace(growth=growth.replace(years=set_to(horizon, years)))
        demand = protected(demand_of(grown, guide))
        divided = member_demands(demand, group.division) if group and group.division else ()
        return divided[system][1] if divided else demand

    planning = Planning(guide, rules_for(workload.policy, engine, "plan"), found.policy)

    def with_failure(plan: Plan, stage: Stage) -> Stage:
        then = plan._replace(demand=stage.demand, chosen=stage.judged)
        failures = single_failures(then, stage.demand.survives, planning.rule_set)
        return stage._replace(tightest_failure=nearest_to_limit(failures, end))

    return tuple(
        tuple(
            with_failure(plan, stage)
            for stage in plan_stages(
                Stage(last, plan.demand, plan.chosen), before, partial(demand_at, n), planning
            )
        )
        for n, plan in enumerate(found.plans) if plan.chosen is not None
    )  # fmt: skip


def as_stated(found: Plan, workload: Workload) -> Demand:
    """Return the demand of a workload for the number of systems that was asked for."""
    return demand_of(workload, found.guide)._replace(systems=found.demand.systems)


def plan_further(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback
) -> Planning:
    """Return what further plans for a workload follow, with fewer steps than the plan had."""
    rule_set = rules_for(workload.policy, engine, "plan")
    return Planning(found.guide, rule_set, found.policy, watch).with_effort(FURTHER_STEPS)


def plan_passing(demand: Demand, planning: Planning) -> Plan | None:
    """Return the plan of a demand; None if none that was tried passes, or if data is missing."""
    try:
        plan = plan_surviving(demand, planning, explain=False)
    except MissingDataError:
        return None
    return plan if plan.holds else None


def room_missed(found: Plan, workload: Workload, engine: Engine) -> Quantity | None:
    """Return `least_free`, if the bottleneck of a plan has less free; None if nothing is missed.

    Nor is it if its limit is waived, or if the workload states a reserve. Raises InputError if
    nothing would be left to use.
    """
    if not found.holds or found.policy.reserve is not None:
        return None
    least = parameter_of("least_free", workload.policy.parameters, engine.guide)
    budgets = {b.resource: b for plan in found.plans if plan.chosen for b in plan.chosen.budgets}
    nearest = determinant(tuple(budgets.values()), found.policy.size_for)
    if least is None or nearest is None:
        return None
    # Sums that differ by rounding alone are equal.
    if round(nearest.share + least.high, DECIMALS) <= 1:
        return None
    if budgets[nearest.resource].limit_rule in {w.rule for w in found.policy.waivers}:
        return None
    if least.high >= 1:
        what = f"least_free is {least.high:g}: nothing is left to use"
        raise refusal(Location("policy.parameters"), what, "less than 1")
    return least
