"""Which pools of a demand are stored by one choice, and whether the disks left are enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from sizewright.limits import DIVIDED_AT_MOST
from sizewright.planner.pools import Pool, by_size, fewest_disks, pools_of
from sizewright.planner.storage import Shelf, Store, suitable

# How many disks of each model there can be; of others any number.
Left = Mapping[str, float]
ANY_NUMBER: Left = {}


class Group(NamedTuple):
    """Pools that are stored by one choice; those not `shared` have disks of their own.

    Of those that are `guests` one is whole on a disk over which another of the group is spread.
    """

    pools: tuple[Pool, ...]
    shared: bool
    guests: tuple[str, ...] = ()

    @property
    def first(self) -> Pool:
        """The largest pool, after which the group is called."""
        return self.pools[0]

    @property
    def is_divided(self) -> bool:
        """Whether its pools are few enough to be divided in every way."""
        return len(self.pools) <= DIVIDED_AT_MOST


def groups_of(
    shelf: Shelf, set_of: Mapping[str, int], hot_as_guests: bool = False
) -> tuple[Group, ...]:
    """The demand's pools by the choices that store them, those with disks of their own first.

    Pools of different sets never share a disk. Different choices store them, so that the models of
    their disks can differ. With `hot_as_guests`, data in frequent use is a guest on the disks of
    larger data, if both are few.
    """

    def key(pool: Pool) -> tuple[bool, int, int]:
        return not pool.dual_ported, pool.copies, set_of[pool.name]

    alone, sharing = list[Pool](), dict[tuple[bool, int, int], list[Pool]]()
    for pool in pools_of(shelf.demand):
        disks = suitable(shelf.machine, shelf.demand, pool)
        if pool.alone or all(shelf.evaluated.use_of(pool, disk)[0] for disk in disks):
            alone.append(pool)
        else:
            sharing.setdefault(key(pool), []).append(pool)
    shared = []
    for each in sorted(sharing):
        largest, *others = sharing[each]
        guests = [
            pool for pool in alone
            if key(pool) == each and not pool.has_own_disks and by_size(largest) < by_size(pool)
        ]  # fmt: skip
        if not hot_as_guests or len(others) + len(guests) >= DIVIDED_AT_MOST:
            guests = []
        alone = [pool for pool in alone if pool not in guests]
        pools = (largest, *sorted((*others, *guests), key=by_size))
        shared.append(Group(pools, shared=True, guests=tuple(pool.name for pool in guests)))
    return (*(Group((pool,), shared=False) for pool in alone), *shared)


def sharing_sets(shelf: Shelf) -> tuple[tuple[Pool, ...], ...]:
    """Return the demand's pools in sets, so that no two of different sets ever share a disk."""
    # One of like pools speaks for all, unless it keeps others off its disks.
    like: dict[object, list[Pool]] = {}
    for pool in pools_of(shelf.demand):
        disks = suitable(shelf.machine, shelf.demand, pool)
        uses = tuple((disk.id, shelf.evaluated.use_of(pool, disk)) for disk in disks)
        name = pool.name if pool.keeps_apart else ""
        kind = (pool.copies, pool.has_own_disks, pool.in_random_use, name, uses)
        like.setdefault(kind, []).append(pool)
    sets: list[list[list[Pool]]] = []
    for pools in like.values():
        near = [each for each in sets if any(_may_meet(pools, others, shelf) for others in each)]
        sets = [each for each in sets if each not in near]
        sets.append([pools, *(each for one in near for each in one)])
    found: list[tuple[Pool, ...]] = []
    for each in sets:
        every = [pool for pools in each for pool in pools]
        together = len(each) > 1 or shelf.may_share(*every[:2])
        found += [tuple(every)] if together else [(pool,) for pool in every]
    return tuple(found)


def _may_meet(pools: Sequence[Pool], others: Sequence[Pool], shelf: Shelf) -> bool:
    """Whether some of like pools may share disks with some of others that are like."""
    if not (pools[0].keeps_apart or others[0].keeps_apart):
        return shelf.may_share(pools[0], others[0])
    return any(shelf.may_share(a, b) for a, b in product(pools, others))


class _Data(NamedTuple):
    """What a pool needs: room for a copy, disks of each model without others, and any of a host."""

    size_mb: float
    copies: int
    disks: tuple[tuple[str, int], ...]
    may_lodge: bool


class Homes:
    """Whether groups that are still to be stored can be on disks that are left, or with others."""

    def __init__(self, shelf: Shelf, groups: Sequence[Group]) -> None:
        self._capacity = {
            row.id: row.number("capacity_mb") for row in shelf.machine.guide.table("disks")
        }
        self._sizes = {p.name: p.size_mb("low") for group in groups for p in group.pools}
        self._coming: list[tuple[_Data, ...]] = [()]
        every = {
            disk.id: disk
            for group in groups for pool in group.pools
            for disk in suitable(shelf.machine, shelf.demand, pool)
        }  # fmt: skip
        for group in reversed(groups):
            # Where the largest of a group can be, each of the others can, for this bound.
            pool = group.first
            own = suitable(shelf.machine, shelf.demand, pool)
            disks = tuple(
                (disk.id, fewest_disks(pool, disk) * pool.copies)
                for disk in (every.values() if group.shared else own)
            )
            data = _Data(self._sizes[pool.name], pool.copies, disks, group.shared)
            self._coming.insert(0, (data, *self._coming[0]))

    def exist(self, number: int, stores: Sequence[Store], left: Left) -> bool:
        """Return whether the groups from a number on may be stored after some stores."""
        return all(
            any(needed <= left[disk] for disk, needed in each.disks)
            or (each.may_lodge and self._can_lodge(each, stores))
            for each in self._coming[number]
        )

    def _can_lodge(self, data: _Data, stores: Sequence[Store]) -> bool:
        return any(
            store.copies == data.copies and self._room_mb(store) >= data.size_mb
            for store in stores if not store.host
        )  # fmt: skip

    def _room_mb(self, store: Store) -> float:
        """Megabytes of one copy that a store's disks have beside what they are for."""
        stored = sum(self._sizes[name] for name in store.pools)
        return store.per_copy * self._capacity[store.disk] - stored
