"""What is wrong with the columns and cells of tables: of one file, and of all tables together."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sizewright.documents import Document, ValuePath
from sizewright.errors import Diagnostic, Location, did_you_mean, join_or, shown
from sizewright.guide.files import NewRow
from sizewright.guide.table_schema import TABLES, Column, ColumnUse, ends, expected_ends, shown_cell
from sizewright.units import UnitError

Columns = Mapping[str, Column]
# A cell's table, row and column.
CellName = tuple[str, str, str]
# What a row may state in addition to the columns of its table.
_ROW_KEYS = tuple(field.alias or name for name, field in NewRow.model_fields.items())
# A range is [low, high] or [low, likely, high].
_ENDS = (len(("low", "high")), len(("low", "likely", "high")))
# What the cells of a type are in a file, and what is said of others.
_TYPES: Mapping[str, tuple[type[Any], str]] = {
    "text": (str, "a text (quote it)"),
    "flag": (bool, "true or false"),
    "list": (list, "a list"),
}


def mapping(value: Any) -> Mapping[str, Any]:
    """Return a part of a file that should be a mapping; an empty one if it is not."""
    return value if isinstance(value, dict) else {}


def file_errors(document: Document, columns: Columns, known: Columns) -> Iterator[Diagnostic]:
    """Yield what is wrong with the columns and cells of a table's file.

    These are rows that are stated twice, unknown columns, cells that do not fit their column, and
    columns that the guide declares otherwise (`known`).
    """
    for name, column in columns.items():
        before = known.get(name, column)
        if (before.type, before.unit) != (column.type, column.unit):
            what = f"column {shown(name)} is a {before.type} in {shown(before.unit)} in the guide"
            yield Diagnostic(document.place(("columns", name)), what, "the same type and unit")
    for name in mapping(document.data.get("unread")):
        yield from _unknown_column(document, ("unread", name), columns)
    rows = document.data.get("rows")
    seen = set()
    for index, row in enumerate(rows if isinstance(rows, list) else ()):
        path: ValuePath = ("rows", index)
        if not isinstance(row, dict):
            continue
        name = str(row.get("id"))
        if name in seen:
            yield Diagnostic(document.place((*path, "id")), f"duplicate row {shown(name)}")
        seen.add(name)
        for key, value in row.items():
            place = document.place((*path, key))
            if key in columns:
                if expected := _expected_cell(columns[key], value):
                    yield Diagnostic(place, f"{key} is {shown_cell(value)}", expected)
            elif key not in _ROW_KEYS and columns:
                near = did_you_mean(key, (*columns, *_ROW_KEYS))
                yield Diagnostic(place, f"unknown column {shown(key)}", "a declared column", near)
        for key in mapping(row.get("except")):
            yield from _unknown_column(document, (*path, "except", key), columns)


def _unknown_column(document: Document, path: ValuePath, columns: Columns) -> Iterator[Diagnostic]:
    name = str(path[-1])
    if columns and name not in columns:
        what, near = f"unknown column {shown(name)}", did_you_mean(name, columns)
        yield Diagnostic(document.place(path), what, hint=near)


def _expected_cell(column: Column, value: Any) -> str:
    """Return what a cell of a column should be instead of a value; empty if the value fits."""
    if value is None:
        return ""
    if column.type not in _TYPES:
        return _expected_quantity(column, value)
    kind, expected = _TYPES[column.type]
    if not isinstance(value, kind):
        return expected
    if column.type == "text" and column.one_of and value not in column.one_of:
        return "one of " + ", ".join(column.one_of)
    if column.type == "list" and any(isinstance(item, (dict, list)) for item in value):
        return "a list of texts or numbers"
    return ""


def _expected_quantity(column: Column, value: Any) -> str:
    number = f"a number in {column.unit}"
    if isinstance(value, list) and (column.type != "range" or len(value) not in _ENDS):
        return number if column.type == "number" else "[low, high]"
    parts = value if isinstance(value, list) else [value]
    if any(isinstance(p, bool) or not isinstance(p, (int, float, str)) for p in parts):
        return number
    try:
        low, likely, high = ends(value, column.unit)
    except (UnitError, ValueError):
        return number
    return expected_ends(low, likely, high, column)


def column_errors(tables: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield each column that a table of a known kind lacks or has in another unit."""
    for name, columns in TABLES.items():
        if name not in tables:
            continue
        declared, place = tables[name]["columns"], Location(f"tables/{name}.yaml")
        for column, use in columns.items():
            if column not in declared:
                if use.needed:
                    yield Diagnostic(place, f"table {name} lacks the column '{column}'", use.unit)
            elif use.unit and declared[column][1] != use.unit:
                what = f"{name}.{column} is in {declared[column][1]}"
                yield Diagnostic(place, what, f"in {use.unit}")


def cell_errors(
    tables: Mapping[str, Any], place: Callable[[CellName], Location]
) -> Iterator[Diagnostic]:
    """Yield each cell that names a row that does not exist or has an impossible number."""
    for name, columns in TABLES.items():
        rows = tables.get(name, {}).get("rows", {})
        for column, use in columns.items():
            for row, stated in rows.items():
                for what, expected, hint in _wrong(
                    column, stated["values"].get(column), use, tables
                ):
                    yield Diagnostic(place((name, row, column)), what, expected, hint)


def _wrong(
    column: str, value: Any, use: ColumnUse, tables: Mapping[str, Any]
) -> Iterator[tuple[str, str, str]]:
    """Yield what is wrong with a cell, what is expected, and what was probably meant."""
    if use.one_of and value not in use.one_of:
        yield f"{column} is {shown(value)}", f"one of {join_or(use.one_of)}", ""
    if value is None:
        return
    if use.names in tables:
        known = tables[use.names]["rows"]
        for name in value if isinstance(value, list) else [value]:
            if name not in known:
                what = f"table {use.names} has no row {shown(name)}"
                yield what, "", did_you_mean(str(name), known)
    if use.unit:
        low, _, _ = ends(value, use.unit)
        if (low < 0 and not use.signed) or (use.above_zero and low == 0):
            least = "more than 0" if use.above_zero else "0 or more"
            yield f"{column} is {low:g} {use.unit}", least, ""
    if use.counts and not all(
        isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in value
    ):
        yield f"{column}: {value} are not counts", "whole numbers from 1", ""
