"""Two systems: services divided over a primary and an alternate, as evenly as the limits allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from sizewright.demand.model import Demand, LineItem, ServiceDemand, sum_lines
from sizewright.demand.subset import split_demand
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation, evaluate
from sizewright.guide.model import Guide
from sizewright.limits import DEALS_TRIED, DECIMALS, SERVICES_DEALT
from sizewright.load.model import processor_second
from sizewright.planner.failover import promised_of
from sizewright.planner.plan import (
    Failover,
    Pair,
    Partition,
    Plan,
    ProgressCallback,
    plan_single,
    unwatched,
)
from sizewright.quantity import Quantity
from sizewright.rules.compiler import RuleSet

PRIMARY, ALTERNATE = "primary", "alternate"


def plan_for(
    demand: Demand, guide: Guide, book: RuleSet, policy: Policy, watch: ProgressCallback = unwatched
) -> Plan:
    """Plan a demand on the smallest single system, or on two where one cannot carry it.

    A demand for two systems is divided even where one would do. Raises InputError where the wishes
    leave no platform to try.
    """
    single = plan_single(demand, guide, book, policy, watch=watch)
    if demand.systems == 1 or (demand.systems == 0 and single.holds):
        return single
    lock = {name: time.at(policy.size_for) for name, time in kernel_time(single.shown).items()}
    pair = plan_pair(demand, guide, book, policy, lock, watch)
    if pair is None:
        return single if demand.systems == 0 else single._replace(chosen=None)
    return single._replace(chosen=pair.primary.chosen, nearest=None, pair=pair)


def kernel_time(judged: Evaluation | None) -> dict[str, Quantity]:
    """The kernel time of a system by who asks for it, in ms/s."""
    found: dict[str, Quantity] = {}
    for line in _lines(judged) if judged else ():
        known = found.get(line.owner)
        found[line.owner] = line.figure if known is None else known + line.figure
    return found


def plan_pair(
    demand: Demand, guide: Guide, book: RuleSet, policy: Policy, lock: Mapping[str, float],
    watch: ProgressCallback = unwatched,
) -> Pair | None:  # fmt: skip
    """Return the smallest configurations of the most even deal that meets every limit.

    `lock` is kernel time by service, in ms/s, as one system would spend it; it only orders the
    deals. None if no deal meets every limit, or there is nothing to divide.
    """
    for n, deal in enumerate(deals(demand, lock, processor_second().high)):
        if n >= DEALS_TRIED:
            return None
        pair = _planned(deal, demand, guide, book, policy, watch)
        if pair is not None:
            return pair._replace(passed_over=n)
    return None


def deals(demand: Demand, lock: Mapping[str, float], limit: float) -> Iterator[Partition]:
    """Yield ways to divide the services within their kernel time in ms/s, the most even first.

    The primary gets the larger half; after all others come the same halves the other way round.
    Services that share a volume stay together, unless its disks can be reached from both systems.
    """
    both = tuple(s.name for s in demand.services if s.replicated)
    groups = together(demand)
    if len(groups) < 2 or len(groups) > SERVICES_DEALT:
        return
    time = {group: sum(lock.get(name, 0) for name in group) for group in groups}
    shared = sum(lock.get(name, 0) for name in both)
    every = tuple(sorted(name for group in groups for name in group))
    found = []
    for size in range(1, len(groups)):
        for moved in combinations(groups, size):
            names = tuple(sorted(name for group in moved for name in group))
            rest = tuple(name for name in every if name not in names)
            # Sums that differ by rounding alone are equal.
            there = round(sum(time[group] for group in moved), DECIMALS)
            here = round(sum(time.values()) - there, DECIMALS)
            greater = max(there, here)
            if greater + shared <= limit:
                turned = (there, len(names), rest) > (here, len(rest), names)
                found.append((turned, greater, len(names), names, rest))
    for *_, names, rest in sorted(found):
        yield Partition(tuple(sorted({*rest, *both})), tuple(sorted({*names, *both})))


def together(demand: Demand) -> tuple[tuple[str, ...], ...]:
    """Services that are not replicated, in groups that cannot be parted."""
    ports = {v.name for v in demand.volumes if v.dual_ported}
    groups: list[tuple[set[str], set[str]]] = []
    for service in sorted(demand.services, key=lambda s: s.name):
        if service.replicated:
            continue
        names, volumes = {service.name}, _own(service, ports)
        apart = []
        for others, theirs in groups:
            if theirs & volumes:
                names |= others
                volumes |= theirs
            else:
                apart.append((others, theirs))
        groups = [*apart, (names, volumes)]
    return tuple(sorted(tuple(sorted(names)) for names, _ in groups))


def _own(service: ServiceDemand, dual_ported: set[str]) -> set[str]:
    return set(service.volumes) - dual_ported


def _planned(
    deal: Partition,
    demand: Demand,
    guide: Guide,
    book: RuleSet,
    policy: Policy,
    watch: ProgressCallback,
) -> Pair | None:
    """Return the plans of both systems; None if one of them has none.

    Two systems that are asked for are on the networks of everything that they take over.
    """
    taken = promised_of(demand) if demand.systems == 2 else ()
    plans = []
    for name, services in ((PRIMARY, deal.primary), (ALTERNATE, deal.alternate)):
        part = split_demand(demand, services, taken)
        if name == ALTERNATE:
            part = part._replace(removable_media=(), carry_forward=())
        plan = plan_single(part, guide, book, policy, explain=False, watch=_of(name, watch))
        if plan.chosen is None:
            return None
        plans.append(_called(name, plan, guide, book, policy))
    primary, alternate = plans
    return Pair(deal, primary, alternate, tuple(_failovers(deal, primary, alternate)))


def _of(name: str, watch: ProgressCallback) -> ProgressCallback:
    """Tell also which of two systems it is."""
    return lambda doing: watch(f"{name} of two systems: {doing}")


def _called(name: str, plan: Plan, guide: Guide, book: RuleSet, policy: Policy) -> Plan:
    assert plan.chosen is not None
    if plan.chosen.system.id == name:
        return plan
    system = plan.chosen.system._replace(id=name)
    return plan._replace(chosen=evaluate(plan.demand, system, guide, book, policy))


def _failovers(deal: Partition, primary: Plan, alternate: Plan) -> Iterator[Failover]:
    """Either system with the other's work on top of its own; what runs on both counts once."""
    both = set(deal.primary) & set(deal.alternate)
    sides = ((PRIMARY, primary), (ALTERNATE, alternate))
    for (failed, gone), (survivor, left) in (sides, sides[::-1]):
        assert gone.chosen is not None and left.chosen is not None
        own = _lines(left.chosen)
        moved = tuple(line for line in _lines(gone.chosen) if line.owner not in both)
        lines = (*own, *moved)
        used = sum_lines(lines, "ms/s").named("kernel time after a failure")
        yield Failover(failed, survivor, lines, used, processor_second())


def _lines(judged: Evaluation) -> tuple[LineItem, ...]:
    return judged.load.kernel_lock or ()
