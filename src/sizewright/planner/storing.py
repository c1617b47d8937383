"""Steps that store the data of groups: on disks of their own, or shared, or as guests on others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from math import inf

from sizewright.evaluate.policy import FREE, Cost
from sizewright.planner.choice import PartialSolution, Step
from sizewright.planner.frontier import Weighed, ordered
from sizewright.planner.groups import ANY_NUMBER, Group, Left, groups_of, sharing_sets
from sizewright.planner.sharing import Sharing, hosts_of
from sizewright.planner.storage import Shelf, Store, disks_of, owned_disks, suitable

NONE_TAKEN: Counter[str] = Counter()


class Storing:
    """Every way to store the groups of a demand on one machine.

    `owned` and `required` are existing disks by model, those that may be used and those that must.
    """

    def __init__(self, shelf: Shelf, hot_as_guests: bool = False, lending: bool = True) -> None:
        """Owned disks without data of their own lend room to groups if they are `lending`."""
        self.shelf = shelf
        disks = shelf.machine.guide.table("disks").rows
        demand = shelf.demand
        self.owned = Counter({m: n for m, n in demand.owned.items() if m in disks})
        self.required = Counter({m: n for m, n in demand.required.items() if m in disks})
        self._lent = self.owned if lending else NONE_TAKEN
        self.sets = sharing_sets(shelf)
        self.set_of = {pool.name: n for n, each in enumerate(self.sets) for pool in each}
        self.groups = groups_of(shelf, self.set_of, hot_as_guests)
        self.pools = {pool.name: pool for group in self.groups for pool in group.pools}
        self._sharings = {g.first.name: Sharing(shelf, g) for g in self.groups if g.shared}
        self._ways: dict[object, tuple[Weighed, ...]] = {}

    @property
    def may_have_hot_guests(self) -> bool:
        """Whether data in frequent use may be a guest on disks of larger data."""
        return self.groups != groups_of(self.shelf, self.set_of, hot_as_guests=True)

    def can_be_guest(self, n: int) -> bool:
        """Whether a group, by its number, may be on disks of an earlier one, or on owned disks."""
        sets = [self.set_of[each.first.name] for each in self.groups[: n + 1]]
        return sets.pop() in sets or bool(self._lent)

    def alone(self, group: Group) -> Iterator[Step]:
        """Ways to store a pool on disks of its own, that may lend room to groups that share."""
        pool, end = group.first, self.shelf.demand.size_for
        lodgers = (p for g in self.groups if g.shared for p in g.pools if p.copies == pool.copies)
        room_mb = sum(each.size_mb(end) for each in (pool, *lodgers))
        spare = self.shelf.machine.channels_at_most
        for disk in suitable(self.shelf.machine, self.shelf.demand, pool):
            for store in self.shelf.stores(pool, disk, (pool.name,), room_mb, spare):
                yield self._storing((store,), *self._kind_of(store))

    def _storing(
        self, stores: tuple[Store, ...], spread: str, name: str, taken: Counter[str] = NONE_TAKEN,
        cost: Cost = FREE,
    ) -> Step:  # fmt: skip
        """A step that stores a group, where owned disks were `taken` by other groups.

        Only disks that are not owned count in its size. It has a `cost` beside those of its stores.
        Its name begins with how far data is `spread`.
        """
        for store in stores:
            cost = cost.plus(store.cost)
        used = taken + disks_of(stores)
        new = (used - self.owned) - (taken - self.owned)
        disks = self.shelf.machine.guide.table("disks").rows
        installed = sum(n * disks[model].require("capacity_mb").likely for model, n in new.items())
        idle = (self.required - used).total()
        # Of owned disks that are attached anyway, the more are used the better. But nothing is
        # spread over more of them for that, which takes software.
        name = f"{spread} {idle:03d} {name}" if self.required else f"{spread} {name}"
        return Step("stores", stores, cost, devices=new.total(), installed_mb=installed, name=name)

    def _taken(self, stores: Iterable[Store]) -> Counter[str]:
        """How many disks of models that are owned some stores have."""
        return Counter({m: n for m, n in disks_of(stores).items() if m in self.owned})

    def after_others(self, choice: PartialSolution, step: Step) -> Step:
        """The same step after choices that have taken some of the disks that are owned."""
        (store,) = step.value
        return self._storing(step.value, *self._kind_of(store), self._taken(choice.stores))

    def _kind_of(self, store: Store) -> tuple[str, str]:
        """Return the name of a way to store a pool; of equal ways the first in order is chosen.

        That is one that exceeds no recommended limit, and of these the one with the fewest disks.
        """
        disk = self.shelf.machine.guide.row("disks", store.disk)
        held = ((self.pools[store.pool], store.per_copy),)
        over = self.shelf.evaluated.exceeds_unweighed(self.shelf.system, disk, held)
        return f"{over:d} {store.per_copy:03d}", store.disk

    def idle(self, choice: PartialSolution) -> Iterable[Weighed]:
        """The disks that must be used and have no data."""
        used = self._taken(choice.stores)
        left = sorted((self.required - used).items())
        disks = self.shelf.machine.guide.table("disks")
        idle = tuple(owned_disks(disks[model], n, used[model]) for model, n in left)
        return ordered((self._storing(idle, "", "", used),))

    def _lending(
        self, group: Group, taken: Counter[str], left: Left
    ) -> Iterator[tuple[Store, ...]]:
        """Owned disks without data that may lend room to a group: every number of each model.

        Of a group that is packed only the most. There are no more than are left.
        """
        copies = group.first.copies
        ways: list[list[tuple[Store, ...]]] = []
        for disk in (
            suitable(self.shelf.machine, self.shelf.demand, group.first) if self._lent else ()
        ):
            there = min(self._lent[disk.id] - taken[disk.id], left.get(disk.id, inf))
            most = int(there // copies)
            numbers = range(1, most + 1) if group.is_divided else range(most, most + 1)
            lent = [(owned_disks(disk, n, taken[disk.id], copies),) for n in numbers if n > 0]
            if lent:
                ways.append([(), *lent])
        for each in product(*ways):
            yield tuple(store for stores in each for store in stores)

    def shared(
        self, group: Group, before: tuple[Store, ...] = (), left: Left = ANY_NUMBER
    ) -> tuple[Weighed, ...]:
        """The ways to store a group that shares disks, after some stores, on the disks left."""
        sharing = self._sharings[group.first.name]
        stores, taken = self._may_host(group, before), self._taken(before)
        lent = tuple(self._lending(group, taken, left))
        # A packing does not ask how many disks are left.
        places = tuple(left.get(disk.id) for disk in sharing.disks) if group.is_divided else ()
        key = (group.first.name, stores, lent, places, tuple(sorted(taken.items())))
        if key not in self._ways:
            hosts = tuple(hosts_of(stores, self.pools))
            ways = dict.fromkeys(way for each in lent for way in sharing.ways(hosts, each, left))
            self._ways[key] = ordered(
                self._storing(way.stores, f"{way.split:03d}", f"{way.share:06.3f}", taken, way.more)
                for way in ways
            )
        return self._ways[key]

    def _may_host(self, group: Group, before: tuple[Store, ...]) -> tuple[Store, ...]:
        """The stores on whose disks a group may be, with their guests."""
        own = self.set_of[group.first.name]
        hosts = {s.host or s.pool for s in before if s.pools and self.set_of[s.pools[0]] == own}
        return tuple(store for store in before if (store.host or store.pool) in hosts)
