"""Figures reckoned anew under another value of one leaf."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator import complaints
from settled import settled
from sizewright.quantity import (
    Quantity,
    ambiguous,
    as_quantity,
    ceil,
    count,
    largest,
    leaves,
    mean,
    power,
    set_to,
    smallest,
    total,
)
from sizewright.sensitivity.what_if import Leaf, WhatIf, leaf_of, scaled

from .hand_built import leaf

X, Y = leaf("x", 2, 3), leaf("y", 5, 10)
AT_X = Leaf("input", "at x", "x")


def ends(figure: Quantity) -> tuple[float, float, float]:
    return figure.low, figure.likely, figure.high


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        (X, (4, 5, 6)),
        (X + Y, (9, 12.5, 16)),
        (Y - X, (-1, 2.5, 6)),
        (X * Y, (20, 37.5, 60)),
        (Y / X, (5 / 6, 1.5, 2.5)),
        (power(X, count(2, "twice")), (16, 25, 36)),
        (smallest(X, Y), (4, 5, 6)),
        (largest(X, Y), (5, 7.5, 10)),
        (ceil(X / 4), (1, 2, 2)),
        (total([X, Y, X], "1"), (13, 17.5, 22)),
        (ambiguous(X, Y), (4, 5, 10)),
        (mean([X, as_quantity(0)], [as_quantity(1), as_quantity(1)]), (2, 2.5, 3)),
        (X.with_name("a name"), (4, 5, 6)),
        (X.to("%"), (400, 500, 600)),
        (Y, (5, 7.5, 10)),
    ],
)
def test_each_operation_is_done_again_on_the_new_value(
    figure: Quantity, expected: tuple[float, float, float]
) -> None:
    what = WhatIf([figure, X])
    now = what.under(AT_X, lambda old: scaled(old, 2))
    assert ends(now(figure)) == pytest.approx(expected, rel=1e-15)
    assert now(figure).unit == figure.unit
    assert now(figure).name == figure.name


def test_a_value_that_is_set_has_no_range() -> None:
    what = WhatIf([X + Y])
    now = what.under(AT_X, lambda old: set_to(old, 7))
    figure = now(next(iter(what.above(AT_X))))
    assert ends(figure) == (12, 14.5, 17)


def test_what_stands_in_one_place_changes_together() -> None:
    twin, other = leaf("x", 2, 3), leaf("x", 2, 3, kind="table")
    sum_ = total([X, twin, other], "1")
    now = WhatIf([sum_]).under(AT_X, lambda old: scaled(old, 10))
    assert ends(now(sum_)) == (42, 52.5, 63)


def test_what_has_no_place_is_told_apart_by_being_another_object() -> None:
    nameless = [leaf("", 1), leaf("", 1)]
    for figure in nameless:
        figure.source = figure.source and figure.source._replace(where="")
    assert leaf_of(nameless[0]) != leaf_of(nameless[1])
    assert len(WhatIf([nameless[0] + nameless[1]]).leaves) == 2


def test_only_what_may_be_doubted_is_a_leaf_to_change() -> None:
    cell, limit = leaf("cell", 1, kind="table"), leaf("limit", 1, kind="parameter")
    minute = leaf("minute", 1, unit="min").to("s")
    sourceless = Quantity(1, 1, 1, "s")
    figures = [cell, limit, count(3, "disks"), as_quantity(1), minute, sourceless, minute + 1]
    names = {name for _, _, name in WhatIf(figures).leaves}
    assert names == {"cell", "limit", "minute"}
    assert leaf_of(X + Y) is None


def test_what_does_not_hang_on_the_leaf_is_as_it_was() -> None:
    apart = Y * Y
    now = WhatIf([X + Y, apart]).under(AT_X, lambda old: scaled(old, 2))
    assert now(apart) is apart and now(Y) is Y


def test_a_unit_stays_as_it_was_spelt() -> None:
    rate = leaf("x", 60, unit="op/s*client")
    spelt = Quantity(*ends(rate), "op/s*client", "*", (rate, as_quantity(1)))
    now = WhatIf([spelt]).under(AT_X, lambda old: scaled(old, 2))
    assert (now(spelt).unit, now(spelt).high) == ("op/s*client", 120)


def test_a_change_that_makes_no_sense_says_so() -> None:
    figure = Y / (as_quantity(10) - X)
    with pytest.raises(ArithmeticError):
        WhatIf([figure]).under(AT_X, lambda old: scaled(old, 4))
    with pytest.raises(ValueError, match=r"\^"):
        WhatIf([power(X, Y)]).under(AT_X, lambda old: scaled(old, 0.1))


def test_a_tree_may_be_deeper_than_python_calls_itself() -> None:
    deep = X
    for _ in range(5000):
        deep = deep + Y
    now = WhatIf([deep]).under(AT_X, lambda old: scaled(old, 2))
    assert now(deep).high == deep.high + 3


@st.composite
def trees(draw: st.DrawFn) -> Quantity:
    """Figures of a few leaves that may stand in several places."""
    figure: Quantity = draw(st.sampled_from((X, Y)))
    works: tuple[Callable[[Quantity, Quantity], Quantity], ...] = (
        operator.add, operator.sub, operator.mul, smallest, largest, ambiguous,
        lambda a, b: total([a, b, a], "1"), lambda a, b: mean([a, b], [X, Y]),
    )  # fmt: skip
    for _ in range(draw(st.integers(1, 6))):
        other = draw(st.sampled_from((X, Y, leaf("x", 2, 3), figure)))
        figure = draw(st.sampled_from(works))(figure, other)
    return figure


@settled(150)
@given(trees(), st.floats(0.01, 100))
def test_a_second_evaluator_agrees_with_what_figures_become(figure: Quantity, by: float) -> None:
    now = WhatIf([figure, X]).under(AT_X, lambda old: scaled(old, by))(figure)
    assert complaints([now]) == []
    moved = {(f.low, f.high) for f in leaves(now) if f.name == "x"}
    assert moved <= {(2 * by, 3 * by)}
    assert [f.name for f in leaves(now)] == [f.name for f in leaves(figure)]
