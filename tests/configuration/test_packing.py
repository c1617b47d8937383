"""Boards are put into slots wherever there is a way to put all of them in."""

from __future__ import annotations

from typing import Any

from sizewright.configuration.slots import Slot, fitting_runs, pack_boards
from sizewright.guide.model import Citation, Column, Row

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
