"""Makes one choice after another, best bound first, and yields complete choices in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from sizewright.planner.choice import NOTHING, Choice, Weight, heavier
from sizewright.planner.options import Dimension, Least, Weighed


class Partial(NamedTuple):
    """Some choices, what they weigh, and the least that all that continues them weighs."""

    choice: Choice
    weight: Weight = NOTHING
    bound: Weight = NOTHING
    names: tuple[str, ...] = ()


class Open(NamedTuple):
    """What is to be looked at next: an option for a partial configuration, and those after it.

    Without an `option` it is the configuration itself, which is complete.
    """

    bound: Weight
    names: tuple[str, ...]
    number: int
    partial: Partial
    option: Weighed | None
    others: Iterator[Weighed]


Taken = Callable[[Open], Partial | None]


class Frontier:
    """All ways to make some choices; `found` are the complete ones so far, smallest first.

    `least` is per choice the least that it and those after it add. `taken` makes a choice; it
    returns the partial configuration with its bound, or None if no configuration can come of it.
    """

    def __init__(
        self, dimensions: Sequence[Dimension], least: Sequence[Least], first: Partial,
        taken: Taken,
    ) -> None:  # fmt: skip
        self.dimensions = dimensions
        self.least = least
        self.taken = taken
        self.found: list[Partial] = []
        self._numbers = count()
        self._open: list[Open] = []
        self._deeper = self._branch(first)

    @property
    def bound(self) -> Weight | None:
        """What comes next weighs no less; None if nothing does."""
        bounds = [each.bound for each in (*self._open[:1], *filter(None, [self._deeper]))]
        return min(bounds, default=None)

    @property
    def ahead(self) -> Weight | None:
        """The bound of what comes next straight on from the last option; None if nothing does."""
        return None if self._deeper is None else self._deeper.bound

    def advance(self, straight: bool = False) -> Partial | None:
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

    def _branch(self, partial: Partial) -> Open | None:
        depth = len(partial.names)
        if depth == len(self.dimensions):
            number = next(self._numbers)
            return Open(partial.bound, partial.names, number, partial, None, iter(()))
        options: Iterable[Weighed] = self.dimensions[depth].of(partial.choice)
        return self._next(partial, iter(options))

    def _next(self, partial: Partial, options: Iterator[Weighed]) -> Open | None:
        option = next(options, None)
        if option is None:
            return None
        least = self.least[len(partial.names) + 1]
        bound = least.bound(heavier(partial.weight, option.ahead), partial.bound)
        names = (*partial.names, option.name)
        number = next(self._numbers)
        return Open(bound, names, number, partial, option, options)
