"""Other plans that a report offers: fewer systems, less load, more room, other wishes."""

from __future__ import annotations

from collections import Counter
from functools import partial
from math import ceil, floor
from typing import TYPE_CHECKING

from sizewright.configuration.model import SYSTEM
from sizewright.demand.model import Demand
from sizewright.demand.subset import divide_volumes, scale_rates, scale_rates_and_memory
from sizewright.engine import Engine
from sizewright.limits import SERVICES_REDUCED, WIDER_STEPS
from sizewright.planner.alternatives import (
    Alternatives,
    DividedVolumes,
    FewerLines,
    FewerSystems,
    FewerUsers,
    FewerYears,
    LessMemory,
    Reduction,
    Relief,
)
from sizewright.planner.more_networks import (
    networks_beyond,
    on_fewest_networks,
    permit_more_networks,
)
from sizewright.planner.plan import Plan, evaluate_again
from sizewright.planner.planning import Effort, Planning, ProgressCallback, unwatched
from sizewright.plans import as_stated, plan_further, plan_passing, room_missed
from sizewright.quantity import Quantity, set_to
from sizewright.units import PERCENT
from sizewright.workload.work import Serving
from sizewright.workload.workload import Workload

if TYPE_CHECKING:
    from sizewright.planner.conflicts import Conflicts, Relaxation


def find_alternatives(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback = unwatched
) -> Alternatives:
    """Return what a report offers beside a plan; raises InputError as `find_relief` does."""
    reduced = find_reduced_load(found, workload, engine, watch)
    fewer_users = find_fewer_users(found, reduced, workload, engine, watch)
    less_memory = None
    if reduced is None and fewer_users is None:
        less_memory = find_less_memory(found, workload, engine, watch)
        if less_memory is None:
            reduced = find_reduced_load(found, workload, engine, watch, of_memory=True)
    conflicts = wishes_in_conflict(found, workload, engine, watch)
    return Alternatives(
        relief=find_relief(found, workload, engine, watch),
        divided_volumes=find_divided_volumes(found, workload, engine, watch),
        fewer_systems=find_fewer_systems(found, workload, engine, watch),
        without_owned=find_without_owned(found, workload, engine, watch),
        conflicts=conflicts,
        reduced=reduced,
        fewer_lines=find_fewer_lines(found, reduced, workload, engine, watch),
        fewer_users=fewer_users,
        fewer_years=find_fewer_years(found, conflicts, workload, engine, watch),
        less_memory=less_memory,
    )


def wishes_in_conflict(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback = unwatched
) -> Conflicts | None:
    """Return which wishes of a workload conflict, and what is planned without some of them.

    None if there is a plan, or if the workload has no wish that can be dropped.
    """
    if found.holds:
        return None
    from sizewright.planner.conflicts import find_conflicts, wishes_of

    stated = as_stated(found, workload)
    wishes = wishes_of(workload, stated, engine.guide)
    if not wishes:
        return None
    further = partial(plan_further, found, workload, engine, watch)
    plannings = [further()]
    conflicts = find_conflicts(
        stated, wishes, lambda each: plan_passing(each, plannings[-1]),
        lambda: plannings[-1].is_spent, lambda: plannings.append(further()),
    )  # fmt: skip
    # A way of several wishes is not named by its networks. The fewest have steps of their own.
    again = partial(plan_passing, planning=further())
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

    planning = plan_further(found, workload, engine, watch)
    scale = scale_rates_and_memory if of_memory else scale_rates
    stated = as_stated(found, workload)

    def planned(part: float) -> Plan | None:
        return plan_passing(scale(stated, part), planning)

    share = floor(found.nearest.load_share * PERCENT) if found.nearest is not None else 0
    # A pair may not support what one machine does for what must go on.
    ends = (0, share) if SYSTEM in found.demand.survives else (share, 0)
    reduced = find_reduction(planned, lambda: planning.is_spent, *ends)
    return reduced and reduced._replace(
        plan=reduced.plan or planned(reduced.share),
        proven=reduced.proven and planning.searched_to_end, of_memory=of_memory,
    )  # fmt: skip


def find_fewer_lines(
    found: Plan, reduced: Reduction | None, workload: Workload, engine: Engine,
    watch: ProgressCallback = unwatched,
) -> FewerLines | None:  # fmt: skip
    """Return a plan of fewer lines, with no more data than the part of the load that has one."""
    if reduced is None:
        return None
    from sizewright.planner import reduction

    planned = partial(plan_passing, planning=plan_further(found, workload, engine, watch))
    return reduction.find_fewer_lines(as_stated(found, workload), planned, reduced.share)


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
    from sizewright.planner.reduction import find_most

    planning = plan_further(found, workload, engine, watch)

    def planned(service: Serving, number: int) -> Plan | None:
        some = service.with_users(number)
        fewer = [some if each is service else each for each in workload.services]
        return plan_passing(as_stated(found, workload.replace(services=fewer)), planning)

    served = [(s.everybody, s) for s in workload.services if isinstance(s, Serving)]
    counts = [(int(users.high), service) for users, service in served if users is not None]
    largest = sorted(counts, key=lambda each: (-each[0], each[1].name))
    for of, service in largest[:SERVICES_REDUCED]:
        most = find_most(1, of, partial(planned, service), lambda: planning.is_spent)
        if most is not None:
            called = "sessions" if service.kind == "timesharing" else "clients"
            active = getattr(service, "active", None)
            less_active = isinstance(active, Quantity) and active.high > most[0]
            return FewerUsers(service.name, called, most[0], of, most[1], less_active)
    return None


