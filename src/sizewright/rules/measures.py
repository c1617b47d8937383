"""The units of what a condition reckons with, as far as they can be told without its numbers."""

from __future__ import annotations

from typing import Final, NamedTuple

from sizewright.units import PURE, UnitError, countless, factor, uncounted


class Measure(NamedTuple):
    """A unit, "" where it cannot be told, and whether a count may have gone into it.

    MB times or over a pure number may be meant as MB/client, and the other way round.
    """

    unit: str = ""
    scaled: bool = False


UNTOLD: Final = Measure()
COUNT: Final = Measure(PURE)


def alike(a: Measure, b: Measure) -> bool:
    """Whether two numbers may be compared and added; an untold unit goes with any."""
    if not (a.unit and b.unit) or uncounted(a.unit) == uncounted(b.unit):
        return True
    return (a.scaled or b.scaled) and countless(a.unit) == countless(b.unit)


def together(*terms: Measure) -> Measure:
    """The measure of a sum, and of one number among several; they are all told and alike."""
    return Measure(terms[0].unit, any(term.scaled for term in terms)) if terms else UNTOLD


def product(a: Measure, b: Measure) -> Measure:
    """The measure of a product: untold unless one factor is a count or a pure number."""
    return b._replace(scaled=True) if _counts(a) else quotient(a, b)


def quotient(a: Measure, b: Measure) -> Measure:
    """The measure of a quotient: untold unless the divisor is a count or a pure number."""
    return a._replace(scaled=True) if _counts(b) else UNTOLD


def _counts(measure: Measure) -> bool:
    return bool(measure.unit) and uncounted(measure.unit) == PURE


def advice(a: Measure, b: Measure) -> str:
    """What to do about two numbers that are not alike."""
    try:
        factor(b.unit, a.unit)
    except UnitError:
        return "multiply or divide by what lies between them"
    return f"give both in `{a.unit}`"
