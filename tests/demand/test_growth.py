"""Growth: once, or every year on top of the last."""

from __future__ import annotations

from typing import Any

import pytest

from evaluator import complaints
from generated_workloads import read
from serving import demanded, measured
from sizewright.demand.build import YEARS, growth_factor, horizon
from sizewright.errors import InputError
from sizewright.formula import formula
from sizewright.quantity import Quantity, leaves
from small import demand, plain, three, volume

HALF: dict[str, Any] = {"growth": {"percent": 50}}


def factor(**growth: Any) -> Quantity:
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


def test_every_rate_of_file_service_grows_and_nothing_else() -> None:
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


def test_processors_that_are_kept_busy_grow_with_what_keeps_them_so() -> None:
    work = measured(user_processors=0.4)
    (now,), (then,) = (demanded(work, **more).user for more in ({}, HALF))
    assert three(now.processors) == (0.4, 0.4, 0.4)
    assert three(then.processors) == (0.6, 0.6, 0.6)
    (fast,) = demanded(
        {"kind": "measured", "name": "program",
         "work": [{"name": "work", "volume": "tables", "as_fast_as_disks": True,
                   "user_processors": 0.4}]}, **HALF,
    ).user  # fmt: skip
    assert three(fast.processors) == (0.4, 0.4, 0.4)


def test_runs_begin_more_often_and_stay_as_large() -> None:
    work = {"name": "q", "volume": "tables", "ops": 30, "every_s": 15, "by": 1}
    (found,) = demanded({"kind": "measured", "name": "m", "work": [work]}, **HALF).operations
    assert three(found.runs.every_s) == (10, 10, 10)
    assert three(found.runs.run_ops) == (30, 30, 30)
    assert three(found.ops) == (3, 3, 3)


def test_jobs_grow_with_their_memory() -> None:
    found = demanded({"kind": "batch", "name": "sas", "jobs": 2, "job_mb": 10}, **HALF)
    assert [three(user.processors) for user in found.user] == [(3, 3, 3)]
    assert [three(item.figure) for item in found.memory] == [(30, 30, 30)]


def test_pages_drawn_grow_and_printers_and_lines_do_not() -> None:
    printer = {"name": "laser", "attached": "video", "count": 2, "rasterising": True,
               "raster_mb": 8, "raster_processors": 1}  # fmt: skip
    found = demanded(
        {"kind": "print", "name": "paper", "printers": [printer]},
        {"kind": "serial", "name": "modems", "lines": 20}, **HALF,
    )  # fmt: skip
    assert [three(user.processors) for user in found.user] == [(1.5, 1.5, 1.5)]
    assert [three(item.figure) for item in found.memory] == [(8, 8, 8)]
    assert [three(line.number) for line in found.lines] == [(20, 20, 20), (2, 2, 2)]


def test_mail_that_is_kept_grows_with_the_messages() -> None:
    post = {"kind": "mail", "name": "post", "volume": "files", "messages_a_day": 100_000,
            "prime_messages": 100, "prime_s": 60, "temporary_files": 1, "message_kb": 4,
            "retention_days": 2}  # fmt: skip
    assert demanded(post).operations
    with pytest.raises(InputError, match="keeps at least 1172 MB, and files holds 1000"):
        demanded(post, **HALF)
    with pytest.raises(InputError) as caught:
        demanded(post, growth={"percent": 10, "years": [3, 4]})
    assert "holds 1000: enough today, for 781 MB, but not in year 3 of its" in caught.value.text()
    assert "expected growth_mb_per_year of files" in caught.value.text()
    assert demanded(post, growth={"percent": 10, "years": 2}).operations
    grown = [{"name": "files", "size_mb": 1000, "access": "random", "growth_mb_per_year": 200}]
    assert demanded(post, volumes=grown, growth={"percent": 50, "years": 1}).operations


def test_a_volume_grows_by_its_own_figure_for_as_long_as_the_rates() -> None:
    homes = volume("homes", [100, 120], growth_mb_per_year=[10, 30])
    growth = {"percent": 0, "years": [1, 2]}
    (found,) = demand({"uses": ["homes"]}, volumes=[homes], growth=growth).volumes
    assert three(found.size_mb) == (110, 140, 180)
    assert (found.size_mb.unit, found.size_mb.name) == ("MB", "homes: size after growth")
    (still,) = demand({"uses": ["homes"]}, volumes=[volume("homes")], growth=growth).volumes
    assert three(still.size_mb) == (100, 100, 100)
