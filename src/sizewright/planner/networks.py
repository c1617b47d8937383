"""Ways to attach one community of clients: over how many networks, through which interfaces."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

from sizewright.budgets.build import capacities
from sizewright.configuration.model import Port
from sizewright.demand.model import Demand, NetworkDemand
from sizewright.demand.usage import use_of_network
from sizewright.facts.given import Facts
from sizewright.facts.network import network_facts
from sizewright.facts.records import SystemFacts
from sizewright.figure import count, total
from sizewright.guide.model import Row
from sizewright.planner.parts import BUILTIN, Machine, interfaces_for
from sizewright.planner.policy import Cost, Policy, subject_cost
from sizewright.rules.book import RuleBook


class Attachment(NamedTuple):
    """One way: the ports with their providers (`builtin` or a board's row), and what it costs."""

    network: str
    interface: str
    providers: tuple[str, ...]
    cost: Cost

    @property
    def boards(self) -> tuple[str, ...]:
        """The boards to be put in slots."""
        return tuple(p for p in self.providers if p != BUILTIN)

    def ports(self, board_ids: Iterator[str]) -> tuple[Port, ...]:
        """The ports, with the ids of the boards that were put in for them."""
        many = len(self.providers) > 1
        return tuple(
            Port(self.network, n + 1 if many else 0, self.interface,
                 BUILTIN if p == BUILTIN else next(board_ids))
            for n, p in enumerate(self.providers)
        )  # fmt: skip


def attachments(
    machine: Machine,
    demand: Demand,
    network: NetworkDemand,
    system: SystemFacts,
    book: RuleBook,
    policy: Policy,
) -> tuple[Attachment, ...]:
    """Every way worth trying: each interface over as many networks as the community allows."""
    ops = total((item.figure for item in demand.at_worst(network.ops)), "op/s")
    use = use_of_network(network)
    found = []
    for interface in interfaces_for(machine, network):
        for segments in range(1, network.segments_at_most + 1):
            each = ops / count(segments, f"networks of {network.name}")
            record = network_facts(network.name, interface, use, segments, each, machine.guide)
            (bounded,) = capacities(Facts(system, (record,)), book).networks
            cost = subject_cost(book, policy, system, "network", bounded)
            whole = Cost(cost.broken * segments, cost.advice * segments, cost.tight * segments)
            for providers in _providers(machine, interface, segments):
                found.append(Attachment(network.name, interface.id, providers, whole))
    return tuple(found)


def _providers(machine: Machine, interface: Row, segments: int) -> Iterator[tuple[str, ...]]:
    builtin = machine.platform.list("builtin_networks").count(interface.id)
    boards = [b for b in interface.list("boards") if b in machine.boards]
    for own in range(min(builtin, segments), -1, -1):
        rest = segments - own
        if not rest:
            yield (BUILTIN,) * own
        for dealt in combinations_with_replacement(boards, rest) if rest else ():
            yield (BUILTIN,) * own + dealt
