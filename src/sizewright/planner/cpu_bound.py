"""The least processor time that choices leave possible, known before devices are placed.

Networks and disks that are not chosen yet are taken for the cheapest for sale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sizewright.configuration.model import (
    SYSTEM,
    Board,
    Channel,
    Device,
    Extent,
    Port,
    System,
    Volume,
)
from sizewright.demand.model import Demand
from sizewright.demand.rates import Known, Operations, sum_lines
from sizewright.evaluate.findings import cost_on
from sizewright.evaluate.policy import FREE, Cost, Policy
from sizewright.facts.records import SystemFacts, blank
from sizewright.facts.system import time_shares
from sizewright.guide.model import Row
from sizewright.limits import BREAK_EVEN_FACTOR
from sizewright.load.cpu_load import CpuLoad, cpu_lines
from sizewright.load.disk_work import cost_with_copies, joined_by, overhead_of, time_line
from sizewright.planner.choice import PartialSolution
from sizewright.planner.connections import Attachment, LineBoards, serving_interfaces
from sizewright.planner.parts import Machine, volume_manager
from sizewright.planner.pools import Pool, fewest_disks
from sizewright.quantity import Quantity, as_quantity
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import RECOMMENDED, Rule

_SHARES = frozenset(("kernel_lock_share", "processor_share"))


class TimeLimits:
    """The rules about processor time that block, where these facts of a system are `known`."""

    def __init__(
        self, known: Mapping[str, Any], processors: int, rule_set: RuleSet, policy: Policy
    ) -> None:
        self.known = known
        self.processors = processors
        self.policy = policy
        self.rules = [
            rule for rule in rule_set.by_subject[SYSTEM]
            if policy.blocks(rule) and policy.counts(rule) and _SHARES & rule.facts_of(SYSTEM)
        ]  # fmt: skip
        self.recommended = [
            rule for rule in rule_set.by_subject[SYSTEM]
            if rule.severity == RECOMMENDED and rule.bounds and policy.counts(rule)
            and _SHARES & rule.facts_of(SYSTEM)
        ]  # fmt: skip

    def excess_by(self, shares: Mapping[str, Any]) -> int:
        """Return by how much such shares exceed recommended limits, as `Cost.excess` counts it.

        Of rules that read nothing else but what is known.
        """
        known = {**self.known, **shares}
        rules = [rule for rule in self.recommended if rule.facts_of(SYSTEM) <= known.keys()]
        return cost_on(rules, {SYSTEM: blank(SYSTEM, known)}, self.policy, partial=True).excess

    def over_by(self, shares: Mapping[str, Any], broken: frozenset[str]) -> int:
        """Return by how much such shares exceed limits `broken`, as `Cost.over` counts it."""
        record: SystemFacts = blank(SYSTEM, {**self.known, **shares})
        rules = [rule for rule in self.rules if rule.id in broken]
        return cost_on(rules, {SYSTEM: record}, self.policy, partial=True).over

    def broken_at(self, busy: CpuLoad) -> frozenset[str]:
        """The limits that processors so busy break."""
        kernel, processors = busy.kernel or None, busy.processors or None
        return self.broken_by(time_shares(kernel, processors, self.processors))

    def broken_by(self, shares: Mapping[str, Any]) -> frozenset[str]:
        """The limits that such shares of the time there is break."""
        record: SystemFacts = blank(SYSTEM, {**self.known, **shares})
        return frozenset(rule.id for rule in self.rules if self.breaks(rule, record))

    def breaks(self, rule: Rule, record: SystemFacts) -> bool:
        """Whether a system of which no more is known breaks a rule."""
        return bool(cost_on((rule,), {SYSTEM: record}, self.policy, partial=True).broken)


class Floor:
    """Lower bounds of one machine's processor time, remembered."""

    def __init__(
        self,
        machine: Machine,
        demand: Demand,
        disks: Sequence[tuple[Pool, Sequence[str]]],
        attachments: Sequence[Sequence[Attachment]],
        rule_set: RuleSet,
        policy: Policy,
        known: Mapping[str, Any],
    ) -> None:
        """`disks` are those that each pool can have, `attachments` the ways of each network."""
        self.machine = machine
        self.demand = demand
        self.guide = machine.guide
        self.policy = policy
        self.limits = TimeLimits(known, machine.processors, rule_set, policy)
        self._least: dict[Any, Cost] = {}
        self._costs: dict[tuple[Operations, str, bool], Quantity | None] = {}
        self._pool_of = {v.name: pool.name for pool, _ in disks for v in pool.volumes}
        product = volume_manager(self.guide)
        parts = {False: (Extent("", 0),), True: (Extent("", 0), Extent("", 0))}
        # Each volume with who joins its disks, on one disk a copy and on several.
        self._volumes = {
            (v.name, several): joined_by(
                Volume(v.name, (each,) * pool.copies), v, product, self.guide
            )
            for pool, _ in disks for v in pool.volumes for several, each in parts.items()
        }  # fmt: skip
        self._work = [o for o in demand.operations if not o.low and not o.open_ended]
        # Files served cost more on disks that are joined or mirrored.
        self._served = {use.volume for stream in demand.streams for use in stream.uses}
        busy = self._served.union(operations.volume for operations in self._work)
        self._busy = {self._pool_of.get(volume) for volume in busy}
        self._offered = {pool.name: tuple(ids) for pool, ids in disks}
        self._mirrored = {pool.name for pool, _ in disks if pool.copies > 1}
        self._homes: dict[str, tuple[str, bool]] = {}
        # What is larger than any disk is on several, whichever they are.
        self._several = {
            pool.name: all(fewest_disks(pool, self.guide.row("disks", disk)) > 1 for disk in ids)
            for pool, ids in disks
        }  # fmt: skip
        offered = (self._offered.get(self._pool_of.get(o.volume, ""), ()) for o in self._work)
        self._cheapest_disk = list(map(self._cheapest, self._work, offered))
        # What ports a network has changes nothing for the others, nor does what brings the ports.
        alike = [{(way.interface, len(way.providers)): way for way in ways} for ways in attachments]
        self._cheapest_way = tuple(
            min(ways.values(), key=self._kernel_ms, default=None) for ways in alike
        )

    def cost(self, choice: PartialSolution) -> Cost:
        """Return the least that limits of processor time count, whatever else is chosen."""
        if not self.limits.rules and not self.limits.recommended:
            return FREE
        hosts = {s.pool: s for s in choice.stores if not s.host}
        # A guest is on all disks of its host, or whole on one of them.
        placed = ((s, hosts[s.host or s.pool]) for s in choice.stores)
        disks = {
            name: (host.disk, s.at is None and host.per_copy > 1)
            for s, host in placed for name in s.pools if name in self._busy
        }  # fmt: skip
        key = (self.key(choice), tuple(disks.items()))
        if key not in self._least:
            self._least[key] = self._cost_of(choice, disks)
        return self._least[key]

    def kernel_time(self, lines: LineBoards) -> Known:
        """Return the least time in the kernel of all work, None if some of it is not known."""
        return self._times(self._sketch(PartialSolution(lines=lines)), {})[0]

    def key(self, choice: PartialSolution) -> Any:
        """What of a choice, disks apart, changes the processor time."""
        ways = tuple((way.network, way.interface, len(way.providers)) for way in choice.attachments)
        accelerator = choice.accelerator and choice.accelerator.id
        return ways, accelerator, choice.gathering, choice.lines

    def _cost_of(self, choice: PartialSolution, disks: Mapping[str, tuple[str, bool]]) -> Cost:
        sketch = self._with_volumes(self._sketch(choice), disks)
        kernel, processors = self._times(sketch, disks)
        shares = time_shares(kernel or None, processors or None, sketch.processors)
        settled = self._settled(choice)
        broken = self.limits.broken_by(shares | settled)
        excess = self.limits.excess_by(shares | settled)
        if not broken and not excess:
            return FREE
        # A limit that is broken at both of two shares far apart is not kept by more time.
        far = as_quantity(BREAK_EVEN_FACTOR)
        more = {name: share and share * far for name, share in shares.items()} | settled
        still = broken & self.limits.broken_by(more) if broken else broken
        over = self.limits.over_by(shares | settled, still)
        return Cost(len(still), over, min(excess, self.limits.excess_by(more)))

    def _settled(self, choice: PartialSolution) -> dict[str, Any]:
        """The facts that a choice settles, of those that limits of processor time read."""
        found: dict[str, Any] = self._sustained(choice)
        if choice.accelerator is not None:
            # Without one it may still be to be chosen.
            found["nvram_accelerator"] = True
        return found

    def _sustained(self, choice: PartialSolution) -> dict[str, Quantity | None]:
        """The share of sustained NFS, which the networks settle if all of them are chosen."""
        if not self.demand.streams:
            return {"nfs_sustained_share": None}
        if len(choice.attachments) < len(self._cheapest_way):
            return {}
        capacity = self.machine.capacity(serving_interfaces(choice.attachments))
        return {"nfs_sustained_share": capacity and capacity.sustained_share}

    def _kernel_ms(self, way: Attachment) -> float:
        kernel, _ = self._times(self._with((way,)), {})
        time = sum_lines(kernel, "ms/s")
        return time.at(self.policy.size_for) if time is not None else 0

    def _times(self, sketch: System, disks: Mapping[str, tuple[str, bool]]) -> tuple[Known, Known]:
        """Time in the kernel and in all, on chosen disks or at the least cost of any for sale."""
        lines = []
        for operations, cheapest in zip(self._work, self._cheapest_disk, strict=True):
            pool = self._pool_of.get(operations.volume, "")
            disk, several = disks.get(pool, (cheapest, self._several.get(pool, False)))
            if not disk or operations.ops is None:
                continue
            row = self.guide.row("disks", disk)
            cost = self._time_of(operations, row, sketch, several)
            if cost is None:
                return None, None
            lines.append(time_line(operations, operations.ops, cost))
        return cpu_lines(self.demand, sketch, self.guide, self.machine.capacity(()), tuple(lines))

    def _time_of(
        self, operations: Operations, disk: Row, sketch: System, several: bool = False
    ) -> Quantity | None:
        key = (operations, disk.id, several)
        if key not in self._costs:
            volume = self._volumes.get((operations.volume, several), Volume("", ()))
            cost = cost_with_copies(operations, volume, disk, sketch, self.guide)
            added = overhead_of(volume, operations, (disk,), sketch, self.guide)
            if cost is not None and added is not None:
                cost = cost * (as_quantity(1) + added)
            self._costs[key] = cost
        return self._costs[key]

    def _sketch(self, choice: PartialSolution) -> System:
        """A system of what is chosen so far, and of the cheapest networks after those."""
        made = choice.attachments
        rest = (way for way in self._cheapest_way[len(made) :] if way is not None)
        return self._with((*made, *rest))._replace(
            boards=tuple(
                Board(f"{row}-{n}", "boards", row, "", (), "")
                for n, row in enumerate(choice.lines.boards)
            ),
            software=(choice.gathering,) if choice.gathering else (),
            accelerator=choice.accelerator.id if choice.accelerator else "",
        )

    def _with_volumes(self, sketch: System, disks: Mapping[str, tuple[str, bool]]) -> System:
        """The system with the volumes of files served, on one device for each model of disk."""
        volumes = []
        for name in sorted(self._served):
            pool = self._pool_of.get(name, "")
            model, several = disks[pool] if pool in disks else self._cheapest_home(pool)
            if model:
                volume = self._volumes[name, several]
                copies = tuple((Extent(model, 0),) * len(copy) for copy in volume.copies)
                volumes.append(volume._replace(copies=copies))
        models = {part.disk for volume in volumes for copy in volume.copies for part in copy}
        devices = tuple(Device(model, "disk", "disks", model) for model in sorted(models))
        channels = (Channel("", "", "", devices),)
        return sketch._replace(channels=channels, volumes=tuple(volumes))

    def _cheapest_home(self, pool: str) -> tuple[str, bool]:
        """The disk on which files served cost least, if they cost more than without a manager."""
        several = self._several.get(pool, False)
        if pool not in self._homes:
            self._homes[pool] = "", several
            costs = []
            for disk in self._offered.get(pool, ()) if several or pool in self._mirrored else ():
                sketch = self._with_volumes(self._with(()), {pool: (disk, several)})
                time = sum_lines(self._times(sketch, {})[0], "ms/s")
                costs.append((0 if time is None else time.at(self.policy.size_for), disk))
            self._homes[pool] = min(costs, default=(0.0, ""))[1], several
        return self._homes[pool]

    def _with(self, ways: Sequence[Attachment]) -> System:
        ports = tuple(
            Port(way.network, n, way.interface, provider)
            for way in ways for n, provider in enumerate(way.providers)
        )  # fmt: skip
        return self.machine.bare()._replace(ports=ports)

    def _cheapest(self, operations: Operations, names: Sequence[str]) -> str:
        """The disk of the least cost, one of which none is known before all others."""
        sketch = self._with(())
        several = self._several.get(self._pool_of.get(operations.volume, ""), False)

        def cost(name: str) -> float:
            ms = self._time_of(operations, self.guide.row("disks", name), sketch, several)
            return -1 if ms is None else ms.at(self.policy.size_for)

        return min(names, key=cost, default="")
