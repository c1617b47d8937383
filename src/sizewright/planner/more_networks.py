"""Plans with more networks for the clients of a network than the workload permits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from sizewright.demand.model import Demand
from sizewright.limits import SEGMENTS_TRIED
from sizewright.planner.plan import Plan


def permit_more_networks(demand: Demand, names: Collection[str] | None = None) -> Demand:
    """Return a demand whose clients may be split over more networks: of all networks, or of some.

    It is the same demand if more are permitted already.
    """
    return demand._replace(networks=tuple(
        each._replace(segments_at_most=max(each.segments_at_most, SEGMENTS_TRIED))
        if names is None or each.name in names else each
        for each in demand.networks
    ))  # fmt: skip


def networks_beyond(demand: Demand, plan: Plan) -> dict[str, int]:
    """Return how many networks a plan has, of those of which a demand permits fewer."""
    systems = [each.chosen.system for each in plan.plans if each.chosen is not None]
    most = {each.name: each.segments_at_most + each.spare for each in demand.networks}
    found: dict[str, int] = {}
    for system in systems:
        for name, number in Counter(port.network for port in system.ports).items():
            if number > most.get(name, number):
                found[name] = max(number, found.get(name, 0))
    return found
