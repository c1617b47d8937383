"""Finds the smallest configuration of one machine, best bound first.

Choices are made one after another. What a choice adds to the key is known as soon as it is made:
its boards, devices and options, and the findings that it alone decides, because rules are judged
on facts of which everything not yet chosen is unknown, and a rule that is broken then stays
broken. The sum over the choices made, and over the least that the rest must add, bounds the key
from below. The open choice with the least bound is continued first, so that the first complete
configuration that no bound is below is the smallest.
"""

from __future__ import annotations

from functools import cached_property
from heapq import heappop, heappush
from itertools import count, cycle
from typing import Any, NamedTuple

from sizewright.configuration.model import System
from sizewright.demand.model import Demand
from sizewright.evaluate.findings import cost_of, costs_of, count_broken_limits
from sizewright.evaluate.system import facts_under
from sizewright.facts.derive import Facts, work_facts
from sizewright.limits import (
    INSISTED,
    ITEMS_A_STEP,
    SEARCH_STEPS,
    STEPS_OF_START,
    STEPS_OF_WHOLE,
    STRAIGHT_EVERY,
)
from sizewright.load.derive import add_pace, derive_demanded
from sizewright.load.model import Load
from sizewright.planner.assembly import assemble
from sizewright.planner.choice import (
    NOTHING,
    Objective,
    ObjectiveVector,
    PartialSolution,
    Size,
    Step,
    heavier,
    size_of,
    weight_of,
)
from sizewright.planner.frontier import Frontier, Node, Open
from sizewright.planner.parts import Machine, volume_manager
from sizewright.planner.placement import Placement
from sizewright.planner.planning import Effort, Planning
from sizewright.planner.search_space import SearchSpace
from sizewright.planner.storage import EvaluatedDisks
from sizewright.planner.structural_limits import Shortfall
from sizewright.setup.installation import install


class Incumbent(NamedTuple):
    """The smallest configuration found, with its key, load and facts, and the choices made.

    `broken` limits are those of a machine that is refused.
    """

    key: Objective
    choice: PartialSolution
    system: System
    load: Load
    facts: Facts
    broken: int = 0


class _Candidate(NamedTuple):
    """Choices beside those of disks, the ways to store the data with them, and which is next."""

    bound: ObjectiveVector
    names: tuple[str, ...]
    number: int
    system: Node
    storage: Frontier
    at: int = 0


class _Judged(NamedTuple):
    """A whole configuration with its load and facts, but for the time of its runs."""

    system: System
    load: Load
    facts: Facts


class _Whole(NamedTuple):
    """Choices that are complete; with the time of its runs the configuration weighs no less.

    Without `judged` it has not been evaluated yet, because another one may be smaller.
    """

    bound: ObjectiveVector
    names: tuple[str, ...]
    number: int
    choice: PartialSolution
    weight: ObjectiveVector
    placement: Placement
    judged: _Judged | None = None


def run_within(
    effort: Effort | None, search: Search, bound: Incumbent | None = None
) -> Incumbent | None:
    """Return what a search finds within the steps that are left of all for one answer."""
    if effort is None:
        return search.run(bound)
    search.steps = permitted = effort.of_search
    found = search.run(bound)
    effort.spend(permitted + STEPS_OF_START, search.steps, search.bound is None)
    return found


def steps_of_whole(demand: Demand) -> int:
    """Return the steps that take as long as the evaluation of one configuration for a demand."""
    return STEPS_OF_WHOLE + (len(demand.volumes) + len(demand.services)) // ITEMS_A_STEP


