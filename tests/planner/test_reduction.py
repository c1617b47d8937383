"""Where no plan passes, the largest part of the load that has one is named."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import ENGINE, Plain, read, text_of
from sizewright.api import report_plan
from sizewright.demand.model import Demand
from sizewright.documents import parse_document
from sizewright.output.plan import plan_text
from sizewright.output.reports import PlanReport
from sizewright.planner.reduction import find_reduction
from small import demand, plain, volume

# 10 clients of 40 op/s.
WHOLE = demand({"uses": ["data"], "load": {"ops_per_s": 40}}, volumes=[volume("data")])


def largest(passes: float, spent_after: int = 100) -> float | None:
    """The part that is found if plans pass up to one."""
    tried: list[float] = []

    def planned(part: Demand) -> Any:
        tried.append(part.streams[0].ops.likely / WHOLE.streams[0].ops.likely)
        return part if tried[-1] <= passes + 1e-9 else None

    found = find_reduction(WHOLE, planned, lambda: len(tried) >= spent_after)
    return found.share if found else None


@pytest.mark.parametrize("percent", [1, 7, 50, 63, 99])
def test_the_largest_part_that_passes_is_found_in_whole_percent(percent: int) -> None:
    assert largest(percent / 100) == percent / 100
    assert largest((percent + 0.5) / 100) == percent / 100


def test_without_a_part_that_passes_none_is_found() -> None:
    assert largest(0) is None


def test_no_plan_is_made_once_all_steps_are_used_up() -> None:
    """50 % passes, 75 % is the second that is tried."""
    assert largest(0.9, spent_after=1) == 0.5
    assert largest(0.9, spent_after=2) == 0.75
    assert largest(0.9, spent_after=0) is None


def report(stated: Plain) -> PlanReport:
    document = parse_document(text_of(stated), "office.yaml")
    return report_plan(read(stated), document, ENGINE)


def test_what_several_systems_support_is_said_of_a_load_that_one_does_not() -> None:
    """One Ethernet passes 400 op/s for several servers (2.5.1), and 320 are advised (1.1.1)."""
    files = {"uses": ["data"], "load": {"ops_per_s": 100}, "mix": "legato"}
    found = report(plain(files, volumes=[volume("data")], availability={"survives": ["system"]}))
    assert found.reduced is not None and found.reduced.plan.holds
    assert found.reduced.plan.number > 1 and found.reduced.share == 0.4
    said = " ".join(plan_text(found, full=False).split())
    assert "reduce the load to 40% (400 of 1000 op/s of NFS), which " in said
    assert "support, borderline" in said


def test_a_plan_of_all_the_load_names_no_part() -> None:
    found = report(plain({"uses": ["data"], "load": {"ops_per_s": 4}}, volumes=[volume("data")]))
    assert found.reduced is None
