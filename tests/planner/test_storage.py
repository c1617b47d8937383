"""Ways to store a pool on disks of its own, and which pools have them."""

from __future__ import annotations

from typing import Any

from generated_workloads import ENGINE, Plain
from serving import demanded
from sizewright.demand.model import Demand
from sizewright.evaluate.policy import FREE, Policy
from sizewright.planner.groups import Group
from sizewright.planner.parts import Machine
from sizewright.planner.planning import Planning
from sizewright.planner.pools import Pool, joined, pools_of
from sizewright.planner.search import Search
from sizewright.planner.sharing import Host, Sharing, Way
from sizewright.planner.storage import Shelf, Store, suitable
from small import GUIDE, demand, row, unsaid, volume

RULES = ENGINE.rule_set.judging("plan")
WISHES: Plain = {"platforms": ["sparcstation-2"]}


def cold(name: str, size_mb: float = 50, **more: Any) -> Plain:
    return volume(name, size_mb, **more) | {"activity": "cold"}


def asked(*volumes: Plain, **load: Any) -> Demand:
    """A demand of one service that uses the first of these volumes."""
    return demand({"uses": [volumes[0]["name"]], **load}, volumes=list(volumes), wishes=WISHES)


class FourDevices(Machine):
    """A machine that can have no more devices than these."""

    devices_at_most = 4


def shelf(wanted: Demand) -> Shelf:
    machine = Machine(GUIDE, row("platforms", "sparcstation-2"), 1, "solaris-1.0.1")
    space = Search(machine, wanted, Planning(machine.guide, RULES, Policy())).space
    return space.shelf._replace(
        machine=FourDevices(GUIDE, machine.platform, 1, machine.operating_system)
    )


def pool(wanted: Demand, name: str) -> Pool:
    return next(each for each in pools_of(wanted) if each.name == name)


def own(wanted: Demand, name: str) -> tuple[Store, ...]:
    """The ways to store one pool on disks of its own."""
    found, there = shelf(wanted), pool(wanted, name)
    return tuple(
        store
        for disk in suitable(found.machine, wanted, there)
        for store in found.stores(there, disk, (name,), 0, 1)
    )


def shared(wanted: Demand, *names: str, beside: tuple[str, ...] = ()) -> tuple[Way, ...]:
    """The ways to store some pools that may share disks, each of `beside` on a disk of 424 MB."""
    group = Group(tuple(pool(wanted, name) for name in names), shared=True)
    hosts = [
        Host(Store(n, (n,), "424mb-scsi", 1, p.copies, 424), (p,))
        for n in beside for p in (pool(wanted, n),)
    ]  # fmt: skip
    return Sharing(shelf(wanted), group).ways(hosts)


def hosts(wanted: Demand, name: str, *beside: str) -> set[str]:
    """The disks on which a pool may be a guest."""
    ways = shared(wanted, name, beside=beside)
    return {store.host for way in ways for store in way.stores} - {""}


def test_data_that_rest_may_be_guests_on_any_disks() -> None:
    wanted = asked(volume("hot"), volume("warm"), cold("old"))
    assert hosts(wanted, "old", "hot", "warm") == {"hot", "warm"}


def test_a_guest_keeps_off_the_disks_that_it_is_to_be_apart_from() -> None:
    """Whichever of the two says so."""
    for teller, told in (("old", "hot"), ("hot", "old")):
        more = {teller: {"apart_from": [told]}}
        wanted = asked(
            volume("hot", **more.get("hot", {})), volume("warm"), cold("old", **more.get("old", {}))
        )
        assert hosts(wanted, "old", "hot", "warm") == {"warm"}
        assert pool(wanted, "old").apart_from(pool(wanted, "hot"))
        assert not pool(wanted, "old").apart_from(pool(wanted, "warm"))


def test_one_volume_of_a_pool_keeps_all_of_it_off() -> None:
    late = cold("older", shares_disks_with="old", apart_from=["hot"])
    wanted = asked(volume("hot"), volume("warm"), cold("old"), late)
    assert hosts(wanted, "old", "hot", "warm") == {"warm"}


