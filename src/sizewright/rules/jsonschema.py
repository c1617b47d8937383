"""The JSON Schema of a rule's file, with every fact that its examples may state."""

from __future__ import annotations

from collections.abc import Mapping

from sizewright.facts.fact import Fact
from sizewright.facts.records import RECORDS, facts_of
from sizewright.guide.model import REPORTED
from sizewright.guide.rule_files import RuleChange, RuleFile
from sizewright.schema.jsonschema import JsonSchema, json_schema

_FACT_TYPES: Mapping[str, JsonSchema] = {
    "number": {"anyOf": [
        {"type": ["number", "null"]}, {"type": "array", "items": {"type": ["number", "null"]}},
    ]},
    "text": {"type": ["string", "null"]},
    "flag": {"type": ["boolean", "null"]},
    "names": {"type": ["array", "null"]},
}  # fmt: skip


def rule_schema(partial: bool = False) -> JsonSchema:
    """Return the schema of a rule; a `partial` one changes a rule of the guide."""
    whole = json_schema(RuleChange if partial else RuleFile)
    whole["properties"]["subject"]["enum"] = list(RECORDS)
    given = whole["$defs"]["RuleExample"]["properties"]["given"]
    given["additionalProperties"] = False
    given["properties"] = {name: {"$ref": f"#/$defs/{name}"} for name in RECORDS} | {
        REPORTED: {
            "type": "object",
            "description": "By the names of the guide's table reported-facts.",
        }
    }
    whole["$defs"] |= {name: _facts(name) for name in RECORDS}
    return whole


def _facts(subject: str) -> JsonSchema:
    return {
        "type": "object",
        "properties": {name: _fact(fact) for name, fact in facts_of(subject).items()},
        "additionalProperties": False,
    }


def _fact(fact: Fact) -> JsonSchema:
    unit = f" ({fact.unit})" if fact.unit and fact.unit != "1" else ""
    schema = {**_FACT_TYPES[fact.kind], "description": f"{fact.doc}{unit}"}
    return {**schema, "enum": [*fact.one_of, None]} if fact.one_of else schema
