"""Places devices on channels: nothing overloaded, halves of a mirror apart, advice followed.

How many devices of each kind one channel takes is a pattern with a penalty. What all devices cost
at least is the cheapest cover by patterns, one for each channel. If devices that go onto the
emptiest channel one after another cost no more, they stay there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heapreplace
from itertools import product
from operator import le, mul, sub
from typing import Any, NamedTuple

from sizewright.evaluate.policy import FREE, Cost
from sizewright.limits import ARRANGING_STEPS, PART_ROUNDING, PLACEMENT_STEPS


class DeviceGroup(NamedTuple):
    """Devices of one model for one copy of a pool, or removable media of one model.

    Groups of one `kind` ask the same of a channel and are interchangeable in a placement.
    `anti_affinity` are kinds that should not share a channel with this one; such a group is a kind
    of its own, and each of its `volumes` suffers where they meet. `barred` are channels that it
    must stay off.
    """

    name: str
    kind: str
    number: int
    busses: frozenset[str]
    anti_affinity: frozenset[str] = frozenset()
    volumes: int = 1
    barred: frozenset[int] = frozenset()


Content = tuple[tuple[str, int], ...]
# What rules count against a channel of a kind with some content.
Penalty = Callable[[str, Content], Cost]


class Placement(NamedTuple):
    """How many devices of each group are on each channel, and what that costs."""

    contents: tuple[Content, ...]
    cost: Cost


class Outcome(NamedTuple):
    """The cheapest placement found, and whether no cheaper one exists.

    One that is `straight` has each device on the emptiest of the cheapest channels. `found` are its
    contents by kinds of devices.
    """

    placement: Placement | None
    is_proven: bool
    straight: bool = False
    found: _Found | None = None


def place(
    groups: Sequence[DeviceGroup],
    channels: Sequence[str],
    penalty: Penalty,
    apart: Callable[[], Cost],
    known: Known | None = None,
    fewer: Outcome | None = None,
) -> Outcome:
    """Return the cheapest placement of groups on channels of the given kinds, None if none exists.

    `penalty` says what rules count against a channel with some content of kinds of groups; adding a
    device never lowers it. `apart` is the penalty of a pair of such kinds on one channel. A
    placement is proven unless there are too many patterns to look at. What is `known` from other
    placements at the same penalties is used again. That of `fewer` devices, or of devices that ask
    less, costs no more; often the others find room beside them.
    """
    known = known or Known({}, {}, {}, {})
    filling = _Filling(groups, channels, penalty, apart(), known.added)
    key = (*filling.sorts, *((g.kind, g.number, g.barred) for g in filling.alike))
    if key not in known.found:
        known.found[key] = _cheapest(filling, known, fewer)
    found, is_proven, straight = known.found[key]
    return Outcome(found and _placement(groups, found), is_proven, straight, found)


def _cheapest(
    filling: _Filling, known: Known, fewer: Outcome | None
) -> tuple[_Found | None, bool, bool]:
    """Return the cheapest contents found, whether none are cheaper, and if they are straight."""
    found = filling.straight()
    if fewer is not None and fewer.is_proven and fewer.found is not None:
        filling.least = max(filling.least, fewer.found[1])
        if found is None or found[1] > filling.least:
            more = filling.beside(*fewer.found)
            if more is not None and more[1] <= filling.least:
                return more, True, False
    if found is not None and found[1] > filling.least:
        found = filling.first(filling.least) or found
    if found is not None and found[1] <= filling.least:
        return found, True, True
    cover = _Cover(filling, known)
    cheapest = cover.cheapest()
    if cheapest is not None and (found is None or cheapest[1] < found[1]):
        return cover.evened(cheapest), True, False
    return found, cover.steps > 0, True


def arranged(
    groups: Sequence[DeviceGroup], channels: Sequence[str], penalty: Penalty,
    apart: Callable[[], Cost], placement: Placement, known: Known,
) -> Placement:  # fmt: skip
    """Return the first placement of a cost that puts each device on the emptiest channel it can.

    If a bounded number of steps finds none, the placement is returned that is given.
    """
    filling = _Filling(groups, channels, penalty, apart(), known.added)
    found = filling.first(placement.cost)
    return placement if found is None else _placement(groups, found)


def _placement(groups: Sequence[DeviceGroup], found: _Found) -> Placement:
    return Placement(tuple(_contents_of(groups, found[0])), found[1])


def _contents_of(groups: Sequence[DeviceGroup], contents: Sequence[Content]) -> Iterator[Content]:
    """Which groups the devices of each kind on each channel belong to."""
    left = {group.name: group.number for group in groups}
    of_kind: dict[str, list[str]] = {}
    for group in groups:
        of_kind.setdefault(group.kind, []).append(group.name)
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
    penalty: Cost


class _Filling:
    """Devices on the channels of a machine, one after another."""

    def __init__(
        self,
        groups: Sequence[DeviceGroup],
        channels: Sequence[str],
        penalty: Penalty,
        meeting: Cost,
        added: dict[tuple[str, Content, str], _Added],
    ) -> None:
        order = {group.kind: n for n, group in reversed(list(enumerate(groups)))}
        self.alike = sorted(groups, key=lambda group: order[group.kind])
        self.groups = {group.kind: group for group in groups}
        self.numbers: Counter[str] = Counter()
        for group in groups:
            self.numbers[group.kind] += group.number
        self.penalty = penalty
        self.meeting = meeting
        self.kinds = channels
        self._added = added
        barred = [
            tuple(group.name for group in groups if i in group.barred) for i in range(len(channels))
        ]
        # Channels of one sort that hold the same are as good as each other.
        self.sorts = [(kind, *off) for kind, off in zip(channels, barred, strict=True)]
        self.fitting = {
            group.kind: [
                i for i, k in enumerate(channels) if k in group.busses and i not in group.barred
            ]
            for group in groups
        }
        self.contents: list[Content] = [() for _ in channels]
        self.start = FREE
        for kind in channels:
            self.start = self.start.plus(penalty(kind, ()))
        # No placement costs less.
        self.least = self.start
        for group in (
            group
            for group in groups
            if group.anti_affinity and group.kind < min(group.anti_affinity)
        ):
            if len(self.fitting[group.kind]) < len(group.anti_affinity) + 1:
                self.least = self.least.plus(meeting.times(group.volumes))

    def beside(self, contents: Sequence[Content], cost: Cost) -> _Found | None:
        """Put devices straight beside those that are placed already; None if these are others."""
        there = Counter(kind for content in contents for kind, n in content for _ in range(n))
        self.contents = list(contents)
        return self._straight(cost, there) if not there - self.numbers else None

    def straight(self) -> _Found | None:
        """Put each device on the emptiest of the cheapest channels; None if one has none."""
        return self._straight(self.start, Counter())

    def _straight(self, cost: Cost, there: Counter[str]) -> _Found | None:
        for group in self.alike:
            ways = [self._way(group, channel) for channel in self.fitting[group.kind]]
            heapify(ways)
            number = group.number - there[group.kind]
            there[group.kind] = max(0, -number)
            for _ in range(number):
                if not ways or ways[0].penalty.broken:
                    return None
                way = ways[0]
                cost = cost.plus(way.more)
                self.contents[way.channel] = way.content
                heapreplace(ways, self._way(group, way.channel))
        return None if cost.broken else (tuple(self.contents), cost)

    def first(self, target: Cost) -> _Found | None:
        """Return the first placement that costs no more than a target, in a few steps."""
        self.contents = [() for _ in self.contents]
        units = [group for group in self.alike for _ in range(group.number)]
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
                was = self.contents[way.channel]
                self.contents[way.channel] = way.content
                found = place_from(index + 1, after)
                if found is not None:
                    return found
                self.contents[way.channel] = was
            return None

        return place_from(0, self.start)

    def _way(self, group: DeviceGroup, channel: int) -> _Way:
        """What one more device of a group makes of a channel."""
        key = (self.kinds[channel], self.contents[channel], group.kind)
        added = self._added.get(key)
        if added is None:
            added = self._added[key] = self._with_one_more(*key[:2], group)
        more, meets, devices, content, penalty = added
        return _Way(more, meets, devices, channel, content, penalty)

    def _with_one_more(self, kind: str, content: Content, group: DeviceGroup) -> _Added:
        here = dict(content)
        meets = sum(1 for rival in group.anti_affinity if rival in here)
        met = 0 if group.kind in here else meets
        here[group.kind] = here.get(group.kind, 0) + 1
        now = tuple(sorted(here.items()))
        after = self.penalty(kind, now)
        more = after.minus(self.penalty(kind, content))
        more = more.plus(self.meeting.times(met * group.volumes))
        return more, meets, sum(here.values()), now, after


# What one more device adds to what counts, the rivals it meets, and what the channel has then.
_Added = tuple[Cost, int, int, Content, Cost]
# Sort of channel, kinds of devices with their numbers, whether penalties count -> largest patterns.
Patterns = dict[tuple[Any, ...], list[Pattern]]


class Known(NamedTuple):
    """What was found for earlier placements of a machine, by what asks the same of channels."""

    patterns: Patterns
    added: dict[tuple[str, Content, str], _Added]
    found: dict[tuple[Any, ...], tuple[_Found | None, bool, bool]]
    penalties: dict[tuple[str, ...], dict[tuple[str, Pattern], Cost]]


class _Cover:
    """The cheapest cover of all devices by patterns, one for each channel."""

    def __init__(self, filling: _Filling, known: Known) -> None:
        self.filling = filling
        numbers = filling.numbers
        # Of the last kind only the most is looked for.
        self.kinds = tuple(sorted(numbers, key=lambda kind: numbers[kind]))
        self.numbers = tuple(numbers[kind] for kind in self.kinds)
        self._by_name = sorted((kind, n) for n, kind in enumerate(self.kinds))
        self._rivals = [
            (one, other, filling.meeting.times(filling.groups[kind].volumes))
            for kind, one in self._by_name for rival, other in self._by_name
            if kind < rival and rival in filling.groups[kind].anti_affinity
        ]  # fmt: skip
        self.none = (0,) * len(numbers)
        self.steps = PLACEMENT_STEPS
        self.penalised = False
        # Channels of one sort follow each other.
        self.order = sorted(range(len(filling.sorts)), key=lambda i: filling.sorts[i])
        self._penalties = known.penalties.setdefault(self.kinds, {})
        self._patterns = known.patterns
        self._rooms: list[Pattern] = []
        self._known: dict[tuple[int, Pattern], tuple[Cost, Pattern] | None] = {}

    def cheapest(self) -> _Found | None:
        """Return the cheapest contents of all channels; None if none exist, or steps ran out."""
        for self.penalised in (False, True):
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
            if self.penalised or not any(map(self._costs_more, self.order, largest)):
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
        least = self._penalty(channel, self.none)
        return any(self._penalty(channel, pattern) > least for pattern in patterns)

    def _contents(self) -> _Found:
        contents: dict[int, Content] = {}
        rest, cost = self.numbers, FREE
        for at, channel in enumerate(self.order):
            known = self._known[at, rest]
            assert known is not None
            contents[channel] = self._content(known[1])
            cost = cost.plus(self._penalty(channel, known[1]))
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
            before = self._penalty(a, full).plus(self._penalty(b, free))
            if self._penalty(a, less).plus(self._penalty(b, more)) <= before:
                held[a], held[b] = less, more
                return True
        return False

    def _pattern(self, content: Content) -> Pattern:
        here = dict(content)
        return tuple(here.get(kind, 0) for kind in self.kinds)

    def _content(self, pattern: Pattern) -> Content:
        return tuple((kind, pattern[n]) for kind, n in self._by_name if pattern[n])

    def _penalty(self, channel: int, pattern: Pattern) -> Cost:
        key = (self.filling.kinds[channel], pattern)
        cost = self._penalties.get(key)
        if cost is None:
            cost = self.filling.penalty(key[0], self._content(pattern))
            for one, other, meeting in self._rivals:
                if pattern[one] and pattern[other]:
                    cost = cost.plus(meeting)
            self._penalties[key] = cost
        return cost

    def _largest(self, channel: int) -> list[Pattern]:
        """The patterns of a channel to which no device can be added for what counts."""
        key = (self.filling.sorts[channel], self.kinds, self.numbers, self.penalised)
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
                penalty = self._penalty(channel, pattern) if self.penalised else FREE
                return any(
                    not self.penalised or self._penalty(channel, p) <= penalty for p in larger
                )

            self._patterns[key] = sorted(
                (p for p in every if not grows(p)),
                key=lambda p: (self._penalty(channel, p), -sum(p), p),
            )
        return self._patterns[key]

    def _unbroken(self, channel: int, first: Pattern, most: Pattern) -> Iterator[Pattern]:
        """Yield patterns that begin with some numbers; without penalties, the largest last number.

        A pattern is not broken if none is that is larger.
        """
        rest = self.none[len(first) + 1 :]

        def holds(number: int) -> bool:
            self.steps -= min(self.steps, 1)
            return self.steps > 0 and not self._penalty(channel, (*first, number, *rest)).broken

        if not rest and not self.penalised:
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
            # None is as many as was asked for before.
            if (number or not first) and not holds(number):
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
                penalty = self._penalty(channel, taken) if self.penalised else FREE
                if best is not None and penalty >= best[0]:
                    continue
                after = self._from(at + 1, _minus(rest, taken))
                if after is not None and (best is None or penalty.plus(after[0]) < best[0]):
                    best = penalty.plus(after[0]), taken
                    if best[0] == FREE:
                        break
        self._known[key] = best
        return best


def _plus(pattern: Pattern, at: int, more: int = 1) -> Pattern:
    return (*pattern[:at], pattern[at] + more, *pattern[at + 1 :])


def _minus(pattern: Pattern, other: Pattern) -> Pattern:
    return tuple(map(sub, pattern, other))
