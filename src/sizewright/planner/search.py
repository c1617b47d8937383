"""Finds the smallest configuration of one machine, by branch and bound over its choices.

Choices are made one after another. What a choice adds to the key is known as soon as it is made:
its boards, devices and options, and the findings that it alone decides, because rules are judged
on facts of which everything not yet chosen is unknown, and a rule that is broken then stays
broken. The sum over the choices made, and over the least that the rest must add, bounds the key
from below; a branch that cannot beat the best complete configuration is cut.
"""

from __future__ import annotations

from typing import NamedTuple

from sizewright.configuration.model import System
from sizewright.demand.model import Demand
from sizewright.facts.given import Facts
from sizewright.facts.work import work_facts
from sizewright.limits import (
    DEVICES_A_STEP,
    FRUITLESS_PLACEMENTS,
    SEARCH_STEPS,
    STEPS_OF_WHOLE,
)
from sizewright.load.activity import with_activity
from sizewright.load.model import Load
from sizewright.load.place import demanded_of, with_paces
from sizewright.planner.assemble import assemble, slotted
from sizewright.planner.choice import NOTHING, Choice, Key, Step, Weight, heavier
from sizewright.planner.dimensions import CHOSEN_LAST, Space
from sizewright.planner.judge import broken_rules, cost_of, costs_of, facts_under
from sizewright.planner.outlook import NEVER
from sizewright.planner.parts import Machine, accelerators_for, software_of
from sizewright.planner.placement import Placement
from sizewright.planner.policy import Cost, Policy
from sizewright.rules.book import SYSTEM, RuleBook
from sizewright.setup.installed import set_up


