"""Bounds on channels: what can be placed fits, and counting shows what cannot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settled import settled
from sizewright.planner.channel_bound import ChannelBound
from sizewright.planner.choice import PartialSolution
from sizewright.planner.filling import Content, DeviceGroup

ROOM = 3


class Board:
    """A board that brings channels."""

    def __init__(self, *brings: str) -> None:
        self.brings = brings

    def list(self, column: str) -> tuple[str, ...]:
        return self.brings if column == "disk_busses" else ()


class Both:
    """A device that either kind of channel takes."""

    def list(self, _column: str) -> list[str]:
        return ["scsi", "ipi"]


BOARDS = {"a": Board("scsi"), "b": Board("ipi", "scsi"), "c": Board("ipi")}


class Devices:
    """Groups of devices that take parts of the addresses and of the transfers of a channel."""

    def __init__(
        self, loads: Mapping[str, float], groups: Sequence[DeviceGroup], boards: str = ""
    ) -> None:
        self.loads = loads
        self.groups = tuple(groups)
        self.pools: dict[str, Any] = {}
        self.demand = SimpleNamespace(owned={}, required={})
        self.machine = SimpleNamespace(
            channel_kinds=frozenset(("scsi", "ipi")), channels=lambda row: row.brings,
            boards={name: BOARDS[name] for name in boards},
            guide=SimpleNamespace(table=lambda _name: SimpleNamespace(rows={1: Both()})),
        )  # fmt: skip

    def of(self, _choice: PartialSolution) -> tuple[dict[str, Any], tuple[DeviceGroup, ...]]:
        return {}, self.groups

    def addresses(self, _channel: str) -> float:
        return ROOM

    def parts(self, channel: str, kind: str) -> Mapping[str, float]:
        # A string is twice as fast.
        load = self.loads[kind] / (2 if channel == "ipi" else 1)
        return {"channel.devices": 1 / ROOM, "load": load}


def bound(devices: Any) -> ChannelBound:
    return ChannelBound(devices, (), (), lambda _choice, _bus: False)


def fits(loads: Mapping[str, float], groups: Sequence[DeviceGroup], *kinds: str) -> bool:
    channels = [(kind, "bus") for kind in kinds]
    return bound(Devices(loads, groups)).lacking(PartialSolution(), channels) is None


def group(name: str, number: int, *busses: str) -> DeviceGroup:
    return DeviceGroup(name, name, number, frozenset(busses or ("scsi",)))


def contents(groups: Sequence[DeviceGroup], channels: Sequence[str]) -> Iterator[list[Content]]:
    """Every placement, each device by itself."""
    units = [each for each in groups for _ in range(each.number)]
    for where in product(range(len(channels)), repeat=len(units)):
        if any(channels[c] not in u.busses for u, c in zip(units, where, strict=True)):
            continue
        held: list[dict[str, int]] = [{} for _ in channels]
        for unit, channel in zip(units, where, strict=True):
            held[channel][unit.kind] = held[channel].get(unit.kind, 0) + 1
        yield [tuple(sorted(each.items())) for each in held]


def can_be_placed(devices: Devices, channels: Sequence[str]) -> bool:
    """Whether some placement overloads no channel, by trying all."""
    return any(
        all(
            sum(n * devices.parts(channel, kind)[name] for kind, n in content) <= 1 + 1e-9
            for channel, content in zip(channels, placed, strict=True)
            for name in ("channel.devices", "load")
        )
        for placed in contents(devices.groups, channels)
    )


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, float], list[DeviceGroup], list[str]]:
    groups, loads = [], {}
    for name in "xyz"[: draw(st.integers(1, 3))]:
        loads[name] = draw(st.sampled_from((0, 0.2, 0.34, 0.5, 0.6, 1, 1.2)))
        busses = draw(st.sampled_from((("scsi",), ("scsi",), ("ipi",), ("ipi", "scsi"))))
        groups.append(group(name, draw(st.integers(1, 2)), *busses))
    return loads, groups, draw(st.lists(st.sampled_from(("scsi", "scsi", "ipi")), max_size=3))


@pytest.mark.no_cover
@settled(200)
@given(case=cases())
def test_whatever_can_be_placed_fits(
    case: tuple[dict[str, float], list[DeviceGroup], list[str]],
) -> None:
    loads, groups, channels = case
    if can_be_placed(Devices(loads, groups), channels):
        assert fits(loads, groups, *channels)


@pytest.mark.no_cover
@settled(100)
@given(case=cases(), names=st.sampled_from(("ab", "ac", "abc", "a")))
def test_no_fewer_adapters_are_enough_than_foreseen(
    case: tuple[dict[str, float], list[DeviceGroup], list[str]], names: str
) -> None:
    loads, groups, channels = case
    devices: Any = Devices(loads, groups, names)
    foreseen = bound(devices).further_adapters(
        PartialSolution(), [(kind, "bus") for kind in channels]
    )
    for number in range(3):
        for chosen in combinations_with_replacement(names, number):
            kinds = [*channels, *(kind for name in chosen for kind in BOARDS[name].brings)]
            if can_be_placed(devices, kinds):
                assert foreseen <= number


def test_too_many_devices_do_not_fit() -> None:
    assert fits({"x": 0}, [group("x", 2 * ROOM)], "scsi", "scsi")
    assert not fits({"x": 0}, [group("x", 2 * ROOM + 1)], "scsi", "scsi")


def test_parts_of_all_devices_add_up() -> None:
    """0.6 and twice 0.3 of a channel are more than one, 0.6 and 0.3 are not."""
    loads = {"x": 0.6, "y": 0.3}
    assert not fits(loads, [group("x", 1), group("y", 2)], "scsi")
    assert fits(loads, [group("x", 1), group("y", 1)], "scsi")


def test_devices_are_not_cut() -> None:
    """Three disks of 0.6 are 1.8 channels, and take three."""
    assert not fits({"x": 0.6}, [group("x", 3)], "scsi", "scsi")
    assert fits({"x": 0.6}, [group("x", 3)], "scsi", "scsi", "scsi")


def test_devices_fit_only_channels_of_their_kinds() -> None:
    assert not fits({"x": 0}, [group("x", 1, "ipi")], "scsi")
    assert not fits({"x": 0.6, "y": 0}, [group("x", 2), group("y", 1, "ipi")], "scsi", "ipi")


def test_a_device_that_exceeds_every_channel_does_not_fit() -> None:
    assert not fits({"x": 1.2}, [group("x", 1)], *["scsi"] * 4)
    assert fits({"x": 1.2}, [group("x", 1, "scsi", "ipi")], "ipi")


def test_adapters_are_counted_by_the_channels_that_they_bring() -> None:
    """Seven devices of a third of a channel take three; there is one, a board brings two."""
    devices: Any = Devices({"x": 0}, [group("x", 7)], "ab")
    assert bound(devices).further_adapters(PartialSolution(), [("scsi", "sbus")]) == 1
    alone: Any = Devices({"x": 0}, [group("x", 7)], "a")
    assert bound(alone).further_adapters(PartialSolution(), [("scsi", "sbus")]) == 2
