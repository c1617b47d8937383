"""Reports as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Never

from sizewright.errors import Diagnostic, InputError, Location, refusal, shown
from sizewright.limits import QUANTITY_AT_MOST
from sizewright.observe.formats import Formats, Reading, Report
from sizewright.observe.text import Text

_Cells = dict[tuple[str, str], dict[str, float]]


def read_json(text: Text, tool: str, known: Formats) -> Reading:
    """Read every report that has a part for this tool.

    Raises InputFaults where the text is not JSON, holds no such report, or a value is no number.
    """
    described = known.data["json"]
    where = described["reports"]
    found = _loaded(text)
    for step in where:
        if isinstance(found, list):
            if len(found) != 1:
                _refuse(text, f"it describes {len(found)} machines", "one")
            found = found[0]
        found = found.get(step) if isinstance(found, dict) else None
    if not isinstance(found, list) or not found:
        _refuse(text, f"it holds no reports at {'.'.join(where)}", "a list of reports")
    faults: list[Diagnostic] = []
    reports = []
    for number, report in enumerate(found):
        cells: _Cells = {}
        for part in described["parts"]:
            if tool in part["tools"]:
                found_here = _cells(text, report, part, f"{where[-1]}[{number}]", faults)
                for about, columns in found_here.items():
                    cells.setdefault(about, {}).update(columns)
        if cells:
            reports.append(Report(number, cells))
    if faults:
        raise InputError(faults)
    if not reports:
        others = {t for p in described["parts"] for r in found for t in p["tools"] if _at(r, p)}
        hint = "it has what these read: " + ", ".join(map(known.command, sorted(others)))
        what = f"no report has a part that from-{known.called(tool)} can read"
        _refuse(text, what, hint=hint if others else "")
    timed = all(_at(report, {"at": described["interval"]}) is not None for report in found)
    return Reading(tuple(reports), not timed)


def _loaded(text: Text) -> Any:
    def no_number(name: str) -> Never:
        raise ValueError(f"{name} is not a number that can be used")

    try:
        return json.loads("\n".join(text.lines), parse_constant=no_number)
    except json.JSONDecodeError as error:
        place = Location(text.name, error.lineno, error.colno)
        what = f"is not valid JSON: {error.msg.lower()}"
        hint = "the output may be cut off"
        raise refusal(place, what, hint=hint) from None
    except RecursionError:
        _refuse(text, "is nested too deeply")
    except ValueError as error:
        _refuse(text, f"cannot be used: {error}")


def _at(report: Any, part: Mapping[str, Any]) -> Any:
    for step in part["at"]:
        report = report.get(step) if isinstance(report, dict) else None
    return report


def _cells(
    text: Text, report: Any, part: Mapping[str, Any], where: str, faults: list[Diagnostic]
) -> _Cells:
    value = _at(report, part)
    path = f"{where}.{'.'.join(part['at'])}"
    if value is None:
        return {}
    entries = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
    cells: _Cells = {}
    for index, entry in entries:
        here = path if index is None else f"{path}[{index}]"
        if not isinstance(entry, dict):
            faults.append(Diagnostic(Location(text.name), f"{here} is {shown(entry)}", "a mapping"))
            continue
        if any(entry.get(key) != wanted for key, wanted in part.get("where", {}).items()):
            continue
        names = [entry[key] for key in part.get("name", ()) if key in entry]
        if "name" in part and not names:
            faults.append(
                Diagnostic(Location(text.name), f"{here} has no {' or '.join(part['name'])}")
            )
            continue
        columns = dict(_numbers(text, entry, part, here, faults))
        cells[(part["about"], str(names[0]) if names else "")] = columns
    return cells


def _numbers(
    text: Text,
    entry: Mapping[str, Any],
    part: Mapping[str, Any],
    where: str,
    faults: list[Diagnostic],
) -> Iterator[tuple[str, float]]:
    for key, value in entry.items():
        if key in part.get("name", ()) or key in part.get("where", {}):
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            faults.append(
                Diagnostic(
                    Location(text.name), f"{where}.{key} is {shown(value)}", "a number of 0 or more"
                )
            )
        elif not 0 <= value <= QUANTITY_AT_MOST:
            faults.append(Diagnostic(Location(text.name), f"{where}.{key} is {value}", "0 or more"))
        else:
            yield key.lower(), float(value)


def _refuse(text: Text, what: str, expected: str = "", hint: str = "") -> Never:
    raise refusal(Location(text.name), what, expected, hint)
