"""The guide's hardware tables hold what the guide prints: every cell, from its own table."""

from __future__ import annotations

import pytest

from sizewright.guide.loader import load_guide
from sizewright.guide.model import Guide, Row
from tables.printed_hardware import (
    NA,
    PROSE,
    TABLE_4,
    TABLE_5,
    TABLE_6,
    TABLE_7,
    TABLE_7_CELLS,
    TABLE_7_ROWS,
    TABLES,
    Cell,
    PrintedBlock,
    PrintedFact,
    PrintedTable,
)

# Columns that stand for the heading of a printed row, which the counts of cells leave out.
HEADINGS = {1: "platform", 4: "name", 5: "name", 6: "name", 8: "capacity_mb", 9: "zone"}

LAYERS = {"F": "file_system", "R": "raw"}
PATTERNS = {"R": "random", "S": "sequential"}
OPERATIONS = {"R": "read", "U": "update", "W": "write"}


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide("sun-1992")


def _ids(printed: PrintedTable) -> str:
    return f"Table {printed.number}"


def held(row: Row, column: str) -> Cell:
    """The loaded cell in the shape in which printed cells are typed."""
    if row.columns[column].type in ("number", "range"):
        figure = row.cell(column)
        if figure is None:
            return None
        return figure.low if figure.low == figure.high else (figure.low, figure.high)
    value: Cell = row.values.get(column)
    return value


def same(found: Cell, printed: Cell) -> bool:
    if printed in (None, NA):
        return found is None
    if isinstance(printed, bool):
        return found is printed
    if isinstance(printed, str):
        return found == printed
    return found == (printed if isinstance(printed, tuple) else pytest.approx(printed, rel=1e-12))


def _printed_in(row: Row, number: int) -> bool:
    return row.mark.cite.endswith(f"Table {number}")


@pytest.mark.parametrize("printed", TABLES, ids=_ids)
def test_the_list_of_expected_cells_is_as_long_as_the_printed_table(printed: PrintedTable) -> None:
    heading = printed.columns.index(HEADINGS[printed.number])
    cells = [c for row in printed.rows.values() for i, c in enumerate(row) if i != heading]
    assert len(printed.rows) == printed.printed_rows
    assert sum(cell is not None for cell in cells) == printed.printed_cells


@pytest.mark.parametrize("printed", TABLES, ids=_ids)
def test_a_table_has_the_printed_rows_in_the_printed_order(
    guide: Guide, printed: PrintedTable
) -> None:
    rows = [row.id for row in guide.table(printed.table) if _printed_in(row, printed.number)]
    assert rows == list(printed.rows)


@pytest.mark.parametrize("printed", TABLES, ids=_ids)
def test_every_cell_is_the_printed_one(guide: Guide, printed: PrintedTable) -> None:
    different = [
        (row_id, column, cell, found)
        for row_id, cells in printed.rows.items()
        for column, cell in zip(printed.columns, cells, strict=True)
        if not same(found := held(guide.row(printed.table, row_id), column), cell)
    ]
    assert different == []


@pytest.mark.parametrize("printed", TABLES, ids=_ids)
def test_every_printed_cell_cites_its_table_and_is_marked_printed(
    guide: Guide, printed: PrintedTable
) -> None:
    where = f"section {printed.section}, Table {printed.number}"
    wrong = [
        (row_id, column, mark)
        for row_id, cells in printed.rows.items()
        for column, cell in zip(printed.columns, cells, strict=True)
        if cell not in (None, NA)
        and (mark := guide.row(printed.table, row_id).mark_of(column))[:2] != (where, "printed")
    ]
    assert wrong == []


@pytest.mark.parametrize("printed", TABLES, ids=_ids)
def test_a_printed_blank_is_written_as_a_blank(guide: Guide, printed: PrintedTable) -> None:
    # The module without PMEGs, the expander and the IPI drives print N/A, which is blank as well.
    for row_id, cells in printed.rows.items():
        values = guide.row(printed.table, row_id).values
        for column, cell in zip(printed.columns, cells, strict=True):
            assert column in values, (row_id, column, cell)


def test_the_module_that_maps_all_memory_is_flagged(guide: Guide) -> None:
    flags = {row_id: guide.row("mmu", row_id).flag("maps_all_memory") for row_id in TABLE_4.rows}
    assert flags == {row_id: row_id == "ross-6002" for row_id in TABLE_4.rows}


@pytest.mark.parametrize(("printed", "bus"), [(TABLE_5, "vme"), (TABLE_6, "sbus")], ids=str)
def test_boards_stand_on_the_bus_of_their_table(
    guide: Guide, printed: PrintedTable, bus: str
) -> None:
    assert {guide.row("boards", row_id).text("bus") for row_id in printed.rows} == {bus}


def _operation(block: PrintedBlock, heading: str) -> tuple[str, ...]:
    layer, pattern, operation = list(heading)
    return (
        block.disk, block.measured_on, LAYERS[layer], PATTERNS[pattern], OPERATIONS[operation],
    )  # fmt: skip


def test_the_list_of_operation_costs_is_as_long_as_table_7() -> None:
    costs = [cell for block in TABLE_7 for cells in block.cells.values() for cell in cells]
    assert len(costs) == TABLE_7_CELLS
    assert sum(len(next(iter(block.cells.values()))) for block in TABLE_7) == TABLE_7_ROWS


def test_every_operation_cost_is_the_printed_one(guide: Guide) -> None:
    fields = ("disk", "measured_on", "layer", "pattern", "operation")
    figures = ("block_kb", "rate_ops_per_s", "processor_utilisation_percent", "cost_ms_per_op")
    expected = {
        _operation(block, heading): (block.block_kb, *cells)
        for block in TABLE_7
        for heading, cells in block.cells.items()
    }
    rows = list(guide.table("disk-operation-costs"))
    assert {
        tuple(row.text(field) for field in fields): tuple(held(row, c) for c in figures)
        for row in rows
    } == expected
    assert len(rows) == len(expected)
    assert {row.mark[:2] for row in rows} == {("section 2.4, Table 7", "printed")}
    assert not any(row.marks for row in rows)


@pytest.mark.parametrize("fact", PROSE, ids=lambda f: f"{f.table}/{f.row}/{f.column}")
def test_a_figure_of_the_prose_stands_with_its_section(guide: Guide, fact: PrintedFact) -> None:
    row = guide.row(fact.table, fact.row)
    mark = row.mark_of(fact.column)
    assert same(held(row, fact.column), fact.value)
    assert mark.status == "printed"
    assert mark.cite.split(", ")[0] == f"section {fact.section}"
