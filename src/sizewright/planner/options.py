"""The options of one choice, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import NamedTuple

from sizewright.planner.choice import NOTHING, Choice, Step, Weight, heavier, raised

Allowed = Callable[[Choice, Step], bool]
Options = Callable[[Choice], Iterable[Step]]
Added = Callable[[Choice, Step], Step]


class Dimension:
    """One choice: its options, those with the least bound first, and the least that any adds.

    If what a step adds depends on earlier choices, `added` returns it; it is no less. Options that
    are `weighed` keep their order.
    """

    def __init__(
        self, steps: Iterable[Step] = (), allowed: Allowed | None = None,
        options: Options | None = None, weighed: Ordered | None = None, added: Added | None = None,
    ) -> None:  # fmt: skip
        self.steps = ordered(steps)
        self.allowed = allowed
        self.options = options
        self.weighed = weighed
        self.added = added
        weights = [each.weight for each in self.steps]
        # What the option adds that adds least, and what each option adds of each part.
        self.least = weights[0] if weights else NOTHING
        self.least_parts = tuple(map(min, *weights)) if len(weights) > 1 else self.least
        self.fewest_devices = min((s.step.devices for s in self.steps), default=0)

    @property
    def none(self) -> bool:
        """Whether there is no option, whatever is chosen before."""
        return self.options is None and self.weighed is None and not self.steps

    def of(self, choice: Choice) -> Iterable[Weighed]:
        """The options left after the choices made so far."""
        if self.weighed is not None:
            return self.weighed(choice)
        if self.options is not None:
            return ordered(self.options(choice))
        allowed, added = self.allowed, self.added
        if added is not None:
            steps = (each.step for each in self.steps)
            return ordered(
                added(choice, step) for step in steps if not allowed or allowed(choice, step)
            )
        if allowed is None:
            return self.steps
        return (each for each in self.steps if allowed(choice, each.step))


class Least(NamedTuple):
    """The least that choices add in all: their whole weight, and each part by itself."""

    whole: Weight
    parts: Weight

    def bound(self, weight: Weight, bound: Weight = NOTHING, more: Weight = NOTHING) -> Weight:
        """Return what these and choices of a weight weigh at least, if no less than a bound.

        `more` is what they need beyond the sum of what each needs by itself.
        """
        whole = max(bound, heavier(weight, self.whole))
        return raised(whole, heavier(heavier(weight, self.parts), more))


class Weighed(NamedTuple):
    """A step with its part of the key, and with the least that it makes the whole add."""

    ahead: Weight
    name: str
    step: Step
    weight: Weight


Ordered = Callable[[Choice], Iterable[Weighed]]


def ordered(steps: Iterable[Step]) -> tuple[Weighed, ...]:
    """The steps with their weights, lightest first."""
    weighed = [Weighed(weight := step.weight(), step.name, step, weight) for step in steps]
    return tuple(sorted(weighed, key=itemgetter(0, 1)))
