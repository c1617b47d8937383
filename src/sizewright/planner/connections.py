"""Ways to attach communities of clients, serial lines and printers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, combinations_with_replacement
from math import ceil
from typing import NamedTuple

from sizewright.configuration.model import Port
from sizewright.configuration.slots import Carrying, slot_need
from sizewright.demand.model import Demand, NetworkDemand
from sizewright.demand.rates import LineDemand, sum_lines
from sizewright.demand.usage import use_of_network
from sizewright.evaluate.budgets import capacities
from sizewright.evaluate.findings import subject_cost
from sizewright.evaluate.policy import Cost, Policy
from sizewright.facts.boards import network_facts
from sizewright.facts.derive import Facts
from sizewright.facts.records import SystemFacts
from sizewright.guide.model import Row
from sizewright.load.lines import OPTIONS, assign_lines, carriers, is_on_network, wide_lines
from sizewright.load.network_traffic import data_lines, wire_lines, wire_ops
from sizewright.planner.parts import BUILTIN, Machine, interfaces_for
from sizewright.planner.pools import ends_of
from sizewright.quantity import Quantity, count
from sizewright.rules.compiler import RuleSet


class Attachment(NamedTuple):
    """One way: the ports with their providers (`builtin` or a board's row), and what it costs.

    `data` is what the system has on the community's networks, in KB/s; `unrelieved` is that again
    at the end that is sized for, if the interface spares the processors nothing. `has_nfs`: the
    community's networks carry NFS.
    """

    network: str
    interface: str
    providers: tuple[str, ...]
    cost: Cost
    data: Quantity | None = None
    unrelieved: int = 0
    has_nfs: bool = False

    @property
    def name(self) -> str:
        """What the way is called; of equal ways the first by name is chosen."""
        return f"{self.interface} {' '.join(self.providers)}"

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


def in_order_of_choice(demand: Demand) -> tuple[NetworkDemand, ...]:
    """Return the networks in an order that their names settle only if all else is equal.

    Of equal configurations, the first by the names of its ways in this order is chosen.
    """
    return tuple(sorted(demand.networks, key=lambda each: (_ends(each), _terms(each), each.name)))


def twins_of(networks: Sequence[NetworkDemand], demand: Demand) -> tuple[int | None, ...]:
    """Return per network the number of the last one before it with an equal load, if any has."""
    last = dict[object, int]()
    found = list[int | None]()
    for n, network in enumerate(networks):
        # A single network is compared with none, however many services it has.
        shape = shape_of(network, demand) if len(networks) > 1 else ()
        found.append(last.get(shape))
        last[shape] = n
    return tuple(found)


def shape_of(network: NetworkDemand, demand: Demand) -> tuple[object, ...]:
    """Return what is the same for networks with equal loads, that may be attached in any order."""
    name = network.name
    used_by_name = (demand.backup.over, *(work.network for work in demand.operations))
    if demand.exclusive or name in used_by_name:
        return (name,)
    streams = [
        (s.diskless, s.mix, ends_of([s.clients, s.ops, s.reads, s.writes, s.weighted, s.kb_per_s]))
        for s in demand.streams if s.network == name
    ]  # fmt: skip
    packets = [
        (t in demand.elsewhere, t.low, t.packets_per_s is None, t.packet_byte is None,
         ends_of([q for q in (t.kb_per_s, t.packets_per_s, t.packet_byte, t.nfs_ops) if q]))
        for t in (*demand.sent(), *demand.elsewhere) if t.network == name
    ]  # fmt: skip
    return (*_terms(network), _ends(network), *sorted(streams), *sorted(packets))


def _terms(network: NetworkDemand) -> tuple[object, ...]:
    """Return what a workload says of a network, its load apart."""
    return (
        network.medium, network.keep_medium, network.segments_at_most, network.fastest_response,
        str(network.large_packets), network.spare, network.for_each_system,
    )  # fmt: skip


def _ends(network: NetworkDemand) -> tuple[tuple[float, float, float], ...]:
    """Return the clients of a network and their operations."""
    figures = [line.figure for line in network.ops]
    return ends_of([network.clients, network.diskless_clients, *figures])


def interfaces_of(ways: Iterable[Attachment]) -> tuple[str, ...]:
    """Return the interface of each network that is attached in some ways, in order of names."""
    return tuple(sorted(way.interface for way in ways for _ in way.providers))


def serving_interfaces(ways: Sequence[Attachment]) -> tuple[str, ...]:
    """Return the same for the networks that carry NFS; for all if none does."""
    return interfaces_of(tuple(way for way in ways if way.has_nfs) or ways)


def attachments(
    machine: Machine,
    demand: Demand,
    network: NetworkDemand,
    system: SystemFacts,
    rule_set: RuleSet,
    policy: Policy,
) -> tuple[Attachment, ...]:
    """Every way worth trying: each interface over as many networks as the community allows."""
    ops = sum_lines(demand.at_peak(network.ops), "op/s")
    use = use_of_network(network)
    own, data = (
        sum_lines(lines(demand).get(network.name, ()), "KB/s") for lines in (data_lines, wire_lines)
    )
    shared = sum_lines(wire_ops(demand).get(network.name), "op/s")
    most = min(network.segments_at_most + network.spare, machine.networks_at_most)
    found = []
    for interface in interfaces_for(machine, network):
        for segments in range(1 + network.spare, most + 1):
            ways = tuple(_providers(machine, interface, segments))
            if not ways:
                continue
            among = count(segments - network.spare, f"networks of {network.name}")
            record = network_facts(
                network.name,
                interface,
                use,
                segments,
                ops / among,
                machine.guide,
                data / among,
                shared and shared / among,
            )
            (bounded,) = capacities(Facts(system, (record,)), rule_set).networks
            cost = subject_cost(rule_set, policy, system, "network", bounded)
            whole = cost.times(segments)
            spares = interface.number("processor_relief_percent") > 0
            # Of networks without file service no rule asks for such an interface (Rule XII).
            unrelieved = 0 if spares or not network.ops else round(own.at(policy.size_for))
            for providers in ways:
                has_nfs = bool(network.ops)
                found.append(
                    Attachment(
                        network.name, interface.id, providers, whole, own, unrelieved, has_nfs
                    )
                )
    return tuple(found)


def _providers(machine: Machine, interface: Row, segments: int) -> Iterator[tuple[str, ...]]:
    builtin = machine.platform.list("builtin_networks").count(interface.id)
    boards = [b for b in interface.list("boards") if b in machine.boards]
    for own in range(min(builtin, segments), -1, -1):
        rest = segments - own
        if not rest:
            yield (BUILTIN,) * own
        for others in combinations_with_replacement(boards, rest) if rest else ():
            yield (BUILTIN,) * own + others


_SERIAL, _PARALLEL, _RATE = "lines", "parallel_ports", "parallel_rate_kb_per_s"


class LineBoards(NamedTuple):
    """One way: boards in slots, and units that are beside the server, by rows of the options.

    `on_boards` is how many serial lines end on ports of the server and of its boards.
    """

    boards: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    on_boards: int = 0


class _Need(NamedTuple):
    """A number of lines; each needs a port, in a column of the options, on one of some boards."""

    number: int
    column: str
    boards: frozenset[str]


# The most of some serial lines that are to end on boards, beside a number of terminal servers.
LineLimit = Callable[[int, int], int]


def _no_limit(lines: int, _servers: int) -> int:
    return lines


def line_boards(
    machine: Machine, demand: Demand, limit: LineLimit = _no_limit
) -> tuple[LineBoards, ...]:
    """Return every way to attach all lines that has no board and no unit to spare.

    Serial lines end on ports of the machine, then on boards of any kinds, as far as slots reach. Or
    they end on terminal servers, but for those that boards for printers have ports for. Of these
    no more do than their `limit` beside terminal servers. If that is all of them, but more than
    their limit without any, none does.
    """
    wide = wide_lines(demand.lines)
    kinds = {name: k.free for name, k in carriers(machine.guide).items() if name in machine.boards}
    gateways = _sets(
        machine, kinds, _total(wide), lambda boards: _are_assigned(wide, kinds, boards)
    )
    return tuple(
        way._replace(boards=(*boards, *way.boards))
        for boards in gateways for way in _ports(machine, demand, limit)
    )  # fmt: skip


def _total(lines: Iterable[LineDemand]) -> int:
    return sum(ceil(line.number.high) for line in lines)


def _are_assigned(
    lines: Sequence[LineDemand], kinds: Mapping[str, Carrying], boards: Iterable[str]
) -> bool:
    return assign_lines(lines, [kinds[board] for board in boards]) is not None


def _ports(machine: Machine, demand: Demand, limit: LineLimit) -> Iterator[LineBoards]:
    """Yield ways to attach asynchronous lines and printers (2.9, 1.3.1.1, 1.3.1.2)."""
    options = machine.guide.table(OPTIONS)
    rows = {row.text("board"): row for row in options if row.text("board") in machine.boards}
    printers = tuple(_printers(machine, demand.lines))
    serial = sum(
        ceil(line.number.at(demand.size_for)) for line in demand.lines if line.kind == "serial"
    )
    own = min(serial, int(machine.platform.number("serial_ports")))
    left = _Need(serial - own, _SERIAL, frozenset(rows))
    for boards in _sets_for(machine, rows, (*printers, left)):
        yield LineBoards(boards, (), serial)
    servers = [row for row in options if is_on_network(row, machine.guide)]
    for boards in _sets_for(machine, rows, printers) if servers else ():
        ports = own + int(sum(rows[board].number(_SERIAL) for board in boards))
        there = limit(min(ports, serial), 1)
        if there == serial > limit(serial, 0):
            there = own
        if there < serial:
            for server in servers:
                units = ceil((serial - there) / server.require(_SERIAL).high)
                yield LineBoards(boards, (server.id,) * units, there)


def boards_for_printers(machine: Machine, lines: Iterable[LineDemand]) -> frozenset[str]:
    """Return the boards that have a port for some of these printers."""
    return frozenset[str]().union(*(need.boards for need in _printers(machine, lines)))


def _printers(machine: Machine, lines: Iterable[LineDemand]) -> Iterator[_Need]:
    """Yield the parallel ports for printers; those for the same boards are one need."""
    options = machine.guide.table(OPTIONS)
    rows = {row.text("board"): row for row in options if row.text("board") in machine.boards}
    rates = [rate.high for row in options if (rate := row.cell(_RATE)) is not None]
    found: Counter[frozenset[str]] = Counter()
    for line in lines:
        if line.kind in ("parallel", "video"):
            boards = frozenset(board for board, row in rows.items() if _drives(row, line, rates))
            found[boards] += ceil(line.number.high)
    for boards, number in found.items():
        yield _Need(number, _PARALLEL, boards)


def _sets_for(
    machine: Machine, rows: Mapping[str, Row], needs: Sequence[_Need]
) -> Iterator[tuple[str, ...]]:
    """Yield the sets of boards with ports for some needs."""
    number = sum(need.number for need in needs)
    return _sets(machine, rows, number, lambda boards: _has_ports(rows, boards, needs))


def _has_ports(rows: Mapping[str, Row], boards: Iterable[str], needs: Sequence[_Need]) -> bool:
    """Return whether each line finds a port.

    It does if any needs together have enough ports on the boards that serve some of them (Hall's
    theorem), so that no assignment of lines to ports has to be tried.
    """
    there = Counter(boards)
    return all(
        sum(need.number for need in some) <= sum(
            rows[board].number(some[0].column) * there[board]
            for board in frozenset().union(*(need.boards for need in some))
        )
        for column in (_SERIAL, _PARALLEL)
        for some in _subsets([need for need in needs if need.column == column])
    )  # fmt: skip


def _subsets(needs: Sequence[_Need]) -> Iterator[tuple[_Need, ...]]:
    return chain.from_iterable(combinations(needs, n + 1) for n in range(len(needs)))


def _sets(
    machine: Machine, kinds: Iterable[str], lines: int, enough: Callable[[tuple[str, ...]], bool]
) -> Iterator[tuple[str, ...]]:
    """Yield the sets of boards that are enough for a number of lines, and none less are.

    There are as many of each kind as its slots take, and no more than lines.
    """
    names, most = list(kinds), []
    for name in names:
        row = machine.boards[name]
        slots = machine.free_slots[machine.groups(row)[0]]
        most.append(min(lines, slots // max(1, slot_need(row))))

    def boards(numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(name for name, n in zip(names, numbers, strict=False) for _ in range(n))

    def extend(numbers: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if enough(boards(numbers)):
            yield numbers
        elif len(numbers) < len(most) and enough(boards((*numbers, *most[len(numbers) :]))):
            for number in range(most[len(numbers)] + 1):
                yield from extend((*numbers, number))
                if enough(boards((*numbers, number))):
                    break

    for numbers in extend(()):
        fewer = ((*numbers[:n], numbers[n] - 1, *numbers[n + 1 :]) for n in range(len(numbers)))
        if not any(min(each) >= 0 and enough(boards(each)) for each in fewer):
            yield boards(numbers)


def _drives(row: Row, printer: LineDemand, rates: Sequence[float]) -> bool:
    """Return whether a port of a board passes what a printer takes, in KB/s.

    If that is not known, whole pages in points (`video`) go through ports of the greatest of the
    `rates` that there are, and lines of text through those of the least.
    """
    if not row.number(_PARALLEL):
        return False
    rate = row.cell(_RATE)
    if printer.kb_per_s is not None:
        return rate is not None and printer.kb_per_s.high <= rate.high
    wanted = max if printer.kind == "video" else min
    return rate is not None and rate.high == wanted(rates)
