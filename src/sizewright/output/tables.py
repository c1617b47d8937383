"""A guide's tables as text and as plain data."""

from __future__ import annotations

from typing import Any

from sizewright.guide.model import Guide, Row, Table
from sizewright.output.document import Document
from sizewright.output.layout import CELL_AT_MOST, GRID_GAP, INDENT, WIDTH
from sizewright.output.text import PLAIN, Style, render_text
from sizewright.output.wording import GLUE

_ID, _NAME = "id", "name"
_NUMBERS = ("number", "range")


def tables_text(guide: Guide, style: Style = PLAIN) -> str:
    """Every table with its title and its number of rows."""
    document = Document()
    document.say(f"Tables of guide {guide.id}: {guide.title}", strong=True)
    document.gap()
    tables = [guide.table(name) for name in guide.tables]
    document.table(
        ("table", "rows", "title"), [(t.name, str(len(t.rows)), t.title) for t in tables],
        right=("rows",), flexible=("title",),
    )  # fmt: skip
    document.gap()
    document.say(
        "sizewright tables TABLE prints one, TABLE ROW every cell of a row with its source."
    )
    return render_text(document, style)


def table_text(table: Table, style: Style = PLAIN) -> str:
    """The rows of a table, with as many of its columns as fit on a page."""
    document = Document()
    document.say(f"{table.name}: {table.title}", strong=True)
    document.gap()
    used = [c for c in table.columns if any(row.values.get(c) is not None for row in table)]
    columns = {c: [_cut(cell_text(row, c)) for row in table] for c in used}
    ids = [row.id for row in table]
    fitting = _fitting(table, columns, max(map(len, (_ID, *ids))))
    rows = zip(ids, *(columns[c] for c in fitting), strict=True)
    headers = {c: _header(c, columns[c]) for c in fitting}
    document.table(
        (_ID, *headers.values()), list(rows),
        right=[headers[c] for c in fitting if table.columns[c].type in _NUMBERS],
    )  # fmt: skip
    left = [c for c in used if c not in fitting]
    if left:
        document.gap()
        document.say(
            f"Not shown: {', '.join(left)}. sizewright tables {table.name} ROW prints every cell "
            "of a row with its source."
        )
    return render_text(document, style)


def row_text(row: Row, style: Style = PLAIN) -> str:
    """Every cell of a row with its unit, its source and its status."""
    document = Document()
    document.say(f"{row.table}/{row.id}", strong=True)
    document.gap()
    for column, spec in row.columns.items():
        if row.values.get(column) is None:
            continue
        # A cell that is printed in another unit than its column carries that one.
        own = isinstance(row.values[column], str) or spec.unit in ("", "1")
        unit = "" if own else f"{GLUE}{spec.unit}"
        mark = row.mark_of(column)
        origin = f": {mark.origin}" if mark.origin else ""
        document.say(f"{column}: {cell_text(row, column)}{unit}", depth=1, hang=1)
        document.say(f"[{mark.cite}; {mark.status}{origin}]", depth=2)
    blank = [column for column in row.columns if row.values.get(column) is None]
    if blank:
        document.gap()
        document.say(f"Left blank by the guide: {', '.join(blank)}.")
    if row.note:
        document.gap()
        document.say(f"Note: {' '.join(row.note.split())}")
    return render_text(document, style)


def cell_text(row: Row, column: str) -> str:
    """A cell as a person reads it; empty where it is blank."""
    value = row.values.get(column)
    kind = row.columns[column].type
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        joint = "–" if kind == "range" else ", "
        return joint.join(str(item) for item in value)
    return str(value)


def table_data(guide: Guide, table: Table) -> dict[str, Any]:
    """A table whole."""
    return {
        "table": table.name,
        "guide": guide.id,
        "title": table.title,
        "columns": {name: spec._asdict() for name, spec in table.columns.items()},
        "rows": [row_data(row) for row in table],
    }


def row_data(row: Row) -> dict[str, Any]:
    """A row with every cell's value, unit, source and status."""
    cells = {}
    for column, spec in row.columns.items():
        mark = row.mark_of(column)
        value = row.values.get(column)
        known = value is not None
        cells[column] = {
            "value": value,
            "unit": spec.unit,
            "source": mark.cite if known else "",
            "status": mark.status if known else "",
            "from": mark.origin if known else "",
        }
    return {"id": row.id, "table": row.table, "note": row.note, "cells": cells}


def _cut(text: str) -> str:
    return text if len(text) <= CELL_AT_MOST else text[: CELL_AT_MOST - 1] + "…"


def _header(column: str, cells: list[str]) -> str:
    """The column's name, broken at its words where that saves width."""
    words = column.split("_")
    width = max(*(len(w) for w in words), *(len(c) for c in cells))
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


def _fitting(table: Table, columns: dict[str, list[str]], taken: int) -> list[str]:
    """The columns that fit, in their order: the name, then numbers before words and lists."""
    room = WIDTH - INDENT - taken
    found = set()
    for column in sorted(columns, key=lambda c: _importance(table, c)):
        cells = columns[column]
        header = _header(column, cells).split("\n")
        width = GRID_GAP + max(map(len, (*header, *cells)))
        if width <= room:
            found.add(column)
            room -= width
    return [column for column in columns if column in found]


def _importance(table: Table, column: str) -> int:
    kinds = (_NUMBERS, ("text", "flag"))
    if column == _NAME:
        return 0
    return next((n for n, k in enumerate(kinds, 1) if table.columns[column].type in k), WIDTH)
