"""Plans of workloads: the plan that is asked for, its stages, and others that a report offers."""

from __future__ import annotations

from functools import partial
from math import floor
from typing import TYPE_CHECKING

from sizewright.configuration.model import SYSTEM
from sizewright.demand.build import demand_of
from sizewright.demand.model import Demand
from sizewright.demand.subset import scale_rates, scale_rates_and_memory
from sizewright.engine import Engine, policy_of, rules_for
from sizewright.errors import Location, collect_errors, refusal
from sizewright.evaluate.findings import cost_of, costs_of
from sizewright.guide.model import MissingDataError
from sizewright.guide.parameters import parameter_of
from sizewright.limits import (
    DECIMALS,
    FURTHER_STEPS,
    ROOM_TRIED,
    SERVICES_REDUCED,
    WIDER_STEPS,
)
from sizewright.planner.availability import protected
from sizewright.planner.more_networks import (
    networks_beyond,
    on_fewest_networks,
    permit_more_networks,
)
from sizewright.planner.plan import (
    FewerSystems,
    Plan,
    Relief,
    check_plannable,
    determinant,
    evaluate_again,
)
from sizewright.planner.planning import Effort, Planning, ProgressCallback, unwatched
from sizewright.planner.protection import plan_surviving
from sizewright.planner.systems import member_demands
from sizewright.quantity import Quantity, as_quantity, set_to
from sizewright.units import PERCENT
from sizewright.workload.work import Serving
from sizewright.workload.workload import EVEN, Wishes, Workload

if TYPE_CHECKING:
    from sizewright.planner.conflicts import Conflicts, Relaxation
    from sizewright.planner.reduction import FewerLines, FewerUsers, LessMemory, Reduction
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
    if found.demand.survives or _room_missed(found, workload, engine) is None:
        return found
    planning = _plan_further(found, workload, engine, watch)
    rooms = (_room_missed(plan, workload, engine) for plan in found.plans)
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
        other = _planned(alone, planning._replace(policy=policy))
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
    planning = _plan_further(found, workload, engine, unwatched)
    platforms = (found.chosen.system.platform,)
    asked = _as_stated(found, workload)._replace(platforms=platforms, disk_models=(model,))
    return _planned(asked, planning)


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


def wishes_in_conflict(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback = unwatched
) -> Conflicts | None:
    """Return which wishes of a workload conflict, and what is planned without some of them.

    None if there is a plan, or if the workload has no wish that can be dropped.
    """
    if found.holds:
        return None
    from sizewright.planner.conflicts import find_conflicts, wishes_of

    stated = _as_stated(found, workload)
    wishes = wishes_of(workload, stated, engine.guide)
    if not wishes:
        return None
    further = partial(_plan_further, found, workload, engine, watch)
    plannings = [further()]
    conflicts = find_conflicts(
        stated, wishes, lambda each: _planned(each, plannings[-1]),
        lambda: plannings[-1].is_spent, lambda: plannings.append(further()),
    )  # fmt: skip
    # A way of several wishes is not named by its networks. The fewest have steps of their own.
    again = partial(_planned, planning=further())
    ways = tuple(
        way._replace(plan=on_fewest_networks(way.plan, stated, again))
        if len(way.wishes) == 1 else way
        for way in conflicts.ways
    )  # fmt: skip
    return conflicts._replace(ways=ways) if conflicts.possible or conflicts.wishes else None


