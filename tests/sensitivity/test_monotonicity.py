"""Which way figures go is told without trying; trying must agree."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settled import settled
from sizewright.quantity import (
    Quantity,
    ambiguous,
    as_quantity,
    ceil,
    count,
    largest,
    mean,
    power,
    smallest,
    total,
)
from sizewright.sensitivity.thresholds import (
    Leaf,
    Monotonicity,
    WhatIf,
    combined,
    monotonicities,
    opposite,
    scaled,
)

from .hand_built import leaf

X, Y = leaf("x", 0.2, 0.3), leaf("y", 5, 10)
AT_X = Leaf("input", "at x", "x")
ONE = as_quantity(1)
REST = ONE - X


def way(figure: Quantity) -> Monotonicity:
    return monotonicities(WhatIf([figure, X]), AT_X).get(id(figure), Monotonicity.STAYS)


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        (X, Monotonicity.RISES),
        (Y, Monotonicity.STAYS),
        (Y + Y, Monotonicity.STAYS),
        (X + Y, Monotonicity.RISES),
        (Y - X, Monotonicity.FALLS),
        (X - Y, Monotonicity.RISES),
        (X - X * X, Monotonicity.MAY_TURN),
        (X * Y, Monotonicity.RISES),
        (Y * REST, Monotonicity.FALLS),
        (X * REST, Monotonicity.MAY_TURN),
        (X * (Y - X), Monotonicity.MAY_TURN),
        ((X - Y) * (X - Y), Monotonicity.MAY_TURN),
        (X * (Y - Y), Monotonicity.MAY_TURN),
        (X / Y, Monotonicity.RISES),
        (Y / X, Monotonicity.FALLS),
        (X / X, Monotonicity.MAY_TURN),
        (Y / REST, Monotonicity.MAY_TURN),
        (REST / Y, Monotonicity.FALLS),
        (REST / X, Monotonicity.MAY_TURN),
        (power(ONE + X, Y), Monotonicity.RISES),
        (power(Y, X), Monotonicity.RISES),
        (smallest(X, Y), Monotonicity.RISES),
        (largest(Y, Y / X), Monotonicity.FALLS),
        (smallest(X, Y / X), Monotonicity.MAY_TURN),
        (ceil(X), Monotonicity.RISES),
        (total([X, Y, X], "1"), Monotonicity.RISES),
        (ambiguous(Y / X, Y), Monotonicity.FALLS),
        (mean([X, Y], [Y, Y]), Monotonicity.RISES),
        (mean([Y, Y], [X, Y]), Monotonicity.MAY_TURN),
        (X.with_name("a name"), Monotonicity.RISES),
        (X.to("%"), Monotonicity.RISES),
    ],
)
def test_the_way_of_each_operation(figure: Quantity, expected: Monotonicity) -> None:
    assert way(figure) is expected


def test_ways_come_together() -> None:
    rises, falls, stays, turns = (
        Monotonicity.RISES,
        Monotonicity.FALLS,
        Monotonicity.STAYS,
        Monotonicity.MAY_TURN,
    )
    assert combined([]) is stays
    assert combined([stays, rises, stays]) is rises
    assert combined([falls, falls]) is falls
    assert combined([falls, rises]) is turns
    assert combined([stays, turns, rises]) is turns
    assert [opposite(w) for w in (rises, falls, stays, turns)] == [falls, rises, stays, turns]


LEAVES = (X, Y, leaf("x", 0.2, 0.3), REST, count(1, "one"))
WORKS: tuple[Callable[[Quantity, Quantity], Quantity], ...] = (
    operator.add, operator.sub, operator.mul, smallest, largest, ambiguous,
    lambda a, b: a / b if b.low > 0 else b, lambda a, b: mean([a, b], [b, Y]) if b.low > 0 else a,
)  # fmt: skip


@st.composite
def trees(draw: st.DrawFn) -> Quantity:
    figures = list(LEAVES)
    for _ in range(draw(st.integers(1, 6))):
        a, b = draw(st.sampled_from(figures)), draw(st.sampled_from(figures))
        figures.append(draw(st.sampled_from(WORKS))(a, b))
    return figures[-1]


@pytest.mark.no_cover
@settled(400)
@given(trees(), st.lists(st.floats(0.001, 1000), min_size=2, max_size=12))
def test_what_is_told_is_what_happens(figure: Quantity, factors: list[float]) -> None:
    told = way(figure)
    if told is Monotonicity.MAY_TURN:
        return
    what, before = WhatIf([figure, X]), None
    for factor in sorted(factors):
        now = what.under(AT_X, lambda old, by=factor: scaled(old, by))(figure)
        for end in ("low", "likely", "high"):
            if before is None:
                continue
            step = now.at(end) - before.at(end)
            size = 1e-12 * max(abs(now.at(end)), abs(before.at(end)))
            assert told is Monotonicity.RISES or step <= size
            assert told is Monotonicity.FALLS or step >= -size
        before = now
