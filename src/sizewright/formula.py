"""Quantities in print: a number with its unit, and the expression that a quantity came from."""

from __future__ import annotations

from sizewright.quantity import Quantity
from sizewright.units import PURE


def formula(quantity: Quantity, end: str = "high") -> str:
    """Return the expression in numbers, at one end: ``150 op/s × 0.3``.

    Each operand shows the end that the range arithmetic used for it.
    """
    return _formula(quantity.args[0] if quantity.op == "is" else quantity, end, 0)


# How tightly an operation binds; 0 needs no brackets.
_LEVEL = {"+": 0, "-": 0, "sum": 0, "*": 1, "/": 1, "^": 2}
_SIGN = {"+": " + ", "-": " − ", "sum": " + ", "*": " × ", "/": " ÷ ", "^": "^"}
_WORD = {"min": "min", "max": "max", "ceil": "round up", "readings": "either", "mean": "mean"}
_OTHER = {"low": "high", "likely": "likely", "high": "low"}


def _formula(quantity: Quantity, end: str, level: int) -> str:
    if not quantity.args or quantity.op == "is":
        return quantity_text(quantity.at(end), quantity.unit)
    if _is_conversion(quantity):
        before = quantity.args[0]
        if before.unit == "%":
            return _formula(before, end, level)
        if not before.args or before.op == "is":
            return quantity_text(quantity.at(end), quantity.unit)
    if quantity.op not in _LEVEL:
        inner = ", ".join(_formula(arg, end, 0) for arg in quantity.args)
        return f"{_WORD[quantity.op]}({inner})"
    mine = _LEVEL[quantity.op]
    first, *rest = quantity.args
    opposite = _OTHER[end] if quantity.op in ("-", "/") else end
    tight = 1 if quantity.op in ("-", "/", "^") else 0
    parts = [_formula(first, end, mine + 1 if quantity.op == "^" else mine)]
    parts += [_formula(arg, opposite, mine + tight) for arg in rest]
    text = _SIGN[quantity.op].join(parts)
    return f"({text})" if mine < level else text


def _is_conversion(quantity: Quantity) -> bool:
    """Return whether a product is only a change of unit, which a reader need not see."""
    if quantity.op != "*":
        return False
    by = quantity.args[1]
    kind = by.source.kind if by.source else ""
    return kind == "definition" and by.name == f"{quantity.args[0].unit} in {quantity.unit}"


def quantity_text(value: float, unit: str) -> str:
    """Return a number with its unit; fractions have at most four significant digits."""
    text = f"{value:.10g}"
    if "." in text or "e" in text:
        text = f"{value:.4g}"
    if "e+" in text:
        text = f"{value:.0f}"
    if unit == PURE:
        return text
    above, slash, below = unit.partition("/")
    if above in _COUNTED and value != 1:
        above += "s"
    shown = above + slash + " per ".join(below.split("*"))
    return f"{text}{'' if unit == '%' else ' '}{shown}"


_COUNTED = ("byte", "client", "cylinder", "disk", "line", "packet", "port", "sector", "slot",
            "year")  # fmt: skip
