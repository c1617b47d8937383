"""Devices dealt over channels: nothing overloaded, rivals apart, advice followed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settled import settled
from sizewright.planner.placement import Content, Lot, Placement, Price, place
from sizewright.planner.policy import FREE, Cost

SCSI = frozenset(("scsi",))
IPI = frozenset(("ipi",))


def at_most(number: int) -> Price:
    """A price that breaks a channel with more devices than so many."""

    def price(_channel: int, content: Content) -> Cost:
        return Cost(broken=1) if sum(n for _, n in content) > number else FREE

    return price


def dealt(found: Placement | None) -> list[dict[str, int]]:
    assert found is not None
    return [dict(content) for content in found.contents]


def advice() -> Cost:
    return Cost(advice=1)


def free() -> Cost:
    return FREE


def lot(name: str, number: int = 1, busses: frozenset[str] = SCSI, *rivals: str) -> Lot:
    return Lot(name, name, number, busses, frozenset(rivals))


def test_devices_go_where_they_can_be_attached() -> None:
    found = place([lot("a", 1, SCSI), lot("b", 1, IPI)], ["ipi", "scsi"], at_most(7), free)
    assert dealt(found) == [{"b": 1}, {"a": 1}]


def test_without_a_channel_of_their_kind_there_is_no_placement() -> None:
    assert place([lot("b", 1, IPI)], ["scsi"], at_most(7), free) is None
    assert place([lot("a")], [], at_most(7), free) is None


def test_nothing_to_place_is_placed() -> None:
    found = place([], ["scsi"], at_most(7), free)
    assert found == Placement(((),), FREE)


def test_a_channel_is_never_overloaded() -> None:
    found = place([lot("a", 3)], ["scsi", "scsi"], at_most(2), free)
    assert sorted(sum(content.values()) for content in dealt(found)) == [1, 2]
    assert place([lot("a", 5)], ["scsi", "scsi"], at_most(2), free) is None


def test_rivals_are_kept_apart_where_there_is_room() -> None:
    rivals = [lot("one", 1, SCSI, "two"), lot("two", 1, SCSI, "one")]
    apart = place(rivals, ["scsi", "scsi"], at_most(7), advice)
    assert apart is not None
    assert apart.cost == FREE
    together = place(rivals, ["scsi"], at_most(7), advice)
    assert together is not None
    assert together.cost.advice >= 1


def test_devices_of_a_lot_are_all_dealt() -> None:
    found = place([lot("a", 4), lot("b", 3), lot("c", 2)], ["scsi"] * 3, at_most(3), free)
    totals = {name: sum(content.get(name, 0) for content in dealt(found)) for name in "abc"}
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
    lots = [lot(n, k, SCSI, *rivals.get(n, ())) for n, k in zip(names, numbers, strict=True)]

    def price(_channel: int, content: Content) -> Cost:
        total = sum(n for _, n in content)
        return Cost(broken=int(total > room), advice=max(0, total - advised))

    units = [each.name for each in lots for _ in range(each.number)]
    best: Cost | None = None
    for where in product(range(channels), repeat=len(units)):
        contents: list[dict[str, int]] = [{} for _ in range(channels)]
        for name, channel in zip(units, where, strict=True):
            contents[channel][name] = contents[channel].get(name, 0) + 1
        cost = FREE
        for index, content in enumerate(contents):
            cost = cost.plus(price(index, tuple(sorted(content.items()))))
            if rivals and {"a", "b"} <= content.keys():
                cost = cost.plus(Cost(advice=1))
        if not cost.broken and (best is None or cost < best):
            best = cost
    found = place(lots, ["scsi"] * channels, price, advice)
    assert (found and found.cost) == best


@pytest.mark.parametrize("channels", [2, 4])
def test_many_alike_devices_are_dealt_at_once(channels: int) -> None:
    """Twenty disks on four channels are not tried in every order."""
    found = place([lot("a", 5 * channels)], ["scsi"] * channels, at_most(5), free)
    assert [sum(content.values()) for content in dealt(found)] == [5] * channels


def test_a_lot_stays_off_channels_that_it_is_barred_from() -> None:
    kept = lot("a", 2)._replace(barred=frozenset((0,)))
    assert dealt(place([kept, lot("b")], ["scsi", "scsi"], at_most(7), free)) == [
        {"b": 1}, {"a": 2},
    ]  # fmt: skip


def test_a_lot_barred_from_every_channel_has_no_place() -> None:
    kept = lot("a")._replace(barred=frozenset((0, 1)))
    assert place([kept], ["scsi", "scsi"], at_most(7), free) is None


def over(name: str, number: int, channels: int) -> Lot:
    """A lot that lies evenly over so many channels."""
    return lot(name, number)._replace(over=channels)


def even(counts: Sequence[int], channels: int) -> bool:
    """Whether so many channels hold some, and none of them two more than another."""
    held = [n for n in counts if n]
    return len(held) == channels and max(held) - min(held) <= 1


@pytest.mark.parametrize(("number", "channels"), [(4, 2), (5, 2), (5, 3), (3, 3), (6, 1)])
def test_a_lot_lies_evenly_over_as_many_channels_as_it_is_told(number: int, channels: int) -> None:
    found = dealt(place([over("a", number, channels)], ["scsi"] * 4, at_most(7), free))
    assert even([content.get("a", 0) for content in found], channels)


def test_it_has_no_place_where_its_channels_are_too_few_or_too_full() -> None:
    assert place([over("a", 4, 3)], ["scsi"] * 2, at_most(7), free) is None
    assert place([over("a", 4, 3)], ["scsi", "scsi", "ipi"], at_most(7), free) is None
    assert place([over("a", 5, 2)], ["scsi"] * 4, at_most(2), free) is None
    barred = over("a", 4, 2)._replace(barred=frozenset((0, 2)))
    assert place([barred], ["scsi"] * 3, at_most(7), free) is None


def test_an_odd_device_goes_where_there_is_room_for_it() -> None:
    """Three devices on two channels, of which one has no room for a second."""

    def price(channel: int, content: Content) -> Cost:
        return Cost(broken=int(sum(n for _, n in content) > channel + 1))

    either = over("a", 3, 2)._replace(busses=SCSI | IPI)
    assert dealt(place([either], ["scsi", "ipi"], price, free)) == [{"a": 1}, {"a": 2}]


def test_no_channel_holds_two_more_than_another_for_want_of_room() -> None:
    """Four devices on two channels, of which one has room for three and one for one."""

    def price(channel: int, content: Content) -> Cost:
        return Cost(broken=int(sum(n for _, n in content) > (3, 1)[channel]))

    either = over("a", 4, 2)._replace(busses=SCSI | IPI)
    assert place([either], ["scsi", "ipi"], price, free) is None
    anyhow = either._replace(over=0)
    assert dealt(place([anyhow], ["scsi", "ipi"], price, free)) == [{"a": 3}, {"a": 1}]


def test_advice_does_not_widen_a_lot() -> None:
    """It would be followed on three channels; the lot lies over two."""

    def price(_channel: int, content: Content) -> Cost:
        return Cost(advice=max(0, sum(n for _, n in content) - 1))

    found = place([over("a", 3, 2)], ["scsi"] * 3, price, free)
    assert found is not None and found.cost == Cost(advice=1)
    assert sorted(content.get("a", 0) for content in dealt(found)) == [0, 1, 2]


# Channels of a kind are as good as each other, so those with more room are of another.
ROOMS = frozenset(f"room for {n}" for n in range(5))


@st.composite
def spread_lots(draw: st.DrawFn) -> list[Lot]:
    """Some that lie over a number of channels, each of a kind of its own, and some that do not."""
    lots = []
    for name in "abc"[: draw(st.integers(1, 3))]:
        number = draw(st.integers(1, 4 if name == "a" else 2))
        width = draw(st.integers(0, number))
        lots.append(over(name, number, width)._replace(busses=ROOMS))
    if len(lots) > 1 and draw(st.booleans()):
        lots[0] = lots[0]._replace(rivals=frozenset("b"))
        lots[1] = lots[1]._replace(rivals=frozenset("a"))
    return lots


@settled(100)
@given(
    lots=spread_lots(), rooms=st.lists(st.integers(0, 4), min_size=1, max_size=3),
    advised=st.integers(0, 2),
)  # fmt: skip
def test_no_cheaper_even_placement_exists(lots: list[Lot], rooms: list[int], advised: int) -> None:
    def price(channel: int, content: Content) -> Cost:
        total = sum(n for _, n in content)
        return Cost(broken=int(total > rooms[channel]), advice=max(0, total - advised))

    best: Cost | None = None
    ways = [
        [n for n in product(range(each.number + 1), repeat=len(rooms))
         if sum(n) == each.number and (not each.over or even(n, each.over))]
        for each in lots
    ]  # fmt: skip
    for numbers in product(*ways):
        held = list(zip(*numbers, strict=True))
        cost = FREE
        for index, here in enumerate(held):
            named = [(each.name, n) for each, n in zip(lots, here, strict=True) if n]
            cost = cost.plus(price(index, tuple(named)))
            if lots[0].rivals and here[0] and here[1]:
                cost = cost.plus(Cost(advice=1))
        if not cost.broken and (best is None or cost < best):
            best = cost
    found = place(lots, [f"room for {n}" for n in rooms], price, advice)
    assert (found and found.cost) == best
    for each in lots if found else ():
        counts = [content.get(each.name, 0) for content in dealt(found)]
        assert sum(counts) == each.number
        assert not each.over or even(counts, each.over)
