"""The values at which verdicts change: of each input, and of a load that grows."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import reduce
from math import inf, isclose
from typing import NamedTuple

from sizewright.demand.build import YEARS
from sizewright.evaluate.budgets import Budget, against_recommended
from sizewright.limits import BREAK_EVEN_FACTOR, BREAK_EVEN_STEPS, YEARS_AT_MOST
from sizewright.quantity import Quantity, set_to
from sizewright.rules.rule import Rule, Subjects
from sizewright.rules.values import TOLERANCE
from sizewright.sensitivity.what_if import Change, Leaf, WhatIf, scaled


class Monotonicity(Enum):
    """What a quantity does at both ends and at its likely value when a leaf grows."""

    STAYS = "stays"
    RISES = "rises"
    FALLS = "falls"
    MAY_TURN = "may turn"


_OPPOSITE = {Monotonicity.RISES: Monotonicity.FALLS, Monotonicity.FALLS: Monotonicity.RISES}


def opposite(way: Monotonicity) -> Monotonicity:
    """Return the direction of what is subtracted, or divides."""
    return _OPPOSITE.get(way, way)


def combined(monotonicities: Iterable[Monotonicity]) -> Monotonicity:
    """Return the direction of what rises with each of several quantities."""
    return reduce(_joined, monotonicities, Monotonicity.STAYS)


def _joined(a: Monotonicity, b: Monotonicity) -> Monotonicity:
    if Monotonicity.STAYS in (a, b):
        return b if a is Monotonicity.STAYS else a
    return a if a is b else Monotonicity.MAY_TURN


def monotonicities(what: WhatIf, leaf: Leaf) -> Mapping[int, Monotonicity]:
    """Return the direction of each quantity that depends on a leaf, by the quantity's identity.

    All others stay. The leaf itself is never less than 0.
    """
    found: dict[int, Monotonicity] = {}
    # A difference may become less than 0, and then reverse what it multiplies.
    may_sink: set[int] = set()
    for same in what.same(leaf):
        found[id(same)] = Monotonicity.RISES
    for figure in what.above(leaf):
        args = [found.get(id(arg), Monotonicity.STAYS) for arg in figure.args]
        if figure.op == "-" or any(id(arg) in may_sink for arg in figure.args):
            may_sink.add(id(figure))
        found[id(figure)] = _way(figure, args, may_sink)
    return found


def _way(figure: Quantity, args: list[Monotonicity], may_sink: set[int]) -> Monotonicity:
    op = figure.op
    if op in ("mean", "harmonic mean"):
        half = len(args) // 2
        weights = combined(args[half:])
        # The mean may turn if the weights change, in whichever direction.
        turning = weights if weights is Monotonicity.STAYS else Monotonicity.MAY_TURN
        return _joined(combined(args[:half]), turning)
    if op == "limited":
        value, limit, size, least = args
        # The size grows past the least, and the limit begins to count.
        return combined((value, limit, opposite(size), least))
    if op not in ("-", "*", "/", "^"):
        return combined(args)
    first, second = args
    if op == "-":
        return _joined(first, opposite(second))
    one, other = (id(arg) in may_sink or arg.low < 0 for arg in figure.args)
    # An operand whose sign is unknown may reverse the other's direction; and a quotient changes its
    # sign if the divisor passes 0.
    if (first is not Monotonicity.STAYS and other) or (second is not Monotonicity.STAYS and one):
        return Monotonicity.MAY_TURN
    if op == "/":
        if second is not Monotonicity.STAYS and other:
            return Monotonicity.MAY_TURN
        second = opposite(second)
    return _joined(first, second)


def change(says: Callable[[float], bool], before: float, beyond: float) -> tuple[float, float]:
    """Return two neighbouring numbers between which `verdict` changes from false to true.

    It must be false at `before` and true at `beyond`, which may be the smaller. If it changes more
    than once, one of the changes is found.
    """
    while True:
        middle = before + (beyond - before) / 2
        if middle in (before, beyond):
            return before, beyond
        if says(middle):
            beyond = middle
        else:
            before = middle


# End of what is used -> end of the limit that it is compared with.
AGAINST = {"low": "high", "likely": "likely", "high": "low"}


class Margin(NamedTuple):
    """The use of a resource and its limit, at one end; a limit is never above the capacity."""

    budget: Budget
    used: Quantity
    limit: Quantity
    capacity: Quantity | None
    end: str

    def figures(self) -> Iterable[Quantity]:
        """The quantities that the verdict depends on."""
        both = (self.used, self.limit)
        return both if self.capacity is None else (*both, self.capacity)

    def ends(self, now: Change) -> tuple[float, float]:
        """The use and the limit, at the ends that are compared."""
        limit = now(self.limit)
        if self.capacity is not None:
            capacity = now(self.capacity)
            limit = capacity if capacity.low < limit.low else limit
        return now(self.used).at(self.end), limit.at(AGAINST[self.end])

    def holds(self, now: Change) -> bool:
        """Whether the use is at most the limit, exactly."""
        used, limit = self.ends(now)
        return used <= limit

    def holds_about(self, now: Change) -> bool:
        """Whether the use is at most the limit, to within rounding, as in a verdict."""
        used, limit = self.ends(now)
        return used <= limit or isclose(used, limit, rel_tol=TOLERANCE)

    def way(self, monotonicities: Mapping[int, Monotonicity]) -> Monotonicity:
        """The direction of the use compared with the limit."""
        used, *limits = (
            monotonicities.get(id(figure), Monotonicity.STAYS) for figure in self.figures()
        )
        return combined((used, opposite(combined(limits))))


class Condition(NamedTuple):
    """A rule that passes on some subjects; if it did not, what it reads would not be believed."""

    rule: Rule
    subjects: Subjects

    def figures(self) -> Iterable[Quantity]:
        """The quantities that the rule may read of the part that it is about."""
        return (each for each in self.subjects[self.rule.subject] if isinstance(each, Quantity))

    def holds(self, now: Change) -> bool:
        """Whether the rule passes, or does not apply, with quantities as they are now."""
        part = self.subjects[self.rule.subject]
        values = (now(each) if isinstance(each, Quantity) else each for each in part)
        subjects = {**self.subjects, self.rule.subject: type(part)(*values)}
        return self.rule.verdict(subjects) in ("holds", "not_applicable")


def margins(budgets: Iterable[Budget], end: str) -> tuple[Margin, ...]:
    """Return the margins of all budgets with a known use and a limit."""
    return tuple(
        Margin(budget, budget.used, budget.limit, budget.capacity, end)
        for budget in budgets
        if budget.used is not None and budget.limit is not None
    )


class Threshold(NamedTuple):
    """A value of one leaf at which a verdict changes.

    `value` is at the `end` of the leaf that counts, `factor` is it divided by what is assumed. The
    resource passes at most up to it (`at_most`) or at least from it, and `holds_now` or not; the
    others in `also` do the same. It is `first` if no verdict can change before it.
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
        """The factor from the assumed value, up or down."""
        return max(self.factor, 1 / self.factor)


