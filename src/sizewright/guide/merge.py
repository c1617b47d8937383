"""Checks every parsed file of a guide and applies overlays, by row and rule id and key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sizewright.documents import Document
from sizewright.errors import Diagnostic, InputError, Location, did_you_mean, shown
from sizewright.guide.files import Bibliography
from sizewright.guide.model import Column
from sizewright.guide.paths import is_own
from sizewright.guide.reading import (
    parameter_errors,
    read_guide_page,
    read_rule,
    read_table,
)
from sizewright.guide.table_schema import CellName, cell_errors, column_errors


def merged(layers: Sequence[Sequence[Document]]) -> dict[str, Any]:
    """Return one plain structure for the guide with all overlays; raises InputError."""
    merge = _Merge()
    base, *overlays = layers
    head = next((d for d in base if d.name.endswith("guide.yaml")), None)
    if head is not None:
        merge.page(head)
    for document in base:
        if document is not head:
            merge.add(document)
    for layer in overlays:
        for document in layer:
            merge.add(document, document.name.split("/", 1)[0])
    merge.faults += column_errors(merge.tables)
    if not merge.faults:
        merge.faults += cell_errors(merge.tables, merge.place)
    if merge.faults:
        raise InputError(merge.faults)
    return merge.plain


def _is_table(document: Document) -> bool:
    return isinstance(document.data, dict) and "table" in document.data


class _Merge:
    """The guide as far as its files are read, and what is wrong with them."""

    def __init__(self) -> None:
        self.faults: list[Diagnostic] = []
        self.bibliography = Bibliography({}, {})
        self.tables: dict[str, Any] = {}
        self.rules: dict[str, Any] = {}
        self.changes: list[list[str]] = []
        self.plain: dict[str, Any] = {}
        self._stated: dict[CellName, tuple[Document, int]] = {}

    def page(self, document: Document) -> None:
        """Read the page about the guide itself."""
        data = read_guide_page(document, self.faults)
        self.bibliography = Bibliography(
            {s["section"]: s["title"] for s in data.get("sections") or ()},
            {d["id"]: d["title"] for d in data.get("documents") or ()},
        )
        self.plain = {
            **{key: data.get(key, "") for key in ("guide", "title", "version")},
            "defaults": data.get("defaults") or {},
            "sections": self.bibliography.sections,
            "documents": self.bibliography.documents,
            "tables": self.tables,
            "rules": self.rules,
            "changes": self.changes,
        }

    def place(self, cell: CellName) -> Location:
        """Return where a cell is stated."""
        document, row = self._stated[cell]
        return document.place(("rows", row, cell[2]))

    def add(self, document: Document, overlay: str = "") -> None:
        """Add a file of the guide, or of an overlay."""
        if _is_table(document):
            self._add_table(document, overlay)
        else:
            self._add_rule(document, overlay)

    def fault(self, place: Location, what: str, expected: str = "", hint: str = "") -> None:
        self.faults.append(Diagnostic(place, what, expected, hint))

    def _add_table(self, document: Document, overlay: str) -> None:
        name, place = document.data["table"], document.place(("table",))
        old = self.tables.get(name) if isinstance(name, str) else None
        new = bool(document.data.get("new"))
        if overlay and isinstance(name, str) and (old is None) is not new:
            if new:
                self.fault(place, f"table {shown(name)} exists already", hint="leave out 'new'")
            else:
                near = did_you_mean(name, self.tables)
                what, expected = f"unknown table {shown(name)}", "new: true, if it is to be added"
                self.fault(place, what, expected, near)
            return
        known = {k: Column.of(c) for k, c in old["columns"].items()} if old else {}
        table = read_table(document, self.bibliography, self.faults, bool(overlay), known)
        if table is None:
            return
        if old and not overlay:
            self.fault(document.place(()), f"table {shown(name)} is defined in two files")
            return
        if old:
            self._change_table(document, old, table, overlay)
        else:
            self.tables[str(name)] = table
            self._note_added(overlay, str(name))
        for row in table["rows"].values():
            for column in row["values"]:
                self._stated[str(name), row["id"], column] = document, row["at"]

    def _change_table(
        self, document: Document, old: dict[str, Any], table: dict[str, Any], overlay: str
    ) -> None:
        for row_id, row in table["rows"].items():
            target = old["rows"].get(row_id)
            new, place = row.pop("new", False), document.place(("rows", row["at"], "id"))
            if target is None and new:
                old["rows"][row_id] = row
                self._note_added(overlay, f"{old['table']}/{row_id}")
            elif target is None:
                what = f"table {old['table']} has no row {shown(row_id)}"
                expected = "new: true, if it is to be added"
                self.fault(place, what, expected, did_you_mean(row_id, old["rows"]))
            elif new:
                what = f"table {old['table']} has a row {shown(row_id)} already"
                self.fault(place, what, hint="leave out 'new'")
            else:
                self._change_row(old["table"], target, row, overlay)

    def _change_row(
        self, table: str, target: dict[str, Any], row: Mapping[str, Any], overlay: str
    ) -> None:
        target["file"] = row["file"]
        for column, value in row["values"].items():
            before = _shown(target["values"].get(column))
            self.changes.append([overlay, f"{table}/{row['id']}/{column}", before, _shown(value)])
            target["values"][column] = value
            mark = row["marks"].get(column) or row["mark"]
            target["marks"][column] = mark or [f"overlay {overlay}", "overlay", ""]

    def _add_rule(self, document: Document, overlay: str) -> None:
        data = document.data if isinstance(document.data, dict) else {}
        name = str(data.get("id"))
        old, place = self.rules.get(name), document.place(("id",))
        if overlay and old is None and "require" not in data and "id" in data:
            what, expected = (
                f"unknown rule {shown(name)}",
                "all keys of a rule, if it is to be added",
            )
            self.fault(place, what, expected, did_you_mean(name, self.rules))
            return
        rule = read_rule(document, self.bibliography, self.faults, bool(overlay and old))
        if rule is None:
            return
        if is_own(document.name):
            rule["own"] = True
        if old and not overlay:
            self.fault(place, f"rule {name} is defined in two files")
        elif old:
            self._change_rule(document, old, rule, overlay)
        else:
            self.rules[name] = rule
            self._note_added(overlay, f"rule {name}")

    def _change_rule(
        self, document: Document, old: dict[str, Any], new: dict[str, Any], overlay: str
    ) -> None:
        old["file"] = new["file"]
        for name, parameter in new["parameters"].items():
            before = old["parameters"].get(name, {})
            self.faults += parameter_errors(
                document, self.tables, old["parameters"], name, parameter
            )
            unit = parameter.get("unit") or before.get("unit")
            was, now = _shown_parameter(before), _shown_parameter(parameter)
            self.changes.append([overlay, f"rule {old['id']} parameter {name}", was, now])
            old["parameters"][name] = {
                **parameter, "cite": f"overlay {overlay}", "overlay": overlay,
                **({"unit": unit} if unit else {}),
                **({"was": before} if before else {}),
            }  # fmt: skip
        for key, value in new.items():
            if key not in ("id", "cite", "own", "file", "parameters") and old.get(key) != value:
                what = f"rule {old['id']} {key}"
                self.changes.append([overlay, what, _shown(old.get(key)), _shown(value)])
                old[key] = value

    def _note_added(self, overlay: str, what: str) -> None:
        if overlay:
            self.changes.append([overlay, what, "", "added"])


def _shown_parameter(parameter: Mapping[str, Any]) -> str:
    if "table" in parameter:
        return "/".join(str(parameter[key]) for key in ("table", "row", "field"))
    return _shown(parameter.get("value"))


def _shown(value: Any) -> str:
    if value is None:
        return "blank"
    return " to ".join(str(v) for v in value) if isinstance(value, list) else str(value)
