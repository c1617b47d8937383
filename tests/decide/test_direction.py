"""Which way figures go is told without trying; trying must agree."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settled import settled
from sizewright.decide.direction import Way, opposite, together, ways
from sizewright.decide.whatif import Leaf, WhatIf, scaled
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

from .hand_built import leaf

X, Y = leaf("x", 0.2, 0.3), leaf("y", 5, 10)
AT_X = Leaf("input", "at x", "x")
ONE = as_quantity(1)
REST = ONE - X


def way(figure: Quantity) -> Way:
    return ways(WhatIf([figure, X]), AT_X).get(id(figure), Way.STAYS)


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        (X, Way.RISES),
        (Y, Way.STAYS),
        (Y + Y, Way.STAYS),
        (X + Y, Way.RISES),
        (Y - X, Way.FALLS),
        (X - Y, Way.RISES),
        (X - X * X, Way.MAY_TURN),
        (X * Y, Way.RISES),
        (Y * REST, Way.FALLS),
        (X * REST, Way.MAY_TURN),
        (X * (Y - X), Way.MAY_TURN),
        ((X - Y) * (X - Y), Way.MAY_TURN),
        (X * (Y - Y), Way.MAY_TURN),
        (X / Y, Way.RISES),
        (Y / X, Way.FALLS),
        (X / X, Way.MAY_TURN),
        (Y / REST, Way.MAY_TURN),
        (REST / Y, Way.FALLS),
        (REST / X, Way.MAY_TURN),
        (power(ONE + X, Y), Way.RISES),
        (power(Y, X), Way.RISES),
        (smallest(X, Y), Way.RISES),
        (largest(Y, Y / X), Way.FALLS),
        (smallest(X, Y / X), Way.MAY_TURN),
        (ceil(X), Way.RISES),
        (total([X, Y, X], "1"), Way.RISES),
        (ambiguous(Y / X, Y), Way.FALLS),
        (mean([X, Y], [Y, Y]), Way.RISES),
        (mean([Y, Y], [X, Y]), Way.MAY_TURN),
        (X.named("a name"), Way.RISES),
        (X.to("%"), Way.RISES),
    ],
)
def test_the_way_of_each_operation(figure: Quantity, expected: Way) -> None:
    assert way(figure) is expected


def test_ways_come_together() -> None:
    rises, falls, stays, turns = Way.RISES, Way.FALLS, Way.STAYS, Way.MAY_TURN
    assert together([]) is stays
    assert together([stays, rises, stays]) is rises
    assert together([falls, falls]) is falls
    assert together([falls, rises]) is turns
    assert together([stays, turns, rises]) is turns
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
    if told is Way.MAY_TURN:
        return
    what, before = WhatIf([figure, X]), None
    for factor in sorted(factors):
        now = what.under(AT_X, lambda old, by=factor: scaled(old, by))(figure)
        for end in ("low", "likely", "high"):
            if before is None:
                continue
            step = now.at(end) - before.at(end)
            size = 1e-12 * max(abs(now.at(end)), abs(before.at(end)))
            assert told is Way.RISES or step <= size
            assert told is Way.FALLS or step >= -size
        before = now
