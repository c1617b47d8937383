"""The guide's tables of networks, software and client demand hold what the guide prints."""

from __future__ import annotations

import pytest

from sizewright.guide.loader import load_guide
from sizewright.guide.model import Guide
from tables.printed_hardware import NA, PrintedFact, PrintedTable
from tables.printed_services import (
    APPENDIX_B,
    APPENDIX_B_CELLS,
    APPENDIX_B_ROWS,
    SECOND_FIGURES,
    TABLE_3,
    TABLE_11,
    TABLE_11_GROUPS,
    TABLES,
)
from tables.printed_services_prose import LISTS, PROSE, PrintedList
from tables.test_printed_hardware import held, same


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide("sun-1992")


def _table(printed: PrintedTable) -> str:
    return f"Table {printed.number}"


def _place(fact: PrintedFact | PrintedList) -> str:
    return f"{fact.table}/{fact.row}/{fact.column}"


# The first column of every table here is the heading of its rows, which the counts leave out.
@pytest.mark.parametrize("printed", TABLES, ids=_table)
def test_the_list_of_expected_cells_is_as_long_as_the_printed_table(printed: PrintedTable) -> None:
    cells = [cell for row in printed.rows.values() for cell in row[1:]]
    assert len(printed.rows) == printed.printed_rows
    assert sum(cell is not None for cell in cells) == printed.printed_cells


@pytest.mark.parametrize("printed", TABLES, ids=_table)
def test_a_table_has_the_printed_rows_in_the_printed_order(
    guide: Guide, printed: PrintedTable
) -> None:
    ending = f", Table {printed.number}"
    rows = [row.id for row in guide.table(printed.table) if row.mark.cite.endswith(ending)]
    assert rows == list(printed.rows)


@pytest.mark.parametrize("printed", TABLES, ids=_table)
def test_every_cell_is_the_printed_one(guide: Guide, printed: PrintedTable) -> None:
    different = [
        (row_id, column, cell, found)
        for row_id, cells in printed.rows.items()
        for column, cell in zip(printed.columns, cells, strict=True)
        if not same(found := held(guide.row(printed.table, row_id), column), cell)
    ]
    assert different == []


@pytest.mark.parametrize("printed", TABLES, ids=_table)
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


@pytest.mark.parametrize("printed", TABLES, ids=_table)
def test_a_printed_blank_is_written_as_a_blank(guide: Guide, printed: PrintedTable) -> None:
    unwritten = [
        (row_id, column)
        for row_id in printed.rows
        for column in printed.columns
        if column not in guide.row(printed.table, row_id).values
    ]
    assert unwritten == []


@pytest.mark.parametrize(("row_id", "column", "figure"), SECOND_FIGURES)
def test_the_second_figure_of_a_cell_has_a_column_of_its_own(
    guide: Guide, row_id: str, column: str, figure: tuple[float, float]
) -> None:
    row = guide.row(TABLE_3.table, row_id)
    assert held(row, column) == figure
    assert row.mark_of(column)[:2] == ("section 1.2.7, Table 3", "printed")


def test_no_other_system_has_a_second_figure(guide: Guide) -> None:
    columns = {column for _, column, _ in SECOND_FIGURES}
    there = {
        (row.id, column)
        for row in guide.table(TABLE_3.table)
        for column in columns
        if row.values.get(column) is not None
    }
    assert there == {(row_id, column) for row_id, column, _ in SECOND_FIGURES}


def test_the_rows_of_table_11_stand_under_their_headings(guide: Guide) -> None:
    headings = [heading for heading, rows in TABLE_11_GROUPS for _ in range(rows)]
    assert [row.text("platform_group") for row in guide.table(TABLE_11.table)] == headings


def test_the_list_of_client_demands_is_as_long_as_appendix_b() -> None:
    assert len(APPENDIX_B) == APPENDIX_B_ROWS
    assert sum(len(cells[1:5]) for cells in APPENDIX_B.values()) == APPENDIX_B_CELLS


def test_every_client_demand_is_the_printed_one(guide: Guide) -> None:
    rows = [row for row in guide.table("client-activities") if row.mark.cite == "Appendix B"]
    assert [row.id for row in rows] == list(APPENDIX_B)
    for row in rows:
        client, action, ops, dominant, duration, seconds = APPENDIX_B[row.id]
        assert (row.text("client"), row.text("action")) == (client, action)
        assert held(row, "nfs_ops_per_s") == ops
        assert row.list("dominant_operations") == dominant
        assert row.text("duration_printed") == duration
        assert held(row, "duration_s") == seconds
        assert "duration_s" in row.values
        for column in ("client", "action", "nfs_ops_per_s", "dominant_operations", "duration_s"):
            assert row.mark_of(column)[:2] == ("Appendix B", "printed")


@pytest.mark.parametrize("fact", PROSE, ids=_place)
def test_a_figure_of_the_prose_stands_with_its_section(guide: Guide, fact: PrintedFact) -> None:
    row = guide.row(fact.table, fact.row)
    mark = row.mark_of(fact.column)
    assert same(held(row, fact.column), fact.value)
    assert mark.status == "printed"
    assert mark.cite.split(", ")[0] == f"section {fact.section}"


@pytest.mark.parametrize("fact", LISTS, ids=_place)
def test_a_list_of_the_prose_is_whole(guide: Guide, fact: PrintedList) -> None:
    row = guide.row(fact.table, fact.row)
    mark = row.mark_of(fact.column)
    assert set(row.list(fact.column)) == set(fact.members)
    assert mark.status == "printed"
    assert mark.cite.split(", ")[0] == f"section {fact.section}"
