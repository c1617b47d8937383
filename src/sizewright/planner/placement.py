"""Places devices on channels: nothing overloaded, halves of a mirror apart, advice followed.

How many devices of each kind one channel takes is a pattern with a penalty. What all devices cost
at least is the cheapest cover by patterns, one for each channel. If devices that go onto the
emptiest channel one after another cost no more, they stay there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sizewright.evaluate.policy import Cost
from sizewright.limits import PATTERNS_A_STEP, PLACEMENT_STEPS
from sizewright.planner.cover import Cover, Known
from sizewright.planner.filling import Content, DeviceGroup, Filling, Found, Penalty
from sizewright.planner.planning import Work


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
    found: Found | None = None


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
    known = known or Known({}, {}, {}, {}, Work())
    filling = Filling(groups, channels, penalty, apart(), known.added)
    key = (*filling.sorts, *((g.kind, g.number, g.barred) for g in filling.alike))
    if key not in known.found:
        known.found[key] = _cheapest(filling, known, fewer)
    found, is_proven, straight = known.found[key]
    return Outcome(found and _placement(groups, found), is_proven, straight, found)


def _cheapest(
    filling: Filling, known: Known, fewer: Outcome | None
) -> tuple[Found | None, bool, bool]:
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
    cover = Cover(filling, known)
    cheapest = cover.cheapest()
    known.work.steps += (PLACEMENT_STEPS - cover.steps) / PATTERNS_A_STEP
    if cheapest is not None and (found is None or cheapest[1] < found[1]):
        return (cover.evened(cheapest[0]), cheapest[1]), True, False
    return found, cover.steps > 0, True


def arranged(
    groups: Sequence[DeviceGroup], channels: Sequence[str], penalty: Penalty,
    apart: Callable[[], Cost], placement: Placement, known: Known,
) -> Placement:  # fmt: skip
    """Return the first placement of a cost that puts each device on the emptiest channel it can.

    If a bounded number of steps finds none, the placement is returned that is given.
    """
    filling = Filling(groups, channels, penalty, apart(), known.added)
    found = filling.first(placement.cost)
    return placement if found is None else _placement(groups, found)


def _placement(groups: Sequence[DeviceGroup], found: Found) -> Placement:
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
