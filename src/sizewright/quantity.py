"""A number that knows its range, its unit, and the expression it came from.

Every operation keeps the tree. The leaves of a quantity are table cells, rule parameters, lines of
the user's file, counts, and conversions of units, each with its source. `explain`, the ledger and
the reports read this tree; nothing else in the program remembers where a number came from.

Ranges combine as intervals: the low end of a quotient is its lowest possible value. All quantities
here are non-negative unless they are differences.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import NamedTuple

from sizewright import units
from sizewright.units import PURE, UnitError

Ends = tuple[float, float]


def difference(a: Ends, b: Ends) -> Ends:
    """Return the ends of a − b."""
    return a[0] - b[1], a[1] - b[0]


def product(a: Ends, b: Ends) -> Ends:
    """Return the ends of a × b; both are NaN if a product of two ends is (0 × infinity)."""
    return span([x * y for x in a for y in b])


def quotient(a: Ends, b: Ends) -> Ends:
    """Return the ends of a ÷ b, where b must not contain 0."""
    return span([x / y for x in a for y in b])


def span(values: Sequence[float]) -> Ends:
    """Return the least and the greatest of some numbers; both are NaN if one is."""
    if any(value != value for value in values):
        return math.nan, math.nan
    return min(values), max(values)


class Provenance(NamedTuple):
    """Where a leaf comes from: `kind` is table, parameter, input, count or definition."""

    kind: str
    where: str
    cite: str = ""
    status: str = ""


@dataclass(slots=True, eq=False, repr=False)
class Quantity:
    """A number with a low, a likely and a high value, its unit, and the expression it came from.

    `op` is the operation and `args` its operands. A leaf has no operands, but a `name` and a
    `source`.
    """

    low: float
    likely: float
    high: float
    unit: str
    op: str = "leaf"
    args: tuple[Quantity, ...] = ()
    name: str = ""
    source: Provenance | None = None

    def __repr__(self) -> str:
        ends = f"{self.low:g}" if self.low == self.high else f"{self.low:g}..{self.high:g}"
        return f"<{self.name or self.op} {ends} {self.unit}>"

    def with_name(self, name: str) -> Quantity:
        """Return the same quantity under a name; a printed formula stops at names."""
        return Quantity(self.low, self.likely, self.high, self.unit, "is", (self,), name)

    def to(self, unit: str) -> Quantity:
        """Return the same quantity in another unit; raises UnitError if that has no meaning."""
        if unit == self.unit:
            return self
        by = _conversion(self.unit, unit)
        k = by.low
        return Quantity(self.low * k, self.likely * k, self.high * k, unit, "*", (self, by))

    def at(self, end: str) -> float:
        """Return the value at one end: low, likely or high."""
        value: float = getattr(self, end)
        return value

    def __add__(self, other: Number) -> Quantity:
        b = as_quantity(other, self.unit)
        _same(self, b)
        return Quantity(
            self.low + b.low, self.likely + b.likely, self.high + b.high, self.unit, "+", (self, b)
        )

    def __radd__(self, other: Number) -> Quantity:
        return as_quantity(other, self.unit) + self

    def __sub__(self, other: Number) -> Quantity:
        b = as_quantity(other, self.unit)
        _same(self, b)
        low, high = difference((self.low, self.high), (b.low, b.high))
        return Quantity(low, self.likely - b.likely, high, self.unit, "-", (self, b))

    def __mul__(self, other: Number) -> Quantity:
        b = as_quantity(other)
        if self.low >= 0 <= b.low:
            low, high = self.low * b.low, self.high * b.high
        else:
            low, high = product((self.low, self.high), (b.low, b.high))
        unit = units.times(self.unit, b.unit)
        return Quantity(low, self.likely * b.likely, high, unit, "*", (self, b))

    def __rmul__(self, other: Number) -> Quantity:
        return as_quantity(other) * self

    def __truediv__(self, other: Number) -> Quantity:
        b = as_quantity(other)
        if self.low >= 0 < b.low:
            low, high = self.low / b.high, self.high / b.low
        elif b.low <= 0 <= b.high:
            raise ZeroDivisionError(f"{self!r} / {b!r}")
        else:
            low, high = quotient((self.low, self.high), (b.low, b.high))
        unit = units.over(self.unit, b.unit)
        return Quantity(low, self.likely / b.likely, high, unit, "/", (self, b))

    def __rtruediv__(self, other: Number) -> Quantity:
        return as_quantity(other) / self


Number = float | int | Quantity


def _same(first: Quantity, *others: Quantity) -> None:
    for other in others:
        if first.unit != other.unit:
            raise UnitError(f"{first!r} and {other!r} have different units")


@cache
def _conversion(unit: str, target: str) -> Quantity:
    k = units.factor(unit, target)
    return Quantity(
        k, k, k, units.over(target, unit), name=f"{unit} in {target}",
        source=Provenance("definition", f"1 {unit} = {k:.10g} {target}"),
    )  # fmt: skip


def as_quantity(value: Number, unit: str = PURE) -> Quantity:
    """Return a plain number as a quantity; code has only the structural numbers 0, 1 and 2."""
    return value if isinstance(value, Quantity) else _constant(value, unit)


@lru_cache
def _constant(value: float, unit: str) -> Quantity:
    source = Provenance("definition", "the method")
    return Quantity(value, value, value, unit, name=f"{value:g}", source=source)


def assumed_equal(what: str, cite: str = "") -> Quantity:
    """Return the factor 1 by which the method takes two things as equal, listed as inferred."""
    source = Provenance("definition", "the method", cite, "inferred")
    return Quantity(1, 1, 1, PURE, name=what, source=source)


def count(n: float, what: str, unit: str = PURE) -> Quantity:
    """Return a number of things in a configuration, which are counted, not measured."""
    return Quantity(n, n, n, unit, name=what, source=Provenance("count", what))


def _endwise(
    op: str, pick: Callable[[Sequence[float]], float], quantities: tuple[Quantity, ...]
) -> Quantity:
    _same(*quantities)
    return Quantity(
        pick([q.low for q in quantities]),
        pick([q.likely for q in quantities]),
        pick([q.high for q in quantities]),
        quantities[0].unit, op, quantities,
    )  # fmt: skip


def smallest(*quantities: Quantity) -> Quantity:
    """Return the least of several quantities, end by end."""
    return quantities[0] if len(quantities) == 1 else _endwise("min", min, quantities)


def largest(*quantities: Quantity) -> Quantity:
    """Return the greatest of several quantities, end by end."""
    return quantities[0] if len(quantities) == 1 else _endwise("max", max, quantities)


def limited_from(value: Quantity, limit: Quantity, size: Quantity, least: Quantity) -> Quantity:
    """Return a value that is at most `limit` if `size` is surely not below `least`."""
    _same(size, least)
    found = smallest(value, limit) if is_limited(size, least) else value
    return Quantity(
        found.low, found.likely, found.high, value.unit, "limited", (value, limit, size, least)
    )


def is_limited(size: Quantity, least: Quantity) -> bool:
    """Return whether a size is surely not below the least."""
    return size.low >= least.high


def ceil(quantity: Quantity) -> Quantity:
    """Return the next whole number, end by end."""
    return _endwise("ceil", lambda values: float(math.ceil(values[0])), (quantity,))


def power(base: Quantity, exponent: Quantity) -> Quantity:
    """Return a factor of growth to the power of `exponent`, end by end.

    Raises UnitError if either is no pure number, ValueError if the base may be below 1 or the
    exponent below 0, OverflowError if the result is too large for a float.
    """
    for each in (base, exponent):
        if each.unit != PURE:
            raise UnitError(f"{each!r} is no pure number")
    if base.low < 1 or exponent.low < 0:
        raise ValueError(f"{base!r} ^ {exponent!r}")
    return _endwise("^", lambda values: values[0] ** values[1], (base, exponent))


def mean(values: Sequence[Quantity], weights: Sequence[Quantity]) -> Quantity:
    """Return the weighted mean, from its least to its greatest value over the range of weights.

    It is least if the weights of the small values are high and those of the others low. Raises
    ValueError if no weight can be more than 0.
    """
    return _mean_of("mean", _mean, values, weights)


def harmonic_mean(values: Sequence[Quantity], weights: Sequence[Quantity]) -> Quantity:
    """Return 1 ÷ the weighted mean of 1 ÷ each value: the rate of work of several kinds.

    Raises ValueError as a mean does.
    """
    return _mean_of("harmonic mean", _harmonic_mean, values, weights)


_Mean = Callable[[Sequence[float], Sequence[float]], float]


def _mean_of(
    op: str, mean_: _Mean, values: Sequence[Quantity], weights: Sequence[Quantity]
) -> Quantity:
    # Equal values are one with all their weights, so that they are their own mean exactly.
    grouped: dict[tuple[float, float, float], list[Quantity]] = {}
    for value, weight in zip(values, weights, strict=True):
        _same(values[0], value)
        grouped.setdefault((value.low, value.likely, value.high), []).append(weight)
    light, usual, heavy = (
        [math.fsum([weight.at(end) for weight in each]) for each in grouped.values()]
        for end in ("low", "likely", "high")
    )
    lows, likelies, highs = zip(*grouped, strict=True)
    low = _least_mean(mean_, zip(lows, heavy, light, strict=True))
    high = -_least_mean(mean_, zip([-each for each in highs], heavy, light, strict=True))
    likely = mean_(likelies, usual) if any(usual) else low
    # Sorted, because rounding must not put the likely value outside of the ends.
    low, likely, high = sorted((low, likely, high))
    return Quantity(low, likely, high, values[0].unit, op, (*values, *weights))


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    if len(values) == 1:
        return values[0]
    return math.fsum([v * w for v, w in zip(values, weights, strict=True)]) / math.fsum(weights)


def _harmonic_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    if len(values) == 1:
        return values[0]
    return math.fsum(weights) / math.fsum([w / v for v, w in zip(values, weights, strict=True)])


def _least_mean(mean_: _Mean, parts: Iterable[tuple[float, float, float]]) -> float:
    values, heavy, light = zip(*sorted(parts), strict=True)
    last = len(values)

    # The first value is always heavy: if all weights are 0, there is no mean.
    def mean_at(cut: int) -> float:
        weights = (*heavy[:cut], *light[cut:])
        return mean_(values, weights) if any(weights) else math.inf

    def is_enough(cut: int) -> bool:
        """A heavier weight of the next value no longer lowers the mean, nor do those after it."""
        return cut == last or values[cut] >= mean_at(cut)

    cut = 1 + bisect_left(range(1, last + 1), True, key=is_enough)
    least = min(map(mean_at, range(max(1, cut - 1), min(last, cut + 1) + 1)))
    if least == math.inf:
        raise ValueError("the weights of a mean are empty")
    return least


def total(quantities: Iterable[Quantity], unit: str) -> Quantity:
    """Return the sum; an empty sum is 0 in `unit`. Raises UnitError for another unit."""
    parts = tuple(quantities)
    if not parts:
        return as_quantity(0, unit)
    if parts[0].unit != unit:
        raise UnitError(f"{parts[0]!r} is not in {unit}")
    return _endwise("sum", math.fsum, parts)


def sum_known(quantities: Iterable[Quantity | None], unit: str) -> Quantity | None:
    """Return the sum of some quantities; None if one of them is unknown."""
    listed = list(quantities)
    known = [each for each in listed if each is not None]
    return total(known, unit) if len(known) == len(listed) else None


def with_leaves(figure: Quantity, change: Callable[[Quantity], Quantity]) -> Quantity:
    """Return a quantity recalculated from other leaves."""
    if not figure.args:
        return change(figure)
    args = tuple(with_leaves(arg, change) for arg in figure.args)
    same = all(new is old for new, old in zip(args, figure.args, strict=True))
    return figure if same else same_operation(figure, args)


def set_to(leaf: Quantity, value: float) -> Quantity:
    """Return a leaf that is exactly one value."""
    return replace(leaf, low=value, likely=value, high=value)


def at_end(leaf: Quantity, end: str) -> Quantity:
    """Return a leaf with its low, likely or high value alone."""
    return set_to(leaf, leaf.at(end))


def leaves(quantity: Quantity) -> Iterator[Quantity]:
    """Yield every leaf of the tree, left to right."""
    if not quantity.args:
        yield quantity
    for arg in quantity.args:
        yield from leaves(arg)


def ambiguous(preferred: Quantity, other: Quantity) -> Quantity:
    """Return two readings of an ambiguous guide as the ends of one range; `preferred` is likely."""
    _same(preferred, other)
    return Quantity(
        min(preferred.low, other.low),
        preferred.likely,
        max(preferred.high, other.high),
        preferred.unit, "readings", (preferred, other),
    )  # fmt: skip


def halves(args: Sequence[Quantity]) -> tuple[Sequence[Quantity], Sequence[Quantity]]:
    """Return the values and the weights of a mean, from its operands."""
    half = len(args) // 2
    return args[:half], args[half:]


_MADE: Mapping[str, Callable[[tuple[Quantity, ...]], Quantity]] = {
    "+": lambda args: args[0] + args[1],
    "-": lambda args: args[0] - args[1],
    "*": lambda args: args[0] * args[1],
    "/": lambda args: args[0] / args[1],
    "^": lambda args: power(*args),
    "min": lambda args: smallest(*args),
    "max": lambda args: largest(*args),
    "limited": lambda args: limited_from(*args),
    "ceil": lambda args: ceil(*args),
    "mean": lambda args: mean(*halves(args)),
    "harmonic mean": lambda args: harmonic_mean(*halves(args)),
    "sum": lambda args: total(args, args[0].unit),
    "readings": lambda args: ambiguous(*args),
}


def same_operation(figure: Quantity, args: tuple[Quantity, ...]) -> Quantity:
    """Return the result of the same operation on other operands."""
    if figure.op == "is":
        return args[0].with_name(figure.name)
    made = _MADE[figure.op](args)
    if made.unit == figure.unit:
        return made
    # The same unit with its factors in another order, as after a conversion.
    return Quantity(made.low, made.likely, made.high, figure.unit, made.op, args)
