"""Wishes that conflict: minimal sets, the fewest to drop, and plans that prove it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated_workloads import ENGINE, read
from sizewright.demand.build import demand_of
from sizewright.demand.model import Demand
from sizewright.further_plans import find_without_owned, wishes_in_conflict
from sizewright.limits import CONFLICT_PLANS, SEGMENTS_TRIED, SYSTEMS_AT_MOST
from sizewright.planner.conflicts import Conflicts, Wish, find_conflicts, wishes_of
from sizewright.planner.more_networks import networks_beyond
from sizewright.planner.plan import Plan
from sizewright.plans import plan
from sizewright.workload.workload import Workload
from small import plain, volume

NAMES = "abcdef"
Sets = set[frozenset[str]]


def dropping(name: str) -> Wish:
    """A wish whose name a demand, here a set of names, is left without."""
    return Wish(name, lambda kept: cast("Demand", cast("frozenset[str]", kept) - {name}))


def found_in(conflicting: Iterable[Iterable[str]], names: str = NAMES) -> tuple[Conflicts, int]:
    """What is found if these sets cannot be met, and how many plans are made."""
    sets, made = [frozenset(each) for each in conflicting], 0

    def planned(kept: Any) -> Plan | None:
        nonlocal made
        made += 1
        return None if any(each <= kept for each in sets) else cast("Plan", kept)

    wishes = tuple(map(dropping, names))
    return find_conflicts(cast("Demand", frozenset(names)), wishes, planned), made


def test_ways_of_one_wish_are_named_though_steps_were_used_up_before_a_set_was_found() -> None:
    """b and c conflict. The second plan is one without b."""
    made = 0

    def planned(kept: Any) -> Plan | None:
        nonlocal made
        made += 1
        return None if {"b", "c"} <= kept else cast("Plan", kept)

    wishes = tuple(map(dropping, "bca"))
    demand = cast("Demand", frozenset("abc"))
    found = find_conflicts(demand, wishes, planned, lambda: made >= 2)
    assert not found.complete and not found.sets
    assert [way.wishes for way in found.ways] == [("b",)]


def test_steps_that_a_cheap_wish_used_up_in_vain_are_renewed() -> None:
    steps = 1

    def planned(kept: Any) -> Plan | None:
        nonlocal steps
        steps -= 1
        return None if "b" in kept else cast("Plan", kept)

    def renew() -> None:
        nonlocal steps
        steps = CONFLICT_PLANS

    wishes = (dropping("a")._replace(cheap=True), dropping("b"))
    demand = cast("Demand", frozenset("ab"))
    found = find_conflicts(demand, wishes, planned, lambda: steps <= 0, renew)
    assert found.complete and [way.wishes for way in found.ways] == [("b",)]
    steps = 1
    assert not find_conflicts(demand, wishes, planned, lambda: steps <= 0).ways


def smallest(sets: Iterable[frozenset[str]]) -> Sets:
    every = set(sets)
    return {each for each in every if not any(other < each for other in every)}


def hitting(sets: Iterable[frozenset[str]]) -> Sets:
    """The smallest sets of names that have one of each set, by trying all."""
    all_ = list(sets)
    every = (frozenset(c) for n in range(len(NAMES) + 1) for c in combinations(NAMES, n))
    return smallest(each for each in every if all(each & other for other in all_))


conflicts = st.lists(st.frozensets(st.sampled_from(NAMES), min_size=1), min_size=1, max_size=3)


@given(conflicts)
def test_every_set_is_minimal_and_every_way_is_one_of_the_fewest(sets: Any) -> None:
    found, made = found_in(sets)
    assert made <= CONFLICT_PLANS
    assert found.possible
    assert set(map(frozenset, found.sets)) <= smallest(sets)
    assert {frozenset(way.wishes) for way in found.ways} <= hitting(sets)
    if found.complete:
        assert {frozenset(way.wishes) for way in found.ways} == hitting(sets)
        for way in found.ways:
            assert way.plan == frozenset(NAMES) - frozenset(way.wishes)


@given(conflicts, st.permutations(NAMES))
def test_order_does_not_matter(sets: Any, names: Any) -> None:
    one, _ = found_in(sets)
    other, _ = found_in(sets, "".join(names))
    if one.complete and other.complete:
        assert {frozenset(w.wishes) for w in one.ways} == {frozenset(w.wishes) for w in other.ways}


def test_what_cannot_be_planned_without_any_wish_has_no_sets() -> None:
    found, made = found_in([()])
    assert (found.sets, found.ways, found.possible, made) == ((), (), False, 1)


def test_two_conflicts_need_a_wish_of_each_to_be_dropped() -> None:
    found, _ = found_in(["ab", "cd"], "abcd")
    assert set(found.sets) == {("a", "b"), ("c", "d")}
    assert {way.wishes for way in found.ways} == {
        ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"),
    }  # fmt: skip


def test_of_equal_wishes_any_may_be_dropped_and_one_is_tried() -> None:
    """Four of six can be met; plans are made without all, one and two of them."""
    made = 0

    def planned(kept: Any) -> Plan | None:
        nonlocal made
        made += 1
        return None if len(kept) > 4 else cast("Plan", kept)

    wishes = tuple(
        dropping(name)._replace(text=f"[{name}].x", name=name, kind="x") for name in NAMES
    )
    found = find_conflicts(cast("Demand", frozenset(NAMES)), wishes, planned)
    assert found.sets == (("[any 5 of a, …, f: 6 in all].x",),)
    assert [way.wishes for way in found.ways] == [("[any 2 of a, …, f: 6 in all].x",)]
    assert found.complete and made == 3


def test_networks_with_equal_loads_for_the_same_data_have_equal_wishes() -> None:
    names = ("north", "south", "east")
    networks = [{"name": name, "medium": "fddi"} for name in names]
    services = [{"network": name, "uses": ["data"]} for name in names]
    services[2]["uses"] = ["more"]
    workload = read(plain(*services, networks=networks,
                          volumes=[volume("data", 100), volume("more", 100)]))  # fmt: skip
    north, south, east = (
        wish.kind for wish in wishes_of(workload, demand_of(workload, ENGINE.guide), ENGINE.guide)
        if wish.text.endswith("medium: fddi")
    )  # fmt: skip
    assert north == south != east


def conflicts_of(**more: Any) -> Conflicts | None:
    workload = read(plain({"uses": ["data"]}, **more))
    return wishes_in_conflict(plan(workload, ENGINE), workload, ENGINE)


@pytest.mark.parametrize(
    ("wishes", "platforms"),
    [
        (
            {"platforms": ["sparcstation-2"],
             "carry_forward": [{"device": "1-0gb-ipi", "count": 2}]},
            {"sparcserver-690mp", "sparcstation-2"},
        ),
    ],
)  # fmt: skip
def test_owned_drives_conflict_with_a_platform_that_cannot_attach_them(
    wishes: Any, platforms: set[str]
) -> None:
    """2.4.3: IPI drives need an SS690MP."""
    found = conflicts_of(volumes=[volume("data", 100)], wishes=wishes)
    assert found is not None
    assert found.complete
    platform, owned = (
        "platforms: [sparcstation-2]",
        ("carry_forward: [{device: 1-0gb-ipi, count: 2}]"),
    )
    assert found.sets == ((platform, owned),)
    assert [way.wishes for way in found.ways] == [(platform,), (owned,)]
    assert {way.plan.chosen.system.platform for way in found.ways if way.plan.chosen} == platforms


@pytest.mark.parametrize(
    ("owned", "without"),
    [
        # Only an SS690MP attaches IPI drives; without them the data goes onto others.
        ([{"device": "1-0gb-ipi", "count": 2}], ["1-0gb-ipi, count: 2"]),
        # Either kind alone needs it too.
        ([{"device": "1-0gb-ipi", "count": 2}, {"device": "911mb-ipi"}],
         ["1-0gb-ipi, count: 2", "911mb-ipi, count: 1"]),
        ([{"device": "1-0gb-ipi", "count": 2}, {"device": "669mb-scsi"}], ["1-0gb-ipi, count: 2"]),
        # Each of two kinds needs it, but a tape does not.
        ([{"device": "1-0gb-ipi", "count": 2}, {"device": "911mb-ipi"},
          {"device": "quarter-inch-tape"}], ["1-0gb-ipi, count: 2", "911mb-ipi, count: 1"]),
        # These may stay unused.
        ([{"device": "1-0gb-ipi", "count": 2, "optional": True}], []),
        ([{"device": "669mb-scsi", "count": 2}], []),
    ],
)  # fmt: skip
def test_owned_disks_that_need_a_larger_machine_are_named(owned: Any, without: list[str]) -> None:
    """2.4.3: IPI drives need an SS690MP."""
    stated = plain(
        {"uses": ["data"]}, volumes=[volume("data", 100)], wishes={"carry_forward": owned}
    )
    workload = read(stated)
    found = find_without_owned(plan(workload, ENGINE), workload, ENGINE)
    named = [] if found is None else list(found.wishes)
    assert named == [f"carry_forward: [{{device: {each}}}]" for each in without]
    if found is not None:
        assert found.plan.chosen is not None
        assert found.plan.chosen.system.platform == "sparcstation-2"


def test_there_are_no_conflicts_where_there_is_a_plan_or_no_wish() -> None:
    assert (
        conflicts_of(volumes=[volume("data", 100)], wishes={"platforms": ["sparcstation-2"]})
        is None
    )
    workload = read(
        {
            **plain({"uses": ["data"], "load": {"ops_per_s_each": 1e5}}),
            "volumes": [volume("data", 100)],
            "networks": [{"name": "north", "segments_at_most": SEGMENTS_TRIED * SYSTEMS_AT_MOST}],
        }
    )  # fmt: skip
    found = plan(workload, ENGINE)
    assert not found.holds
    assert wishes_in_conflict(found, workload, ENGINE) is None


def test_more_networks_are_tried_before_steps_run_out() -> None:
    """One plan is permitted: it is that with more networks, not that without any wish."""
    office = plain(
        {"uses": ["data"], "load": {"ops_per_s_each": 40}},
        volumes=[volume("data", 100)], wishes={"platforms": ["sparcstation-2"]},
    )  # fmt: skip
    workload = read(office)
    stated = demand_of(workload, ENGINE.guide)._replace(systems=1)
    wishes = wishes_of(workload, stated, ENGINE.guide)
    tried: list[Demand] = []

    def planned(each: Demand) -> None:
        tried.append(each)

    find_conflicts(stated, wishes, planned, lambda: bool(tried))
    (first,) = tried
    assert first.networks[0].segments_at_most > 1 and first.platforms == stated.platforms


def test_a_second_network_is_the_first_thing_to_change_though_nothing_is_stated_of_it() -> None:
    """400 op/s are more than the 320 of one Ethernet (1.1.1)."""
    load = {"uses": ["data"], "load": {"ops_per_s_each": 40}}
    workload = read(plain(load, volumes=[volume("data", 100)]))
    found = plan(workload, ENGINE, 1)
    conflict = wishes_in_conflict(found, workload, ENGINE)
    assert conflict is not None
    way = conflict.ways[0]
    assert way.wishes == ("networks[north].segments_at_most: 1",)
    assert networks_beyond(found.demand, way.plan) == {"north": 2}
    assert [each.wishes for each in conflict.ways if "--systems 1" in each.wishes]


def texts_of(workload: Workload) -> list[str]:
    asked = demand_of(workload, ENGINE.guide)
    return [wish.text for wish in wishes_of(workload, asked, ENGINE.guide)]


def test_a_wish_with_many_names_is_written_in_short() -> None:
    names = [f"n{number}" for number in range(24)]
    networks = [{"name": name, "medium": "ethernet"} for name in names]
    tapes = {"removable_media": ["8mm-helical-scan-tape"] * 40}
    workload = read(plain({"network": "n0"}, networks=networks, wishes=tapes))
    texts = [
        wish.text for wish in wishes_of(workload, demand_of(workload, ENGINE.guide), ENGINE.guide)
    ]
    assert texts[:2] == [
        "removable_media: [8mm-helical-scan-tape, …, 8mm-helical-scan-tape: 40 in all]",
        "networks[n0, …, n23: 24 in all].segments_at_most: 1",
    ]


def test_each_wish_about_a_volume_is_named_by_its_key() -> None:
    asked = [
        volume("a", protection="mirror", dual_ported=True), volume("b", own_disks=True),
        volume("c", apart_from=["a", "b"]),
    ]  # fmt: skip
    workload = read(plain({}, volumes=asked))
    texts = {
        wish.text for wish in wishes_of(workload, demand_of(workload, ENGINE.guide), ENGINE.guide)
    }
    assert texts >= {
        "volumes[a].protection: mirror", "volumes[a].dual_ported: true",
        "volumes[b].own_disks: true", "volumes[c].apart_from: [a, b]",
    }  # fmt: skip


def test_networks_of_which_nothing_is_stated_are_one_wish() -> None:
    networks = [{"name": name, "medium": "ethernet"} for name in ("north", "south")]
    networks.append({"name": "east", "segments_at_most": 2})
    workload = read(plain({}, networks=networks))
    texts = [
        wish.text for wish in wishes_of(workload, demand_of(workload, ENGINE.guide), ENGINE.guide)
    ]
    assert texts[:2] == [
        "networks[east].segments_at_most: 2", "networks[north, south].segments_at_most: 1",
    ]  # fmt: skip


def test_one_network_of_terminal_servers_is_a_wish_that_nobody_states() -> None:
    lines = {"kind": "serial", "name": "lines", "lines": 600, "bits_per_s": 19200}
    unstated = "networks[terminal-servers].segments_at_most: 1"
    assert unstated in texts_of(read({"name": "lines", "services": [lines]}))
    own = [{"name": "terminal-servers", "segments_at_most": 2}]
    stated = texts_of(read({"name": "lines", "services": [lines], "networks": own}))
    assert unstated not in stated and unstated.replace("1", "2") in stated


def test_disks_of_other_vendors_are_named_if_they_alone_give_a_plan() -> None:
    """40 drives of 1.3 GB hold 52 GB; case study 7 has drives of another vendor for as much."""
    stated = plain(volumes=[volume("trades", 55000, use="raw")], networks=[])
    work = [{"name": "read", "volume": "trades", "ops_per_s": 20}]
    stated["services"] = [
        {"kind": "database", "name": "trades", "product": "sybase", "clients": 5, "work": work}
    ]
    workload = read(stated)
    found = wishes_in_conflict(plan(workload, ENGINE), workload, ENGINE)
    assert found is not None
    assert [way.wishes for way in found.ways] == [("third_party_disks: false",)]


def test_no_more_networks_are_asked_for_than_do() -> None:
    """400 op/s fill an Ethernet (2.5.1): 720 of four systems need two."""
    files = {"clients": 120, "load": {"ops_per_s_each": 6}, "uses": ["files"]}
    workload = read(plain(
        files, networks=[{"name": "north", "medium": "ethernet"}], volumes=[volume("files", 2000)],
        availability={"systems": 4},
    ))  # fmt: skip
    found = plan(workload, ENGINE)
    conflicts = wishes_in_conflict(found, workload, ENGINE)
    assert not found.holds and conflicts is not None
    ways = {way.wishes: networks_beyond(found.demand, way.plan) for way in conflicts.ways}
    assert ways["networks[north].segments_at_most: 1",] == {"north": 2}


def test_without_steps_no_more_plans_are_made() -> None:
    made: list[Any] = []

    def planned(kept: Any) -> Plan | None:
        made.append(kept)
        return None if "a" in kept else cast("Plan", kept)

    wishes, every = tuple(map(dropping, NAMES)), cast("Demand", frozenset(NAMES))
    found = find_conflicts(every, wishes, planned, lambda: len(made) > 1)
    assert len(made) == 2 and found.possible and not found.complete
