"""Devices that go onto channels one after another, each on the emptiest of the cheapest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from heapq import heapify, heapreplace
from typing import NamedTuple

from sizewright.evaluate.policy import FREE, Cost
from sizewright.limits import ARRANGING_STEPS


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
# Contents of the channels, and what they cost.
Found = tuple[tuple[Content, ...], Cost]
# What one more device adds to what counts, the rivals it meets, and what the channel has then.
Added = tuple[Cost, int, int, Content, Cost]


class _Way(NamedTuple):
    """One channel for one more device, the cheaper and emptier the better."""

    more: Cost
    meets: int
    devices: int
    channel: int
    content: Content
    penalty: Cost


class Filling:
    """Devices on the channels of a machine, one after another."""

    def __init__(
        self,
        groups: Sequence[DeviceGroup],
        channels: Sequence[str],
        penalty: Penalty,
        meeting: Cost,
        added: dict[tuple[str, Content, str], Added],
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

    def beside(self, contents: Sequence[Content], cost: Cost) -> Found | None:
        """Put devices straight beside those that are placed already; None if these are others."""
        there = Counter(kind for content in contents for kind, n in content for _ in range(n))
        self.contents = list(contents)
        return self._straight(cost, there) if not there - self.numbers else None

    def straight(self) -> Found | None:
        """Put each device on the emptiest of the cheapest channels; None if one has none."""
        return self._straight(self.start, Counter())

    def _straight(self, cost: Cost, there: Counter[str]) -> Found | None:
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

    def first(self, target: Cost) -> Found | None:
        """Return the first placement that costs no more than a target, in a few steps."""
        self.contents = [() for _ in self.contents]
        units = [group for group in self.alike for _ in range(group.number)]
        seen: set[object] = set()
        steps = ARRANGING_STEPS

        def place_from(index: int, cost: Cost) -> Found | None:
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

    def _with_one_more(self, kind: str, content: Content, group: DeviceGroup) -> Added:
        here = dict(content)
        meets = sum(1 for rival in group.anti_affinity if rival in here)
        met = 0 if group.kind in here else meets
        here[group.kind] = here.get(group.kind, 0) + 1
        now = tuple(sorted(here.items()))
        after = self.penalty(kind, now)
        more = after.minus(self.penalty(kind, content))
        more = more.plus(self.meeting.times(met * group.volumes))
        return more, meets, sum(here.values()), now, after
