"""Several systems: services divided over them, clients divided over them, or pairs that survive."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from operator import le

from sizewright.configuration.model import SYSTEM
from sizewright.demand.model import Demand, LineItem
from sizewright.demand.subset import divide_clients, split_demand
from sizewright.evaluate.system import Evaluation, evaluate
from sizewright.limits import PARTITIONS_TRIED, SYSTEMS_AT_MOST
from sizewright.planner.partitions import Partition, inseparable, partitions, replicated
from sizewright.planner.plan import Group, Member, Plan, plan_single
from sizewright.planner.planning import Planning, ProgressCallback
from sizewright.planner.survival import ALTERNATE, PRIMARY, after_failure, plan_survivors
from sizewright.quantity import Quantity
from sizewright.rules.compiler import RuleSet

# Services of this kind answer each request by itself, so that their clients can be divided.
_DIVISIBLE = ("nfs",)
EACH = "server"


def plan_for(demand: Demand, planning: Planning, explain: bool = True) -> Plan:
    """Plan a demand on the smallest single system, or on several where one cannot carry it.

    A demand that must survive the failure of a system is planned on pairs of systems. A demand that
    states a number of systems is planned on that number, even if one is enough. Raises InputError
    if the wishes leave no platform to try.
    """
    single = plan_single(demand, planning, explain)
    survives = SYSTEM in demand.survives
    if demand.systems == 1 or (demand.systems == 0 and single.holds and not survives):
        return _with_nearest(single, planning)
    end = planning.policy.size_for
    lock = {name: time.at(end) for name, time in kernel_time(single.shown).items()}
    plan_all = plan_pairs if survives else plan_several
    group = plan_all(demand, lock, planning)
    if group is not None and not group.keeps_backup_terms(demand):
        group = None
    if group is None and survives and explain:
        alone = plan_single(after_failure(demand, planning), planning)
        if alone.chosen is None:
            return _with_nearest(alone, planning)
    if group is None:
        single = _with_nearest(single, planning)
        return single if demand.systems == 0 and not survives else single._replace(chosen=None)
    return single._replace(chosen=group.members[0].plan.chosen, nearest=None, group=group)


def _with_nearest(plan: Plan, planning: Planning) -> Plan:
    """Return a plan whose closest alternative, if it has one, is as small as it can be."""
    if plan.nearest is None:
        return plan
    # Most plans are found, and the program starts without it.
    from sizewright.planner.closest import with_smallest_nearest

    return with_smallest_nearest(plan, plan.nearest, planning)


def plan_pairs(demand: Demand, lock: Mapping[str, float], planning: Planning) -> Group | None:
    """Return pairs of systems, each of which survives the failure of either of its systems.

    One pair, else the fewest that divide the clients of services, else those that divide services.
    A disk has two ports, so that two systems can share it, and no third one. None if no way meets
    every limit.
    """
    pairs = demand.systems // 2
    if pairs < 2:
        group = _joined([(demand, lock, 1)], planning)
        if group is not None or pairs:
            return group
    divided = divisible(demand)

    def shared(number: int) -> Group | None:
        part = {name: time / number for name, time in lock.items()}
        parts = _parts(number, divided, demand)
        return _joined([(each, part, quantity) for each, quantity in parts], planning)

    group = None
    if divided:
        group = _fewest(shared, pairs, _most_able(demand, divided, SYSTEMS_AT_MOST // 2))

    def parted(number: int) -> Group | None:
        for way in islice(partitions(demand, lock, number), PARTITIONS_TRIED):
            first, *others = (split_demand(demand, names) for names in way)
            others = [part._replace(carry_forward=()) for part in others]
            found = _joined([(part, lock, 1) for part in (first, *others)], planning)
            if found is not None:
                return found
        return None

    if group is None:
        least, most = (pairs, pairs) if pairs else (2, _most_parts(demand, SYSTEMS_AT_MOST // 2))
        group = _least_of(range(least, most + 1), parted)
    return group


def _joined(
    parts: Iterable[tuple[Demand, Mapping[str, float], int]], planning: Planning
) -> Group | None:
    """Return the pairs for parts of a demand, each with its kernel time and its quantity.

    None if one of them has no pair that meets every limit.
    """
    whole = Group(())
    for number, (part, lock, quantity) in enumerate(parts):
        suffix = f"-{number + 1}" if number else ""
        if number:
            part = part._replace(removable_media=())
        ways = () if part.standby else partitions(part, lock)
        names = (PRIMARY + suffix, ALTERNATE + suffix)
        pair = plan_survivors(islice(ways, PARTITIONS_TRIED), part, names, planning)
        if pair is None:
            return None
        members = (member._replace(quantity=quantity) for member in pair.members)
        whole = Group(
            (*whole.members, *members), whole.passed_over + pair.passed_over,
            (*whole.failover, *pair.failover),
        )  # fmt: skip
    return whole


def kernel_time(judged: Evaluation | None) -> dict[str, Quantity]:
    """The kernel time of a system by who asks for it, in ms/s."""
    found: dict[str, Quantity] = {}
    for line in _lines(judged) if judged else ():
        known = found.get(line.owner)
        found[line.owner] = line.figure if known is None else known + line.figure
    return found


def plan_several(demand: Demand, lock: Mapping[str, float], planning: Planning) -> Group | None:
    """Return the fewest systems that divide the services or the clients of file services.

    None if no way that is tried meets every limit.
    """

    def divided(systems: int) -> Group | None:
        return plan_parted(systems, demand, lock, planning)

    wanted = demand.systems
    if wanted > 2:
        return plan_divided(demand, planning) or divided(wanted)
    group = divided(2) or plan_divided(demand, planning)
    if wanted or (group is not None and group.number == 2):
        return group
    # Of as many systems, equal parts of the clients are more even.
    most = group.number - 1 if group else _most_parts(demand, SYSTEMS_AT_MOST)
    return _least_of(range(3, most + 1), divided) or group


def _most_parts(demand: Demand, systems: int) -> int:
    """Return over how many of some systems the services can be divided."""
    return min(systems, len(inseparable(demand)))


def _least_of(numbers: range, planned: Callable[[int], Group | None]) -> Group | None:
    """Return what is planned for the least number that passes, if all larger ones pass too.

    None if the largest does not.
    """
    found = dict[int, Group | None]()

    def passes(number: int) -> bool:
        found[number] = planned(number)
        return found[number] is not None

    if not numbers or not passes(numbers[-1]):
        return None
    return found[numbers[bisect_left(numbers, True, hi=len(numbers) - 1, key=passes)]]


def plan_parted(
    systems: int, demand: Demand, lock: Mapping[str, float], planning: Planning
) -> Group | None:
    """Return the smallest configurations for the first way to divide the services that passes.

    None if no way that is tried meets every limit on each of the systems.
    """
    ways = islice(partitions(demand, lock, systems), PARTITIONS_TRIED)
    for n, partition in enumerate(ways):
        group = _planned(demand, partition, planning)
        if group is not None and group.keeps_backup_terms(demand):
            return group._replace(passed_over=n)
    return None


def plan_divided(demand: Demand, planning: Planning) -> Group | None:
    """Return the fewest systems, or as many as are asked for, that divide the clients of services.

    Services whose clients cannot be divided are on one of them. None if there is nothing to divide,
    or if the largest number of systems does not meet every limit.
    """
    divided = divisible(demand)
    if not divided:
        return None
    numbers = _most_able(demand, divided, SYSTEMS_AT_MOST)
    return _fewest(lambda number: _planned(demand, number, planning), demand.systems, numbers)


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

    More systems have fewer clients each, but may share networks, or leave some of them unused.
    """
    used = {stream.network for stream in demand.streams if stream.service in divided}
    networks = [network for network in demand.networks if network.name in used]
    larger = list[list[float]]()
    for number in range(most, 1, -1):
        shares = [
            n.systems_on_each(number) / (number * n.segments_of_each(number)) for n in networks
        ]
        if not any(all(map(le, each, shares)) for each in larger):
            larger.append(shares)
            yield number


