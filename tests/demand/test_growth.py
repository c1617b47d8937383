"""Growth: once, or every year on top of the last."""

from __future__ import annotations

from typing import Any

import pytest

from evaluator import complaints
from generated_workloads import read
from sizewright.demand.growth import YEARS, growth_factor, horizon
from sizewright.figure import Figure, formula, leaves
from small import demand, plain, three


def factor(**growth: Any) -> Figure:
    found = growth_factor(read(plain({}, growth=growth)).growth)
    assert found is not None
    return found


def test_where_none_is_stated_nothing_grows() -> None:
    assert growth_factor(None) is None
    assert growth_factor(read(plain({})).growth) is None


def test_without_years_it_comes_once() -> None:
    once = factor(percent=[10, 20])
    assert three(once) == (1.1, 1.15, 1.2)
    assert formula(once) == "1 + 20%"


def test_with_years_it_comes_every_year_on_top_of_the_last() -> None:
    assert three(factor(percent=[10, 20], years=[1, 3])) == (1.1, 1.3225, 1.728)
    assert three(factor(percent=[10, 20], years=1)) == three(factor(percent=[10, 20]))
    assert three(factor(percent=50, years=0)) == (1, 1, 1)
    assert three(factor(percent=44, years="6 months")) == (1.2, 1.2, 1.2)


def test_it_says_how_it_was_reckoned() -> None:
    grown = factor(percent=20, years=3)
    assert (grown.unit, grown.name) == ("1", "growth")
    assert formula(grown) == "(1 + 20%)^(3 years ÷ 1 year)"
    assert complaints([grown]) == []
    (years,) = (leaf for leaf in leaves(grown) if leaf.name == YEARS)
    assert three(years) == (3, 3, 3)


def test_every_rate_grows_and_nothing_else() -> None:
    (now,) = demand({"clients": 100}).streams
    (then,) = demand({"clients": 100}, growth={"percent": 20, "years": 2}).streams
    for name in ("ops", "reads", "writes", "weighted"):
        assert getattr(then, name).high == pytest.approx(1.44 * getattr(now, name).high)
    assert three(then.clients) == three(now.clients)
    assert three(then.write_share) == three(now.write_share)


def test_the_horizon_is_found_in_what_grows() -> None:
    grown = demand({}, growth={"percent": 20, "years": [1, 2]})
    found = horizon(grown)
    assert found is not None and three(found) == (1, 1.5, 2)
    assert horizon(demand({}, growth={"percent": 20})) is None
    assert horizon(demand({})) is None
