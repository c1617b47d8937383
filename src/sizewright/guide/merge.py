"""Reads and checks every file of a guide, and applies overlays by row and rule id and key."""

import json
import marshal
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from sizewright.documents import Document, parse_document
from sizewright.errors import Diagnostic, ErrorList, Location, did_you_mean, join_or, shown
from sizewright.guide.cell_checks import (
    CellName,
    Columns,
    cell_errors,
    column_errors,
    file_errors,
    mapping,
)
from sizewright.guide.files import (
    Bibliography,
    ColumnFile,
    GuideFile,
    NewTable,
    PriceFile,
    TableChange,
    TableFile,
    cite,
)
from sizewright.guide.model import PARTS_TABLES, is_own
from sizewright.guide.rule_files import (
    RuleChange,
    RuleFile,
    blank_cells,
    bound_errors,
    parameter_errors,
    unknown_substitutes,
)
from sizewright.guide.table_schema import Column
from sizewright.schema.diagnostics import validation_diagnostics
from sizewright.schema.model import InputModel


def plain_table(document: Document, columns: Columns, bibliography: Bibliography) -> dict[str, Any]:
    """Return a table in whose file nothing is wrong as plain data."""
    data, rows = document.data, {}
    for index, row in enumerate(data["rows"]):
        rows[row["id"]] = {
            "values": {key: value for key, value in row.items() if key in columns},
            "mark": _mark(row, bibliography),
            "marks": {c: _mark(m, bibliography) for c, m in (row.get("except") or {}).items()},
            "note": str(row.get("note") or ""),
            "file": document.name,
            "at": index,
            "id": str(row["id"]),
            **({"new": True} if row.get("new") else {}),
        }
    return {
        "table": str(data["table"]),
        "title": str(data.get("title") or ""),
        "columns": {name: list(column) for name, column in columns.items()},
        "rows": rows,
    }


def plain_rule(document: Document, bibliography: Bibliography) -> dict[str, Any]:
    """Return a rule in whose file nothing is wrong as plain data."""
    places = {key: document.place((key,)) for key in document.data}
    rule = {**document.data, "file": document.name, "places": places, "parameters": {}}
    if "source" in rule:
        rule["cite"] = cite(rule["source"], bibliography)
    for name, value in (document.data.get("parameters") or {}).items():
        parameter = dict(value) if isinstance(value, dict) else {"value": value}
        if "source" in parameter:
            parameter["cite"] = cite(parameter["source"], bibliography)
        if "unit" in parameter:
            # 1 may be written as a number.
            parameter["unit"] = str(parameter["unit"])
        rule["parameters"][name] = parameter
        places[f"parameters.{name}"] = document.place(("parameters", name))
    if isinstance(rule.get("bounds"), dict):
        rule["bounds"] = [rule["bounds"]]
    return rule


def _mark(data: Mapping[str, Any], bibliography: Bibliography) -> list[str] | None:
    if "source" not in data and "status" not in data:
        return None
    cited = cite(data["source"], bibliography) if data.get("source") else ""
    return [cited, str(data.get("status")), str(data.get("from") or "")]


def _columns(data: Mapping[str, Any]) -> dict[str, Column]:
    """Return the columns of a file that are declared as they should be."""
    found = {}
    for name, spec in mapping(data.get("columns")).items():
        try:
            found[name] = ColumnFile.model_validate(spec).column()
        except ValidationError:
            continue
    return found


def merge_guide(files: Iterable[tuple[str, bytes]]) -> dict[str, Any]:
    """Return the files of a guide as plain data; raises InputError with every error."""
    merge = _Merge()
    # The page about the guide is first, because all others cite what it lists.
    for name, content in sorted(files, key=lambda file: not file[0].endswith("guide.yaml")):
        merge.read(name, content)
    if not merge.about:
        merge.fault(Location("guide.yaml"), "there is no such file", "a page about the guide")
    return merge.plain()


def apply_overlays(
    guide: Mapping[str, Any], overlays: Iterable[Iterable[tuple[str, bytes]]]
) -> dict[str, Any]:
    """Return a guide, as `merge_guide` makes it, with overlays; raises InputError."""
    merge = _Merge(guide)
    for layer in overlays:
        for name, content in layer:
            merge.read(name, content, name.split("/", 1)[0])
    return merge.plain()


