"""The shape of a rule's file as JSON Schema, with every fact that its examples may give."""

from __future__ import annotations

from collections.abc import Mapping

from sizewright.facts.fact import Fact
from sizewright.facts.records import RECORDS, facts_of
from sizewright.guide.jsonschema import SCALAR, SOURCE, TEXT, closed, source
from sizewright.guide.model import SEVERITIES
from sizewright.guide.reported import REPORTED
from sizewright.guide.rulefile import (
    BOUND_KEYS,
    EXAMPLE_KEYS,
    JUDGED,
    KEYS,
    PARAMETER_KEYS,
    REQUIRED,
)
from sizewright.rules.examples import SHOWN
from sizewright.schema.jsonschema import DIALECT
from sizewright.schema.model import JsonSchema

_VALUE: JsonSchema = {"anyOf": [SCALAR, {"type": "array", "items": SCALAR, "minItems": 1}]}
_BOUND: JsonSchema = {"$ref": "#/$defs/bound"}
_CONDITION_SAYS = "A condition over facts (disk.utilisation) and the rule's parameters."
_CONDITION: JsonSchema = {"type": ["string", "boolean"], "description": _CONDITION_SAYS}
_FACT_TYPES: Mapping[str, JsonSchema] = {
    "number": {"anyOf": [
        {"type": ["number", "null"]}, {"type": "array", "items": {"type": ["number", "null"]}},
    ]},
    "text": {"type": ["string", "null"]},
    "flag": {"type": ["boolean", "null"]},
    "names": {"type": ["array", "null"]},
}  # fmt: skip


def rule_schema(partial: bool = False) -> JsonSchema:
    """A rule file; a `partial` one changes a rule of the guide and may leave things out."""
    rule = closed(KEYS, _shapes(), ("id",) if partial else (*REQUIRED, "source", "examples"))
    if not partial:
        rule["anyOf"] = [
            {"required": ["parameters"], "properties": {"parameters": {"minProperties": 1}}},
            {"required": ["no_parameters"]},
        ]
    return {
        "$schema": DIALECT,
        **rule,
        "$defs": {
            "source": source(), "parameter": _parameter(partial), "bound": _bound(),
            "example": _example(), **{name: _facts(name) for name in RECORDS},
        },
    }  # fmt: skip


def _shapes() -> dict[str, JsonSchema]:
    parameters = {"type": "object", "additionalProperties": {"$ref": "#/$defs/parameter"}}
    return {
        "id": {**TEXT, "description": "What the rule goes by."},
        "title": TEXT,
        "source": SOURCE,
        "subject": {"enum": list(RECORDS), "description": "What it is asked of, each by itself."},
        "parameters": {**parameters, "description": "The numbers of the rule, by name."},
        "no_parameters": {**TEXT, "description": "Why the rule has no number."},
        "bounds": {
            "anyOf": [_BOUND, {"type": "array", "items": _BOUND, "minItems": 1}],
            "description": "The limit that it sets on a resource, for budgets and the planner.",
        },
        "when": {**_CONDITION, "description": f"{_CONDITION_SAYS} It says where to ask."},
        "require": _CONDITION,
        "severity": {
            "enum": list(SEVERITIES),
            "description": "A violation blocks a plan; exceeding a recommended limit is borderline."
        },
        "severity_reason": TEXT,
        "message": {
            **TEXT,
            "description": "With {facts} and {parameters} in braces; {share:%} prints percent, "
            "{fact or words} the words if the fact is unknown.",
        },
        "remedy": {**TEXT, "description": "What to do where it is not met."},
        "measure": {**TEXT, "description": "How its facts are found on a machine."},
        "examples": {"type": "array", "items": {"$ref": "#/$defs/example"}, "minItems": 1},
        "cannot": {
            "type": "object", "propertyNames": {"enum": list(SHOWN)}, "additionalProperties": TEXT,
            "description": "Verdicts that no example shows, and why they cannot occur.",
        },
        "not_monotone": {"type": ["string", "boolean", "array", "object"]},
        "observed": {
            **TEXT,
            "description": "For a rule on existing servers only: why only observation shows it.",
        },
        "judges": {"type": "array", "items": {"enum": list(JUDGED)}, "minItems": 1},
        "note": TEXT,
    }  # fmt: skip


def _parameter(partial: bool) -> JsonSchema:
    """A value, by itself or with its source, or the cell of a table."""
    shapes: dict[str, JsonSchema] = {
        "table": {**TEXT, "description": "The table whose cell it is."},
        "row": TEXT, "field": TEXT, "value": _VALUE, "source": SOURCE, "doc": TEXT,
        "unit": {"type": ["string", "integer"], "description": '"1" for a pure number.'},
    }  # fmt: skip
    cell = {"required": ["table", "row", "field"]}
    stated: JsonSchema = {"not": {"required": ["table"]}}
    if not partial:
        stated["required"] = ["value"]
        stated["if"] = {"properties": {"value": {"type": "number"}}}
        stated["then"] = {"required": ["unit"]}
    whole = {**closed(PARAMETER_KEYS, shapes), "anyOf": [cell, stated]}
    return {"anyOf": [_VALUE, whole]}


def _bound() -> JsonSchema:
    named: JsonSchema = {**TEXT, "description": "A parameter, or a fact."}
    shapes: dict[str, JsonSchema] = {
        "resource": TEXT, "at_most": named, "capacity": named,
        "share": {**TEXT, "description": "A parameter that is a part of the capacity."},
        "when": _CONDITION,
    }  # fmt: skip
    one = [{"required": [way]} for way in ("at_most", "share", "capacity")]
    return {**closed(BOUND_KEYS, shapes, ("resource",)), "oneOf": one}


def _example() -> JsonSchema:
    given = {
        "type": "object", "additionalProperties": False,
        "properties": {
            **{name: {"$ref": f"#/$defs/{name}"} for name in RECORDS},
            REPORTED: {
                "type": "object",
                "description": "By the names of the guide's table reported-facts.",
            },
        },
    }  # fmt: skip
    shapes: dict[str, JsonSchema] = {
        "given": {**given, "description": "The facts; what is not given is unknown."},
        "parameters": {"type": "object", "additionalProperties": _VALUE},
        "expect": {"enum": list(SHOWN)},
        "note": TEXT,
    }
    return closed(EXAMPLE_KEYS, shapes, ("given", "expect"))


def _facts(subject: str) -> JsonSchema:
    facts = {name: _fact(fact) for name, fact in facts_of(subject).items()}
    return closed(facts, facts)


def _fact(fact: Fact) -> JsonSchema:
    unit = f" ({fact.unit})" if fact.unit and fact.unit != "1" else ""
    schema = {**_FACT_TYPES[fact.kind], "description": f"{fact.doc}{unit}"}
    return {**schema, "enum": [*fact.one_of, None]} if fact.one_of else schema
