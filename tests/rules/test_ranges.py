"""What conditions compute, written out by hand: ends, signs, unknowns, and the last digits."""

from __future__ import annotations

import math
from typing import Any

import pytest

from sizewright.rules import intervals
from sizewright.rules.intervals import FALSE, TIGHT, TRUE, UNKNOWN, Range

R = Range


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (R(-3.0, 2.0), R(0.0, 3.0)),
        (R(-3.0, 5.0), R(0.0, 5.0)),
        (R(-0.25, 0.5), R(0.0, 0.5)),
        (R(0.5, 0.75), R(0.5, 0.75)),
        (R(-3.0, -2.0), R(2.0, 3.0)),
        (R(2.0, 3.0), R(2.0, 3.0)),
        (R(0.0, 3.0), R(0.0, 3.0)),
        (R(-3.0, 3.0), R(0.0, 3.0)),
        (-3.0, 3.0),
        (None, None),
    ],
)
def test_without_its_sign(value: Any, expected: Any) -> None:
    assert intervals.absolute(value) == expected
    assert type(intervals.absolute(value)) is type(expected)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((3.0, 1.0, 2.0), R(1.0, 3.0)),
        ((R(2.0, 4.0), 3.0), R(2.0, 4.0)),
        ((R(2.0, 4.0), R(1.0, 3.0)), R(1.0, 4.0)),
        ((2.0, 2.0), 2.0),
        ((2.0, None), None),
        ((None, None), None),
    ],
)
def test_every_value_between_readings(values: Any, expected: Any) -> None:
    assert intervals.spanning(*values) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(2.0, -2.0), (R(1.0, 3.0), R(-3.0, -1.0)), (None, None)],
)
def test_the_sign_turned(value: Any, expected: Any) -> None:
    assert intervals.negative(value) == expected
    assert type(intervals.negative(value)) is type(expected)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (1.0, 2.0, 3.0),
        (R(1.0, 2.0), 3.0, R(4.0, 5.0)),
        (3.0, R(1.0, 2.0), R(4.0, 5.0)),
        (R(1.0, 2.0), R(-1.0, 3.0), R(0.0, 5.0)),
        (None, 1.0, None),
        (1.0, None, None),
        (math.inf, -math.inf, None),
        (math.inf, 1.0, math.inf),
    ],
)
def test_a_sum(a: Any, b: Any, expected: Any) -> None:
    assert intervals.add(a, b) == expected


def test_what_rounding_leaves_of_a_sum_is_nothing() -> None:
    third = 1 / 3
    assert intervals.add(third * 3.3, -1.1) == 0.0
    assert intervals.subtract(third * 3.3, 1.1) == 0.0
    assert intervals.add(-1.1, third * 3.3) == 0.0
    assert intervals.add(-0.3, 0.1 + 0.2) == 0.0
    assert intervals.add(0.1 + 0.2, -0.3) == 0.0
    assert intervals.subtract(1.0, 1.0 - 1e-8) > 0
    assert intervals.subtract(1.0, 1.0 - 1e-10) == 0.0
    assert intervals.add(0.0, 0.25) == 0.25
    assert intervals.add(-0.25, 0.0) == -0.25
    assert intervals.add(0.25, 0.25) == 0.5


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (3.0, 1.0, 2.0),
        (R(3.0, 4.0), 1.0, R(2.0, 3.0)),
        (5.0, R(1.0, 2.0), R(3.0, 4.0)),
        (None, 1.0, None),
        (1.0, None, None),
        (math.inf, math.inf, None),
    ],
)
def test_a_difference(a: Any, b: Any, expected: Any) -> None:
    assert intervals.subtract(a, b) == expected


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (3.0, 2.0, 6.0),
        (R(-1.0, 2.0), R(-3.0, 5.0), R(-6.0, 10.0)),
        (R(1.0, 2.0), 3.0, R(3.0, 6.0)),
        (3.0, R(1.0, 2.0), R(3.0, 6.0)),
        (None, 2.0, None),
        (2.0, None, None),
        (math.inf, 0.0, None),
    ],
)
def test_a_product(a: Any, b: Any, expected: Any) -> None:
    assert intervals.multiply(a, b) == expected


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (3.0, 2.0, 1.5),
        (R(2.0, 4.0), R(1.0, 2.0), R(1.0, 4.0)),
        (3.0, 0.0, None),
        (3.0, R(0.0, 1.0), None),
        (3.0, R(-1.0, 0.0), None),
        (3.0, R(-1.0, 1.0), None),
        (3.0, 0.5, 6.0),
        (3.0, -0.5, -6.0),
        (None, 2.0, None),
        (2.0, None, None),
        (math.inf, math.inf, None),
    ],
)
def test_a_quotient(a: Any, b: Any, expected: Any) -> None:
    assert intervals.divide(a, b) == expected


