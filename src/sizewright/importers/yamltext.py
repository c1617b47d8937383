"""Write plain data as YAML for people to edit: in a stable order, with comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sizewright.errors import printable

Path = tuple[str | int, ...]
Remarks = Mapping[Path, tuple[str, ...]]

# Begins like a name, or has two adjacent letters, as no number does.
_PLAIN = re.compile(r"[A-Za-z][\w.-]*|(?!0[xo])\d[\w.-]*[A-Za-z]{2}[\w.-]*", re.ASCII)
_WORDS = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")
_INDENT = "  "


def tidy(number: float) -> float:
    """A measured number with six significant digits, as an integer if it is whole."""
    short = float(f"{number:.6g}")
    return int(short) if short.is_integer() else short


def scalar(value: object) -> str:
    """A value as YAML; text that could be read as another type is quoted."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and value.lower() not in _WORDS
        return value if plain else _quoted(value)
    return str(value)


def _quoted(text: str) -> str:
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else f"\\U{ord(character):08x}"


def flow(value: object) -> str:
    """A value in braces and brackets, on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(k)}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow(one) for one in value) + "]"
    return scalar(value)


def remark(text: str, indent: str = "") -> str:
    """A comment line, without control characters."""
    return f"{indent}# {printable(text)}"


def lines_of(
    data: Mapping[str, Any], remarks: Remarks, path: Path = (), indent: str = ""
) -> Iterator[str]:
    """The lines of a mapping, each remark above its key.

    Remarks on missing keys are after the others.
    """
    for key, value in data.items():
        here = (*path, key)
        yield from (remark(text, indent) for text in remarks.get(here, ()))
        if _is_short(value):
            yield f"{indent}{scalar(key)}: {flow(value)}"
        elif isinstance(value, Mapping):
            yield f"{indent}{scalar(key)}:"
            yield from lines_of(value, remarks, here, indent + _INDENT)
        else:
            yield f"{indent}{scalar(key)}:"
            yield from _items(value, remarks, here, indent + _INDENT)
    for about, texts in remarks.items():
        last = about[-1]
        if about[:-1] == path and isinstance(last, str) and last not in data:
            yield from (remark(text, indent) for text in texts)


def _items(values: Any, remarks: Remarks, path: Path, indent: str) -> Iterator[str]:
    for index, value in enumerate(values):
        here = (*path, index)
        yield from (remark(text, indent) for text in remarks.get(here, ()))
        if _is_flat(value):
            yield f"{indent}- {flow(value)}"
            continue
        inside = list(lines_of(value, remarks, here, indent + _INDENT))
        # Remarks on the first key are above the dash, which the key must follow.
        first = next(n for n, line in enumerate(inside) if not line.lstrip().startswith("#"))
        yield from (line[len(_INDENT) :] for line in inside[:first])
        yield f"{indent}- {inside[first].lstrip()}"
        yield from inside[first + 1 :]


def _is_flat(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(_is_short(one) and not isinstance(one, Mapping) for one in value.values())
    return True


def _is_short(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(not isinstance(v, Mapping) and _is_short(v) for v in value.values())
    if isinstance(value, (list, tuple)):
        return all(not isinstance(v, (Mapping, list, tuple)) for v in value)
    return True
