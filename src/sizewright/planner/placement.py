"""Deals devices over channels: nothing overloaded, halves of a mirror apart, advice followed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sizewright.limits import PLACEMENT_STEPS_PER_DEVICE
from sizewright.planner.policy import FREE, Cost


class Lot(NamedTuple):
    """Devices that are alike for placement: same model, same pool, same copy of the data."""

    name: str
    number: int
    busses: frozenset[str]
    rivals: frozenset[str] = frozenset()


Content = tuple[tuple[str, int], ...]
Price = Callable[[int, Content], Cost]


class Placement(NamedTuple):
    """How many devices of each lot are on each channel, and what that costs."""

    contents: tuple[Content, ...]
    cost: Cost


def place(
    lots: Sequence[Lot], kinds: Sequence[str], price: Price, apart: Callable[[], Cost]
) -> Placement | None:
    """The cheapest placement of all lots on channels of the given kinds, None if none exists.

    `price` says what rules count against a channel with some content; adding a device never
    lowers it. `apart` is the price of one pair of rival lots meeting on a channel.
    """
    return _Search(lots, kinds, price, apart()).best()


class _Search:
    def __init__(
        self, lots: Sequence[Lot], kinds: Sequence[str], price: Price, meeting: Cost
    ) -> None:
        self.units = [lot for lot in lots for _ in range(lot.number)]
        self.kinds = kinds
        self.price = price
        self.meeting = meeting
        self.contents: list[dict[str, int]] = [{} for _ in kinds]
        self.costs: list[Cost] = [price(i, ()) for i in range(len(kinds))]
        self.found: Placement | None = None
        # A placement that follows all advice is nearly always among the first few tried.
        self.steps = PLACEMENT_STEPS_PER_DEVICE * (len(self.units) + 1)

    def best(self) -> Placement | None:
        self._next(0)
        return self.found

    def _next(self, index: int) -> None:
        cost = self._total()
        if cost.broken or (self.found is not None and cost >= self.found.cost):
            return
        if index == len(self.units):
            self.found = Placement(tuple(_frozen(c) for c in self.contents), cost)
            return
        lot = self.units[index]
        for channel in self._order(lot):
            self.steps -= 1
            if self.steps < 0:
                return
            if self._equal_content_before(channel):
                continue
            content, before = self.contents[channel], self.costs[channel]
            content[lot.name] = content.get(lot.name, 0) + 1
            self.costs[channel] = self.price(channel, _frozen(content))
            self._next(index + 1)
            content[lot.name] -= 1
            if not content[lot.name]:
                del content[lot.name]
            self.costs[channel] = before
            if self.found is not None and self.found.cost <= cost:
                return

    def _order(self, lot: Lot) -> list[int]:
        fitting = [i for i, kind in enumerate(self.kinds) if kind in lot.busses]

        def eager(i: int) -> tuple[bool, int, int]:
            content = self.contents[i]
            rival = any(name in lot.rivals for name in content)
            return rival, sum(content.values()), i

        return sorted(fitting, key=eager)

    def _equal_content_before(self, channel: int) -> bool:
        return any(
            self.kinds[i] == self.kinds[channel] and self.contents[i] == self.contents[channel]
            for i in range(channel)
        )

    def _total(self) -> Cost:
        cost = FREE
        for each in self.costs:
            if each is not FREE:
                cost = cost.plus(each)
        for pair in self._meetings():
            if pair:
                cost = cost.plus(self.meeting)
        return cost

    def _meetings(self) -> list[bool]:
        pairs = {frozenset((lot.name, rival)) for lot in self.units for rival in lot.rivals}
        return [
            any(all(name in content for name in pair) for content in self.contents)
            for pair in pairs
        ]


def _frozen(content: dict[str, int]) -> Content:
    return tuple(sorted(content.items()))