class BreakEven(NamedTuple):
    """The nearest thresholds of every leaf, up and down, the nearest first.

    `steady` leaves change no verdict within a factor of `within`, up or down. `at_zero` are 0, so
    that no factor changes them. `borderline` are values from which a recommended limit is exceeded,
    if nothing fails before.
    """

    flips: tuple[Threshold, ...]
    steady: int
    at_zero: int
    within: float
    borderline: tuple[Threshold, ...] = ()


def break_even(
    budgets: Iterable[Budget], end: str, conditions: Sequence[Condition] = ()
) -> BreakEven:
    """Return the values at which verdicts of budgets change, at one end of their ranges.

    Values at which a condition fails are not looked at, nor those beyond them.
    """
    budgets = tuple(budgets)
    found = _break_even(budgets, end, conditions)
    fails = {(flip.leaf, flip.factor > 1): flip.distance for flip in found.flips}
    recommended = _break_even(against_recommended(budgets), end, conditions).flips
    borderline = tuple(
        flip for flip in recommended
        if flip.holds_now and flip.distance < fails.get((flip.leaf, flip.factor > 1), inf)
    )  # fmt: skip
    return found._replace(borderline=borderline)


def _break_even(budgets: Iterable[Budget], end: str, conditions: Sequence[Condition]) -> BreakEven:
    known = margins(budgets, end)
    parts: tuple[Margin | Condition, ...] = (*known, *conditions)
    what = WhatIf(figure for part in parts for figure in part.figures())
    flips: list[Threshold] = []
    steady = at_zero = 0
    for leaf, figure in what.leaves.items():
        if figure.high == 0:
            at_zero += 1
            continue
        found = _Moved(what, leaf, figure, known, end, conditions).flips()
        steady += not found
        flips += found
    flips.sort(key=_nearest_first)
    return BreakEven(tuple(flips), steady, at_zero, BREAK_EVEN_FACTOR)


def _nearest_first(flip: Threshold) -> tuple[object, ...]:
    # Only as many digits as are exact, so that rounding does not change the order.
    distance = float(f"{flip.distance:.9g}")
    return distance, flip.leaf.name, str(flip.leaf.source), flip.factor


