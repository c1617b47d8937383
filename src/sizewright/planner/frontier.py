"""Makes one choice after another, best bound first, and yields complete choices in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count
from operator import itemgetter
from typing import NamedTuple

from sizewright.planner.choice import (
    NOTHING,
    ObjectiveVector,
    PartialSolution,
    Step,
    heavier,
    raised,
)

Allowed = Callable[[PartialSolution], Callable[[Step], bool]]
Added = Callable[[PartialSolution, Step], Step]


class Decision:
    """One choice: its options, those with the least bound first, and the least that any adds.

    Without `steps` of its own, `options` returns them in order. Only steps that are `allowed` after
    earlier choices are left. If what a step adds depends on earlier choices, `added` returns it; it
    is no less.
    """

    def __init__(
        self, steps: Iterable[Step] = (), allowed: Allowed | None = None,
        options: Options | None = None, added: Added | None = None,
    ) -> None:  # fmt: skip
        self.steps = ordered(steps)
        self.allowed = allowed
        self.options = options
        self.added = added
        weights = [each.weight for each in self.steps]
        # What the option adds that adds least, and what each option adds of each part.
        self.least = weights[0] if weights else NOTHING
        self.least_parts = tuple(map(min, *weights)) if len(weights) > 1 else self.least

    @property
    def none(self) -> bool:
        """Whether there is no option, whatever is chosen before."""
        return self.options is None and not self.steps

    def of(self, choice: PartialSolution) -> Iterable[Weighed]:
        """The options left after the choices made so far."""
        found = self.steps if self.options is None else self.options(choice)
        if self.allowed is not None:
            is_allowed = self.allowed(choice)
            found = (each for each in found if is_allowed(each.step))
        if self.added is None:
            return found
        added = self.added
        return ordered(added(choice, each.step) for each in found)


class Least(NamedTuple):
    """The least that choices add in all: their whole weight, and each part by itself."""

    whole: ObjectiveVector
    parts: ObjectiveVector

    def bound(self, weight: ObjectiveVector, bound: ObjectiveVector = NOTHING) -> ObjectiveVector:
        """Return what these and choices of a weight weigh at least, if no less than a bound."""
        whole = max(bound, heavier(weight, self.whole))
        return raised(whole, heavier(weight, self.parts))

    def with_more(self, more: ObjectiveVector) -> Least:
        """Return the same with what they need beyond the sum of what each needs by itself."""
        return self._replace(parts=heavier(self.parts, more))


class Weighed(NamedTuple):
    """A step with its part of the key, and with the least that it makes the whole add."""

    ahead: ObjectiveVector
    name: str
    step: Step
    weight: ObjectiveVector


Options = Callable[[PartialSolution], Iterable[Weighed]]


def ordered(steps: Iterable[Step]) -> tuple[Weighed, ...]:
    """The steps with their weights, lightest first."""
    weighed = [Weighed(weight := step.weight(), step.name, step, weight) for step in steps]
    return tuple(sorted(weighed, key=itemgetter(0, 1)))


class Node(NamedTuple):
    """Some choices, what they weigh, and the least that all that continues them weighs."""

    choice: PartialSolution
    weight: ObjectiveVector = NOTHING
    bound: ObjectiveVector = NOTHING
    names: tuple[str, ...] = ()


class Open(NamedTuple):
    """What is to be looked at next: an option for a partial configuration, and those after it.

    Without an `option` it is the configuration itself, which is complete.
    """

    bound: ObjectiveVector
    names: tuple[str, ...]
    number: int
    partial: Node
    option: Weighed | None
    others: Iterator[Weighed]


Taken = Callable[[Open], Node | None]


class Frontier:
    """All ways to make some choices; `found` are the complete ones so far, smallest first.

    `least` is per choice the least that it and those after it add. `taken` makes a choice; it
    returns the partial configuration with its bound, or None if no configuration can come of it.
    """

    def __init__(
        self, dimensions: Sequence[Decision], least: Sequence[Least], first: Node,
        taken: Taken,
    ) -> None:  # fmt: skip
        self.dimensions = dimensions
        self.least = least
        self.taken = taken
        self.found: list[Node] = []
        self._numbers = count()
        self._open: list[Open] = []
        self._deeper = self._branch(first)

    @property
    def bound(self) -> ObjectiveVector | None:
        """What comes next weighs no less; None if nothing does."""
        bounds = [each.bound for each in (*self._open[:1], *filter(None, [self._deeper]))]
        return min(bounds, default=None)

    @property
    def ahead(self) -> ObjectiveVector | None:
        """The bound of what comes next straight on from the last option; None if nothing does."""
        return None if self._deeper is None else self._deeper.bound

    def advance(self, straight: bool = False) -> Node | None:
        """Take one option, and return what is complete by it.

        Usually that is next in order, and is `found`. If the search goes `straight` on with the
        option that was taken last, smaller ones may still be open.
        """
        open_ = self._deeper if straight and self._deeper is not None else self._first()
        self._deeper = None
        if open_.option is None:
            self.found.append(open_.partial)
            return open_.partial
        rest = self._next(open_.partial, open_.others)
        partial = self.taken(open_)
        deeper = None if partial is None else self._branch(partial)
        if straight and deeper is None:
            self._deeper = rest
            return None
        if rest is not None:
            self._push(rest)
        if deeper is None:
            return None
        if straight and deeper.option is not None:
            self._deeper = deeper
            return None
        self._push(deeper)
        return deeper.partial if straight else None

    def _first(self) -> Open:
        if self._deeper is not None:
            self._push(self._deeper)
        return heappop(self._open)

    def _push(self, open_: Open) -> None:
        heappush(self._open, open_)

    def _branch(self, partial: Node) -> Open | None:
        depth = len(partial.names)
        if depth == len(self.dimensions):
            number = next(self._numbers)
            return Open(partial.bound, partial.names, number, partial, None, iter(()))
        options: Iterable[Weighed] = self.dimensions[depth].of(partial.choice)
        return self._next(partial, iter(options))

    def _next(self, partial: Node, options: Iterator[Weighed]) -> Open | None:
        option = next(options, None)
        if option is None:
            return None
        least = self.least[len(partial.names) + 1]
        bound = least.bound(heavier(partial.weight, option.ahead), partial.bound)
        names = (*partial.names, option.name)
        number = next(self._numbers)
        return Open(bound, names, number, partial, option, options)
