"""What to order as comma-separated values, for an order system: RFC 4180, a line for each part."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from io import StringIO

from sizewright.configuration.model import System
from sizewright.errors import printable
from sizewright.report.model import PlanReport
from sizewright.report.names import Names
from sizewright.report.numbers import GLUE
from sizewright.report.order import OrderLine, order

HEADERS = ("system", "quantity", "part", "name", "table", "where", "for", "already_there")
# What a spreadsheet takes for the beginning of a formula, in either width.
_FORMULA = ("=", "+", "-", "@", "\t", "＝", "＋", "－", "＠")
_TEXT = "'"


def parts_list(report: PlanReport) -> str:
    """The parts of every system that is proposed; nothing but the headings where none is."""
    written = StringIO()
    # By the standard's own line ends.
    writer = csv.writer(written)
    writer.writerow(HEADERS)
    for part in report.parts:
        if part.plan.chosen is not None:
            writer.writerows(_rows(part, part.plan.chosen.system))
    return written.getvalue()


def _rows(report: PlanReport, system: System) -> Iterator[tuple[str, ...]]:
    names = Names(report.plan.guide, system)
    for line in order(report.plan.guide, report.plan.demand, system):
        told = (line.row, line.name, line.table, place(line, system, names), line.purpose)
        quantities = (str(line.quantity), str(line.kept))
        yield (
            harmless(system.id), quantities[0], *map(harmless, told), quantities[1]
        )  # fmt: skip


def place(line: OrderLine, system: System, names: Names) -> str:
    """The slots that boards of a model stand in, or the channels that its devices hang on."""
    if line.kind == "board":
        boards = [b for b in system.boards if (b.table, b.model) == (line.table, line.row)]
        places = (names.slots(board) for board in boards if board.slots)
        return "; ".join(dict.fromkeys(places))
    found: Counter[str] = Counter()
    for channel in system.channels:
        for device in channel.devices:
            if (device.table, device.model) == (line.table, line.row):
                found[names.channel(channel)] += 1
    return "; ".join(f"{name}: {count}" for name, count in found.items())


def harmless(cell: str) -> str:
    """A cell that no spreadsheet reckons with; what would be a formula is marked as text."""
    shown = printable(cell.replace(GLUE, " "))
    return _TEXT + shown if cell.lstrip(" ").startswith(_FORMULA) else shown
