"""How many disks work in runs keeps busy at once, and whether its runs end in time with so many."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from sizewright.configuration.model import System
from sizewright.demand.model import Operations
from sizewright.facts.records import blank
from sizewright.facts.work import work_facts
from sizewright.guide.model import Row
from sizewright.load.model import WorkLoad
from sizewright.load.work import active_disks, paced_rate
from sizewright.planner.parts import Machine
from sizewright.planner.policy import Policy, subject_cost
from sizewright.planner.spread import laid_out
from sizewright.planner.storage import Store
from sizewright.rules.book import SYSTEM, RuleBook

WORK = "work"


class Paces:
    """Numbers of busy disks on one machine, remembered; `known` are facts of its system."""

    def __init__(
        self, machine: Machine, book: RuleBook, policy: Policy, known: Mapping[str, Any], most: int
    ) -> None:
        """There are no more than so many disks at `most`."""
        self.machine = machine
        self.book = book
        self.policy = policy
        self.system = blank(SYSTEM, dict(known))
        self.most = most
        self._fewest: dict[tuple[Operations, str], int | None] = {}
        self._at_work: dict[tuple[Operations, Store, int], tuple[int, ...]] = {}

    def fewest(self, operations: Operations, disk: Row, sketch: System) -> int | None:
        """The fewest disks that end its runs in time; None where none do."""
        key = (operations, disk.id)
        if key not in self._fewest:
            # A network that holds back results may yet be exchanged for a faster one.
            freely = operations._replace(pace=operations.pace._replace(returns_kb=None))
            numbers = range(1, self.most + 1)
            self._fewest[key] = next(
                (n for n in numbers if self.in_time(freely, disk, n, sketch)), None
            )
        return self._fewest[key]

    def in_time(self, operations: Operations, disk: Row, busy: int, sketch: System) -> bool:
        """Whether its runs end when they are wanted, as far as rules have a say in it."""
        rate = paced_rate(operations, {disk.id: busy}, sketch, self.machine.guide)
        facts = work_facts(WorkLoad(operations, rate))
        cost = subject_cost(self.book, self.policy, self.system, WORK, facts, partial=True)
        return not cost.broken

    def at_work(self, operations: Operations, store: Store, width: int, disk: Row,
                sketch: System) -> tuple[int, ...]:  # fmt: skip
        """How many disks it keeps busy where each copy is spread over so many channels.

        For each kind of channels that the machine can have, with copies apart and together.
        """
        key = (operations, store, width)
        if key not in self._at_work:
            found = []
            kinds = self.machine.channel_kinds.intersection(disk.list("disk_busses"))
            ways = (True, False) if store.copies > 1 else (True,)
            for kind, apart in product(kinds, ways):
                channels, volume = laid_out(store, width, kind, apart)
                system = sketch._replace(channels=channels)
                busy = active_disks(operations, volume, system, self.machine.guide)
                found.append(sum(busy.values()))
            self._at_work[key] = tuple(found)
        return self._at_work[key]
