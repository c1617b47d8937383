"""A plan with one of its parts gone: what is lost, which services are down, what is left."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from sizewright.configuration.components import (
    SYSTEM,
    components,
    disconnected,
    lost_volumes,
    remove_component,
    removed_parts,
)
from sizewright.configuration.model import System
from sizewright.demand.model import Demand, VolumeDemand
from sizewright.demand.subset import restrict_demand
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation, evaluate
from sizewright.guide.model import Guide
from sizewright.planner.failure import Failure, Outage
from sizewright.planner.plan import Pair, Plan
from sizewright.planner.takeover import taken_over
from sizewright.rules.compiler import SYSTEM as WHOLE
from sizewright.rules.compiler import RuleSet

# Space without which no kernel runs.
_ESSENTIAL = ("root", "swap")

# A rule that asks for protection asks for the very copies that a failure uses up: it is not judged.
_USED_UP = ("volume", "protection")


def plan_components(plan: Plan) -> Mapping[str, str]:
    """Every part of a plan that can fail, with its kind; parts of a pair by system and id.

    An id that only one system of a pair has stands also alone. Empty where nothing was found.
    """
    found: dict[str, str] = {}
    ids: list[str] = []
    for part in plan.plans:
        if part.chosen is not None:
            system = part.chosen.system
            known = components(system)
            found |= {f"{system.id}/{name}": kind for name, kind in known.items()}
            ids += known
    if plan.pair is not None:
        found |= {part.chosen.system.id: SYSTEM for part in plan.plans if part.chosen}
    whole = {name.partition("/")[2]: kind for name, kind in found.items() if "/" in name}
    return found | {name: kind for name, kind in whole.items() if ids.count(name) == 1}


def plan_failure(plan: Plan, component: str, book: RuleSet) -> Failure:
    """What a plan is without one of its `plan_components`; raises KeyError for any other."""
    kind = plan_components(plan)[component]
    if kind == SYSTEM:
        assert plan.pair is not None
        return _system_failure(plan, plan.pair, component, book)
    owner, _, name = component.rpartition("/")
    for part in plan.plans:
        whole = part.chosen
        if whole is None or (owner or whole.system.id) != whole.system.id:
            continue
        if name in components(whole.system):
            found = part_failure(part.demand, whole, name, plan.guide, book, plan.policy)
            return found._replace(component=component)
    raise KeyError(component)


def unsurvived(plan: Plan, kinds: Collection[str], book: RuleSet) -> tuple[Failure, ...]:
    """The failures of single parts of some kinds that a plan does not survive."""
    known = plan_components(plan)
    alone = {f"{p.chosen.system.id}/{name}" for p in plan.plans if p.chosen for name in known}
    tried = (name for name, kind in known.items() if kind in kinds and name not in alone)
    found = [failure for name in tried if not (failure := plan_failure(plan, name, book)).holds]
    if SYSTEM in kinds and plan.pair is None and plan.chosen is not None:
        found.append(_only_system_failure(plan, plan.chosen))
    return tuple(found)


def broken_promises(plan: Plan, book: RuleSet) -> tuple[Failure, ...]:
    """Return the failures of either system in which two systems do not keep what they promise.

    Two systems that are asked for promise that what runs on both, and what has all its volumes on
    disks with two ports, goes on: with networks to its clients, and every limit kept.
    """
    if plan.pair is None or plan.demand.systems != len(plan.plans):
        return ()
    names = (part.chosen.system.id for part in plan.plans if part.chosen)
    failures = (
        _system_failure(plan, plan.pair, name, book, promised_of(plan.demand)) for name in names
    )
    return tuple(failure for failure in failures if failure.down or failure.broken)


def promised_of(demand: Demand) -> frozenset[str]:
    """Return the services that go on if a system fails: on both, or wholly on dual-ported disks."""
    ported = {volume.name for volume in demand.volumes if volume.dual_ported}
    return frozenset(
        s.name for s in demand.services
        if s.replicated or (s.volumes and ported.issuperset(s.volumes))
    )  # fmt: skip


def _only_system_failure(plan: Plan, whole: Evaluation) -> Failure:
    down = tuple(Outage(s.name, s.volumes, s.networks) for s in plan.demand.services)
    lost = tuple(volume.name for volume in whole.system.volumes)
    cut = tuple(dict.fromkeys(port.network for port in whole.system.ports))
    name = whole.system.id
    return Failure(name, SYSTEM, name, (name,), lost, cut, down, whole, whole, ())


def part_failure(
    demand: Demand, whole: Evaluation, component: str, guide: Guide, book: RuleSet, policy: Policy
) -> Failure:
    """What one system is without one of its parts; raises KeyError where there is none."""
    kind = components(whole.system)[component]
    left = remove_component(whole.system, component)
    down = tuple(outages(demand, whole.system, left))
    after = without_protection(
        evaluate(left_of(demand, down, left), left, guide, book, policy), book
    )
    return Failure(
        component, kind, left.id, removed_parts(whole.system, left),
        lost_volumes(whole.system, left), disconnected(whole.system, left), down, whole, after,
        broken(whole, after, book, policy),
    )  # fmt: skip


def outages(demand: Demand, before: System, after: System) -> Iterator[Outage]:
    """The services that cannot go on as they are."""
    lost, cut = set(lost_volumes(before, after)), set(disconnected(before, after))
    vital = {v.name for v in demand.volumes if v.use in _ESSENTIAL and v.name in lost}
    for service in demand.services:
        volumes = tuple(sorted(lost.intersection(service.volumes) | vital))
        networks = tuple(sorted(cut.intersection(service.networks)))
        if volumes or networks:
            yield Outage(service.name, volumes, networks)


def left_of(demand: Demand, down: Collection[Outage], after: System) -> Demand:
    """The demand without the work of services that are down; their data stay where they lie."""
    networks = {service.name: set(service.networks) for service in demand.services}
    idle = {o.service for o in down if o.volumes or not networks[o.service] - set(o.networks)}
    if not idle and {v.name for v in demand.volumes} <= {v.name for v in after.volumes}:
        return demand
    there = {volume.name for volume in after.volumes}
    work = restrict_demand(demand, {s.name for s in demand.services if s.name not in idle})
    working = {volume.name: volume for volume in work.volumes}
    volumes = tuple(
        working.get(v.name) or _at_rest(v) for v in demand.volumes if v.name in there
    )  # fmt: skip
    return work._replace(volumes=volumes)


def _at_rest(volume: VolumeDemand) -> VolumeDemand:
    return volume._replace(reads=(), writes=(), work=(), cached_mb=None)


def _system_failure(
    plan: Plan, pair: Pair, failed: str, book: RuleSet, promised: frozenset[str] | None = None
) -> Failure:
    """One system of a pair gone; of its services only those `promised` are taken over, or all."""
    sides = (pair.primary, pair.alternate)
    lost, left = sides if sides[0].chosen and sides[0].chosen.system.id == failed else sides[::-1]
    assert lost.chosen is not None and left.chosen is not None
    moved = lost.demand if promised is None else restrict_demand(lost.demand, promised)
    taken = taken_over(plan.demand, moved, left.demand, lost.chosen.system, left.chosen.system)
    after = without_protection(
        evaluate(taken.demand, taken.system, plan.guide, book, plan.policy), book
    )
    down = tuple(Outage(*each) for each in taken.down)
    networks_there = tuple(network.name for network in plan.demand.networks)
    if promised and networks_there and not left.chosen.system.ports:
        # No client reaches a system without a network.
        down = tuple(Outage(name, (), networks_there) for name in sorted(promised))
    volumes = tuple(sorted({name for each in down for name in each.volumes}))
    networks = tuple(sorted({name for each in down for name in each.networks}))
    return Failure(
        failed, SYSTEM, after.system.id, (failed,), volumes, networks, down, left.chosen, after,
        broken(left.chosen, after, book, plan.policy),
    )  # fmt: skip


def without_protection(after: Evaluation, book: RuleSet) -> Evaluation:
    """Return a judgement without the findings on protection, which a failure uses up."""
    found = (each for each in after.findings if _USED_UP not in book.rule(each.rule).reads)
    return after._replace(findings=tuple(found))


def broken(before: Evaluation, after: Evaluation, book: RuleSet, policy: Policy) -> tuple[str, ...]:
    """The rules and resources that held before and do not now."""
    already = set(_broken(before, book, policy))
    return tuple(dict.fromkeys(b for b in _broken(after, book, policy) if b not in already))


def _broken(judged: Evaluation, book: RuleSet, policy: Policy) -> Iterator[str]:
    """What does not hold at the end of the ranges that counts; what is waived may not."""
    for subject, records in judged.facts.by_subject().items():
        for rule in book.by_subject[subject]:
            if not rule.blocks or rule.id in policy.waived or _USED_UP in rule.reads:
                continue
            for record in records:
                subjects = judged.facts.asked(subject, record)
                if policy.broken(rule, policy.says(rule, subjects)):
                    where = "" if subject == WHOLE else f", {subject} {record.id}"
                    yield f"rule {rule.id}{where}"
    for budget in judged.budgets:
        if budget.is_over(policy.size_for) and budget.limit_rule not in policy.waived:
            yield budget.resource
