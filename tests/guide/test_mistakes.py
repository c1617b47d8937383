"""A guide with mistakes is used as far as it goes, or refused with messages; it never crashes."""

from __future__ import annotations

from typing import Any

import pytest

from depth import part_of
from guide.small_guide import engine_with, plan_and_check
from sizewright.engine import Engine
from sizewright.errors import InputError
from sizewright.guide.model import Guide, Row, Table
from sizewright.planner import planning
from sizewright.planner.planning import Effort

Cell = tuple[str, str, str]

GUIDE = engine_with().guide


class Noting(dict[str, Any]):
    """The cells of a row; notes the columns that are read."""

    def __init__(self, row: Row, read: set[Cell]) -> None:
        super().__init__(row.values)
        self.of, self.read = (row.table, row.id), read

    def __getitem__(self, column: str) -> Any:
        self.read.add((*self.of, column))
        return super().__getitem__(column)

    def get(self, column: str, default: Any = None) -> Any:
        self.read.add((*self.of, column))
        return super().get(column, default)


def with_rows(guide: Guide, name: str, rows: dict[str, Row]) -> Guide:
    """The guide with other rows in one table."""
    table = guide.tables[name]
    changed = Table(name, table.title, table.columns, rows)
    return guide._replace(tables={**{n: guide.tables[n] for n in guide.tables}, name: changed})


def cells_read() -> set[Cell]:
    """The cells with a value that a plan, a check and their reports read."""
    noting, read = GUIDE, set[Cell]()
    for table in GUIDE.tables.values():
        rows = {
            row.id: Row(row.table, row.columns, row.id, Noting(row, read), row.mark, row.marks)
            for row in table
        }
        noting = with_rows(noting, table.name, rows)
    plan_and_check(Engine(noting))
    return {
        (t, row, c) for t, row, c in read if GUIDE.tables[t].rows[row].values.get(c) is not None
    }


CELLS = sorted(cells_read())


# With some cells blank, every whole configuration is evaluated: all steps would take seconds.
STEPS = 400


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans need not be the smallest ones here."""
    monkeypatch.setattr(
        planning, "Effort", lambda steps, each: Effort(min(steps, STEPS), min(each, STEPS))
    )


def outcome(guide: Guide) -> str:
    """What a plan and a check by a guide end with; any other exception fails the test."""
    try:
        plan_and_check(Engine(guide))
    except InputError as error:
        assert error.faults
        assert all(fault.place.file and fault.what for fault in error.faults)
        return "refused"
    return "done"


def test_the_small_guide_is_without_mistakes_and_most_of_it_is_read() -> None:
    assert outcome(GUIDE) == "done"
    assert len(CELLS) > 100


@pytest.mark.in_part
@pytest.mark.parametrize("table", sorted({table for table, _, _ in CELLS}))
def test_a_blank_cell_never_crashes(table: str) -> None:
    for name, row, column in part_of((cell for cell in CELLS if cell[0] == table), 20):
        outcome(GUIDE.with_values(name, row, {column: None}))


def test_a_cell_that_is_needed_is_named() -> None:
    rated = "sparcstation-2-two-networks"
    blank = GUIDE.with_values("nfs-capacity", rated, {"maximum_ops_per_s": None})
    with pytest.raises(InputError) as caught:
        plan_and_check(Engine(blank))
    told = f"table nfs-capacity, {rated}: maximum_ops_per_s is blank, and this plan needs it"
    assert told in str(caught.value)


@pytest.mark.parametrize("name", GUIDE.defaults)
def test_a_missing_default_never_crashes(name: str) -> None:
    outcome(GUIDE._replace(defaults={k: v for k, v in GUIDE.defaults.items() if k != name}))


@pytest.mark.parametrize("name", GUIDE.tables)
def test_a_missing_or_empty_table_never_crashes(name: str) -> None:
    outcome(GUIDE._replace(tables={n: GUIDE.tables[n] for n in GUIDE.tables if n != name}))
    outcome(with_rows(GUIDE, name, {}))


@pytest.mark.in_part
def test_a_missing_row_never_crashes() -> None:
    read = {(table, row) for table, row, _ in CELLS}
    for name, gone in part_of(sorted(read), 12):
        rows = {row: it for row, it in GUIDE.tables[name].rows.items() if row != gone}
        outcome(with_rows(GUIDE, name, rows))
