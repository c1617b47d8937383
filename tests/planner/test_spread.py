"""Over how many channels disks are spread: which ways are tried, and what they look like."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from math import ceil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_workloads import Plain
from serving import demanded
from settled import settled
from sizewright.limits import SPREADS_TRIED
from sizewright.planner.spread import Spread, laid_out, spreads
from sizewright.planner.storage import Pool, Store, pools_of

DISK = "1-3gb-ipi"
TIMED: Plain = {"ops": 100, "as_fast_as_disks": True, "within_s": 60}
FOREVER: Plain = {"ops": 100, "as_fast_as_disks": True}
FIXED: Plain = {"ops_per_s": 10}


def pools(**works: list[Plain]) -> tuple[Pool, ...]:
    """A pool for each volume, by the work done on it."""
    items = [
        {"name": f"{name} {n}", "volume": name, **work}
        for name, all_ in works.items() for n, work in enumerate(all_)
    ]  # fmt: skip
    volumes = [{"name": name, "size_mb": 100, "access": "serial"} for name in works]
    service = {"kind": "measured", "name": "program", "memory_mb": 1, "work": items}
    return pools_of(demanded(service, volumes=volumes))


def store(pool: str, per_copy: int, copies: int = 1) -> Store:
    return Store(pool, (pool,), DISK, per_copy, copies, 0)


def guest(pool: str, host: str) -> Store:
    return Store(pool, (pool,), "", 0, 1, 0, host=host)


def widths(all_: tuple[Pool, ...], *stores: Store, channels: int = 99, devices: float = 7) -> Any:
    return [dict(way) for way in spreads(all_, stores, channels, devices)]


def test_the_narrowest_is_tried_first_and_the_widest_last() -> None:
    found = widths(pools(a=[TIMED], b=[TIMED]), store("a", 3), store("b", 2))
    assert found == [
        {"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 1}, {"a": 2, "b": 2}, {"a": 3, "b": 1},
        {"a": 3, "b": 2},
    ]  # fmt: skip


def test_no_channel_has_more_disks_than_it_addresses() -> None:
    """Eight disks need two channels of seven, fifteen need three."""
    timed = pools(a=[TIMED])
    assert [widths(timed, store("a", n))[0]["a"] for n in (7, 8, 14, 15)] == [1, 2, 2, 3]


def test_there_are_no_more_channels_than_disks_or_than_can_be_had() -> None:
    timed = pools(a=[TIMED])
    assert [way["a"] for way in widths(timed, store("a", 4))] == [1, 2, 3, 4]
    assert [way["a"] for way in widths(timed, store("a", 4), channels=2)] == [1, 2]


def test_a_copy_is_spread_by_the_disks_of_its_own() -> None:
    assert [way["a"] for way in widths(pools(a=[TIMED]), store("a", 3, copies=2))] == [1, 2, 3]


def test_disks_that_lend_room_are_left_alone() -> None:
    all_ = pools(a=[TIMED], b=[TIMED], c=[])
    found = widths(all_, store("a", 3), store("b", 2), guest("c", "a"))
    assert found == [{"b": 1}, {"b": 2}]


def test_a_guest_has_no_disks_to_spread() -> None:
    all_ = pools(a=[FIXED], b=[TIMED])
    assert widths(all_, store("a", 3), guest("b", "a")) == [{}]


@pytest.mark.parametrize(
    ("works", "spread"),
    [
        ([TIMED], True), ([TIMED, FIXED], True), ([TIMED, FOREVER], True), ([FOREVER], False),
        ([FIXED], False), ([], False),
    ],
)  # fmt: skip
def test_disks_are_spread_where_runs_are_to_end_in_a_wanted_time(
    works: list[Plain], spread: bool
) -> None:
    (first, *_) = widths(pools(a=works), store("a", 3))
    assert ("a" in first) is spread


@settled(80)
@given(
    numbers=st.lists(st.integers(1, 60), min_size=1, max_size=8),
    channels=st.integers(1, 40),
    devices=st.integers(1, 8),
)
def test_ways_are_few_ordered_and_within_bounds(
    numbers: list[int], channels: int, devices: int
) -> None:
    names = "abcdefgh"[: len(numbers)]
    fit = {n: k for n, k in zip(names, numbers, strict=True) if ceil(k / devices) <= channels}
    stores = [store(name, number) for name, number in fit.items()]
    found = list(spreads(pools(**{name: [TIMED] for name in fit}), stores, channels, devices))
    assert 1 <= len(found) <= SPREADS_TRIED
    assert len(set(found)) == len(found)
    assert found == sorted(found, key=_narrowness)
    for way in found:
        assert [pool for pool, _ in way] == list(fit)
        for pool, width in way:
            assert ceil(fit[pool] / devices) <= width <= min(fit[pool], channels)
    assert dict(found[-1]) == {name: min(number, channels) for name, number in fit.items()}


def _narrowness(way: Spread) -> tuple[int, list[int]]:
    numbers = [width for _, width in way]
    return sum(numbers), numbers


def test_one_pool_is_tried_on_as_many_channels_as_is_worth_it() -> None:
    found = widths(pools(a=[TIMED]), store("a", 200), channels=200)
    assert [way["a"] for way in found] == [*range(29, 29 + SPREADS_TRIED - 1), 200]


@settled(80)
@given(per_copy=st.integers(1, 30), copies=st.integers(1, 2), width=st.integers(1, 30))
def test_disks_lie_as_evenly_as_can_be_and_copies_apart(
    per_copy: int, copies: int, width: int
) -> None:
    width = min(width, per_copy)
    channels, volume = laid_out(store("a", per_copy, copies), width, "ipi-2")
    assert len({channel.id for channel in channels}) == len(channels) == width * copies
    assert {channel.kind for channel in channels} == {"ipi-2"}
    assert {(d.kind, d.model) for c in channels for d in c.devices} == {("disk", DISK)}
    home = {device.id: channel.id for channel in channels for device in channel.devices}
    assert len(home) == sum(len(channel.devices) for channel in channels) == per_copy * copies
    assert len(volume.copies) == copies
    held = [Counter(home[part.disk] for part in copy) for copy in volume.copies]
    for counts in held:
        assert len(counts) == width and counts.total() == per_copy
        assert max(counts.values()) - min(counts.values()) <= 1
    assert sum(held, Counter()).keys() == {channel.id for channel in channels}
    assert all(part.size_mb > 0 for copy in volume.copies for part in copy)


def test_ways_are_told_one_by_one() -> None:
    ways = spreads(pools(a=[TIMED]), [store("a", 3)], 9, 7)
    assert list(islice(ways, 1)) == [(("a", 1),)]
