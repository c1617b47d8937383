"""Where no plan passes, the largest part of the load that has one is named."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from generated_workloads import ENGINE, Plain, read, text_of
from sizewright.api import report_plan
from sizewright.demand.model import Demand
from sizewright.documents import parse_document
from sizewright.output.change import change_text
from sizewright.output.json.plan import plan_data
from sizewright.output.plan import plan_text
from sizewright.output.reports import PlanReport
from sizewright.planner.alternatives import Reduction
from sizewright.planner.reduction import find_fewer_lines, find_reduction
from sizewright.workload.reading import read_workload
from small import demand, plain, volume

# 10 clients of 40 op/s.
WHOLE = demand({"uses": ["data"], "load": {"ops_per_s_each": 40}}, volumes=[volume("data")])


def reduced(passes: float, spent_after: int = 100, **known: int) -> Reduction | None:
    """The part that is found if plans pass up to one."""
    tried: list[float] = []

    def planned(share: float) -> Any:
        tried.append(share)
        return share if share <= passes + 1e-9 else None

    return find_reduction(planned, lambda: len(tried) >= spent_after, **known)


def largest(passes: float, spent_after: int = 100, **known: int) -> float | None:
    found = reduced(passes, spent_after, **known)
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


def test_a_part_that_is_known_is_where_the_search_begins() -> None:
    """73 is half of the way from 46 to 100."""
    assert largest(0.8, spent_after=1, known=46) == 0.73
    found = reduced(0.5, spent_after=1, known=46)
    assert found is not None and found.share == 0.46 and found.plan is None


@pytest.mark.parametrize(("passes", "found"), [(0.8, 0.78), (0.5, 0.39)])
def test_a_guess_is_tried_first(passes: float, found: float) -> None:
    """Where 78 is too much, half of it is next."""
    assert largest(passes, spent_after=1, guess=78) == (0.78 if passes > 0.78 else None)
    assert largest(passes, spent_after=2, guess=78) == (0.78 if passes > 0.78 else found)


def test_a_part_is_proven_if_the_next_percent_was_tried() -> None:
    found = reduced(0.63)
    assert found is not None and found.proven
    found = reduced(0.63, spent_after=3)
    assert found is not None and found.share == 0.62 and not found.proven


# Two systems that survive each other, on one Ethernet that passes 320 op/s (2.5.1).
FERRY = {
    "uses": ["papers"], "clients": 205, "load": {"ops_per_s_each": [1, 2]}, "mix": "legato",
}  # fmt: skip


def test_a_part_that_may_not_be_the_largest_is_said_to_be_so() -> None:
    found = report(plain(FERRY, volumes=[volume("papers", 500, dual_ported=True)],
                         availability={"survives": ["system"]}))  # fmt: skip
    reduced = found.alternatives.reduced
    assert reduced is not None and reduced.share >= 0.78
    for proven, more in ((True, ""), (False, " (a larger part may pass too)")):
        some = found.alternatives._replace(reduced=reduced._replace(proven=proven))
        told = change_text(replace(found, alternatives=some))
        assert told.endswith(f"support{more}") or told.endswith(f"support, borderline{more}")


def report(stated: Plain) -> PlanReport:
    document = parse_document(text_of(stated), "office.yaml")
    return report_plan(read(stated), document, ENGINE)


def test_what_several_systems_support_is_said_of_a_load_that_one_does_not() -> None:
    """One Ethernet passes 400 op/s for several servers (2.5.1), and 320 are advised (1.1.1)."""
    files = {"uses": ["data"], "load": {"ops_per_s_each": 100}, "mix": "legato"}
    found = report(plain(files, volumes=[volume("data")], availability={"survives": ["system"]}))
    reduced = found.alternatives.reduced
    assert reduced is not None and reduced.plan is not None
    assert reduced.plan.holds
    assert reduced.plan.number > 1 and reduced.share == 0.4
    said = " ".join(plan_text(found, full=False).split())
    assert "reduce the load to 40% (400 of 1000 op/s of NFS), which " in said
    assert "support, borderline" in said


def test_lines_have_a_part_of_their_data_with_a_part_of_the_load() -> None:
    """Fourteen full T1 lines take more than the kernel time of one lock (2.6, 2.10.1)."""
    lines = [{"name": "branch", "protocol": "tcp", "kbit_per_s": 1544, "count": 14}]
    found = report({
        "name": "lines", "services": [{"kind": "gateway", "name": "branches", "lines": lines}],
        "wishes": {"platforms": ["sparcserver-690mp"], "system_elsewhere": True},
    })  # fmt: skip
    said = " ".join(plan_text(found, full=False).split())
    assert re.search(r"reduce the load to 9\d% \([0-9]+ of [0-9]+ Kb/s of lines\), which ", said)
    assert "a faster processor" not in said.partition("Bottleneck")[0]


def test_a_plan_of_all_the_load_names_no_part() -> None:
    found = report(
        plain({"uses": ["data"], "load": {"ops_per_s_each": 4}}, volumes=[volume("data")])
    )
    assert found.alternatives.reduced is None


@pytest.mark.parametrize(("years", "fewer"), [(5, 4), (4.5, 4), (20, 4)])
def test_fewer_years_of_growth_are_named_if_they_are_a_plan(years: float, fewer: int) -> None:
    """160 op/s grow by 18.5 % a year to 315 after four; an Ethernet is to pass 320 (1.1.1)."""
    files = {"uses": ["data"], "load": {"ops_per_s_each": 16}, "mix": "legato"}
    only = {"wishes": {"platforms": ["sparcstation-2"]}, "volumes": [volume("data")]}

    def stated(horizon: float) -> Plain:
        return plain(files, growth={"percent": 18.5, "years": horizon}, **only)

    found = report_plan(
        read(stated(years)),
        parse_document(text_of(stated(years)), "office.yaml"),
        ENGINE,
        systems=1,
    )
    named = found.alternatives.fewer_years
    assert named is not None and named.years == fewer and named.plan.holds
    said = f"plan for {fewer} instead of {years:g} years of growth, which the SPARCstation-2"
    assert said in " ".join(change_text(found).split())
    assert plan_data(found)["fewer_years"]["years"] == fewer
    assert report(stated(fewer)).plan.holds


def test_todays_load_is_named_if_no_year_of_growth_has_a_plan() -> None:
    """300 MB are on one disk; no machine holds 2 TB, nor do sixteen with parts of them."""
    files = {"uses": ["data"], "load": {"ops_per_s_each": 1}}
    grown = volume("data", 300, growth_mb_per_year="2 TB/year")
    found = report(plain(files, volumes=[grown], growth={"percent": 1, "years": 3}))
    assert "plan for today's load, which the SPARCstation-2 supports" in change_text(found)


def test_disks_of_other_vendors_that_are_enough_for_all_years_are_not_offered_for_fewer() -> None:
    """55 GB and 1 GB a year: 58 are more than one machine holds on disks of 1.3 GB (Table 8)."""
    grown = volume("data", 55_000, growth_mb_per_year=1000)
    files = {"uses": ["data"], "load": {"ops_per_s_each": 4}, "mix": "legato"}
    stated = plain(files, volumes=[grown], growth={"percent": 5, "years": 3})
    document = parse_document(text_of(stated), "office.yaml")
    found = report_plan(read(stated), document, ENGINE, systems=1)
    said = change_text(found)
    assert "permit disks of other vendors" in said and found.alternatives.fewer_years is None


LINES = demand({"uses": ["data"]}, volumes=[volume("data")], services=[{
    "kind": "gateway", "name": "branches",
    "lines": [{"name": "branch", "protocol": "tcp", "kbit_per_s": 1544, "count": 13},
              {"name": "depot", "protocol": "x25", "kbit_per_s": 56, "count": 2}],
}])  # fmt: skip


@pytest.mark.parametrize(("share", "number"), [(0.97, 12), (0.93, 12), (0.9, 11), (0.05, None)])
def test_lines_are_fewer_rather_than_slower(share: float, number: int | None) -> None:
    """13 × 1500 and 2 × 56 are 19612 Kb/s; a line less leaves 92 % of them."""
    assert number == (fewer(LINES, share) or None)
    assert fewer(WHOLE, share) is None


def fewer(whole: Demand, share: float) -> int | None:
    """The number of branches that is planned if any plan passes."""

    def planned(part: Demand) -> Any:
        (branch, depot) = part.lines
        assert depot == whole.lines[1] and branch.kbit_per_s == whole.lines[0].kbit_per_s
        return part

    found = find_fewer_lines(whole, planned, share)
    assert found is None or found.plan.lines[0].number.high == found.number
    return found and found.number


SESSIONS = """\
name: desks
volumes: [{name: homes, size_mb: 300, access: random}]
services:
  - kind: timesharing
    name: desks
    sessions: 200
    MEMORY
    user_processors: USED
    work: [{name: files, volume: homes, ops_per_s: 5}]
