"""What quantities would be if one of their leaves were another, and which way they go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import reduce
from typing import NamedTuple

from sizewright.quantity import Quantity, ambiguous, ceil, largest, mean, power, smallest, total

Change = Callable[[Quantity], Quantity]

# What a person can doubt or change; definitions and counts are fixed.
_OPEN = ("input", "parameter", "table")


class Leaf(NamedTuple):
    """What identifies a leaf: the kind of its source, its place, and its name."""

    kind: str
    where: str
    name: str


def leaf_of(figure: Quantity) -> Leaf | None:
    """Return what identifies a leaf; None if nobody can change it."""
    source = figure.source
    if figure.args or source is None or source.kind not in _OPEN:
        return None
    # A value without a place is identified by its object.
    where = source.where or f"at {id(figure)}"
    return Leaf(source.kind, where, figure.name)


class WhatIf:
    """Quantities that can be recomputed for another value of one leaf."""

    def __init__(self, figures: Iterable[Quantity]) -> None:
        self._parts = _parts_first(figures)
        self._same: dict[Leaf, list[Quantity]] = {}
        # Only the dependents of a leaf change with it; they are found once for each leaf.
        self._above: dict[Leaf, list[Quantity]] = {}
        for figure in self._parts:
            leaf = leaf_of(figure)
            if leaf is not None:
                self._same.setdefault(leaf, []).append(figure)

    @property
    def leaves(self) -> Mapping[Leaf, Quantity]:
        """Every leaf that can change, with its quantity as it is."""
        return {leaf: same[0] for leaf, same in self._same.items()}

    def same(self, leaf: Leaf) -> list[Quantity]:
        """Return the quantities that are one leaf."""
        return self._same[leaf]

    def above(self, leaf: Leaf) -> list[Quantity]:
        """Return the quantities that depend on a leaf, operands before results."""
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

    def under(self, leaf: Leaf, change: Change) -> Change:
        """Return a function that gives each quantity as it is with one leaf changed.

        Raises ArithmeticError or ValueError if the arithmetic cannot use the changed leaf.
        """
        changed = {id(same): change(same) for same in self._same[leaf]}
        for figure in self.above(leaf):
            args = tuple(changed.get(id(arg), arg) for arg in figure.args)
            changed[id(figure)] = _same_operation(figure, args)
        return lambda figure: changed.get(id(figure), figure)


def scaled(leaf: Quantity, factor: float) -> Quantity:
    """Return a leaf with all its ends multiplied by a factor."""
    return Quantity(
        leaf.low * factor, leaf.likely * factor, leaf.high * factor, leaf.unit,
        name=leaf.name, source=leaf.source,
    )  # fmt: skip


def set_to(leaf: Quantity, value: float) -> Quantity:
    """Return a leaf that is exactly one value."""
    return Quantity(value, value, value, leaf.unit, name=leaf.name, source=leaf.source)


def _parts_first(figures: Iterable[Quantity]) -> list[Quantity]:
    """Return every quantity in the trees once, operands before results."""
    found: dict[int, Quantity] = {}
    for root in figures:
        # A tree may be deeper than the limit on recursion.
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


def _same_operation(figure: Quantity, args: tuple[Quantity, ...]) -> Quantity:
    """Return the result of the same operation on other operands."""
    if figure.op == "is":
        return args[0].named(figure.name)
    made = _MADE[figure.op](args)
    if made.unit == figure.unit:
        return made
    # The same unit with its factors in another order, as after a conversion.
    return Quantity(made.low, made.likely, made.high, figure.unit, made.op, args)


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


def together(monotonicities: Iterable[Monotonicity]) -> Monotonicity:
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
    if op == "mean":
        half = len(args) // 2
        return _joined(together(args[:half]), _unsteady(together(args[half:])))
    if op not in ("-", "*", "/", "^"):
        return together(args)
    first, second = args
    if op == "-":
        return _joined(first, opposite(second))
    one, other = (_may_be_negative(arg, may_sink) for arg in figure.args)
    # An operand whose sign is unknown may reverse the other's direction; and a quotient changes its
    # sign if the divisor passes 0.
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
