"""Reads a plan that was written as JSON; anything else is refused with its location."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import IO, Any, NamedTuple

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from sizewright.documents import decoded, read_bytes
from sizewright.errors import Location, join_or, refusal, shown
from sizewright.limits import (
    DIGITS_AT_MOST,
    PLAN_BYTES_AT_MOST,
    PLAN_NODES_AT_MOST,
    PLAN_TEXT_CHARACTERS,
)
from sizewright.output.jsondoc import schema
from sizewright.output.jsonform import SCHEMA

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


_HINT = "sizewright plan WORKLOAD --format json writes one"
_NAME, _, _VERSION = SCHEMA.partition("/")
_OPENS = ("{", "[")
_YAML = (".yaml", ".yml")
_JSON = ".json"


def read_plan(path: str | Path, stdin: IO[bytes] | None = None) -> dict[str, Any]:
    """The plan in a file, or in standard input for ``-``; raises InputFaults where it is none."""
    return parse_plan(*read_bytes(path, PLAN_BYTES_AT_MOST, stdin))


def is_plan(raw: bytes, name: str) -> bool:
    """Whether a file is to be read as a plan, and not as a workload: by its name, else its look."""
    if name.lower().endswith((_JSON, *_YAML)):
        return name.lower().endswith(_JSON)
    return raw.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(tuple(map(str.encode, _OPENS)))


def parse_plan(raw: bytes, name: str) -> dict[str, Any]:
    """A plan as plain data that keeps its schema; raises InputFaults with the first fault."""
    data = _json(decoded(raw, name, PLAN_BYTES_AT_MOST), name)
    if _longest(data) > PLAN_TEXT_CHARACTERS:
        raise refusal(
            Location(name),
            "holds a text that is too long",
            f"at most {PLAN_TEXT_CHARACTERS} characters",
        )
    stated = data.get("schema") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(stated, str):
        raise refusal(Location(name), "is no plan", SCHEMA, _HINT)
    if stated != SCHEMA:
        what = f"holds {shown(stated)}, not a plan"
        if stated.partition("/")[0] == _NAME:
            what = f"is a plan of another version, {shown(stated)}"
        raise refusal(Location(name), what, shown(SCHEMA), _HINT)
    wrong = breach(data, schema("plan"))
    if wrong is not None:
        where = f"{wrong.path}: " if wrong.path else ""
        raise refusal(Location(name), f"{where}{wrong.what}", wrong.expected, _HINT)
    return data


def _json(text: str, name: str) -> Any:
    # Each node but the first follows a comma or opens a list or an object.
    if sum(map(text.count, (",", *_OPENS))) > PLAN_NODES_AT_MOST:
        raise refusal(Location(name), "holds too many values", f"at most {PLAN_NODES_AT_MOST}")
    try:
        data = json.loads(
            text, parse_int=_whole, parse_float=_float, parse_constant=_constant,
            object_pairs_hook=_object,
        )  # fmt: skip
        # A lone half of a character is allowed by JSON, and can be written nowhere.
        json.dumps(data, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        place = Location(name, error.lineno, error.colno)
        what = f"is not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise refusal(place, what, "a plan", _HINT) from None
    except RecursionError:
        raise refusal(Location(name), "values are nested too deeply", "a plan", _HINT) from None
    except UnicodeEncodeError:
        raise refusal(Location(name), "holds half of a character", "a text in UTF-8") from None
    except ValueError as error:
        raise refusal(Location(name), str(error), "a plan", _HINT) from None
    return data


def _longest(data: Any) -> int:
    """How long the longest text in plain data is: lines are put together from every one."""
    waiting, longest = [data], 0
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            longest = max(longest, len(value))
        elif isinstance(value, dict):
            waiting += (*value, *value.values())
        elif isinstance(value, list):
            waiting += value
    return longest


def _whole(text: str) -> int:
    if len(text) > DIGITS_AT_MOST:
        raise ValueError(f"the number {shown(text)[1:-1]} is too long")
    return int(text)


def _float(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"the number {shown(text)[1:-1]} is too large")
    return number


def _constant(text: str) -> float:
    raise ValueError(f"{text} is not a number that can be used")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {shown(key)} stands twice in one object")
        found[key] = value
    return found
