"""Ways to attach one community of clients: over how many networks, through which interfaces."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

from sizewright.configuration.model import Port
from sizewright.demand.model import Demand, NetworkDemand, sum_lines
from sizewright.demand.usage import use_of_network
from sizewright.evaluate.budgets import capacities
from sizewright.evaluate.findings import subject_cost
from sizewright.evaluate.policy import Cost, Policy
from sizewright.facts.derive import Facts
from sizewright.facts.networks import network_facts
from sizewright.facts.system_record import SystemFacts
from sizewright.guide.model import Row
from sizewright.load.network_traffic import data_lines, other_lines
from sizewright.planner.parts import BUILTIN, Machine, interfaces_for
from sizewright.quantity import Quantity, count
from sizewright.rules.compiler import RuleSet


class Attachment(NamedTuple):
    """One way: the ports with their providers (`builtin` or a board's row), and what it costs.

    `data` is what the system has on the community's networks, in KB/s; `unrelieved` is that again
    at the end that is sized for, if the interface spares the processors nothing.
    """

    network: str
    interface: str
    providers: tuple[str, ...]
    cost: Cost
    data: Quantity | None = None
    unrelieved: int = 0

    @property
    def boards(self) -> tuple[str, ...]:
        """For each port that the platform itself has not, its board's row."""
        return tuple(p for p in self.providers if p != BUILTIN)

    def ports(self, providers: Iterator[str]) -> tuple[Port, ...]:
        """The ports, each with the next of the ids of their providers."""
        many = len(self.providers) > 1
        return tuple(
            Port(self.network, n + 1 if many else 0, self.interface, next(providers))
            for n, _ in enumerate(self.providers)
        )


def attachments(
    machine: Machine,
    demand: Demand,
    network: NetworkDemand,
    system: SystemFacts,
    book: RuleSet,
    policy: Policy,
) -> tuple[Attachment, ...]:
    """Every way worth trying: each interface over as many networks as the community allows."""
    ops = sum_lines(demand.at_peak(network.ops), "op/s")
    use = use_of_network(network)
    own, shared = (
        sum_lines(lines(demand).get(network.name, ()), "KB/s")
        for lines in (data_lines, other_lines)
    )
    data = own + shared
    most = min(network.segments_at_most, machine.networks_at_most)
    found = []
    for interface in interfaces_for(machine, network):
        for segments in range(1, most + 1):
            ways = tuple(_providers(machine, interface, segments))
            if not ways:
                continue
            among = count(segments, f"networks of {network.name}")
            record = network_facts(
                network.name, interface, use, segments, ops / among, machine.guide, data / among
            )
            (bounded,) = capacities(Facts(system, (record,)), book).networks
            cost = subject_cost(book, policy, system, "network", bounded)
            whole = cost.times(segments)
            spares = interface.number("processor_relief_percent") > 0
            unrelieved = 0 if spares else round(own.at(policy.size_for))
            for providers in ways:
                found.append(
                    Attachment(network.name, interface.id, providers, whole, own, unrelieved)
                )
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
