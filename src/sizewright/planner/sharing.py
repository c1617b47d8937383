"""Which volumes share disks: whole volumes packed on as few disks as hold them.

A group is volumes of equal protection that are in frequent use on no disks, or on some models
only. Few of them are divided in every way. Many are packed, the most demanding first, and then
divided anew over as many disks as evenly as can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import inf
from typing import NamedTuple

from sizewright.evaluate.policy import FREE, Cost
from sizewright.guide.model import Row
from sizewright.limits import EXTRA_DISKS_TRIED, SHARE_DECIMALS, WAYS_A_STEP
from sizewright.planner.groups import ANY_NUMBER, Group, Left
from sizewright.planner.packing import Bin, Held, Packer
from sizewright.planner.pools import Pool, joined
from sizewright.planner.storage import Shelf, Store, disks_of, suitable


class Host(NamedTuple):
    """Disks with room for others: their store, the pools that they are for, and their guests.

    A guest is whole on one disk, which is the one `at` a number from the last, or spread over all.
    """

    store: Store
    pools: tuple[Pool, ...]
    guests: tuple[tuple[Pool, int | None], ...] = ()


def hosts_of(stores: Sequence[Store], pools: Mapping[str, Pool]) -> Iterator[Host]:
    """Yield the disks of some stores as hosts, with those of the stores that are guests there."""
    guests: dict[str, list[tuple[Pool, int | None]]] = {}
    for store in stores:
        if store.host:
            guests.setdefault(store.host, []).extend((pools[n], store.at) for n in store.pools)
    for store in stores:
        if not store.host:
            own = tuple(pools[name] for name in store.pools)
            yield Host(store, own, tuple(guests.get(store.pool, ())))


# Pools that need several disks each, with their disks, and the others.
_Parted = tuple[list[tuple[Pool, Store]], list[Pool]]


class Sharing:
    """The ways to store one group."""

    def __init__(self, shelf: Shelf, group: Group) -> None:
        self.shelf = shelf
        self.group = group
        self.end = shelf.demand.size_for
        self.disks = tuple(suitable(shelf.machine, shelf.demand, group.first))
        self._own: dict[object, tuple[Store, ...]] = {}
        self._wholes: dict[Store, tuple[Store, ...]] = {}
        self._spread: dict[tuple[str, int], bool] = {}
        self._packer = Packer(shelf)
        self._roomy = Packer(shelf, roomy=True)
        # Packings on no other disks than those of one model.
        self._alone: dict[str, tuple[Way, ...]] = {}
        self._parted: dict[tuple[str, bool, bool], _Parted | None] = {}

    def ways(
        self, hosts: Sequence[Host], lent: Sequence[Store] = (), left: Left = ANY_NUMBER
    ) -> tuple[Way, ...]:
        """Every way worth trying, where these disks may lend room.

        Of disks that are `lent` without data of their own some are used. Of each model there are
        as many disks beside them as are `left`; ways with more are left out if that saves time.
        """
        hosts = tuple(host for host in hosts if self._may_lend(host))
        hosts += tuple(Host(store, ()) for store in lent)
        found = self._divided(hosts, left) if self.group.is_divided else self._packed(hosts)
        every = tuple(way for way in found if self._has_guests(way))
        self.shelf.work.steps += len(every) * len(self.group.pools) / WAYS_A_STEP
        # If rules refuse all, these are the reason that the plan then gives.
        ways = [way for way in every if self._may_be_spread(way, hosts)] or every
        if self.group.is_divided:
            # Fewer disks are lent in another way.
            ways = [way for way in ways if not _leaves_idle(way, lent)]
        return tuple(dict.fromkeys(_with_lent(way, lent) for way in ways))

    def _has_guests(self, way: Way) -> bool:
        """Whether one of those pools is a guest that are to be guests, if any are."""
        wanted = self.group.guests
        return not wanted or any(
            store.at is not None and name in wanted for store in way.stores for name in store.pools
        )

    def _may_lend(self, host: Host) -> bool:
        first = self.group.first
        return (
            host.store.copies == first.copies
            and not any(pool.has_own_disks for pool in host.pools)
            and (not first.dual_ported or all(p.dual_ported for p in host.pools))
        )

    def _may_be_spread(self, way: Way, hosts: Sequence[Host]) -> bool:
        """Whether rules permit each volume on as many disks as it is spread over."""
        over = {host.store.pool: host.store.per_copy for host in hosts}
        over |= {store.pool: store.per_copy for store in way.stores if not store.host}
        pools = {pool.name: pool for pool in self.group.pools}
        for store in way.stores:
            disks = 1 if store.at is not None else over[store.host or store.pool]
            for volume in (v for name in store.pools for v in pools[name].volumes):
                key = volume.name, disks
                if key not in self._spread:
                    self._spread[key] = self.shelf.may_be_spread(volume, disks)
                if not self._spread[key]:
                    return False
        return True

    def _stores(self, pools: Sequence[Pool], disk: Row) -> tuple[Store, ...]:
        """Pools on disks of their own, spread over all of them."""
        names = tuple(sorted(pool.name for pool in pools))
        if (names, disk.id) not in self._own:
            agree = self.shelf.agree(pools, disk)
            spare = self.shelf.machine.channels_at_most if len(pools) == 1 else EXTRA_DISKS_TRIED
            self._own[names, disk.id] = (
                self.shelf.stores(joined(pools), disk, names, 0, spare) if agree else ()
            )
        return self._own[names, disk.id]

    # Few pools

    def _divided(self, hosts: Sequence[Host], left: Left) -> Iterator[Way]:
        pools = self.group.pools
        every = {pool.name: pool for pool in pools}
        for guests in product(*(self._homes(pool, hosts) for pool in pools)):
            rest = [pool for pool, host in zip(pools, guests, strict=True) if host is None]
            housed = [(p, host) for p, host in zip(pools, guests, strict=True) if host]
            every_own = [own for own in self._own_disks(rest) if _are_left(own, left)]
            bins = {host.store.pool: self._bins_of(host) for _, host in housed}
            every_lent = tuple(self._lent(housed, bins)) if every_own else ()
            for own in every_own:
                for stores in (own, tuple(s for o in own for s in self._whole(o))):
                    for lent in every_lent:
                        found = (*stores, *lent)
                        yield self._way(found, self._with_own(hosts, found, every), every)

    def _homes(self, pool: Pool, hosts: Sequence[Host]) -> list[Host | None]:
        """None, for disks of its own, and the hosts with room for a pool."""
        size = self._packer.size_mb(pool)
        return [None, *(host for host in hosts if self._room_mb(host) >= size)]

    def _own_disks(self, pools: Sequence[Pool]) -> Iterator[tuple[Store, ...]]:
        """Every way to divide pools over disks that are not there yet.

        Sets of disks have one model and a few more disks than they need, or several models and the
        fewest disks that keep the room that is advised.
        """
        most = None if len(self.group.pools) == 1 else 1 + EXTRA_DISKS_TRIED
        for blocks in _partitions(pools):
            for disk in self.disks:
                yield from product(*(self._stores(block, disk)[:most] for block in blocks))
            roomy = ([s for d in self.disks for s in self._with_room(b, d)] for b in blocks)
            for own in product(*roomy) if len(blocks) > 1 else ():
                if len({store.disk for store in own}) > 1:
                    yield own

    def _with_room(self, pools: Sequence[Pool], disk: Row) -> tuple[Store, ...]:
        """The fewest disks with which no limit is exceeded for which no disk is added, if any."""
        few = self._stores(pools, disk)[: 1 + EXTRA_DISKS_TRIED]
        keeping = (store for store in few if self._keeps_advised_room(pools, disk, store))
        return tuple(islice(keeping, 1))

    def _keeps_advised_room(self, pools: Sequence[Pool], disk: Row, store: Store) -> bool:
        held = [(pool, store.per_copy) for pool in pools]
        return not self.shelf.evaluated.exceeds_unweighed(self.shelf.system, disk, held)

    def _room_mb(self, host: Host) -> float:
        """Megabytes that a copy of a host's disks hold beside the host's own data."""
        disk = self.shelf.machine.guide.row("disks", host.store.disk)
        capacity = host.store.per_copy * disk.number("capacity_mb")
        there = (*host.pools, *(pool for pool, _ in host.guests))
        return capacity - sum(self._packer.size_mb(pool) for pool in there)

    def _lent(
        self, guests: Sequence[tuple[Pool, Host]], bins: Mapping[str, Sequence[Bin]]
    ) -> Iterator[tuple[Store, ...]]:
        """Every way to have guests on the disks of their hosts."""
        if not guests:
            yield ()
            return
        (pool, host), *others = guests
        name = host.store.pool
        for guest, after in self._guest(pool, host, bins[name]):
            for rest in self._lent(others, {**bins, name: after}):
                yield (guest, *rest)

    def _guest(
        self, pool: Pool, host: Host, bins: Sequence[Bin]
    ) -> Iterator[tuple[Store, Sequence[Bin]]]:
        """Yield a pool on the disks of a host: whole on one of them, then spread over all."""
        over = len(bins)
        size, capacity = self._packer.size_mb(pool), bins[0].disk.number("capacity_mb")
        stored = sum(self._packer.size_mb(p) / n for bin_ in bins for p, n in bin_.held)
        if stored + size > over * capacity:
            return
        held = [tuple((p.name, n) for p, n in bin_.held) for bin_ in bins]
        for n, bin_ in enumerate(bins):
            if held[n] in held[:n]:
                continue
            both = bin_.plus(pool)
            after = [*bins[:n], both, *bins[n + 1 :]]
            if self.shelf.agree(both.pools, bin_.disk) and self._keep_limits(after):
                yield _lodger(pool, host.store.pool, bin_.at), after
        there = {p.name: p for bin_ in bins for p, _ in bin_.held}
        if over == 1 or not self.shelf.agree((*there.values(), pool), bins[0].disk):
            return
        split = [b._replace(held=(*b.held, (pool, over))) for b in bins]
        if self._keep_limits(split):
            yield _lodger(pool, host.store.pool, None), split

    def _keep_limits(self, bins: Sequence[Bin]) -> bool:
        """Whether none of the disks of a host breaks a limit by what is on all of them."""
        alike = {tuple((p.name, n) for p, n in bin_.held): bin_ for bin_ in bins if bin_.held}
        return not any(self._packer.cost(b.disk, b.held).broken for b in alike.values())

    def _whole(self, store: Store) -> tuple[Store, ...]:
        """The same disks with the largest pool spread over all and the others whole on one."""
        if store.per_copy == 1 or len(store.pools) == 1:
            return (store,)
        if store not in self._wholes:
            self._wholes[store] = self._with_whole(store)
        return self._wholes[store]

    def _with_whole(self, store: Store) -> tuple[Store, ...]:
        there = (pool for pool in self.group.pools if pool.name in store.pools)
        first, *others = sorted(there, key=lambda p: (-p.size_mb(self.end), p.name))
        host = Host(store._replace(pool=first.name, pools=(first.name,)), (first,))
        guests = [(pool, host) for pool in others]
        lent = next(self._lent(guests, {first.name: self._bins_of(host)}), None)
        return (store,) if lent is None else (host.store, *lent)

    def _bins_of(self, host: Host) -> list[Bin]:
        """The disks of a copy of a host, the last one first."""
        disk = self.shelf.machine.guide.row("disks", host.store.disk)
        number = host.store.per_copy
        spread = (*host.pools, *(pool for pool, at in host.guests if at is None))
        held = tuple((pool, number) for pool in spread)
        bins = [Bin(disk, held, host.store.pool, at) for at in range(number)]
        for pool, at in host.guests:
            if at is not None:
                bins[at] = bins[at].plus(pool)
        return bins

    def _way(self, stores: tuple[Store, ...], hosts: Sequence[Host], pools: dict[str, Pool]) -> Way:
        """The stores, how even they are, and what rules count more of disks that have guests."""
        by_name = {host.store.pool: host for host in hosts}
        most, more = 0.0, FREE
        guests: dict[str, dict[int | None, list[Pool]]] = {}
        for store in stores:
            if store.host:
                there = guests.setdefault(store.host, {})
                there.setdefault(store.at, []).append(pools[store.pools[0]])
            else:
                disk = self.shelf.machine.guide.row("disks", store.disk)
                held = tuple((pools[name], store.per_copy) for name in store.pools)
                most = max(most, self.shelf.evaluated.share(disk, held))
        for name, there in guests.items():
            host = by_name[name]
            for at, bin_ in enumerate(self._bins_of(host)):
                spread = ((pool, host.store.per_copy) for pool in there.get(None, ()))
                held = (*bin_.held, *spread, *((pool, 1) for pool in there.get(at, ())))
                if held != bin_.held:
                    most = max(most, self.shelf.evaluated.share(bin_.disk, held))
                    added = self._added(bin_, held)
                    more = more.plus(added.times(host.store.copies))
        split = [s for s in stores if s.per_copy > 1 or (s.host and s.at is None)]
        return Way(stores, sum(len(s.pools) for s in split), round(most, SHARE_DECIMALS), more)

    def _added(self, bin_: Bin, held: Held) -> Cost:
        """What rules count more against a disk with guests than against the same without them."""
        before = self._packer.cost(bin_.disk, bin_.held) if bin_.held else FREE
        after = self._packer.cost(bin_.disk, held)
        return Cost(*(max(0, now - then) for now, then in zip(after, before, strict=True)))

    # Many pools

    def _packed(self, hosts: Sequence[Host]) -> Iterator[Way]:
        for disk in self.disks:
            if hosts:
                yield from self._packings(disk, hosts)
            if disk.id not in self._alone:
                self._alone[disk.id] = tuple(self._packings(disk, ()))
            yield from self._alone[disk.id]

    def _packings(self, disk: Row, hosts: Sequence[Host]) -> Iterator[Way]:
        """Ways to pack the group on disks of a model and of hosts, as advised and as permitted."""
        every = {pool.name: pool for pool in self.group.pools}
        smaller = self._smaller_than(disk)
        for freely, models in product((True, False), ((), smaller) if smaller else ((),)):
            stores = self._packing(disk, hosts, freely, models)
            if stores is not None:
                yield self._way(stores, self._with_own(hosts, stores, every), every)

    def _smaller_than(self, disk: Row) -> tuple[Row, ...]:
        """Models with less room than one, the smallest first."""
        rooms = {row.id: row.number("capacity_mb") for row in (*self.disks, disk)}
        smaller = (row for row in self.disks if rooms[row.id] < rooms[disk.id])
        return tuple(sorted(smaller, key=lambda row: rooms[row.id]))

    def _with_own(
        self, hosts: Sequence[Host], stores: Sequence[Store], pools: dict[str, Pool]
    ) -> list[Host]:
        """The hosts, and those disks of a packing that lend room to others of it."""
        lending = {store.host for store in stores}
        return [
            *hosts,
            *(
                Host(store, tuple(pools[name] for name in store.pools))
                for store in stores if store.pool in lending and not store.host
            ),
        ]  # fmt: skip

    def _packing(
        self, disk: Row, hosts: Sequence[Host], freely: bool, smaller: Sequence[Row]
    ) -> tuple[Store, ...] | None:
        """All pools on the hosts' disks and on the fewest possible of a model, or smaller ones."""
        packer = self._roomy if smaller else self._packer
        key = disk.id, freely, packer.roomy
        if key not in self._parted:
            self._parted[key] = self._part(disk, freely, packer)
        parted = self._parted[key]
        if parted is None:
            return None
        large, small = parted
        own = (Host(store, (pool,)) for pool, store in large)
        fixed = [bin_ for host in (*hosts, *own) for bin_ in self._bins_of(host)]
        bins = packer.pack(small, disk, fixed, freely, smaller)
        if bins is None:
            return None
        return (*(store for _, store in large), *self._stored(bins, len(fixed)))

    def _part(self, disk: Row, freely: bool, packer: Packer) -> _Parted | None:
        """The pools that need disks of their own, with these, and the others, the fullest first.

        Those are what a packer puts on no disk, even if nothing else is there.
        """
        large: list[tuple[Pool, Store]] = []
        small: list[Pool] = []
        for pool in self.group.pools:
            if packer.takes(Bin(disk, ()), pool, freely=freely):
                small.append(pool)
                continue
            own = self._stores((pool,), disk)
            if not own:
                return None
            few = next((store for store in own if store.cost == FREE or not freely), own[0])
            large.append((pool, few))
        small.sort(key=lambda pool: (-self.shelf.evaluated.share(disk, ((pool, 1),)), pool.name))
        return large, small

    def _stored(self, bins: Sequence[Bin], fixed: int) -> Iterator[Store]:
        group = {pool.name for pool in self.group.pools}
        for bin_ in bins[:fixed]:
            for pool, n in bin_.held:
                if n == 1 and pool.name in group and pool.name != bin_.host:
                    yield _lodger(pool, bin_.host, bin_.at)
        for bin_ in bins[fixed:]:
            yield self._stores(bin_.pools, bin_.disk)[0]


