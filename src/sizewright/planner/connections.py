"""Ways to attach communities of clients, serial lines and printers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement
from math import ceil
from typing import NamedTuple

from sizewright.configuration.model import Port
from sizewright.demand.model import Demand, LineDemand, NetworkDemand, sum_lines
from sizewright.demand.usage import use_of_network
from sizewright.evaluate.budgets import capacities
from sizewright.evaluate.findings import subject_cost
from sizewright.evaluate.policy import Cost, Policy
from sizewright.facts.derive import Facts
from sizewright.facts.networks import network_facts
from sizewright.facts.records import SystemFacts
from sizewright.guide.model import Guide, Row
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


_OPTIONS, _GATEWAYS = "serial-line-options", "gateways"


class LineBoards(NamedTuple):
    """One way: boards in slots, and units that stand beside the server, by rows of the options.

    `on_boards` is how many serial lines end on boards of the server.
    """

    boards: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    on_boards: float = 0


def line_boards(machine: Machine, demand: Demand) -> tuple[LineBoards, ...]:
    """Every way worth trying to attach all lines, none of which is more than another."""
    wide = [line for line in demand.lines if line.kind == "wide"]
    serial = sum(line.number.at(demand.size_for) for line in demand.lines if line.kind == "serial")
    printers = [line for line in demand.lines if line.kind not in ("wide", "serial")]
    serial += sum(p.number.at(demand.size_for) for p in printers if p.kind == "serial")
    parallel = [p for p in printers if p.kind in ("parallel", "video")]
    ways = [LineBoards()]
    if wide:
        ways = [_with(way, more) for way in ways for more in _gateways(machine, wide)]
    if serial or parallel:
        ways = [_with(way, more) for way in ways for more in _ports(machine, serial, parallel)]
    return tuple(dict.fromkeys(ways))


def _with(one: LineBoards, other: LineBoards) -> LineBoards:
    return LineBoards(
        (*one.boards, *other.boards), (*one.beside, *other.beside), one.on_boards + other.on_boards
    )


def _gateways(machine: Machine, lines: Iterable[LineDemand]) -> Iterator[LineBoards]:
    """As many boards of one kind as have ports for all lines, none faster than its ports."""
    number = sum(line.number.likely for line in lines)
    for row in _rows(machine.guide, _GATEWAYS):
        ports, rate = row.number("ports"), row.find("line_rate_mbit_per_s")
        fits = rate is None or all(
            line.kbit_per_s is None or line.kbit_per_s.high <= rate.to("Kb/s").high
            for line in lines
        )
        if row.text("board") in machine.boards and ports and fits:
            yield LineBoards((row.text("board"),) * ceil(number / ports))


def _ports(machine: Machine, serial: float, parallel: list[LineDemand]) -> Iterator[LineBoards]:
    """Boards with serial lines and parallel ports together; terminal servers for the lines."""
    rows = _rows(machine.guide, _OPTIONS)
    for row in rows:
        if row.text("board") in machine.boards and row.number("lines"):
            own, rest = _served(row, parallel)
            ports = row.number("parallel_ports")
            boards = max(ceil(serial / row.number("lines")), ceil(own / ports) if ports else 0)
            for more in _parallel(machine, rows, rest):
                first = (row.text("board"),) * boards
                yield LineBoards((*first, *more), on_boards=serial)
        elif row.text("attaches_to") == "ethernet" and row.find("lines") is not None and serial:
            units = ceil(serial / row.figure("lines").high)
            for more in _parallel(machine, rows, parallel):
                yield LineBoards(more, (row.id,) * units)


def _served(row: Row, parallel: list[LineDemand]) -> tuple[int, list[LineDemand]]:
    """How many printers the ports of one board can drive, and the printers that they cannot."""
    fit = [p for p in parallel if row.number("parallel_ports") and _drives(row, p)]
    return int(sum(p.number.likely for p in fit)), [p for p in parallel if p not in fit]


def _parallel(
    machine: Machine, rows: tuple[Row, ...], printers: list[LineDemand]
) -> Iterator[tuple[str, ...]]:
    """Boards with parallel ports for some printers, each printer on a port fast enough."""
    if not printers:
        yield ()
        return
    first, *rest = printers
    for row in rows:
        ports = row.number("parallel_ports")
        if row.text("board") in machine.boards and ports and _drives(row, first):
            boards = (row.text("board"),) * ceil(first.number.likely / ports)
            for more in _parallel(machine, rows, rest):
                yield (*boards, *more)


def _drives(row: Row, printer: LineDemand) -> bool:
    """Whether a port passes what a printer takes; a port without a rate serves slow ones.

    Whole pages in points (`video`) go through fast ports only.
    """
    rate = row.find("parallel_rate_kb_per_s")
    if printer.kb_per_s is None:
        return (rate is not None) is (printer.kind == "video")
    return rate is not None and printer.kb_per_s.high <= rate.high


def _rows(guide: Guide, table: str) -> tuple[Row, ...]:
    return tuple(guide.table(table)) if table in guide.tables else ()
