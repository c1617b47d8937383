"""A guide's tables and rules as text and as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import Any

from sizewright.guide.model import LIMIT_WAYS, Guide, Row, Table
from sizewright.output.document import Document
from sizewright.output.explain import exact
from sizewright.output.layout import CELL_AT_MOST, GRID_GAP, INDENT, WIDTH
from sizewright.output.render import PLAIN, Style, render_text
from sizewright.output.wording import GLUE
from sizewright.quantity import Quantity
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import Parameter, Rule

_ID, _NAME = "id", "name"
_NUMBERS = ("number", "range")


def tables_text(guide: Guide, style: Style = PLAIN) -> str:
    """Every table with its title and its number of rows."""
    document = Document(f"Tables of guide {guide.id}: {guide.title}")
    tables = [guide.table(name) for name in guide.tables]
    document.table("table | >rows | title", [(t.name, str(len(t.rows)), t.title) for t in tables])
    document.set_apart(
        "sizewright tables TABLE prints one, TABLE ROW every cell of a row with its source."
    )
    return render_text(document, style)


def table_text(table: Table, style: Style = PLAIN) -> str:
    """The rows of a table, with as many of its columns as fit on a page."""
    document = Document(f"{table.name}: {table.title}")
    used = [c for c in table.columns if any(row.values.get(c) is not None for row in table)]
    cells = {c: [cell_text(row, c) for row in table] for c in used}
    columns = {
        c: [text if len(text) <= CELL_AT_MOST else text[: CELL_AT_MOST - 1] + "…" for text in texts]
        for c, texts in cells.items()
    }
    ids = [row.id for row in table]
    fitting = _fitting(table, columns, max(map(len, (_ID, *ids))))
    rows = zip(ids, *(columns[c] for c in fitting), strict=True)
    heads = (
        f"{'>' if table.columns[c].type in _NUMBERS else ''}{_header(c, columns[c])}"
        for c in fitting
    )
    document.table((_ID, *heads), rows)
    left = [c for c in used if c not in fitting]
    if left:
        document.set_apart(
            f"Not shown: {', '.join(left)}. sizewright tables {table.name} ROW prints every cell "
            "of a row with its source."
        )
    return render_text(document, style)


def row_text(row: Row, style: Style = PLAIN) -> str:
    """Every cell of a row with its unit, its source and its status."""
    document = Document(f"{row.table}/{row.id}")
    for column, spec in row.columns.items():
        if row.values.get(column) is None:
            continue
        # A cell that is printed in another unit than its column has that one.
        own = isinstance(row.values[column], str) or spec.unit in ("", "1")
        unit = "" if own else f"{GLUE}{spec.unit}"
        mark = row.mark_of(column)
        origin = f": {mark.origin}" if mark.origin else ""
        document.item(f"{column}: {cell_text(row, column)}{unit}")
        document.say(f"[{mark.cite}; {mark.status}{origin}]", depth=2)
    blank = [column for column in row.columns if row.values.get(column) is None]
    if blank:
        document.set_apart(f"Left blank by the guide: {', '.join(blank)}.")
    if row.note:
        document.set_apart(f"Note: {' '.join(row.note.split())}")
    return render_text(document, style)


def cell_text(row: Row, column: str) -> str:
    """A cell as a person reads it; empty where it is blank."""
    value = row.values.get(column)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        joint = "–" if row.columns[column].type == "range" else ", "
        return joint.join(map(str, value))
    return "" if value is None else str(value)


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
        mark, value = row.mark_of(column), row.values.get(column)
        source = (mark.cite, mark.status, mark.origin) if value is not None else ("", "", "")
        cells[column] = {
            "value": value, "unit": spec.unit,
            **dict(zip(("source", "status", "from"), source, strict=True)),
        }  # fmt: skip
    return {"id": row.id, "table": row.table, "note": row.note, "cells": cells}


def _header(column: str, cells: list[str]) -> str:
    """The column's name, broken at its words where that saves width."""
    words = column.split("_")
    width = max(map(len, (*words, *cells)))
    return "\n".join(wrap(" ".join(words), width))


def _fitting(table: Table, columns: dict[str, list[str]], taken: int) -> list[str]:
    """The columns that fit, in their order: the name, then numbers before words and lists."""

    def importance(column: str) -> int:
        kinds = (_NUMBERS, ("text", "flag"))
        found = (n for n, k in enumerate(kinds, 1) if table.columns[column].type in k)
        return 0 if column == _NAME else next(found, WIDTH)

    room = WIDTH - INDENT - taken
    found = set()
    for column in sorted(columns, key=importance):
        cells = columns[column]
        width = GRID_GAP + max(map(len, (*_header(column, cells).split("\n"), *cells)))
        if width <= room:
            found.add(column)
            room -= width
    return [column for column in columns if column in found]


