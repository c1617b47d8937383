"""When growth reaches a limit, against logarithms."""

from __future__ import annotations

import math

import pytest

from sizewright.quantity import Provenance, Quantity, as_quantity, count, power
from sizewright.sensitivity.thresholds import Exhaustion, reaches

from .hand_built import budget, leaf

RATE = leaf("rate", 100, 120, "op/s")


def grown(percent: float, low: float, high: float) -> Quantity:
    source = Provenance("input", "w.yaml:9:9")
    years = Quantity(low, (low + high) / 2, high, "year", name="growth.years", source=source)
    each = 1 + leaf("growth.percent", percent, unit="%").to("1")
    return power(each, years / count(1, "one year", "year"))


@pytest.mark.parametrize(
    ("end", "rate", "horizon"), [("low", 100, 1), ("likely", 110, 1.5), ("high", 120, 2)]
)
def test_a_resource_reaches_its_limit_when_growth_has_eaten_the_room(
    end: str, rate: float, horizon: float
) -> None:
    used = RATE * grown(20, 1, 2)
    (reach,) = reaches([budget("nfs", used, as_quantity(360, "op/s"))], end)
    assert reach.years == pytest.approx(math.log(360 / rate) / math.log(1.2), rel=1e-9)
    assert (reach.resource, reach.horizon_years) == ("one/nfs", horizon)


def test_the_first_comes_first_and_what_never_comes_last() -> None:
    by = grown(100, 0, 0)
    budgets = [
        budget("never", as_quantity(1) * by, as_quantity(2.0) * as_quantity(2.0**100)),
        budget("later", as_quantity(1) * by, as_quantity(8)),
        budget("over", as_quantity(3) * by, as_quantity(2)),
        budget("apart", as_quantity(1), as_quantity(2)),
        budget("sooner", as_quantity(1) * by, as_quantity(2)),
        budget("unknown", None, as_quantity(2)),
    ]
    found = reaches(budgets, "high")
    assert [(each.resource, each.years) for each in found] == [
        ("one/over", 0),
        ("one/sooner", pytest.approx(1)),
        ("one/later", pytest.approx(3)),
        ("one/never", None),
    ]
    assert reaches(reversed(budgets), "high") == found


def test_a_limit_may_be_passed_before_the_horizon() -> None:
    (reach,) = reaches([budget("nfs", as_quantity(1) * grown(100, 5, 5), as_quantity(2))], "high")
    assert reach == Exhaustion("one/nfs", pytest.approx(1), 5)


def test_what_cannot_be_told_for_size_is_over_any_limit() -> None:
    used = as_quantity(1) * grown(1e12, 1, 1)
    (reach,) = reaches([budget("nfs", used, as_quantity(1e305))], "high")
    assert reach.years == pytest.approx(30.5, rel=1e-9)


def test_growth_of_nothing_never_gets_anywhere() -> None:
    (reach,) = reaches([budget("nfs", as_quantity(1) * grown(0, 1, 1), as_quantity(2))], "high")
    assert reach.years is None


def test_without_a_horizon_there_is_nothing_to_tell() -> None:
    other = leaf("other.years", 3, unit="year") / count(1, "one year", "year")
    assert reaches([budget("nfs", other, as_quantity(9))], "high") == ()
