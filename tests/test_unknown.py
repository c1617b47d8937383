"""What is unknown stays unknown, whatever is added to it: an unknown load is zero at least."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_workloads import ENGINE, Plain, read, workloads
from settled import settled
from sizewright.api import plan
from sizewright.output.reports import PlanReport

pytestmark = [pytest.mark.no_cover, pytest.mark.in_part]

# What costs next to nothing, what costs something that no guide states, and what states nothing.
SERVICES: dict[str, Plain] = {
    "faults": {"kind": "paging", "faults_per_s": 0.00001},
    "lines": {"kind": "serial", "lines": 4},
    "many lines": {"kind": "serial", "lines": 60, "bits_per_s": 1200},
    "printer": {"kind": "print", "printers": [{"name": "laser", "attached": "serial"}]},
    "sessions": {"kind": "timesharing", "sessions": 2},
    "programs": {"kind": "measured", "user_processors": 0.01},
    "busy programs": {"kind": "measured", "user_processors": 30},
}
# The data of lines on terminal servers is counted.
TIMED = ("faults", "many lines")
VOLUME: Plain = {"name": "spare", "size_mb": 20, "access": "serial", "activity": "cold"}
BARE: Plain = {"name": "bare", "volumes": [VOLUME]}


def worth(plain: Plain) -> int:
    """2 if a plan passes, 1 if it does as far as is known, 0 if there is none."""
    verdict = PlanReport(plan(read(plain), ENGINE), "", "", "", "").verdict
    return {"violated": 0, "unknown": 1}.get(verdict, 2)


def with_services(plain: Plain, *names: str) -> Plain:
    added = [{"name": f"added {name}", **SERVICES[name]} for name in names]
    return {**copy.deepcopy(plain), "services": [*plain.get("services", []), *added]}


@pytest.mark.parametrize("first", [name for name in SERVICES if name not in TIMED])
@pytest.mark.parametrize("second", SERVICES)
def test_a_service_that_is_added_makes_nothing_known(first: str, second: str) -> None:
    if first != second:
        assert worth(with_services(BARE, first, second)) <= worth(with_services(BARE, first))


@pytest.mark.parametrize("name", [name for name in SERVICES if name not in TIMED])
def test_a_service_of_unknown_cost_makes_a_plan_unknown(name: str) -> None:
    assert worth(with_services(BARE, "faults")) == 2
    assert worth(with_services(BARE, "faults", name)) == (name != "busy programs")


@settled(24)
@given(
    workloads(), st.lists(st.sampled_from(sorted(SERVICES)), min_size=1, max_size=2, unique=True)
)
def test_what_is_added_to_a_workload_makes_it_no_better_known(
    plain: Plain, names: list[str]
) -> None:
    more: dict[str, Any] = with_services(plain, *names)
    assert worth({**more, "volumes": [*more["volumes"], VOLUME]}) <= worth(plain)
