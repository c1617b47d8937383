"""Ways to store volumes on disks of their own, and what their disks are asked for."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from math import inf
from typing import Any, NamedTuple

from sizewright.configuration.model import DISK, SYSTEM
from sizewright.demand.model import Demand, VolumeDemand
from sizewright.demand.rates import sum_lines
from sizewright.evaluate.findings import subject_cost, undecided
from sizewright.evaluate.policy import FREE, Cost
from sizewright.facts.records import SystemFacts, blank
from sizewright.facts.storage import disk_facts, file_system_share, only_files, partition_facts
from sizewright.facts.storage_records import DiskFacts
from sizewright.guide.model import Row
from sizewright.load.derive import busy_share, is_hot
from sizewright.load.model import Asked
from sizewright.load.storage import Stored, asked_of, disk_limits, moved_of, operations_of
from sizewright.planner.parts import Machine, disks_for
from sizewright.planner.planning import Planning, Work
from sizewright.planner.pools import Company, Pool, Traits, ends_of, fewest_disks, title
from sizewright.quantity import Quantity, count, total
from sizewright.workload.volume import OWN


def _value(fact: Any) -> object:
    """A fact as what can be compared."""
    return ends_of([fact]) if isinstance(fact, Quantity) else fact


# Pools on a disk, each with the number of disks over which a copy of it is spread.
Held = Sequence[tuple[Pool, int]]


class EvaluatedDisks:
    """Disks with data on them, each evaluated once for all machines of a demand."""

    def __init__(self, demand: Demand, planning: Planning) -> None:
        self._demand, self._guide = demand, planning.guide
        self._rule_set, self._policy = planning.rule_set, planning.policy
        self._hot: dict[tuple[str, int, str], bool] = {}
        self._traits: dict[tuple[str, str], Traits] = {}
        self._shapes: dict[str, int] = {}
        self._of_shape: dict[object, int] = {}
        self._parts: dict[tuple[str, int], tuple[Asked, ...]] = {}
        self._records: dict[object, DiskFacts] = {}
        self._costs: dict[object, tuple[Cost, bool]] = {}
        self._shares: dict[object, float] = {}
        # How pools were packed on disks, by all that it depends on.
        self.packings: dict[object, Any] = {}
        self._exceeding: dict[object, bool] = {}
        rules = self._rule_set.by_subject[DISK]
        self._only_shown = self._policy.only_shown(rules)
        self._asked = sorted({name for rule in rules for name in rule.facts_of(SYSTEM)})

    def use_of(self, pool: Pool, disk: Row) -> tuple[int, str]:
        """Return how many volumes of a pool are hot on a disk, and the pattern that it sees.

        The pattern is that of the hot volumes, or of all if none is hot.
        """
        return self.traits(pool, disk)[:2]

    def traits(self, pool: Pool, disk: Row) -> Traits:
        """Return the properties of a pool by which it may share a disk or not."""
        key = pool.name, disk.id
        if key not in self._traits:
            hot = [v for v in pool.volumes if self._is_hot(v, pool.copies, disk)]
            # The disk is not asked for what a system has for itself.
            used = [v for v in pool.volumes if v.use not in OWN] or pool.volumes
            random = any(v.access == "random" for v in hot or used)
            self._traits[key] = Traits(
                len(hot), "random" if random else "serial", pool.in_random_use,
                pool.has_own_disks, pool.keeps_apart,
            )  # fmt: skip
        return self._traits[key]

    def _is_hot(self, volume: VolumeDemand, copies: int, disk: Row) -> bool:
        key = volume.name, copies, disk.id
        if key not in self._hot:
            busy = busy_share(volume, disk, copies, self._demand, self._guide)
            self._hot[key] = is_hot(volume, busy, self._demand)
        return self._hot[key]

    def cost(self, system: SystemFacts, disk: Row, held: Held) -> tuple[Cost, bool]:
        """Return what rules count against a disk, and if some wait for what is not yet known."""
        key = (self.known(system), *self._key(disk, held))
        if key not in self._costs:
            record = self.record(disk, held)
            asked = self._rule_set, self._policy, system, DISK, record
            self._costs[key] = subject_cost(*asked), undecided(*asked)
        return self._costs[key]

    def exceeds_unweighed(self, system: SystemFacts, disk: Row, held: Held) -> bool:
        """Whether a disk exceeds a recommended limit that the search does not weigh."""
        key = (self.known(system), *self._key(disk, held))
        if key not in self._exceeding:
            subjects = {SYSTEM: system, DISK: self.record(disk, held)}
            self._exceeding[key] = any(
                self._policy.broken(rule, self._policy.verdict(rule, subjects))
                for rule in self._only_shown
            )
        return self._exceeding[key]

    def known(self, system: SystemFacts) -> tuple[object, ...]:
        """Return the facts of a system that rules about disks read, on which their costs depend."""
        return tuple(_value(getattr(system, name)) for name in self._asked)

    def record(self, disk: Row, held: Held) -> DiskFacts:
        """Return the facts of a disk with pools on it, of which data and operations are even."""
        key = self._key(disk, held)
        if key not in self._records:
            self._records[key] = self._record(disk, held)
        return self._records[key]

    def share(self, disk: Row, held: Held) -> float:
        """How full or busy a disk is, whichever is more, as a part of what it holds or sustains."""
        key = self._key(disk, held)
        if key not in self._shares:
            end, record = self._demand.size_for, self.record(disk, held)
            busy = (record.operations_per_s, record.sustained_ops_per_s)
            if record.access == "serial":
                busy = (record.demanded_kb_per_s, record.sustained_kb_per_s)
            found = [(record.stored_mb, record.capacity_mb), busy]
            self._shares[key] = max(
                used.at(end) / of.likely for used, of in found
                if isinstance(used, Quantity) and isinstance(of, Quantity)
            )  # fmt: skip
        return self._shares[key]

    def _key(self, disk: Row, held: Held) -> tuple[object, ...]:
        """The same for disks of a model with pools that are identical."""
        return disk.id, *sorted((self._shape(pool), n) for pool, n in held)

    def _shape(self, pool: Pool) -> int:
        """The same number for pools that are identical."""
        if pool.name not in self._shapes:
            # Whose work it is matters only if some works never run at once.
            items = (i for v in pool.volumes for i in (*v.reads, *v.writes))
            owners = [item.owner for item in items] if self._demand.exclusive else []
            shape = (pool.shape(), *owners)
            self._shapes[pool.name] = self._of_shape.setdefault(shape, len(self._of_shape))
        return self._shapes[pool.name]

    def _record(self, disk: Row, held: Held) -> DiskFacts:
        demand, guide = self._demand, self._guide
        asked = [each for pool, n in held for each in self._asked_of(pool, n)]
        operations, moved = (
            operations_of(asked, demand.exclusive),
            moved_of(asked, demand.exclusive),
        )
        volumes = [v for pool, _ in held for v in pool.volumes]
        sizes = [
            v.size_mb if n == 1 else v.size_mb * count(1 / n, f"of {v.pool} on one disk")
            for pool, n in held for v in pool.volumes
        ]  # fmt: skip
        traits = [self.traits(pool, disk) for pool, _ in held]
        used = (
            [each for each in traits if each.hot]
            or [each for each, (pool, _) in zip(traits, held, strict=True) if not pool.is_own]
            or traits
        )
        access = "random" if any(each.access == "random" for each in used) else "serial"
        return disk_facts(
            held[0][0].name, disk, access, sum_lines(operations, "op/s"), sum_lines(moved, "KB/s"),
            disk_limits(disk, access, asked, demand.transfer_kb, guide, demand.exclusive),
            total(sizes, "MB"),
        )._replace(
            interface=disk.text("interface") or None,
            dual_ported=any(pool.dual_ported for pool, _ in held),
            only_files=only_files(v.use for v in volumes),
            file_system_share=file_system_share(
                zip((v.use for v in volumes), sizes, strict=True), disk.cell("capacity_mb")
            ),
            **partition_facts([
                (v.use, self._is_hot(v, pool.copies, disk))
                for pool, _ in held for v in pool.volumes
            ]),
        )  # fmt: skip

    def _asked_of(self, pool: Pool, over: int) -> tuple[Asked, ...]:
        """Return the operations on one of the disks over which each copy of a pool is spread.

        The service of each is named only if some services exclude each other in time.
        """
        key = pool.name, over
        if key not in self._parts:
            stored = [Stored(v, over * pool.copies, pool.copies) for v in pool.volumes]
            asked = asked_of(self._demand, stored)
            if not self._demand.exclusive:
                asked = tuple(each._replace(service="") for each in asked)
            self._parts[key] = asked
        return self._parts[key]


class Store(NamedTuple):
    """Pools on disks of one model, `per_copy` in each copy, or guests on the disks of a `host`.

    `pool` is the name of these disks and `pools` are those on them; owned disks may have none, and
    lend room to guests only. A guest is whole on one of its
    host's disks, the one `at` this number from the last, or where that is None spread over all as
    the host's own pools are.
    """

    pool: str
    pools: tuple[str, ...]
    disk: str
    per_copy: int
    copies: int
    installed_mb: float
    cost: Cost = FREE
    host: str = ""
    at: int | None = None

    @property
    def disks(self) -> int:
        """Disks in all."""
        return self.per_copy * self.copies


def suitable(machine: Machine, demand: Demand, pool: Pool) -> tuple[Row, ...]:
    """Disks of known size that the machine can have and the pool can be on.

    There is one for each copy: a model that is not for sale, and of which one disk exists, has no
    mirror. What each system of a pair has for itself is on models for sale: of others there are not
    enough.
    """
    for_each = SYSTEM in demand.survives
    owned = tuple(demand.owned.items())
    offered = (demand.third_party_disks, demand.disk_models)
    key = (owned, offered, pool.dual_ported, for_each, pool.copies)
    if key not in machine.suitable:
        two_ports = machine.platform.flag("dual_port_disks")
        machine.suitable[key] = tuple(
            disk for disk in disks_for(machine, tuple(demand.owned), demand.third_party_disks)
            if to_be_had(machine, demand, disk) >= pool.copies
            and (capacity := disk.cell("capacity_mb")) is not None and capacity.low > 0
            and (two_ports and disk.flag("dual_portable") if pool.dual_ported
                 else not for_each or on_offer(disk, demand))
        )  # fmt: skip
    return machine.suitable[key]


def to_be_had(machine: Machine, demand: Demand, disk: Row) -> int:
    """How many disks of a model a machine can have; of those not for sale, those that exist."""
    most = min(machine.devices_at_most, machine.most_of(disk))
    return most if on_offer(disk, demand) else min(most, demand.owned.get(disk.id, 0))


def disks_at_most(disk: Row, machine: Machine, demand: Demand, planning: Planning) -> int:
    """How many disks of a model a machine can have on as many controllers as it has trays for."""
    most = to_be_had(machine, demand, disk)
    controllers = controllers_at_most(disk.text("interface"), machine, planning)
    if controllers == inf:
        return most
    busses = (machine.guide.row("disk-busses", bus) for bus in disk.list("disk_busses"))
    each = max((int(bus.number("targets_limit")) for bus in busses), default=0)
    return min(most, int(controllers) * each)


def controllers_at_most(interface: str, machine: Machine, planning: Planning) -> float:
    """How many controllers of an interface have disks in the machine's trays at most.

    They limit nothing if no rule says how many controllers there can be.
    """
    if not any(
        "string_controllers" in rule.facts_of(SYSTEM)
        and planning.policy.counts(rule) and planning.policy.blocks(rule)
        for rule in planning.rule_set.by_subject[SYSTEM]
    ):  # fmt: skip
        return inf
    found = (
        tray.cell("controllers_limit") for tray in machine.guide.table("trays")
        if machine.platform.id in tray.list("platforms") and tray.text("interface") == interface
    )  # fmt: skip
    return min((limit.high for limit in found if limit is not None), default=inf)


def on_offer(disk: Row, demand: Demand) -> bool:
    """Whether any number of disks of a model can be ordered."""
    sold = disk.flag("orderable") or (demand.third_party_disks and disk.flag("third_party"))
    return sold and (not demand.disk_models or disk.id in demand.disk_models)


def disks_of(stores: Iterable[Store]) -> Counter[str]:
    """How many disks of each model some stores have."""
    used = Counter[str]()
    for store in stores:
        if not store.host:
            used[store.disk] += store.per_copy * store.copies
    return used


def owned_disks(disk: Row, per_copy: int, first: int, copies: int = 1) -> Store:
    """Owned disks of a model without data of their own, the `first` of which is called so."""
    installed = disk.require("capacity_mb").likely * per_copy * copies
    return Store(f"{disk.id} owned {first + 1}", (), disk.id, per_copy, copies, installed)


class Shelf(NamedTuple):
    """What the rules of one machine say of disks with data on them."""

    machine: Machine
    demand: Demand
    planning: Planning
    system: SystemFacts
    evaluated: EvaluatedDisks
    work: Work

    def stores(
        self, pool: Pool, disk: Row, names: tuple[str, ...], room_mb: float, spare: int
    ) -> tuple[Store, ...]:
        """A pool on disks of a model: the fewest that hold, and some more.

        More are needed where their channels could not carry the load of so few; with as many more
        as there can be channels, `spare`, any number of channels can be loaded evenly. More
        are also needed to lend room to others, up to `room_mb` a copy in all.
        """
        found: list[Store] = []
        most = disks_at_most(disk, self.machine, self.demand, self.planning) // pool.copies
        cost = Cost(broken=1)
        waits, always, more_than_free = True, False, 0
        # More disks of a kind each have less to do: what keeps limits, or is free, stays so, and
        # what waits with the most disks waits with fewer.
        numbers = range(fewest_disks(pool, disk), most + 1)
        if numbers and not self._keeps_limits(disk, pool, numbers[0]):
            enough = partial(self._keeps_limits, disk, pool)
            numbers = numbers[bisect_left(numbers, True, key=enough) :]
        for per_copy in numbers:
            if cost != FREE or (waits and not always):
                cost, waits = self.cost(disk, ((pool, per_copy),))
                always = cost == FREE and waits
                always = always and self.cost(disk, ((pool, most),))[1]
            disks = per_copy * pool.copies
            whole = cost.times(disks)
            capacity = disk.require("capacity_mb").likely
            installed = capacity * disks
            found.append(
                Store(title(names), names, disk.id, per_copy, pool.copies, installed, whole)
            )
            more_than_free += cost == FREE and not waits
            if more_than_free > spare and capacity * per_copy >= room_mb:
                break
        return tuple(found)

    def _keeps_limits(self, disk: Row, pool: Pool, per_copy: int) -> bool:
        return not self.cost(disk, ((pool, per_copy),))[0].broken

    def may_be_spread(self, volume: VolumeDemand, disks: int) -> bool:
        """Whether rules permit a copy of a volume on as many disks, as far as is known so far."""
        over = count(disks, "disks of one copy", "disk")
        record = blank("volume", {"id": volume.name, "use": volume.use, "joined_disks": over})
        rules, policy = self.planning.rule_set, self.planning.policy
        asked = rules, policy, self.system, "volume", record
        return not subject_cost(*asked, partial=True).broken

    def agree(self, pools: Iterable[Pool], disk: Row) -> bool:
        """Whether pools may share a disk."""
        company: Company | None = Company()
        for pool in pools:
            company = company and company.plus(pool, self.evaluated.traits(pool, disk))
        return company is not None

    def may_share(self, *pools: Pool) -> bool:
        """Whether pools of one protection may share disks of some model."""
        return len({pool.copies for pool in pools}) == 1 and any(
            self.agree(pools, disk) for disk in suitable(self.machine, self.demand, pools[0])
        )

    def cost(self, disk: Row, held: Held) -> tuple[Cost, bool]:
        """What rules count against a disk, and whether some wait for what is not yet known."""
        return self.evaluated.cost(self.system, disk, held)
