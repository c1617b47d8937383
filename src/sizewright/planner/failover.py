"""A plan without one of its parts: services that stop, and those that another system takes over."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from sizewright.configuration.model import SYSTEM, System, components
from sizewright.demand.model import Demand
from sizewright.demand.subset import restrict_demand
from sizewright.evaluate.system import Evaluation, evaluate
from sizewright.failure import (
    Failure,
    Outage,
    Served,
    newly_missed,
    part_failure,
    with_unused,
    without_protection,
)
from sizewright.planner.plan import Failover, Group, Member, Plan, determinant
from sizewright.rules.compiler import RuleSet


def plan_components(plan: Plan) -> Mapping[str, str]:
    """Every part of a plan that can fail, with its kind; parts of several systems by system and id.

    An id that only one of several systems has stands also alone. Empty where nothing was found.
    """
    found: dict[str, str] = {}
    ids: list[str] = []
    for part in plan.plans:
        if part.chosen is not None:
            system = part.chosen.system
            known = components(system)
            found |= {f"{system.id}/{name}": kind for name, kind in known.items()}
            ids += known
    if plan.group is not None:
        found |= {member.name: SYSTEM for member in plan.group.members}
    whole = {name.partition("/")[2]: kind for name, kind in found.items() if "/" in name}
    return found | {name: kind for name, kind in whole.items() if ids.count(name) == 1}


def plan_failure(plan: Plan, component: str, rule_set: RuleSet) -> Failure:
    """What a plan is without one of its `plan_components`; raises KeyError for any other."""
    kind = plan_components(plan)[component]
    if kind == SYSTEM:
        assert plan.group is not None
        return _system_failure(plan, plan.group, component, rule_set)
    owner, _, name = component.rpartition("/")
    for part in plan.plans:
        whole = part.chosen
        if whole is None or (owner or whole.system.id) != whole.system.id:
            continue
        if name in components(whole.system):
            used, whole = _user(plan, whole, name)
            found = part_failure(used, whole, name, plan.guide, rule_set, plan.policy)
            return found._replace(component=component)
    raise KeyError(component)


def _user(plan: Plan, whole: Evaluation, part: str) -> tuple[Demand, Evaluation]:
    """Return the system of a part with its demand; of two that share a disk, that with its data."""

    def owner(system: System) -> str:
        return next((d.owner or system.id for d in system.disks() if d.id == part), system.id)

    judged = [(each.demand, each.chosen) for each in plan.plans if each.chosen is not None]
    sharing = [each for each in judged if owner(each[1].system) == owner(whole.system)]
    users = (each for each in sharing if any(part in v.disks for v in each[1].system.volumes))
    return next(users, next(each for each in judged if each[1] is whole))


def single_failures(plan: Plan, kinds: Collection[str], rule_set: RuleSet) -> tuple[Failure, ...]:
    """The failures of single parts of some kinds."""
    known = plan_components(plan)
    alone = {f"{p.chosen.system.id}/{name}" for p in plan.plans if p.chosen for name in known}
    tried = (name for name, kind in known.items() if kind in kinds and name not in alone)
    found = [plan_failure(plan, name, rule_set) for name in tried]
    if SYSTEM in kinds and plan.group is None and plan.chosen is not None:
        found.append(_only_system_failure(plan))
    return tuple(found)


def unsurvived(failures: Iterable[Failure], plan: Plan) -> tuple[Failure, ...]:
    """The failures that a plan does not survive.

    Two systems that were planned to survive each other's failure do.
    """
    return tuple(
        each for each in failures
        if not each.holds and not (each.kind == SYSTEM and _failover(plan, each.component))
    )  # fmt: skip


def nearest_to_limit(failures: Iterable[Failure], end: str) -> Failure | None:
    """Return the failure after which a resource is nearest to its limit; None if none has any."""

    def share(failure: Failure) -> float:
        found = determinant(failure.after.budgets, end)
        return found.share if found is not None else 0

    nearest = max(failures, key=share, default=None)
    return nearest if nearest is not None and share(nearest) else None


def _failover(plan: Plan, failed: str) -> Failover | None:
    """What another system takes over if one fails, None if that is not planned."""
    states = plan.group.failover if plan.group else ()
    return next((state for state in states if state.failed == failed), None)


def _only_system_failure(plan: Plan) -> Failure:
    assert plan.chosen is not None
    whole = plan.chosen
    down = tuple(Outage(s.name, s.volumes, s.networks) for s in plan.demand.services)
    lost = tuple(volume.name for volume in whole.system.volumes)
    cut = tuple(dict.fromkeys(port.network for port in whole.system.ports))
    name = whole.system.id
    return Failure(name, SYSTEM, name, (name,), lost, cut, down, whole, whole, ())


def _system_failure(plan: Plan, group: Group, failed: str, rule_set: RuleSet) -> Failure:
    """One system of several gone, with what another one then takes over.

    Unless its failure was planned for, only what needs nothing of it goes on. A system that is
    `alone` beside pairs runs only what may stop.
    """
    planned = _failover(plan, failed)
    lost = next(member for member in group.members if member.name == failed)
    others = [member for member in group.members if member is not lost]
    left = next((m for m in others if planned and m.name == planned.survivor), (*others, lost)[0])
    assert left.plan.chosen is not None
    before, down = left.plan.chosen, tuple[Outage, ...]()
    served = planned.served if planned else ()
    if planned is not None:
        after = planned.state
    elif failed in group.alone:
        after, served = before, tuple(Served(name, 0) for name in lost.services)
    else:
        down = tuple(_outages(lost, before, plan))
        moved = set(lost.services).difference(each.service for each in down)
        demand = left.plan.demand
        if left is not lost:
            demand = restrict_demand(plan.demand, moved.union(left.services))
        after = evaluate(demand, before.system, plan.guide, rule_set, plan.policy)
    after = with_unused(before, without_protection(after, rule_set), (failed,))
    volumes = tuple(sorted({name for each in down for name in each.volumes}))
    networks = tuple(sorted({name for each in down for name in each.networks}))
    broken, borderline = newly_missed(before, after, rule_set, plan.policy)
    return Failure(
        failed, SYSTEM, left.name, (failed,), volumes, networks, down, before, after, broken,
        slower=served, borderline=borderline,
        unsaved=_is_saved(lost.plan.chosen) and not _is_saved(after),
    )  # fmt: skip


def _is_saved(judged: Evaluation | None) -> bool:
    """Return whether backups of a system are wanted."""
    backup = judged.load.usage.backup if judged is not None else None
    return backup is not None and backup.wanted


def _outages(lost: Member, left: Evaluation, plan: Plan) -> Iterator[Outage]:
    """Yield the services that stop with a system: those with data there or networks only there."""
    there = {port.network for port in left.system.ports}
    for service in plan.demand.services:
        if service.name in lost.services and not service.replicated:
            networks = tuple(name for name in service.networks if name not in there)
            if service.volumes or networks:
                yield Outage(service.name, service.volumes, networks)
