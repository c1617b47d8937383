"""The JSON Schema of an input file, from its model, so that editors complete and check the file."""

import ast
import sys
from collections.abc import Iterable
from functools import cache
from inspect import getsource
from itertools import pairwise
from typing import Any

from pydantic import BaseModel, GetJsonSchemaHandler, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema
from pydantic_core.core_schema import definitions_schema

JsonSchema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NULL = {"type": "null"}


class _Generator(GenerateJsonSchema):
    """Pydantic's generator, without titles that only repeat names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """No field has a title."""
        return False

    def nullable_schema(self, schema: Any) -> JsonSchema:
        """The same, or an explicit blank."""
        inner = self.generate_inner(schema["schema"])
        if "anyOf" in inner:
            return {**inner, "anyOf": [*inner["anyOf"], _NULL]}
        return {"anyOf": [inner, _NULL]}


def json_schema(model: Any) -> JsonSchema:
    """Return the schema of a file that is read as the model, or as one of a union of models."""
    return {"$schema": DIALECT, **TypeAdapter(model).json_schema(schema_generator=_Generator)}


def described(
    model: type[BaseModel], core: CoreSchema, handler: GetJsonSchemaHandler
) -> JsonSchema:
    """Return pydantic's schema of a model with the docstrings of its fields."""
    reference = handler(core)
    schema = handler.resolve_ref_schema(reference)
    schema.pop("title", None)
    schema["description"] = " ".join((model.__doc__ or "").split())
    aliases = {field.alias or name: name for name, field in model.model_fields.items()}
    docs = field_docs(model)
    properties = schema["properties"]
    for name, field in properties.items():
        if field.get("default", "") is None:
            del field["default"]
        form = field.get("description", "")
        words = " ".join(filter(None, (docs.get(aliases[name]), form)))
        if words:
            field["description"] = words
    if "said" in properties:
        properties["said"]["propertyNames"] = {"enum": [n for n in properties if n != "said"]}
    return reference


def union_schema(members: Iterable[Any], handler: GetJsonSchemaHandler) -> JsonSchema:
    """Return any of the members: models, each defined once, or plain schemas."""
    return {"anyOf": [m if isinstance(m, dict) else handler(_defined(m)) for m in members]}


def _defined(model: Any) -> CoreSchema:
    """Return the core schema of a model as a definition, which the generator names."""
    whole: Any = dict(TypeAdapter(model).core_schema)
    return whole if whole["type"] == "definitions" else definitions_schema(whole, [])


def field_docs(model: type[BaseModel]) -> dict[str, str]:
    """Return the docstring below each field, also of fields that are inherited."""
    found: dict[str, str] = {}
    for cls in reversed(model.__mro__):
        if issubclass(cls, BaseModel) and cls is not BaseModel:
            for field, doc in pairwise(_classes(cls.__module__)[cls.__qualname__].body):
                match field, doc:
                    case ast.AnnAssign(ast.Name(name)), ast.Expr(ast.Constant(str(words))):
                        found[name] = " ".join(words.split())
    return found


@cache
def _classes(module: str) -> dict[str, ast.ClassDef]:
    """Return the classes of a module by name, as its source has them: parsed once for all."""
    tree = ast.parse(getsource(sys.modules[module]))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
