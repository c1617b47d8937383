"""The cheapest cover of devices by patterns of channels, compared with every way to place them."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settled import settled
from sizewright.evaluate.policy import FREE, Cost
from sizewright.planner.cover import Cover, Known
from sizewright.planner.filling import Content, DeviceGroup, Filling
from sizewright.planner.planning import Work

MEETING = Cost(advice=1)
ROOM = {"scsi": 4, "ipi": 3}


class Asked(NamedTuple):
    """Devices of one kind: how many in each copy, copies, what one takes, and where it fits."""

    number: int
    copies: int
    part: int
    busses: tuple[str, ...]


def groups_of(asked: list[Asked]) -> list[DeviceGroup]:
    groups = []
    for n, each in enumerate(asked):
        names = [f"disk {n}{chr(ord('a') + copy)}" for copy in range(each.copies)]
        groups += [
            DeviceGroup(name, name, each.number, frozenset(each.busses), frozenset(names) - {name})
            for name in names
        ]
    return groups


def penalty_of(asked: list[Asked], channel: str, content: Content) -> Cost:
    """A channel is full at its room; its second sort of device is not as advised."""
    taken = sum(asked[int(name.split()[1][:-1])].part * number for name, number in content)
    sorts = {name.split()[1][:-1] for name, _ in content}
    return Cost(broken=int(taken > ROOM[channel]), advice=max(0, len(sorts) - 1))


def cost_of(asked: list[Asked], groups: list[DeviceGroup], channels: list[str],
            contents: tuple[Content, ...]) -> Cost:  # fmt: skip
    cost = FREE
    for channel, content in zip(channels, contents, strict=True):
        cost = cost.plus(penalty_of(asked, channel, content))
        here = {name for name, _ in content}
        for group in groups:
            rivals = [r for r in group.anti_affinity if group.kind < r]
            cost = cost.plus(MEETING.times(sum(r in here for r in rivals if group.kind in here)))
    return cost


def least(asked: list[Asked], channels: list[str]) -> Cost | None:
    """The least cost of all ways to place the devices; None if none keeps the limits."""
    groups = groups_of(asked)
    devices = [group for group in groups for _ in range(group.number)]
    places = [[i for i, c in enumerate(channels) if c in d.busses] for d in devices]
    found = None
    for way in product(*places):
        held = [Counter[str]() for _ in channels]
        for device, at in zip(devices, way, strict=True):
            held[at][device.kind] += 1
        cost = cost_of(asked, groups, channels, tuple(tuple(sorted(h.items())) for h in held))
        if not cost.broken and (found is None or cost < found):
            found = cost
    return found


ASKED = st.builds(
    Asked, number=st.integers(1, 2), copies=st.integers(1, 2), part=st.integers(1, 3),
    busses=st.sampled_from([("scsi",), ("ipi",), ("ipi", "scsi")]),
)  # fmt: skip


@settled(2400)
@given(
    asked=st.lists(ASKED, min_size=1, max_size=3).filter(
        lambda asked: sum(each.number * each.copies for each in asked) <= 7
    ),
    channels=st.lists(st.sampled_from(sorted(ROOM)), min_size=1, max_size=3),
)
def test_a_cover_costs_as_little_as_the_best_of_all_ways(
    asked: list[Asked], channels: list[str]
) -> None:
    groups = groups_of(asked)

    def penalty(channel: str, content: Content) -> Cost:
        return penalty_of(asked, channel, content)

    cover = Cover(Filling(groups, channels, penalty, MEETING, {}), Known({}, {}, {}, {}, Work()))
    found, best = cover.cheapest(), least(asked, channels)
    assert (found and found[1]) == best
    if found is None:
        return
    contents = cover.evened(found[0])
    assert cost_of(asked, groups, channels, contents) == best
    placed = Counter[str]()
    for channel, content in zip(channels, contents, strict=True):
        placed.update(dict(content))
        assert all(channel in group.busses for group in groups if group.kind in dict(content))
    assert placed == Counter({group.kind: group.number for group in groups})


def test_weights_prove_without_a_search_that_there_is_no_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Eight disks of each of three models, and no channel takes two models.

    A channel takes 4 of the first two, 2 of the third: 2 + 2 + 4 channels, and there are 7.
    """
    groups = [DeviceGroup(name, name, 8, frozenset(("scsi",))) for name in "abc"]

    def penalty(_channel: str, content: Content) -> Cost:
        kinds = {kind for kind, _ in content}
        most = 0 if len(kinds) > 1 else 2 if "c" in kinds else 4
        return Cost(broken=int(sum(n for _, n in content) > most))

    def cover(channels: int) -> Cover:
        filling = Filling(groups, ["scsi"] * channels, penalty, MEETING, {})
        return Cover(filling, Known({}, {}, {}, {}, Work()))

    assert cover(8).cheapest() is not None
    monkeypatch.delattr(Cover, "_from")
    assert cover(7).cheapest() is None
