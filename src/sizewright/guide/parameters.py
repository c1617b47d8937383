"""Parameters of rules: their values, the user's before the guide's, and their units."""

from collections.abc import Mapping
from typing import Any

from sizewright.guide.model import Guide, ParameterValue
from sizewright.guide.table_schema import Column, ends
from sizewright.quantity import Provenance, Quantity
from sizewright.units import PURE


def parameter_value(guide: Guide, rule: str, name: str, override: Any = None) -> ParameterValue:
    """Return the value of a rule's parameter: the user's, a table cell's, or the rule's own.

    Raises ValueError or TypeError for a value of the user's that is no quantity.
    """
    spec = guide.rules[rule]["parameters"][name]
    if override is not None:
        unit = column_of_parameter(guide, spec).unit
        spec = {"value": override, "unit": unit, "cite": "the workload", "status": "override"}
    if "table" in spec:
        return guide.row(spec["table"], spec["row"]).require(spec["field"])
    value = spec["value"]
    if isinstance(value, bool):
        return value
    unit = spec.get("unit") or column_of_parameter(guide, spec).unit
    if not is_number(value, unit):
        return value if isinstance(value, str) else tuple(str(v) for v in value)
    low, likely, high = ends(value, unit)
    own = "own" if spec.get("source", {}).get("own") else "printed"
    status = spec.get("status") or ("overlay" if spec.get("overlay") else own)
    cite = spec.get("cite") or guide.rules[rule].get("cite", "")
    return Quantity(
        low, likely, high, unit, name=name,
        source=Provenance("parameter", f"rule {rule}, {name}", cite, status),
    )  # fmt: skip


def is_number(value: Any, unit: str) -> bool:
    """Return whether a value of a parameter is a quantity in a unit."""
    try:
        ends(value, unit)
    except (ValueError, TypeError):
        return False
    return True


def column_of_parameter(guide: Guide, spec: Mapping[str, Any]) -> Column:
    """Return the column of a parameter: of its own unit, of its cell, or before an overlay."""
    if spec.get("unit"):
        return Column("range", str(spec["unit"]))
    if "table" in spec:
        return guide.table(spec["table"]).columns[spec["field"]]
    return column_of_parameter(guide, spec["was"]) if spec.get("was") else Column("range", PURE)


def parameter_of(
    name: str, overrides: Mapping[str, Mapping[str, Any]], guide: Guide
) -> Quantity | None:
    """Return the value of the one rule that has such a parameter: the user's, else the rule's."""
    rule = rule_of(name, guide)
    if not rule:
        return None
    try:
        value = parameter_value(guide, rule, name, overrides.get(rule, {}).get(name))
    except (ValueError, TypeError):
        # Rules report a stated value that is no quantity.
        value = parameter_value(guide, rule, name)
    return value if isinstance(value, Quantity) else None


def rule_of(name: str, guide: Guide) -> str:
    """Return the id of the one rule that has such a parameter; empty if no rule has it."""
    return next((rule for rule, spec in guide.rules.items() if name in spec["parameters"]), "")


def likely_parameter(name: str, stated: Mapping[str, Mapping[str, Any]], guide: Guide) -> float:
    """Return the likely value of a parameter of some rule: the user's, else the guide's; else 0."""
    found = parameter_of(name, stated, guide)
    return found.likely if found is not None else 0
