"""Ways to store a pool: which disks, how many, and on whose disks it may be a guest."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import ENGINE, Plain, planned
from sizewright.demand.model import Demand
from sizewright.planner.choice import Choice
from sizewright.planner.parts import Machine
from sizewright.planner.policy import FREE, Policy
from sizewright.planner.search import Search
from sizewright.planner.storage import Pool, Store, pools_of, stores
from small import GUIDE, demand, plain, row, volume

BOOK = ENGINE.book.judging("plan")
WISHES: Plain = {"platforms": ["sparcstation-2"]}


def cold(name: str, size_mb: float = 50, **more: Any) -> Plain:
    return volume(name, size_mb, activity="cold", **more)


def asked(*volumes: Plain) -> Demand:
    """A demand of one service that uses the first of these volumes."""
    return demand({"uses": [volumes[0]["name"]]}, volumes=list(volumes), wishes=WISHES)


def search(wanted: Demand) -> Search:
    machine = Machine(GUIDE, row("platforms", "sparcstation-2"), 1, "solaris-1.0.1")
    return Search(machine, wanted, BOOK, Policy())


class FourDevices(Machine):
    """A machine that can have no more devices than these."""

    devices_at_most = 4


def ways(wanted: Demand, name: str) -> tuple[Store, ...]:
    """The ways to store one pool, each other pool a host if it can be."""
    space = search(wanted).space
    machine = FourDevices(GUIDE, space.machine.platform, 1, "solaris-1.0.1")
    (pool,) = (pool for pool in space.pools if pool.name == name)
    others = tuple(p for p in space.pools if p is not pool)
    return stores(machine, wanted, pool, others, BOOK, Policy(), space.system)


def hosts(wanted: Demand, name: str) -> set[str]:
    return {way.host for way in ways(wanted, name)} - {""}


def pool(wanted: Demand, name: str) -> Pool:
    return next(each for each in pools_of(wanted) if each.name == name)


def test_data_that_rest_may_be_guests_on_any_disks() -> None:
    wanted = asked(volume("hot"), volume("warm"), cold("old"))
    assert hosts(wanted, "old") == {"hot", "warm"}
    assert hosts(wanted, "hot") == set()


@pytest.mark.parametrize("teller", ["old", "hot"])
def test_a_guest_keeps_off_the_disks_that_it_is_to_be_apart_from(teller: str) -> None:
    """Whichever of the two says so."""
    told = {teller: {"apart_from": ["hot" if teller == "old" else "old"]}}
    one, other = (told.get(name, {}) for name in ("hot", "old"))
    wanted = asked(volume("hot", **one), volume("warm"), cold("old", **other))
    assert hosts(wanted, "old") == {"warm"}
    old, hot, warm = (pool(wanted, name) for name in ("old", "hot", "warm"))
    assert old.apart_from(hot) and hot.apart_from(old)
    assert not old.apart_from(warm) and not warm.apart_from(old)


def test_one_volume_of_a_pool_keeps_all_of_it_off() -> None:
    shared = cold("older", shares_disks_with="old", apart_from=["hot"])
    wanted = asked(volume("hot"), volume("warm"), cold("old"), shared)
    (name,) = (each.name for each in pools_of(wanted) if len(each.volumes) == 2)
    assert hosts(wanted, name) == {"warm"}


@pytest.mark.parametrize("teller", ["", "old", "older"])
def test_two_guests_of_one_host_are_kept_apart(teller: str) -> None:
    """Whichever of the two says so; if neither does, they share its disks."""
    told = {teller: {"apart_from": ["older" if teller == "old" else "old"]}}
    old, older = (told.get(name, {}) for name in ("old", "older"))
    wanted = asked(volume("hot"), cold("old", 60, **old), cold("older", **older))
    space = search(wanted).space
    assert [each.name for each in space.pools] == ["hot", "old", "older"]
    disks = Store("hot", "424mb-scsi", 1, 1, 424, "", FREE)
    chosen = Choice(stores=(disks, Store("old", "", 0, 1, 0, "hot", FREE)))
    third = space.dimensions[space.adapters_at - 2]
    offered = {each.step.value.host for each in third.of(chosen)} - {""}
    assert offered == (set() if teller else {"hot"})


@pytest.mark.parametrize("teller", ["old", "hot"])
def test_a_plan_keeps_apart_what_is_to_be(teller: str) -> None:
    """Without the word one disk holds both."""

    def disks(apart: bool) -> list[set[str]]:
        told = {teller: {"apart_from": ["hot" if teller == "old" else "old"]}} if apart else {}
        volumes = [volume("hot", **told.get("hot", {})), cold("old", **told.get("old", {}))]
        found = planned(plain({"uses": ["hot"]}, volumes=volumes, wishes=WISHES))
        assert found.chosen is not None
        return [
            {part.disk for copy in laid.copies for part in copy}
            for laid in found.chosen.system.volumes
        ]

    one, other = disks(False)
    assert one == other
    one, other = disks(True)
    assert one.isdisjoint(other)


def test_a_mirror_lends_no_room_and_is_no_guest() -> None:
    wanted = asked(volume("hot", protection="mirror"), cold("old"))
    assert hosts(wanted, "old") == set()
    twice = asked(volume("hot"), cold("old", protection="mirror"))
    assert hosts(twice, "old") == set()


def test_disks_are_the_fewest_that_hold_the_data_and_some_more() -> None:
    """1,000 MB on disks of 424: three, four; on disks of 1,300: one to four."""
    found = ways(asked(volume("hot", 1000)), "hot")
    numbers = {(way.disk, way.per_copy) for way in found}
    assert {n for disk, n in numbers if disk == "424mb-scsi"} == {3, 4}
    assert {n for disk, n in numbers if disk == "1-3gb-scsi"} == {1, 2, 3, 4}
    assert all(way.cost == FREE or way.cost.advice for way in found)


def test_both_copies_count_against_the_disks_that_can_be_had() -> None:
    found = ways(asked(volume("hot", 1000, protection="mirror")), "hot")
    assert {way.per_copy for way in found} == {1, 2}
    assert {way.disks for way in found} == {2, 4}
