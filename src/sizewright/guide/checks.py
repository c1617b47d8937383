"""Checks a guide's files and turns them into plain data: tables, cells, sources.

Every fault of a file is collected with its place; nothing is guessed. A file of an overlay is
checked the same way, except that it may leave out what the guide already says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sizewright.documents import Document
from sizewright.errors import Diagnostic, nearest
from sizewright.guide.model import Column, ends
from sizewright.units import UnitError

TYPES = ("number", "range", "text", "flag", "list")
_ENDS = ("low", "likely", "high")
STATUSES = ("printed", "inferred", "outside")
TABLE_KEYS = ("table", "title", "columns", "unread", "rows", "note")
COLUMN_KEYS = ("type", "unit", "doc", "one_of")
ROW_KEYS = ("id", "source", "status", "from", "note", "except")
SOURCE_KEYS = ("section", "table", "footnote", "appendix", "page", "figure", "document", "where",
               "own")  # fmt: skip

Path = tuple[str | int, ...]


class Bibliography(NamedTuple):
    """What a source may name: the guide's sections and the documents beside it."""

    sections: Mapping[str, str]
    documents: Mapping[str, str]


class Checker:
    """Collects the faults of one file."""

    def __init__(self, document: Document, bibliography: Bibliography, partial: bool) -> None:
        self.document = document
        self.bibliography = bibliography
        self.partial = partial
        self.faults: list[Diagnostic] = []

    def fault(self, path: Path, what: str, expected: str = "", hint: str = "") -> None:
        """Note a fault at a place of the file."""
        self.faults.append(Diagnostic(self.document.place(path), what, expected, hint))

    def mapping(self, value: Any, path: Path, what: str) -> dict[str, Any]:
        """`value` if it is a mapping; a fault and an empty one otherwise."""
        if isinstance(value, dict):
            return value
        self.fault(path, f"{what} is {_kind(value)}", "a mapping of names to values")
        return {}

    def keys(self, data: Mapping[str, Any], allowed: tuple[str, ...], path: Path) -> None:
        """Fault every key that is not allowed, with the nearest that is."""
        for key in data:
            if key not in allowed:
                near = nearest(key, allowed)
                self.fault(
                    (*path, key), f"unknown key '{key}'",
                    "one of " + ", ".join(allowed), f"did you mean '{near}'?" if near else "",
                )  # fmt: skip

    def word(self, data: Mapping[str, Any], key: str, path: Path) -> str:
        """A required text."""
        value = data.get(key)
        if isinstance(value, str) and value.strip():
            return str(value)
        if value is None and self.partial:
            return ""
        self.fault((*path, key) if key in data else path, f"'{key}' is missing", "a text")
        return ""

    def citation(self, value: Any, path: Path) -> str:
        """A source in words; faults one that the bibliography does not know."""
        source = self.mapping(value, path, "source")
        self.keys(source, SOURCE_KEYS, path)
        parts = []
        document = source.get("document")
        if document is not None:
            known = self.bibliography.documents
            if document not in known:
                self.unknown((*path, "document"), "document", str(document), tuple(known))
            parts.append(known.get(str(document), str(document)))
            if source.get("where"):
                parts.append(str(source["where"]))
        section = source.get("section")
        if section is not None:
            if not isinstance(section, str):
                self.fault((*path, "section"), f"section {section} is a number", "quoted text")
            elif section not in self.bibliography.sections:
                known = self.bibliography.sections
                self.unknown((*path, "section"), "section", section, tuple(known))
            parts.append(f"section {section}")
        for key, word in (
            ("appendix", "Appendix"), ("table", "Table"), ("figure", "Figure"),
            ("footnote", "footnote"), ("page", "page"),
        ):  # fmt: skip
            if source.get(key) is not None:
                parts.append(f"{word} {source[key]}")
        if source.get("own") is not None:
            parts.append(f"sizewright's own, not the guide's: {source['own']}")
        if not parts:
            self.fault(path, "the source names nothing", "section, appendix or document")
        return ", ".join(parts)

    def unknown(self, path: Path, kind: str, name: str, known: tuple[str, ...]) -> None:
        """Fault a name that is not among the known ones."""
        near = nearest(name, known)
        self.fault(path, f"unknown {kind} '{name}'", "", f"did you mean '{near}'?" if near else "")


def _kind(value: Any) -> str:
    if value is None:
        return "empty"
    return {dict: "a mapping", list: "a list", bool: "a flag"}.get(type(value), "a plain value")


def check_table(check: Checker, data: Any, known: Mapping[str, Column]) -> dict[str, Any]:
    """A table file as plain data; `known` are the columns of the table that an overlay amends."""
    data = check.mapping(data, (), "the file")
    check.keys(data, TABLE_KEYS, ())
    name = check.word(data, "table", ())
    declared = _columns(check, data.get("columns") or {})
    for column, spec in declared.items():
        before = known.get(column, spec)
        if (before.type, before.unit) != (spec.type, spec.unit):
            what = f"column '{column}' is a {before.type} in '{before.unit}' in the guide"
            check.fault(("columns", column), what, "the same type and unit")
    columns = dict(known) | declared
    if not columns:
        check.fault((), "the table declares no columns", "columns: {name: {type: …}}")
    _unread(check, data.get("unread") or {}, columns)
    rows: dict[str, Any] = {}
    listed = data.get("rows")
    if not isinstance(listed, list) or not listed:
        check.fault(("rows",) if "rows" in data else (), "the table has no rows", "a list of rows")
        listed = []
    for index, row in enumerate(listed):
        path: Path = ("rows", index)
        row = check.mapping(row, path, "row")
        row_id = check.word(row, "id", path)
        if not row_id:
            if check.partial and row:
                check.fault(path, "the row has no id", "id: …")
            continue
        if row_id in rows:
            check.fault((*path, "id"), f"row '{row_id}' stands twice in table {name}")
        rows[row_id] = _row(check, row, columns, path) | {
            "file": check.document.name,
            "at": index,
        }
    return {
        "table": name,
        "title": str(data.get("title") or ""),
        "columns": {k: list(c) for k, c in columns.items()},
        "rows": rows,
    }


