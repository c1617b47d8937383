"""A plan with one of its parts gone: services that stop, and those that are taken over."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from sizewright.configuration.model import SYSTEM, Channel, System, Volume, components
from sizewright.demand.model import Demand
from sizewright.demand.subset import restrict_demand
from sizewright.evaluate.system import Evaluation, evaluate
from sizewright.failure import Failure, Outage, broken, part_failure, without_protection
from sizewright.planner.plan import Pair, Plan
from sizewright.rules.compiler import RuleSet


class Taken(NamedTuple):
    """A system with what it takes over.

    `down` are services with the volumes that it does not reach and the networks that it is not on.
    """

    system: System
    demand: Demand
    down: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]


def taken_over(whole: Demand, lost: Demand, left: Demand, gone: System, system: System) -> Taken:
    """What is left of a pair when one of its systems is gone.

    What runs on both goes on. Another service is taken over where its volumes are there, or lie on
    disks with a second port; these stay on strings of their own, whose second ends lead here. A
    service that no network leads to is counted as taken over, but is down.
    """
    own = {service.name for service in left.services}
    there = {volume.name for volume in system.volumes}
    ports = {port.network for port in system.ports}
    reached = {v.name for v in whole.volumes if v.dual_ported}
    moved = [service for service in lost.services if service.name not in own]
    down, carried, borrowed = [], set(own), set[str]()
    for service in moved:
        volumes = tuple(v for v in service.volumes if v not in there and v not in reached)
        networks = tuple(n for n in service.networks if n not in ports)
        if volumes or networks:
            down.append((service.name, volumes, networks))
        if not volumes:
            carried.add(service.name)
            borrowed.update(v for v in service.volumes if v not in there)
    joined = system._replace(
        channels=(*system.channels, *_strings(gone, borrowed)),
        volumes=(*system.volumes, *_volumes(gone, borrowed)),
    )
    return Taken(joined, restrict_demand(whole, carried), tuple(down))


def _called(gone: System, name: str) -> str:
    """Parts of both systems may have one id."""
    return f"{gone.id}-{name}"


def _strings(gone: System, volumes: Collection[str]) -> Iterator[Channel]:
    disks = {
        part.disk for v in gone.volumes if v.name in volumes for copy in v.copies for part in copy
    }
    for channel in gone.channels:
        devices = tuple(
            d._replace(id=_called(gone, d.id), dual_ported=True)
            for d in channel.devices if d.id in disks
        )  # fmt: skip
        if devices:
            yield Channel(_called(gone, channel.id), channel.kind, "", devices)


def _volumes(gone: System, names: Collection[str]) -> Iterator[Volume]:
    for volume in gone.volumes:
        if volume.name in names:
            copies = tuple(
                tuple(part._replace(disk=_called(gone, part.disk)) for part in copy)
                for copy in volume.copies
            )
            yield volume._replace(copies=copies)


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
