"""Plans with more networks for the clients of a network than the workload permits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

from sizewright.demand.model import Demand, NetworkDemand
from sizewright.limits import SEGMENTS_TRIED, SYSTEMS_AT_MOST
from sizewright.load.lines import (
    SERVER_NETWORK,
    may_have_server_network,
    with_server_network,
)
from sizewright.planner.plan import Plan


def permit_more_networks(demand: Demand, names: Collection[str] | None = None) -> Demand:
    """Return a demand whose clients may be split over more networks: of all networks, or of some.

    Each of several systems may have as many. It is the same demand if more are permitted already.
    The network of terminal servers is one of them, even if the workload does not state it.
    """
    many = SEGMENTS_TRIED * (demand.systems or SYSTEMS_AT_MOST)
    return demand._replace(networks=tuple(
        each._replace(
            segments_at_most=max(SEGMENTS_TRIED, each.segments_at_most), for_each_system=True
        )
        if each.segments_at_most < many and (names is None or each.name in names) else each
        for each in demand.networks
    ), server_networks_at_most=max(
        demand.server_networks_at_most,
        SEGMENTS_TRIED if may_have_server_network(demand)
        and (names is None or SERVER_NETWORK in names) else 1,
    ))  # fmt: skip


def on_fewest_networks(
    plan: Plan, stated: Demand, planned: Callable[[Demand], Plan | None]
) -> Plan:
    """Return a plan with the fewest networks of each name with which one is `planned`.

    They are looked for between the stated number and that of the given plan. Its machines are no
    larger.
    """
    beyond = networks_beyond(stated, plan)
    permitted = {each.name: each.segments_at_most for each in _networks(stated)}
    too_few = min((permitted[name] for name in beyond), default=0)
    enough = max(beyond.values(), default=0)
    while enough - too_few > 1:
        number = (too_few + enough) // 2
        most = {name: max(permitted[name], min(number, many)) for name, many in beyond.items()}
        fewer = plan.demand._replace(networks=tuple(
            each._replace(segments_at_most=most[each.name], for_each_system=False)
            if each.name in most else each
            for each in plan.demand.networks
        ), server_networks_at_most=most.get(SERVER_NETWORK, 1))  # fmt: skip
        found = planned(fewer)
        if found is None or found.machines > plan.machines:
            too_few = number
        else:
            plan, enough = found, number
    return plan


def networks_beyond(demand: Demand, plan: Plan) -> dict[str, int]:
    """Return how many networks a plan has in all, of those of which a demand permits fewer.

    As in the demand, spare networks do not count.
    """
    most = {each.name: each.segments_at_most for each in _networks(demand)}
    had = _networks_of_each(plan) | shared_networks(plan) | own_networks(plan)
    return {name: number for name, number in had.items() if number > most.get(name, number)}


def own_networks(plan: Plan) -> dict[str, int]:
    """Return the networks in all by name of which each of several systems or pairs has its own.

    Networks are shared if there are fewer than systems: then others have work of the same service.
    """
    if plan.group is None:
        return {}
    divided, systems = plan.group.divided
    each, demands = _networks_of_each(plan), [part.demand for part in plan.plans]
    parts = [
        (s.network, (s.network, s.service) in {(e.network, e.service) for e in d.elsewhere})
        for d in demands for s in d.streams if s.service in divided
    ]  # fmt: skip
    own = {network for network, is_shared in parts if not is_shared}
    return {name: each[name] * systems for name in sorted(own)}


def shared_networks(plan: Plan) -> dict[str, int]:
    """Return the networks in all by name that several systems share, which divide the clients."""
    if plan.group is None:
        return {}
    divided, own = plan.group.divided[0], own_networks(plan)
    used = {s.network for p in plan.plans for s in p.demand.streams if s.service in divided}
    if plan.group.shares_all_networks:
        each = _networks_of_each(plan)
        return {name: each[name] for name in sorted(used - own.keys())}
    return {
        n.name: min(n.segments_at_most, plan.number)
        for n in plan.demand.networks if n.name in used - own.keys()
    }  # fmt: skip


def _networks_of_each(plan: Plan) -> dict[str, int]:
    """Return how many networks the system that has most is on, by name, spare ones left out."""
    found: Counter[str] = Counter()
    for part in plan.plans:
        used = Counter(p.network for p in part.chosen.system.ports) if part.chosen else Counter()
        found |= used - Counter({each.name: each.spare for each in _networks(part.demand)})
    return dict(found)


def _networks(demand: Demand) -> tuple[NetworkDemand, ...]:
    """Return the networks of a demand, also the one that terminal servers may have alone."""
    return with_server_network(demand, "").networks