def divisible(demand: Demand) -> frozenset[str]:
    """Return the services whose clients can be divided over systems, with their data."""
    kinds = {service.name: service.kind for service in demand.services}
    groups = (group for group in inseparable(demand) if all(kinds[n] in _DIVISIBLE for n in group))
    return frozenset(name for group in groups for name in group)


def _parts(number: int, divided: Collection[str], demand: Demand) -> tuple[tuple[Demand, int], ...]:
    """Return a number of parts that divide the clients of some services; the first has the rest.

    Devices that exist are divided too. Identical parts are there once, with their number.
    """
    part = divide_clients(demand, number, divided)
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
    demand: Demand, division: Partition | int
) -> tuple[tuple[str, Demand, int], ...]:
    """Return the name of each system, its part of a demand, and how many are identical.

    The services are divided over systems, or their clients over a number of systems.
    """
    if isinstance(division, int):
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


def _planned(demand: Demand, division: Partition | int, planning: Planning) -> Group | None:
    """Return the plans of the systems that divide a demand; None if one of them has none."""
    members = []
    for name, part, quantity in member_demands(demand, division):
        own = planning._replace(watch=_of(name, planning.watch))
        plan = plan_single(part, own, explain=False)
        if plan.chosen is None:
            return None
        services = tuple(service.name for service in part.services)
        members.append(Member(name, services, _named(name, plan, planning.rule_set), quantity))
    return Group(tuple(members), division=division)


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


def _lines(judged: Evaluation) -> tuple[LineItem, ...]:
    return judged.load.kernel_lock or ()
