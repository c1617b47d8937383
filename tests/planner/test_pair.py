"""Services dealt over two systems."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import ENGINE, Plain
from serving import demanded
from sizewright.demand.subset import restrict_demand, split_demand
from sizewright.evaluate.policy import Policy
from sizewright.planner.failover import promised_of
from sizewright.planner.pair import deals, plan_for, together
from sizewright.planner.plan import Partition, Plan
from small import GUIDE

BOOK = ENGINE.book.judging("plan")


def busy(name: str, ms: float, **more: Any) -> Plain:
    return {"kind": "measured", "name": name, "kernel_ms_per_s": ms,
            "measured_on": "sparcserver-690mp", **more}  # fmt: skip


def planned(*services: Plain, systems: int = 0) -> Plan:
    wanted = demanded(*services, volumes=[], networks=[])._replace(systems=systems)
    return plan_for(wanted, GUIDE, BOOK, Policy())


def test_what_one_system_carries_is_not_divided() -> None:
    found = planned(busy("a", 400), busy("b", 400))
    assert found.holds and found.pair is None


def test_more_than_one_lock_allows_goes_to_two_systems() -> None:
    """1500 ms/s: 800 and 700 are nearer to each other than 900 and 600."""
    found = planned(busy("a", 700), busy("b", 600), busy("c", 200))
    assert found.pair is not None
    assert found.pair.deal == Partition(("b", "c"), ("a",))
    assert [plan.chosen.system.id for plan in found.plans if plan.chosen] == [
        "primary", "alternate",
    ]  # fmt: skip
    assert {b.resource.partition("/")[0] for p in found.plans if p.chosen
            for b in p.chosen.budgets} == {"primary", "alternate"}  # fmt: skip


def test_after_a_failure_the_other_carries_everything() -> None:
    found = planned(busy("a", 700), busy("b", 600))
    assert found.pair is not None
    assert {(f.failed, f.survivor, round(f.used.high)) for f in found.pair.failover} == {
        ("primary", "alternate", 1300), ("alternate", "primary", 1300),
    }  # fmt: skip


def test_what_runs_on_both_counts_on_each_and_once_after_a_failure() -> None:
    found = planned(busy("a", 500), busy("b", 450), busy("both", 300, replicated=True))
    assert found.pair is not None
    assert found.pair.deal.primary == ("a", "both")
    assert found.pair.deal.alternate == ("b", "both")
    assert {round(f.used.high) for f in found.pair.failover} == {1250}


def test_two_systems_can_be_asked_for_and_one_insisted_on() -> None:
    assert planned(busy("a", 100), busy("b", 100), systems=2).pair is not None
    assert not planned(busy("a", 700), busy("b", 600), systems=1).holds


def test_a_service_too_large_for_any_system_is_not_divided() -> None:
    found = planned(busy("a", 1200), busy("b", 100))
    assert not found.holds and found.pair is None


def work(name: str, volume: str) -> Plain:
    return {"kind": "measured", "name": name,
            "work": [{"name": "w", "volume": volume, "ops_per_s": 5}]}  # fmt: skip


@pytest.mark.parametrize("dual_ported", [True, False])
def test_services_of_one_volume_stay_together_unless_both_systems_reach_it(
    dual_ported: bool,
) -> None:
    volumes = [{"name": "shared", "size_mb": 100, "access": "random", "dual_ported": dual_ported}]
    found = demanded(work("a", "shared"), work("b", "shared"), busy("c", 1), volumes=volumes)
    apart = (("a",), ("b",), ("c",))
    assert together(found) == (apart if dual_ported else (("a", "b"), ("c",)))


def test_the_most_even_deals_come_first_and_those_turned_round_last() -> None:
    """Of 1400 ms/s: 800 and 600, then 900 and 500; with c alone, 1100 are over one lock."""
    found = demanded(busy("a", 1), busy("b", 1), busy("c", 1), volumes=[], networks=[])
    lock = {"a": 600.0, "b": 500.0, "c": 300.0}
    assert [deal.alternate for deal in deals(found, lock, 1000)] == [
        ("a",), ("b",), ("b", "c"), ("a", "c"),
    ]  # fmt: skip


def test_equal_services_are_dealt_evenly() -> None:
    """Two of 460 ms/s come to one each; four of 230 to two each, never to one and three."""
    two = planned(busy("a", 460), busy("b", 460), systems=2).pair
    assert two is not None and two.deal == Partition(("a",), ("b",))
    four = planned(*(busy(name, 230) for name in "abcd"), systems=2).pair
    assert four is not None and [len(side) for side in four.deal] == [2, 2]


def test_what_can_be_divided_is_not_dealt_unevenly() -> None:
    """920 and 190 ms/s: of 500, 420 and 190, the 500 stand beside 420 + 190 = 610."""
    found = planned(busy("a", 500), busy("b", 420), busy("c", 190), systems=2)
    assert found.pair is not None
    assert found.pair.deal == Partition(("b", "c"), ("a",))


def test_a_restricted_demand_is_that_of_its_services_alone() -> None:
    both = demanded(work("a", "tables"), work("b", "scans"), busy("c", 1))
    alone = restrict_demand(both, ("a",))
    assert [s.name for s in alone.services] == ["a"]
    assert [o.service for o in alone.operations] == ["a"]
    assert alone.kernel == ()
    # What no service names belongs to the system and stays.
    assert [v.name for v in alone.volumes] == ["files", "tables"]


def test_two_systems_that_are_asked_for_are_on_the_networks_of_all_that_they_take_over() -> None:
    """Files on dual-ported disks go on, and "other" does not; unused, a network has no load."""
    found = demanded(
        {"kind": "nfs", "name": "files", "clients": 10, "load": {"ops_per_s": 1},
         "network": "north", "uses": ["shared"]},
        {"kind": "nfs", "name": "other", "clients": 10, "load": {"ops_per_s": 1},
         "network": "south", "uses": ["own"]},
        busy("c", 1),
        volumes=[
            {"name": "shared", "size_mb": 100, "access": "random", "dual_ported": True},
            {"name": "own", "size_mb": 100, "access": "random"},
        ],
        networks=[{"name": name, "medium": "ethernet"} for name in ("north", "south")],
    )  # fmt: skip
    assert promised_of(found) == {"files"}
    part = split_demand(found, ("c",), promised_of(found))
    assert [(network.name, network.ops) for network in part.networks] == [("north", ())]
    assert {each.service for each in part.elsewhere} == {"files"}
    assert split_demand(found, ("c",)).networks == ()
