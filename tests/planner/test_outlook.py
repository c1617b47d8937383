"""Lower bounds: never dearer than the cheapest placement, and tight where counting tells all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settled import settled
from sizewright.planner.outlook import NEVER, Outlook
from sizewright.planner.placement import Content, Lot

ROOM = 3


class Row:
    """A board, or a kind of channel."""

    def __init__(self, name: str, bus: str = "", brings: Sequence[str] = ()) -> None:
        self.name, self.bus, self.brings = name, bus, tuple(brings)

    def number(self, _column: str, otherwise: float = 0) -> float:
        return otherwise or 1


BOARDS = {
    "a": Row("a", "sbus", ["scsi"]),
    "b": Row("b", "vme", ["ipi", "scsi"]),
    "c": Row("c", "vme", ["ipi"]),
}


class Fake:
    """Lots of devices that take parts of the addresses and of the transfers of a channel."""

    def __init__(self, loads: Mapping[str, float], meets: int = 1) -> None:
        self.loads = loads
        self.meets = meets
        self.machine = SimpleNamespace(
            groups=lambda row: (row.bus,), channels=lambda row: row.brings
        )

    def parts(self, channel: str, kind: str) -> Mapping[str, float]:
        # A string is twice as fast.
        load = self.loads[kind] / (2 if channel == "ipi" else 1)
        return {"devices": 1 / ROOM, "load": load}

    def meeting(self) -> Any:
        return SimpleNamespace(advice=self.meets, tight=0)


def outlook(lots: Any) -> Outlook:
    return Outlook(lots)


def lot(name: str, number: int, *busses: str, rivals: Sequence[str] = ()) -> Lot:
    return Lot(name, name, number, frozenset(busses or ("scsi",)), frozenset(rivals))


def contents(lots: Sequence[Lot], channels: Sequence[str]) -> Iterator[list[Content]]:
    """Every placement, each device by itself."""
    units = [each for each in lots for _ in range(each.number)]
    for where in product(range(len(channels)), repeat=len(units)):
        if any(channels[c] not in u.busses for u, c in zip(units, where, strict=True)):
            continue
        held: list[dict[str, int]] = [{} for _ in channels]
        for unit, channel in zip(units, where, strict=True):
            held[channel][unit.kind] = held[channel].get(unit.kind, 0) + 1
        yield [tuple(sorted(each.items())) for each in held]


def cheapest(fake: Fake, lots: Sequence[Lot], channels: Sequence[str]) -> tuple[float, float]:
    """The price of the best placement, by trying all."""
    best = NEVER
    for placed in contents(lots, channels):
        full = any(
            sum(n * fake.parts(channel, kind)[name] for kind, n in content) > 1 + 1e-9
            for channel, content in zip(channels, placed, strict=True)
            for name in ("devices", "load")
        )
        if full:
            continue
        met = sum(
            fake.meets
            for content in placed for each in lots
            for rival in each.rivals if each.kind < rival
            if {each.kind, rival} <= dict(content).keys()
        )  # fmt: skip
        best = min(best, (met, 0))
    return best


@st.composite
def cases(draw: st.DrawFn) -> tuple[Fake, list[Lot], list[str]]:
    lots, loads = [], {}
    for name in "xyz"[: draw(st.integers(1, 3))]:
        loads[name] = draw(st.sampled_from((0, 0.2, 0.34, 0.5, 0.6, 1, 1.2)))
        busses = draw(st.sampled_from((("scsi",), ("scsi",), ("ipi",), ("ipi", "scsi"))))
        lots.append(lot(name, draw(st.integers(1, 2)), *busses))
    if draw(st.booleans()):
        busses = lots[0].busses
        lots[0] = lot("x", lots[0].number, *busses, rivals=["x'"])
        lots.append(lot("x'", lots[0].number, *busses, rivals=["x"]))
        loads["x'"] = loads["x"]
    channels = draw(st.lists(st.sampled_from(("scsi", "scsi", "ipi")), max_size=2))
    return Fake(loads), lots, channels


@pytest.mark.no_cover
@settled(150)
@given(
    case=cases(),
    slots=st.tuples(st.integers(0, 1), st.integers(0, 1)),
    names=st.sampled_from(("ab", "ac", "abc")),
)
def test_no_placement_is_cheaper_than_foreseen(
    case: tuple[Fake, list[Lot], list[str]], slots: tuple[int, int], names: str
) -> None:
    fake, lots, channels = case
    left = {"sbus": slots[0], "vme": slots[1]}
    rows: Any = tuple(BOARDS[name] for name in names)
    found = outlook(fake).prices(tuple(lots), channels, rows, left)
    for number in range(sum(slots) + 1):
        for chosen in combinations_with_replacement(names, number):
            busses = [BOARDS[n].bus for n in chosen]
            if any(busses.count(bus) > left[bus] for bus in busses):
                continue
            all_ = [*channels, *(kind for n in chosen for kind in BOARDS[n].brings)]
            best = cheapest(fake, lots, all_)
            assert found[min(number, len(found) - 1)] <= best
            assert outlook(fake).prices(tuple(lots), all_)[0] <= best


def test_too_many_devices_are_told_without_placing_them() -> None:
    fake = Fake({"x": 0})
    assert outlook(fake).prices((lot("x", 2 * ROOM),), ["scsi"] * 2) == ((0, 0),)
    assert outlook(fake).prices((lot("x", 2 * ROOM + 1),), ["scsi"] * 2) == (NEVER,)


def test_parts_of_all_devices_add_up() -> None:
    """0.6 and twice 0.3 of a channel are more than one, 0.6 and 0.3 are not."""
    fake = Fake({"x": 0.6, "y": 0.3})
    assert outlook(fake).prices((lot("x", 1), lot("y", 2)), ["scsi"]) == (NEVER,)
    assert outlook(fake).prices((lot("x", 1), lot("y", 1)), ["scsi"]) == ((0, 0),)


def test_devices_are_not_cut() -> None:
    """Three disks of 0.6 are 1.8 channels, and take three."""
    fake = Fake({"x": 0.6, "y": 0.7})
    assert outlook(fake).prices((lot("x", 3),), ["scsi"] * 2) == (NEVER,)
    assert outlook(fake).prices((lot("x", 2), lot("y", 1)), ["scsi"] * 2) == (NEVER,)
    assert outlook(fake).prices((lot("x", 3),), ["scsi"] * 3) == ((0, 0),)


def test_a_device_that_exceeds_every_channel_is_never_placed() -> None:
    fake = Fake({"x": 1.2})
    assert outlook(fake).prices((lot("x", 1),), ["scsi"] * 4) == (NEVER,)
    assert outlook(fake).prices((lot("x", 1, "scsi", "ipi"),), ["ipi"]) == ((0, 0),)


def test_boards_are_added_up_over_channels_that_no_board_has_in_common() -> None:
    """One brings a channel for the IPI disk, the other a second one for SCSI disks."""
    fake = Fake({"x": 0.6, "y": 0.6})
    rows: Any = (BOARDS["a"], BOARDS["c"])
    found = outlook(fake).prices(
        (lot("x", 2), lot("y", 1, "ipi")), ["scsi"], rows, {"sbus": 1, "vme": 1}
    )
    assert found == (NEVER, NEVER, (0, 0))


def test_copies_meet_where_there_is_one_channel() -> None:
    fake = Fake({"x": 0, "x'": 0})
    pair = lot("x", 1, rivals=["x'"]), lot("x'", 1, rivals=["x"])
    assert outlook(fake).prices(pair, ["scsi"]) == ((1, 0),)
    assert outlook(fake).prices(pair, ["scsi", "scsi"]) == ((0, 0),)
    board: Any = (BOARDS["a"],)
    found = outlook(fake).prices(pair, ["scsi"], board, {"sbus": 1})
    assert (found[0], found[1]) == ((1, 0), (0, 0))


def test_what_is_still_to_come_counts_too() -> None:
    fake = Fake({"x": 0.5})
    for load, price in ((1.5, (0, 0)), (1.6, NEVER)):
        found = outlook(fake).prices((lot("x", 1),), ["scsi"] * 2, coming=[{"load": load}])
        assert found == (price,)
