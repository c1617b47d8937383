"""Texts, names, choices and whole numbers: small field types that object in plain words."""

from __future__ import annotations

from typing import Annotated, Any, get_args

from pydantic_core import CoreSchema, core_schema

from sizewright.errors import did_you_mean, join_or, shown
from sizewright.limits import COUNT_AT_MOST, NAME_CHARACTERS, TEXT_CHARACTERS
from sizewright.schema.objections import Objection, ObjectionsError
from sizewright.schema.schema import Below, JsonSchema


def _refuse(value: Any, expected: str, hint: str = "") -> ObjectionsError:
    what = "no value is given" if value is None else f"{shown(value)} is not allowed here"
    return ObjectionsError(Objection(what, expected, hint))


class _TextField:
    """Text that is not blank; the very object is kept, for it knows its place."""

    __slots__ = ("longest",)

    def __init__(self, longest: int) -> None:
        self.longest = longest

    def core(self, shape: Any) -> CoreSchema:
        """Make the field's schema."""
        return core_schema.no_info_plain_validator_function(self.check)

    def json(self, shape: Any, below: Below) -> JsonSchema:
        """Text with something in it."""
        return {"type": "string", "pattern": r"\S", "maxLength": self.longest}

    def check(self, value: Any) -> str:
        if not isinstance(value, str):
            hint = "put it in quotes" if isinstance(value, (int, float)) else ""
            raise _refuse(value, "text", hint)
        if not value.strip():
            raise ObjectionsError(Objection("is blank", "text"))
        if len(value) > self.longest:
            what = f"is {len(value)} characters long"
            raise ObjectionsError(Objection(what, f"at most {self.longest}"))
        return value


class _FlagField:
    def core(self, shape: Any) -> CoreSchema:
        """Make the field's schema."""
        return core_schema.no_info_plain_validator_function(_flag)

    def json(self, shape: Any, below: Below) -> JsonSchema:
        """True or false."""
        return {"type": "boolean"}


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    meanings = {"yes": "true", "on": "true", "no": "false", "off": "false"}
    hint = meanings.get(value.lower(), "") if isinstance(value, str) else ""
    raise _refuse(value, "true or false", hint and f"did you mean {hint}?")


class _WholeField:
    """A whole number, no less than the least; the very object is kept, for it knows its place."""

    __slots__ = ("least",)

    def __init__(self, least: int) -> None:
        self.least = least

    def core(self, shape: Any) -> CoreSchema:
        """Make the field's schema."""
        return core_schema.no_info_plain_validator_function(self.check)

    def json(self, shape: Any, below: Below) -> JsonSchema:
        """A whole number within its bounds."""
        return {"type": "integer", "minimum": self.least, "maximum": COUNT_AT_MOST}

    def check(self, value: Any) -> int:
        if (
            isinstance(value, int)
            and not isinstance(value, bool)
            and self.least <= value <= COUNT_AT_MOST
        ):
            return value
        raise _refuse(value, f"a whole number from {self.least} to {COUNT_AT_MOST}")


class OneOf:
    """Marks a Literal field: another value is refused with the allowed ones and the nearest."""

    def core(self, shape: Any) -> CoreSchema:
        """Make the field's schema."""
        allowed: tuple[str, ...] = get_args(shape)

        def check(value: Any) -> str:
            if isinstance(value, str):
                if value in allowed:
                    return value
                raise _refuse(value, join_or(allowed), did_you_mean(value, allowed))
            raise _refuse(value, join_or(allowed))

        return core_schema.no_info_plain_validator_function(check)

    def json(self, shape: Any, below: Below) -> JsonSchema:
        """One of the texts."""
        return {"enum": list(get_args(shape))}


Name = Annotated[str, _TextField(NAME_CHARACTERS)]
Text = Annotated[str, _TextField(TEXT_CHARACTERS)]
Flag = Annotated[bool, _FlagField()]
Count = Annotated[int, _WholeField(1)]
# Of what there may be none, and what is numbered from 0 as slots and addresses are.
Number = Annotated[int, _WholeField(0)]
