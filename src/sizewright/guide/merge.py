"""Checks every parsed file of a guide and lays overlays over it, by row and rule id and key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sizewright.documents import Document
from sizewright.errors import Fault, InputFaults
from sizewright.guide.checks import Bibliography, Checker, check_table
from sizewright.guide.contract import missing_columns
from sizewright.guide.model import Column
from sizewright.guide.rulefile import check_rule

_GUIDE_KEYS = ("guide", "title", "authors", "published", "version", "documents", "sections",
               "tables", "defaults", "note")  # fmt: skip


def merged(layers: Sequence[Sequence[Document]]) -> dict[str, Any]:
    """One plain structure for the guide with all overlays; raises InputFaults."""
    faults: list[Fault] = []
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
    if faults:
        raise InputFaults(tuple(faults))
    return plain


def _head(document: Document | None, faults: list[Fault]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if document is not None:
        check = Checker(document, Bibliography({}, {}), partial=False)
        data = check.mapping(document.data, (), "the file")
        check.keys(data, _GUIDE_KEYS, ())
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
    faults: list[Fault],
    overlay: str,
) -> None:
    check = Checker(document, bibliography, partial=bool(overlay))
    data = document.data
    if isinstance(data, dict) and "table" in data:
        old = plain["tables"].get(data["table"])
        columns = old["columns"] if old and overlay else {}
        known = {name: Column.of(spec) for name, spec in columns.items()}
        new = check_table(check, data, known)
        if old and not overlay:
            check.fault((), f"table '{new['table']}' stands in two files")
        elif old:
            _lay_table(check, old, new, plain["changes"], overlay)
        else:
            plain["tables"][new["table"]] = new
    else:
        known_rule = isinstance(data, dict) and data.get("id") in plain["rules"]
        check.partial = bool(overlay and known_rule)
        rule = check_rule(check, data)
        old = plain["rules"].get(rule.get("id"))
        if old and not overlay:
            check.fault(("id",), f"rule {rule['id']} stands in two files")
        elif old:
            _lay_rule(old, rule, plain["changes"], overlay)
        else:
            plain["rules"][str(rule.get("id"))] = rule
    faults.extend(check.faults)


def _lay_table(
    check: Checker, old: dict[str, Any], new: dict[str, Any], changes: list[Any], overlay: str
) -> None:
    for index, (row_id, row) in enumerate(new["rows"].items()):
        target = old["rows"].get(row_id)
        if target is None:
            if row["mark"] is None:
                check.fault(("rows", index), f"new row '{row_id}' has no source or status")
            old["rows"][row_id] = row
            changes.append([overlay, f"{old['table']}/{row_id}", "", "added"])
            continue
        for key, value in row["values"].items():
            what = f"{old['table']}/{row_id}/{key}"
            changes.append([overlay, what, _shown(target["values"].get(key)), _shown(value)])
            target["values"][key] = value
            mark = row["marks"].get(key) or row["mark"]
            target["marks"][key] = mark or [f"overlay {overlay}", "overlay", ""]


def _lay_rule(old: dict[str, Any], new: dict[str, Any], changes: list[Any], overlay: str) -> None:
    for key, value in new.items():
        if key in ("id", "cite"):
            continue
        if key == "parameters":
            for name, parameter in value.items():
                before = old["parameters"].get(name, {})
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
