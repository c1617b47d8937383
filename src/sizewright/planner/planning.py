"""What all plans for a workload follow, and how long is searched for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sizewright.configuration.model import System
from sizewright.demand.model import Demand
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation, evaluate
from sizewright.guide.model import Guide
from sizewright.limits import FURTHER_STEPS, MISS_STEPS, REFUSED_STEPS, SEARCH_STEPS, STEPS_KEPT
from sizewright.rules.compiler import RuleSet

ProgressCallback = Callable[[str], None]


def unwatched(_doing: str) -> None:
    """Report nothing."""


class Work:
    """What a search has done beside taking steps, counted in steps that take as long."""

    def __init__(self) -> None:
        self.steps = 0.0


class Effort:
    """The steps of all searches for one answer, which are counted, so that it comes in time.

    `complete` is whether all searches so far went to their end.
    """

    def __init__(self, steps: int, each: int) -> None:
        """No search takes more than `each` has; when all steps are used up, it has a part of it."""
        self._left, self._each = steps, each
        self.complete = True

    @property
    def of_search(self) -> int:
        """Return the steps of the next search; each one has some, whatever earlier ones took."""
        return min(self._each, max(self._left, self._each // STEPS_KEPT))

    @property
    def is_spent(self) -> bool:
        """Return whether all steps are used up."""
        return self._left <= 0

    def spend(self, permitted: int, left: int, proven: bool = True) -> None:
        """Count the steps that a search took: those that it was permitted, without those left.

        It may leave something open with steps left, so that it is not `proven`.
        """
        self._left -= permitted - left
        self.complete = self.complete and left > 0 and proven


class Planning(NamedTuple):
    """The guide, rules and policy that all plans for a workload follow.

    `watch` is called with what is being tried. `effort` is for searches for what meets every limit,
    `refusals` for those that find why a machine does not; without them each search has its own.
    """

    guide: Guide
    rule_set: RuleSet
    policy: Policy
    watch: ProgressCallback = unwatched
    effort: Effort | None = None
    refusals: Effort | None = None

    def with_effort(self, steps: int = SEARCH_STEPS) -> Planning:
        """Return the same with one effort for all searches; any that it has already is kept."""
        if self.effort is not None:
            return self
        return self._replace(
            effort=Effort(steps, steps), refusals=Effort(REFUSED_STEPS, MISS_STEPS)
        )

    def without_advice(self) -> Planning:
        """Return the same with steps of its own, and without advice to follow where it is free."""
        policy = self.policy
        if policy.follow_advice == "where_free":
            policy = policy.without_advice()
        return self._replace(policy=policy, effort=Effort(FURTHER_STEPS, FURTHER_STEPS))

    @property
    def is_spent(self) -> bool:
        """Return whether all steps are used up that searches for one answer share."""
        return self.effort is not None and self.effort.is_spent

    @property
    def searched_to_end(self) -> bool:
        """Whether all searches so far were completed."""
        return self.effort is None or self.effort.complete

    def evaluate(self, demand: Demand, system: System) -> Evaluation:
        """Return a system with its load, budgets and findings."""
        return evaluate(demand, system, self.guide, self.rule_set, self.policy)
