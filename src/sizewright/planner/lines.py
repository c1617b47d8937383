"""Boards for what ends at a server's own ports: gateways, serial lines, printers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil
from typing import NamedTuple

from sizewright.demand.model import Demand, LineDemand
from sizewright.guide.model import Guide, Row
from sizewright.planner.parts import Machine

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