"""


def sessions(used: float, memory: str, **wishes: Any) -> tuple[str, dict[str, Any]]:
    """What is to change first, and the data, for 200 sessions that have no plan."""
    stated = SESSIONS.replace("USED", str(used)).replace("MEMORY", memory)
    document = parse_document(f"{stated}wishes: {json.dumps(wishes)}\n", "desks.yaml")
    report = report_plan(read_workload(document), document, ENGINE)
    assert report.plan.chosen is None
    return change_text(report), plan_data(report)


def test_fewer_sessions_are_named_if_they_are_a_plan() -> None:
    """640 MB without the 12 MB of the operating system (1.1.5), 10 MB each: 62."""
    said, data = sessions(0.5, "private_mb: 10")
    assert said == "have 62 instead of 200 sessions (desks), which the SS670MP supports"
    found = data["fewer_users"]
    assert (found["service"], found["number"], found["of"]) == ("desks", 62, 200)
    assert "less_memory" not in data and "reduced_load" not in data


def test_a_plan_with_limits_that_are_not_known_is_offered_as_far_as_is_known() -> None:
    """2000 × 2 MB are more than 640 (1.1.5); the time of sessions in the kernel is not stated."""
    stated = """\
name: users
networks: [{name: n, medium: ethernet}]
volumes: [{name: v, size_mb: 500, access: random}]
services:
  - {kind: timesharing, name: users, sessions: 2000, private_mb: 2, network: n,
     user_processors: 0.5}
