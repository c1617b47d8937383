"""What quantities would be if one of their leaves were another, and which way they go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import reduce
from typing import NamedTuple

from sizewright.quantity import Quantity, ambiguous, ceil, largest, mean, power, smallest, total

# What a person may doubt or change; definitions and what is counted stand as they are.
_OPEN = ("input", "parameter", "table")


class Leaf(NamedTuple):
    """What makes two leaves the same: the kind of their source, where they stand, their name."""

    kind: str
    where: str
    name: str


def leaf_of(figure: Quantity) -> Leaf | None:
    """What a leaf is known by; None where it is not open to change."""
    source = figure.source
    if figure.args or source is None or source.kind not in _OPEN:
        return None
    # What was stated without a place is told apart by being another object.
    where = source.where or f"at {id(figure)}"
    return Leaf(source.kind, where, figure.name)


class WhatIf:
    """Figures that can be reckoned anew under another value of one leaf."""

    def __init__(self, figures: Iterable[Quantity]) -> None:
        self._parts = _parts_first(figures)
        self._same: dict[Leaf, list[Quantity]] = {}
        # Only those above a leaf change with it; for each leaf they are sought once.
        self._above: dict[Leaf, list[Quantity]] = {}
        for figure in self._parts:
            leaf = leaf_of(figure)
            if leaf is not None:
                self._same.setdefault(leaf, []).append(figure)

    @property
    def leaves(self) -> Mapping[Leaf, Quantity]:
        """Every leaf that is open to change, with its figure as it is."""
        return {leaf: same[0] for leaf, same in self._same.items()}

    def same(self, leaf: Leaf) -> list[Quantity]:
        """The figures that are one leaf."""
        return self._same[leaf]

    def above(self, leaf: Leaf) -> list[Quantity]:
        """The figures that hang on a leaf, operands before what is made of them."""
        found = self._above.get(leaf)
        if found is None:
            moved = {id(figure) for figure in self._same[leaf]}
            found = []
            for figure in self._parts:
                if any(id(arg) in moved for arg in figure.args):
                    moved.add(id(figure))
                    found.append(figure)
            self._above[leaf] = found
        return found

    def under(self, leaf: Leaf, change: Callable[[Quantity], Quantity]) -> Recomputed:
        """All figures with one leaf changed.

        Raises ArithmeticError or ValueError where the change makes no sense to the arithmetic.
        """
        return recompute(self._same[leaf], self.above(leaf), change)


class Recomputed:
    """Figures under a change; those that do not hang on it are as they were."""

    def __init__(self, changed: dict[int, Quantity]) -> None:
        self._changed = changed

    def __call__(self, figure: Quantity) -> Quantity:
        """What a figure has become."""
        return self._changed.get(id(figure), figure)


def recompute(
    leaves: Iterable[Quantity], above: Iterable[Quantity], change: Callable[[Quantity], Quantity]
) -> Recomputed:
    """Figures above some leaves when these are changed; raises as the arithmetic does."""
    changed = {id(leaf): change(leaf) for leaf in leaves}
    for figure in above:
        changed[id(figure)] = _made(figure, tuple(changed.get(id(a), a) for a in figure.args))
    return Recomputed(changed)


def scaled(leaf: Quantity, factor: float) -> Quantity:
    """A leaf with all its ends so many times what they are."""
    return Quantity(
        leaf.low * factor, leaf.likely * factor, leaf.high * factor, leaf.unit,
        name=leaf.name, source=leaf.source,
    )  # fmt: skip


def set_to(leaf: Quantity, value: float) -> Quantity:
    """A leaf that is known to be one value."""
    return Quantity(value, value, value, leaf.unit, name=leaf.name, source=leaf.source)


def _parts_first(figures: Iterable[Quantity]) -> list[Quantity]:
    """Every figure in the trees once, operands before what is made of them."""
    found: dict[int, Quantity] = {}
    for root in figures:
        # A tree may be deeper than Python calls itself.
        waiting = [(root, False)]
        while waiting:
            figure, ready = waiting.pop()
            if id(figure) in found:
                continue
            if ready or not figure.args:
                found[id(figure)] = figure
                continue
            waiting.append((figure, True))
            waiting.extend((arg, False) for arg in reversed(figure.args))
    return list(found.values())


def _halves(args: tuple[Quantity, ...]) -> Quantity:
    half = len(args) // 2
    return mean(args[:half], args[half:])


_MADE: Mapping[str, Callable[[tuple[Quantity, ...]], Quantity]] = {
    "+": lambda args: args[0] + args[1],
    "-": lambda args: args[0] - args[1],
    "*": lambda args: args[0] * args[1],
    "/": lambda args: args[0] / args[1],
    "^": lambda args: power(*args),
    "min": lambda args: smallest(*args),
    "max": lambda args: largest(*args),
    "ceil": lambda args: ceil(*args),
    "mean": _halves,
    "sum": lambda args: total(args, args[0].unit),
    "readings": lambda args: ambiguous(*args),
}


def _made(figure: Quantity, args: tuple[Quantity, ...]) -> Quantity:
    """The same operation on other operands."""
    if figure.op == "is":
        return args[0].named(figure.name)
    made = _MADE[figure.op](args)
    if made.unit == figure.unit:
        return made
    # The same unit in another order of its factors, as a conversion spelt it.
    return Quantity(made.low, made.likely, made.high, figure.unit, made.op, args)


class Monotonicity(Enum):
    """What a figure does, both ends and the likely value alike, when a leaf grows."""

    STAYS = "stays"
    RISES = "rises"
    FALLS = "falls"
    MAY_TURN = "may turn"


_OPPOSITE = {Monotonicity.RISES: Monotonicity.FALLS, Monotonicity.FALLS: Monotonicity.RISES}


def opposite(way: Monotonicity) -> Monotonicity:
    """The way of what is taken away, or divides."""
    return _OPPOSITE.get(way, way)


def together(monotonicities: Iterable[Monotonicity]) -> Monotonicity:
    """The way of what grows with each of several figures."""
    return reduce(_joined, monotonicities, Monotonicity.STAYS)


def _joined(a: Monotonicity, b: Monotonicity) -> Monotonicity:
    if Monotonicity.STAYS in (a, b):
        return b if a is Monotonicity.STAYS else a
    return a if a is b else Monotonicity.MAY_TURN


def monotonicities(what: WhatIf, leaf: Leaf) -> Mapping[int, Monotonicity]:
    """The way of every figure that hangs on a leaf, by the figure's identity.

    A figure that is not told about stays as it is. The leaf itself is never less than 0.
    """
    found: dict[int, Monotonicity] = {}
    # What is less by something may come to be less than 0, and turn what it multiplies.
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
    if op == "mean":
        half = len(args) // 2
        return _joined(together(args[:half]), _unsteady(together(args[half:])))
    if op not in ("-", "*", "/", "^"):
        return together(args)
    first, second = args
    if op == "-":
        return _joined(first, opposite(second))
    one, other = (_may_be_negative(arg, may_sink) for arg in figure.args)
    # What one operand does is turned round by the sign of the other, where that is not sure; and a
    # divisor that passes 0 throws the quotient from one side to the other.
    if (first is not Monotonicity.STAYS and other) or (second is not Monotonicity.STAYS and one):
        return Monotonicity.MAY_TURN
    if op == "/":
        if second is not Monotonicity.STAYS and other:
            return Monotonicity.MAY_TURN
        second = opposite(second)
    return _joined(first, second)


def _may_be_negative(figure: Quantity, may_sink: set[int]) -> bool:
    return id(figure) in may_sink or figure.low < 0


def _unsteady(way: Monotonicity) -> Monotonicity:
    return way if way is Monotonicity.STAYS else Monotonicity.MAY_TURN