class Search:
    """The search over one machine's choices."""

    def __init__(
        self,
        machine: Machine,
        demand: Demand,
        planning: Planning,
        steps: int = SEARCH_STEPS,
        refused: bool = False,
        evaluated: EvaluatedDisks | None = None,
        hot_as_guests: bool = False,
        lending: bool = True,
    ) -> None:
        """If a machine is `refused`, the search is for one that breaks the fewest limits.

        If the policy `weighs_over`, it is for the one of these that exceeds them least. Disks that
        were `evaluated` for another machine are not evaluated again. If `hot_as_guests`, only ways
        count that have data in frequent use on disks of larger data. Owned disks without data of
        their own lend room to no other data unless they are `lending`.
        """
        self.refused = refused
        self.machine = machine
        self.demand = demand
        self.rule_set, self.policy = planning.rule_set, planning.policy
        self.best: Incumbent | None = None
        self._bound: Incumbent | None = None
        self._found: ObjectiveVector = NOTHING
        self.steps = steps
        self.any_will_do = False
        # What weighs less if there is a cheaper placement than the one that was found.
        self._unplaced: list[ObjectiveVector] = []
        self._rest: ObjectiveVector | None = None
        self._candidates: list[_Candidate] = []
        self._wholes: list[_Whole] = []
        self._storages: dict[Any, Frontier] = {}
        self._numbers = count()
        self._advances = 0
        self._systems: set[tuple[str, ...]] = set()
        self.space = SearchSpace(machine, demand, planning, evaluated, hot_as_guests, lending)
        self._work = self.space.shelf.work
        self._counted = self._work.steps
        more = machine.processors - min(machine.platform.list("processor_counts") or (1,))
        there = machine.base
        self.ground = Step("", None, self.space.ground, there, options=more).weight()
        self.manager = volume_manager(machine.guide)

    def look_at(self, choice: PartialSolution) -> None:
        """Look first at choices that were made on a machine of the same platform."""
        self._complete(Node(choice, self.ground), Node(choice))

    def run(self, bound: Incumbent | None = None) -> Incumbent | None:
        """The smallest configuration that breaks no limit, None where there is none.

        One of another machine may be its `bound`: then only what is smaller is of interest, or what
        breaks fewer limits.
        """
        if bound is not None:
            self.best = bound
            self._found = (bound.broken, 0, *bound.key.size)
        self._bound = bound
        if any(each.none for each in self.space.dimensions) or self._is_dominated(self.least):
            return self.best if self.best is not self._bound else None
        space = self.space
        systems = Frontier(
            space.dimensions[: space.stores_at], space.least_after,
            Node(PartialSolution(), self.ground, self.least), self._taken,
        )  # fmt: skip
        ahead = False
        # Now and then the search goes straight on, for as many turns as two systems have choices.
        turns = cycle([False] * 2 * space.stores_at + [True] * 2 * space.stores_at)
        while not self._over():
            least = systems.bound
            # The smallest systems may have too few channels, however data is stored on them. So
            # until something is found, the search looks at larger ones every other time.
            ahead = bool(self._candidates) and not self._any_found and not ahead
            # Nor has it to end without anything, where many systems are equally small.
            straight = next(turns) and not self._any_found
            open_ = least is not None and not self._is_dominated(least)
            next_ = self._candidates and (least is None or self._candidates[0].bound < least)
            coming = self._candidates[0].bound if next_ else least if open_ else None
            if self._wholes and (coming is None or self._wholes[0].bound <= coming):
                self._settle(heappop(self._wholes))
            elif self._candidates and (straight or (next_ and not (ahead and open_))):
                self._store(heappop(self._candidates))
            elif open_:
                self._spend(1)
                system = systems.advance(straight)
                candidate = system and self._candidate(system)
                if candidate and ahead:
                    self._store(candidate)
                elif candidate:
                    heappush(self._candidates, candidate)
            else:
                break
        while self._wholes:
            self._settle(heappop(self._wholes))
        self._rest = systems.bound
        return self.best if self.best is not self._bound else None

    def _candidate(self, system: Node) -> _Candidate | None:
        """Return a system without disks as a candidate, None if it cannot be the smallest.

        One that was found ahead of its turn is a candidate once.
        """
        if system.names in self._systems:
            return None
        self._systems.add(system.names)
        key = self.space.storage_key(system.choice)
        storage = self._storages.get(key)
        if storage is None:
            space = self.space
            first = Node(system.choice, bound=space.least_after[space.stores_at].bound(NOTHING))
            storage = self._storages[key] = Frontier(
                space.dimensions[space.stores_at :], space.least_after[space.stores_at :], first,
                self._stored,
            )  # fmt: skip
        number = next(self._numbers)
        return self._bounded(_Candidate(system.bound, system.names, number, system, storage))

    def _push(self, candidate: _Candidate) -> None:
        """Keep a candidate if it may still be the smallest."""
        bounded = self._bounded(candidate)
        if bounded is not None:
            heappush(self._candidates, bounded)

    def _bounded(self, candidate: _Candidate) -> _Candidate | None:
        """Return a candidate with the bound of the next way to store its data."""
        storage, system = candidate.storage, candidate.system
        ready = storage.found[candidate.at :]
        bound = ready[0].bound if ready else storage.bound
        if bound is not None:
            bound = max(candidate.bound, heavier(system.weight, bound))
            if not self._is_pruned(bound, candidate.names):
                return candidate._replace(bound=bound)
        return None

    def _store(self, candidate: _Candidate) -> None:
        """Look at the next way to store the data of a candidate, or search for it."""
        storage, at = candidate.storage, candidate.at
        if at < len(storage.found):
            self._complete(candidate.system, storage.found[at])
            self._push(candidate._replace(at=at + 1))
            return
        bound = storage.bound
        if bound is None or heavier(candidate.system.weight, bound) > candidate.bound:
            self._push(candidate)
            return
        self._spend(1)
        early = storage.advance()
        # Until something is found, and now and then afterwards, the search goes straight to a
        # whole configuration, so that one is there if steps run out.
        self._advances += 1
        straight = not self._any_found or self._advances % STRAIGHT_EVERY == 0
        straight = straight and early is None and storage.bound is not None
        # Where most options fail, larger systems are looked at before the rest of them.
        turns = 2 * len(storage.dimensions)
        while straight and turns and not self._over():
            turns -= 1
            self._spend(1)
            early = storage.advance(straight=True)
            ahead = storage.ahead
            bound = ahead and heavier(candidate.system.weight, ahead)
            straight = bound is not None and not self._is_dominated(bound)
        if early is not None and len(storage.found) <= at:
            self._complete(candidate.system, early)
        self._push(candidate)

    @cached_property
    def least(self) -> ObjectiveVector:
        """No configuration of the machine weighs less, if there is any."""
        if any(each.none for each in self.space.dimensions):
            return self.ground
        bounds = self.space.bounds
        cost = bounds.floor.cost(PartialSolution()).plus(bounds.least_served())
        weight = heavier(self.ground, weight_of(cost))
        if self._is_dominated(weight):
            # Nothing is looked for then, so that the rest of the bound is not worth its time.
            return weight
        return self.space.least(PartialSolution(), 0).bound(weight)

    @property
    def bound(self) -> Size | None:
        """No configuration is smaller, though the search stopped early; None if it did not.

        A search that ends early may have proven all the same that nothing smaller is left.
        """
        open_ = [*self._unplaced, *(each.bound for each in self._candidates)]
        if self._rest is not None:
            open_.append(self._rest)
        if self.steps:
            open_ = self._unplaced
        least = min(open_, default=None)
        proven = least is None or (self.best is not None and least >= self._found)
        return None if least is None or proven else size_of(least)

    @property
    def _any_found(self) -> bool:
        return bool(self._wholes) or self.best is not self._bound

    def _taken(self, open_: Open) -> Node | None:
        """A system with one choice more, None where that cannot be better than the best."""
        return self._with(open_, len(open_.names))

    def _stored(self, open_: Open) -> Node | None:
        """The same for a way to store the data, which is shared by several systems."""
        return self._with(open_, self.space.stores_at + len(open_.names))

    def _with(self, open_: Open, depth: int) -> Node | None:
        assert open_.option is not None
        choice = open_.partial.choice.after(open_.option.step)
        weight = heavier(open_.partial.weight, open_.option.weight)
        least, bound, whole = self.space.least(choice, depth), open_.bound, weight
        for added in self.space.bounds.added(choice, depth):
            if isinstance(added, Shortfall):
                return None
            whole = heavier(whole, added)
            bound = least.bound(whole, bound)
            if self._is_dominated(bound):
                return None
        if depth > self.space.stores_at:
            self._spend(1)
        return Node(choice, weight, bound, open_.names)

    def _spend(self, steps: int) -> None:
        """Count some steps, and other work that was done since the last ones."""
        more = int(self._work.steps - self._counted)
        self._counted += more
        self.steps -= min(self.steps, steps + more)

    def _over(self) -> bool:
        return not self.steps or (self.any_will_do and self.best is not None)

    def _is_pruned(self, weight: ObjectiveVector, names: tuple[str, ...]) -> bool:
        if self._is_dominated(weight):
            return True
        if self.best is None or weight != self._found:
            return False
        return names > self.best.key.names[: len(names)]

    def _is_dominated(self, weight: ObjectiveVector) -> bool:
        if self.refused:
            return self.best is not None and weight[:2] >= self._found[:2]
        return weight[0] > 0 or (self.best is not None and weight > self._found)

    def _complete(self, chosen: Node, stored: Node) -> None:
        """Judge a system with one way to store its data."""
        choice = chosen.choice.storing(stored.choice)
        weight = heavier(chosen.weight, stored.weight)
        names = (*chosen.names, *stored.names)
        if self._is_pruned(weight, names):
            return
        if not self.space.bounds.placed(choice).is_proven:
            self._unplaced.append(weight)
        placement = self.space.bounds.arranged(choice)
        if placement is None:
            return
        cost = placement.cost.plus(self.space.bounds.wired(choice, placement))
        bound = heavier(weight, weight_of(cost))
        if self._is_pruned(bound, names):
            return
        whole = _Whole(bound, names, next(self._numbers), choice, weight, placement)
        if self._wholes and self._wholes[0] < whole:
            heappush(self._wholes, whole)
        else:
            self._settle(whole)

    def _settle(self, whole: _Whole) -> None:
        """Evaluate a whole configuration, and keep it if it is the smallest.

        How long its runs take is calculated last: it costs the most time and adds to no budget.
        """
        if self._is_pruned(whole.bound, whole.names):
            return
        if whole.judged is None:
            judged = self._judged(whole)
            if judged is None:
                return
            whole = judged
            if self.demand.operations and not (self.any_will_do or self.refused):
                heappush(self._wholes, whole)
                return
        self._keep(whole)

    def _judged(self, whole: _Whole) -> _Whole | None:
        """Return a configuration evaluated, all but how long its runs take; None if it is worse."""
        system = self._system(whole.choice, whole.placement)
        if system is None:
            return None
        self._spend(steps_of_whole(self.demand))
        guide = self.machine.guide
        load = derive_demanded(self.demand, system, guide, self.space.usage)
        system = install(system, load.usage, guide)
        facts = facts_under(system, load, guide, self.rule_set)
        cost = cost_of(costs_of(facts, self.rule_set, self.policy))
        bound = (*cost, *whole.weight[len(cost) :])
        if (cost.broken and not self.refused) or self._is_pruned(bound, whole.names):
            return None
        return whole._replace(bound=bound, judged=_Judged(system, load, facts))

    def _keep(self, whole: _Whole) -> None:
        """Keep an evaluated configuration unless the time of its runs counts too much."""
        weight, names, _, choice, *_, judged = whole
        assert judged is not None
        system, load, facts = judged
        load = add_pace(load, self.demand, system, self.machine.guide)
        if load.works:
            facts = facts._replace(works=tuple(map(work_facts, load.works)))
            cost = cost_of(costs_of(facts, self.rule_set, self.policy, "work"))
            weight = heavier(weight, weight_of(cost))
            if (cost.broken and not self.refused) or self._is_pruned(weight, names):
                return
        key = Objective(self.machine.platform.number("rank"), size_of(weight), names)
        self.best = Incumbent(key, choice, system, load, facts, int(weight[0]))
        self._found = weight
        # A machine that is refused breaks one limit at least, beside advice that is insisted on.
        if self.refused and not self.policy.weighs_over and self.best.broken < INSISTED:
            broken = count_broken_limits(costs_of(facts, self.rule_set, self.policy))
            self.any_will_do = broken <= 1

    def _system(self, choice: PartialSolution, placement: Placement) -> System | None:
        boards = self.space.bounds.boards(choice)
        if boards is None:
            return None
        software = {choice.gathering, choice.backup_software, choice.tuning_software} - {""}
        rows, _ = self.space.devices.of(choice)
        system = assemble(
            self.machine, choice, boards, placement, rows, self.space.pools,
            self.demand.size_for, tuple(software), self.manager,
        )  # fmt: skip
        return system._replace(databases=self.demand.databases)