class Best(NamedTuple):
    """The smallest configuration found, with its key, load and facts, and the choices made."""

    key: Key
    choice: Choice
    system: System
    load: Load
    facts: Facts


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
        self._bound: Best | None = None
        self._found: Weight = NOTHING
        self.steps = self.allowed = steps
        self.any_will_do = False
        self._placing = False
        self._skipped = False
        # Whether nothing that is chosen after the adapters mends what is broken.
        self._to_adapters = False
        self.space = Space(machine, demand, book, policy)
        more = machine.processors - min(machine.platform.list("processor_counts") or (1,))
        there = machine.base
        cost = self.space.ground.plus(Cost(excess=self.space.floor.excess()))
        self.ground = Step("", None, cost, there, options=more).weight()
        products = software_of(machine.guide, "volume_manager")
        self.manager = products[0].id if products else ""

    def any(self) -> Best | None:
        """The first configuration found that breaks no limit."""
        self.any_will_do = True
        return self.run()

    def run(self, bound: Best | None = None) -> Best | None:
        """The smallest configuration that breaks no limit, None where there is none.

        One of another machine of the same rank may be its `bound`: then only what is smaller is of
        interest. Where steps run out before any is found, advice is left aside and the search begun
        anew, if it can have been in the way: devices were placed, but nothing whole was looked at.
        """
        if bound is not None:
            self._keep(bound)
        self._bound = bound
        if any(each.none for each in self.space.dimensions) or self._beaten(self.least):
            return None
        if self.space.floor.broken(Choice()):
            return None
        self._descend(0, Choice(), self.ground, ())
        stuck = self._placing and not self._any_found and not self.steps
        if stuck and self.policy.follow_advice == "where_free":
            self._without_advice(self.allowed)
        if self._any_found and self.cut_short and not self.any_will_do:
            self._other_accelerators()
        return self.best if self._any_found else None

    def _other_accelerators(self) -> None:
        """Keep the best with another write accelerator where that is better.

        Which bus the disks' adapters are on is known late, so that a search that is cut short may
        end before it has tried the accelerator for that bus.
        """
        assert self.best is not None
        chosen, names = self.best.choice, self.best.key.names
        for row in accelerators_for(self.machine) if chosen.accelerator else ():
            old = chosen.accelerator and chosen.accelerator.id
            swapped = tuple(row.id if name == old else name for name in names)
            if row.id != old:
                self._complete(chosen._replace(accelerator=row), self._found, swapped)

    @property
    def least(self) -> Weight:
        """No configuration of the machine weighs less."""
        return heavier(self.ground, self.space.least[0])

    @property
    def cut_short(self) -> bool:
        """Whether it ran out of steps or left out adapters, so that more may be to be found."""
        return not self.steps or self._skipped

    @property
    def _any_found(self) -> bool:
        return self.best is not self._bound

    def _without_advice(self, steps: int) -> None:
        policy = self.policy._replace(follow_advice="never")
        search = Search(self.machine, self.demand, self.book, policy, steps)
        found = search.any() if self.any_will_do else search.run()
        if found is not None:
            cost = cost_of(costs_of(found.facts, self.book, self.policy))
            key = found.key._replace(advice=cost.advice, tight=cost.tight)
            if self.best is None or key < self.best.key:
                self._keep(found._replace(key=key))

    def _keep(self, best: Best) -> None:
        self.best = best
        self._found = (0, *best.key.numbers())

    def _descend(self, depth: int, choice: Choice, weight: Weight, names: tuple[str, ...]) -> None:
        if self._over():
            return
        self.steps -= 1
        if depth == len(self.space.dimensions):
            self._complete(choice, weight, names)
            return
        dimension = self.space.dimensions[depth]
        least = self.space.least[depth + 1]
        fruitless = 0
        for added, name, step in dimension.of(choice):
            further_names = (*names, name)
            more = heavier(weight, added)
            bound = heavier(more, least)
            if self._hopeless(bound, further_names):
                if self._beaten(bound) and not dimension.in_turn:
                    return
                continue
            further = choice.after(step)
            if self.space.floor.broken_by(step, further):
                continue
            if depth <= self.space.adapters_at and (
                step.boards or step.devices or step.field == "adapters"
            ):
                room = self._room(further, depth + 1)
                if room is None or self._hopeless(heavier(bound, room), further_names):
                    continue
            if step.field == "adapters":
                fruitless += self._any_found
                if fruitless > FRUITLESS_PLACEMENTS:
                    self._skipped = True
                    return
                placement = self._placed(further)
                if placement is None:
                    continue
                cost = placement.cost.plus(self.space.wired(further, placement))
                more = heavier(more, Step("", None, cost).weight())
                if self._hopeless(heavier(more, least), further_names):
                    continue
            before = self.best
            self._descend(depth + 1, further, more, further_names)
            fruitless = fruitless if self.best is before else 0
            if self._over() or (self._to_adapters and depth > self.space.adapters_at):
                return
            self._to_adapters = False

    def _over(self) -> bool:
        return not self.steps or (self.any_will_do and self.best is not None)

    def _placed(self, choice: Choice) -> Placement | None:
        self._placing = True
        self._charge(choice)
        return self.space.placed(choice)

    def _charge(self, choice: Choice) -> None:
        devices = sum(store.disks for store in choice.stores)
        self.steps -= min(self.steps, 1 + devices // DEVICES_A_STEP)

    def _room(self, choice: Choice, depth: int) -> Weight | None:
        """The least that devices add with adapters still to come, None where they do not fit."""
        prospect = self.space.prospect
        left = prospect.left(choice)
        if min(left.values(), default=0) < 0:
            return None
        self._charge(choice)
        prices = prospect.prices(choice, depth > self.space.adapters_at)
        (advice, tight), boards = min((price, n) for n, price in enumerate(prices))
        if (advice, tight) == NEVER:
            return None
        if depth < self.space.networks_until:
            boards = 0
        cost = Cost(advice=int(advice), tight=int(tight))
        return Step("", None, cost, boards=("",) * boards).weight()

    def _hopeless(self, weight: Weight, names: tuple[str, ...]) -> bool:
        if self._beaten(weight):
            return True
        if self.best is None or weight != self._found:
            return False
        return names > self.best.key.names[: len(names)]

    def _beaten(self, weight: Weight) -> bool:
        return weight[0] > 0 or (self.best is not None and weight > self._found)

    def _complete(self, choice: Choice, weight: Weight, names: tuple[str, ...]) -> None:
        placement = self.space.placed(choice)
        system = self._system(choice, placement) if placement else None
        if system is None:
            return
        self.steps -= min(self.steps, STEPS_OF_WHOLE)
        guide = self.machine.guide
        usage = with_activity(self.space.usage, self.demand, system, guide)
        system = set_up(system, usage, guide)
        load = demanded_of(self.demand, system, guide)
        facts = facts_under(usage, system, load, guide, self.book)
        true = self._judged(facts, weight)
        if true is None or self._hopeless(true, names):
            return
        # What runs take is calculated last: it costs the most time and adds to no budget.
        load = with_paces(load, self.demand, system, guide)
        if load.works:
            facts = facts._replace(works=tuple(map(work_facts, load.works)))
            true = self._judged(facts, weight)
            if true is None or self._hopeless(true, names):
                return
        _, excess, advice, tight, boards, devices, installed_mb, memory_mb, options, unrelieved = (
            true
        )
        rank = self.machine.platform.number("rank")
        key = Key(
            rank, int(excess), int(advice), int(tight), int(boards), int(devices), installed_mb,
            memory_mb, int(options), int(unrelieved), names,
        )  # fmt: skip
        self._keep(Best(key, choice, system, load, facts))

    def _judged(self, facts: Facts, weight: Weight) -> Weight | None:
        """What a whole configuration weighs, None if it breaks a limit."""
        costs = costs_of(facts, self.book, self.policy)
        broken = broken_rules(costs)
        if broken:
            self._to_adapters = not any(rule.facts_of(SYSTEM) & CHOSEN_LAST for rule in broken)
            return None
        cost = cost_of(costs)
        return (*cost, *weight[len(cost) :])

    def _system(self, choice: Choice, placement: Placement) -> System | None:
        boards = slotted(self.machine, choice)
        if boards is None:
            return None
        software = {choice.gathering, choice.backup_software, choice.tuning_software} - {""}
        rows, _ = self.space.lots.of(choice)
        system = assemble(
            self.machine, choice, boards, placement, rows, self.space.pools,
            self.demand.size_for, tuple(software), self.manager,
        )  # fmt: skip
        return system._replace(databases=self.demand.databases)
