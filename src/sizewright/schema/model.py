"""The base of all input shapes: frozen pydantic models with errors in plain words."""

from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Annotated, Any, Literal, NamedTuple, Self, get_args, get_origin

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    StrictBool,
    ValidationInfo,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema

from sizewright.errors import did_you_mean, join_or, shown
from sizewright.limits import COUNT_AT_MOST, NAME_CHARACTERS, TEXT_CHARACTERS

JsonSchema = dict[str, Any]
Flag = StrictBool


class FieldError(NamedTuple):
    """One thing wrong with a value; `at` leads from that value to the part meant."""

    what: str
    expected: str = ""
    hint: str = ""
    at: tuple[str | int, ...] = ()


class InvalidFieldError(ValueError):
    """Raised by a field's check; has every error of the value."""

    def __init__(self, *errors: FieldError) -> None:
        self.errors = errors
        super().__init__("; ".join(error.what for error in errors))


def not_allowed(
    value: Any, expected: str, hint: str = "", is_not: str = "allowed here"
) -> InvalidFieldError:
    """The error of a value of another kind than expected."""
    what = "no value is given" if value is None else f"{shown(value)} is not {is_not}"
    return InvalidFieldError(FieldError(what, expected, hint))


class FieldMarker:
    """Annotates a field; `read` turns plain data into the value of the field."""

    __slots__ = ()

    def read(self, value: Any, origins: Any) -> Any:
        """Read a value; raises InvalidFieldError. `origins` are those of the document's values."""
        raise NotImplementedError

    def json_schema(self) -> JsonSchema:
        """Return what is accepted, as JSON Schema."""
        raise NotImplementedError

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> CoreSchema:
        def check(value: Any, info: ValidationInfo) -> Any:
            return self.read(value, info.context)

        return core_schema.with_info_plain_validator_function(check)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> JsonSchema:
        return self.json_schema()


class PlainField(FieldMarker):
    """Annotates a field that a function reads, and says as JSON Schema what it accepts."""

    __slots__ = ("reader", "schema")

    def __init__(self, reader: Callable[[Any], Any], **schema: Any) -> None:
        self.reader = reader
        self.schema = schema

    def read(self, value: Any, origins: Any = None) -> Any:
        """Return what the function makes of a value."""
        return self.reader(value)

    def json_schema(self) -> JsonSchema:
        """Return what is accepted, as JSON Schema."""
        return dict(self.schema)


def _text(longest: int) -> PlainField:
    """Return the marker of text that is not blank."""

    def read(value: Any) -> str:
        if not isinstance(value, str):
            hint = "put it in quotes" if isinstance(value, (int, float)) else ""
            raise not_allowed(value, "text", hint)
        if not value.strip():
            raise InvalidFieldError(FieldError("is blank", "text"))
        if len(value) > longest:
            what = f"is {len(value)} characters long"
            raise InvalidFieldError(FieldError(what, f"at most {longest}"))
        # The value itself, because it knows its place.
        return value

    return PlainField(read, type="string", pattern=r"\S", maxLength=longest)


def _whole(least: int) -> PlainField:
    """Return the marker of a whole number."""

    def read(value: Any) -> int:
        whole = isinstance(value, int) and not isinstance(value, bool)
        if whole and least <= value <= COUNT_AT_MOST:
            return value  # type: ignore[no-any-return]
        raise not_allowed(value, f"a whole number from {least} to {COUNT_AT_MOST}")

    return PlainField(read, type="integer", minimum=least, maximum=COUNT_AT_MOST)


_TEXT = _text(TEXT_CHARACTERS)
# Returns a text that is not blank; raises InvalidFieldError.
read_text: Callable[[Any], str] = _TEXT.reader
Name = Annotated[str, _text(NAME_CHARACTERS)]
Text = Annotated[str, _TEXT]
Count = Annotated[int, _whole(1)]
# For what may be absent, and for what is numbered from 0 (slots, addresses).
Number = Annotated[int, _whole(0)]


def extended_name(name: str, ending: str) -> str:
    """Return a name with an ending, the name shortened so that both are a `Name`."""
    return name[: NAME_CHARACTERS - len(ending)] + ending


