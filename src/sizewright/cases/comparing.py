"""Whether a value stands for another: numbers within a tolerance, ranges end by end."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import NamedTuple

from sizewright.cases.model import Value


class Span(NamedTuple):
    """A number, or the two ends of a range."""

    low: float
    high: float

    @property
    def is_range(self) -> bool:
        """Whether the ends are apart."""
        return self.low != self.high


def span_of(value: float | tuple[float, float]) -> Span:
    """A printed number or range as a span."""
    return Span(*value) if isinstance(value, tuple) else Span(value, value)


def precision(value: Value, at_most_percent: float, hundred: float) -> float:
    """Half of the last printed digit, and never more than the part that needs no reason."""
    if isinstance(value, str):
        return 0
    ends = value if isinstance(value, tuple) else (value,)
    return min(min(_half_digit(end), abs(end) * at_most_percent / hundred) for end in ends)


def _half_digit(number: float) -> float:
    exponent = Decimal(str(number)).normalize().as_tuple().exponent
    places = min(exponent, 0) if isinstance(exponent, int) else 0
    return float(Decimal(1).scaleb(places) / 2)


def near(computed: float, wanted: float, tolerance: float) -> bool:
    """Whether two numbers are the same but for a tolerance and the rounding of floats."""
    return abs(computed - wanted) <= tolerance or math.isclose(computed, wanted, abs_tol=tolerance)


def stands_for(computed: Span, wanted: Span, tolerance: float) -> bool:
    """Whether a computed value agrees with one that is wanted.

    A number agrees with a range that is wanted if it lies inside. In every other case both ends
    are near: a computed range does not agree with a number because it contains it.
    """
    if wanted.is_range and not computed.is_range:
        return lies_in(computed, wanted, tolerance)
    return near(computed.low, wanted.low, tolerance) and near(computed.high, wanted.high, tolerance)


def lies_in(one: Span, other: Span, tolerance: float) -> bool:
    """Whether a value lies inside another, but for a tolerance."""
    above = one.low >= other.low or near(one.low, other.low, tolerance)
    below = one.high <= other.high or near(one.high, other.high, tolerance)
    return above and below