def _unread(check: Checker, data: Any, columns: Mapping[str, Column]) -> None:
    """Fault a reason for a column that the table lacks, and a column without one."""
    reasons = check.mapping(data, ("unread",), "unread")
    for column in reasons:
        if column not in columns:
            check.unknown(("unread", column), "column", column, tuple(columns))
        check.word(reasons, column, ("unread",))


def _columns(check: Checker, data: Any) -> dict[str, Column]:
    columns = {}
    for name, spec in check.mapping(data, ("columns",), "columns").items():
        path: Path = ("columns", name)
        spec = check.mapping(spec, path, f"column '{name}'")
        check.keys(spec, COLUMN_KEYS, path)
        kind, unit = spec.get("type"), spec.get("unit")
        if kind not in TYPES:
            check.fault(path, f"column '{name}' has type {kind}", "one of " + ", ".join(TYPES))
        if kind in ("number", "range") and not unit:
            check.fault(path, f"column '{name}' has no unit", "a unit such as MB or op/s")
        one_of = tuple(str(v) for v in spec.get("one_of") or ())
        columns[name] = Column(str(kind), str(unit or ""), str(spec.get("doc") or ""), one_of)
    return columns


def _row(
    check: Checker, row: Mapping[str, Any], columns: Mapping[str, Column], path: Path
) -> dict[str, Any]:
    values = {}
    for key, value in row.items():
        if key in ROW_KEYS:
            continue
        if key not in columns:
            near = nearest(key, (*columns, *ROW_KEYS))
            check.fault(
                (*path, key), f"unknown field '{key}'", "a declared column",
                f"did you mean '{near}'?" if near else "",
            )  # fmt: skip
            continue
        _cell(check, columns[key], value, (*path, key))
        values[key] = value
    marks = {}
    exceptions = check.mapping(row.get("except") or {}, (*path, "except"), "except")
    for key, mark in exceptions.items():
        if key not in columns:
            check.unknown((*path, "except", key), "column", key, tuple(columns))
        marks[key] = _mark(check, mark, (*path, "except", key), partial=False)
    return {
        "values": values,
        "mark": _mark(check, row, path, partial=check.partial),
        "marks": marks,
        "note": str(row.get("note") or ""),
    }


def _mark(check: Checker, data: Any, path: Path, partial: bool) -> list[str] | None:
    data = check.mapping(data, path, "the mark")
    if partial and "source" not in data and "status" not in data:
        return None
    status = data.get("status")
    if status not in STATUSES:
        check.fault(path, f"status is {status}", "one of " + ", ".join(STATUSES))
    origin = data.get("from")
    if status == "inferred" and not origin:
        check.fault(path, "an inferred value needs its basis", "from: …")
    if "source" not in data:
        check.fault(path, "no source", "source: {section: …}")
        return ["", str(status), str(origin or "")]
    source = data["source"]
    if status == "outside" and not (isinstance(source, dict) and source.get("document")):
        check.fault((*path, "source"), "an outside value names no document", "document: …")
    return [check.citation(source, (*path, "source")), str(status), str(origin or "")]


def _cell(check: Checker, column: Column, value: Any, path: Path) -> None:
    if value is None:
        return
    what = f"{path[-1]} is {value!r}"
    if column.type == "text" and not isinstance(value, str):
        check.fault(path, what, "a text (quote it)")
    elif column.type == "text" and column.one_of and value not in column.one_of:
        check.fault(path, what, "one of " + ", ".join(column.one_of))
    elif column.type == "flag" and not isinstance(value, bool):
        check.fault(path, what, "true or false")
    elif column.type == "list" and not isinstance(value, list):
        check.fault(path, what, "a list")
    elif column.type in ("number", "range"):
        _quantity(check, column, value, path, what)


def _quantity(check: Checker, column: Column, value: Any, path: Path, what: str) -> None:
    if isinstance(value, list) and (column.type != "range" or not 2 <= len(value) <= len(_ENDS)):
        check.fault(path, what, "a number" if column.type == "number" else "[low, high]")
        return
    parts = value if isinstance(value, list) else [value]
    if any(isinstance(p, bool) or not isinstance(p, (int, float, str)) for p in parts):
        check.fault(path, what, f"a number in {column.unit}")
        return
    try:
        low, likely, high = ends(value, column.unit)
    except UnitError as error:
        check.fault(path, str(error), f"a number in {column.unit}")
    except ValueError:
        check.fault(path, what, f"a number in {column.unit}")
    else:
        if not low <= likely <= high:
            check.fault(path, f"{path[-1]}: {low:g} is above {high:g}", "low before high")