class _Moved:
    """One leaf, changed up and down; and the budgets that depend on it."""

    def __init__(
        self,
        what: WhatIf,
        leaf: Leaf,
        figure: Quantity,
        known: Sequence[Margin],
        end: str,
        conditions: Sequence[Condition],
    ) -> None:
        self.what, self.leaf, self.figure, self.end = what, leaf, figure, end
        moving = monotonicities(what, leaf)
        self.margins = [m for m in known if any(id(each) in moving for each in m.figures())]
        self.conditions = [
            each for each in conditions if any(id(figure) in moving for figure in each.figures())
        ]
        self.turning = any(m.way(moving) is Monotonicity.MAY_TURN for m in self.margins)
        self.held = {m.budget.resource: m.holds_about(lambda figure: figure) for m in self.margins}

    def flips(self) -> list[Threshold]:
        """The nearest threshold below and the nearest above."""
        found = (self._nearest(up) for up in (False, True))
        return [flip for flip in found if flip is not None]

    def _nearest(self, up: bool) -> Threshold | None:
        before = 1.0
        for beyond in self._steps(up):
            now, ended = self._at(beyond), False
            if now is None:
                # From a factor on this is no server; a verdict may still change before it.
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
        """The factors to try; only the largest if no verdict can change twice before it."""
        steps = BREAK_EVEN_STEPS if self.turning else 1
        for step in range(1, steps + 1):
            away: float = BREAK_EVEN_FACTOR ** (step / steps)
            yield away if up else 1 / away

    def _flipped(self, holds: bool, margin: Margin) -> bool:
        return holds is not self.held[margin.budget.resource]

    def _at(self, factor: float, what: WhatIf | None = None) -> Change | None:
        """Return the quantities with the leaf scaled.

        None if they cannot be calculated, or if a condition fails.
        """
        try:
            now = (what or self.what).under(self.leaf, lambda leaf: scaled(leaf, factor))
        except (ArithmeticError, ValueError):
            return None
        return now if what or all(each.holds(now) for each in self.conditions) else None

    def _flip(self, before: float, beyond: float, flipped: list[Margin], up: bool) -> Threshold:
        """The first threshold between two factors, of budgets that differ at the second."""
        few = WhatIf(figure for margin in flipped for figure in margin.figures())

        def some(factor: float) -> bool:
            now = self._at(factor, few)
            return now is not None and any(self._flipped(m.holds(now), m) for m in flipped)

        last, first = change(some, before, beyond)
        # If several change together, rounding makes some of them change a little later.
        later = first * (1 + TOLERANCE) if up else first / (1 + TOLERANCE)
        now = self._at(later, few) or few.under(self.leaf, lambda leaf: scaled(leaf, first))
        names = sorted(m.budget.resource for m in flipped if self._flipped(m.holds(now), m))
        resource = names[0]
        held = self.held[resource]
        at_most = up is held
        end = self.end if at_most else AGAINST[self.end]
        factor = last if held else first
        return Threshold(
            self.figure, end, self.figure.at(end) * factor, factor, at_most, held, resource,
            tuple(name for name in names[1:] if self.held[name] is held), not self.turning,
        )  # fmt: skip


class Exhaustion(NamedTuple):
    """The years until a resource reaches its limit, and the years that were planned for.

    `years` is 0 if it exceeds its limit before any growth, and None if it does not reach it.
    """

    resource: str
    years: float | None
    horizon_years: float


def reaches(budgets: Iterable[Budget], end: str) -> tuple[Exhaustion, ...]:
    """Return every resource that grows, the first to reach its limit first, at one end."""
    known = margins(budgets, end)
    what = WhatIf(figure for margin in known for figure in margin.figures())
    found = [
        Exhaustion(margin.budget.resource, _years(leaf, margin), figure.at(end))
        for leaf, figure in what.leaves.items()
        if leaf.name == YEARS
        for margin in _growing(what, leaf, known)
    ]
    return tuple(
        sorted(found, key=lambda each: (each.years is None, each.years or 0, each.resource))
    )


def _growing(what: WhatIf, leaf: Leaf, known: Iterable[Margin]) -> Iterable[Margin]:
    moved = {id(figure) for figure in what.above(leaf)}
    return (margin for margin in known if id(margin.used) in moved)


def _years(leaf: Leaf, margin: Margin) -> float | None:
    alone = WhatIf(margin.figures())

    def over(years: float) -> bool:
        try:
            return not margin.holds_about(alone.under(leaf, lambda old: set_to(old, years)))
        except OverflowError:
            return True

    if over(0):
        return 0
    for year in range(YEARS_AT_MOST):
        if over(year + 1):
            return change(over, year, year + 1)[0]
    return None
