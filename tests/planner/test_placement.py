"""Devices contents_of over channels: nothing overloaded, rivals apart, advice followed."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settled import settled
from sizewright.evaluate.policy import FREE, Cost
from sizewright.planner.filling import Content, DeviceGroup, Penalty
from sizewright.planner.placement import Outcome, Placement, place

SCSI = frozenset(("scsi",))
IPI = frozenset(("ipi",))


def placed(*asked: Any) -> Placement | None:
    found = place(*asked)
    assert found.is_proven
    return found.placement


def at_most(number: int) -> Penalty:
    """A penalty that breaks a channel with more devices than this number."""

    def penalty(_channel: int, content: Content) -> Cost:
        return Cost(broken=1) if sum(n for _, n in content) > number else FREE

    return penalty


def contents_of(found: Placement | None) -> list[dict[str, int]]:
    assert found is not None
    return [dict(content) for content in found.contents]


def advice() -> Cost:
    return Cost(advice=1)


def free() -> Cost:
    return FREE


def group(name: str, number: int = 1, busses: frozenset[str] = SCSI, *rivals: str) -> DeviceGroup:
    return DeviceGroup(name, name, number, busses, frozenset(rivals))


def test_devices_go_where_they_can_be_attached() -> None:
    found = placed([group("a", 1, SCSI), group("b", 1, IPI)], ["ipi", "scsi"], at_most(7), free)
    assert contents_of(found) == [{"b": 1}, {"a": 1}]


def test_without_a_channel_of_their_kind_there_is_no_placement() -> None:
    assert placed([group("b", 1, IPI)], ["scsi"], at_most(7), free) is None
    assert placed([group("a")], [], at_most(7), free) is None


def test_nothing_to_place_is_placed() -> None:
    found = placed([], ["scsi"], at_most(7), free)
    assert found == Placement(((),), FREE)


def test_devices_are_evened_out_and_none_is_added_if_a_penalty_cannot_be_avoided() -> None:
    """A channel with `b` costs advice, and `a` may not be beside it."""

    def penalty(_channel: int, content: Content) -> Cost:
        here = {kind for kind, _ in content}
        return Cost(broken=here == {"a", "b"}, advice="b" in here)

    found = placed([group("a", 4), group("b")], ["scsi"] * 3, penalty, free)
    assert sorted(contents_of(found), key=str) == [{"a": 2}, {"a": 2}, {"b": 1}]


def test_a_channel_is_never_overloaded() -> None:
    found = placed([group("a", 3)], ["scsi", "scsi"], at_most(2), free)
    assert sorted(sum(content.values()) for content in contents_of(found)) == [1, 2]
    assert placed([group("a", 5)], ["scsi", "scsi"], at_most(2), free) is None


def test_rivals_are_kept_apart_where_there_is_room() -> None:
    rivals = [group("one", 1, SCSI, "two"), group("two", 1, SCSI, "one")]
    apart = placed(rivals, ["scsi", "scsi"], at_most(7), advice)
    assert apart is not None
    assert apart.cost == FREE
    together = placed(rivals, ["scsi"], at_most(7), advice)
    assert together is not None
    assert together.cost.advice >= 1


def test_devices_of_a_lot_are_all_dealt() -> None:
    found = placed([group("a", 4), group("b", 3), group("c", 2)], ["scsi"] * 3, at_most(3), free)
    totals = {name: sum(content.get(name, 0) for content in contents_of(found)) for name in "abc"}
    assert totals == {"a": 4, "b": 3, "c": 2}


@settled(60)
@given(
    numbers=st.lists(st.integers(1, 2), min_size=1, max_size=3),
    channels=st.integers(1, 3),
    room=st.integers(1, 3),
    advised=st.integers(0, 2),
    mirrored=st.booleans(),
)
def test_no_cheaper_placement_exists(
    numbers: list[int], channels: int, room: int, advised: int, mirrored: bool
) -> None:
    names = "abc"[: len(numbers)]
    rivals = {"a": ("b",), "b": ("a",)} if mirrored and len(numbers) > 1 else {}
    groups = [group(n, k, SCSI, *rivals.get(n, ())) for n, k in zip(names, numbers, strict=True)]

    def penalty(_channel: int, content: Content) -> Cost:
        total = sum(n for _, n in content)
        return Cost(broken=int(total > room), advice=max(0, total - advised))

    units = [each.name for each in groups for _ in range(each.number)]
    best: Cost | None = None
    for where in product(range(channels), repeat=len(units)):
        contents: list[dict[str, int]] = [{} for _ in range(channels)]
        for name, channel in zip(units, where, strict=True):
            contents[channel][name] = contents[channel].get(name, 0) + 1
        cost = FREE
        for index, content in enumerate(contents):
            cost = cost.plus(penalty(index, tuple(sorted(content.items()))))
            if rivals and {"a", "b"} <= content.keys():
                cost = cost.plus(Cost(advice=1))
        if not cost.broken and (best is None or cost < best):
            best = cost
    found = placed(groups, ["scsi"] * channels, penalty, advice)
    assert (found and found.cost) == best
    kinds = ["scsi"] * channels
    fewer = place(groups[:-1], kinds, penalty, advice)
    again = place(groups, kinds, penalty, advice, None, fewer)
    assert again.is_proven
    assert (again.placement and again.placement.cost) == best


def test_devices_beside_those_that_are_placed_take_the_room_that_is_left() -> None:
    """One after another the two of `a` would go on both channels, and `b` would meet one."""

    def penalty(_channel: int, content: Content) -> Cost:
        return Cost(advice=int({"a", "b"} <= dict(content).keys()))

    groups = [group("a", 2), group("b"), group("c")]
    fewer = Outcome(None, True, found=(((("a", 2),), (("b", 1),)), FREE))
    found = place(groups, ["scsi", "scsi"], penalty, free, None, fewer)
    assert contents_of(found.placement) == [{"a": 2}, {"b": 1, "c": 1}]
    assert found.found == (((("a", 2),), (("b", 1), ("c", 1))), FREE)


@pytest.mark.parametrize("channels", [2, 4])
def test_many_alike_devices_are_dealt_at_once(channels: int) -> None:
    """Twenty disks on four channels are not tried in every order."""
    found = placed([group("a", 5 * channels)], ["scsi"] * channels, at_most(5), free)
    assert [sum(content.values()) for content in contents_of(found)] == [5] * channels


def test_a_lot_stays_off_channels_that_it_is_barred_from() -> None:
    kept = group("a", 2)._replace(barred=frozenset((0,)))
    assert contents_of(placed([kept, group("b")], ["scsi", "scsi"], at_most(7), free)) == [
        {"b": 1}, {"a": 2},
    ]  # fmt: skip


def test_a_lot_barred_from_every_channel_has_no_placed() -> None:
    kept = group("a")._replace(barred=frozenset((0, 1)))
    assert placed([kept], ["scsi", "scsi"], at_most(7), free) is None


@settled(50)
@given(number=st.integers(0, 12), channels=st.integers(1, 5))
def test_devices_are_even_over_all_channels_that_take_them(number: int, channels: int) -> None:
    """As many channels as there are keep the most disks active."""
    found = contents_of(placed([group("a", number)], ["scsi"] * channels, at_most(12), free))
    counts = [content.get("a", 0) for content in found]
    assert sum(counts) == number
    assert max(counts) - min(counts) <= 1


def test_more_devices_than_all_channels_take_are_refused_at_once() -> None:
    """Thirteen disks of thirteen kinds on four channels of three: one too many."""
    groups = [group(f"disk {n:02d}") for n in range(13)]
    assert placed(groups, ["scsi"] * 4, at_most(3), free) is None


def test_a_placement_that_is_given_up_is_not_proven() -> None:
    """31 disks and 3, in pairs of the same sort, on 17 channels: one too few.

    Halves of pairs would fit, so no weights of the disks prove it.
    """
    groups = [group(f"a{n:02d}") for n in range(31)] + [group(f"b{n}") for n in range(3)]

    def penalty(channel: int, content: Content) -> Cost:
        sorts = {kind[0] for kind, _ in content}
        return at_most(2 if len(sorts) < 2 else 0)(channel, content)

    found = place(groups, ["scsi"] * 17, penalty, free)
    assert found.placement is None
    assert not found.is_proven


def test_kinds_without_a_device_ask_for_no_room() -> None:
    """Six disks in pairs of one sort on three channels: one too few, with none of a third."""
    groups = [group("a", 3), group("b", 3), group("c", 0)]

    def penalty(channel: int, content: Content) -> Cost:
        return at_most(2 if len(content) < 2 else 0)(channel, content)

    assert placed(groups, ["scsi"] * 3, penalty, free) is None
