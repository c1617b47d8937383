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
from sizewright.figure import Figure
from sizewright.planner.devices import ANY, RANDOM, SERIAL, Use
from sizewright.planner.outlook import NEVER, Coming, Outlook
from sizewright.planner.placement import Content, Lot
from sizewright.planner.policy import Cost

ROOM, RATE = 3, 100
ADVISED = {RANDOM: 1, SERIAL: 2}
KINDS = {"scsi": ROOM, "ipi": ROOM + 1}


class Row:
    """A board, or a kind of channel."""

    def __init__(self, name: str, bus: str = "", brings: Sequence[str] = ()) -> None:
        self.name, self.bus, self.brings = name, bus, tuple(brings)

    def text(self, _column: str) -> str:
        return self.bus

    def list(self, _column: str) -> tuple[str, ...]:
        return self.brings

    def number(self, column: str, otherwise: float = 0) -> float:
        return KINDS[self.name] if column == "targets_limit" else otherwise or 1


BOARDS = {
    "a": Row("a", "sbus", ["scsi"]),
    "b": Row("b", "vme", ["ipi", "scsi"]),
    "c": Row("c", "vme", ["ipi"]),
}


class Fake:
    """Lots of devices that count against a channel by their number, patterns and rates."""

    def __init__(self, uses: Mapping[str, Use], meets: int = 1, addressed: bool = True) -> None:
        idle = {p: Use(None, p == RANDOM, p == SERIAL, False) for p in (RANDOM, SERIAL, ANY)}
        self.uses = {**idle, **uses}
        self.meets = meets
        self.addressed = addressed
        guide = SimpleNamespace(row=lambda _table, name: Row(name))
        self.machine = SimpleNamespace(
            guide=guide, groups=lambda row: (row.bus,), channels=lambda row: row.brings
        )

    def cost(self, kind: str, content: Content) -> Cost:
        number = sum(n for _, n in content)
        rate = sum(
            n * u.rate_kb_per_s.high for k, n in content if (u := self.uses[k]).rate_kb_per_s
        )
        random = sum(n for k, n in content if self.uses[k].random)
        serial = sum(n for k, n in content if self.uses[k].serial)
        crowded = random / ADVISED[RANDOM] + serial / ADVISED[SERIAL] > 1
        full = self.addressed and number > KINDS[kind]
        return Cost(int(full or rate > RATE), advice=int(crowded))

    def meeting(self) -> Cost:
        return Cost(advice=self.meets)


def outlook(lots: Any) -> Outlook:
    limits: Any = SimpleNamespace(of=lambda _kind, _pattern: RATE)
    return Outlook(lots, limits, "high")


def use(pattern: str, rate: float = 0) -> Use:
    figure = Figure(rate, rate, rate, "KB/s") if rate else None
    return Use(figure, pattern == RANDOM, pattern == SERIAL, False)


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
        costs = [fake.cost(k, content) for k, content in zip(channels, placed, strict=True)]
        if any(cost.broken for cost in costs):
            continue
        met = sum(
            fake.meets
            for content in placed for each in lots
            for rival in each.rivals if each.kind < rival
            if {each.kind, rival} <= dict(content).keys()
        )  # fmt: skip
        best = min(best, (sum(c.advice for c in costs) + met, sum(c.tight for c in costs)))
    return best


@st.composite
def cases(draw: st.DrawFn) -> tuple[Fake, list[Lot], list[str]]:
    lots, uses = [], {}
    for name in "xyz"[: draw(st.integers(1, 3))]:
        uses[name] = use(
            draw(st.sampled_from((RANDOM, SERIAL, ANY))), draw(st.sampled_from((0, 0, 20, 40, 60)))
        )
        busses = draw(st.sampled_from((("scsi",), ("scsi",), ("ipi",), ("ipi", "scsi"))))
        lots.append(lot(name, draw(st.integers(1, 2)), *busses))
    if draw(st.booleans()):
        busses = lots[0].busses
        lots[0] = lot("x", lots[0].number, *busses, rivals=["x'"])
        lots.append(lot("x'", lots[0].number, *busses, rivals=["x"]))
        uses["x'"] = uses["x"]
    channels = draw(st.lists(st.sampled_from(("scsi", "scsi", "ipi")), max_size=2))
    return Fake(uses), lots, channels


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
    rough = outlook(fake).rough_prices(sum(each.number for each in lots), channels, rows, left)
    for number in range(sum(slots) + 1):
        for chosen in combinations_with_replacement(names, number):
            busses = [BOARDS[n].bus for n in chosen]
            if any(busses.count(bus) > left[bus] for bus in busses):
                continue
            all_ = [*channels, *(kind for n in chosen for kind in BOARDS[n].brings)]
            best = cheapest(fake, lots, all_)
            assert found[min(number, len(found) - 1)] <= best
            assert rough[min(number, len(rough) - 1)] <= best
            assert outlook(fake).prices(tuple(lots), all_)[0] <= best


