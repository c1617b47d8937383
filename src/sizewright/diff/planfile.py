"""Reads a plan or a check that was written as JSON; all else is refused with its location."""

from __future__ import annotations

import json
from math import isfinite
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sizewright.documents import decoded, read_bytes
from sizewright.errors import Location, refusal, shown
from sizewright.limits import (
    DIGITS_AT_MOST,
    PLAN_BYTES_AT_MOST,
    PLAN_NODES_AT_MOST,
    PLAN_TEXT_CHARACTERS,
)
from sizewright.output.json.check import SCHEMA as CHECK_SCHEMA
from sizewright.output.json.check import Check
from sizewright.output.json.common import Record
from sizewright.output.json.plan import SCHEMA, Plan

_TYPES = {
    "model_type": "an object", "dict_type": "an object", "list_type": "a list",
    "string_type": "a string", "bool_type": "a boolean", "float_type": "a number",
    "int_type": "a whole number", "int_from_float": "a whole number",
}  # fmt: skip


_HINT = "sizewright plan WORKLOAD --format json writes one"
_RECORDS: dict[str, type[Record]] = {SCHEMA: Plan, CHECK_SCHEMA: Check}
_HINTS = {SCHEMA: _HINT, CHECK_SCHEMA: "sizewright check BOX --format json writes one"}
_NAME = SCHEMA.partition("/")[0]
_OPENS = ("{", "[")
_YAML = (".yaml", ".yml")
_JSON = ".json"


def read_plan(path: str | Path) -> dict[str, Any]:
    """Return the plan in a file, or of standard input for ``-``; raises InputError."""
    return parse_plan(*read_bytes(path, PLAN_BYTES_AT_MOST))


def is_plan(raw: bytes, name: str) -> bool:
    """Whether a file is to be read as a plan, and not as a workload: by its name, else its look."""
    if name.lower().endswith((_JSON, *_YAML)):
        return name.lower().endswith(_JSON)
    return raw.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(tuple(map(str.encode, _OPENS)))


def parse_plan(raw: bytes, name: str, or_check: bool = False) -> dict[str, Any]:
    """A plan, or also a check, as plain data that keeps its schema.

    Raises InputError with the first fault.
    """
    data = _json(decoded(raw, name, PLAN_BYTES_AT_MOST), name)
    if _longest(data) > PLAN_TEXT_CHARACTERS:
        expected = f"at most {PLAN_TEXT_CHARACTERS} characters"
        raise refusal(Location(name), "has a text that is too long", expected)
    stated = data.get("schema") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(stated, str):
        raise refusal(Location(name), "is no plan", SCHEMA, _HINT)
    record = _RECORDS.get(stated)
    if record is None or (record is Check and not or_check):
        wanted = "a plan or a check" if or_check else "a plan"
        what = f"holds {shown(stated)}, not {wanted}"
        if stated.partition("/")[0] == _NAME:
            what = f"is a plan of another version, {shown(stated)}"
        raise refusal(Location(name), what, shown(SCHEMA), _HINT)
    try:
        record.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        what, expected = _first_error(error)
        raise refusal(Location(name), what, expected, _HINTS[stated]) from None
    return data


def _first_error(error: ValidationError) -> tuple[str, str]:
    """Return what is wrong with a plan, with the path to it, and what is expected there."""
    found = error.errors(include_url=False)[0]
    kind, path, expected = found["type"], found["loc"], ""
    if kind == "missing":
        what, path = f"{path[-1]} is missing", path[:-1]
    elif kind == "extra_forbidden":
        what, path = f"unknown key {shown(path[-1])}", path[:-1]
    else:
        what, expected = f"{shown(found['input'])} is not allowed here", _expected(kind, found)
    where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return f"{where.removeprefix('.')}: {what}".removeprefix(": "), expected


def _expected(kind: str, error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    match kind:
        case "literal_error":
            return str(context["expected"])
        case "string_pattern_mismatch":
            return f"text like {context['pattern']}"
        case "greater_than_equal":
            return f"at least {context['ge']}"
    return _TYPES.get(kind, "")


def _json(text: str, name: str) -> Any:
    # Each node but the first follows a comma or opens a list or an object.
    if sum(map(text.count, (",", *_OPENS))) > PLAN_NODES_AT_MOST:
        raise refusal(Location(name), "has too many values", f"at most {PLAN_NODES_AT_MOST}")
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
        raise refusal(Location(name), "has half of a character", "a text in UTF-8") from None
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