def test_two_pools_that_are_to_be_apart_share_no_disk() -> None:
    """50 MB each on disks of 424 MB and more."""

    def together(*apart: str) -> bool:
        wanted = asked(volume("hot"), cold("old"), cold("older", apart_from=list(apart)))
        ways = shared(wanted, "old", "older")
        return any(len(store.pools) > 1 for way in ways for store in way.stores)

    assert together() and not together("old")


def test_own_disks_take_no_guest_and_no_neighbour() -> None:
    wanted = asked(volume("hot", own_disks=True), cold("old"), cold("older"))
    assert hosts(wanted, "old", "hot") == set()
    assert pool(asked(unsaid("data", own_disks=True)), "data").alone
    assert not pool(asked(unsaid("data")), "data").alone


def test_only_pools_of_equal_protection_share_disks() -> None:
    mirror = asked(volume("hot", protection="mirror"), cold("old"))
    assert hosts(mirror, "old", "hot") == set()
    guest = asked(volume("hot"), cold("old", protection="mirror"))
    assert hosts(guest, "old", "hot") == set()
    both = asked(volume("hot", protection="mirror"), cold("old", protection="mirror"))
    assert hosts(both, "old", "hot") == {"hot"}


def test_random_and_busy_serial_data_are_apart() -> None:
    """What rests may lie beside serial data in use; what is read at random may not."""
    busy = volume("film", access="serial")
    reads = {"uses": ["film", "old"], "clients": 2}
    assert hosts(asked(busy, unsaid("old"), **reads), "old", "film") == set()
    assert hosts(asked(busy, unsaid("old")), "old", "film") == {"film"}
    assert hosts(asked(busy, unsaid("old", access="serial"), **reads), "old", "film") == {"film"}


def test_the_log_of_a_database_is_apart_from_its_data() -> None:
    """1.2.4, without a word in the workload; other data may share the disk of the log."""
    work = {"name": "reads", "volume": "tables", "ops_per_s": 1}
    database = {
        "kind": "database", "name": "orders", "product": "sybase", "clients": 5, "log": "journal",
        "work": [work],
    }  # fmt: skip
    volumes = [unsaid("tables", use="raw"), unsaid("journal", use="log"), unsaid("homes")]
    wanted = demanded(database, volumes=volumes, wishes=WISHES)
    ways = shared(wanted, "journal", "homes", "tables")
    held = {frozenset(store.pools) for way in ways for store in way.stores}
    assert frozenset(("journal", "homes")) in held and frozenset(("tables", "homes")) in held
    assert not any({"journal", "tables"} <= names for names in held)


def test_disks_are_the_fewest_that_hold_the_data_and_some_more() -> None:
    """1,000 MB on disks of 424: three, four; on disks of 1,300: one and two."""
    numbers = {(way.disk, way.per_copy) for way in own(asked(volume("hot", 1000)), "hot")}
    assert {n for disk, n in numbers if disk == "424mb-scsi"} == {3, 4}
    assert {n for disk, n in numbers if disk == "1-3gb-scsi"} == {1, 2}


def test_both_copies_count_against_the_disks_that_can_be_had() -> None:
    found = own(asked(volume("hot", 1000, protection="mirror")), "hot")
    assert {way.per_copy for way in found} == {1, 2}
    assert {way.disks for way in found} == {2, 4}
    assert all(way.cost == FREE or way.cost.advice for way in found)


def test_each_set_of_pools_is_evaluated_by_itself() -> None:
    """What is known of a disk with some pools is never taken for that of one with others."""
    wanted = asked(cold("a"), cold("b", 60), cold("c", 300))
    a, b, c = (pool(wanted, name) for name in "abc")
    evaluated, disk = shelf(wanted).evaluated, row("disks", "424mb-scsi")
    sizes = [evaluated.record(disk, [(joined(each), 1)]).stored_mb for each in ([a, b], [a, c])]
    assert [size and size.high for size in sizes] == [110, 350]


def test_disks_are_called_after_the_first_of_their_pools() -> None:
    wanted = asked(cold("b"), cold("a"), cold("c"))
    ways = shared(wanted, "a", "b", "c")
    together = {s.pool for way in ways for s in way.stores if len(s.pools) == len("abc")}
    assert together == {"a and 2 more"}
