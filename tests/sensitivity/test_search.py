"""The point of a change, to the last digit."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from settled import settled
from sizewright.sensitivity.thresholds import change

FLOATS = st.floats(-1e6, 1e6)


@settled(200)
@given(FLOATS, FLOATS, FLOATS)
def test_the_two_numbers_are_neighbours_on_either_side(a: float, b: float, c: float) -> None:
    low, point, high = sorted((a, b, c))
    if low == high:
        return
    up = change(lambda value: value > point, low, high) if point < high else None
    if up is not None:
        assert up == (point, math.nextafter(point, math.inf))
    if low < point:
        assert change(lambda value: value < point, high, low) == (
            point, math.nextafter(point, -math.inf)
        )  # fmt: skip
