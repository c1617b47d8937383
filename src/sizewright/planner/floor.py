"""The least processor time that choices leave possible, told before devices are placed.

Networks and disks that are not chosen yet are taken for the cheapest on offer. Work as fast as its
disks keeps no more of them busy than it must to end in time, or than channels chosen for it do.
What joins disks may not be needed, and is left aside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from sizewright.configuration.model import Board, Port, System, Volume
from sizewright.demand.model import Demand, Operations
from sizewright.facts.records import SystemFacts, blank
from sizewright.facts.system import time_shares
from sizewright.figure import Figure, as_figure
from sizewright.guide.model import Row
from sizewright.limits import BREAK_EVEN_FACTOR
from sizewright.load.kernel import Times
from sizewright.load.model import Known, Load, sum_of
from sizewright.load.nfs import nfs_capacity
from sizewright.load.place import data_of
from sizewright.load.work import Going, cost_ms, paced_rate, time_line
from sizewright.planner.choice import Choice
from sizewright.planner.networks import Attachment
from sizewright.planner.paces import Paces
from sizewright.planner.parts import Machine
from sizewright.planner.policy import Policy
from sizewright.planner.storage import Pool, Store
from sizewright.rules.book import SYSTEM, RuleBook
from sizewright.rules.model import Rule

_SHARES = frozenset(("kernel_lock_share", "processor_share"))


class Floor:
    """Lower bounds of one machine's processor time, remembered."""

    def __init__(
        self,
        machine: Machine,
        demand: Demand,
        disks: Sequence[tuple[Pool, Sequence[str]]],
        attachments: Sequence[Sequence[Attachment]],
        book: RuleBook,
        policy: Policy,
        known: Mapping[str, Any],
        most_disks: int,
    ) -> None:
        """`disks` are those that each pool can have, `attachments` the ways of each network."""
        self.machine = machine
        self.demand = demand
        self.guide = machine.guide
        self.policy = policy
        self.paces = Paces(machine, book, policy, known, most_disks)
        self.known = known
        self.rules = [
            rule for rule in book.by_subject[SYSTEM]
            if policy.blocks(rule) and policy.counts(rule) and _SHARES & rule.facts_of(SYSTEM)
        ]  # fmt: skip
        self._broken: dict[Any, bool] = {}
        self._costs: dict[tuple[Operations, str], Figure | None] = {}
        self._pool_of = {v.name: pool.name for pool, _ in disks for v in pool.volumes}
        self._work = [operations for operations in demand.operations if not operations.low]
        self._worked = {self._pool_of.get(operations.volume) for operations in self._work}
        every = tuple(dict.fromkeys(name for _, offered in disks for name in offered))
        names = {pool.name: every if pool.guest else offered for pool, offered in disks}
        self._cheapest_disk = [
            self._cheapest(operations, names.get(self._pool_of.get(operations.volume, ""), ()))
            for operations in self._work
        ]
        # As many networks as any row asks for: then operations cost least.
        rows = self.guide.table("nfs-capacity")
        most = max((row.number("required_networks") for row in rows), default=0)
        self._capacity = nfs_capacity(self.guide, machine.platform.id, int(most))
        # What ports a network has changes nothing for the others, nor does what brings the ports.
        alike = [{(way.interface, len(way.providers)): way for way in ways} for ways in attachments]
        self._cheapest_way = tuple(
            min(ways.values(), key=lambda way: self._kernel_ms(self._with((way,))), default=None)
            for ways in alike
        )

    @property
    def loose(self) -> bool:
        """Whether some work goes as fast as its disks, whose time only a whole system shows."""
        return any(operations.paced for operations in self._work)

    def broken(self, choice: Choice) -> bool:
        """Whether limits are broken whatever else is chosen."""
        if not self.rules:
            return False
        disks = {s.pool: s.disk for s in choice.stores}
        disks |= {s.pool: disks.get(s.host, "") for s in choice.stores if s.host}
        disks = {pool: disk for pool, disk in disks.items() if pool in self._worked}
        wide = dict(choice.spread)
        key = (
            choice.attachments, choice.accelerator and choice.accelerator.id, choice.gathering,
            choice.lines, tuple(disks.items()), choice.spread,
            tuple(s.per_copy for s in choice.stores if s.pool in wide),
        )  # fmt: skip
        if key not in self._broken:
            self._broken[key] = self._breaks(choice, disks)
        return self._broken[key]

    def _breaks(self, choice: Choice, disks: Mapping[str, str]) -> bool:
        sketch = self._sketch(choice)
        works = self._going(sketch, disks, choice)
        if works is None:
            return True
        times = self._times(sketch)
        kernel = self._kernel(times, works)
        processors = None if kernel is None else (*kernel, *times.user())
        shares = time_shares(kernel, processors, sketch.processors)
        broken = self._breaking(shares)
        if not broken:
            return False
        # A limit that is broken at both of two shares far apart is not kept by more time.
        far = as_figure(BREAK_EVEN_FACTOR)
        more = {name: share and share * far for name, share in shares.items()}
        return not broken.isdisjoint(self._breaking(more))

    def exceeded(self, load: Load) -> bool:
        """Whether limits are broken by the load of a whole system."""
        return bool(
            self._breaking(time_shares(load.kernel_lock, load.processors, self.machine.processors))
        )

    def _breaking(self, shares: Mapping[str, Figure | None]) -> frozenset[str]:
        record: SystemFacts = blank(SYSTEM, {**self.known, **shares})
        return frozenset(rule.id for rule in self.rules if self._broken_by(rule, record))

    def _broken_by(self, rule: Rule, record: SystemFacts) -> bool:
        says = self.policy.says(rule, {SYSTEM: record})
        return bool(self.policy.cost(rule, says, partial=True).broken)

    def _kernel_ms(self, sketch: System) -> float:
        works = self._going(sketch, {}, Choice()) or ()
        time = sum_of(self._kernel(self._times(sketch), works), "ms/s")
        return time.at(self.policy.size_for) if time is not None else 0

    def _kernel(self, times: Times, works: tuple[Going, ...]) -> Known:
        lines = []
        for work in works:
            cost = self._cost(work.operations, work.disks[0], times.system)
            if cost is None:
                return None
            lines.append(time_line(work, cost))
        return times.beside(tuple(lines), works, data_of(self.demand, works))

    def _cost(self, operations: Operations, disk: Row, sketch: System) -> Figure | None:
        key = (operations, disk.id)
        if key not in self._costs:
            self._costs[key] = cost_ms(operations, disk, sketch, self.guide)
        return self._costs[key]

    def _times(self, sketch: System) -> Times:
        return Times(self.demand, sketch, self.guide, self._capacity)

    def _sketch(self, choice: Choice) -> System:
        """A system of what is chosen so far, and of the cheapest networks after those."""
        made = choice.attachments
        rest = (way for way in self._cheapest_way[len(made) :] if way is not None)
        return self._with((*made, *rest))._replace(
            boards=tuple(Board(row, "boards", row, "", (), "") for row in choice.lines.boards),
            software=(choice.gathering,) if choice.gathering else (),
            accelerator=choice.accelerator.id if choice.accelerator else "",
        )

    def _with(self, ways: Sequence[Attachment]) -> System:
        ports = tuple(
            Port(way.network, n, way.interface, provider)
            for way in ways for n, provider in enumerate(way.providers)
        )  # fmt: skip
        machine = self.machine
        return System(
            "", machine.platform.id, machine.processors, machine.operating_system, None, (), (),
            ports, (), (),
        )  # fmt: skip

    def _going(
        self, sketch: System, disks: Mapping[str, str], choice: Choice
    ) -> tuple[Going, ...] | None:
        """All work, on chosen disks or those of the least cost; None where some is not in time."""
        widths = dict(choice.spread)
        spread = {s.pool: (s, widths[s.pool]) for s in choice.stores if s.pool in widths}
        found = []
        for operations, cheapest in zip(self._work, self._cheapest_disk, strict=True):
            pool = self._pool_of.get(operations.volume, "")
            disk = disks.get(pool) or cheapest
            if not disk:
                continue
            row = self.guide.row("disks", disk)
            rate = operations.ops
            if rate is None:
                busy = self._busy(operations, row, spread.get(pool), sketch)
                if busy is None:
                    return None
                rate = paced_rate(operations, {disk: busy}, sketch, self.guide)
            found.append(Going(operations, rate, Volume(operations.volume, ()), (row,)))
        return tuple(found)

    def _busy(
        self, operations: Operations, disk: Row, spread: tuple[Store, int] | None, sketch: System
    ) -> int | None:
        """The fewest disks that work in runs keeps busy; None where it does not end in time."""
        if spread is None:
            return self.paces.fewest(operations, disk, sketch)
        busy = self.paces.at_work(operations, *spread, disk, sketch)
        return min(busy) if self.paces.in_time(operations, disk, max(busy), sketch) else None

    def _cheapest(self, operations: Operations, names: Sequence[str]) -> str:
        """The disk of the least cost, one of which none is known before all others."""
        sketch = self._with(())

        def cost(name: str) -> float:
            row = self.guide.row("disks", name)
            ms = self._cost(operations, row, sketch)
            if ms is None:
                return -1
            if operations.paced:
                busy = self.paces.fewest(operations, row, sketch)
                if busy is None:
                    return inf
                ms = ms * paced_rate(operations, {name: busy}, sketch, self.guide)
            return ms.at(self.policy.size_for)

        return min(names, key=cost, default="")
