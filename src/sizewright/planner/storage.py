"""Ways to store one pool of volumes: which disks, how many, or the spare room of another pool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sizewright.demand.model import Demand, VolumeDemand
from sizewright.facts.records import DiskFacts, SystemFacts
from sizewright.facts.storage import disk_facts
from sizewright.figure import Figure, count, total
from sizewright.guide.model import Row
from sizewright.load.storage import Stored, asked_of_disk
from sizewright.planner.parts import Machine, disks_for
from sizewright.planner.policy import FREE, Cost, Policy, subject_cost, undecided
from sizewright.rules.book import RuleBook


class Pool(NamedTuple):
    """Volumes that share disks. All have one protection; any hot random volume makes it random."""

    name: str
    volumes: tuple[VolumeDemand, ...]
    copies: int

    @property
    def hot(self) -> bool:
        """Whether some of it is in frequent use."""
        return any(v.hot for v in self.volumes)

    @property
    def guest(self) -> bool:
        """Whether it may live in the spare room of other disks."""
        return not self.hot and self.copies == 1

    @property
    def dual_ported(self) -> bool:
        """Whether a second system must reach its disks."""
        return any(v.dual_ported for v in self.volumes)

    @property
    def access(self) -> str:
        """The access pattern that its disks see."""
        active = [v for v in self.volumes if v.hot] or list(self.volumes)
        return "random" if any(v.access == "random" for v in active) else "serial"

    def apart_from(self, other: Pool) -> bool:
        """Whether some of it must not share disks with some of the other."""
        return _keeps_off(self, other) or _keeps_off(other, self)

    def alike(self, other: Pool) -> bool:
        """Whether disks that suit one suit the other as well, for the same reasons."""
        return self._shape() == other._shape()

    def _shape(self) -> tuple[object, ...]:
        volumes = [
            (v.access, v.hot, _ends([v.size_mb]), _ends([i.figure for i in v.reads]),
             _ends([i.figure for i in v.writes]))
            for v in self.volumes
        ]  # fmt: skip
        return (self.copies, self.dual_ported, *sorted(volumes))

    def size_mb(self, end: str) -> float:
        """Megabytes of one copy, at one end of the demand."""
        return sum(v.size_mb.at(end) for v in self.volumes)


def _keeps_off(pool: Pool, other: Pool) -> bool:
    names = {volume.name for volume in other.volumes}
    return any(not names.isdisjoint(volume.apart_from) for volume in pool.volumes)


def _ends(figures: list[Figure]) -> tuple[tuple[float, float, float], ...]:
    return tuple((f.low, f.likely, f.high) for f in figures)


class Store(NamedTuple):
    """One way: so many disks of a model a copy, or a guest of another pool (`host`)."""

    pool: str
    disk: str
    per_copy: int
    copies: int
    installed_mb: float
    host: str
    cost: Cost

    @property
    def disks(self) -> int:
        """Disks in all."""
        return self.per_copy * self.copies


def pools_of(demand: Demand) -> tuple[Pool, ...]:
    """The demand's pools, those that may be guests last, larger ones first."""
    by_name: dict[str, list[VolumeDemand]] = {}
    for volume in demand.volumes:
        by_name.setdefault(volume.pool, []).append(volume)
    pools = [
        Pool(
            name,
            tuple(sorted(volumes, key=lambda v: v.name)),
            2 if any(v.protection == "mirror" for v in volumes) else 1,
        )
        for name, volumes in by_name.items()
    ]
    return tuple(sorted(pools, key=lambda p: (p.guest, -p.size_mb("high"), p.name)))


def stores(
    machine: Machine,
    demand: Demand,
    pool: Pool,
    hosts: tuple[Pool, ...],
    book: RuleBook,
    policy: Policy,
    system: SystemFacts,
) -> tuple[Store, ...]:
    """Every way worth trying: for each disk the fewest that hold, and some more.

    More are needed where their channels could not carry the load of so few; with as many more as
    there can be channels, any number of channels can be loaded evenly. And more are needed to lend
    room to all other pools that may be their guests.
    """
    found = [
        Store(pool.name, "", 0, pool.copies, 0, host.name, Cost())
        for host in hosts
        if pool.guest and host.copies == 1 and (host.dual_ported or not pool.dual_ported)
        and not pool.apart_from(host)
    ]  # fmt: skip
    room_mb = sum(each.size_mb(demand.size_for) for each in (pool, *_guests(pool, hosts)))
    for disk in suitable(machine, demand, pool):
        found.extend(_enough(machine, demand, pool, disk, room_mb, book, policy, system))
    return tuple(found)


def _guests(pool: Pool, others: tuple[Pool, ...]) -> Iterator[Pool]:
    """The pools that may live on a pool's disks."""
    for other in others:
        if other.guest and pool.copies == 1 and not other.apart_from(pool):
            yield other


def suitable(machine: Machine, demand: Demand, pool: Pool) -> Iterator[Row]:
    """Disks of known size that the machine can have and the pool can lie on."""
    shared = machine.platform.flag("dual_port_disks")
    carried = tuple(dict(demand.carry_forward))
    for disk in disks_for(machine, carried, demand.third_party_disks):
        capacity = disk.find("capacity_mb")
        if capacity is None or capacity.low <= 0:
            continue
        if not pool.dual_ported or (shared and disk.flag("dual_portable")):
            yield disk


def to_be_had(machine: Machine, demand: Demand, disk: Row) -> int:
    """How many disks of a model a machine can have; of those not on offer, those carried over."""
    most = machine.devices_at_most
    if disk.flag("orderable"):
        return most
    return min(most, dict(demand.carry_forward).get(disk.id, most))


def fewest_disks(pool: Pool, disk: Row) -> int:
    """How many disks of a model hold one copy of a pool, if anything does."""
    return max(1, int(-(-pool.size_mb("low") // disk.figure("capacity_mb").high)))


def _enough(
    machine: Machine,
    demand: Demand,
    pool: Pool,
    disk: Row,
    room_mb: float,
    book: RuleBook,
    policy: Policy,
    system: SystemFacts,
) -> list[Store]:
    found: list[Store] = []
    most = to_be_had(machine, demand, disk) // pool.copies
    cost = Cost(broken=1)
    waits, more_than_free = True, 0
    for per_copy in range(fewest_disks(pool, disk), most + 1):
        # More disks of a kind each have less to do, so what is free stays free.
        if cost != FREE or waits:
            record = disk_record(demand, pool, disk, per_copy)
            cost = subject_cost(book, policy, system, "disk", record)
            waits = undecided(book, policy, system, "disk", record)
        if cost.broken:
            continue
        disks = per_copy * pool.copies
        whole = cost.times(disks)
        installed = disk.figure("capacity_mb").likely * disks
        found.append(Store(pool.name, disk.id, per_copy, pool.copies, installed, "", whole))
        more_than_free += cost == FREE and not waits
        if more_than_free > machine.channels_at_most and installed >= room_mb:
            break
    return found


def disk_record(demand: Demand, pool: Pool, disk: Row, per_copy: int) -> DiskFacts:
    """The facts of one of the disks of a pool that is spread evenly over so many."""
    disks = per_copy * pool.copies
    lines = asked_of_disk(demand, [Stored(v, disks, pool.copies) for v in pool.volumes])
    size = total((v.size_mb for v in pool.volumes), "MB")
    return disk_facts(
        pool.name,
        disk,
        pool.access,
        total((line.figure for line in lines), "op/s"),
        size / count(per_copy, f"disks of {pool.name}"),
        demand.transfer_kb,
    )
