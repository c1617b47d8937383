"""Checks the shape of a rule file; what its conditions mean is the rule engine's business."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizewright.guide.checks import Checker, Path
from sizewright.guide.model import SEVERITIES, ends
from sizewright.units import UnitError, factor

JUDGED = ("plan", "box")
KEYS = (
    "id", "title", "source", "subject", "parameters", "no_parameters", "bounds", "when",
    "require", "severity", "severity_reason", "message", "remedy", "examples", "cannot",
    "not_monotone", "measure", "note", "judges", "observed",
)  # fmt: skip
REQUIRED = ("id", "title", "subject", "require", "severity", "message")
PARAMETER_KEYS = ("table", "row", "field", "value", "unit", "source", "doc")
BOUND_KEYS = ("resource", "at_most", "share", "capacity", "when")
EXAMPLE_KEYS = ("given", "parameters", "expect", "note")


def check_rule(check: Checker, data: Any) -> dict[str, Any]:
    """A rule file as plain data."""
    data = check.mapping(data, (), "the file")
    check.keys(data, KEYS, ())
    for key in REQUIRED:
        check.word(data, key, ())
    rule = {key: data[key] for key in KEYS if key in data}
    if data.get("severity") not in (*SEVERITIES, None):
        check.fault(
            ("severity",), f"severity is {data['severity']}", "one of " + ", ".join(SEVERITIES)
        )
    judged = data.get("judges", list(JUDGED))
    if not isinstance(judged, list) or not judged or any(one not in JUDGED for one in judged):
        check.fault(("judges",), f"judges is {judged!r}", "a list of " + ", ".join(JUDGED))
    if "source" in data:
        rule["cite"] = check.citation(data["source"], ("source",))
    elif not check.partial:
        check.fault((), "the rule has no source", "source: {section: …}")
    parameters = check.mapping(data.get("parameters") or {}, ("parameters",), "parameters")
    rule["parameters"] = {
        name: _parameter(check, value, ("parameters", name)) for name, value in parameters.items()
    }
    if not parameters and not data.get("no_parameters") and not check.partial:
        check.fault((), "the rule has no parameters", "parameters, or no_parameters: the reason")
    if "bounds" in data:
        rule["bounds"] = _bounds(check, data["bounds"], tuple(parameters))
    _examples(check, data.get("examples"))
    return rule


def _parameter(check: Checker, value: Any, path: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {"value": value}
    check.keys(value, PARAMETER_KEYS, path)
    if "table" in value:
        for key in ("row", "field"):
            check.word(value, key, path)
    elif "value" not in value and not check.partial:
        check.fault(path, "the parameter has no value", "value, or table, row and field")
    parameter = dict(value)
    if "source" in value:
        parameter["cite"] = check.citation(value["source"], (*path, "source"))
    numeric = isinstance(value.get("value"), (int, float)) and not isinstance(value["value"], bool)
    if numeric and "unit" not in value and not check.partial:
        check.fault(path, "the parameter has no unit", "unit: … (1 for a pure number)")
    return parameter


def check_change(
    check: Checker,
    tables: Mapping[str, Any],
    known: Mapping[str, Mapping[str, Any]],
    name: str,
    parameter: Mapping[str, Any],
) -> None:
    """Fault a parameter of an overlay that its rule does not have, or a value it cannot have."""
    path: Path = ("parameters", name)
    before = known.get(name)
    if before is None:
        if "unit" not in parameter and "table" not in parameter:
            check.unknown(path, "parameter", name, tuple(known))
            check.faults[-1] = check.faults[-1]._replace(what=f"the rule has no parameter '{name}'")
        return
    if "table" in parameter:
        return
    unit = _unit(tables, before)
    value = parameter.get("value")
    try:
        if parameter.get("unit"):
            factor(str(parameter["unit"]), unit)
        low, likely, high = ends(value, unit)
    except UnitError as error:
        check.fault(path, str(error), f"a value in {unit}")
    except (TypeError, ValueError):
        if value is None or unit:
            check.fault(path, f"{name} is {value!r}", f"a value in {unit}" if unit else "a value")
    else:
        if not low <= likely <= high:
            check.fault(path, f"{name}: {low:g} is above {high:g}", "low before high")


def _unit(tables: Mapping[str, Any], parameter: Mapping[str, Any]) -> str:
    """The unit of a parameter; empty where it is no number."""
    if "table" in parameter:
        columns = tables.get(parameter["table"], {}).get("columns", {})
        _, unit, _, _ = columns.get(parameter["field"], ("", "", "", ()))
        return str(unit)
    return str(parameter.get("unit") or "")


def _bounds(check: Checker, data: Any, parameters: tuple[str, ...]) -> list[dict[str, Any]]:
    listed = data if isinstance(data, list) else [data]
    for index, bound in enumerate(listed):
        path: Path = ("bounds", index) if isinstance(data, list) else ("bounds",)
        bound = check.mapping(bound, path, "bounds")
        check.keys(bound, BOUND_KEYS, path)
        check.word(bound, "resource", path)
        ways = [key for key in ("at_most", "share", "capacity") if key in bound]
        if len(ways) != 1:
            check.fault(path, "bounds set no limit", "one of at_most, share, capacity")
        for key in ways:
            name = bound[key]
            if "." not in str(name) and name not in parameters and not check.partial:
                check.unknown((*path, key), "parameter", str(name), parameters)
    return [dict(bound) for bound in listed if isinstance(bound, dict)]


def _examples(check: Checker, data: Any) -> None:
    if data is None and check.partial:
        return
    if not isinstance(data, list) or not data:
        check.fault(("examples",), "the rule has no examples", "one for each verdict")
        return
    for index, example in enumerate(data):
        path: Path = ("examples", index)
        example = check.mapping(example, path, "example")
        check.keys(example, EXAMPLE_KEYS, path)
        check.word(example, "expect", path)
        check.mapping(example.get("given"), (*path, "given"), "given")