class _Merge:
    """The guide as far as its files are read, and what is wrong with them."""

    def __init__(self, before: Mapping[str, Any] | None = None) -> None:
        self.faults = ErrorList()
        # What is kept is not changed.
        whole: dict[str, Any] = marshal.loads(marshal.dumps(dict(before or {})))
        self.about: dict[str, Any] = whole
        self.tables = {name: marshal.loads(it) for name, it in whole.pop("tables", {}).items()}
        self.rules: dict[str, Any] = whole.pop("rules", {})
        self.changes: list[list[str]] = whole.pop("changes", [])
        self._places: dict[CellName, Location] = {}

    def plain(self) -> dict[str, Any]:
        """Return everything that was read, checked as a whole; raises InputError."""
        self.faults += column_errors(self.tables)
        if not self.faults:
            self.faults += cell_errors(self.tables, self._place)
            self.faults += blank_cells(self.rules, self.tables, self._place)
            self.faults += unknown_substitutes(self.rules)
        self.faults.raise_any()
        whole = {**self.about, "rules": self.rules, "changes": self.changes}
        # Texts and numbers without their places. Tables are read one by one later.
        plain: dict[str, Any] = json.loads(json.dumps(whole))
        tables = json.loads(json.dumps(self.tables))
        return {**plain, "tables": {name: marshal.dumps(it) for name, it in tables.items()}}

    @property
    def bibliography(self) -> Bibliography:
        return Bibliography(self.about.get("sections", {}), self.about.get("documents", {}))

    def read(self, name: str, content: bytes, overlay: str = "") -> None:
        """Read a file of the guide, or of an overlay."""
        with self.faults.catch():
            document = parse_document(content, name)
            keys = mapping(document.data)
            if name.endswith("guide.yaml") and not overlay:
                self._page(document)
            elif "table" in keys:
                self._add_table(document, overlay)
            elif "prices" in keys:
                self._add_prices(document, overlay)
            else:
                self._add_rule(document, overlay)

    def _page(self, document: Document) -> None:
        """Read the page about the guide itself."""
        data = document.data if self._is_sound(document, GuideFile) else {}
        self.about = {
            **{key: data.get(key, "") for key in ("guide", "title", "version")},
            "defaults": data.get("defaults") or {},
            "sections": {s["section"]: s["title"] for s in data.get("sections") or ()},
            "documents": {d["id"]: d["title"] for d in data.get("documents") or ()},
        }

    def _place(self, cell: CellName) -> Location:
        """Return where a cell is stated; of a cell without an overlay only its file is known."""
        table, row, _ = cell
        known = self._places.get(cell) or self._places.get((table, row, ""))
        return known or Location(self.tables[table]["rows"][row]["file"])

    def _is_sound(self, document: Document, model: type[InputModel], *errors: Diagnostic) -> bool:
        """Return whether a file has no other errors and fits its model; add what is wrong."""
        found = list(errors)
        try:
            model.model_validate(document.data, context=self.bibliography)
        except ValidationError as error:
            found += validation_diagnostics(error, document, model)
        self.faults += found
        return not found

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
        columns = {**known, **_columns(document.data)}
        model = NewTable if overlay and new else TableChange if overlay else TableFile
        if not self._is_sound(document, model, *file_errors(document, columns, known)):
            return
        table = plain_table(document, columns, self.bibliography)
        if old and not overlay:
            self.fault(document.place(()), f"table {shown(name)} is defined in two files")
            return
        if old:
            self._change_table(document, old, table, overlay)
        else:
            self.tables[str(name)] = table
            self._note_added(overlay, str(name))
        for row in table["rows"].values():
            # A cell that is not stated is at its row.
            for column in (*row["values"], ""):
                place = document.place(("rows", row["at"], column))
                self._places[str(name), row["id"], column] = place

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

    def _add_prices(self, document: Document, overlay: str) -> None:
        """Read the prices of parts; those of a later overlay override earlier ones."""
        if not overlay:
            place = document.place(("prices",))
            self.fault(place, "prices are stated in an overlay", "the table prices of the guide")
        if not self._is_sound(document, PriceFile) or not overlay:
            return
        stated, before = document.data["prices"], self.about.get("prices") or {}
        if before and before["currency"] != stated["currency"]:
            what = f"the prices of another overlay are in {before['currency']}"
            self.fault(document.place(("prices", "currency")), what, before["currency"])
            return
        known, parts = self._priced_parts(), dict(before.get("parts") or {})
        for name, value in stated["parts"].items():
            rows, at = known.get(name.casefold(), []), document.place(("prices", "parts", name))
            if len(rows) == 1:
                parts[rows[0]] = value if isinstance(value, dict) else {"price": value}
            elif rows:
                self.fault(at, f"{len(rows)} parts are called {shown(name)}", join_or(rows))
            else:
                hint = did_you_mean(name, known)
                self.fault(at, f"the guide has no part {shown(name)}", "a part by id or name", hint)
        self.about["prices"] = {
            **{key: str(stated.get(key) or "") for key in ("currency", "date", "source")},
            "parts": parts,
        }

    def _priced_parts(self) -> dict[str, list[str]]:
        """Return the parts that can be ordered as `table/row`, by their ids and names."""
        found: dict[str, list[str]] = {}
        for table in PARTS_TABLES:
            for row_id, row in self.tables.get(table, {"rows": {}})["rows"].items():
                name, kind = (row["values"].get(key) for key in ("name", "interface"))
                disk = f"{name} {kind} disk" if table == "disks" else ""
                place = f"{table}/{row_id}"
                names = (row_id, place, name, disk)
                for called in {str(each).casefold() for each in names if each}:
                    found.setdefault(called, []).append(place)
        return found

    def _add_rule(self, document: Document, overlay: str) -> None:
        data = mapping(document.data)
        name: Any = data.get("id")
        named, place = isinstance(name, str), document.place(("id",))
        old = self.rules.get(name) if named else None
        if overlay and named and old is None and "require" not in data:
            what, near = f"unknown rule {shown(name)}", did_you_mean(name, self.rules)
            self.fault(place, what, "all keys of a rule, if it is to be added", near)
            return
        changes = overlay and (old is not None or not named)
        if not self._is_sound(document, RuleChange if changes else RuleFile):
            return
        rule = plain_rule(document, self.bibliography)
        if is_own(document.name):
            rule["own"] = True
        known = {**(old or {}).get("parameters", {}), **rule["parameters"]}
        self.faults += bound_errors(document, known)
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
        old["places"] |= new["places"]
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
        kept = ("id", "cite", "own", "file", "places", "parameters")
        for key, value in new.items():
            if key not in kept and old.get(key) != value:
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
