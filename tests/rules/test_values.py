"""What conditions compute, written out by hand: ends, signs, unknowns, and the last digits."""

from __future__ import annotations

import math
from typing import Any

import pytest

from sizewright.rules import values
from sizewright.rules.values import FALSE, TIGHT, TRUE, UNKNOWN, Range

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
    assert values.absolute(value) == expected
    assert type(values.absolute(value)) is type(expected)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((3.0, 1.0, 2.0), R(1.0, 3.0)),
        ((R(2.0, 4.0), 3.0), R(2.0, 4.0)),
        ((R(2.0, 4.0), R(1.0, 3.0)), R(1.0, 4.0)),
        ((2.0, 2.0), 2.0),
        ((2.0, None), None),
        ((None, None), None),
    ],
)
def test_every_value_between_readings(given: Any, expected: Any) -> None:
    assert values.spanning(*given) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(2.0, -2.0), (R(1.0, 3.0), R(-3.0, -1.0)), (None, None)],
)
def test_the_sign_turned(value: Any, expected: Any) -> None:
    assert values.negative(value) == expected
    assert type(values.negative(value)) is type(expected)


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
    assert values.add(a, b) == expected


def test_what_rounding_leaves_of_a_sum_is_nothing() -> None:
    third = 1 / 3
    assert values.add(third * 3.3, -1.1) == 0.0
    assert values.subtract(third * 3.3, 1.1) == 0.0
    assert values.add(-1.1, third * 3.3) == 0.0
    assert values.add(-0.3, 0.1 + 0.2) == 0.0
    assert values.add(0.1 + 0.2, -0.3) == 0.0
    assert values.subtract(1.0, 1.0 - 1e-8) > 0
    assert values.subtract(1.0, 1.0 - 1e-10) == 0.0
    assert values.add(0.0, 0.25) == 0.25
    assert values.add(-0.25, 0.0) == -0.25
    assert values.add(0.25, 0.25) == 0.5


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
    assert values.subtract(a, b) == expected


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
    assert values.multiply(a, b) == expected


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
    assert values.divide(a, b) == expected


@pytest.mark.parametrize(
    ("given", "least", "greatest"),
    [
        ((3.0, 1.0, 2.0), 1.0, 3.0),
        ((R(1.0, 5.0), R(2.0, 3.0)), R(1.0, 3.0), R(2.0, 5.0)),
        ((R(1.0, 5.0), None), None, None),
    ],
)
def test_the_least_and_the_greatest(given: Any, least: Any, greatest: Any) -> None:
    assert values.smallest(*given) == least
    assert values.largest(*given) == greatest


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
    found = values.number(fact)
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
    assert values.at_most(a, b) is at_most
    assert values.below(a, b) is below
    assert values.equal(a, b) is equal
    assert values.equal(b, a) is equal


def test_texts_flags_and_lists() -> None:
    assert values.same_text("a", "a") is TRUE
    assert values.same_text("a", "b") is FALSE
    assert values.same_text(None, "b") is UNKNOWN
    assert values.same_text("a", None) is UNKNOWN
    assert values.among("a", ("a", "b")) is TRUE
    assert values.among("c", ("a", "b")) is FALSE
    assert values.among(None, ("a",)) is UNKNOWN
    assert values.among("a", None) is UNKNOWN
    assert (values.flag(True), values.flag(False), values.flag(None)) == (
        TRUE,
        FALSE,
        UNKNOWN,
    )
    assert (values.length(("a", "b")), values.length(()), values.length(None)) == (
        2.0,
        0.0,
        None,
    )
    assert type(values.length(("a",))) is float
    assert (values.present(None), values.present(0), values.present("")) == (
        FALSE,
        TRUE,
        TRUE,
    )
