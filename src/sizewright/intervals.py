"""Interval arithmetic: the least and the greatest result of an operation on two ranges.

A range is a pair (low, high). The ranges are independent of each other. Sums, minima and maxima
need no functions: their ends are those of the operands, end by end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Ends = tuple[float, float]


def difference(a: Ends, b: Ends) -> Ends:
    """Return the ends of a − b."""
    return a[0] - b[1], a[1] - b[0]


def product(a: Ends, b: Ends) -> Ends:
    """Return the ends of a × b; both are NaN if a product of two ends is (0 × infinity)."""
    return span([x * y for x in a for y in b])


def quotient(a: Ends, b: Ends) -> Ends:
    """Return the ends of a ÷ b, where b must not contain 0."""
    return span([x / y for x in a for y in b])


def span(values: Sequence[float]) -> Ends:
    """Return the least and the greatest of some numbers; both are NaN if one is."""
    if any(value != value for value in values):
        return math.nan, math.nan
    return min(values), max(values)
