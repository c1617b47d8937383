"""A second opinion on figures.

Recomputes every node of a figure's tree from its leaves, exactly, with fractions, and follows the
units with an algebra of its own. Nothing here is shared with the code that builds figures.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

RELATIVE = Fraction(1, 10**12)
ENDS = ("low", "likely", "high")

# How many of the base unit of its dimension one of each unit is.
SCALE: dict[str, Fraction] = {
    "byte": Fraction(1),
    "KB": Fraction(2**10),
    "MB": Fraction(2**20),
    "GB": Fraction(1000 * 2**20),
    "TB": Fraction(1000 * 1000 * 2**20),
    "KiB": Fraction(2**10),
    "MiB": Fraction(2**20),
    "GiB": Fraction(2**30),
    "TiB": Fraction(2**40),
    "Mb": Fraction(10**6, 8),
    "Gb": Fraction(10**9, 8),
    "µs": Fraction(1, 1000000),
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "min": Fraction(60),
    "h": Fraction(3600),
    "day": Fraction(86400),
    "%": Fraction(1, 100),
    "m": Fraction(1),
    "km": Fraction(1000),
    "month": Fraction(1, 12),
    "year": Fraction(1),
}


class Ends(NamedTuple):
    """The three values of a figure, exactly."""

    low: Fraction
    likely: Fraction
    high: Fraction


def dimension(unit: str) -> dict[str, int]:
    """Every factor of a unit with its power; those that cancel are left out."""
    powers: Counter[str] = Counter()
    sign = 1
    word = ""
    for character in unit + "*":
        if character not in "*/":
            word += character
            continue
        if word not in ("", "1"):
            powers[word] += sign
        word = ""
        if character == "/":
            sign = -1
    return {name: power for name, power in powers.items() if power}


def scale(unit: str) -> Fraction:
    """What one of a unit is in base units; unknown factors count once."""
    size = Fraction(1)
    for name, power in dimension(unit).items():
        size *= SCALE.get(name, Fraction(1)) ** power
    return size


def together(a: str, b: str, power: int) -> dict[str, int]:
    """The dimension of `a` times `b` to a power."""
    powers = Counter(dimension(a))
    for name, own in dimension(b).items():
        powers[name] += own * power
    return {name: total for name, total in powers.items() if total}


Work = Callable[[list[Ends]], Ends]


def _endwise(pick: Callable[[Sequence[Fraction]], Any]) -> Work:
    """End by end; of one operand or of many."""
    return lambda args: Ends(*(pick(column) for column in zip(*args, strict=True)))


def _difference(args: list[Ends]) -> Ends:
    a, b = args
    return Ends(a.low - b.high, a.likely - b.likely, a.high - b.low)


def _corners(combine: Callable[[Fraction, Fraction], Fraction]) -> Work:
    """From the least to the greatest of what the ends of two operands make."""

    def work(args: list[Ends]) -> Ends:
        a, b = args
        corners = [combine(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        return Ends(min(corners), combine(a.likely, b.likely), max(corners))

    return work


DIGITS = 60


def _power(args: list[Ends]) -> Ends:
    """By logarithms, to many more digits than floats have."""
    with localcontext() as context:
        context.prec = DIGITS
        return Ends(*(_raised(a, b) for a, b in zip(*args, strict=True)))


def _raised(base: Fraction, exponent: Fraction) -> Fraction:
    one, other = (Decimal(f.numerator) / Decimal(f.denominator) for f in (base, exponent))
    return Fraction((other * one.ln()).exp())


def _mean(args: list[Ends]) -> Ends:
    """By brute force: every way to take each weight at its low or its high end."""
    half = len(args) // 2
    values, weights = args[:half], args[half:]
    lows, highs = [], []
    for corner in product(*((weight.low, weight.high) for weight in weights)):
        if any(corner):
            lows.append(_weighed([value.low for value in values], corner))
            highs.append(_weighed([value.high for value in values], corner))
    usual = [weight.likely for weight in weights]
    likely = _weighed([value.likely for value in values], usual) if any(usual) else min(lows)
    return Ends(min(lows), likely, max(highs))


def _weighed(values: Sequence[Fraction], weights: Sequence[Fraction]) -> Fraction:
    return sum((v * w for v, w in zip(values, weights, strict=True)), Fraction(0)) / sum(weights)


def _harmonic_mean(args: list[Ends]) -> Ends:
    values, weights = args[: len(args) // 2], args[len(args) // 2 :]
    upside_down = [Ends(1 / each.high, 1 / each.likely, 1 / each.low) for each in values]
    low, likely, high = _mean([*upside_down, *weights])
    return Ends(1 / high, 1 / likely, 1 / low)


def _limited(args: list[Ends]) -> Ends:
    value, limit, size, least = args
    return _least([value, limit]) if size.low >= least.high else value


_least = _endwise(min)


def _readings(args: list[Ends]) -> Ends:
    preferred, other = args
    ends = sorted((preferred.low, preferred.high, other.low, other.high))
    return Ends(ends[0], preferred.likely, ends[-1])


class _Operation(NamedTuple):
    work: Work
    operands: tuple[int, ...]
    power: int | None = None


_MANY = tuple(range(1, 1000))
_OPERATIONS: dict[str, _Operation] = {
    "is": _Operation(lambda args: args[0], (1,)),
    "+": _Operation(_endwise(sum), (2,)),
    "sum": _Operation(_endwise(sum), _MANY),
    "-": _Operation(_difference, (2,)),
    "*": _Operation(_corners(operator.mul), (2,), 1),
    "/": _Operation(_corners(operator.truediv), (2,), -1),
    "^": _Operation(_power, (2,), 1),
    "mean": _Operation(_mean, tuple(range(2, 1000, 2))),
    "harmonic mean": _Operation(_harmonic_mean, tuple(range(2, 1000, 2))),
    "limited": _Operation(_limited, (4,)),
    "min": _Operation(_least, _MANY),
    "max": _Operation(_endwise(max), _MANY),
    "ceil": _Operation(_endwise(lambda ends: Fraction(math.ceil(ends[0]))), (1,)),
    "readings": _Operation(_readings, (2,)),
}


class Evaluator:
    """Judges figures, remembering those that it has seen."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[Any, Ends]] = {}
        self._complaints: list[str] = []
        self.leaves: dict[int, Any] = {}

    def complaints(self, figure: Any) -> list[str]:
        """What is wrong with a figure's tree; nodes found wrong before are not told again."""
        self._complaints = []
        self.value(figure)
        return self._complaints

    def value(self, figure: Any) -> Ends:
        """The figure's ends as its leaves make them."""
        known = self._seen.get(id(figure))
        if known is None:
            known = self._seen[id(figure)] = (figure, self._value(figure))
        return known[1]

    def _value(self, figure: Any) -> Ends:
        stated = self._stated(figure)
        if not figure.args:
            self._leaf(figure)
            return stated
        operation = _OPERATIONS.get(figure.op)
        if operation is None or len(figure.args) not in operation.operands:
            self._complain(figure, f"{figure.op} of {len(figure.args)} operands")
            return stated
        args = [self.value(arg) for arg in figure.args]
        if figure.op == "ceil":
            # A hair above a whole number rounds up to the next; what was rounded is what is stated.
            args = [_ends(figure.args[0])]
        self._unit(figure, operation)
        try:
            found = operation.work(args)
        except ZeroDivisionError:
            self._complain(figure, "divides by nothing")
            return stated
        if figure.op == "/" and args[1].low <= 0 <= args[1].high:
            self._complain(figure, "divides by a range around nothing")
        largest = max((abs(end) for arg in args for end in arg), default=Fraction(0))
        for name, one, other in zip(ENDS, stated, found, strict=True):
            size = largest if figure.op in ("-", "+", "sum") else abs(other)
            if abs(one - other) > RELATIVE * size:
                self._complain(figure, f"{name} is {float(one)!r}, not {float(other)!r}")
        return found

    def _stated(self, figure: Any) -> Ends:
        ends = [getattr(figure, name) for name in ENDS]
        if not all(math.isfinite(end) for end in ends):
            self._complain(figure, "is not finite")
            ends = [0.0] * len(ends)
            return Ends(*map(Fraction, ends))
        stated = _ends(figure)
        if not stated.low <= stated.likely <= stated.high:
            self._complain(figure, "its ends are out of order")
        return stated

    def _unit(self, figure: Any, operation: _Operation) -> None:
        first, *rest = figure.args
        if figure.op == "limited":
            size, least = rest.pop(), rest.pop()
            if dimension(size.unit) != dimension(least.unit):
                self._complain(figure, "its condition compares different units")
        if figure.op.endswith("mean"):
            rest = rest[: len(figure.args) // 2 - 1]
        if operation.power is not None:
            wanted = together(first.unit, rest[0].unit, operation.power)
            if dimension(figure.unit) != wanted:
                self._complain(figure, f"its unit {figure.unit} does not follow")
        elif any(dimension(arg.unit) != dimension(figure.unit) for arg in (first, *rest)):
            self._complain(figure, f"its unit {figure.unit} is not that of its operands")

    def _leaf(self, figure: Any) -> None:
        self.leaves[id(figure)] = figure
        source = figure.source
        if figure.op != "leaf":
            self._complain(figure, f"{figure.op} of nothing")
        if source is None:
            self._complain(figure, "a leaf without a source")
        elif source.kind == "definition" and source.where.startswith("1 "):
            # What a conversion multiplies by is one, said in two units; other definitions are
            # whole multiples of one (the time of several processors).
            whole = Fraction(figure.likely) * scale(figure.unit)
            if round(whole) < 1 or abs(whole - round(whole)) > RELATIVE * whole:
                self._complain(figure, f"{source.where} does not hold")

    def _complain(self, figure: Any, what: str) -> None:
        self._complaints.append(f"{figure!r}: {what}")


class Changed:
    """Figures as they are if the leaves of one place are multiplied, choices left as they are."""

    def __init__(self, where: str, factor: Fraction) -> None:
        self._where, self._factor = where, factor
        self._seen: dict[int, tuple[Any, Ends]] = {}

    def value(self, figure: Any) -> Ends:
        """The ends of a figure, stated unless something below it changes."""
        known = self._seen.get(id(figure))
        if known is None:
            known = self._seen[id(figure)] = (figure, self._value(figure))
        return known[1]

    def _value(self, figure: Any) -> Ends:
        stated = _ends(figure)
        if not figure.args:
            changes = figure.source is not None and figure.source.where == self._where
            return Ends(*(end * self._factor for end in stated)) if changes else stated
        args = [self.value(arg) for arg in figure.args]
        if args == [_ends(arg) for arg in figure.args]:
            return stated
        if figure.op == "ceil":
            # Whole numbers that floats exceed by a hair stay what they are.
            args = [Ends(*(end * (1 - RELATIVE) for end in args[0]))]
        return _OPERATIONS[figure.op].work(args)


def _ends(figure: Any) -> Ends:
    return Ends(*(Fraction(getattr(figure, name)) for name in ENDS))


def complaints(figures: Iterable[Any]) -> list[str]:
    """What is wrong with any of these figures."""
    evaluator = Evaluator()
    return [what for figure in figures for what in evaluator.complaints(figure)]


def leaves(figures: Iterable[Any]) -> Iterator[Any]:
    """Every leaf below these figures, once."""
    evaluator = Evaluator()
    for figure in figures:
        evaluator.complaints(figure)
    yield from evaluator.leaves.values()