"""
    document = parse_document(stated, "users.yaml")
    report = report_plan(read_workload(document), document, ENGINE)
    number = report.alternatives.fewer_users
    assert number is not None and number.plan.unknown_limits
    said = change_text(report)
    assert said.startswith(f"have {number.number} instead of 2000 sessions (users), which the SS")
    assert "supports, as far as is known" in said


def test_fewer_sessions_meet_all_limits_at_once() -> None:
    """128 MB without 12, 8 MB each: 14, which is less than 16 contexts too (2.2.3)."""
    said, _ = sessions(0.5, "private_mb: 8", platforms=["sparcstation-2"])
    assert said == "have 14 instead of 200 sessions (desks), which the SPARCstation-2 supports"


@pytest.mark.parametrize("active", ["active: 150", "active: {of: 200, at_once: 150}"])
def test_what_is_said_of_fewer_sessions_is_so_if_the_file_says_so(active: str) -> None:
    """62 of 200 sessions, of which 150 were active: as stated, at most 62 of them can be."""
    said, data = sessions(0.5, f"private_mb: 10\n    {active}")
    number = data["fewer_users"]["number"]
    all_active = ", all active" if active == "active: 150" else ""
    assert said.startswith(f"have {number} instead of 200 sessions (desks){all_active}, which")
    for sessions_now, passes in ((number, True), (number + 1, False)):
        stated = SESSIONS.replace("USED", "0.5").replace(
            "MEMORY",
            f"private_mb: 10\n    {active}".replace("active: 150", f"active: {sessions_now}"),
        ).replace("sessions: 200", f"sessions: {sessions_now}")  # fmt: skip
        document = parse_document(stated, "desks.yaml")
        assert report_plan(read_workload(document), document, ENGINE).plan.holds is passes


def test_less_memory_is_named_if_fewer_sessions_need_as_much() -> None:
    said, data = sessions(0.5, "memory_mb: 2000\n    active: 5")
    assert said == "have 628 of 2000 MB of memory for desks, which the SS670MP supports"
    assert data["less_memory"]["mb"] == 628 and "fewer_users" not in data


def test_less_memory_with_less_load_is_named_if_neither_is_enough() -> None:
    """628 of 2000 MB are 31 %; 6 processors are more than any machine has."""
    said, data = sessions(6, "private_mb: 10")
    assert said == (
        "reduce the load to 31% (all rates and the memory of all services: 1.55 of 5 op/s on "
        "volumes, 1.86 of 6 processors), which the SS670MP supports"
    )
    assert data["reduced_load"]["of_memory"] is True


def test_processors_far_beyond_the_guide_are_counted_in_machines() -> None:
    """200 processors are 50 machines of four."""
    said, _ = sessions(200, "private_mb: 10")
    assert said.endswith(" (all of it needs about 50 of the SS690MP: outside this guide's range)")
