"""Quantities recomputed for another value of one leaf of their trees."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from sizewright.quantity import Quantity, same_operation

Change = Callable[[Quantity], Quantity]

# What a person can doubt or change; definitions and counts are fixed.
_OPEN = ("input", "parameter", "table")


class Leaf(NamedTuple):
    """What identifies a leaf: the kind of its source, its place, and its name."""

    kind: str
    where: str
    name: str


def leaf_of(figure: Quantity) -> Leaf | None:
    """Return what identifies a leaf; None if no one can change it."""
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
            changed[id(figure)] = same_operation(figure, args)
        return lambda figure: changed.get(id(figure), figure)


def scaled(leaf: Quantity, factor: float) -> Quantity:
    """Return a leaf with all its ends multiplied by a factor."""
    low, likely, high = (end * factor for end in (leaf.low, leaf.likely, leaf.high))
    return replace(leaf, low=low, likely=likely, high=high)


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
