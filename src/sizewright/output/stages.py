"""What to buy in each stage of a purchase, what stays free for later ones, how long it suffices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sizewright.configuration.model import System
from sizewright.errors import counted, plural
from sizewright.guide.model import Guide
from sizewright.output.bill_of_materials import OrderLine, bill_of_materials
from sizewright.output.document import Document
from sizewright.output.names import Names
from sizewright.output.wording import quantity, years
from sizewright.planner.stages import Stage
from sizewright.quantity import as_quantity
from sizewright.sensitivity.thresholds import Reach, reaches


class StageOrder(NamedTuple):
    """What to add in a stage: parts, memory and processors.

    `slots` stay free for boards of later stages, by bus, and places for `devices` by channel.
    `limit` is the resource that reaches its limit first; None if none does in a hundred years.
    """

    stage: Stage
    lines: tuple[OrderLine, ...]
    memory_mb: float
    processors: int
    slots: tuple[tuple[str, tuple[int, ...]], ...]
    devices: tuple[tuple[str, int], ...]
    limit: Reach | None

    @property
    def years(self) -> float:
        """Return the years of growth after which it is to be bought."""
        return self.stage.years


def stage_orders(stages: tuple[Stage, ...], guide: Guide, end: str) -> tuple[StageOrder, ...]:
    """Return what to add in each stage; together it is the order of the last one."""
    found = []
    bill: tuple[OrderLine, ...] = ()
    memory_mb, processors = 0.0, 0
    for stage in stages:
        system = stage.judged.system
        assert isinstance(system.memory_mb, (int, float))
        whole = bill_of_materials(guide, stage.demand, system)
        found.append(
            StageOrder(
                stage,
                tuple(_added(bill, whole)),
                system.memory_mb - memory_mb,
                (system.processors or 0) - processors,
                tuple(_slots_kept(system, stages[-1].judged.system)),
                tuple(_places_kept(system, stages[-1].judged.system)),
                next(iter(reaches(stage.judged.budgets, end)), None),
            )
        )
        bill, memory_mb, processors = whole, system.memory_mb, system.processors or 0
    return tuple(found)


def _added(before: Iterable[OrderLine], after: Iterable[OrderLine]) -> Iterator[OrderLine]:
    """Yield the lines of an order that an earlier one does not have, or not as many of."""
    had = {_key(line): line for line in before}
    for line in after:
        earlier = had.get(_key(line))
        more = line.quantity - (earlier.quantity if earlier else 0)
        if more > 0:
            yield line._replace(quantity=more, kept=line.kept - (earlier.kept if earlier else 0))


def _key(line: OrderLine) -> tuple[str, ...]:
    return line.kind, line.table, line.row, line.name


def _slots_kept(system: System, final: System) -> Iterator[tuple[str, tuple[int, ...]]]:
    here = {board.id for board in system.boards}
    kept: dict[str, list[int]] = {}
    for board in final.boards:
        if board.id not in here:
            kept.setdefault(board.bus, []).extend(board.slots)
    yield from ((bus, tuple(sorted(slots))) for bus, slots in sorted(kept.items()))


def _places_kept(system: System, final: System) -> Iterator[tuple[str, int]]:
    here = {channel.id: len(channel.devices) for channel in system.channels}
    for channel in final.channels:
        places = len(channel.devices) - here.get(channel.id, 0)
        if channel.id in here and places:
            yield channel.id, places


def add_stages(document: Document, orders: Iterable[StageOrder], names: Names) -> None:
    """Add what to buy in each stage, what to keep free, and how long its parts suffice."""
    document.heading("Purchase in stages (parts to add for the load of each year)")
    rows = []
    for each in orders:
        when = "today" if not each.years else f"in {years(each.years)}"
        lines = [
            (str(line.quantity - line.kept), line.name, line.purpose)
            for line in each.lines if line.kept < line.quantity
        ]  # fmt: skip
        if each.years and each.memory_mb:
            more = quantity(as_quantity(each.memory_mb, "MB"))
            lines.append(("", f"{more} of memory", "more memory"))
        if each.years and each.processors:
            lines.append((str(each.processors), plural(each.processors, "processor"), ""))
        for n, line in enumerate(lines or [("", "nothing", "")]):
            rows.append((when if n == 0 else "", *line))
    document.table(("load", "qty", "part", "for"), rows, right=("qty",), flexible=("part", "for"))
    for each in orders:
        document.say(_suffices(each, names), depth=1)


def _suffices(each: StageOrder, names: Names) -> str:
    """Return how long the parts of a stage suffice, and what stays free for later ones."""
    owner = f"The parts for the load in {years(each.years)}" if each.years else "Today's parts"
    if each.limit is None or each.limit.years is None:
        text = f"{owner} reach no limit in the foreseeable future."
    else:
        _, kind, *name = each.limit.resource.split("/", 2)
        what = names.resource(kind, name)
        text = f"{owner} suffice for {years(each.limit.years)}; the first limit is {what}."
    kept = [f"{names.of('slots', bus)} {', '.join(map(str, slots))}" for bus, slots in each.slots]
    kept += [
        f"{counted(places, 'place')} on {names.of('targets', channel)}"
        for channel, places in each.devices
    ]
    return f"{text} Keep free for later: {'; '.join(kept)}." if kept else text
