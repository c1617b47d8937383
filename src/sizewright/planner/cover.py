"""The cheapest cover of all devices by patterns, one for each channel.

A pattern is how many devices of each kind one channel takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import exp
from operator import add, le, mul, sub
from typing import Any, NamedTuple

from sizewright.evaluate.policy import FREE, Cost
from sizewright.limits import FIRST_PACE, PART_ROUNDING, PLACEMENT_STEPS, SLOWER_AFTER, WEIGHINGS
from sizewright.planner.filling import Added, Content, Filling, Found
from sizewright.planner.planning import Work

Pattern = tuple[int, ...]
# Sort of channel, kinds of devices with their numbers, whether penalties count -> largest patterns.
Patterns = dict[tuple[Any, ...], list[Pattern]]


class Known(NamedTuple):
    """What was found for earlier placements of a machine, by what asks the same of channels."""

    patterns: Patterns
    added: dict[tuple[str, Content, str], Added]
    found: dict[tuple[Any, ...], tuple[Found | None, bool, bool]]
    penalties: dict[tuple[str, ...], dict[tuple[str, Pattern], Cost]]
    work: Work


class Cover:
    """The cheapest cover of all devices by patterns, one for each channel."""

    def __init__(self, filling: Filling, known: Known) -> None:
        self.filling = filling
        # Of the last kind only the most is looked for.
        kinds = sorted(_interchangeable(filling), key=lambda each: each[1])
        self.copies = tuple(copies for copies, _ in kinds)
        self.kinds = tuple(copies[0] for copies in self.copies)
        self.numbers = tuple(number for _, number in kinds)
        # The names of devices, the number of their kind, and which of some copies they are.
        self._by_name = sorted(
            (name, n, at if len(copies) > 1 else None)
            for n, copies in enumerate(self.copies) for at, name in enumerate(copies)
        )  # fmt: skip
        self._rivals = [
            (kind, rival, filling.meeting.times(group.volumes))
            for kind, group in filling.groups.items()
            for rival in group.anti_affinity if kind < rival
        ]  # fmt: skip
        self.none = (0,) * len(kinds)
        self.steps = PLACEMENT_STEPS
        self.penalised = False
        # Channels of one sort follow each other.
        self.order = sorted(range(len(filling.sorts)), key=lambda i: filling.sorts[i])
        self._penalties = known.penalties.setdefault(self.kinds, {})
        self._patterns = known.patterns
        self._rooms: list[Pattern] = []
        self._only_here: list[tuple[int, ...]] = []
        self._known: dict[tuple[int, Pattern], tuple[Cost, Pattern] | None] = {}

    def cheapest(self) -> tuple[tuple[Pattern, ...], Cost] | None:
        """Return the cheapest patterns of all channels; None if none exist, or steps ran out."""
        for self.penalised in (False, True):
            largest = [self._largest(channel) for channel in self.order]
            self._known = {}
            if not self.penalised and self._lacks_room(largest):
                return None
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
            self._only_here = [self._kinds_only(at, largest) for at in range(len(self.order))]
            found = self._from(0, self.numbers) if self.steps else None
            if not self.steps or found is None:
                return None
            if self.penalised or not any(map(self._costs_more, self.order, largest)):
                break
        return self._patterns_found()

    def _lacks_room(self, largest: Sequence[Sequence[Pattern]]) -> bool:
        """Return whether weights of the kinds prove that the channels do not take all devices.

        They do if each channel with its heaviest pattern bears less than all devices weigh. Kinds
        that are short of room then get more weight, those with room to spare get less.
        """
        if not all(largest):
            return False
        sorts = {self.filling.sorts[n]: each for n, each in zip(self.order, largest, strict=True)}
        channels = [(self.filling.sorts.count(sort), each) for sort, each in sorts.items()]
        weights = [1 / number for number in self.numbers]
        for turn in range(WEIGHINGS):
            held = list(self.none)
            for number, patterns in channels:
                heaviest = max(patterns, key=lambda p: sum(map(mul, weights, p)))
                held = [n + number * more for n, more in zip(held, heaviest, strict=True)]
            if all(map(le, self.numbers, held)):
                return False
            needed = sum(map(mul, weights, self.numbers))
            if sum(map(mul, weights, held)) < needed * (1 - PART_ROUNDING):
                return True
            pace = FIRST_PACE / (1 + turn / SLOWER_AFTER)
            short = ((n - there) / n for n, there in zip(self.numbers, held, strict=True))
            weights = [
                w * exp(pace * max(-1, each)) for w, each in zip(weights, short, strict=True)
            ]
        return False

    def _weighings(self) -> list[tuple[float, ...]]:
        """Return weights of the kinds: the part of a channel of each sort that one takes, and 1."""
        found = [(1.0,) * len(self.kinds)]
        for channel in {self.filling.sorts[n]: n for n in self.order}.values():
            most = map(max, *self._largest(channel), self.none, self.none)
            found.append(tuple(1 / n if n else 0.0 for n in most))
        return found

    def _kinds_only(self, at: int, largest: Sequence[Sequence[Pattern]]) -> tuple[int, ...]:
        """Return the kinds that no channel after those of one's sort takes, the hardest first.

        Those channels are equal, so it may be this one that has the next device of such a kind.
        """
        sorts = self.filling.sorts
        here = sorts[self.order[at]]
        later = [
            pattern
            for channel, patterns in zip(self.order[at:], largest[at:], strict=True)
            if sorts[channel] != here for pattern in patterns
        ]  # fmt: skip
        taking = [sum(map(bool, column)) for column in zip(*largest[at], strict=True)]
        only = (n for n in range(len(taking)) if not any(pattern[n] for pattern in later))
        return tuple(sorted(only, key=lambda n: (taking[n], n)))

    def _weighed(self, pattern: Pattern) -> tuple[float, ...]:
        return (*pattern, *(sum(map(mul, each, pattern)) for each in self._weights))

    def _costs_more(self, channel: int, patterns: Sequence[Pattern]) -> bool:
        least = self._penalty(channel, self.none)
        return any(self._penalty(channel, pattern) > least for pattern in patterns)

    def _patterns_found(self) -> tuple[tuple[Pattern, ...], Cost]:
        """Return the pattern of each channel, and what all cost."""
        held: dict[int, Pattern] = {}
        rest, cost = self.numbers, FREE
        for at, channel in enumerate(self.order):
            known = self._known[at, rest]
            assert known is not None
            held[channel] = known[1]
            cost = cost.plus(self._penalty(channel, known[1]))
            rest = _minus(rest, known[1])
        return tuple(held[n] for n in range(len(held))), cost

    def evened(self, patterns: Sequence[Pattern]) -> tuple[Content, ...]:
        """Move devices from full channels to emptier ones, as long as that costs no more."""
        held = list(patterns)
        while self._move_one(held):
            pass
        placed, contents = self.none, []
        for pattern in held:
            contents.append(self._content(pattern, placed))
            placed = tuple(map(add, placed, pattern))
        return tuple(contents)

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

    def _content(self, pattern: Pattern, placed: Pattern) -> Content:
        """The devices of a pattern by name; of copies those that are not placed yet."""
        return tuple(
            (name, pattern[n] if copy is None else 1)
            for name, n, copy in self._by_name
            if (pattern[n] if copy is None else placed[n] <= copy < placed[n] + pattern[n])
        )

    def _penalty(self, channel: int, pattern: Pattern) -> Cost:
        key = (self.filling.kinds[channel], pattern)
        cost = self._penalties.get(key)
        if cost is None:
            content = self._content(pattern, self.none)
            cost = self.filling.penalty(key[0], content)
            here = dict(content)
            for one, other, meeting in self._rivals:
                if one in here and other in here:
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
            is_last = at + 1 == len(self.order)
            first = next((kind for kind in self._only_here[at] if rest[kind]), None)
            for pattern in self._largest(channel):
                if first is not None and not pattern[first]:
                    continue
                taken = tuple(map(min, pattern, rest))
                if taken in tried or (is_last and taken != rest):
                    continue
                tried.add(taken)
                penalty = self._penalty(channel, taken) if self.penalised else FREE
                if best is not None and penalty >= best[0]:
                    continue
                after = self._from(at + 1, _minus(rest, taken))
                if not self.steps:
                    return None
                if after is not None and (best is None or penalty.plus(after[0]) < best[0]):
                    best = penalty.plus(after[0]), taken
                    if best[0] == FREE:
                        break
        self._known[key] = best
        return best


def _interchangeable(filling: Filling) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the kinds of devices that matter, with their names, and how many there are of each.

    Copies of one disk each have kinds of their own only because they keep off each other. Which of
    them a channel has makes no difference, so they are one kind.
    """
    for kind, number in filling.numbers.items():
        copies = tuple(sorted((kind, *filling.groups[kind].anti_affinity)))
        if any(filling.numbers[copy] != 1 for copy in copies):
            if number:
                yield (kind,), number
        elif kind == copies[0]:
            yield copies, len(copies)


def _plus(pattern: Pattern, at: int, more: int = 1) -> Pattern:
    return (*pattern[:at], pattern[at] + more, *pattern[at + 1 :])


def _minus(pattern: Pattern, other: Pattern) -> Pattern:
    return tuple(map(sub, pattern, other))