def find_reduced_load(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback = unwatched,
    of_memory: bool = False,
) -> Reduction | None:  # fmt: skip
    """Return the plan of the largest part of a load found; None if all of it has a plan.

    It is a part of all rates, and of the memory of services if that is meant too. Sizes of data and
    numbers of clients and lines stay.
    """
    if found.holds:
        return None
    from sizewright.planner.reduction import find_reduction

    planning = _plan_further(found, workload, engine, watch)
    scale = scale_rates_and_memory if of_memory else scale_rates
    stated = _as_stated(found, workload)

    def planned(part: float) -> Plan | None:
        return _planned(scale(stated, part), planning)

    share = floor(found.nearest.load_share * PERCENT) if found.nearest is not None else 0
    # A pair may not support what one machine does for what must go on.
    ends = (0, share) if SYSTEM in found.demand.survives else (share, 0)
    reduced = find_reduction(planned, lambda: planning.is_spent, *ends)
    return reduced and reduced._replace(
        proven=reduced.proven and planning.searched_to_end, of_memory=of_memory
    )


def find_fewer_lines(
    found: Plan, reduced: Reduction | None, workload: Workload, engine: Engine,
    watch: ProgressCallback = unwatched,
) -> FewerLines | None:  # fmt: skip
    """Return a plan of fewer lines, with no more data than the part of the load that has one."""
    if reduced is None:
        return None
    from sizewright.planner import reduction

    planned = partial(_planned, planning=_plan_further(found, workload, engine, watch))
    return reduction.find_fewer_lines(_as_stated(found, workload), planned, reduced.share)


def find_fewer_users(
    found: Plan, reduced: Reduction | None, workload: Workload, engine: Engine,
    watch: ProgressCallback = unwatched,
) -> FewerUsers | None:  # fmt: skip
    """Return a plan for fewer sessions or clients of one service, if no part of all rates has one.

    The services with the most of them are tried, not all if there are many.
    """
    alone = found.nearest.load_share if found.nearest is not None else 0
    if found.holds or reduced is not None or alone:
        return None
    from sizewright.planner.reduction import FewerUsers, find_most_users

    planning = _plan_further(found, workload, engine, watch)

    def planned(service: Serving, number: int) -> Plan | None:
        some = service.with_users(number)
        fewer = [some if each is service else each for each in workload.services]
        return _planned(_as_stated(found, workload.replace(services=fewer)), planning)

    served = [(s.everybody, s) for s in workload.services if isinstance(s, Serving)]
    counts = [(int(users.high), service) for users, service in served if users is not None]
    largest = sorted(counts, key=lambda each: (-each[0], each[1].name))
    for of, service in largest[:SERVICES_REDUCED]:
        most = find_most_users(of, partial(planned, service), lambda: planning.is_spent)
        if most is not None:
            called = "sessions" if service.kind == "timesharing" else "clients"
            active = getattr(service, "active", None)
            less_active = isinstance(active, Quantity) and active.high > most[0]
            return FewerUsers(service.name, called, most[0], of, most[1], less_active)
    return None


def find_less_memory(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback = unwatched
) -> LessMemory | None:
    """Return a plan of less memory for one service, if a machine has too little for all of it."""
    if found.holds or found.nearest is None:
        return None
    from sizewright.planner import reduction
    from sizewright.planner.reasons import memory_missing

    too_much = memory_missing(found.nearest.findings)
    if too_much is None:
        return None
    planned = partial(_planned, planning=_plan_further(found, workload, engine, watch))
    return reduction.find_less_memory(_as_stated(found, workload), planned, too_much)


def find_without_owned(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback = unwatched
) -> Relaxation | None:
    """Return a plan of smaller machines without devices already owned; None if there is none."""
    if not found.holds or not any(each.required for each in found.demand.carry_forward):
        return None
    from sizewright.planner.conflicts import find_smaller_without_owned

    planned = partial(_planned, planning=_plan_further(found, workload, engine, watch))
    return find_smaller_without_owned(found, _as_stated(found, workload), planned)


def _as_stated(found: Plan, workload: Workload) -> Demand:
    """Return the demand of a workload for the number of systems that was asked for."""
    return demand_of(workload, found.guide)._replace(systems=found.demand.systems)


def _plan_further(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback
) -> Planning:
    """Return what further plans for a workload follow, with fewer steps than the plan had."""
    rule_set = rules_for(workload.policy, engine, "plan")
    return Planning(found.guide, rule_set, found.policy, watch).with_effort(FURTHER_STEPS)


