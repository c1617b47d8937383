"""The annotated data classes as JSON Schema, so that editors complete and check input files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from sizewright.schema.said import Stated
from sizewright.schema.schema import JsonSchema, hints_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# What is told of a field of a class; empty where nothing is.
Told = Callable[[type, str], str]


def nothing_told(_model: type, _field: str) -> str:
    """Say nothing of any field."""
    return ""


def json_schema(model: type, told: Told = nothing_told) -> JsonSchema:
    """The schema of a file that is read as the data class, with the words for its fields."""
    found = _Classes(told)
    whole = found.of(model)
    return {"$schema": DIALECT, **whole, "$defs": dict(sorted(found.definitions.items()))}


class _Classes:
    """Collects the classes that are met on the way down, each defined once."""

    def __init__(self, told: Told) -> None:
        self.told = told
        self.definitions: dict[str, JsonSchema] = {}

    def of(self, shape: Any) -> JsonSchema:
        """The schema of a type."""
        origin = get_origin(shape)
        if origin is Annotated:
            inner, marker = get_args(shape)
            schema: JsonSchema = marker.json(inner, self.of)
            return schema
        if origin is Union or origin is UnionType:
            (present,) = (part for part in get_args(shape) if part is not NoneType)
            return _or_nothing(self.of(present))
        if origin is tuple:
            return {"type": "array", "items": self.of(get_args(shape)[0])}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.of(get_args(shape)[1])}
        return self._defined(shape)

    def _defined(self, model: type) -> JsonSchema:
        name = model.__name__
        if name not in self.definitions:
            self.definitions[name] = {}
            self.definitions[name] = self._class(model)
        return {"$ref": f"#/$defs/{name}"}

    def _class(self, model: type) -> JsonSchema:
        hints = hints_of(model)
        own = fields(model)
        properties = {field.name: _with_default(field, self.of(hints[field.name])) for field in own}
        for name, schema in properties.items():
            words = self.told(model, name)
            if words:
                form = schema.get("description")
                schema["description"] = f"{words} {form}" if form else words
        if issubclass(model, Stated):
            said = properties["said"]
            said["description"] = "Where a source states each field, and as what."
            said["propertyNames"] = {"enum": [f.name for f in own if f.name != "said"]}
        return {
            "type": "object",
            "description": " ".join((model.__doc__ or "").split()),
            "properties": properties,
            "required": [field.name for field in own if _is_required(field)],
            "additionalProperties": False,
        }


def _or_nothing(schema: JsonSchema) -> JsonSchema:
    """The same, or an explicit blank."""
    nothing = {"type": "null"}
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], nothing]}
    return {"anyOf": [schema, nothing]}


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _with_default(field: Field[Any], schema: JsonSchema) -> JsonSchema:
    """What is taken where a field is left out, if that is a plain value."""
    plain = isinstance(field.default, (bool, int, float, str))
    return {**schema, "default": field.default} if plain else dict(schema)
