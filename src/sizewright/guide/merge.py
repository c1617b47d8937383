"""Checks every parsed file of a guide and lays overlays over it, by row and rule id and key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sizewright.documents import Document
from sizewright.errors import Diagnostic, InputError
from sizewright.guide.cells import broken_cells
from sizewright.guide.checks import Bibliography, Checker, check_table
from sizewright.guide.contract import missing_columns
from sizewright.guide.model import Column
from sizewright.guide.paths import is_own
from sizewright.guide.rulefile import check_change, check_rule

GUIDE_KEYS = ("guide", "title", "authors", "published", "version", "documents", "sections",
               "tables", "defaults", "note")  # fmt: skip


def merged(layers: Sequence[Sequence[Document]]) -> dict[str, Any]:
    """One plain structure for the guide with all overlays; raises InputFaults."""
    faults: list[Diagnostic] = []
    base, *overlays = layers
    head = next((d for d in base if d.name.endswith("guide.yaml")), None)
    plain = _head(head, faults)
    bibliography = Bibliography(plain["sections"], plain["documents"])
    for document in base:
        if document is not head:
            _add(plain, document, bibliography, faults, overlay="")
    faults.extend(missing_columns(plain["tables"]))
    for layer in overlays:
        for document in layer:
            overlay = document.name.split("/", 1)[0]
            _add(plain, document, bibliography, faults, overlay)
    if not faults:
        faults.extend(broken_cells(plain["tables"]))
    if faults:
        raise InputError(tuple(faults))
    return plain


def _head(document: Document | None, faults: list[Diagnostic]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if document is not None:
        check = Checker(document, Bibliography({}, {}), partial=False)
        data = check.mapping(document.data, (), "the file")
        check.keys(data, GUIDE_KEYS, ())
        for key in ("guide", "title", "version"):
            check.word(data, key, ())
        faults.extend(check.faults)
    return {
        "guide": data.get("guide", ""),
        "title": data.get("title", ""),
        "version": data.get("version", ""),
        "defaults": data.get("defaults") or {},
        "sections": {s["section"]: s["title"] for s in data.get("sections") or ()},
        "documents": {d["id"]: d["title"] for d in data.get("documents") or ()},
        "tables": {},
        "rules": {},
        "changes": [],
    }


def _add(
    plain: dict[str, Any],
    document: Document,
    bibliography: Bibliography,
    faults: list[Diagnostic],
    overlay: str,
) -> None:
    check = Checker(document, bibliography, partial=bool(overlay))
    data = document.data
    if isinstance(data, dict) and "table" in data:
        name = data["table"]
        old = plain["tables"].get(name) if isinstance(name, str) else None
        columns = old["columns"] if old and overlay else {}
        known = {name: Column.of(spec) for name, spec in columns.items()}
        new = check_table(check, data, known)
        if old and not overlay:
            check.fault((), f"table '{new['table']}' is defined in two files")
        elif old:
            _lay_table(check, old, new, plain["changes"], overlay)
        else:
            _new_rows(check, new["rows"])
            plain["tables"][new["table"]] = new
            _note_new(plain, overlay, new["table"])
    else:
        known_rule = isinstance(data, dict) and data.get("id") in plain["rules"]
        check.partial = bool(overlay and known_rule)
        rule = check_rule(check, data) | {"file": document.name}
        if is_own(document.name):
            rule["own"] = True
        old = plain["rules"].get(rule.get("id"))
        if old and not overlay:
            check.fault(("id",), f"rule {rule['id']} is defined in two files")
        elif old:
            _lay_rule(check, plain, old, rule, overlay)
        else:
            plain["rules"][str(rule.get("id"))] = rule
            _note_new(plain, overlay, f"rule {rule.get('id')}")
    faults.extend(check.faults)


def _note_new(plain: dict[str, Any], overlay: str, what: str) -> None:
    if overlay:
        plain["changes"].append([overlay, what, "", "added"])


def _lay_table(
    check: Checker, old: dict[str, Any], new: dict[str, Any], changes: list[Any], overlay: str
) -> None:
    _new_rows(check, {k: row for k, row in new["rows"].items() if k not in old["rows"]})
    for row_id, row in new["rows"].items():
        target = old["rows"].get(row_id)
        if target is None:
            old["rows"][row_id] = row
            changes.append([overlay, f"{old['table']}/{row_id}", "", "added"])
            continue
        target["file"] = row["file"]
        for key, value in row["values"].items():
            what = f"{old['table']}/{row_id}/{key}"
            changes.append([overlay, what, _shown(target["values"].get(key)), _shown(value)])
            target["values"][key] = value
            mark = row["marks"].get(key) or row["mark"]
            target["marks"][key] = mark or [f"overlay {overlay}", "overlay", ""]


def _new_rows(check: Checker, rows: dict[str, Any]) -> None:
    for row_id, row in rows.items():
        if row["mark"] is None:
            check.fault(("rows", row["at"]), f"new row '{row_id}' has no source or status")


def _lay_rule(
    check: Checker, plain: dict[str, Any], old: dict[str, Any], new: dict[str, Any], overlay: str
) -> None:
    changes = plain["changes"]
    for key, value in new.items():
        if key in ("id", "cite", "own"):
            continue
        if key == "file":
            old[key] = value
            continue
        if key == "parameters":
            for name, parameter in value.items():
                before = old["parameters"].get(name, {})
                check_change(check, plain["tables"], old["parameters"], name, parameter)
                what = f"rule {old['id']} parameter {name}"
                unit = parameter.get("unit") or before.get("unit")
                was, now = _shown_parameter(before), _shown_parameter(parameter)
                changes.append([overlay, what, was, now])
                old["parameters"][name] = {
                    **parameter, "cite": f"overlay {overlay}", "overlay": overlay,
                    **({"unit": unit} if unit else {}),
                    **({"was": before} if before else {}),
                }  # fmt: skip
            continue
        if old.get(key) != value:
            changes.append(
                [overlay, f"rule {old['id']} {key}", _shown(old.get(key)), _shown(value)]
            )
            old[key] = value


def _shown_parameter(parameter: dict[str, Any]) -> str:
    if "table" in parameter:
        return "/".join(str(parameter[key]) for key in ("table", "row", "field"))
    return _shown(parameter.get("value"))


def _shown(value: Any) -> str:
    if value is None:
        return "blank"
    return " to ".join(str(v) for v in value) if isinstance(value, list) else str(value)