def _planned(demand: Demand, planning: Planning) -> Plan | None:
    try:
        plan = plan_surviving(demand, planning, explain=False)
    except MissingDataError:
        return None
    return plan if plan.holds else None


def find_relief(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback = unwatched
) -> Relief | None:
    """Return the smallest plan that keeps `least_free` of each limit on a load free.

    If the plan that was found does, it is the smallest that meets the recommended limits on loads;
    None if that does so too. If the one that keeps more free does not, both are found. Raises
    InputError if nothing would be left to use.
    """
    least = _room_missed(found, workload, engine)
    if least is None and not found.recommended_exceeded:
        return None
    relief = _relieved(found, least, workload, engine, watch)
    freer = relief.plan or found
    if least is None or not {*found.recommended_exceeded} & {*freer.recommended_exceeded}:
        return relief
    return relief._replace(meeting=_relieved(found, None, workload, engine, watch))


def _relieved(
    found: Plan, least: Quantity | None, workload: Workload, engine: Engine,
    watch: ProgressCallback,
) -> Relief:  # fmt: skip
    """Return the smallest plan with so much free, or if None that meets recommended limits."""
    exceeded = found.recommended_exceeded if least is None else ()
    planning = _plan_further(found, workload, engine, watch)
    if least is None:
        # A plan that exceeds another recommended limit instead would be no better.
        required = (r for r in found.recommended_on_loads if r not in found.unknown_limits)
        stricter = planning._replace(rule_set=planning.rule_set.requiring(required))
    else:
        stricter = planning._replace(policy=found.policy._replace(reserve=least))
    wider = stricter._replace(effort=Effort(WIDER_STEPS, WIDER_STEPS)) if exceeded else stricter
    # To divide the services over further pairs takes too long.
    only = found.demand.systems or SYSTEM in found.demand.survives
    tried = (found.number,) if only else (found.number, found.number + 1)
    # If a number is asked for, all systems are in pairs.
    has_alone = found.group is not None and found.group.alone
    relief = Relief(least, exceeded, tried)
    for number in tried:
        demand = found.demand._replace(systems=0 if has_alone else number)
        within = _planned(demand, stricter)
        # Smaller machines on more networks may meet a recommended limit too.
        beyond = _planned_wider(demand, wider) if within is None or exceeded else None
        plan = min(filter(None, (within, beyond)), key=lambda each: each.machines, default=None)
        if plan is not None and plan.unknown_limits <= found.unknown_limits:
            # Compared with the same limits as the plan that was found.
            larger = evaluate_again(plan, planning)
            relief = relief._replace(plan=larger, networks=networks_beyond(found.demand, larger))
            break
    return relief._replace(proven=planning.searched_to_end and wider.searched_to_end)


def _room_missed(found: Plan, workload: Workload, engine: Engine) -> Quantity | None:
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


def find_fewer_systems(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback = unwatched
) -> FewerSystems | None:
    """Return a plan with fewer systems for a load that was divided over several.

    It has more networks than the workload permits. None if the load was not divided, if several
    systems are stated, and if no plan has fewer.
    """
    if found.group is None or found.demand.systems:
        return None
    planning = _plan_further(found, workload, engine, watch)
    # Any number of pairs, or of single systems.
    fewest = 2 if SYSTEM in found.demand.survives else 1
    for number in range(fewest, found.number, fewest):
        plan = _planned_wider(found.demand._replace(systems=number), planning)
        if plan is not None:
            return FewerSystems(plan, networks_beyond(found.demand, plan))
    return None


def _planned_wider(demand: Demand, planning: Planning) -> Plan | None:
    """Return a plan with more networks than a demand permits; None if it permits many already."""
    wider = permit_more_networks(demand)
    plan = _planned(wider, planning) if wider != demand else None
    return plan and on_fewest_networks(plan, demand, partial(_planned, planning=planning))
