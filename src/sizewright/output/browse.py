"""A guide's tables and rules as text and as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizewright.guide.model import Guide, Row, Table
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


def rules_text(guide: Guide, book: RuleSet, style: Style = PLAIN) -> str:
    """Every rule by id, severity and title."""
    document = Document()
    document.say(f"Rules of guide {guide.id}: {guide.title}", strong=True)
    document.gap()
    document.table(
        ("rule", "severity", "about", "title"),
        [(rule.id, rule.severity, rule.subject, rule.title) for rule in book.rules],
        flexible=("title",),
    )
    document.gap()
    document.say("sizewright rules show RULE prints one with its condition, numbers and examples.")
    return render_text(document, style)


def rule_text(rule: Rule, book: RuleSet, style: Style = PLAIN) -> str:
    """All that a rule of a book says."""
    document = Document()
    spec = rule.spec
    document.say(f"Rule {rule.id}: {rule.title}", strong=True)
    document.say(f"[{rule.cite}]", depth=1)
    document.gap()
    _line(document, "severity", ": ".join(_known(rule.severity, _words(spec, "severity_reason"))))
    _line(document, "about", rule.subject)
    _line(document, "checks", " and ".join(_ASKED[what] for what in rule.judges))
    _line(document, "applies when", _words(spec, "when") or "always")
    _line(document, "requires", _words(spec, "require"))
    for bound in spec.get("bounds") or ():
        ways = (f"{way.replace('_', ' ')} {bound[way]}" for way in _WAYS if way in bound)
        guard = f", when {bound['when']}" if "when" in bound else ""
        _line(document, "bounds", f"{bound['resource']}: {', '.join(ways)}{guard}")
    for key, title in (("message", "message"), ("remedy", "remedy"), ("measure", "to measure")):
        _line(document, title, _words(spec, key))
    _line(document, "note", _words(spec, "note"))
    _line(document, "not monotone", _words(spec, "not_monotone"))
    document.heading("Parameters")
    if not rule.parameters:
        document.say(f"none: {_words(spec, 'no_parameters')}", depth=1, hang=1)
    for name, value in rule.parameters.items():
        doc = _words(spec["parameters"][name], "doc")
        document.say(f"{name} = {parameter_text(value)}{': ' if doc else ''}{doc}", depth=1, hang=1)
        where = _where(value)
        if where:
            document.say(f"[{where}]", depth=2)
    document.heading("Facts used")
    for subject, name in sorted(rule.reads):
        fact = book.facts[subject][name]
        unit = f", {fact.unit}" if fact.unit not in ("", "1") else ""
        document.say(f"{subject}.{name}{unit}: {fact.doc}", depth=1, hang=1)
    document.heading("Examples")
    for example in spec.get("examples") or ():
        given = "; ".join(
            f"{subject}: {_pairs(facts)}" for subject, facts in example["given"].items() if facts
        )
        own = example.get("parameters")
        with_own = f" with {_pairs(own)}" if own else ""
        document.say(f"{example['expect']}: {given}{with_own}", depth=1, hang=1)
    for verdict, why in _cannot(rule).items():
        document.say(f"never {verdict}: {why}", depth=1, hang=1)
    return render_text(document, style)


_ASKED = {"plan": "plans", "box": "existing servers"}
_WAYS = ("at_most", "share", "capacity")


def rule_data(rule: Rule) -> dict[str, Any]:
    """All that a rule says, as plain data."""
    from sizewright.output.json.common import quantity_data

    spec = rule.spec
    return {
        "id": rule.id,
        "guide": rule.guide,
        "title": rule.title,
        "source": rule.cite,
        "severity": rule.severity,
        "severity_reason": _words(spec, "severity_reason"),
        "subject": rule.subject,
        "judges": list(rule.judges),
        "when": _words(spec, "when"),
        "require": _words(spec, "require"),
        "bounds": list(spec.get("bounds") or ()),
        "parameters": {
            name: {
                "value": quantity_data(value) if isinstance(value, Quantity) else value,
                "source": value.source._asdict()
                if isinstance(value, Quantity) and value.source else None,
                "doc": _words(spec["parameters"][name], "doc"),
            }
            for name, value in rule.parameters.items()
        },
        "no_parameters": _words(spec, "no_parameters"),
        "message": rule.message,
        "remedy": rule.remedy,
        "measure": _words(spec, "measure"),
        "note": _words(spec, "note"),
        "examples": list(spec.get("examples") or ()),
        "cannot": {verdict: _plain_words(why) for verdict, why in _cannot(rule).items()},
        "not_monotone": _words(spec, "not_monotone"),
    }  # fmt: skip


def _cannot(rule: Rule) -> Mapping[str, Any]:
    return rule.spec.get("cannot") or {}


def _plain_words(value: Any) -> str:
    return " ".join(str(value).split())


def _line(document: Document, title: str, text: str) -> None:
    if text:
        document.say(f"{title}: {text}", depth=1, hang=1)


def _known(*texts: str) -> list[str]:
    return [text for text in texts if text]


def _words(spec: Mapping[str, Any], key: str) -> str:
    value = spec.get(key)
    return "" if value is None else " ".join(str(value).split())


def parameter_text(value: Parameter) -> str:
    """Return the value of a parameter in words, with its unit."""
    if isinstance(value, Quantity):
        return exact(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else ", ".join(value)


def _where(value: Parameter) -> str:
    source = value.source if isinstance(value, Quantity) else None
    if source is None:
        return ""
    place = f"table {source.where}" if source.kind == "table" else ""
    return ", ".join(_known(place, source.cite, source.status))


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {_plain(value)}" for name, value in values.items())


def _plain(value: Any) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "–".join(map(str, value)) if value else "none"
    return str(value) or "none"
