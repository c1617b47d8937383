"""The least that devices must cost on channels, told before adapters are chosen and devices placed.

Devices are looked at in views, each of which asks less than the whole: devices of one pattern that
are all taken for the least demanding of them, or their transfers as if they could be cut at will.
What is not possible in some view is not possible at all, and the costliest view is a lower bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from math import inf, isclose
from typing import Any, NamedTuple

from sizewright.configuration.slots import slot_need
from sizewright.guide.model import Row
from sizewright.planner.devices import ANY, RANDOM, SERIAL, Lots
from sizewright.planner.placement import Content, Lot
from sizewright.planner.rates import RateLimits

# Advice not followed, and advice followed at the better end only.
Price = tuple[float, float]
# At each price, the most that there is room for; dearer ones have more.
Levels = tuple[tuple[Price, float], ...]

FREE: Price = (0, 0)
NEVER: Price = (inf, inf)
_NO_ROOM: Levels = ((FREE, 0),)
_PAIR = 2


class Coming(NamedTuple):
    """What pools bring at least, where so many others are `stored`: disks and KB/s by pattern."""

    stored: int
    disks: Mapping[str, int]
    rates: Mapping[str, float]


NOTHING_TO_COME = Coming(0, {}, {})


class _View(NamedTuple):
    """An amount that channels have room for.

    Devices of a `kind`, each of which counts as so much; without kinds it is KB/s over channels
    with disks of a `pattern`.
    """

    amount: float
    pattern: str
    kinds: tuple[tuple[str, float], ...] = ()


class _Views(NamedTuple):
    """Views of lots that no channel or board has in common, and of all lots together.

    `mirrored` are the busses and the volumes of lots that keep away from each other.
    """

    apart: tuple[tuple[frozenset[str], tuple[_View, ...]], ...]
    together: tuple[_View, ...]
    mirrored: tuple[tuple[frozenset[str], int], ...]


class Outlook:
    """Lower bounds for one machine, remembered."""

    def __init__(self, lots: Lots, limits: RateLimits, end: str) -> None:
        self.lots = lots
        self.limits = limits
        self.end = end
        self._offers: dict[tuple[Row, ...], tuple[Offer, ...]] = {}
        self._views: dict[Any, _Views] = {}
        self._levels: dict[tuple[str, tuple[tuple[str, float], ...]], Levels] = {}
        self._fronts: dict[tuple[tuple[Levels, ...], Levels], list[Levels]] = {}
        self._front_of: dict[Any, _Front] = {}
        self._prices: dict[Any, tuple[Price, ...]] = {}
        met = lots.meeting()
        self._met: Price = (met.advice, met.tight)

    def prices(
        self,
        lots: tuple[Lot, ...],
        channels: Iterable[str],
        boards: tuple[Row, ...] = (),
        left: Mapping[str, int] | None = None,
        coming: Coming = NOTHING_TO_COME,
    ) -> tuple[Price, ...]:
        """For each number of further boards, the least price of placing all lots.

        `boards` are those that can be added, with so many slots `left` of each group. The price is
        that of empty channels more or less, and NEVER where no placement is possible.
        """
        rooms = self._rooms(channels, boards, left)
        seen = (lots, coming.stored, rooms.offers)
        key = (*seen, rooms.channels, rooms.slots)
        if key not in self._prices:
            if seen not in self._views:
                self._views[seen] = self._viewed(lots, rooms.offers, coming)
            self._prices[key] = self._priced(self._views[seen], rooms)
        return self._prices[key]

    def rough_prices(
        self,
        devices: int,
        channels: Iterable[str],
        boards: tuple[Row, ...] = (),
        left: Mapping[str, int] | None = None,
        kb_per_s: float = 0,
    ) -> tuple[Price, ...]:
        """The same where devices and what they transfer are only counted."""
        rooms = self._rooms(channels, boards, left)
        found = self._price(_View(devices, ANY, ((ANY, 1),)), rooms, None)
        return _worst(found, self._price(_View(kb_per_s, ANY), rooms, None)) if kb_per_s else found

    def _rooms(
        self, channels: Iterable[str], boards: tuple[Row, ...], left: Mapping[str, int] | None
    ) -> _Rooms:
        if boards not in self._offers:
            machine = self.lots.machine
            self._offers[boards] = tuple(
                (machine.groups(row)[0], slot_need(row), machine.channels(row)) for row in boards
            )
        left = left or {}
        slots = tuple(left.values()) if boards else ()
        return _Rooms(tuple(sorted(channels)), self._offers[boards], left, slots)

    def _priced(self, views: _Views, rooms: _Rooms) -> tuple[Price, ...]:
        found: tuple[Price, ...] = (FREE,)
        for busses, own in views.apart:
            worst: tuple[Price, ...] = (FREE,)
            for view in own:
                worst = _worst(worst, self._price(view, rooms, busses))
            found = _both(found, worst)
        for view in views.together:
            found = _worst(found, self._price(view, rooms, None))
        if not views.mirrored:
            return found
        # With two more channels none need meet.
        extra = tuple(self._meetings(views, rooms, n) for n in range(_PAIR + 1))
        return _sum(found, extra if rooms.offers else extra[:1])

    def _meetings(self, views: _Views, rooms: _Rooms, boards: int) -> Price:
        """The price of copies that have one channel among them."""
        advice, tight = self._met
        times = 0
        for busses, volumes in views.mirrored:
            own = sum(kind in busses for kind in rooms.channels)
            each = max((sum(k in busses for k in kinds) for _, _, kinds in rooms.offers), default=0)
            times += volumes if own + each * boards < _PAIR else 0
        return (advice * times, tight * times)

    def _viewed(self, lots: Sequence[Lot], offers: Sequence[Offer], coming: Coming) -> _Views:
        groups = list(_apart(lots, offers))
        apart = tuple(
            (busses, tuple(self._of_lots(own, NOTHING_TO_COME))) for busses, own in groups
        )
        together: tuple[_View, ...] = ()
        if len(groups) != 1 or coming.disks:
            together = tuple(self._of_lots(lots, coming))
        pairs = {lot.kind: lot for lot in lots if lot.rivals}
        firsts = (lot for lot in pairs.values() if lot.kind < min(lot.rivals))
        return _Views(apart, together, tuple((lot.busses, lot.volumes) for lot in firsts))

    def _of_lots(self, lots: Sequence[Lot], coming: Coming) -> Iterator[_View]:
        yield from self._counts(lots, coming)
        disks = {pattern: self._disks(lots, coming, pattern) for pattern in (RANDOM, SERIAL)}
        if disks[RANDOM] and disks[SERIAL]:
            yield from self._mixed(lots, disks)
        for pattern in disks if not coming.disks else ():
            yield from self._by_rate(
                [lot for lot in lots if self._is(lot, pattern) and self._rate(lot)], pattern
            )

    def _counts(self, lots: Sequence[Lot], coming: Coming) -> Iterator[_View]:
        for pattern in (RANDOM, SERIAL, ANY):
            disks = self._disks(lots, coming, pattern)
            own = sum(lot.number * self._rate(lot) for lot in lots if self._is(lot, pattern))
            rate = own + coming.rates.get(pattern, 0)
            if disks:
                yield _View(disks, pattern, ((pattern, 1),))
            if rate:
                yield _View(rate, pattern)

    def _disks(self, lots: Sequence[Lot], coming: Coming, pattern: str) -> int:
        own = sum(lot.number for lot in lots if self._is(lot, pattern))
        return own + coming.disks.get(pattern, 0)

    def _by_rate(self, lots: list[Lot], pattern: str) -> Iterator[_View]:
        """The most demanding devices, then with the next as if they demanded no more than these."""
        lots.sort(key=self._rate, reverse=True)
        number = 0
        for n, lot in enumerate(lots):
            number += lot.number
            before = [self.lots.uses[other.kind] for other in lots[: n + 1]]
            if all(self.lots.uses[lot.kind].asks_no_more(use) for use in before):
                yield _View(number, pattern, ((lot.kind, 1),))

    def _mixed(self, lots: Sequence[Lot], disks: Mapping[str, int]) -> Iterator[_View]:
        """Disks of both patterns, each counted as its part of a channel that is full of its own."""
        for kind in sorted({kind for lot in lots for kind in lot.busses}):
            parts = tuple((p, self._part(kind, p)) for p in (RANDOM, SERIAL))
            yield _View(sum(disks[pattern] * part for pattern, part in parts), "", parts)

    def _part(self, kind: str, pattern: str) -> float:
        _, most = self._counted(kind, ((pattern, 1),))[0]
        return 1 / most if most else 1

    def _is(self, lot: Lot, pattern: str) -> bool:
        use = self.lots.uses[lot.kind]
        return pattern == ANY or (use.random if pattern == RANDOM else use.serial)

    def _rate(self, lot: Lot) -> float:
        rate = self.lots.uses[lot.kind].rate_kb_per_s
        return rate.at(self.end) if rate else 0

    def _price(
        self, view: _View, rooms: _Rooms, busses: frozenset[str] | None
    ) -> tuple[Price, ...]:
        key = (view.pattern, view.kinds, rooms.channels, rooms.offers, rooms.slots, busses)
        front = self._front_of.get(key)
        if front is None:
            front = self._front_of[key] = self._front(view, rooms, busses)
        found: list[Price] = []
        for number in range(front.boards + 1):
            if number == len(front.levels):
                last = front.levels[-1]
                front.levels.append(_with(last, front.added))
            enough = (p for p, room in front.levels[number] if _enough(room, view.amount))
            found.append(next(enough, NEVER))
            if found[-1] == FREE:
                break
        return tuple(found)

    def _front(self, view: _View, rooms: _Rooms, busses: frozenset[str] | None) -> _Front:
        def levels(kind: str) -> Levels:
            return self._of(kind, view) if busses is None or kind in busses else _NO_ROOM

        fixed = tuple(sorted(map(levels, rooms.channels)))
        boards: list[tuple[Price, float]] = []
        slots: dict[str, int] = {}
        for group, need, kinds in rooms.offers:
            added = reduce(_with, map(levels, kinds), _NO_ROOM)
            if added != _NO_ROOM and rooms.left.get(group, 0) >= need:
                boards += added
                slots[group] = max(slots.get(group, 0), rooms.left[group] // need)
        added = _best(boards)
        known = self._fronts.setdefault((fixed, added), [])
        if not known:
            known.append(reduce(_with, fixed, _NO_ROOM))
        return _Front(known, added, sum(slots.values()))

    def _of(self, kind: str, view: _View) -> Levels:
        """The room of one channel."""
        if view.kinds:
            return self._counted(kind, view.kinds)
        return ((FREE, self.limits.of(kind, view.pattern)),)

    def _counted(self, kind: str, kinds: tuple[tuple[str, float], ...]) -> Levels:
        """How much of devices that count as so much each; infinite where no address is the last."""
        key = (kind, kinds)
        if key not in self._levels:
            self._levels[key] = _best(self._contents(kind, kinds))
        return self._levels[key]

    def _contents(
        self, kind: str, kinds: Sequence[tuple[str, float]]
    ) -> Iterator[tuple[Price, float]]:
        base = self.lots.cost(kind, ())
        most = int(self.lots.machine.guide.row("disk-busses", kind).number("targets_limit"))
        yield FREE, 0
        growing: list[tuple[Content, float, int]] = [((), 0, 0)]
        for devices in range(1, most + 2):
            larger = []
            for content, amount, first in growing:
                for n, (name, part) in enumerate(kinds[first:], start=first):
                    here = dict(content)
                    here[name] = here.get(name, 0) + 1
                    now = tuple(sorted(here.items()))
                    cost = self.lots.cost(kind, now)
                    if cost.broken <= base.broken:
                        price = (cost.advice - base.advice, cost.tight - base.tight)
                        yield price, amount + part if devices <= most else inf
                        larger.append((now, amount + part, n))
            growing = larger


Offer = tuple[str, int, tuple[str, ...]]


class _Rooms(NamedTuple):
    channels: tuple[str, ...]
    offers: tuple[Offer, ...]
    left: Mapping[str, int]
    slots: tuple[int, ...]


class _Front(NamedTuple):
    """The room by how many boards are added, as far as asked for; what each adds; the most."""

    levels: list[Levels]
    added: Levels
    boards: int


def _apart(
    lots: Sequence[Lot], offers: Iterable[Offer]
) -> Iterator[tuple[frozenset[str], list[Lot]]]:
    """Lots by the channels that take them, those together that any channel or board could serve."""
    groups: list[tuple[frozenset[str], list[Lot]]] = []
    bridges = [frozenset(kinds) for _, _, kinds in offers]
    for lot in lots:
        busses, own = lot.busses, [lot]
        bridge = busses.union(*(b for b in bridges if not b.isdisjoint(busses)))
        apart = []
        for theirs, others in groups:
            if theirs.isdisjoint(bridge):
                apart.append((theirs, others))
            else:
                busses, own = busses | theirs, others + own
                bridge |= busses
        groups = [*apart, (busses, own)]
    yield from groups


def _with(one: Levels, other: Levels) -> Levels:
    """The room of both together."""
    if other == _NO_ROOM:
        return one
    return _best(
        ((a + more_a, t + more_t), room + more)
        for (a, t), room in one for (more_a, more_t), more in other
    )  # fmt: skip


def _best(levels: Iterable[tuple[Price, float]]) -> Levels:
    """Levels without those that cost more and have no more room."""
    found: dict[Price, float] = {}
    for price, room in levels:
        if room > found.get(price, -1):
            found[price] = room
    kept: list[tuple[Price, float]] = []
    for price in sorted(found):
        if not kept or found[price] > kept[-1][1]:
            kept.append((price, found[price]))
    return tuple(kept) or _NO_ROOM


def _enough(room: float, amount: float) -> bool:
    return room >= amount or isclose(room, amount)


def _worst(one: tuple[Price, ...], other: tuple[Price, ...]) -> tuple[Price, ...]:
    """The higher price at each number of boards."""
    return tuple(map(max, *_alike(one, other)))


def _sum(one: tuple[Price, ...], other: tuple[Price, ...]) -> tuple[Price, ...]:
    """Both prices at each number of boards."""
    return tuple(
        (a + more_a, t + more_t)
        for (a, t), (more_a, more_t) in zip(*_alike(one, other), strict=True)
    )


def _alike(one: tuple[Price, ...], other: tuple[Price, ...]) -> tuple[tuple[Price, ...], ...]:
    """Both at equal length; more boards than are listed help no further."""
    length = max(len(one), len(other))
    return tuple(each + each[-1:] * (length - len(each)) for each in (one, other))


def _both(one: tuple[Price, ...], other: tuple[Price, ...]) -> tuple[Price, ...]:
    """The least price of both, however the boards are divided between them."""
    if one == (FREE,):
        return other
    found = [NEVER] * (len(one) + len(other) - 1)
    for n, (a, t) in enumerate(one):
        for m, (more_a, more_t) in enumerate(other):
            found[n + m] = min(found[n + m], (a + more_a, t + more_t))
    return tuple(found)
