"""Lines that end at a system: the boards of synchronous ones (2.6), and terminal servers (2.9)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from sizewright.configuration.model import NETWORK, System
from sizewright.configuration.slots import Carrying, pack_lines
from sizewright.demand.model import Demand, NetworkDemand
from sizewright.demand.rates import LineDemand, LineItem, Lines, Traffic, sum_lines
from sizewright.guide.model import Guide, Row
from sizewright.load.network_traffic import data_lines, medium_of
from sizewright.quantity import Quantity, as_quantity, count, largest, smallest

GATEWAYS = "gateways"
# The ways to connect serial lines and printers.
OPTIONS = "serial-line-options"
# The network of terminal servers that have one for themselves.
SERVER_NETWORK = "terminal-servers"


class Carrier(NamedTuple):
    """A kind of board for synchronous lines, and what all its ports have together, in Kb/s."""

    row: Row
    total: Quantity
    free: Carrying


def carriers(guide: Guide) -> Mapping[str, Carrier]:
    """Return the kinds of boards for synchronous lines, by their rows of boards."""
    rows = guide.table(GATEWAYS)
    return {row.text("board"): each for row in rows if (each := _carrier(row)) is not None}


def _carrier(row: Row) -> Carrier | None:
    ports, each = row.cell("ports"), row.cell("line_rate_mbit_per_s", "Kb/s")
    if not row.text("board") or ports is None or each is None:
        return None
    known = each * count(ports.likely, f"ports of {row.id}")
    printed = row.cell("total_rate_mbit_per_s", "Kb/s")
    in_sum = known if printed is None else smallest(known, printed)
    return Carrier(row, in_sum, Carrying(int(ports.likely), in_sum.high, each.high))


def wide_lines(lines: Iterable[LineDemand]) -> tuple[LineDemand, ...]:
    """Return the synchronous lines, those of the highest rate first."""
    wide = [line for line in lines if line.kind == "wide"]
    return tuple(sorted(wide, key=lambda each: (-_rate(each), each.service, each.name)))


def _rate(line: LineDemand) -> float:
    """Return the Kb/s that a line has: the high end of its rate."""
    return line.kbit_per_s.high if line.kbit_per_s is not None else 0


def assign_lines(lines: Sequence[LineDemand], boards: Sequence[Carrying]) -> tuple[int, ...] | None:
    """Return the board of each single line so that none exceeds its limits, None if none is found.

    `lines` go by falling rate.
    """
    if sum(line.number.high for line in lines) > sum(board.ports for board in boards):
        return None
    rates = [_rate(line) for line in lines for _ in range(round(line.number.high))]
    return pack_lines(rates, boards)


def lines_on_boards(
    lines: Iterable[LineDemand], system: System, guide: Guide, by_model: bool = False
) -> Mapping[str, tuple[LineDemand, ...]]:
    """Return the synchronous lines on each board that has ports for some, by its id or its model.

    If the boards are not enough, lines go where most Kb/s are left, whatever that exceeds.
    """
    kinds = carriers(guide)
    boards = [board for board in system.boards if board.model in kinds]
    names = [board.model if by_model else board.id for board in boards]
    wide, free = wide_lines(lines), [kinds[board.model].free for board in boards]
    found: dict[str, tuple[LineDemand, ...]] = dict.fromkeys(names, ())
    places = assign_lines(wide, free)
    left, ends = [board.room for board in free], iter(places or ())
    for line in wide if boards else ():
        if places is None:
            most = max(range(len(boards)), key=lambda n: left[n])
            left[most] -= _rate(line) * line.number.high
            on = [most]
        else:
            on = [next(ends) for _ in range(round(line.number.high))]
        for name, part in _parts(line, [names[n] for n in on]).items():
            found[name] = (*found[name], part)
    return found


def _parts(line: LineDemand, boards: Sequence[str]) -> Mapping[str, LineDemand]:
    """Return the lines of one demand on each board, if each single one is on a board of these."""
    on = Counter(boards)
    if len(on) == 1:
        return dict.fromkeys(on, line)
    what = f"lines of {line.name} on a board"
    return {ident: line._replace(number=count(n, what, "line")) for ident, n in on.items()}


def is_on_network(option: Row, guide: Guide) -> bool:
    """Return whether an option reaches the system over a network: it is a terminal server."""
    return option.text("attaches_to") in guide.table("network-media").rows and bool(
        option.cell("lines")
    )


def on_system(demand: Demand, system: System, guide: Guide) -> Demand:
    """Return a demand with the data of lines on terminal servers, on the network of these.

    That is the network that the system has for them alone, else that of their medium with the least
    data of the demand.
    """
    media = [
        row.text("attaches_to") for name in system.beside
        if is_on_network(row := guide.row(OPTIONS, name), guide)
    ]  # fmt: skip
    if not media or system.serial_lines is None:
        return demand
    there = {port.network: medium_of(port, guide).id for port in system.ports}
    shared = {network.name for network in demand.networks if there.get(network.name) in media}
    if SERVER_NETWORK in there:
        demand, network = with_server_network(demand, there[SERVER_NETWORK]), SERVER_NETWORK
    elif shared:
        data = {n: sum_lines(lines, "KB/s").high for n, lines in data_lines(demand).items()}
        network = min(shared, key=lambda name: (data[name], name))
    else:
        return demand
    return with_line_traffic(demand, system.serial_lines, network)


def may_have_server_network(demand: Demand) -> bool:
    """Return whether terminal servers may have a network that the workload does not state."""
    stated = any(network.name == SERVER_NETWORK for network in demand.networks)
    return not stated and any(line.kind == "serial" for line in demand.lines)


def with_server_network(demand: Demand, medium: str) -> Demand:
    """Return a demand with a network for terminal servers alone."""
    if any(network.name == SERVER_NETWORK for network in demand.networks):
        return demand
    clients, spare = as_quantity(0, "client"), int(NETWORK in demand.survives)
    own = NetworkDemand(
        SERVER_NETWORK, medium, True, demand.server_networks_at_most, False, (), clients, clients,
        spare=spare,
    )  # fmt: skip
    return demand._replace(networks=(*demand.networks, own))


def with_line_traffic(demand: Demand, on_boards: int, network: str) -> Demand:
    """Return a demand with the data of serial lines on a network.

    The slowest lines, as many as there are ports `on_boards`, are not counted. Lines without a rate
    have no data.
    """
    lines = [line for line in demand.lines if line.kind == "serial"]
    left, traffic = on_boards, list(demand.traffic)
    for line in sorted(lines, key=lambda each: (_kb_per_s(each).high, each.service, each.name)):
        here = min(left, ceil(line.number.high))
        left -= here
        none = as_quantity(0, "line")
        others = largest(line.number - count(here, "lines on boards", "line"), none)
        data = _kb_per_s(line) * (others / count(1, "one line", "line"))
        if data.high > 0:
            name = f"{line.name} on terminal servers"
            traffic.append(Traffic(line.service, name, network, data.with_name(name)))
    return demand._replace(traffic=tuple(traffic))


def _kb_per_s(line: LineDemand) -> Quantity:
    """Return the data of one line in KB/s; none if its rate is not known."""
    rate = line.kbit_per_s or line.kb_per_s
    return as_quantity(0, "KB/s") if rate is None else rate.to("KB/s")


def rates_of(lines: Iterable[LineDemand]) -> Lines:
    """Return the Kb/s of lines, those of one demand together."""
    one = count(1, "one line", "line")
    return tuple(
        LineItem(each.title, each.kbit_per_s * (each.number / one))
        for each in lines if each.kbit_per_s is not None
    )  # fmt: skip
