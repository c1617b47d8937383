"""The options of one choice, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import NamedTuple

from sizewright.planner.choice import NOTHING, Choice, Step, Weight

Allowed = Callable[[Choice, Step], bool]
Options = Callable[[Choice], Iterable[Step]]
Added = Callable[[Choice, Step], Step]


class Dimension:
    """One choice: its options, lightest first unless `in_turn`, and the least that any adds.

    Where it hangs on earlier choices what a step adds, `added` tells it, which is no less.
    """

    def __init__(
        self, steps: Iterable[Step] = (), allowed: Allowed | None = None,
        options: Options | None = None, in_turn: bool = False, added: Added | None = None,
    ) -> None:  # fmt: skip
        self.steps = _ordered(steps)
        self.allowed = allowed
        self.options = options
        self.in_turn = in_turn
        self.added = added
        self.least = self.steps[0].weight if self.steps else NOTHING
        self.fewest_devices = min((s.step.devices for s in self.steps), default=0)

    @property
    def none(self) -> bool:
        """Whether there is no option, whatever is chosen before."""
        return self.options is None and not self.steps

    def of(self, choice: Choice) -> Iterable[Weighed]:
        """The options left after the choices made so far."""
        if self.in_turn and self.options is not None:
            return (Weighed(step.weight(), step.name, step) for step in self.options(choice))
        if self.options is not None:
            return _ordered(self.options(choice))
        allowed, added = self.allowed, self.added
        if added is not None:
            steps = (each.step for each in self.steps)
            return _ordered(
                added(choice, step) for step in steps if not allowed or allowed(choice, step)
            )
        if allowed is None:
            return self.steps
        return (each for each in self.steps if allowed(choice, each.step))


class Weighed(NamedTuple):
    """A step with its part of the key."""

    weight: Weight
    name: str
    step: Step


def _ordered(steps: Iterable[Step]) -> list[Weighed]:
    weighed = [Weighed(step.weight(), step.name, step) for step in steps]
    return sorted(weighed, key=itemgetter(0, 1))
