"""Several systems: services divided over them, clients divided over them, or pairs that survive."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from math import ceil
from operator import le

from sizewright.configuration.model import SYSTEM
from sizewright.demand.model import ClientDivision, Demand, NetworkDemand
from sizewright.demand.subset import divide_clients, largest_part, split_demand
from sizewright.evaluate.system import evaluate
from sizewright.limits import PARTITIONS_TRIED, SYSTEMS_AT_MOST
from sizewright.planner.partitions import (
    Partition,
    inseparable,
    least_kernel_time,
    partitions,
    replicated,
)
from sizewright.planner.plan import Group, Member, Plan
from sizewright.planner.planning import Planning, ProgressCallback
from sizewright.planner.single import accepting_unknown, plan_known, plan_single
from sizewright.planner.survival import ALTERNATE, PRIMARY, plan_survivors
from sizewright.rules.compiler import RuleSet

# Services of this kind answer each request by itself, so that their clients can be divided.
_DIVISIBLE = ("nfs",)
EACH = "server"
# Plans the part with a number and a name, as many times as there are identical ones.
PlanPart = Callable[..., Group | None]


def plan_for(demand: Demand, planning: Planning, at_length: bool = False) -> Plan:
    """Plan a demand on the smallest single system, or on several where one cannot carry it.

    A demand that must survive the failure of a system is planned on pairs of systems. A demand that
    states a number of systems is planned on that number, even if one is enough. If no single system
    is found, searches that stopped early go on `at_length`. Raises InputError if the wishes leave
    no platform to try.
    """
    single = plan_single(demand, planning, at_length)
    survives = SYSTEM in demand.survives
    if demand.systems == 1 or (demand.systems == 0 and single.holds and not survives):
        return single
    lock = least_kernel_time(demand, planning)
    for each in (planning, *accepting_unknown(demand, planning)):
        group = (
            plan_pairs(demand, lock, each, at_length)
            if survives else plan_several(demand, lock, each)
        )  # fmt: skip
        if group is not None and group.keeps_backup_terms(demand):
            found = single._replace(group=group)
            plans = (plan._replace(policy=planning.policy) for plan in found.plans)
            return found.with_plans(tuple(plans))
    return single if demand.systems == 0 and not survives else single._replace(chosen=None)


def plan_pairs(
    demand: Demand, lock: Mapping[str, float], planning: Planning, at_length: bool = False
) -> Group | None:
    """Return pairs of systems, each of which survives the failure of either of its systems.

    One pair, else the fewest that divide the clients of services or the services. A part of which
    all services may stop has one system, unless the number of systems is stated, or no service goes
    on. A disk has two ports, so that two systems can share it, and no third one. If searches for
    one pair stopped early, one that need not follow advice is looked for `at_length`. None if no
    way meets every limit.
    """
    pairs, names = demand.systems // 2, set(_names(demand))
    may_stop = {each.service for each in demand.degraded if each.may_stop}
    if pairs < 2:
        group = _pair(0, demand, 1, lock, planning)
        if group is None and at_length and not planning.searched_to_end:
            group = _pair(0, demand, 1, lock, planning.without_advice())
        if group is not None or pairs:
            return group

    def pair(number: int, _name: str, part: Demand, times: int = 1) -> Group | None:
        if not pairs and may_stop.issuperset(_names(part)) and not may_stop.issuperset(names):
            return _member(PRIMARY + _suffix(number), part, times, planning)
        return _pair(number, part, times, lock, planning)

    group = _plan_divided(demand, pairs, SYSTEMS_AT_MOST // 2, pair)
    if pairs:
        return group or _fewest_parted(demand, lock, [pairs], pair)
    most = ceil(group.number / 2) if group else SYSTEMS_AT_MOST // 2 + 1
    return _fewest_parted(demand, lock, range(2, most), pair) or group


def _pair(
    number: int, part: Demand, quantity: int, lock: Mapping[str, float], planning: Planning
) -> Group | None:
    """Return the pair with a number for a part of a demand, with its quantity, if any passes."""
    suffix = _suffix(number)
    ways = () if part.standby else islice(partitions(part, lock), PARTITIONS_TRIED)
    pair = plan_survivors(ways, part, (PRIMARY + suffix, ALTERNATE + suffix), planning)
    return pair and pair.times(quantity)


def _suffix(number: int) -> str:
    """Return what the names of the systems of a pair with a number end with."""
    return f"-{number + 1}" if number else ""


def _together(parts: Iterable[Group | None]) -> Group | None:
    """Return the systems of all parts of a demand, or None as soon as a part has none."""
    whole = Group(())
    for part in parts:
        if part is None:
            return None
        whole = Group(
            (*whole.members, *part.members), whole.passed_over + part.passed_over,
            (*whole.failover, *part.failover),
        )  # fmt: skip
    return whole


def plan_several(demand: Demand, lock: Mapping[str, float], planning: Planning) -> Group | None:
    """Return the fewest systems that divide the services or the clients of file services.

    None if no way that is tried meets every limit.
    """

    def member(_number: int, name: str, part: Demand, times: int = 1) -> Group | None:
        return _member(name, part, times, planning)

    wanted = demand.systems
    divided = partial(_plan_divided, demand, wanted, SYSTEMS_AT_MOST, member)
    if wanted > 2:
        return divided() or _fewest_parted(demand, lock, [wanted], member)
    group = _fewest_parted(demand, lock, [2], member) or divided()
    if wanted or (group is not None and group.number == 2):
        return group
    # Of as many systems, equal parts of the clients are more even.
    most = group.number if group else SYSTEMS_AT_MOST + 1
    return _fewest_parted(demand, lock, range(2, most)[1:], member) or group


def _fewest_parted(
    demand: Demand, lock: Mapping[str, float], numbers: Iterable[int],
    plan_part: PlanPart,
) -> Group | None:  # fmt: skip
    """Return the first way to divide the services over the least of some numbers that passes.

    `plan_part` plans the part with a number and a name. Where services that cannot be parted have
    no plan by themselves, no further way is tried. None if none meets every limit.
    """
    groups, everywhere = inseparable(demand), replicated(demand)
    planned: dict[tuple[str, tuple[str, ...]], Group | None] = {}

    def parts(way: Partition) -> Iterator[Group | None]:
        for n, (name, part, _) in enumerate(member_demands(demand, way)):
            key = name, way[n]
            if key not in planned:
                planned[key] = plan_part(n, name, part)
            yield planned[key]

    def is_group(services: tuple[str, ...]) -> bool:
        return tuple(name for name in services if name not in everywhere) in groups

    for number in numbers:
        ways = islice(partitions(demand, lock, number), PARTITIONS_TRIED)
        for passed_over, way in enumerate(ways):
            group = _together(parts(way))
            if group is not None and group.keeps_backup_terms(demand):
                return group._replace(
                    passed_over=group.passed_over or passed_over,
                    division=None if group.failover else way,
                )
            failed = (services for (_, services), found in planned.items() if found is None)
            if not demand.carry_forward and any(map(is_group, failed)):
                return None
    return None


def _plan_divided(demand: Demand, wanted: int, most: int, plan_part: PlanPart) -> Group | None:
    """Return the fewest parts that divide the clients of services, or as many as are `wanted`.

    Services whose clients cannot be divided are in one of them. Each part has networks of its own,
    else all are on all networks. None if there is nothing to divide, or if no number up to the
    `most` meets every limit.
    """
    divided = divisible(demand)
    if not divided:
        return None

    networks = _networks_of(demand, divided)
    # One network is all of them.
    can_share = any(n.segments_at_most > 1 and not n.for_each_system for n in networks)

    def planned(number: int) -> Group | None:
        for on_all in (False, True) if can_share else (False,):
            division = ClientDivision(number, on_all)
            parts = enumerate(member_demands(demand, division))
            group = _together(plan_part(n, *part) for n, part in parts)
            if group is not None:
                return group._replace(division=None if group.failover else division)
        return None

    return _fewest(planned, wanted, _most_able(demand, divided, most))


def _fewest(
    planned: Callable[[int], Group | None], wanted: int, most_able: Iterable[int]
) -> Group | None:
    """Return what is planned for the number that is wanted, else for the smallest that passes.

    If none of the `most_able` numbers of systems passes, no other does.
    """
    if wanted:
        return planned(wanted)
    for most in most_able:
        found = planned(most)
        if found is not None:
            fewer = map(planned, range(2, most))
            return next((each for each in fewer if each is not None), found)
    return None


def _most_able(demand: Demand, divided: Collection[str], most: int) -> Iterator[int]:
    """Yield the numbers of systems than which no larger one has less on each network.

    More systems have fewer clients each, but may share networks, or leave some of them unused, and
    clients are whole.
    """
    networks = _networks_of(demand, divided)
    larger = list[list[float]]()
    for division in map(ClientDivision, range(most, 1, -1)):
        part = largest_part(demand, division.systems, divided)
        shares = [
            min(1, part * n.systems_on_each(division)) / n.segments_of_each(division)
            for n in networks
        ]
        if not any(all(map(le, each, shares)) for each in larger):
            larger.append(shares)
            yield division.systems


def _networks_of(demand: Demand, services: Collection[str]) -> list[NetworkDemand]:
    used = {stream.network for stream in demand.streams if stream.service in services}
    return [network for network in demand.networks if network.name in used]


def divisible(demand: Demand) -> frozenset[str]:
    """Return the services whose clients can be divided over systems, with their data."""
    kinds = {service.name: service.kind for service in demand.services}
    groups = (group for group in inseparable(demand) if all(kinds[n] in _DIVISIBLE for n in group))
    return frozenset(name for group in groups for name in group)


def _parts(
    division: ClientDivision, divided: Collection[str], demand: Demand
) -> tuple[tuple[Demand, int], ...]:
    """Return a number of parts that divide the clients of some services; the first has the rest.

    Devices that exist are divided too. Identical parts are there once, with their number.
    """
    part, number = divide_clients(demand, division, divided), division.systems
    alike = (*replicated(demand), *divided)
    owned = tuple(o.divided(number) for o in demand.carry_forward)
    rest = tuple(o.rest(number) for o in demand.carry_forward)
    each = split_demand(part, alike)._replace(carry_forward=owned)
    if len(alike) == len(demand.services) and not any(o.number for o in rest):
        return ((each, number),)
    first = tuple(a.plus(b) for a, b in zip(owned, rest, strict=True))
    whole = split_demand(part, _names(demand))._replace(carry_forward=first)
    return (whole, 1), (each, number - 1)


def member_demands(
    demand: Demand, division: Partition | ClientDivision
) -> tuple[tuple[str, Demand, int], ...]:
    """Return the name of each system, its part of a demand, and how many are identical.

    The services are divided over systems, or their clients are.
    """
    if isinstance(division, ClientDivision):
        *first, (each, number) = _parts(division, divisible(demand), demand)
        sides = [*((PRIMARY, part, 1) for part, _ in first), (EACH, each, number)]
    else:
        names = [f"{EACH}-{n + 1}" for n, _ in enumerate(division)]
        if len(names) == 2:
            names = [PRIMARY, ALTERNATE]
        parts = [split_demand(demand, services) for services in division]
        parts[1:] = [part._replace(carry_forward=()) for part in parts[1:]]
        sides = [(name, part, 1) for name, part in zip(names, parts, strict=True)]
    (name, part, number), *others = sides
    return (name, part, number), *((s, d._replace(removable_media=()), n) for s, d, n in others)


def _member(name: str, part: Demand, quantity: int, planning: Planning) -> Group | None:
    """Return a number of identical systems for a part of a demand, None if it has no plan."""
    plan = plan_known(part, planning._replace(watch=_of(name, planning.watch)))
    if plan.chosen is None:
        return None
    services = tuple(service.name for service in part.services)
    return Group((Member(name, services, _named(name, plan, planning.rule_set), quantity),))


def _of(name: str, watch: ProgressCallback) -> ProgressCallback:
    """Tell also which of several systems it is."""
    return lambda doing: watch(f"{name} of several systems: {doing}")


def _named(name: str, plan: Plan, rule_set: RuleSet) -> Plan:
    assert plan.chosen is not None
    if plan.chosen.system.id == name:
        return plan
    system = plan.chosen.system._replace(id=name)
    return plan._replace(chosen=evaluate(plan.demand, system, plan.guide, rule_set, plan.policy))


def _names(demand: Demand) -> tuple[str, ...]:
    return tuple(sorted(service.name for service in demand.services))
