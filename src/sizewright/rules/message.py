"""Fills the subject's own numbers into a rule's message: `{network.nfs_ops_per_s}`.

`{disk.busy_share:%}` prints a pure number in percent, `{system.processor_stretch or unbounded}` a
word in place of a fact that is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sizewright.errors import nearest
from sizewright.quantity import Quantity, as_quantity, quantity_text

_HOLE = re.compile(r"\{(?P<name>[^{}]*?)(?P<percent>:%)?(?: or (?P<otherwise>[^{}]+))?\}")
_PERCENT = "%"
_UNKNOWN = "unknown"


def names_in(template: str) -> tuple[str, ...]:
    """Return the facts and parameters that a template prints, in its order."""
    return tuple(name for name, *_ in _HOLE.findall(template))


def check_template(
    template: str, subjects: Mapping[str, Mapping[str, Any]], parameters: Mapping[str, Any]
) -> Iterator[str]:
    """What is wrong with a template: each name in braces that is neither a fact nor a parameter."""
    for name in names_in(template):
        subject, dot, field = name.partition(".")
        if dot and subject in subjects and field in subjects[subject]:
            continue
        if not dot and name in parameters:
            continue
        known = [f"{s}.{f}" for s, fields in subjects.items() for f in fields] + list(parameters)
        near = nearest(name, known)
        yield f"unknown name '{name}'" + (f"; did you mean '{near}'?" if near else "")


def fill(template: str, subjects: Mapping[str, Any], parameters: Mapping[str, Any]) -> str:
    """The template with every name replaced by its value in words."""

    def value(match: re.Match[str]) -> str:
        subject, dot, field = match["name"].partition(".")
        found = getattr(subjects[subject], field) if dot else parameters[match["name"]]
        if match["percent"] and isinstance(found, Quantity | float | int):
            found = as_quantity(found).to(_PERCENT)
        return in_words(found, match["otherwise"] or _UNKNOWN)

    return " ".join(_HOLE.sub(value, template).split())


def in_words(value: Any, otherwise: str = _UNKNOWN) -> str:
    """A fact or parameter as a message shows it; a range as low to high."""
    if value is None:
        return otherwise
    if isinstance(value, Quantity):
        if value.low == value.high:
            return quantity_text(value.high, value.unit)
        low, high = quantity_text(value.low, "1"), quantity_text(value.high, value.unit)
        return high if low == quantity_text(value.high, "1") else f"{low} to {high}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, float):
        return quantity_text(value, "1")
    return str(value)
