"""Break-even values against closed forms."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settled import settled
from sizewright.evaluate.budgets import Budget
from sizewright.quantity import Quantity, as_quantity, ceil, count, power, smallest
from sizewright.sensitivity.thresholds import BreakEven, Threshold, break_even

from .hand_built import budget, leaf


def flip_of(found: BreakEven, name: str) -> Threshold:
    (flip,) = (flip for flip in found.flips if flip.leaf.name == name)
    return flip


def told(flip: Threshold) -> tuple[Any, ...]:
    return flip.end, flip.at_most, flip.holds_now, flip.resource


def one(used: Quantity, limit: Quantity, end: str = "high", **more: Any) -> BreakEven:
    return break_even([budget("only", used, limit, **more)], end)


CLIENTS, RATE = leaf("clients", 4, 5, "client"), leaf("rate", 30, unit="op/s*client")
WHOLE, SHARE = leaf("whole", 400, unit="op/s", kind="table"), leaf("share", 0.5, kind="parameter")


@pytest.mark.parametrize(
    ("end", "factor", "values"),
    [
        ("low", 200 / 120, {"clients": ("low", 4), "rate": ("low", 30)}),
        ("likely", 200 / 135, {"clients": ("likely", 4.5), "rate": ("likely", 30)}),
        ("high", 200 / 150, {"clients": ("high", 5), "rate": ("high", 30)}),
    ],
)
def test_what_is_asked_holds_up_to_the_limit(
    end: str, factor: float, values: dict[str, tuple[str, float]]
) -> None:
    found = one(CLIENTS * RATE, WHOLE * SHARE, end)
    for name, (which, assumed) in values.items():
        flip = flip_of(found, name)
        assert told(flip) == (which, True, True, "one/only")
        assert flip.factor == pytest.approx(factor, rel=1e-14)
        assert flip.value == pytest.approx(assumed * factor, rel=1e-14)
        assert flip.first


def test_a_recommended_limit_that_is_exceeded_first_is_borderline_from_there() -> None:
    used, limit, advised = CLIENTS * RATE, WHOLE * SHARE, as_quantity(180, "op/s")
    data = budget("data", used, limit)._replace(recommended=advised, recommended_rule="wish")
    found = break_even([data], "high")
    assert {flip.leaf.name: flip.value for flip in found.borderline} == {
        "clients": pytest.approx(5 * 180 / 150), "rate": pytest.approx(30 * 180 / 150),
    }  # fmt: skip
    assert found.flips == break_even([budget("data", used, limit)], "high").flips
    # Another resource fails before, or the limit is exceeded already.
    full = budget("full", CLIENTS * RATE, as_quantity(160, "op/s"))
    assert not break_even([data, full], "high").borderline
    over = data._replace(recommended=as_quantity(140, "op/s"))
    assert not break_even([over], "high").borderline


def test_what_there_is_holds_down_to_what_is_used() -> None:
    found = one(CLIENTS * RATE, WHOLE * SHARE)
    for name, assumed in (("whole", 400), ("share", 0.5)):
        flip = flip_of(found, name)
        assert told(flip) == ("low", False, True, "one/only")
        assert flip.value == pytest.approx(assumed * 150 / 200, rel=1e-14)
    assert (len(found.flips), found.steady, found.at_zero) == (4, 0, 0)


@pytest.mark.parametrize(("end", "limit"), [("low", 50), ("likely", 45), ("high", 40)])
def test_a_limit_counts_at_its_other_end(end: str, limit: float) -> None:
    found = one(leaf("x", 10), leaf("limit", 40, 50), end)
    assert flip_of(found, "x").value == pytest.approx(limit, rel=1e-14)
    bound = flip_of(found, "limit")
    assert (bound.end, bound.value) == (
        {"low": "high", "likely": "likely", "high": "low"}[end], pytest.approx(10, rel=1e-14)
    )  # fmt: skip


def test_a_time_between_loads_counts_at_its_short_end() -> None:
    every = leaf("every", 20, 30, "s")
    found = one(leaf("size", 600, unit="KB") / every, leaf("limit", 60, unit="KB/s"))
    flip = flip_of(found, "every")
    assert (flip.end, flip.at_most, flip.value) == ("low", False, pytest.approx(10))
    assert flip_of(found, "size").end == "high"


def test_what_is_broken_holds_only_from_or_up_to_a_value() -> None:
    found = one(CLIENTS * RATE, leaf("limit", 100, unit="op/s"))
    limit, rate = flip_of(found, "limit"), flip_of(found, "rate")
    assert told(limit) == ("low", False, False, "one/only")
    assert limit.value == pytest.approx(150, rel=1e-14)
    assert told(rate) == ("high", True, False, "one/only")
    assert rate.value == pytest.approx(20, rel=1e-14)


def test_the_value_told_is_one_that_holds() -> None:
    """To the last digit: the next number beyond it does not."""
    found = one(leaf("x", 3), leaf("limit", 7))
    held = flip_of(found, "x").factor
    assert 3 * held <= 7 < 3 * math.nextafter(held, math.inf)
    mended = flip_of(one(leaf("x", 7), leaf("limit", 3)), "limit").factor
    assert 3 * mended >= 7 > 3 * math.nextafter(mended, 0)


def test_a_budget_at_its_limit_flips_at_once() -> None:
    # Three tenths are a hair more than 0.3, which no verdict minds.
    x = leaf("x", 0.1)
    flip = flip_of(one(x + x + x, leaf("limit", 0.3)), "x")
    assert (flip.holds_now, flip.at_most) == (True, True)
    assert flip.factor == pytest.approx(1, rel=1e-14)


def test_beyond_the_capacity_a_higher_limit_mends_nothing() -> None:
    limit, capacity = leaf("limit", 100), leaf("capacity", 150)
    below = one(leaf("x", 140), limit, capacity=capacity)
    assert flip_of(below, "limit").value == pytest.approx(140)
    above = one(leaf("x", 160), limit, capacity=capacity)
    assert [flip.leaf.name for flip in above.flips] == ["x"]
    held = one(leaf("x", 90), limit, capacity=capacity)
    assert flip_of(held, "capacity").value == pytest.approx(90)


def test_what_flips_nothing_is_counted() -> None:
    small, none = leaf("small", 1), leaf("none", 0)
    found = one(small + none, leaf("limit", 5000))
    assert (found.steady, found.at_zero, found.within) == (2, 1, 1000)
    assert [flip.leaf.name for flip in found.flips] == []
    near = one(small + none, leaf("limit", 999))
    assert {flip.leaf.name for flip in near.flips} == {"small", "limit"}


def test_definitions_and_counts_are_not_asked_after() -> None:
    used = leaf("x", 1, unit="min").to("s") * count(2, "disks")
    found = one(used, as_quantity(240, "s"))
    assert [flip.leaf.name for flip in found.flips] == ["x"]
    assert flip_of(found, "x").value == pytest.approx(2)


def test_where_use_or_limit_is_unknown_nothing_hangs() -> None:
    budgets = [budget("a", None, leaf("limit", 1)), budget("b", leaf("x", 1), None)]
    assert break_even(budgets, "high") == BreakEven((), 0, 0, 1000)


def test_a_figure_that_cancels_flips_nothing() -> None:
    """At its limit, where the rounding of the two halves would flip it."""
    x = leaf("x", 3)
    found = one(leaf("ops", 0.1) / x * x, as_quantity(0.1))
    assert [flip.leaf.name for flip in found.flips] == ["ops"]
    assert found.steady == 1


SHARE_OF_BOTH = leaf("x", 0.3)


def test_what_acts_both_ways_flips_on_both_sides() -> None:
    """x(1 − x) is above 0.2 from 0.2764 to 0.7236, and 0.21 at 0.3."""
    x = SHARE_OF_BOTH
    found = one(x * (as_quantity(1) - x), as_quantity(0.2))
    down, up = sorted(found.flips, key=lambda flip: flip.factor)
    root = math.sqrt(0.25 - 0.2)
    assert (down.value, up.value) == (pytest.approx(0.5 - root), pytest.approx(0.5 + root))
    assert (down.at_most, up.at_most) == (True, False)
    assert not (down.holds_now or up.holds_now or down.first or up.first)


def test_of_two_flips_the_nearer_is_found() -> None:
    """It breaks at 0.4 and would hold again from 0.6; one look far away would see neither."""
    x = SHARE_OF_BOTH
    (flip,) = one(x * (as_quantity(1) - x), as_quantity(0.24)).flips
    assert flip.value == pytest.approx(0.4, rel=1e-9)
    assert (flip.at_most, flip.holds_now, flip.first) == (True, True, False)


def test_use_and_limit_may_grow_together() -> None:
    """x² + 3 is at most 4x from 1 to 3; at 0.5 it is more, as it is far away."""
    x = leaf("x", 0.5)
    (flip,) = one(x * x + 3, x * as_quantity(4)).flips
    assert (flip.value, flip.holds_now, flip.at_most) == (pytest.approx(1), False, False)


def test_where_arithmetic_ends_what_lies_before_still_flips() -> None:
    """50 over 1 − x breaks 100 at 0.5; at 1 there is nothing to divide by."""
    x, none = leaf("x", 0.1), one(leaf("y", 0.1) * 0 + 1, as_quantity(2))
    (flip,) = one(50 / (as_quantity(1) - x), as_quantity(100)).flips
    assert flip.value == pytest.approx(0.5, rel=1e-9)
    assert none.flips == () and none.steady == 1
    base = leaf("base", 2)
    found = one(power(base, as_quantity(2)), as_quantity(3))
    assert [flip.leaf.name for flip in found.flips] == ["base"]
    assert flip_of(found, "base").value == pytest.approx(math.sqrt(3), rel=1e-9)
    # Growth of less than nothing has no power, and holds as it does until there.
    assert one(power(base, as_quantity(2)), as_quantity(1e9)).steady == 1
    # Too large for a number is over any limit, which it passes on the way.
    grown = one(power(as_quantity(2), leaf("years", 3)), as_quantity(1e9))
    assert flip_of(grown, "years").value == pytest.approx(math.log2(1e9), rel=1e-9)


def test_steps_flip_where_they_step() -> None:
    found = one(ceil(leaf("x", 2.5)), as_quantity(4))
    assert flip_of(found, "x").value == pytest.approx(4, rel=1e-14)


def test_the_budget_that_flips_first_is_told_with_those_that_flip_with_it() -> None:
    x = leaf("x", 1)
    budgets = [
        budget("late", x, as_quantity(3)),
        budget("b", x / as_quantity(3), as_quantity(2) / as_quantity(3)),
        budget("a", x, as_quantity(2)),
        budget("apart", leaf("y", 1), as_quantity(2)),
    ]
    flip = flip_of(break_even(budgets, "high"), "x")
    assert (flip.resource, flip.also) == ("one/a", ("one/b",))
    assert flip.value == pytest.approx(2)


def test_budgets_that_flip_together_are_told_together_though_rounding_parts_them() -> None:
    """0.1 times the number after 0.7 is no more than 0.07."""
    x = leaf("x", 0.5)
    budgets = [
        budget("a", x, as_quantity(0.7)),
        budget("b", x * as_quantity(0.1), as_quantity(0.07)),
    ]
    flip = flip_of(break_even(budgets, "high"), "x")
    assert (flip.resource, flip.also) == ("one/a", ("one/b",))


def test_budgets_that_flip_the_other_way_at_the_same_value_are_not_told_with_it() -> None:
    x = leaf("x", 1)
    budgets = [budget("breaks", x, as_quantity(2)), budget("mends", as_quantity(2), x)]
    flip = flip_of(break_even(budgets, "high"), "x")
    assert flip.value == pytest.approx(2)
    assert flip.also == ()


def test_what_breaks_one_and_mends_another_is_told_either_way() -> None:
    x = leaf("x", 1)
    budgets = [budget("broken", x, as_quantity(0.5)), budget("held", x, as_quantity(4))]
    down, up = sorted(break_even(budgets, "high").flips, key=lambda flip: flip.factor)
    assert (told(down), down.value) == (("high", True, False, "one/broken"), pytest.approx(0.5))
    assert (told(up), up.value) == (("high", True, True, "one/held"), pytest.approx(4))


def test_the_nearest_comes_first_be_it_up_or_down() -> None:
    budgets = [
        budget("a", leaf("three times more", 1), as_quantity(3)),
        budget("b", as_quantity(1), leaf("half", 2)),
        budget("c", leaf("a fifth more", 5), as_quantity(6)),
        budget("d", leaf("a quarter", 4), as_quantity(1)),
    ]
    found = break_even(budgets, "high")
    assert [f.leaf.name for f in found.flips] == [
        "a fifth more", "half", "three times more", "a quarter",
    ]  # fmt: skip
    assert [f.distance for f in found.flips] == pytest.approx([1.2, 2, 3, 4])


LIMITS = [leaf(f"limit {n}", n + 5, kind="parameter") for n in range(4)]
ASKED = [leaf(f"asked {n}", n + 1, n + 2) for n in range(4)]


@st.composite
def some_budgets(draw: st.DrawFn) -> list[Budget]:
    found = []
    for number in range(draw(st.integers(1, 5))):
        a, b = draw(st.sampled_from(ASKED)), draw(st.sampled_from(ASKED))
        used = draw(st.sampled_from((a + b, a * b, a, b / a, smallest(a, b))))
        c, d = draw(st.sampled_from(LIMITS)), draw(st.sampled_from(LIMITS))
        found.append(budget(str(number), used, draw(st.sampled_from((c, c * d, smallest(c, d))))))
    return found


@settled(60)
@given(some_budgets(), st.sampled_from(("low", "likely", "high")), st.data())
def test_the_order_of_budgets_changes_nothing(
    budgets: list[Budget], end: str, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(budgets))
    assert break_even(budgets, end) == break_even(shuffled, end)
