"""Finds the smallest configuration of one machine, by branch and bound over its choices.

Choices are made one after another. What a choice adds to the key is known as soon as it is made:
its boards, devices and options, and the findings that it alone decides, because rules are judged
on facts of which everything not yet chosen is unknown, and a rule that is broken then stays
broken. The sum over the choices made, and over the least that the rest must add, bounds the key
from below; a branch that cannot beat the best complete configuration is cut.
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from sizewright.configuration.model import System
from sizewright.configuration.slots import slot_need
from sizewright.demand.model import Demand
from sizewright.facts.given import Facts
from sizewright.limits import SEARCH_STEPS
from sizewright.load.model import Load
from sizewright.planner.assemble import assemble, slotted
from sizewright.planner.choice import NOTHING, Choice, Key, Step, Weight, heavier
from sizewright.planner.dimensions import Space
from sizewright.planner.judge import cost_of, facts_under
from sizewright.planner.parts import Machine, software_of
from sizewright.planner.placement import Placement
from sizewright.planner.policy import Policy
from sizewright.rules.book import RuleBook

_DEVICES = Step("", None, devices=1).weight().index(1)


class _Room(NamedTuple):
    fits: bool
    adapters: Weight


class Best(NamedTuple):
    """The smallest configuration found, with its key, load and facts.

    It is `proven` where the search went to its end, and not where it ran out of steps.
    """

    key: Key
    system: System
    load: Load
    facts: Facts
    proven: bool = True


class Search:
    """The search over one machine's choices."""

    def __init__(
        self,
        machine: Machine,
        demand: Demand,
        book: RuleBook,
        policy: Policy,
        steps: int = SEARCH_STEPS,
    ) -> None:
        self.machine = machine
        self.demand = demand
        self.book = book
        self.policy = policy
        self.best: Best | None = None
        self.steps = steps
        self.any_will_do = False
        self.space = Space(machine, demand, book, policy)
        products = software_of(machine.guide, "volume_manager")
        self.manager = products[0].id if products else ""

    def holds(self) -> bool:
        """Whether any configuration breaks no limit; ends at the first."""
        self.any_will_do = True
        return self.run() is not None

    def run(self) -> Best | None:
        """The smallest configuration that breaks no limit, None where there is none.

        Where steps run out before any is found, advice is left aside and the search begun anew.
        """
        ground = Step("", None, self.space.ground).weight()
        allowed = self.steps
        self._descend(0, Choice(), ground, ())
        if self.best is None and not self.steps and self.policy.follow_advice == "where_free":
            self._without_advice(allowed)
        return self.best._replace(proven=self.steps > 0) if self.best else None

    def _without_advice(self, steps: int) -> None:
        policy = self.policy._replace(follow_advice="never")
        found = Search(self.machine, self.demand, self.book, policy, steps).run()
        if found is not None:
            cost = cost_of(found.facts, self.book, self.policy)
            self.best = found._replace(key=found.key._replace(advice=cost.advice, tight=cost.tight))

    def _descend(self, depth: int, choice: Choice, weight: Weight, names: tuple[str, ...]) -> None:
        if not self.steps or (self.any_will_do and self.best is not None):
            return
        self.steps -= 1
        if depth == len(self.space.dimensions):
            self._complete(choice, weight, names)
            return
        for step in self.space.dimensions[depth].of(choice):
            further, further_names = choice.after(step), (*names, step.name)
            more = heavier(weight, step.weight())
            bound = heavier(more, self.space.least[depth + 1])
            if step.boards or step.devices or step.field == "adapters":
                room = self._room(further, int(more[_DEVICES]), depth + 1)
                if not room.fits:
                    continue
                bound = heavier(bound, room.adapters)
            if self._hopeless(bound, further_names):
                continue
            if step.field == "adapters":
                placement = self.space.placed(further)
                if placement is None:
                    continue
                cost = placement.cost.plus(self.space.wired(further, placement))
                more = heavier(more, Step("", None, cost).weight())
                if self._hopeless(heavier(more, self.space.least[depth + 1]), further_names):
                    continue
            self._descend(depth + 1, further, more, further_names)

    def _room(self, choice: Choice, devices: int, depth: int) -> _Room:
        """Whether boards and devices fit, and the least adapters that the devices still need."""
        left = dict(self.machine.free_slots)
        channels = len(self.machine.platform.list("builtin_disk_busses"))
        for board in choice.boards():
            row = self.machine.boards[board]
            bus = row.text("bus")
            left[bus] -= slot_need(row)
            channels += len(row.list("disk_busses"))
        fits = min(left.values(), default=0) >= 0
        limit = self.space.devices_a_channel
        devices += self.space.fewest_devices[depth]
        if limit is None or devices <= limit * channels:
            return _Room(fits, NOTHING)
        if not limit or not self.machine.channels_a_board:
            return _Room(False, NOTHING)
        needed = ceil((ceil(devices / limit) - channels) / self.machine.channels_a_board)
        adapters_to_come = depth <= self.space.adapters_at
        if not adapters_to_come or needed > sum(left.values()):
            return _Room(False, NOTHING)
        only_adapters = depth > self.space.networks_until
        return _Room(
            fits, Step("", None, boards=("",) * needed).weight() if only_adapters else NOTHING
        )

    def _hopeless(self, weight: Weight, names: tuple[str, ...]) -> bool:
        if weight[0]:
            return True
        if self.best is None:
            return False
        found = (0, *self.best.key.numbers())
        if weight != found:
            return weight > found
        return names > self.best.key.names[: len(names)]

    def _complete(self, choice: Choice, weight: Weight, names: tuple[str, ...]) -> None:
        placement = self.space.placed(choice)
        system = self._system(choice, placement) if placement else None
        if system is None:
            return
        load, facts = facts_under(self.demand, system, self.machine.guide, self.book)
        cost = cost_of(facts, self.book, self.policy)
        true = (*cost, *weight[len(cost) :])
        if self._hopeless(true, names):
            return
        _, advice, tight, boards, devices, installed_mb, memory_mb, options = true
        rank = self.machine.platform.number("rank")
        key = Key(
            rank, int(advice), int(tight), int(boards), int(devices), installed_mb, memory_mb,
            int(options), names,
        )  # fmt: skip
        self.best = Best(key, system, load, facts)

    def _system(self, choice: Choice, placement: Placement) -> System | None:
        boards = slotted(self.machine, choice)
        if boards is None:
            return None
        software = {choice.gathering, choice.backup_software} - {""}
        if self.manager and any(store.copies > 1 for store in choice.stores):
            software.add(self.manager)
        rows, _, _ = self.space.lots.of(choice)
        return assemble(
            self.machine, choice, boards, placement, rows, self.space.pools,
            self.demand.size_for, tuple(software), self.manager,
        )  # fmt: skip