class InputModel(BaseModel):
    """An object of an input file. Two objects are never equal, because each has its own place."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    __eq__ = object.__eq__

    def __hash__(self) -> int:
        return id(self)

    def _field_errors(self) -> Iterator[FieldError]:
        """Yield what is wrong with the fields taken together."""
        return iter(())

    def _citation_errors(self) -> Iterator[FieldError]:
        return iter(())

    def replace(self, **changes: Any) -> Self:
        """Return the object with other values in some fields; these are not validated."""
        return self.model_copy(update=changes)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler, /
    ) -> JsonSchema:
        # Only a schema that is printed needs the docstrings of fields.
        from sizewright.schema.jsonschema import described

        return described(cls, core_schema, handler)

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        raise_errors((*self._citation_errors(), *self._field_errors()))
        return self


def both_or_none(model: InputModel, one: str, other: str) -> Iterator[FieldError]:
    """Yield the field of a pair that is stated without the other."""
    for present, absent in ((one, other), (other, one)):
        if getattr(model, present) is not None and getattr(model, absent) is None:
            yield FieldError(f"is stated without {absent}", "both or neither", at=(present,))


class FieldCitation(InputModel):
    """The section of a source that states a field, and whether as fact or as assumption."""

    section: Name
    """The section of the source, in quotes."""
    kind: Literal["fact", "assumption"]
    note: Text | None = None
    """How the source states it."""


class SourcedModel(InputModel):
    """An object whose key `said` records where a source states each field."""

    said: dict[str, FieldCitation] = Field(
        default_factory=dict, description="Where a source states each field, and as what."
    )

    def _citation_errors(self) -> Iterator[FieldError]:
        """Yield the names in `said` that are no fields."""
        if not self.said:
            return
        fields = type(self).model_fields
        own = [name for name in fields if name != "said"]
        former = [name for field in fields.values() for name in _former_keys(field)]
        for key in self.said:
            if key not in (*own, *former):
                what = f"{shown(key)} is no field of this object"
                expected = f"one of {join_or(own)}"
                yield FieldError(what, expected, did_you_mean(key, own), ("said", key))


def renamed_from(former: str, name: str) -> AliasChoices:
    """Return the aliases of a field that files may still have under a former key."""
    return AliasChoices(name, former)


def _former_keys(field: FieldInfo) -> tuple[Any, ...]:
    aliases = field.validation_alias
    return tuple(aliases.choices[1:]) if isinstance(aliases, AliasChoices) else ()


class TaggedUnion:
    """Annotates a union; `choose` returns the member that a value is meant to be, or raises.

    Only that member is tried, so only its errors are reported, and only its validator is built.
    """

    __slots__ = ("choose", "members")

    def __init__(self, choose: Callable[[Any], Any]) -> None:
        self.choose = choose
        self.members: tuple[Any, ...] = ()

    def __get_pydantic_core_schema__(self, source: Any, _handler: Any) -> CoreSchema:
        self.members = get_args(source)

        def check(value: Any, info: ValidationInfo) -> Any:
            if isinstance(value, InputModel):
                return value
            member = self.choose(value)
            if get_origin(member) is Annotated:
                return marker_of(member).read(value, info.context)
            return _validate(member, value, info.context)

        return core_schema.with_info_plain_validator_function(check)

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchema:
        from sizewright.schema.jsonschema import union_schema

        members = (
            marker_of(one).json_schema() if get_origin(one) is Annotated else one
            for one in self.members
        )
        return union_schema(members, handler)


def mapping_or_other(model: Any, otherwise: Any) -> TaggedUnion:
    """Annotate a union of which a mapping is meant to be the model, any other value the other."""
    return TaggedUnion(lambda value: model if isinstance(value, dict) else otherwise)


def _validate(member: Any, value: Any, context: Any) -> Any:
    if isinstance(member, type) and issubclass(member, InputModel):
        return member.model_validate(value, context=context)
    from pydantic import TypeAdapter

    return TypeAdapter(member).validate_python(value, context=context)


def marker_of(shape: Any) -> FieldMarker:
    """Return the marker of an annotated type."""
    return next(one for one in get_args(shape) if isinstance(one, FieldMarker))


class Validated:
    """Annotates a field with a further check, which yields the errors of a valid value.

    `json` says the same as JSON Schema, as far as that can.
    """

    __slots__ = ("check", "json")

    def __init__(self, check: Callable[[Any], Iterable[FieldError]], **json: Any) -> None:
        self.check = check
        self.json = json

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._after, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchema:
        return {**handler(schema), **self.json}

    def _after(self, value: Any) -> Any:
        raise_errors(self.check(value))
        return value


def raise_errors(errors: Iterable[FieldError]) -> None:
    """Raise InvalidFieldError if there is any error."""
    found = tuple(errors)
    if found:
        raise InvalidFieldError(*found)


def _missing(value: Sized) -> Iterator[FieldError]:
    if not len(value):
        yield FieldError("the list is empty", "at least one")


NOT_EMPTY = Validated(_missing, minItems=1)
NOT_EMPTY_MAPPING = Validated(_missing, minProperties=1)
