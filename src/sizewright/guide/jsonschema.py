"""The shape of a guide's files as JSON Schema: tables, and the page about the guide itself.

The keys are those that the checks allow, and a key without a shape stops here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sizewright.guide.checks import (
    COLUMN_KEYS,
    ROW_KEYS,
    SOURCE_KEYS,
    STATUSES,
    TABLE_KEYS,
    TYPES,
)
from sizewright.guide.merge import GUIDE_KEYS
from sizewright.schema.jsonschema import DIALECT
from sizewright.schema.model import JsonSchema

TEXT: JsonSchema = {"type": "string", "pattern": r"\S"}
SCALAR: JsonSchema = {"type": ["number", "string", "boolean"]}
SOURCE: JsonSchema = {"$ref": "#/$defs/source"}
_NUMBERED: JsonSchema = {"type": ["integer", "string"]}
_CELL: JsonSchema = {
    "description": "A value of a column, in its unit; ~ where the guide leaves it blank.",
    "anyOf": [{**SCALAR, "type": [*SCALAR["type"], "null"]}, {"type": "array"}],
}
_STATUS: JsonSchema = {
    "enum": list(STATUSES),
    "description": "Whether the guide prints the value, it is inferred from what the guide "
    "prints, or another document has it.",
}
_FROM: JsonSchema = {**TEXT, "description": "What an inferred value is inferred from."}
_SOURCE_SHAPES: Mapping[str, JsonSchema] = {
    "section": {**TEXT, "description": "A section of the guide, in quotes."},
    "document": {**TEXT, "description": "The id of a document that the guide's page lists."},
    "where": {**TEXT, "description": "The place in that document."},
    "table": _NUMBERED, "footnote": _NUMBERED, "appendix": _NUMBERED, "page": _NUMBERED,
    "figure": _NUMBERED,
    "own": {**TEXT, "description": "Why sizewright itself says so, where no guide does."},
}  # fmt: skip


def table_schema(partial: bool = False) -> JsonSchema:
    """A file of a guide's tables; a `partial` one lies over another and may leave things out."""
    return {
        "$schema": DIALECT,
        "anyOf": [{"$ref": "#/$defs/table"}, {"$ref": "#/$defs/guide"}],
        "$defs": {
            "table": _table(partial), "row": _row(partial), "column": _column(), "mark": _mark(),
            "source": source(), "guide": _guide(),
        },
    }  # fmt: skip


def closed(
    keys: Iterable[str], shapes: Mapping[str, JsonSchema], required: Iterable[str] = ()
) -> JsonSchema:
    """A mapping of these keys and no others."""
    return {
        "type": "object",
        "properties": {key: dict(shapes[key]) for key in keys},
        "required": list(required),
        "additionalProperties": False,
    }


def source() -> JsonSchema:
    """Where a value stands: a section, an appendix or another document at least."""
    return {**closed(SOURCE_KEYS, _SOURCE_SHAPES), "minProperties": 1}


def _table(partial: bool) -> JsonSchema:
    shapes: dict[str, JsonSchema] = {
        "table": {**TEXT, "description": "The name of the table."},
        "title": TEXT,
        "note": TEXT,
        "unread": {
            "type": "object",
            "description": "Columns that nothing reads, each with the decision that it cannot "
            "change.",
            "additionalProperties": TEXT,
        },
        "columns": {
            "type": "object", "additionalProperties": {"$ref": "#/$defs/column"},
            "minProperties": 1,
        },
        "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}, "minItems": 1},
    }  # fmt: skip
    return closed(
        TABLE_KEYS, shapes, ("table", "rows") if partial else ("table", "columns", "rows")
    )


def _column() -> JsonSchema:
    shapes: dict[str, JsonSchema] = {
        "type": {"enum": list(TYPES)},
        "unit": {"type": ["string", "integer"], "description": 'Such as MB or op/s; "1" for none.'},
        "doc": {"type": "string", "description": "What the column means."},
        "one_of": {"type": "array", "items": TEXT, "description": "The texts that are allowed."},
    }
    numeric = {"properties": {"type": {"enum": ["number", "range"]}}}
    return {
        **closed(COLUMN_KEYS, shapes, ("type",)),
        "if": numeric, "then": {"required": ["unit"]},
    }  # fmt: skip


def _row(partial: bool) -> JsonSchema:
    shapes: dict[str, JsonSchema] = {
        "id": {**TEXT, "description": "What the row goes by."},
        "source": SOURCE,
        "status": _STATUS,
        "from": _FROM,
        "note": TEXT,
        "except": {
            "type": "object", "additionalProperties": {"$ref": "#/$defs/mark"},
            "description": "Columns whose value comes from elsewhere than the row's.",
        },
    }  # fmt: skip
    required = ("id",) if partial else ("id", "source", "status")
    return {**closed(ROW_KEYS, shapes, required), "additionalProperties": _CELL, **_by_status()}


def _mark() -> JsonSchema:
    keys = ("source", "status", "from", "note")
    shapes = {"source": SOURCE, "status": _STATUS, "from": _FROM, "note": TEXT}
    return {**closed(keys, shapes, ("source", "status")), **_by_status()}


def _by_status() -> JsonSchema:
    """An inferred value says from what, and one from outside names its document."""
    return {"allOf": [
        {"if": {"properties": {"status": {"const": "inferred"}}, "required": ["status"]},
         "then": {"required": ["from"]}},
        {"if": {"properties": {"status": {"const": "outside"}}, "required": ["status"]},
         "then": {"properties": {"source": {"required": ["document"]}}}},
    ]}  # fmt: skip


def _guide() -> JsonSchema:
    listed: JsonSchema = {"type": "array", "items": {"type": "object"}}
    shapes: dict[str, JsonSchema] = {
        "guide": {**TEXT, "description": "What --guide calls it."},
        "title": TEXT,
        "authors": {"type": "array", "items": TEXT},
        "published": TEXT,
        "version": {**TEXT, "description": "Of these tables and rules."},
        "documents": {**listed, "items": {"type": "object", "required": ["id", "title"]}},
        "sections": {**listed, "items": {"type": "object", "required": ["section", "title"]}},
        "tables": listed,
        "defaults": {"type": "object", "additionalProperties": TEXT},
        "note": TEXT,
    }
    return closed(GUIDE_KEYS, shapes, ("guide", "title", "version"))
