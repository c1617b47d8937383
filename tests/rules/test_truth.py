"""Kleene's tables with the fourth value, written out by hand."""

from itertools import product

import pytest

from sizewright.rules.values import (
    FALSE,
    TIGHT,
    TRUE,
    UNKNOWN,
    Truth,
    conjunction,
    disjunction,
    negation,
)

F, G, U, T = FALSE, TIGHT, UNKNOWN, TRUE
ORDER = (F, G, U, T)

AND = {
    F: (F, F, F, F),
    G: (F, G, U, G),
    U: (F, U, U, U),
    T: (F, G, U, T),
}
OR = {
    F: (F, G, U, T),
    G: (G, G, U, T),
    U: (U, U, U, T),
    T: (T, T, T, T),
}
NOT = {F: T, G: G, U: U, T: F}


@pytest.mark.parametrize(("a", "b"), list(product(ORDER, repeat=2)))
def test_two_values_combine_as_the_tables_say(a: Truth, b: Truth) -> None:
    assert conjunction(a, b) is AND[a][ORDER.index(b)]
    assert disjunction(a, b) is OR[a][ORDER.index(b)]


@pytest.mark.parametrize("a", ORDER)
def test_not_swaps_the_certain_values_only(a: Truth) -> None:
    assert negation(a) is NOT[a]


@pytest.mark.parametrize(("a", "b", "c"), list(product(ORDER, repeat=3)))
def test_many_values_combine_like_pairs_in_any_order(a: Truth, b: Truth, c: Truth) -> None:
    assert conjunction(a, b, c) is conjunction(conjunction(a, b), c) is conjunction(c, a, b)
    assert disjunction(a, b, c) is disjunction(disjunction(a, b), c) is disjunction(c, a, b)
    assert negation(conjunction(a, b, c)) is disjunction(negation(a), negation(b), negation(c))


def test_a_truth_refuses_to_be_a_yes_or_no() -> None:
    with pytest.raises(TypeError, match="four values"):
        bool(FALSE)