def rules_text(guide: Guide, rule_set: RuleSet, style: Style = PLAIN) -> str:
    """Every rule by id, severity and title."""
    document = Document(f"Rules of guide {guide.id}: {guide.title}")
    document.table(
        "rule | severity | about | title",
        [(rule.id, rule.severity, rule.subject, rule.title) for rule in rule_set.rules],
    )
    document.set_apart(
        "sizewright rules show RULE prints one with its condition, numbers and examples."
    )
    return render_text(document, style)


_ASKED = {"plan": "plans", "box": "existing servers"}


def rule_text(rule: Rule, rule_set: RuleSet, style: Style = PLAIN) -> str:
    """All that a rule says."""
    document, said = Document(), rule_data(rule)
    document.say(f"Rule {rule.id}: {rule.title}", strong=True)
    document.note(f"[{rule.cite}]")
    document.gap()
    lines = [
        ("severity", ": ".join(filter(None, (rule.severity, said["severity_reason"])))),
        ("if broken", "the system does not work" if said["does_not_work"] else ""),
        ("about", rule.subject),
        ("checks", " and ".join(_ASKED[what] for what in rule.judges)),
        ("applies when", said["when"] or "always"),
        ("requires", said["require"]),
        *(("bounds", _bound(bound)) for bound in said["bounds"]),
        *((key, _plain_words(said[key])) for key in ("message", "remedy")),
        ("to measure", said["measure"]),
        ("note", said["note"]),
        ("not monotone", said["not_monotone"]),
    ]
    for title, text in lines:
        if text:
            document.item(f"{title}: {text}")
    document.heading("Parameters")
    if not rule.parameters:
        document.item(f"none: {said['no_parameters']}")
    for name, value in rule.parameters.items():
        doc = said["parameters"][name]["doc"]
        document.item(f"{name} = {parameter_text(value)}{': ' if doc else ''}{doc}")
        source = value.source if isinstance(value, Quantity) else None
        if source is not None:
            place = f"table {source.where}" if source.kind == "table" else ""
            where = ", ".join(filter(None, (place, source.cite, source.status)))
            document.say(f"[{where}]", depth=2)
    document.heading("Facts used")
    for subject, name in sorted(rule.reads):
        fact = rule_set.facts[subject][name]
        unit = f", {fact.unit}" if fact.unit not in ("", "1") else ""
        document.item(f"{subject}.{name}{unit}: {fact.doc}")
    document.heading("Examples")
    for example in said["examples"]:
        given = "; ".join(
            f"{subject}: {_pairs(facts)}" for subject, facts in example["given"].items() if facts
        )
        own = example.get("parameters")
        with_own = f" with {_pairs(own)}" if own else ""
        document.item(f"{example['expect']}: {given}{with_own}")
    for verdict, why in said["cannot"].items():
        document.item(f"never {verdict}: {why}")
    return render_text(document, style)


def _bound(bound: Mapping[str, Any]) -> str:
    ways = (f"{way.replace('_', ' ')} {bound[way]}" for way in LIMIT_WAYS if way in bound)
    guard = f", when {bound['when']}" if "when" in bound else ""
    only = "; only budgets show it" if bound.get("only_shown") else ""
    return f"{bound['resource']}: {', '.join(ways)}{guard}{only}"


def rule_data(rule: Rule) -> dict[str, Any]:
    """All that a rule says, as plain data."""
    from sizewright.output.json import common

    def words(key: str, spec: Mapping[str, Any] = rule.spec) -> str:
        return "" if spec.get(key) is None else _plain_words(spec[key])

    return {
        "id": rule.id,
        "guide": rule.guide,
        "title": rule.title,
        "source": rule.cite,
        "severity": rule.severity,
        "severity_reason": words("severity_reason"),
        "does_not_work": bool(rule.spec.get("does_not_work")),
        "subject": rule.subject,
        "judges": list(rule.judges),
        "when": words("when"),
        "require": words("require"),
        "bounds": list(rule.spec.get("bounds") or ()),
        "parameters": {
            name: {
                "value": common.Quantity.make(value).as_data()
                if isinstance(value, Quantity) else value,
                "source": value.source._asdict()
                if isinstance(value, Quantity) and value.source else None,
                "doc": words("doc", rule.spec["parameters"][name]),
            }
            for name, value in rule.parameters.items()
        },
        "no_parameters": words("no_parameters"),
        "message": rule.message,
        "remedy": rule.remedy,
        "measure": words("measure"),
        "note": words("note"),
        "examples": list(rule.spec.get("examples") or ()),
        "cannot": {v: _plain_words(why) for v, why in (rule.spec.get("cannot") or {}).items()},
        "not_monotone": words("not_monotone"),
    }  # fmt: skip


def _plain_words(value: Any) -> str:
    return " ".join(str(value).split())


def parameter_text(value: Parameter) -> str:
    """Return the value of a parameter in words, with its unit."""
    if isinstance(value, Quantity):
        return exact(value)
    return _plain(value) if isinstance(value, bool | str) else ", ".join(value)


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {_plain(value)}" for name, value in values.items())


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "–".join(map(str, value)) if value else "none"
    if value is None or isinstance(value, bool):
        return {None: "unknown", True: "yes", False: "no"}[value]
    return str(value) or "none"
