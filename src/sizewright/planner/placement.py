"""Deals devices over channels: nothing overloaded, halves of a mirror apart, advice followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sizewright.limits import PLACEMENT_STEPS
from sizewright.planner.policy import FREE, Cost


class Lot(NamedTuple):
    """Devices of one model for one copy of a pool, or removable media of one model.

    Lots of one `kind` ask the same of a channel and are interchangeable in a placement. `rivals`
    are kinds that should not share a channel with this one; such a lot is a kind of its own, and
    each of its `volumes` suffers where rivals meet. `barred` are channels that it must stay off.
    """

    name: str
    kind: str
    number: int
    busses: frozenset[str]
    rivals: frozenset[str] = frozenset()
    volumes: int = 1
    barred: frozenset[int] = frozenset()


Content = tuple[tuple[str, int], ...]
Price = Callable[[int, Content], Cost]


class Placement(NamedTuple):
    """How many devices of each lot are on each channel, and what that costs."""

    contents: tuple[Content, ...]
    cost: Cost


def place(
    lots: Sequence[Lot], channels: Sequence[str], price: Price, apart: Callable[[], Cost]
) -> Placement | None:
    """The cheapest placement of all lots on channels of the given kinds, None if none exists.

    `price` says what rules count against a channel with some content of kinds of lots; adding a
    device never lowers it. `apart` is the price of a pair of rivals that meet on a channel. The
    search for a cheaper one ends after a bounded number of steps.
    """
    found = _Search(lots, channels, price, apart()).best()
    if found is None:
        return None
    contents, cost = found
    return Placement(tuple(_dealt(lots, contents)), cost)


def _dealt(lots: Sequence[Lot], contents: Sequence[Content]) -> Iterator[Content]:
    """Which lots the devices of each kind on each channel belong to."""
    left = {lot.name: lot.number for lot in lots}
    of_kind: dict[str, list[str]] = {}
    for lot in lots:
        of_kind.setdefault(lot.kind, []).append(lot.name)
    for content in contents:
        here: dict[str, int] = {}
        for kind, number in content:
            for name in of_kind[kind]:
                taken = min(number, left[name])
                number -= taken
                left[name] -= taken
                if taken:
                    here[name] = taken
        yield tuple(sorted(here.items()))


class _Search:
    def __init__(
        self, lots: Sequence[Lot], channels: Sequence[str], price: Price, meeting: Cost
    ) -> None:
        order = {lot.kind: n for n, lot in reversed(list(enumerate(lots)))}
        alike = sorted(lots, key=lambda lot: order[lot.kind])
        self.units = [lot for lot in alike for _ in range(lot.number)]
        self.channels = channels
        self.price = price
        self.meeting = meeting
        self.contents: list[dict[str, int]] = [{} for _ in channels]
        self.frozen: list[tuple[str, Content]] = [(kind, ()) for kind in channels]
        self.found: tuple[tuple[Content, ...], Cost] | None = None
        self.seen: set[tuple[int, tuple[tuple[str, Content], ...]]] = set()
        self.steps = PLACEMENT_STEPS

    def best(self) -> tuple[tuple[Content, ...], Cost] | None:
        costs = [self.price(i, ()) for i in range(len(self.channels))]
        cost = FREE
        for each in costs:
            cost = cost.plus(each)
        self._next(0, costs, cost)
        return self.found

    def _next(self, index: int, costs: list[Cost], cost: Cost) -> None:
        if cost.broken or (self.found is not None and cost >= self.found[1]):
            return
        if index == len(self.units):
            self.found = (tuple(content for _, content in self.frozen), cost)
            return
        state = (index, tuple(sorted(self.frozen)))
        if state in self.seen or not self.steps:
            return
        self.seen.add(state)
        self.steps -= 1
        lot = self.units[index]
        for channel in self._order(lot):
            content, before = self.contents[channel], costs[channel]
            met = sum(1 for rival in lot.rivals if rival in content and lot.kind not in content)
            content[lot.kind] = content.get(lot.kind, 0) + 1
            was = self.frozen[channel]
            now = tuple(sorted(content.items()))
            after = self.price(channel, now)
            more = cost if after is before else cost.minus(before).plus(after)
            for _ in range(met * lot.volumes):
                more = more.plus(self.meeting)
            if more.broken or (self.found is not None and more >= self.found[1]):
                self._take_off(content, lot.kind)
                continue
            costs[channel] = after
            self.frozen[channel] = (was[0], now)
            self._next(index + 1, costs, more)
            costs[channel] = before
            self.frozen[channel] = was
            self._take_off(content, lot.kind)
            if self.found is not None and self.found[1] <= cost:
                return

    @staticmethod
    def _take_off(content: dict[str, int], kind: str) -> None:
        content[kind] -= 1
        if not content[kind]:
            del content[kind]

    def _order(self, lot: Lot) -> list[int]:
        fitting = [
            i for i, kind in enumerate(self.channels)
            if kind in lot.busses and i not in lot.barred
        ]  # fmt: skip

        def eager(i: int) -> tuple[bool, int, int]:
            content = self.contents[i]
            return not lot.rivals.isdisjoint(content), sum(content.values()), i

        return sorted(fitting, key=eager)
