"""What an order costs by the prices of an overlay or of the guide; the parts list as CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import StringIO
from typing import Any, NamedTuple

from sizewright.errors import counted, printable
from sizewright.guide.model import Guide
from sizewright.output.bill_of_materials import OrderLine
from sizewright.output.wording import GLUE, money
from sizewright.planner.parts import platforms_on_offer
from sizewright.planner.plan import Plan
from sizewright.quantity import as_quantity

# Rows of a guide's own table that price one part; others price a machine whole, or a difference.
_OF_PARTS = ("part", "part_of_machine")
_OWN_CURRENCY = "USD"
_PLATFORM = "platform"


class PricedLine(NamedTuple):
    """A part that is to be bought: how many, and the price of one; None if it has no price."""

    system: str
    quantity: float
    name: str
    each: float | None
    running: float | None = None

    @property
    def total(self) -> float | None:
        """Return the price of all of them."""
        return None if self.each is None else self.quantity * self.each


class Cost(NamedTuple):
    """What an order costs: the parts with a price, their total, and the parts without one.

    `running_per_year` is of the parts whose running cost is stated, None if none is.
    """

    currency: str
    date: str
    source: str
    lines: tuple[PricedLine, ...]

    @property
    def total(self) -> float:
        """Return the price of all parts that have one."""
        return sum(line.total or 0 for line in self.lines)

    @property
    def running_per_year(self) -> float | None:
        """Return what the parts cost in a year of use."""
        stated = [line.quantity * line.running for line in self.lines if line.running is not None]
        return sum(stated) if stated else None

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Return the names of the parts without a price."""
        return tuple(dict.fromkeys(line.name for line in self.lines if line.each is None))

    @property
    def is_whole(self) -> bool:
        """Return whether each part has a price."""
        return not self.unpriced

    @property
    def order(self) -> tuple[bool, float]:
        """Return what costs are sorted by: those with an unpriced part come last, all as equals."""
        return not self.is_whole, self.total if self.is_whole else 0

    @property
    def total_name(self) -> str:
        """Return what the total is called."""
        return "total" if self.is_whole else "total of the priced parts"

    @property
    def text(self) -> str:
        """Return the total in words; of an order with unpriced parts it is only a part."""
        total = money(self.total)
        left = counted(len(self.unpriced), "part")
        return f"{total} {self.currency}" if self.is_whole else (
            f"more than {total} {self.currency}: {left} without a price"
        )  # fmt: skip


class Offer(NamedTuple):
    """A platform that passes, with what its smallest configuration costs."""

    platform: str
    name: str
    cost: Cost


class Prices:
    """The prices of a guide: those of overlays, and for other parts those that it prints."""

    def __init__(self, guide: Guide) -> None:
        stated = guide.prices
        self.currency = stated.get("currency", _OWN_CURRENCY)
        self.date, self.source = stated.get("date", ""), stated.get("source", "")
        self._parts: dict[str, Mapping[str, Any]] = dict(stated.get("parts", {}))
        for row in guide.table("prices") if self.currency == _OWN_CURRENCY else ():
            price = row.cell("price_usd")
            if price is not None and row.text("kind") in _OF_PARTS:
                part = f"{row.text('part_table')}/{row.text('part')}"
                self._parts.setdefault(part, {"price": price.likely})
        if self._parts and not stated:
            self.source = guide.table("prices").title

    def __bool__(self) -> bool:
        return bool(self._parts)

    def cheaper_disks(self, plan: Plan) -> tuple[str, ...]:
        """Return the models of disks that cost less than the dearest one of a plan."""
        assert plan.chosen is not None
        each = {
            part.removeprefix("disks/"): stated["price"] for part, stated in self._parts.items()
            if part.startswith("disks/")
        }  # fmt: skip
        used = {disk.model for disk in plan.chosen.system.disks()}
        dearest = max((each[model] for model in used if model in each), default=0)
        return tuple(sorted(model for model, price in each.items() if price < dearest))

    def cost(self, lines: Iterable[OrderLine], systems: Mapping[str, Any]) -> Cost:
        """Return what an order costs; `systems` are the configurations by their ids."""
        found = tuple(each for line in lines for each in self._priced(line, systems))
        return Cost(self.currency, self.date, self.source, found)

    def _priced(self, line: OrderLine, systems: Mapping[str, Any]) -> Iterator[PricedLine]:
        part = self._parts.get(f"{line.table}/{line.row}", {})
        wanted = line.quantity - line.kept
        if wanted:
            each, running = part.get("price"), part.get("running_per_year")
            yield PricedLine(line.system, wanted, line.name, each, running)
        if line.kind != _PLATFORM or not part:
            return
        system = systems[line.system]
        memory = as_quantity(system.memory_mb or 0, "MB").high
        for have, key, of_each, name in (
            (system.processors or 0, "processors", "each_processor", "further processor"),
            (memory, "memory_mb", "each_memory_mb", "MB of further memory"),
        ):
            more = wanted * (have - part.get(key, 0))
            if more > 0:
                yield PricedLine(line.system, more, f"{line.name}: {name}", part.get(of_each))


