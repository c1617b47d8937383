"""What is unknown stays unknown, whatever is added to it: an unknown load is zero at least."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from generated_boxes import boxes, checked
from generated_workloads import ENGINE, Plain, read, workloads
from settled import settled
from sizewright.api import plan
from sizewright.output.reports import PlanReport

pytestmark = pytest.mark.no_cover

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
# A rule limits how many lines end on boards (2.9), and the report says that their time is missing.
TIMED = ("faults", "lines", "many lines", "printer")
VOLUME: Plain = {"name": "spare", "size_mb": 20, "access": "serial", "activity": "cold"}
BARE: Plain = {"name": "bare", "volumes": [VOLUME]}


def worth(plain: Plain) -> int:
    """2 if a plan passes, 1 if it does as far as is known, 0 if there is none."""
    verdict = PlanReport(plan(read(plain), ENGINE), "", "", "", "").verdict
    return {"violated": 0, "unknown": 1}.get(verdict, 2)


def _some(of: Mapping[str, Plain], least: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(sorted(of)), min_size=least, max_size=2, unique=True)


@cache
def worth_with(*names: str) -> int:
    """The worth of a plan for these services alone."""
    return worth(with_services(BARE, *names))


def with_services(plain: Plain, *names: str) -> Plain:
    added = [{"name": f"added {name}", **SERVICES[name]} for name in names]
    return {**copy.deepcopy(plain), "services": [*plain.get("services", []), *added]}


@pytest.mark.parametrize("first", [name for name in SERVICES if name not in TIMED])
@pytest.mark.parametrize("second", SERVICES)
def test_a_service_that_is_added_makes_nothing_known(first: str, second: str) -> None:
    if first != second:
        assert worth_with(first, second) <= worth_with(first)


@pytest.mark.parametrize("name", [name for name in SERVICES if name not in TIMED])
def test_a_service_of_unknown_cost_makes_a_plan_unknown(name: str) -> None:
    assert worth_with("faults") == 2
    assert worth_with("faults", name) == (name != "busy programs")


# What costs space only, what some service may use, and what states little.
VOLUMES: dict[str, Plain] = {
    "spare": VOLUME,
    "busy": {"size_mb": 300, "access": "random", "activity": "hot"},
    "unclear": {"size_mb": [20, 400], "access": "random"},
    "mirrored": {"size_mb": 50, "access": "serial", "protection": "mirror"},
}


def with_volumes(plain: Plain, *names: str) -> Plain:
    added = [{**VOLUMES[name], "name": f"added {name}"} for name in names]
    return {**copy.deepcopy(plain), "volumes": [*plain.get("volumes", []), *added]}


@pytest.mark.parametrize("service", [name for name in SERVICES if name not in TIMED])
@pytest.mark.parametrize("volume", VOLUMES)
def test_a_volume_that_is_added_makes_nothing_known(service: str, volume: str) -> None:
    plain = with_services(BARE, service)
    assert worth(with_volumes(plain, volume)) <= worth(plain)


@settled(24)
@given(workloads(), _some(SERVICES, least=0), _some(VOLUMES, least=1))
def test_what_is_added_to_a_workload_makes_it_no_better_known(
    plain: Plain, services: list[str], volumes: list[str]
) -> None:
    assert worth(with_services(with_volumes(plain, *volumes), *services)) <= worth(plain)


KNOWN = ("holds", "tight", "not_applicable")
FREE_TARGET = 4


def _findings(plain: Plain) -> dict[tuple[str, str], str]:
    return {(f.rule, f.subject): f.verdict for f in checked(plain).findings}


def _on(volume: Plain) -> set[str]:
    return {disk for copy in volume["copies"] for disk in copy}


def _partly_observed(plain: Plain) -> Plain:
    """The box without measurements of the first network and of one disk of each channel.

    If any disk of a channel has data in use, it is one of these: the others are taken to be idle.
    """
    other = copy.deepcopy(plain)
    in_use = (volume for volume in other["volumes"] if volume["activity"] != "cold")
    used = {disk for volume in in_use for disk in _on(volume)}
    other["observed"]["networks"].pop("north")
    for channel in other["channels"]:
        disks = [d["id"] for d in channel["devices"] if d["id"].startswith("d")]
        for disk in sorted(disks, key=lambda each: each not in used)[:1]:
            other["observed"]["disks"].pop(disk)
    return other


@st.composite
def _without_one_measurement(draw: st.DrawFn) -> tuple[Plain, Plain, str]:
    """A box, the box with a measurement more, and what that measures."""
    more = _partly_observed(draw(boxes()))
    seen = more["observed"]
    places = [(kind, name) for kind in ("disks", "networks") for name in seen[kind]]
    assume(places)
    kind, name = draw(st.sampled_from(places))
    less = copy.deepcopy(more)
    del less["observed"][kind][name]
    return less, more, name


@settled(60)
@given(_without_one_measurement())
def test_a_measurement_makes_nothing_else_known(drawn: tuple[Plain, Plain, str]) -> None:
    less, more, name = drawn
    own = {name, *(volume["name"] for volume in less["volumes"] if name in _on(volume))}
    after = _findings(more)
    known = {
        judged: after[judged]
        for judged, verdict in _findings(less).items()
        if verdict == "unknown"
        and after[judged] in KNOWN
        and not own.intersection(judged[1].split("/"))
    }
    assert not known


@settled(60)
@given(boxes(), st.data())
def test_a_disk_or_a_service_of_a_server_makes_nothing_known(
    plain: Plain, data: st.DataObject
) -> None:
    less = _partly_observed(plain)
    more = copy.deepcopy(less)
    if data.draw(st.booleans()):
        channel = data.draw(st.sampled_from(more["channels"]))
        model = "911mb-ipi" if channel["kind"] == "ipi-2" else "669mb-scsi"
        channel["devices"].append({"id": "added", "device": model, "target": FREE_TARGET})
    else:
        service = data.draw(st.sampled_from(("nfs", "database", "timesharing")))
        more["services"] = sorted({*more["services"], service})
    after = _findings(more)
    known = {
        judged: after[judged]
        for judged, verdict in _findings(less).items()
        if verdict == "unknown" and after[judged] in KNOWN
    }
    assert not known
