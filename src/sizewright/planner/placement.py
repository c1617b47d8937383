"""Deals devices over channels: nothing overloaded, halves of a mirror apart, advice followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sizewright.evaluate.policy import FREE, Cost
from sizewright.limits import IMPROVEMENT_STEPS, PLACEMENT_STEPS


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


class Outcome(NamedTuple):
    """The cheapest placement found, whether no cheaper one exists, and how many steps it took."""

    placement: Placement | None
    is_proven: bool
    steps: int


def place(
    lots: Sequence[Lot],
    channels: Sequence[str],
    price: Price,
    apart: Callable[[], Cost],
    least: Cost = FREE,
) -> Outcome:
    """Return the cheapest placement of lots on channels of the given kinds, None if none exists.

    `price` says what rules count against a channel with some content of kinds of lots; adding a
    device never lowers it. `apart` is the price of a pair of rivals that meet on a channel. The
    search for a cheaper one ends after a bounded number of steps, or where one costs no more than
    the `least` that any can cost.
    """
    search = _Search(lots, channels, price, apart(), least)
    found = search.best()
    if found is None:
        return Outcome(None, search.steps > 0, search.taken)
    contents, cost = found
    placement = Placement(tuple(_dealt(lots, contents)), cost)
    return Outcome(placement, search.steps > 0 or cost <= least, search.taken)


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


class _Way(NamedTuple):
    """One channel for one more device, the cheaper and emptier the better."""

    cost: Cost
    meets: int
    devices: int
    channel: int
    content: Content
    price: Cost


class _Search:
    def __init__(
        self,
        lots: Sequence[Lot],
        channels: Sequence[str],
        price: Price,
        meeting: Cost,
        least: Cost,
    ) -> None:
        order = {lot.kind: n for n, lot in reversed(list(enumerate(lots)))}
        alike = sorted(lots, key=lambda lot: order[lot.kind])
        self.units = [lot for lot in alike for _ in range(lot.number)]
        self.price = price
        self.meeting = meeting
        self.least = least
        barred = [tuple(lot.name for lot in lots if i in lot.barred) for i in range(len(channels))]
        # Channels of one sort that hold the same are as good as each other.
        self.sorts = [(kind, *off) for kind, off in zip(channels, barred, strict=True)]
        self.fitting = {
            lot.kind: [i for i, k in enumerate(channels) if k in lot.busses and i not in lot.barred]
            for lot in lots
        }
        self.contents: list[Content] = [() for _ in channels]
        self.costs = [price(i, ()) for i in range(len(channels))]
        self.found: tuple[tuple[Content, ...], Cost] | None = None
        self.seen: set[tuple[int, tuple[tuple[tuple[str, ...], Content], ...]]] = set()
        self.steps = PLACEMENT_STEPS
        self.taken = 0

    def best(self) -> tuple[tuple[Content, ...], Cost] | None:
        cost = FREE
        for each in self.costs:
            cost = cost.plus(each)
        if not cost.broken:
            self._next(0, cost)
        return self.found

    def _next(self, index: int, cost: Cost) -> None:
        if index == len(self.units):
            if self.found is None:
                self.steps = min(self.steps, IMPROVEMENT_STEPS)
            self.found = (tuple(self.contents), cost)
            return
        state = (index, tuple(sorted(zip(self.sorts, self.contents, strict=True))))
        if state in self.seen or not self.steps:
            return
        self.seen.add(state)
        self.steps -= 1
        self.taken += 1
        for way in sorted(self._ways(self.units[index], cost)):
            if self._found_at(way.cost):
                return
            was = self.contents[way.channel], self.costs[way.channel]
            self.contents[way.channel], self.costs[way.channel] = way.content, way.price
            self._next(index + 1, way.cost)
            self.contents[way.channel], self.costs[way.channel] = was
            if self._found_at(max(cost, self.least)):
                return

    def _found_at(self, cost: Cost) -> bool:
        return self.found is not None and self.found[1] <= cost

    def _ways(self, lot: Lot, cost: Cost) -> Iterator[_Way]:
        tried = set()
        for channel in self.fitting[lot.kind]:
            content, before = self.contents[channel], self.costs[channel]
            sort = (self.sorts[channel], content)
            if sort in tried:
                continue
            tried.add(sort)
            here = dict(content)
            meets = sum(1 for rival in lot.rivals if rival in here)
            met = 0 if lot.kind in here else meets
            here[lot.kind] = here.get(lot.kind, 0) + 1
            now = tuple(sorted(here.items()))
            after = self.price(channel, now)
            more = cost if after == before else cost.minus(before).plus(after)
            for _ in range(met * lot.volumes):
                more = more.plus(self.meeting)
            if not more.broken:
                yield _Way(more, meets, sum(here.values()), channel, now, after)
