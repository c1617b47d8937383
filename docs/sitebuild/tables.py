"""A guide's tables: a page for each, with every cell and where it comes from."""

from __future__ import annotations

from collections.abc import Iterator

from sitebuild.markdown import code, plain, table, toctree
from sizewright.guide.model import Citation, Guide, Row, Table
from sizewright.guide.table_schema import TABLES, ColumnUse
from sizewright.output.browse import cell_text


def table_pages(guide: Guide) -> Iterator[tuple[str, str]]:
    """Every page below the guide's own folder, by its name without the ending."""
    tables = [guide.table(name) for name in guide.tables]
    listed = table(
        ("table", "rows", "what it holds"),
        ((f"[{t.name}](tables/{t.name}.md)", str(len(t.rows)), plain(t.title)) for t in tables),
    )
    menu = toctree(f"tables/{t.name}" for t in tables)
    yield (
        "tables",
        f"# Tables of {guide.id}\n\nThe tables of *{plain(guide.title)}* as the program reads "
        f"them; `sizewright tables` prints them too.\n\n{listed}\n{menu}",
    )
    for one in tables:
        yield f"tables/{one.name}", _page(one)


def _page(one: Table) -> str:
    used = [c for c in one.columns if any(row.values.get(c) is not None for row in one)]
    parts = [
        f"# {one.name}\n",
        f"{plain(one.title)}.\n",
        "## Rows\n",
        table(
            ("id", *(plain(column.replace("_", " ")) for column in used), "source"),
            (
                (code(row.id), *(plain(cell_text(row, c)) for c in used), _cited(row.mark))
                for row in one
            ),
        ),
    ]
    elsewhere = list(_elsewhere(one))
    if elsewhere:
        parts += [
            "## Cells from elsewhere\n",
            "These cells do not come from the source of their row.\n",
            table(("row", "cell", "source"), elsewhere),
        ]
    notes = [(code(row.id), plain(row.note)) for row in one if row.note]
    if notes:
        parts += ["## Notes\n", table(("row", "note"), notes)]
    parts += [
        "## Columns\n",
        table(
            ("column", "type", "unit", "meaning"),
            (
                (code(name), spec.type, plain(spec.unit), plain(spec.doc))
                for name, spec in one.columns.items()
            ),
        ),
    ]
    return "\n".join(parts)


def _cited(mark: Citation) -> str:
    origin = f": {plain(mark.origin)}" if mark.origin else ""
    return f"{plain(mark.cite)}; {plain(mark.status)}{origin}"


def _elsewhere(one: Table) -> Iterator[tuple[str, str, str]]:
    for row in one:
        for column in one.columns:
            if row.mark_of(column) != row.mark and _known(row, column):
                yield code(row.id), code(column), _cited(row.mark_of(column))


def _known(row: Row, column: str) -> bool:
    return row.values.get(column) is not None


def contract_page() -> str:
    """The tables and columns that the program knows by name, of any guide."""
    rows = [
        (code(name), code(column), plain(use.unit), "yes" if use.needed else "no", _cells(use))
        for name, columns in TABLES.items()
        for column, use in columns.items()
    ]
    return (
        "# Tables that the program reads\n\n"
        "A guide may have tables of its own, for its rules to refer to. Those named here are read "
        "by planning and checking; a table that is there must have the columns that are needed, in "
        "these units. A column without a unit is text, a flag or a list.\n\n"
        + table(("table", "column", "unit", "needed", "cells"), sorted(rows))
    )


def _cells(use: ColumnUse) -> str:
    if use.names:
        return f"rows of {code(use.names)}"
    if use.counts:
        return "whole numbers from 1"
    return "above 0" if use.above_zero else "also below 0" if use.signed else ""
