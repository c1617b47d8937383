"""The use of each resource in every scenario by itself, and the scenario that decides it."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from sizewright.configuration.model import System
from sizewright.demand.model import Demand
from sizewright.demand.subset import idle_volumes, restrict_demand
from sizewright.evaluate.budgets import used
from sizewright.facts.derive import given_facts
from sizewright.guide.model import Guide
from sizewright.load.derive import derive_demanded
from sizewright.quantity import Quantity

# The services of the exclusive sets that are active, one of each set.
Active = tuple[str, ...]


class Decided(NamedTuple):
    """A resource whose use differs between scenarios: the scenario that decides, and all uses."""

    resource: str
    active: Active
    uses: tuple[tuple[Active, Quantity], ...]


def scenario_demand(demand: Demand, active: Active) -> Demand:
    """Return a demand while the rivals of some services rest; their data stays stored."""
    resting = {name for names in demand.exclusive for name in names}.difference(active)
    part = restrict_demand(demand, {s.name for s in demand.services} - resting)
    elsewhere = tuple(each for each in demand.elsewhere if each.service not in resting)
    return part._replace(volumes=idle_volumes(demand, part), elsewhere=elsewhere)


def scenario_uses(
    demand: Demand, system: System, guide: Guide
) -> dict[Active, dict[str, Quantity]]:
    """Return the use of each resource in every scenario; empty if no services are exclusive."""
    found = {}
    for active in product(*demand.exclusive) if demand.exclusive else ():
        load = derive_demanded(scenario_demand(demand, active), system, guide)
        facts = given_facts(load.usage, system, load, guide)
        found[active] = used(system, load, facts, guide)
    return found


def decided(demand: Demand, system: System, guide: Guide) -> tuple[Decided, ...]:
    """Return the deciding scenario of each resource whose use is not the same in all of them."""
    every = scenario_uses(demand, system, guide)
    found = []
    for resource in dict.fromkeys(name for each in every.values() for name in each):
        uses = tuple((active, each[resource]) for active, each in every.items() if resource in each)
        if len({(figure.low, figure.likely, figure.high) for _, figure in uses}) > 1:
            most, _ = max(uses, key=lambda use: use[1].at(demand.size_for))
            found.append(Decided(resource, most, uses))
    return tuple(found)
