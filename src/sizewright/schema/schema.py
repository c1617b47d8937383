"""Makes a validator of pydantic's core from annotated data classes.

The classes are declared as models would be, and the same engine checks them. Only the generator of
schemas is our own: pydantic's takes longer to load than a whole plan may take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Protocol, Union, get_args, get_origin, get_type_hints

from pydantic_core import CoreSchema, SchemaValidator, core_schema

from sizewright.schema.objections import Objection, ObjectionsError

JsonSchema = dict[str, Any]
Below = Callable[[Any], JsonSchema]


class Marker(Protocol):
    """What stands in an Annotated type and says how its value is checked."""

    def core(self, shape: Any) -> CoreSchema:
        """Make the schema; `shape` is the type that is annotated."""
        ...

    def json(self, shape: Any, below: Below) -> JsonSchema:
        """Say the same as JSON Schema; `below` says it of what the type is made of."""
        ...


class Checked:
    """Marks a field with a further check; the check yields objections to a valid value."""

    __slots__ = ("check",)

    def __init__(self, check: Callable[[Any], Iterable[Objection]]) -> None:
        self.check = check

    def core(self, shape: Any) -> CoreSchema:
        """Check after the type's own schema."""
        return _checked(_core(shape), self.check)

    def json(self, shape: Any, below: Below) -> JsonSchema:
        """What the type says; of checks only that a list is not empty."""
        return below(shape) | ({"minItems": 1} if self.check is not_empty else {})


class Variants:
    """Marks a union; `choose` names the member for a value or raises ObjectionsError."""

    __slots__ = ("choose",)

    def __init__(self, choose: Callable[[Any], str]) -> None:
        self.choose = choose

    def core(self, shape: Any) -> CoreSchema:
        """Try the member chosen and no other, so that only its faults are reported."""
        choices = {variant_name(member): _when_met(member) for member in get_args(shape)}
        union = core_schema.tagged_union_schema(choices, self._chosen)
        return core_schema.no_info_before_validator_function(self._choosable, union)

    def json(self, shape: Any, below: Below) -> JsonSchema:
        """Any of the members."""
        return {"anyOf": [below(member) for member in get_args(shape)]}

    def _chosen(self, value: Any) -> str:
        return type(value).__name__ if is_dataclass(value) else self.choose(value)

    def _choosable(self, value: Any) -> Any:
        self._chosen(value)
        return value


def variant_name(member: Any) -> str:
    """Name a member of a union: by its class, be it marked or not."""
    plain = get_args(member)[0] if get_origin(member) is Annotated else member
    return str(plain.__name__)


def not_empty(value: Iterable[Any]) -> Iterable[Objection]:
    """Object to a list that holds nothing."""
    if not value:
        yield Objection("the list is empty", "at least one")


def validator(model: type) -> SchemaValidator:
    """Make the validator of a data class whose fields are annotated with markers."""
    return SchemaValidator(_core(model))


def _when_met(shape: Any) -> CoreSchema:
    """A schema that is made when a value is first checked: few members of a union ever are."""

    @cache
    def made() -> SchemaValidator:
        return SchemaValidator(_core(shape))

    def check(value: Any, info: core_schema.ValidationInfo) -> Any:
        return made().validate_python(value, context=info.context)

    return core_schema.with_info_plain_validator_function(check)


@cache
def hints_of(model: type) -> dict[str, Any]:
    """Give the annotated type of each field."""
    return get_type_hints(model, include_extras=True)


def _core(shape: Any) -> CoreSchema:
    origin = get_origin(shape)
    if origin is Annotated:
        inner, marker = get_args(shape)
        schema: CoreSchema = marker.core(inner)
        return schema
    if origin is Union or origin is UnionType:
        (present,) = (part for part in get_args(shape) if part is not NoneType)
        return core_schema.nullable_schema(_core(present))
    if origin is tuple:
        return core_schema.tuple_schema([_core(get_args(shape)[0])], variadic_item_index=0)
    if origin is dict:
        return core_schema.dict_schema(core_schema.str_schema(), _core(get_args(shape)[1]))
    return _class(shape)


def _class(model: type) -> CoreSchema:
    hints = hints_of(model)
    arguments = [_argument(field, hints[field.name]) for field in fields(model)]
    schema = core_schema.dataclass_schema(
        model,
        core_schema.dataclass_args_schema(model.__name__, arguments, extra_behavior="forbid"),
        [field.name for field in fields(model)],
    )
    objections = getattr(model, "objections", None)
    return schema if objections is None else _checked(schema, objections)


def _argument(field: Field[Any], shape: Any) -> core_schema.DataclassField:
    schema = _core(shape)
    if field.default is not MISSING:
        schema = core_schema.with_default_schema(schema, default=field.default)
    elif field.default_factory is not MISSING:
        schema = core_schema.with_default_schema(schema, default_factory=field.default_factory)
    return core_schema.dataclass_field(field.name, schema, kw_only=True)


def _checked(schema: CoreSchema, check: Callable[[Any], Iterable[Objection]]) -> CoreSchema:
    def after(value: Any) -> Any:
        objections = tuple(check(value))
        if objections:
            raise ObjectionsError(*objections)
        return value

    return core_schema.no_info_after_validator_function(after, schema)