@pytest.mark.parametrize(
    ("values", "least", "greatest"),
    [
        ((3.0, 1.0, 2.0), 1.0, 3.0),
        ((R(1.0, 5.0), R(2.0, 3.0)), R(1.0, 3.0), R(2.0, 5.0)),
        ((R(1.0, 5.0), None), None, None),
    ],
)
def test_the_least_and_the_greatest(values: Any, least: Any, greatest: Any) -> None:
    assert intervals.smallest(*values) == least
    assert intervals.largest(*values) == greatest


class Pair:
    def __init__(self, low: Any, high: Any) -> None:
        self.low, self.high = low, high


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (1.5, 1.5),
        (3, 3.0),
        (None, None),
        (math.nan, None),
        (10**400, math.inf),
        (-(10**400), -math.inf),
        (Pair(1, 2), R(1.0, 2.0)),
        (Pair(2, 2), 2.0),
        (Pair(math.nan, 2), None),
        (Pair(1, math.nan), None),
    ],
)
def test_a_fact_as_conditions_compute(fact: Any, expected: Any) -> None:
    found = intervals.number(fact)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("a", "b", "at_most", "below", "equal"),
    [
        (1.0, 2.0, TRUE, TRUE, FALSE),
        (2.0, 1.0, FALSE, FALSE, FALSE),
        (2.0, 2.0, TRUE, FALSE, TRUE),
        (R(1.0, 2.0), 2.0, TRUE, TIGHT, TIGHT),
        (R(1.0, 3.0), 2.0, TIGHT, TIGHT, TIGHT),
        (R(2.0, 3.0), 2.0, TIGHT, FALSE, TIGHT),
        (R(3.0, 4.0), 2.0, FALSE, FALSE, FALSE),
        (1.0, R(2.0, 3.0), TRUE, TRUE, FALSE),
        (R(1.0, 2.0), R(1.0, 2.0), TIGHT, TIGHT, TIGHT),
        (None, 1.0, UNKNOWN, UNKNOWN, UNKNOWN),
        (1.0, None, UNKNOWN, UNKNOWN, UNKNOWN),
        (0.1 + 0.2, 0.3, TRUE, FALSE, TRUE),
        (R(0.1, 0.1 + 0.2), 0.3, TRUE, TIGHT, TIGHT),
        (R(0.1 + 0.2, 0.5), 0.3, TIGHT, FALSE, TIGHT),
    ],
)
def test_comparisons(a: Any, b: Any, at_most: Any, below: Any, equal: Any) -> None:
    assert intervals.at_most(a, b) is at_most
    assert intervals.below(a, b) is below
    assert intervals.equal(a, b) is equal
    assert intervals.equal(b, a) is equal


def test_texts_flags_and_lists() -> None:
    assert intervals.same_text("a", "a") is TRUE
    assert intervals.same_text("a", "b") is FALSE
    assert intervals.same_text(None, "b") is UNKNOWN
    assert intervals.same_text("a", None) is UNKNOWN
    assert intervals.among("a", ("a", "b")) is TRUE
    assert intervals.among("c", ("a", "b")) is FALSE
    assert intervals.among(None, ("a",)) is UNKNOWN
    assert intervals.among("a", None) is UNKNOWN
    assert (intervals.flag(True), intervals.flag(False), intervals.flag(None)) == (
        TRUE,
        FALSE,
        UNKNOWN,
    )
    assert (intervals.length(("a", "b")), intervals.length(()), intervals.length(None)) == (
        2.0,
        0.0,
        None,
    )
    assert type(intervals.length(("a",))) is float
    assert (intervals.present(None), intervals.present(0), intervals.present("")) == (
        FALSE,
        TRUE,
        TRUE,
    )
