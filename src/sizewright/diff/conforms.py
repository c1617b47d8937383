"""Whether plain data keeps one of our own schemas: the first place where it does not.

Only what those schemas use is known: types, constants, choices, keys, references, bounds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sizewright.errors import listed, shown

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_ARTICLES = {"object": "an object", "array": "a list", "integer": "a whole number", "null": "null"}


class Breach(NamedTuple):
    """Where data breaks a schema, what is wrong there, and what was expected."""

    path: str
    what: str
    expected: str


def breach(data: Any, schema: Mapping[str, Any]) -> Breach | None:
    """The first place where data breaks a schema; None where it keeps it."""
    return next(_breaches(data, schema, schema.get("$defs", {}), ""), None)


def _breaches(
    value: Any, part: Mapping[str, Any], known: Mapping[str, Any], path: str
) -> Iterator[Breach]:
    if "$ref" in part:
        part = known[part["$ref"].rpartition("/")[2]]
    if "anyOf" in part:
        yield from _none_of(value, part["anyOf"], known, path)
        return
    wrong = _wrong(value, part)
    if wrong is not None:
        what = f"{shown(value)} is not allowed here"
        yield Breach(path, what, wrong)
    elif isinstance(value, dict):
        yield from _in_object(value, part, known, path)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _breaches(item, part.get("items", {}), known, f"{path}[{index}]")


def _none_of(
    value: Any, choices: list[Mapping[str, Any]], known: Mapping[str, Any], path: str
) -> Iterator[Breach]:
    """What the first choice objects to, where no choice fits; the others are mostly null."""
    found = [next(_breaches(value, choice, known, path), None) for choice in choices]
    if None not in found:
        yield from (each for each in found[:1] if each is not None)


def _in_object(
    value: dict[str, Any], part: Mapping[str, Any], known: Mapping[str, Any], path: str
) -> Iterator[Breach]:
    below = f"{path}." if path else ""
    own = part.get("properties", {})
    for name in part.get("required", ()):
        if name not in value:
            yield Breach(path, f"{name} is missing", "")
    more = part.get("additionalProperties", True)
    for name, item in value.items():
        if name in own:
            yield from _breaches(item, own[name], known, f"{below}{name}")
        elif more is False:
            yield Breach(path, f"unknown key {shown(name)}", "")
        elif isinstance(more, dict):
            yield from _breaches(item, more, known, f"{below}{name}")


def _wrong(value: Any, part: Mapping[str, Any]) -> str | None:
    """What was expected of a value by itself; None where it is that."""
    kind = part.get("type")
    if kind is not None and not _is(value, kind):
        return _ARTICLES.get(kind, f"a {kind}")
    if "const" in part and value != part["const"]:
        return shown(part["const"])
    if "enum" in part and value not in part["enum"]:
        return listed(map(shown, part["enum"]))
    if "pattern" in part and isinstance(value, str) and not re.search(part["pattern"], value):
        return f"text like {part['pattern']}"
    if isinstance(value, (int, float)):
        if value < part.get("minimum", value):
            return f"at least {part['minimum']}"
        if value > part.get("maximum", value):
            return f"at most {part['maximum']}"
    return None


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    whole = kind == "integer" and isinstance(value, float) and value.is_integer()
    return whole or isinstance(value, _TYPES[kind])
