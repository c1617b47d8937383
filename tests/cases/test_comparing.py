from __future__ import annotations

import pytest

from sizewright.cases.expected import Span
from sizewright.cases.running import agrees_with, precision


def span(value: float | tuple[float, float]) -> Span:
    return Span(*value) if isinstance(value, tuple) else Span(value, value)


@pytest.mark.parametrize(
    ("value", "tolerance"),
    [
        (208, 0.5),
        (985, 0.5),
        (7.5, 0.05),
        (8, 0.24),
        (2, 0.06),
        (0, 0),
        ((120, 150), 0.5),
        ((12, 15), 0.36),
        ("ethernet", 0),
    ],
)
def test_tolerance_is_half_of_the_last_digit_and_never_over_three_per_cent(
    value: float | tuple[float, float] | str, tolerance: float
) -> None:
    found = precision(value if isinstance(value, str) else span(value), 3)
    assert found == pytest.approx(tolerance)


@pytest.mark.parametrize(
    ("computed", "wanted", "tolerance", "same"),
    [
        (208, 208, 0, True),
        (0.1 + 0.2, 0.3, 0, True),
        (208.5, 208, 0.5, True),
        (208.51, 208, 0.5, False),
        ((120, 150), (120, 150), 0, True),
        ((110, 150), (120, 150), 0.5, False),
        ((120, 160), (120, 150), 0.5, False),
        (12.5, (12, 15), 0, True),
        (11, (12, 15), 0.5, False),
        (16, (12, 15), 0.5, False),
        ((90, 105), 100, 0, False),
        ((90, 105), 100, 10, True),
        ((90, 95), 100, 0, False),
        ((0, 1000000), 100, 0, False),
    ],
)
def test_ends_meet_ends_and_only_a_printed_range_may_contain(
    computed: float | tuple[float, float],
    wanted: float | tuple[float, float],
    tolerance: float,
    same: bool,
) -> None:
    assert agrees_with(span(computed), span(wanted), tolerance) is same


def test_a_span_of_one_number_is_no_range() -> None:
    assert not Span(1, 1).is_range
    assert Span(1, 2).is_range
