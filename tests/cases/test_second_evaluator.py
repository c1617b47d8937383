from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.second_evaluator import second_value
from sizewright.cases.expressions import evaluate

_NUMBER = st.integers(1, 999).map(str) | st.sampled_from(["0.13", "0.8", "1.3", "7.5"])
_EXPRESSION = st.recursive(
    _NUMBER,
    lambda inner: (
        st.tuples(inner, st.sampled_from("+*/"), inner).map(lambda t: f"{t[0]} {t[1]} {t[2]}")
        | inner.map(lambda text: f"({text})")
    ),
    max_leaves=8,
)


@given(_EXPRESSION)
def test_both_evaluators_agree(text: str) -> None:
    assert evaluate(text) == pytest.approx(float(second_value(text)), rel=1e-9)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8 - 4 - 2", 2),
        ("8 / 4 / 2", 1),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("ceil(7 / 2)", 4),
    ],
)
def test_the_second_evaluator_keeps_the_order_of_operations(text: str, value: int) -> None:
    assert second_value(text) == Fraction(value)
