"""Plain data as YAML for people to read and edit: in a stable order, with remarks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sizewright.errors import printable
from sizewright.limits import LINE_COLUMNS

Path = tuple[str | int, ...]
# Remarks above a key or an item, by its path.
Remarks = Mapping[Path, Sequence[str]]

# The first word begins like a name, or has two adjacent letters, as no number does.
_PLAIN = re.compile(
    r"(?:[A-Za-z][\w.-]*|(?!0[xo])\d[\w.-]*[A-Za-z]{2}[\w.-]*)(?: [\w.-]+)*", re.ASCII
)
_WORDS = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")
_INDENT = "  "


def scalar(value: object) -> str:
    """Return a value as YAML; text that could be read as another type is quoted."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and value.lower() not in _WORDS
        return str(value) if plain else f'"{"".join(map(_escaped, value))}"'
    if isinstance(value, float):
        digits, power, rest = repr(float(value)).partition("e")
        # Without a point, a number with an exponent is read as text.
        return digits + (".0" if power and "." not in digits else "") + power + rest
    return str(value)


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else f"\\U{ord(character):08x}"


def flow(value: object) -> str:
    """Return a value in braces and brackets, on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(k)}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow(one) for one in value) + "]"
    return scalar(value)


def remark(text: str) -> str:
    """Return a comment line, without control characters."""
    return f"# {printable(text)}"


def yaml_lines(
    data: Mapping[str, Any], remarks: Remarks | None = None, path: Path = (), indent: str = ""
) -> Iterator[str]:
    """Return the lines of a mapping, each remark above its key, or above the line that has it.

    Remarks on missing keys are after the others.
    """
    known = remarks or {}
    for key, value in data.items():
        here, begun = (*path, key), f"{indent}{scalar(key)}:"
        fits = _fits(value, begun)
        yield from _remarks_on(here, known, indent, with_parts=fits)
        if fits:
            yield f"{begun} {flow(value)}"
        else:
            yield begun
            yield from _below(value, known, here, indent + _INDENT)
    for about, texts in known.items():
        last = about[-1]
        if about[:-1] == path and isinstance(last, str) and last not in data:
            yield from (indent + remark(text) for text in texts)


def _remarks_on(path: Path, remarks: Remarks, indent: str, with_parts: bool) -> Iterator[str]:
    """Yield the remarks on a key or an item; `with_parts` those on its keys and items too."""
    for about, texts in remarks.items():
        if about == path or (with_parts and about[: len(path)] == path):
            yield from (indent + remark(text) for text in texts)


def _below(value: Any, remarks: Remarks, path: Path, indent: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from yaml_lines(value, remarks, path, indent)
        return
    for index, item in enumerate(value):
        here = (*path, index)
        fits = _fits(item, f"{indent}-")
        yield from _remarks_on(here, remarks, indent, with_parts=fits)
        if fits:
            yield f"{indent}- {flow(item)}"
            continue
        inside = list(_below(item, remarks, here, indent + _INDENT))
        # Remarks on the first key are above the dash, which the key must follow.
        first = next(n for n, line in enumerate(inside) if not line.lstrip().startswith("#"))
        yield from (line.removeprefix(_INDENT) for line in inside[:first])
        yield f"{indent}- {inside[first].lstrip()}"
        yield from inside[first + 1 :]


def _fits(value: Any, begun: str) -> bool:
    """Whether a value goes on the line that is begun: nothing nested in it, and not too long."""
    if not isinstance(value, Mapping):
        return _is_flat(value)
    fits = len(f"{begun} {flow(value)}") <= LINE_COLUMNS
    return not value or (fits and all(map(_is_flat, value.values())))


def _is_flat(value: Any) -> bool:
    """Whether a value is a single one, a list of such, or empty."""
    if isinstance(value, (list, tuple)):
        return not any(isinstance(one, (Mapping, list, tuple)) for one in value)
    return not isinstance(value, Mapping) or not value
