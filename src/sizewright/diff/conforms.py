"""Whether plain data keeps a schema: the first place where it does not, in words of our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from sizewright.errors import join_or, shown

_ARTICLES = {"object": "an object", "array": "a list", "integer": "a whole number", "null": "null"}


class Breach(NamedTuple):
    """Where data breaks a schema, what is wrong there, and what was expected."""

    path: str
    what: str
    expected: str


def breach(data: Any, schema: Mapping[str, Any]) -> Breach | None:
    """The first place where data breaks a schema; None where it keeps it."""
    error = next(Draft202012Validator(schema).iter_errors(data), None)
    if error is None:
        return None
    while error.context:
        # Of several choices the first says most: the others are mostly null.
        error = error.context[0]
    path = "".join(_steps(error)).removeprefix(".")
    return Breach(path, _what(error), _expected(error))


def _steps(error: ValidationError) -> Iterator[str]:
    for step in error.absolute_path:
        yield f"[{step}]" if isinstance(step, int) else f".{step}"


def _what(error: ValidationError) -> str:
    value: Any = error.instance
    asked: Any = error.validator_value
    if error.validator == "required":
        return f"{next(name for name in asked if name not in value)} is missing"
    if error.validator == "additionalProperties" and asked is False:
        schema: Any = error.schema
        known = schema.get("properties", {})
        return f"unknown key {shown(next(name for name in value if name not in known))}"
    return f"{shown(value)} is not allowed here"


def _expected(error: ValidationError) -> str:
    asked: Any = error.validator_value
    match error.validator:
        case "type":
            return _ARTICLES.get(asked, f"a {asked}")
        case "const":
            return shown(asked)
        case "enum":
            return join_or(map(shown, asked))
        case "pattern":
            return f"text like {asked}"
        case "minimum":
            return f"at least {asked}"
        case "maximum":
            return f"at most {asked}"
    return ""