def find_fewer_years(
    found: Plan, conflicts: Conflicts | None, workload: Workload, engine: Engine,
    watch: ProgressCallback = unwatched,
) -> FewerYears | None:  # fmt: skip
    """Return a plan for fewer years of growth, whole ones, if there is none for all of them.

    If there is none without disks of other vendors either, these are permitted, unless they alone
    are enough for all years.
    """
    growth = workload.growth
    if found.holds or growth is None or growth.years is None:
        return None
    from sizewright.planner.conflicts import THIRD_PARTY
    from sizewright.planner.reduction import find_most

    horizon, planning = growth.years, plan_further(found, workload, engine, watch)

    def planned(years: int, other_vendors: bool) -> Plan | None:
        fewer = workload.replace(growth=growth.replace(years=set_to(horizon, years)))
        demand = as_stated(found, fewer)
        return plan_passing(
            demand._replace(third_party_disks=demand.third_party_disks or other_vendors), planning
        )

    ways = [way.wishes for way in conflicts.ways] if conflicts is not None else []
    alike = as_stated(found, workload).third_party_disks or (THIRD_PARTY,) in ways
    for other_vendors in (False,) if alike else (False, True):
        most = find_most(
            0, ceil(horizon.high), partial(planned, other_vendors=other_vendors),
            lambda: planning.is_spent,
        )  # fmt: skip
        if most is not None:
            return FewerYears(most[0], horizon, most[1], _enough_for(most[1]), other_vendors)
    return None


def _enough_for(plan: Plan) -> float | None:
    """Return after how many years of growth a plan reaches its first limit; None if it never is."""
    from sizewright.sensitivity.thresholds import reaches

    budgets = [b for part in plan.plans if part.chosen is not None for b in part.chosen.budgets]
    return next((each.years for each in reaches(budgets, plan.policy.size_for)), None)


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
    planned = partial(plan_passing, planning=plan_further(found, workload, engine, watch))
    return reduction.find_less_memory(as_stated(found, workload), planned, too_much)


def find_without_owned(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback = unwatched
) -> Relaxation | None:
    """Return a plan of smaller machines without devices already owned; None if there is none."""
    if not found.holds or not any(each.required for each in found.demand.carry_forward):
        return None
    from sizewright.planner.conflicts import find_smaller_without_owned

    planned = partial(plan_passing, planning=plan_further(found, workload, engine, watch))
    return find_smaller_without_owned(found, as_stated(found, workload), planned)


def find_relief(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback = unwatched
) -> Relief | None:
    """Return the smallest plan that keeps `least_free` of each limit on a load free.

    If the plan that was found does, it is the smallest that meets the recommended limits on loads;
    None if that does so too. If the one that keeps more free does not, both are found. Raises
    InputError if nothing would be left to use.
    """
    least = room_missed(found, workload, engine)
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
    planning = plan_further(found, workload, engine, watch)
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
    relief = Relief(least, exceeded, tried)
    for number in tried:
        demand = _demand_on(found, number)
        within = plan_passing(demand, stricter)
        # Smaller machines on more networks may meet a recommended limit too.
        beyond = _planned_wider(demand, wider) if within is None or exceeded else None
        plan = min(filter(None, (within, beyond)), key=lambda each: each.machines, default=None)
        if plan is not None and plan.unknown_limits <= found.unknown_limits:
            # Compared with the same limits as the plan that was found.
            larger = evaluate_again(plan, planning)
            relief = relief._replace(plan=larger, networks=networks_beyond(found.demand, larger))
            break
    return relief._replace(proven=planning.searched_to_end and wider.searched_to_end)


def _demand_on(found: Plan, number: int) -> Demand:
    """Return the demand of a plan for a number of systems."""
    # If a number is asked for, all systems are in pairs.
    has_alone = found.group is not None and found.group.alone
    return found.demand._replace(systems=0 if has_alone else number)


def find_fewer_systems(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback = unwatched
) -> FewerSystems | None:
    """Return a plan with fewer systems for a load that was divided over several.

    It has more networks than the workload permits. None if the load was not divided, if several
    systems are stated, and if no plan has fewer.
    """
    if found.group is None or found.demand.systems:
        return None
    planning = plan_further(found, workload, engine, watch)
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
    plan = plan_passing(wider, planning) if wider != demand else None
    return plan and on_fewest_networks(plan, demand, partial(plan_passing, planning=planning))


def find_divided_volumes(
    found: Plan, workload: Workload, engine: Engine, watch: ProgressCallback = unwatched
) -> DividedVolumes | None:
    """Return a plan of as many machines in which no software joins disks for files, if it is freer.

    It exceeds fewer recommended limits on loads, because that software takes processor time. The
    volumes are divided into as many as they have disks. None if no limit is exceeded, and for
    volumes that are mirrored, or used by other work.
    """
    exceeded = found.recommended_exceeded
    if not exceeded:
        return None
    disks = Counter[str]()
    for part in found.plans:
        volumes = part.chosen.system.volumes if part.chosen is not None else ()
        disks |= Counter({
            volume.name: len(volume.disks) for volume in volumes
            if volume.manager and len(volume.copies) == 1
        })  # fmt: skip
    parts = {
        volume.name: disks[volume.name] for volume in found.demand.volumes
        if volume.name in disks and volume.reads and not volume.work
    }  # fmt: skip
    if not parts:
        return None
    planning = plan_further(found, workload, engine, watch)
    plan = plan_passing(divide_volumes(_demand_on(found, found.number), parts), planning)
    if plan is None or plan.machines > found.machines:
        return None
    met = tuple(rule for rule in exceeded if rule not in plan.recommended_exceeded)
    fewer = len(plan.recommended_exceeded) < len(exceeded)
    return DividedVolumes(parts, met, plan) if met and fewer else None
