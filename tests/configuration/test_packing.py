"""Boards are put into slots wherever there is a way to put all of them in."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sizewright.configuration.slots import Slot, fitting_runs, pack_boards
from sizewright.guide.model import Citation, Row
from sizewright.guide.table_schema import Column

COLUMNS = {"slots_used": Column("number", "slot")}
SLOTS = (
    Slot("vme", 1, ("any",)), Slot("vme", 2, ("disks",)), Slot("vme", 3, ("disks",)),
    Slot("vme", 4, ("nets", "disks")), Slot("sbus", 1, ("any",)), Slot("vme", 6, ("nothing",)),
)  # fmt: skip


def board(*roles: str, need: Any = None, bus: str = "vme", table: str = "boards") -> Row:
    values = {"bus": bus, "role": list(roles), "slots_used": need}
    return Row(table, COLUMNS, "-".join(roles), values, Citation("invented", "printed"), {})


def put(*boards: Row) -> list[tuple[int, ...]] | None:
    found = pack_boards([fitting_runs(each, SLOTS) for each in boards])
    return None if found is None else [numbers for _, numbers in found]


def test_a_board_goes_first_where_only_its_kind_can_go() -> None:
    assert put(board("nets"), board("tapes")) == [(4,), (1,)]
    assert put(board("disks"), board("disks"), board("disks")) == [(2,), (3,), (4,)]
    assert put(*[board("disks")] * 4) == [(2,), (3,), (4,), (1,)]


def test_too_many_of_a_kind_do_not_fit_however_many_other_slots_are_free() -> None:
    assert put(*[board("nets")] * 3) is None
    assert put(board("tapes"), board("tapes")) is None
    assert put(board("disks", bus="sbus"), board("tapes", bus="sbus")) is None


def test_a_board_that_fits_in_few_places_finds_one_that_others_could_do_without() -> None:
    """The first would take slot 2 and the second slot 4, and leave no two side by side."""
    assert put(board("disks"), board("nets"), board("disks", need=2)) == [(1,), (4,), (2, 3)]
    assert put(board("disks", "nets"), board("disks", need=3)) == [(1,), (2, 3, 4)]


def test_a_board_that_goes_onto_another_takes_the_place_there() -> None:
    assert put(board("tapes", need=0), board("tapes", need=0)) is None


def test_memory_is_a_kind_of_its_own() -> None:
    kept = (Slot("vme", 1, ("memory",)), Slot("vme", 2, ("any",)))
    assert fitting_runs(board(table="memory-boards"), kept) == (("vme", (1,)), ("vme", (2,)))
    assert fitting_runs(board("memory expander"), kept) == (("vme", (2,)),)


def test_many_boards_that_do_not_fit_are_refused_soon() -> None:
    """One slot fewer than boards, in any order: 19! orders would never end."""
    slots = [Slot("vme", n, ("any",)) for n in range(1, 20)]
    boards = [board("tapes"), *[board("disks", need=2)], *[board("nets")] * 17]
    assert pack_boards([fitting_runs(each, slots) for each in boards]) is None
    assert pack_boards([fitting_runs(each, slots) for each in boards[:-1]]) is not None


@given(
    kinds=st.lists(st.sampled_from(["any", "disks", "nets", "none"]), min_size=1, max_size=6),
    boards=st.lists(
        st.tuples(st.sampled_from(["disks", "nets", "tapes"]), st.integers(1, 3)), max_size=4
    ),
)
def test_a_way_is_found_exactly_if_trying_all_finds_one(
    kinds: list[str], boards: list[tuple[str, int]]
) -> None:
    slots = [Slot("vme", n, (kind,)) for n, kind in enumerate(kinds, 1) if kind != "none"]
    ways = [fitting_runs(board(role, need=need), slots) for role, need in boards]
    every = ([number for _, numbers in chosen for number in numbers] for chosen in product(*ways))
    possible = any(len(numbers) == len(set(numbers)) for numbers in every)
    found = pack_boards(ways)
    assert (found is not None) == possible
    if found is not None:
        taken = [number for _, numbers in found for number in numbers]
        assert len(taken) == len(set(taken))
        assert all(run in runs for run, runs in zip(found, ways, strict=True))
