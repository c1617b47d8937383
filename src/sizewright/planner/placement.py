"""Places devices on channels: nothing overloaded, halves of a mirror apart, advice followed.

How many devices of each kind one channel takes is a pattern with a price. What all devices cost at
least is the cheapest cover by patterns, one for each channel. If devices that go onto the emptiest
channel one after another cost no more, they stay there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heapreplace
from itertools import product
from operator import le, mul, sub
from typing import Any, NamedTuple

from sizewright.evaluate.policy import FREE, Cost
from sizewright.limits import ARRANGING_STEPS, PART_ROUNDING, PLACEMENT_STEPS


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
    """The cheapest placement found, and whether no cheaper one exists.

    One that is `straight` has each device on the emptiest of the cheapest channels.
    """

    placement: Placement | None
    is_proven: bool
    straight: bool = False


def place(
    lots: Sequence[Lot],
    channels: Sequence[str],
    price: Price,
    apart: Callable[[], Cost],
    known: Patterns | None = None,
) -> Outcome:
    """Return the cheapest placement of lots on channels of the given kinds, None if none exists.

    `price` says what rules count against a channel with some content of kinds of lots; adding a
    device never lowers it. `apart` is the price of a pair of rivals that meet on a channel. A
    placement is proven unless there are too many patterns to look at. Patterns that are `known`
    from other placements at the same prices are used again.
    """
    filling = _Filling(lots, channels, price, apart())
    found = filling.straight()
    if found is not None and found[1] > filling.least:
        found = filling.first(filling.least) or found
    if found is not None and found[1] <= filling.least:
        return Outcome(_placement(lots, found), True, straight=True)
    cover = _Cover(filling, {} if known is None else known)
    cheapest = cover.cheapest()
    if cheapest is not None and (found is None or cheapest[1] < found[1]):
        return Outcome(_placement(lots, cover.evened(cheapest)), True)
    is_proven = cover.steps > 0
    return Outcome(found and _placement(lots, found), is_proven, straight=True)


def arranged(
    lots: Sequence[Lot], channels: Sequence[str], price: Price, apart: Callable[[], Cost],
    placement: Placement,
) -> Placement:  # fmt: skip
    """Return the first placement of a cost that puts each device on the emptiest channel it can.

    If a bounded number of steps finds none, the placement is returned that is given.
    """
    filling = _Filling(lots, channels, price, apart())
    found = filling.first(placement.cost)
    return placement if found is None else _placement(lots, found)


def _placement(lots: Sequence[Lot], found: _Found) -> Placement:
    return Placement(tuple(_dealt(lots, found[0])), found[1])


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


_Found = tuple[tuple[Content, ...], Cost]
Pattern = tuple[int, ...]


class _Way(NamedTuple):
    """One channel for one more device, the cheaper and emptier the better."""

    more: Cost
    meets: int
    devices: int
    channel: int
    content: Content
    price: Cost


class _Filling:
    """Devices on the channels of a machine, one after another."""

    def __init__(
        self,
        lots: Sequence[Lot],
        channels: Sequence[str],
        price: Price,
        meeting: Cost,
    ) -> None:
        order = {lot.kind: n for n, lot in reversed(list(enumerate(lots)))}
        self.alike = sorted(lots, key=lambda lot: order[lot.kind])
        self.lots = {lot.kind: lot for lot in lots}
        self.price = price
        self.meeting = meeting
        barred = [tuple(lot.name for lot in lots if i in lot.barred) for i in range(len(channels))]
        # Channels of one sort that hold the same are as good as each other.
        self.sorts = [(kind, *off) for kind, off in zip(channels, barred, strict=True)]
        self.fitting = {
            lot.kind: [i for i, k in enumerate(channels) if k in lot.busses and i not in lot.barred]
            for lot in lots
        }
        self.contents: list[Content] = [() for _ in channels]
        self.empty = [price(i, ()) for i in range(len(channels))]
        self.costs = list(self.empty)
        self.start = FREE
        for cost in self.costs:
            self.start = self.start.plus(cost)
        # No placement costs less.
        self.least = self.start
        for lot in (lot for lot in lots if lot.rivals and lot.kind < min(lot.rivals)):
            if len(self.fitting[lot.kind]) < len(lot.rivals) + 1:
                self.least = self.least.plus(meeting.times(lot.volumes))

    def straight(self) -> _Found | None:
        """Put each device on the emptiest of the cheapest channels; None if one has none."""
        cost = self.start
        for lot in self.alike:
            ways = [self._way(lot, channel) for channel in self.fitting[lot.kind]]
            heapify(ways)
            for _ in range(lot.number):
                if not ways or ways[0].price.broken:
                    return None
                way = ways[0]
                cost = cost.plus(way.more)
                self.contents[way.channel], self.costs[way.channel] = way.content, way.price
                heapreplace(ways, self._way(lot, way.channel))
        return None if cost.broken else (tuple(self.contents), cost)

    def first(self, target: Cost) -> _Found | None:
        """Return the first placement that costs no more than a target, in a few steps."""
        self.contents, self.costs = [() for _ in self.contents], list(self.empty)
        units = [lot for lot in self.alike for _ in range(lot.number)]
        seen: set[object] = set()
        steps = ARRANGING_STEPS

        def place_from(index: int, cost: Cost) -> _Found | None:
            nonlocal steps
            if index == len(units):
                return tuple(self.contents), cost
            state = (index, tuple(sorted(zip(self.sorts, self.contents, strict=True))))
            if state in seen or not steps:
                return None
            seen.add(state)
            steps -= 1
            for way in sorted(self._way(units[index], n) for n in self.fitting[units[index].kind]):
                if (after := cost.plus(way.more)) > target:
                    return None
                was = self.contents[way.channel], self.costs[way.channel]
                self.contents[way.channel], self.costs[way.channel] = way.content, way.price
                found = place_from(index + 1, after)
                if found is not None:
                    return found
                self.contents[way.channel], self.costs[way.channel] = was
            return None

        return place_from(0, self.start)

    def _way(self, lot: Lot, channel: int) -> _Way:
        """What one more device of a lot makes of a channel."""
        content, before = self.contents[channel], self.costs[channel]
        here = dict(content)
        meets = sum(1 for rival in lot.rivals if rival in here)
        met = 0 if lot.kind in here else meets
        here[lot.kind] = here.get(lot.kind, 0) + 1
        now = tuple(sorted(here.items()))
        after = self.price(channel, now)
        more = after.minus(before).plus(self.meeting.times(met * lot.volumes))
        return _Way(more, meets, sum(here.values()), channel, now, after)


# Sort of channel, kinds of devices with their numbers, whether prices count -> largest patterns.
Patterns = dict[tuple[Any, ...], list[Pattern]]


class _Cover:
    """The cheapest cover of all devices by patterns, one for each channel."""

    def __init__(self, filling: _Filling, known: Patterns) -> None:
        self.filling = filling
        numbers: dict[str, int] = {}
        for lot in filling.alike:
            numbers[lot.kind] = numbers.get(lot.kind, 0) + lot.number
        # Of the last kind only the most is looked for.
        self.kinds = tuple(sorted(numbers, key=lambda kind: numbers[kind]))
        self.numbers = tuple(numbers[kind] for kind in self.kinds)
        self.none = (0,) * len(numbers)
        self.steps = PLACEMENT_STEPS
        self.priced = False
        # Channels of one sort follow each other.
        self.order = sorted(range(len(filling.sorts)), key=lambda i: filling.sorts[i])
        self._prices: dict[tuple[tuple[str, ...], Pattern], Cost] = {}
        self._patterns = known
        self._rooms: list[Pattern] = []
        self._known: dict[tuple[int, Pattern], tuple[Cost, Pattern] | None] = {}

    def cheapest(self) -> _Found | None:
        """Return the cheapest contents of all channels; None if none exist, or steps ran out."""
        for self.priced in (False, True):
            largest = [self._largest(channel) for channel in self.order]
            self._known = {}
            self._weights = self._weighings()
            # The most of each kind, and of all by each weight, that the channels from each on take.
            most = [
                tuple(map(max, *map(self._weighed, (self.none, self.none, *patterns))))
                for patterns in largest
            ]
            self._rooms = [
                tuple(PART_ROUNDING + sum(each) for each in zip(*most[at:], strict=True))
                for at in range(len(most))
            ]
            found = self._from(0, self.numbers) if self.steps else None
            if not self.steps or found is None:
                return None
            if self.priced or not any(map(self._costs_more, self.order, largest)):
                break
        return self._contents()

    def _weighings(self) -> list[tuple[float, ...]]:
        """Return weights of the kinds: the part of a channel of each sort that one takes, and 1."""
        found = [(1.0,) * len(self.kinds)]
        for channel in {self.filling.sorts[n]: n for n in self.order}.values():
            most = map(max, *self._largest(channel), self.none, self.none)
            found.append(tuple(1 / n if n else 0.0 for n in most))
        return found

    def _weighed(self, pattern: Pattern) -> tuple[float, ...]:
        return (*pattern, *(sum(map(mul, each, pattern)) for each in self._weights))

    def _costs_more(self, channel: int, patterns: Sequence[Pattern]) -> bool:
        least = self._price(channel, self.none)
        return any(self._price(channel, pattern) > least for pattern in patterns)

    def _contents(self) -> _Found:
        contents: dict[int, Content] = {}
        rest, cost = self.numbers, FREE
        for at, channel in enumerate(self.order):
            known = self._known[at, rest]
            assert known is not None
            contents[channel] = self._content(known[1])
            cost = cost.plus(self._price(channel, known[1]))
            rest = _minus(rest, known[1])
        return tuple(contents[n] for n in range(len(contents))), cost

    def evened(self, found: _Found) -> _Found:
        """Move devices from full channels to emptier ones, as long as that costs no more."""
        held = [self._pattern(content) for content in found[0]]
        while self._move_one(held):
            pass
        return tuple(map(self._content, held)), found[1]

    def _move_one(self, held: list[Pattern]) -> bool:
        """Move a device to a channel with at least two fewer; return whether one was moved."""
        channels = list(enumerate(held))
        for (a, full), (b, free), n in product(channels, channels, range(len(self.kinds))):
            if not full[n] or sum(full) < sum(free) + 2:
                continue
            if b not in self.filling.fitting[self.kinds[n]]:
                continue
            less, more = _plus(full, n, -1), _plus(free, n)
            before = self._price(a, full).plus(self._price(b, free))
            if self._price(a, less).plus(self._price(b, more)) <= before:
                held[a], held[b] = less, more
                return True
        return False

    def _pattern(self, content: Content) -> Pattern:
        here = dict(content)
        return tuple(here.get(kind, 0) for kind in self.kinds)

    def _content(self, pattern: Pattern) -> Content:
        return tuple(sorted((k, n) for k, n in zip(self.kinds, pattern, strict=True) if n))

    def _price(self, channel: int, pattern: Pattern) -> Cost:
        key = (self.filling.sorts[channel], pattern)
        if key not in self._prices:
            content = self._content(pattern)
            cost = self.filling.price(channel, content)
            here = dict(content)
            for kind in here:
                lot = self.filling.lots[kind]
                for rival in lot.rivals:
                    if rival in here and kind < rival:
                        cost = cost.plus(self.filling.meeting.times(lot.volumes))
            self._prices[key] = cost
        return self._prices[key]

    def _largest(self, channel: int) -> list[Pattern]:
        """The patterns of a channel to which no device can be added for what counts."""
        key = (self.filling.sorts[channel], self.kinds, self.numbers, self.priced)
        if key not in self._patterns:
            most = tuple(
                number if channel in self.filling.fitting[kind] else 0
                for kind, number in zip(self.kinds, self.numbers, strict=True)
            )
            every = dict.fromkeys(self._unbroken(channel, (), most))
            if not self.steps:
                return []

            def grows(pattern: Pattern) -> bool:
                larger = (p for n in range(len(pattern)) if (p := _plus(pattern, n)) in every)
                price = self._price(channel, pattern) if self.priced else FREE
                return any(not self.priced or self._price(channel, p) <= price for p in larger)

            self._patterns[key] = sorted(
                (p for p in every if not grows(p)),
                key=lambda p: (self._price(channel, p), -sum(p), p),
            )
        return self._patterns[key]

    def _unbroken(self, channel: int, first: Pattern, most: Pattern) -> Iterator[Pattern]:
        """The patterns that begin with some numbers; only the most of the last kind, if unpriced.

        A pattern is not broken if none is that is larger.
        """
        rest = self.none[len(first) + 1 :]

        def holds(number: int) -> bool:
            self.steps -= min(self.steps, 1)
            return self.steps > 0 and not self._price(channel, (*first, number, *rest)).broken

        if not rest and not self.priced:
            number = 0
            if any(first):
                # There are no more than beside fewer of the others.
                number = most[-1]
                while number and not holds(number):
                    number -= 1
            else:
                while number < most[-1] and holds(number + 1):
                    number += 1
            if holds(number):
                yield (*first, number)
            return
        for number in range(most[len(first)] + 1):
            if not holds(number):
                return
            if rest:
                found = list(self._unbroken(channel, (*first, number), most))
                yield from found
                most = (*most[:-1], max((each[-1] for each in found), default=0))
            else:
                yield (*first, number)

    def _from(self, at: int, rest: Pattern) -> tuple[Cost, Pattern] | None:
        """The least cost of what is left on the channels from one on, and the pattern of that."""
        if at == len(self.order):
            return None if any(rest) else (FREE, ())
        key = (at, rest)
        if key in self._known or not self.steps:
            return self._known.get(key)
        self.steps -= 1
        best: tuple[Cost, Pattern] | None = None
        if all(map(le, self._weighed(rest), self._rooms[at])):
            channel, tried = self.order[at], set()
            for pattern in self._largest(channel):
                taken = tuple(map(min, pattern, rest))
                if taken in tried:
                    continue
                tried.add(taken)
                price = self._price(channel, taken) if self.priced else FREE
                if best is not None and price >= best[0]:
                    continue
                after = self._from(at + 1, _minus(rest, taken))
                if after is not None and (best is None or price.plus(after[0]) < best[0]):
                    best = price.plus(after[0]), taken
                    if best[0] == FREE:
                        break
        self._known[key] = best
        return best


def _plus(pattern: Pattern, at: int, more: int = 1) -> Pattern:
    return (*pattern[:at], pattern[at] + more, *pattern[at + 1 :])


def _minus(pattern: Pattern, other: Pattern) -> Pattern:
    return tuple(map(sub, pattern, other))
