"""Figures combine as ranges, keep their units, and remember how they came about."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evaluator import complaints
from evaluator import leaves as all_leaves
from settled import settled
from sizewright.formula import formula, quantity_text, size_texts, terms
from sizewright.quantity import (
    Provenance,
    Quantity,
    ambiguous,
    ceil,
    count,
    largest,
    leaves,
    mean,
    power,
    smallest,
    total,
)
from sizewright.units import UnitError


def given_figure(low: float, high: float, unit: str = "1", likely: float | None = None) -> Quantity:
    middle = (low + high) / 2 if likely is None else likely
    return Quantity(low, middle, high, unit, name="given", source=Provenance("input", "w.yaml:1:1"))


def ends(figure: Quantity) -> tuple[float, float, float]:
    return figure.low, figure.likely, figure.high


CLIENTS = given_figure(4, 5, "client")
EACH = given_figure(30, 30, "op/s*client")


def test_a_sum_adds_end_by_end() -> None:
    both = given_figure(120, 150, "op/s") + given_figure(15, 20, "op/s")
    assert ends(both) == (135, 152.5, 170)
    assert both.unit == "op/s"


def test_a_difference_is_lowest_where_what_is_taken_is_highest() -> None:
    rest = given_figure(10, 20, "MB") - given_figure(3, 5, "MB")
    assert ends(rest) == (5, 11, 17)
    assert rest.unit == "MB"


def test_a_product_multiplies_ends_and_units() -> None:
    load = CLIENTS * EACH
    assert ends(load) == (120, 135, 150)
    assert load.unit == "op/s"


def test_a_product_with_a_difference_below_zero_takes_its_extremes() -> None:
    crossing = given_figure(2, 3) - given_figure(1, 5)
    assert ends(crossing * given_figure(10, 20)) == (-60, -7.5, 40)


def test_a_quotient_is_lowest_over_the_highest_divisor() -> None:
    rate = given_figure(100, 200, "KB") / given_figure(4, 5, "s")
    assert ends(rate) == (20, 150 / 4.5, 50)
    assert rate.unit == "KB/s"


@pytest.mark.parametrize("divisor", [(0, 0), (0, 1), (-1, 1), (-1, 0)])
def test_nothing_is_divided_by_a_range_that_may_be_nothing(divisor: tuple[float, float]) -> None:
    with pytest.raises(ZeroDivisionError, match="given"):
        CLIENTS / given_figure(*divisor)
    with pytest.raises(ZeroDivisionError):
        CLIENTS / given_figure(-1, 1, likely=0.5)


@pytest.mark.parametrize("work", [operator.add, operator.sub, smallest, largest, ambiguous])
def test_different_units_are_not_put_together(work: Callable[[Any, Any], Quantity]) -> None:
    with pytest.raises(UnitError, match="different units"):
        work(CLIENTS, EACH)


def test_a_plain_number_takes_the_unit_that_a_sum_needs_and_none_in_a_product() -> None:
    size = given_figure(1, 2, "MB")
    assert ((size + 1).unit, (1 + size).unit, (size - 1).unit) == ("MB", "MB", "MB")
    assert ((size * 2).unit, (2 * size).unit, (size / 2).unit) == ("MB", "MB", "MB")
    assert (1 / size).unit == "1/MB"
    assert ends(1 / given_figure(2, 4)) == (0.25, 1 / 3, 0.5)


def test_a_conversion_keeps_the_figure_and_says_what_it_multiplied_by() -> None:
    kb = given_figure(1, 2, "MB/s").to("KB/s")
    assert ends(kb) == (1024, 1536, 2048)
    assert kb.unit == "KB/s"
    definition = kb.args[1]
    assert definition.source == Provenance("definition", "1 MB/s = 1024 KB/s")
    assert ends(definition) == (1024, 1024, 1024)


def test_a_conversion_into_the_same_unit_changes_nothing() -> None:
    assert CLIENTS.to("client") is CLIENTS


def test_a_conversion_into_another_kind_of_unit_is_refused() -> None:
    with pytest.raises(UnitError):
        CLIENTS.to("MB")


def test_a_name_keeps_the_value_and_what_it_came_from() -> None:
    named = (CLIENTS * EACH).with_name("ecad: operations")
    assert ends(named) == (120, 135, 150)
    assert (named.op, named.name, named.args[0].op) == ("is", "ecad: operations", "*")


def test_an_end_is_asked_for_by_name() -> None:
    assert [CLIENTS.at(end) for end in ("low", "likely", "high")] == [4, 4.5, 5]


def test_a_figure_shows_its_name_ends_and_unit() -> None:
    assert repr(CLIENTS) == "<given 4..5 client>"
    assert repr(EACH) == "<given 30 op/s*client>"
    assert repr(CLIENTS * EACH) == "<* 120..150 op/s>"


def test_the_least_and_the_greatest_are_taken_end_by_end() -> None:
    a, b = given_figure(1, 9, "MB"), given_figure(3, 4, "MB")
    assert ends(smallest(a, b)) == (1, 3.5, 4)
    assert ends(largest(a, b)) == (3, 5, 9)
    assert smallest(a) is a
    assert largest(b) is b


def test_rounding_up_takes_each_end_to_the_next_whole_number() -> None:
    assert ends(ceil(given_figure(1.2, 2.0, likely=1.9))) == (2, 2, 2)
    assert ceil(given_figure(0, 0.1, "disk")).unit == "disk"


def test_a_power_is_taken_end_by_end() -> None:
    grown = power(given_figure(1.1, 1.2, likely=1.15), given_figure(1, 3, likely=2))
    assert ends(grown) == pytest.approx((1.1, 1.3225, 1.728), rel=1e-15)
    assert grown.unit == "1"
    assert ends(power(given_figure(1, 1), given_figure(0, 9))) == (1, 1, 1)
    assert ends(power(given_figure(4, 4), given_figure(0.5, 0.5))) == (2, 2, 2)


@pytest.mark.parametrize(
    ("base", "exponent", "error"),
    [
        (given_figure(1, 2, "MB"), given_figure(1, 2), UnitError),
        (given_figure(1, 2), given_figure(1, 2, "year"), UnitError),
        (given_figure(0.9, 2), given_figure(1, 2), ValueError),
        (given_figure(1, 2), given_figure(-1, 2), ValueError),
        (given_figure(1, 1e12), given_figure(1, 100), OverflowError),
    ],
)
def test_what_is_no_growth_is_not_taken_to_a_power(
    base: Quantity, exponent: Quantity, error: type[Exception]
) -> None:
    with pytest.raises(error):
        power(base, exponent)


def test_a_total_adds_many_and_is_nothing_of_none() -> None:
    ten = total([given_figure(0.1, 0.2, "MB")] * 10, "MB")
    assert ends(ten) == pytest.approx((1, 1.5, 2), rel=1e-15)
    nothing = total([], "MB")
    assert (ends(nothing), nothing.unit) == ((0, 0, 0), "MB")
    with pytest.raises(UnitError, match="is not in KB"):
        total([given_figure(1, 1, "MB")], "KB")


def test_a_count_is_a_leaf_that_says_what_was_counted() -> None:
    three = count(3, "networks attached")
    assert (ends(three), three.unit) == ((3, 3, 3), "1")
    assert three.source == Provenance("count", "networks attached")


def test_two_readings_span_both_and_prefer_the_first() -> None:
    spared = ambiguous(given_figure(100, 120, "ms/s"), given_figure(60, 72, "ms/s"))
    assert ends(spared) == (60, 110, 120)
    assert ends(ambiguous(given_figure(60, 72), given_figure(100, 120))) == (60, 66, 120)


def test_a_mean_spans_what_it_can_be_while_the_weights_range() -> None:
    """1 to 10 at nothing beside 1 to 10 at one: 1/11 to 10/11. One value alone stays as it is."""
    few, many = given_figure(0, 0), given_figure(1, 1)
    ops = given_figure(1, 10, "op/s")
    assert ends(mean([few, many], [ops, ops])) == pytest.approx((1 / 11, 0.5, 10 / 11))
    same = mean([given_figure(0.15, 0.15)], [ops])
    assert (ends(same), same.unit) == ((0.15, 0.15, 0.15), "1")


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted)),
        min_size=1, max_size=6,
    )
)  # fmt: skip
def test_a_mean_is_least_and_greatest_over_all_ends_of_the_weights(parts: list[Any]) -> None:
    found = [
        sum(v * w for (v, _), w in zip(parts, weights, strict=True)) / sum(weights)
        for weights in product(*(ends_ for _, ends_ in parts)) if any(weights)
    ]  # fmt: skip
    assume(found)
    values = [given_figure(v, v) for v, _ in parts]
    spans = [given_figure(low, high, "op/s") for _, (low, high) in parts]
    low, _, high = ends(mean(values, spans))
    assert (low, high) == pytest.approx((min(found), max(found)))


def test_a_mean_needs_a_weight() -> None:
    with pytest.raises(ValueError, match="empty"):
        mean([A], [given_figure(0, 0)])


def test_leaves_come_left_to_right_each_time_they_are_used() -> None:
    load = CLIENTS * EACH
    assert list(leaves(load + load)) == [CLIENTS, EACH, CLIENTS, EACH]
    assert list(leaves(CLIENTS)) == [CLIENTS]


A = given_figure(2, 3, "op/s")
B = given_figure(4, 5, "op/s")
SHARE = given_figure(0.1, 0.2)
BASE, TIMES = given_figure(1.2, 1.5), given_figure(2, 4)
YEARS, YEAR = given_figure(1, 3, "year"), count(1, "one year", "year")


@pytest.mark.parametrize(
    ("figure", "end", "text"),
    [
        (CLIENTS * EACH, "high", "5 clients × 30 op/s per client"),
        (CLIENTS * EACH, "low", "4 clients × 30 op/s per client"),
        ((CLIENTS * EACH).with_name("load"), "high", "5 clients × 30 op/s per client"),
        ((CLIENTS * EACH).with_name("load") + A, "high", "150 op/s + 3 op/s"),
        (A + B * SHARE, "high", "3 op/s + 5 op/s × 0.2"),
        ((A + B) * SHARE, "high", "(3 op/s + 5 op/s) × 0.2"),
        ((A + B) / SHARE, "high", "(3 op/s + 5 op/s) ÷ 0.1"),
        ((A + B) / SHARE, "low", "(2 op/s + 4 op/s) ÷ 0.2"),
        (A / (SHARE * SHARE), "high", "3 op/s ÷ (0.1 × 0.1)"),
        (A / SHARE / SHARE, "high", "3 op/s ÷ 0.1 ÷ 0.1"),
        (A * (B / SHARE), "high", "3 op/s × 5 op/s ÷ 0.1"),
        (B - A, "high", "5 op/s − 2 op/s"),
        (B - (A - SHARE * A), "low", "4 op/s − (3 op/s − 0.1 × 2 op/s)"),
        (total([A, B, A], "op/s"), "likely", "2.5 op/s + 4.5 op/s + 2.5 op/s"),
        (total([A, B], "op/s") * SHARE, "low", "(2 op/s + 4 op/s) × 0.1"),
        (total([A], "op/s") * SHARE, "high", "3 op/s × 0.2"),
        (total([A + B], "op/s") * SHARE, "low", "(2 op/s + 4 op/s) × 0.1"),
        (total([A], "op/s") / total([B], "op/s"), "high", "3 op/s ÷ 4 op/s"),
        (smallest(A, ambiguous(A, B)), "high", "the smaller of 3 op/s and (3 op/s or 5 op/s)"),
        (B + smallest(A, B), "high", "5 op/s + (the smaller of 3 op/s and 5 op/s)"),
        (ceil(A + B), "high", "(3 op/s + 5 op/s) rounded up"),
        (ceil(A * SHARE), "high", "3 op/s × 0.2 rounded up"),
        (smallest(A, B), "high", "the smaller of 3 op/s and 5 op/s"),
        (largest(A + B, B), "low", "the larger of 2 op/s + 4 op/s and 4 op/s"),
        (ceil(SHARE), "high", "0.2 rounded up"),
        (ambiguous(A, B) * SHARE, "low", "(2 op/s or 4 op/s) × 0.1"),
        (A, "likely", "2.5 op/s"),
        (ambiguous(A, A) * SHARE, "low", "2 op/s × 0.1"),
        (smallest(A, B, A), "high", "the smallest of 3 op/s, 5 op/s and 3 op/s"),
        (mean([SHARE], [A]), "high", "0.2"),
        (
            mean([SHARE, BASE], [A, B]),
            "high",
            "mean of 0.2 and 1.5, weighted by 3 op/s and 5 op/s",
        ),
        (power(1 + SHARE, YEARS / YEAR), "high", "(1 + 0.2)^(3 years ÷ 1 year)"),
        (power(1 + SHARE, TIMES), "low", "(1 + 0.1)^2"),
        (A * power(BASE, TIMES), "high", "3 op/s × 1.5^4"),
        (A / power(BASE, TIMES), "high", "3 op/s ÷ 1.2^2"),
        (power(BASE * BASE, TIMES), "high", "(1.5 × 1.5)^4"),
        (power(power(BASE, TIMES), TIMES), "low", "(1.2^2)^2"),
        (power(BASE, power(TIMES, TIMES)), "low", "1.2^(2^2)"),
    ],
)
def test_a_formula_shows_the_numbers_that_were_used(figure: Quantity, end: str, text: str) -> None:
    assert formula(figure, end) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (170, "op/s", "170 op/s"),
        (0.4622222, "1", "0.4622"),
        (1234.5678, "KB/s", "1235 KB/s"),
        (3, "client", "3 clients"),
        (1, "client", "1 client"),
        (2, "slot", "2 slots"),
        (13, "%", "13%"),
        (1000, "ms/s", "1000 ms/s"),
        (0.5, "MB", "0.5 MB"),
        (25600, "op", "25600 op"),
        (0, "op/s", "0 op/s"),
        (1.5, "year", "1.5 years"),
        (20, "MB/year", "20 MB/year"),
        (3, "", "3"),
    ],
)
def test_a_quantity_is_told_with_its_unit(value: float, unit: str, text: str) -> None:
    assert quantity_text(value, unit) == text


def test_sizes_that_gigabytes_would_make_the_same_are_in_megabytes() -> None:
    assert size_texts(400_000, 93_600) == ["400 GB", "93.6 GB"]
    assert size_texts(36_401, 36_400) == ["36401 MB", "36400 MB"]
    assert size_texts(12_000, 800) == ["12 GB", "800 MB"]


# What follows builds figures at random and holds each against the second evaluator and against
# plain numbers picked from the ranges of its leaves.

SETTINGS = settled(300)
UNITS = ("1", "op/s", "MB", "KB/op", "s")
VALUES = st.floats(0.01, 1000, allow_nan=False)


@st.composite
def leaf_figures(draw: st.DrawFn, unit: str | None = None) -> Quantity:
    low, likely, high = sorted(draw(st.tuples(VALUES, VALUES, VALUES)))
    where = draw(st.sampled_from(("w.yaml:1:1", "w.yaml:2:3")))
    chosen = unit or draw(st.sampled_from(UNITS))
    return Quantity(low, likely, high, chosen, name="leaf", source=Provenance("input", where))


def _grown(children: st.SearchStrategy[Quantity]) -> st.SearchStrategy[Quantity]:
    @st.composite
    def node(draw: st.DrawFn) -> Quantity:
        a, b = draw(children), draw(children)
        work = draw(
            st.sampled_from(
                ("+", "-", "*", "/", "sum", "min", "max", "ceil", "is", "to", "either", "part", "^")
            )
        )
        if work == "*":
            return a * b
        if work == "/":
            return a / b if not b.low <= 0 <= b.high else a
        if work == "ceil":
            return ceil(a)
        if work == "is":
            return a.with_name("a name")
        if work == "^":
            bounded = draw(leaf_figures("1")) / 100
            return power(1 + a, bounded) if a.unit == "1" and 0 <= a.low <= a.high < 9 else a
        if work == "to":
            return a.to("KB") if a.unit == "MB" else a
        if a.unit != b.unit:
            b = draw(leaf_figures(a.unit))
        same: dict[str, Callable[[Quantity, Quantity], Quantity]] = {
            "+": operator.add, "-": operator.sub, "min": smallest, "max": largest,
            "sum": lambda x, y: total([x, y, x], x.unit), "either": ambiguous,
            "part": lambda x, y: mean([x, y], [y, x]) if x.low > 0 < y.low else x,
        }  # fmt: skip
        return same[work](a, b)

    return node()


FIGURES = st.recursive(leaf_figures(), _grown, max_leaves=8)


@SETTINGS
@given(FIGURES)
def test_a_second_evaluator_finds_the_same_numbers_and_units(figure: Quantity) -> None:
    assert complaints([figure]) == []


_PLAIN: dict[str, Callable[[list[float]], float]] = {
    "is": lambda v: v[0],
    "+": sum,
    "sum": sum,
    "-": lambda v: v[0] - v[1],
    "*": lambda v: v[0] * v[1],
    "/": lambda v: v[0] / v[1],
    "min": min,
    "max": max,
    "ceil": lambda v: float(-(-v[0] // 1)),
    "^": lambda v: v[0] ** v[1],
}


def _has_mean(figure: Quantity) -> bool:
    return figure.op == "mean" or any(map(_has_mean, figure.args))


def _picked(figure: Quantity, pick: Callable[[Quantity], float]) -> float:
    """One value that the figure can have, with each leaf at one place in its range."""
    if not figure.args:
        return pick(figure)
    values = [_picked(arg, pick) for arg in figure.args]
    return values[0] if figure.op == "readings" else _PLAIN[figure.op](values)


@SETTINGS
@given(FIGURES.filter(lambda figure: not _has_mean(figure)), st.data())
def test_whatever_its_leaves_are_a_figure_lies_between_its_ends(
    figure: Quantity, data: st.DataObject
) -> None:
    picked: dict[int, float] = {}

    def pick(leaf: Quantity) -> float:
        if id(leaf) not in picked:
            picked[id(leaf)] = data.draw(st.floats(leaf.low, leaf.high))
        return picked[id(leaf)]

    value = _picked(figure, pick)
    size = 1e-9 * max(1.0, abs(figure.low), abs(figure.high))
    assert figure.low - size <= value <= figure.high + size


# The second evaluator is itself put to the test: each way of bending a tree must be seen.


def _bent(figure: Quantity, **changes: Any) -> Quantity:
    fields = {name: getattr(figure, name) for name in Quantity.__slots__} | changes
    return Quantity(**fields)


@pytest.mark.parametrize(
    ("figure", "what"),
    [
        (_bent(CLIENTS * EACH, high=151.0), "high is 151.0, not 150.0"),
        (_bent(CLIENTS * EACH, low=120.000001), "low is 120.000001, not 120.0"),
        (_bent(A + B, likely=7.1), "likely is 7.1, not 7.0"),
        (_bent(CLIENTS * EACH, unit="op"), "its unit op does not follow"),
        (_bent(A + B, unit="MB"), "its unit MB is not that of its operands"),
        (_bent(A / B, op="*"), "high is 0.75, not 15.0"),
        (_bent(B - A, low=3.0, likely=2.0), "its ends are out of order"),
        (_bent(A, high=float("inf")), "is not finite"),
        (_bent(A, source=None), "a leaf without a source"),
        (_bent(A + B, args=()), "+ of nothing"),
        (_bent(A + B, args=(A,)), "+ of 1 operands"),
        (_bent(A + B, op="median"), "median of 2 operands"),
        (_bent(A / B, args=(A, given_figure(0, 0, "op/s"))), "divides by nothing"),
        (
            _bent(A / B, args=(A, given_figure(-1, 1, "op/s", 0.5))),
            "divides by a range around nothing",
        ),
        (_bent(ceil(SHARE), high=2.0), "high is 2.0, not 1.0"),
        (_bent(smallest(A, B), op="max"), "low is 2.0, not 4.0"),
        (_bent(power(BASE, TIMES), low=1.45), "low is 1.45, not 1.44"),
        (_bent(power(BASE, TIMES), unit="op"), "its unit op does not follow"),
        (
            _bent(given_figure(1, 1, "MB").to("KB").args[1], low=1000.0, likely=1000.0),
            "1 MB = 1024 KB does not hold",
        ),
    ],
)
def test_the_second_evaluator_sees_a_bent_tree(figure: Quantity, what: str) -> None:
    assert any(what in complaint for complaint in complaints([figure]))
    assert any(what in complaint for complaint in complaints([figure.with_name("deep down")]))


def test_the_second_evaluator_tells_a_fault_once_and_each_leaf_once() -> None:
    bent = _bent(A + B, high=9.0)
    assert len(complaints([bent, bent.with_name("again")])) == 2
    assert list(all_leaves([A + B, A])) == [A, B]


def test_a_formula_in_names_reads_as_a_derivation() -> None:
    rate = Quantity(450, 450, 450, "op/s", source=Provenance("table", "nfs-capacity/a/most_ops"))
    clients = Quantity(4, 4, 5, "client", name="services.pcs.active.at_once",
                       source=Provenance("input", "w.yaml:1:1"))  # fmt: skip
    share = Quantity(0.8, 0.8, 0.8, "1", name="rule XIII, sustained_share",
                     source=Provenance("parameter", "rule XIII, sustained_share"))  # fmt: skip
    load = (clients * EACH).with_name("pcs: operations")
    assert terms(load / rate * share) == "pcs: operations ÷ most ops × sustained share"
    assert terms(smallest(clients, count(3, "places", "client"))) == (
        "the smaller of pcs active at once and 3 clients"
    )
    assert terms(total([clients], "client") * EACH) == "pcs active at once × given"
