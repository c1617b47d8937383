"""Volumes that are stored together, and which of them may share a disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sizewright.demand.model import Demand, VolumeDemand
from sizewright.demand.rates import Operations
from sizewright.guide.model import Row
from sizewright.quantity import Quantity
from sizewright.workload.volume import OWN


class Pool(NamedTuple):
    """Volumes on the same disks, all of one protection."""

    name: str
    volumes: tuple[VolumeDemand, ...]
    copies: int

    @property
    def alone(self) -> bool:
        """Whether it has disks of its own whatever their model."""
        return self.has_own_disks or any(v.hot for v in self.volumes)

    @property
    def has_own_disks(self) -> bool:
        """Whether no others may be on its disks."""
        return any(v.own_disks for v in self.volumes)

    @property
    def is_own(self) -> bool:
        """Whether a system has it for itself, and no service uses it."""
        return all(v.use in OWN for v in self.volumes)

    @property
    def dual_ported(self) -> bool:
        """Whether a second system must reach its disks."""
        return any(v.dual_ported for v in self.volumes)

    @property
    def keeps_apart(self) -> bool:
        """Whether it keeps some others off its disks."""
        return any(v.apart_from or (v.use == "log" and v.database) for v in self.volumes)

    @property
    def in_random_use(self) -> bool:
        """Whether some of it is read or written at random."""
        return any(v.access == "random" and (v.reads or v.writes or v.work) for v in self.volumes)

    def apart_from(self, other: Pool) -> bool:
        """Whether some of it must not share disks with some of the other."""
        return any(_apart(a, b) or _apart(b, a) for a in self.volumes for b in other.volumes)

    def alike(self, other: Pool) -> bool:
        """Whether disks that suit one suit the other as well, for the same reasons."""
        return self.shape() == other.shape()

    def shape(self) -> tuple[object, ...]:
        """What distinguishes it from pools that other disks suit."""
        volumes = [
            (v.access, v.use, str(v.hot), ends_of([v.size_mb]),
             ends_of([i.figure for i in v.reads]),
             ends_of([i.figure for i in v.writes]), *sorted(map(_work, v.work)))
            for v in self.volumes
        ]  # fmt: skip
        return (self.copies, self.dual_ported, *sorted(volumes))

    def size_mb(self, end: str) -> float:
        """Megabytes of one copy, at one end of the demand."""
        return sum(v.size_mb.at(end) for v in self.volumes)


def _apart(volume: VolumeDemand, other: VolumeDemand) -> bool:
    """Whether a volume keeps off another: by wish, or as the log of the other's database."""
    log = volume.use == "log" and bool(volume.database) and other.use != "log"
    return other.name in volume.apart_from or (log and volume.database == other.database)


def _work(work: Operations) -> tuple[object, ...]:
    rates = [work.block_kb, *([] if work.ops is None else [work.ops])]
    return (work.service, work.layer, work.pattern, work.operation, work.low, ends_of(rates))


def ends_of(figures: list[Quantity]) -> tuple[tuple[float, float, float], ...]:
    """Return the ends of some quantities, which can be compared."""
    return tuple((f.low, f.likely, f.high) for f in figures)


class Traits(NamedTuple):
    """Properties of a pool on a disk of some model, by which it may share the disk or not.

    `hot` is the number of hot volumes; `access` is their pattern. A pool may be in `random` use,
    have its `own` disks, or be `picky`: it keeps some others off its disks.
    """

    hot: int
    access: str
    random: bool
    own: bool
    picky: bool


class Company(NamedTuple):
    """Pools that share a disk, and the properties that keep others off it."""

    pools: tuple[Pool, ...] = ()
    hot: str = ""
    random: bool = False
    own: bool = False
    picky: bool = False

    def plus(self, pool: Pool, traits: Traits) -> Company | None:
        """Return the same with one more; None if it may not be there.

        One of them may be hot; if that is serial, all others are.
        """
        hot = traits.access if traits.hot else ""
        random = self.random or (traits.random and not hot)
        own, picky = self.own or traits.own, self.picky or traits.picky
        if self.pools and (
            own or (hot and self.hot) or ("serial" in (hot, self.hot) and random)
            or (picky and any(pool.apart_from(other) for other in self.pools))
        ):  # fmt: skip
            return None
        return Company((*self.pools, pool), hot or self.hot, random, own, picky)


def pools_of(demand: Demand) -> tuple[Pool, ...]:
    """The volumes that the customer wants on the same disks, larger pools first."""
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
    return tuple(sorted(pools, key=by_size))


def by_size(pool: Pool) -> tuple[float, str]:
    """Return a key that sorts pools, the largest first."""
    return -pool.size_mb("high"), pool.name


def joined(pools: Sequence[Pool]) -> Pool:
    """Several pools as one, under a name that no other has."""
    first, *others = sorted(pools, key=lambda p: p.name)
    name = repr([p.name for p in (first, *others)]) if others else first.name
    return Pool(name, tuple(v for p in pools for v in p.volumes), first.copies)


def title(names: Iterable[str]) -> str:
    """Return what disks are called that have these pools."""
    first, *others = sorted(names)
    return f"{first} and {len(others)} more" if others else first


def fewest_disks(pool: Pool, disk: Row, usable_mb: float | None = None) -> int:
    """Return how many disks of a model hold one copy of a pool, if anything does.

    All of a disk is usable, unless `usable_mb` is given.
    """
    each = disk.require("capacity_mb").high if usable_mb is None else usable_mb
    return max(1, int(-(-pool.size_mb("low") // each)))