class Way(NamedTuple):
    """One way to store a group: `split` of its pools are on several disks each.

    `share` is the greatest share to which one of its disks is full or busy. Rules count `more` than
    the costs of its stores, because some have guests.
    """

    stores: tuple[Store, ...]
    split: int
    share: float
    more: Cost


def _are_left(stores: Iterable[Store], left: Left) -> bool:
    """Whether there are as many disks of each model as some stores have."""
    return all(number <= left.get(disk, inf) for disk, number in disks_of(stores).items())


def _with_lent(way: Way, lent: Sequence[Store]) -> Way:
    """A way with those disks that lend room and have no data of their own."""
    hosts = {store.host for store in way.stores}
    used = tuple(store for store in lent if store.pool in hosts)
    return way._replace(stores=(*used, *way.stores)) if used else way


def _leaves_idle(way: Way, lent: Sequence[Store]) -> bool:
    """Whether some disks that lend room have guests, and others of the same store have none."""
    for host in lent:
        places = {store.at for store in way.stores if store.host == host.pool}
        if places and None not in places and len(places) < host.per_copy:
            return True
    return False


def _lodger(pool: Pool, host: str, at: int | None) -> Store:
    return Store(pool.name, (pool.name,), "", 0, pool.copies, 0, host=host, at=at)


def _partitions(pools: Sequence[Pool]) -> Iterator[list[tuple[Pool, ...]]]:
    """Every way to divide some pools into sets."""
    if not pools:
        yield []
        return
    first, *others = pools
    for blocks in _partitions(others):
        yield [(first,), *blocks]
        for n, block in enumerate(blocks):
            yield [*blocks[:n], (first, *block), *blocks[n + 1 :]]
