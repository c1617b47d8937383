"""What stood in a plan as a person reads it."""

from __future__ import annotations

from typing import Any

from sizewright.diff.walk import is_quantity
from sizewright.quantity import Quantity
from sizewright.report.numbers import percent, quantity
from sizewright.report.words import verdict_word
from sizewright.units import PERCENT

NONE = "none"
_SHARES = ("share", "share_of_limit", "load_share")


def pair_text(figure: str, before: Any, after: Any) -> tuple[str, str]:
    """Two values in words, told exactly where rounded ones would look alike."""
    rounded = value_text(before, figure), value_text(after, figure)
    if rounded[0] != rounded[1]:
        return rounded
    return _exact(before, figure), _exact(after, figure)


def value_text(value: Any, figure: str = "") -> str:
    """A value in words: a quantity with its unit, a share in percent, a verdict by its word."""
    if value is None or value == "":
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if is_quantity(value):
        return quantity(Quantity(value["low"], value["likely"], value["high"], value["unit"]))
    if isinstance(value, (int, float)):
        return percent(value) if _is_share(figure) else f"{value:.10g}"
    return verdict_word(str(value)) if figure.rpartition(".")[2] == "verdict" else str(value)


def _exact(value: Any, figure: str) -> str:
    if is_quantity(value):
        ends = dict.fromkeys(repr(value[end]) for end in ("low", "likely", "high"))
        return f"{' / '.join(ends)} {value['unit']}"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value * PERCENT!r}%" if _is_share(figure) else repr(value)
    return value_text(value, figure)


def _is_share(figure: str) -> bool:
    return figure.rpartition(".")[2] in _SHARES
