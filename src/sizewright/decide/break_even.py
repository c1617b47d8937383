"""For each figure that budgets hang on: the value at which a verdict flips, all else as it is.

The configuration is fixed, and so is which rules apply to it. Nothing is known here of what may be
stated: a share is moved beyond a whole as any other figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sizewright.decide.direction import Way, ways
from sizewright.decide.margin import AGAINST, Margin, margins
from sizewright.decide.search import change
from sizewright.decide.whatif import Leaf, Reckoned, WhatIf, scaled
from sizewright.evaluate.budgets import Budget
from sizewright.limits import BREAK_EVEN_FACTOR, BREAK_EVEN_STEPS
from sizewright.quantity import Quantity
from sizewright.rules.intervals import TOLERANCE


class Flip(NamedTuple):
    """A value of one leaf at which a verdict flips.

    `value` is that of the `end` of the leaf that counts, `factor` so many times what is assumed.
    The resource holds at most up to it (`at_most`) or at least from it, and `holds_now` or not; so
    do the others in `also`. It is `first` where no flip can lie between.
    """

    leaf: Quantity
    end: str
    value: float
    factor: float
    at_most: bool
    holds_now: bool
    resource: str
    also: tuple[str, ...]
    first: bool

    @property
    def distance(self) -> float:
        """How many times the assumed value the flip is away, up or down."""
        return max(self.factor, 1 / self.factor)


class BreakEven(NamedTuple):
    """The nearest flips of every leaf, up and down, the nearest first.

    `steady` leaves flip nothing while they are moved by `within` times, up or down; `at_zero` can
    not be moved so.
    """

    flips: tuple[Flip, ...]
    steady: int
    at_zero: int
    within: float


def break_even(budgets: Iterable[Budget], end: str) -> BreakEven:
    """What decides over the verdicts of budgets, at one end of their ranges."""
    known = margins(budgets, end)
    what = WhatIf(figure for margin in known for figure in margin.figures())
    flips: list[Flip] = []
    steady = at_zero = 0
    for leaf, figure in what.leaves.items():
        if figure.high == 0:
            at_zero += 1
            continue
        found = _Moved(what, leaf, figure, known, end).flips()
        steady += not found
        flips += found
    flips.sort(key=_nearest_first)
    return BreakEven(tuple(flips), steady, at_zero, BREAK_EVEN_FACTOR)


def _nearest_first(flip: Flip) -> tuple[object, ...]:
    # As far as digits are sure, so that rounding orders nothing.
    distance = float(f"{flip.distance:.9g}")
    return distance, flip.leaf.name, str(flip.leaf.source), flip.factor


class _Moved:
    """One leaf, moved up and down; and the budgets that hang on it."""

    def __init__(
        self, what: WhatIf, leaf: Leaf, figure: Quantity, known: Sequence[Margin], end: str
    ) -> None:
        self.what, self.leaf, self.figure, self.end = what, leaf, figure, end
        moving = ways(what, leaf)
        self.margins = [m for m in known if any(id(each) in moving for each in m.figures())]
        self.turning = any(m.way(moving) is Way.MAY_TURN for m in self.margins)
        self.held = {m.budget.resource: m.holds_about(_as_it_is) for m in self.margins}

    def flips(self) -> list[Flip]:
        """The nearest flip downwards and the nearest upwards."""
        found = (self._nearest(up) for up in (False, True))
        return [flip for flip in found if flip is not None]

    def _nearest(self, up: bool) -> Flip | None:
        before = 1.0
        for beyond in self._steps(up):
            now, ended = self._at(beyond), False
            if now is None:
                # The arithmetic has an end; what lies before it may still flip.
                beyond, _ = change(lambda factor: self._at(factor) is None, before, beyond)
                now, ended = self._at(beyond), True
            flipped = [m for m in self.margins if now and self._flipped(m.holds_about(now), m)]
            if flipped:
                return self._flip(before, beyond, flipped, up)
            if ended:
                return None
            before = beyond
        return None

    def _steps(self, up: bool) -> Iterator[float]:
        """The factors to try; one, far away, where no verdict can turn twice on the way."""
        steps = BREAK_EVEN_STEPS if self.turning else 1
        for step in range(1, steps + 1):
            away: float = BREAK_EVEN_FACTOR ** (step / steps)
            yield away if up else 1 / away

    def _flipped(self, holds: bool, margin: Margin) -> bool:
        return holds is not self.held[margin.budget.resource]

    def _at(self, factor: float) -> Reckoned | None:
        try:
            return self.what.under(self.leaf, lambda leaf: scaled(leaf, factor))
        except (ArithmeticError, ValueError):
            return None

    def _flip(self, before: float, beyond: float, flipped: list[Margin], up: bool) -> Flip:
        """The first flip between two factors, of budgets that have flipped at the second."""
        few = WhatIf(figure for margin in flipped for figure in margin.figures())

        def some(factor: float) -> bool:
            now = few.under(self.leaf, lambda leaf: scaled(leaf, factor))
            return any(self._flipped(m.holds(now), m) for m in flipped)

        last, first = change(some, before, beyond)
        # Where several flip at once, roundings let some of them come a little later.
        later = first * (1 + TOLERANCE) if up else first / (1 + TOLERANCE)
        now = few.under(self.leaf, lambda leaf: scaled(leaf, later))
        names = sorted(m.budget.resource for m in flipped if self._flipped(m.holds(now), m))
        resource = names[0]
        held = self.held[resource]
        at_most = up is held
        end = self.end if at_most else AGAINST[self.end]
        factor = last if held else first
        return Flip(
            self.figure, end, self.figure.at(end) * factor, factor, at_most, held, resource,
            tuple(name for name in names[1:] if self.held[name] is held), not self.turning,
        )  # fmt: skip


def _as_it_is(figure: Quantity) -> Quantity:
    return figure