def choose_by_price(
    found: Plan, plan_on: Callable[[str], Plan], with_disks: Callable[[str, Plan], Plan | None],
    cost_on: Callable[[Plan], Cost | None], prices: Prices,
) -> tuple[Plan, tuple[Offer, ...]]:  # fmt: skip
    """Return the cheapest plan, and that of each platform that passes, cheapest first.

    `plan_on` plans on one platform. Of each the smallest configuration is compared with those
    `with_disks` of one model, if that is cheaper than a model that it has. Platforms with an
    unpriced part come after the others, the smallest first. A plan that fails or has several
    systems stays as it is.
    """
    guide = found.guide
    if not found.holds or found.group is not None or found.chosen is None:
        return found, ()
    chosen = found.chosen.system.platform
    rank = guide.row("platforms", chosen).number("rank")
    plans, costs = {chosen: found}, list[Offer]()
    for row in platforms_on_offer(guide):
        if found.demand.platforms and row.id not in found.demand.platforms:
            continue
        if row.id not in plans and row.number("rank") >= rank:
            plans[row.id] = plan_on(row.id)
        smallest = plans.get(row.id)
        if smallest is None or not smallest.holds or smallest.group is not None:
            continue
        others = (with_disks(each, smallest) for each in prices.cheaper_disks(smallest))
        compared = [smallest, *(o for o in others if o is not None and _is_as_good(o, smallest))]
        priced = [(cost, plan) for plan in compared if (cost := cost_on(plan)) is not None]
        if priced:
            cost, plans[row.id] = min(priced, key=lambda each: each[0].order)
            costs.append(Offer(row.id, row.text("name"), cost))
    # Platforms are in the order of their sizes, and a sort keeps the order of equals.
    offers = by_price(costs)
    best = offers[0] if offers and offers[0].cost.is_whole else None
    if best is None or plans[best.platform] is found:
        return found, offers
    plan = plans[best.platform].instead_of(found)
    return plan._replace(gaps=(*found.gaps, *plan.gaps)), offers


def _is_as_good(plan: Plan, smallest: Plan) -> bool:
    """Return whether a plan of one system follows as much advice as the smallest configuration."""

    def missed(each: Plan) -> int:
        findings = each.chosen.findings if each.chosen is not None else ()
        return sum(finding.verdict in ("violated", "tight") for finding in findings)

    return plan.group is None and missed(plan) <= missed(smallest)


def by_price(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Return offers by rising price; those with an unpriced part come last, in their order."""
    return tuple(sorted(offers, key=lambda each: each.cost.order))


HEADERS = ("system", "quantity", "part", "name", "table", "where", "for", "already_there")
PRICE_HEADERS = ("price_each", "price", "currency")
# What a spreadsheet takes for the beginning of a formula, in either width.
_FORMULA = ("=", "+", "-", "@", "\t", "＝", "＋", "－", "＠")
_TEXT = "'"


def parts_list(lines: Iterable[OrderLine], cost: Cost | None = None) -> str:
    """Return an order as CSV, with prices and their total if there are any.

    Nothing but the headings if it has no lines.
    """
    written = StringIO()
    # By the standard's own line ends.
    writer = csv.writer(written)
    writer.writerow((*HEADERS, *(PRICE_HEADERS if cost else ())))
    left = list(cost.lines) if cost else []
    for line in lines:
        cells = (
            line.system, f"{line.quantity}", line.row, line.name, line.table, line.place,
            line.used_for, f"{line.kept}",
        )  # fmt: skip
        priced = next((p for p in left if (p.system, p.name) == (line.system, line.name)), None)
        if priced is not None:
            left.remove(priced)
        writer.writerow((*map(harmless, cells), *_price_cells(priced, cost)))
    for extra in left:
        cells = (extra.system, f"{extra.quantity:g}", "", extra.name, "", "", "", "0")
        writer.writerow((*map(harmless, cells), *_price_cells(extra, cost)))
    if cost:
        writer.writerow(
            ("", "", "", cost.total_name, "", "", "", "", "", f"{cost.total:.2f}", cost.currency)
        )
    return written.getvalue()


def _price_cells(line: PricedLine | None, cost: Cost | None) -> tuple[str, ...]:
    """Return the price of one, of all, and the currency; blank if there is no price."""
    if cost is None:
        return ()
    if line is None or line.each is None or line.total is None:
        return ("", "", cost.currency)
    return f"{line.each:.2f}", f"{line.total:.2f}", cost.currency


def harmless(cell: str) -> str:
    """Return a cell that no spreadsheet calculates: what would be a formula is marked as text."""
    shown = printable(cell.replace(GLUE, " "))
    return _TEXT + shown if cell.lstrip(" ").startswith(_FORMULA) else shown
