"""What a condition shows without being evaluated: which facts are present, and its units."""

from __future__ import annotations

import ast
from typing import Final, NamedTuple

from sizewright.units import PURE, UnitError, countless, factor, uncounted

# A fact as (subject, field), a parameter as ("", name).
Name = tuple[str, str]
Names = frozenset[Name]

_NONE: Final[Names] = frozenset()


def guarded(node: ast.expr, outcome: bool) -> Names:
    """Return the names that are present if the condition has not the opposite `outcome`.

    `known` and `is None` are never unknown or tight, and an `and` with a false part is false,
    whatever its other parts are.
    """
    match node:
        case ast.BoolOp(op=op, values=values):
            parts = [guarded(value, outcome) for value in values]
            every = isinstance(op, ast.And) is outcome
            return _NONE.union(*parts) if every else parts[0].intersection(*parts[1:])
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return guarded(operand, not outcome)
        case ast.Call(func=ast.Name(id="known"), args=[fact], keywords=[]) if outcome:
            return _name(fact)
        case ast.Compare(left=fact, ops=[op], comparators=[ast.Constant(value=None)]):
            if isinstance(op, ast.IsNot if outcome else ast.Is):
                return _name(fact)
    return _NONE


def _name(node: ast.expr) -> Names:
    match node:
        case ast.Attribute(value=ast.Name(id=subject), attr=field):
            return frozenset({(subject, field)})
        case ast.Name(id=name):
            return frozenset({("", name)})
    return _NONE


class Measure(NamedTuple):
    """A unit, "" if it is unknown, and whether a count may be a factor of it.

    MB multiplied or divided by a pure number may mean MB/client, and the reverse.
    """

    unit: str = ""
    scaled: bool = False


UNTOLD: Final = Measure()
COUNT: Final = Measure(PURE)


def alike(a: Measure, b: Measure) -> bool:
    """Return whether two numbers may be compared and added; an unknown unit fits any."""
    if not (a.unit and b.unit) or uncounted(a.unit) == uncounted(b.unit):
        return True
    return (a.scaled or b.scaled) and countless(a.unit) == countless(b.unit)


def together(*terms: Measure) -> Measure:
    """Return the measure of a sum, or of one number among several, whose units are equal."""
    return Measure(terms[0].unit, any(term.scaled for term in terms)) if terms else UNTOLD


def product(a: Measure, b: Measure) -> Measure:
    """Return the measure of a product: unknown unless a factor is a count or a pure number."""
    return b._replace(scaled=True) if _counts(a) else quotient(a, b)


def quotient(a: Measure, b: Measure) -> Measure:
    """Return the measure of a quotient: unknown unless the divisor is a count or pure number."""
    return a._replace(scaled=True) if _counts(b) else UNTOLD


def _counts(measure: Measure) -> bool:
    return bool(measure.unit) and uncounted(measure.unit) == PURE


def advice(a: Measure, b: Measure) -> str:
    """Return what to do about two numbers with different units."""
    try:
        factor(b.unit, a.unit)
    except UnitError:
        return "multiply or divide by what lies between them"
    return f"give both in `{a.unit}`"