def test_too_many_devices_are_told_without_placing_them() -> None:
    fake = Fake({"x": use(RANDOM)})
    assert outlook(fake).prices((lot("x", 2 * ROOM),), ["scsi"] * 2)[0] < NEVER
    assert outlook(fake).prices((lot("x", 2 * ROOM + 1),), ["scsi"] * 2) == (NEVER,)
    assert outlook(fake).rough_prices(2 * ROOM + 1, ["scsi"] * 2) == (NEVER,)


def test_where_no_rule_counts_addresses_a_channel_has_no_last_one() -> None:
    fake = Fake({"x": use(ANY)}, addressed=False)
    assert outlook(fake).prices((lot("x", 2 * ROOM),), ["scsi"]) == ((0, 0),)
    assert outlook(fake).rough_prices(2 * ROOM, ["scsi"]) == ((0, 0),)


def test_transfers_are_cut_at_will() -> None:
    """Three disks of 60 KB/s each need two channels of 100, however they are spread."""
    fake = Fake({"x": use(SERIAL, 60), "y": use(SERIAL, 30)})
    assert outlook(fake).prices((lot("x", 1), lot("y", 2)), ["scsi"]) == (NEVER,)
    assert outlook(fake).prices((lot("x", 1), lot("y", 1)), ["scsi"])[0] < NEVER
    assert outlook(fake).rough_prices(1, ["scsi"], (), None, 2 * RATE) == (NEVER,)


def test_crowded_channels_are_as_few_as_can_be() -> None:
    """Seven random disks on three channels of three: one holds a single one, two are crowded."""
    fake = Fake({"x": use(RANDOM)})
    assert outlook(fake).prices((lot("x", 7),), ["scsi"] * 3) == ((2, 0),)


def test_both_patterns_together_take_parts_of_a_channel() -> None:
    """One random disk fills a channel and two serial ones another; a third serial one crowds."""
    fake = Fake({"x": use(RANDOM), "y": use(SERIAL)})
    lots = lot("x", 1), lot("y", 2)
    assert outlook(fake).prices(lots, ["scsi"] * 2) == ((0, 0),)
    assert outlook(fake).prices(lots, ["scsi"]) == ((1, 0),)
    assert outlook(fake).prices((lot("x", 1), lot("y", 3)), ["scsi"] * 2) == ((1, 0),)


def test_boards_go_where_they_help_most() -> None:
    """The first must bring a channel for the IPI disk, the second relieves the SCSI channel."""
    fake = Fake({"x": use(RANDOM), "y": use(RANDOM)})
    rows: Any = (BOARDS["a"], BOARDS["c"])
    found = outlook(fake).prices(
        (lot("x", 2), lot("y", 1, "ipi")), ["scsi"], rows, {"sbus": 1, "vme": 1}
    )
    assert found == (NEVER, (1, 0), (0, 0))


def test_copies_meet_where_there_is_one_channel() -> None:
    fake = Fake({"x": use(ANY), "x'": use(ANY)})
    pair = lot("x", 1, rivals=["x'"]), lot("x'", 1, rivals=["x"])
    assert outlook(fake).prices(pair, ["scsi"]) == ((1, 0),)
    assert outlook(fake).prices(pair, ["scsi", "scsi"]) == ((0, 0),)
    board: Any = (BOARDS["a"],)
    found = outlook(fake).prices(pair, ["scsi"], board, {"sbus": 1})
    assert (found[0], found[1]) == ((1, 0), (0, 0))


def test_what_is_still_to_come_counts_too() -> None:
    fake = Fake({"x": use(RANDOM)})
    coming = Coming(0, {ANY: 2, RANDOM: 2}, {})
    assert outlook(fake).prices((lot("x", 1),), ["scsi"] * 3, coming=coming) == ((0, 0),)
    assert outlook(fake).prices((lot("x", 2),), ["scsi"] * 3, coming=coming) == ((1, 0),)
