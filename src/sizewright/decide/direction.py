"""Which way figures go when a leaf grows, as far as their operations tell without trying."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import reduce

from sizewright.decide.whatif import Leaf, WhatIf
from sizewright.quantity import Quantity


class Way(Enum):
    """What a figure does, both ends and the likely value alike, when a leaf grows."""

    STAYS = "stays"
    RISES = "rises"
    FALLS = "falls"
    MAY_TURN = "may turn"


_OPPOSITE = {Way.RISES: Way.FALLS, Way.FALLS: Way.RISES}


def opposite(way: Way) -> Way:
    """The way of what is taken away, or divides."""
    return _OPPOSITE.get(way, way)


def together(ways: Iterable[Way]) -> Way:
    """The way of what grows with each of several figures."""
    return reduce(_joined, ways, Way.STAYS)


def _joined(a: Way, b: Way) -> Way:
    if Way.STAYS in (a, b):
        return b if a is Way.STAYS else a
    return a if a is b else Way.MAY_TURN


def ways(what: WhatIf, leaf: Leaf) -> Mapping[int, Way]:
    """The way of every figure that hangs on a leaf, by the figure's identity.

    A figure that is not told about stays as it is. The leaf itself is never less than 0.
    """
    found: dict[int, Way] = {}
    # What is less by something may come to be less than 0, and turn what it multiplies.
    may_sink: set[int] = set()
    for same in what.same(leaf):
        found[id(same)] = Way.RISES
    for figure in what.above(leaf):
        args = [found.get(id(arg), Way.STAYS) for arg in figure.args]
        if figure.op == "-" or any(id(arg) in may_sink for arg in figure.args):
            may_sink.add(id(figure))
        found[id(figure)] = _way(figure, args, may_sink)
    return found


def _way(figure: Quantity, args: list[Way], may_sink: set[int]) -> Way:
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
    if (first is not Way.STAYS and other) or (second is not Way.STAYS and one):
        return Way.MAY_TURN
    if op == "/":
        if second is not Way.STAYS and other:
            return Way.MAY_TURN
        second = opposite(second)
    return _joined(first, second)


def _may_be_negative(figure: Quantity, may_sink: set[int]) -> bool:
    return id(figure) in may_sink or figure.low < 0


def _unsteady(way: Way) -> Way:
    return way if way is Way.STAYS else Way.MAY_TURN
