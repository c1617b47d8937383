"""The least that devices must cost on channels, told before adapters are chosen and devices placed.

Every device takes a part of its channel: of its addresses, of the disks that may be active there,
of its transfers. Devices need as many channels as their parts make together; devices that cannot
be cut need more, as many as hold the less demanding of them one by one. Where that many channels
cannot be had, nothing can be placed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, floor, inf
from typing import Any, NamedTuple

from sizewright.configuration.slots import slot_need
from sizewright.guide.model import Row
from sizewright.limits import COUNT_AT_MOST, PART_ROUNDING
from sizewright.planner.devices import Lots
from sizewright.planner.placement import Lot

# Advice not followed, and advice followed at the better end only.
Price = tuple[float, float]
# Resource of a channel -> the part of one that is taken.
Parts = Mapping[str, float]

FREE: Price = (0, 0)
NEVER: Price = (inf, inf)
_PAIR = 2


class Outlook:
    """Lower bounds for one machine, remembered."""

    def __init__(self, lots: Lots) -> None:
        self.lots = lots
        self._offers: dict[tuple[Row, ...], tuple[Offer, ...]] = {}
        self._needs: dict[Any, _Needs] = {}
        met = lots.meeting()
        self._met: Price = (met.advice, met.tight)

    def prices(
        self,
        lots: tuple[Lot, ...],
        channels: Iterable[str],
        boards: tuple[Row, ...] = (),
        left: Mapping[str, int] | None = None,
        coming: Sequence[Parts] = (),
    ) -> tuple[Price, ...]:
        """For each number of further boards, the least price of placing all lots.

        `boards` are those that can be added, with so many slots `left` of each group. The price is
        that of empty channels more or less, and NEVER where no placement is possible. `coming` are
        the parts of what is not chosen yet, whichever channels it goes to.
        """
        kinds = tuple(channels)
        offers = self._offered(boards)
        key = (lots, offers, tuple(tuple(parts.items()) for parts in coming))
        if key not in self._needs:
            self._needs[key] = _needs(self.lots, lots, offers, coming)
        needs = self._needs[key]
        most = _most_boards(offers, left or {})
        fewest = sum(_boards(number, busses, kinds, offers) for busses, number in needs.apart)
        every = frozenset(kinds).union(*(brought for _, _, brought in offers))
        fewest = max(fewest, _boards(needs.together, every, kinds, offers))
        if fewest > most:
            return (NEVER,)
        found = [NEVER] * int(fewest)
        for number in range(int(fewest), max(int(fewest), min(most, _PAIR)) + 1):
            found.append(self._meetings(needs.mirrored, kinds, offers, number))
        return tuple(found)

    def _offered(self, boards: tuple[Row, ...]) -> tuple[Offer, ...]:
        if boards not in self._offers:
            machine = self.lots.machine
            self._offers[boards] = tuple(
                (machine.groups(row)[0], slot_need(row), machine.channels(row)) for row in boards
            )
        return self._offers[boards]

    def _meetings(
        self, mirrored: Sequence[tuple[frozenset[str], int]], kinds: Sequence[str],
        offers: Sequence[Offer], boards: int,
    ) -> Price:  # fmt: skip
        """The price of copies that have one channel among them."""
        advice, tight = self._met
        times = 0
        for busses, volumes in mirrored:
            own = sum(kind in busses for kind in kinds)
            times += volumes if own + _brought(busses, offers) * boards < _PAIR else 0
        return (advice * times, tight * times)


# A board's group of slots, how many it takes there, and the channels that it brings.
Offer = tuple[str, int, tuple[str, ...]]


class _Needs(NamedTuple):
    """Channels that lots need: those that share none with others, and all of them together.

    `mirrored` are the busses and the volumes of lots that keep away from each other.
    """

    apart: tuple[tuple[frozenset[str], int], ...]
    together: int
    mirrored: tuple[tuple[frozenset[str], int], ...]


def _needs(
    all_lots: Lots, lots: Sequence[Lot], offers: Sequence[Offer], coming: Sequence[Parts]
) -> _Needs:
    apart = tuple((busses, _channels(all_lots, own, ())) for busses, own in _apart(lots, offers))
    pairs = {lot.kind: lot for lot in lots if lot.rivals}
    firsts = (lot for lot in pairs.values() if lot.kind < min(lot.rivals))
    mirrored = tuple((lot.busses, lot.volumes) for lot in firsts)
    return _Needs(apart, _channels(all_lots, lots, coming), mirrored)


def _channels(all_lots: Lots, lots: Sequence[Lot], coming: Sequence[Parts]) -> int:
    """The fewest channels that hold some lots and what is to come; the most if none can."""
    parts = [(lot.number, least_parts(all_lots, lot.kind, lot.busses)) for lot in lots]
    resources = {name for _, taken in parts for name in taken}.union(*coming)
    fewest = 0
    for name in resources:
        each = sorted(((taken.get(name, 0), n) for n, taken in parts), reverse=True)
        whole = sum(part * n for part, n in each) + sum(more.get(name, 0) for more in coming)
        fewest = max(fewest, ceil(whole - PART_ROUNDING))
        number = 0
        for part, n in each:
            number += n
            if part > 1 + PART_ROUNDING:
                return COUNT_AT_MOST
            if part > 0:
                fewest = max(fewest, ceil(number / floor(1 / part + PART_ROUNDING)))
    return max(fewest, 1 if lots else 0)


def least_parts(all_lots: Lots, kind: str, busses: Iterable[str]) -> Parts:
    """The least part of any of some channels that a device takes, by resource."""
    taken = [all_lots.parts(bus, kind) for bus in busses]
    names = set(taken[0]).intersection(*taken) if taken else ()
    return {name: min(parts[name] for parts in taken) for name in names}


def _most_boards(offers: Sequence[Offer], left: Mapping[str, int]) -> int:
    slots: dict[str, int] = {}
    for group, need, _ in offers:
        if left.get(group, 0) >= need:
            slots[group] = max(slots.get(group, 0), left[group] // need)
    return sum(slots.values())


def _brought(busses: frozenset[str], offers: Sequence[Offer]) -> int:
    """The most channels of some kinds that one board brings."""
    return max((sum(kind in busses for kind in kinds) for _, _, kinds in offers), default=0)


def _boards(
    needed: int, busses: frozenset[str], kinds: Sequence[str], offers: Sequence[Offer]
) -> float:
    """The fewest further boards for so many channels of some kinds."""
    lacking = needed - sum(kind in busses for kind in kinds)
    if lacking <= 0:
        return 0
    each = _brought(busses, offers)
    return ceil(lacking / each) if each else inf


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
