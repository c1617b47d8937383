"""A number that knows its range, its unit, and the expression it came from.

Every operation keeps the tree: a figure's leaves are table cells, rule parameters, lines of the
user's file and unit conversions, each with its source. `explain`, the ledger and the reports read
that tree; nothing else in the program remembers where a number came from.

Ranges combine as intervals: the low end of a quotient is the lowest it can be. All figures here
are non-negative unless they are differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from sizewright import units
from sizewright.units import PURE, UnitError


class Provenance(NamedTuple):
    """Where a leaf stands: `kind` is table, parameter, input or definition."""

    kind: str
    where: str
    cite: str = ""
    status: str = ""


class Quantity:
    """A quantity with a low, likely and high value, its unit, and how it came about."""

    __slots__ = ("args", "high", "likely", "low", "name", "op", "source", "unit")

    def __init__(
        self,
        low: float,
        likely: float,
        high: float,
        unit: str,
        op: str = "leaf",
        args: tuple[Quantity, ...] = (),
        name: str = "",
        source: Provenance | None = None,
    ) -> None:
        self.low = low
        self.likely = likely
        self.high = high
        self.unit = unit
        self.op = op
        self.args = args
        self.name = name
        self.source = source

    def __repr__(self) -> str:
        ends = f"{self.low:g}" if self.low == self.high else f"{self.low:g}..{self.high:g}"
        return f"<{self.name or self.op} {ends} {self.unit}>"

    def named(self, name: str) -> Quantity:
        """The same figure under a name; reports stop unfolding at names."""
        return Quantity(self.low, self.likely, self.high, self.unit, "is", (self,), name)

    def to(self, unit: str) -> Quantity:
        """The same figure in another unit; raises UnitError where that makes no sense."""
        if unit == self.unit:
            return self
        k = units.factor(self.unit, unit)
        conversion = Quantity(
            k,
            k,
            k,
            units.over(unit, self.unit),
            name=f"{self.unit} in {unit}",
            source=Provenance("definition", f"1 {self.unit} = {k:.10g} {unit}"),
        )
        return Quantity(self.low * k, self.likely * k, self.high * k, unit, "*", (self, conversion))

    def at(self, end: str) -> float:
        """The value at one end: low, likely or high."""
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
        return Quantity(
            self.low - b.high, self.likely - b.likely, self.high - b.low, self.unit, "-", (self, b)
        )

    def __mul__(self, other: Number) -> Quantity:
        b = as_quantity(other)
        unit = units.times(self.unit, b.unit)
        if self.low >= 0 <= b.low:
            low, high = self.low * b.low, self.high * b.high
        else:
            ends = (self.low * b.low, self.low * b.high, self.high * b.low, self.high * b.high)
            low, high = min(ends), max(ends)
        return Quantity(low, self.likely * b.likely, high, unit, "*", (self, b))

    def __rmul__(self, other: Number) -> Quantity:
        return as_quantity(other) * self

    def __truediv__(self, other: Number) -> Quantity:
        b = as_quantity(other)
        if b.low <= 0 <= b.high:
            raise ZeroDivisionError(f"{self!r} / {b!r}")
        unit = units.over(self.unit, b.unit)
        if self.low >= 0 < b.low:
            low, high = self.low / b.high, self.high / b.low
        else:
            ends = (self.low / b.low, self.low / b.high, self.high / b.low, self.high / b.high)
            low, high = min(ends), max(ends)
        return Quantity(low, self.likely / b.likely, high, unit, "/", (self, b))

    def __rtruediv__(self, other: Number) -> Quantity:
        return as_quantity(other) / self


Number = float | int | Quantity


def _same(a: Quantity, b: Quantity) -> None:
    if a.unit != b.unit:
        raise UnitError(f"{a!r} and {b!r} have different units")


def as_quantity(value: Number, unit: str = PURE) -> Quantity:
    """A plain number as a figure; only structural 0, 1 and 2 reach this from code."""
    if isinstance(value, Quantity):
        return value
    return Quantity(
        value, value, value, unit, name=f"{value:g}", source=Provenance("definition", "the method")
    )


def count(n: float, what: str, unit: str = PURE) -> Quantity:
    """A number of things in a configuration, counted, not measured."""
    return Quantity(n, n, n, unit, name=what, source=Provenance("count", what))


def _apply(
    op: str, pick: Callable[..., float], figures: tuple[Quantity, ...], unit: str
) -> Quantity:
    for figure in figures[1:]:
        _same(figures[0], figure)
    return Quantity(
        pick(*(f.low for f in figures)),
        pick(*(f.likely for f in figures)),
        pick(*(f.high for f in figures)),
        unit, op, figures,
    )  # fmt: skip


def smallest(*figures: Quantity) -> Quantity:
    """The least of several figures, end by end."""
    return figures[0] if len(figures) == 1 else _apply("min", min, figures, figures[0].unit)


def largest(*figures: Quantity) -> Quantity:
    """The greatest of several figures, end by end."""
    return figures[0] if len(figures) == 1 else _apply("max", max, figures, figures[0].unit)


def ceil(figure: Quantity) -> Quantity:
    """The next whole number, end by end."""
    return _apply("ceil", _ceil, (figure,), figure.unit)


def power(base: Quantity, exponent: Quantity) -> Quantity:
    """A factor of growth taken so many times, end by end.

    Raises UnitError where either is no pure number, ValueError where the base may be below 1 or the
    exponent below 0, OverflowError where the result is too large to be told.
    """
    for figure in (base, exponent):
        if figure.unit != PURE:
            raise UnitError(f"{figure!r} is no pure number")
    if base.low < 1 or exponent.low < 0:
        raise ValueError(f"{base!r} ^ {exponent!r}")
    return Quantity(
        base.low**exponent.low,
        base.likely**exponent.likely,
        base.high**exponent.high,
        PURE, "^", (base, exponent),
    )  # fmt: skip


def _ceil(value: float) -> float:
    return float(math.ceil(value))


def mean(values: Sequence[Quantity], weights: Sequence[Quantity]) -> Quantity:
    """The weighted mean, from the least to the greatest it can be while the weights range.

    It is least where the weights of the small values are high and those of the others low; so
    every place to divide the sorted values is tried. Raises ValueError where no weight can be
    more than 0.
    """
    unit = values[0].unit
    for value in values:
        _same(values[0], value)
    lows = [(v.low, w.high, w.low) for v, w in zip(values, weights, strict=True)]
    highs = [(-v.high, w.high, w.low) for v, w in zip(values, weights, strict=True)]
    low, high = _least_mean(lows), -_least_mean(highs)
    usual = [w.likely for w in weights]
    likely = _mean([v.likely for v in values], usual) if any(usual) else low
    # Sorted, for rounding must not put the likely value outside of the ends.
    low, likely, high = sorted((low, likely, high))
    return Quantity(low, likely, high, unit, "mean", (*values, *weights))


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    pairs = zip(values, weights, strict=True)
    return math.fsum(v * w for v, w in pairs) / math.fsum(weights)


def _least_mean(parts: Sequence[tuple[float, float, float]]) -> float:
    ordered = sorted(parts)
    values = [value for value, _, _ in ordered]
    # With only the first value heavy the weights are not all nothing, or the mean has no meaning.
    cuts = [
        [heavy if n < cut else light for n, (_, heavy, light) in enumerate(ordered)]
        for cut in range(1, len(ordered) + 1)
    ]
    return min(_mean(values, weights) for weights in cuts if any(weights))


def total(figures: Iterable[Quantity], unit: str) -> Quantity:
    """The sum; an empty sum is 0 in `unit`."""
    parts = tuple(figures)
    if not parts:
        return as_quantity(0, unit)
    for part in parts:
        if part.unit != unit:
            raise UnitError(f"{part!r} is not in {unit}")
    if len(parts) == 1:
        return Quantity(parts[0].low, parts[0].likely, parts[0].high, unit, "sum", parts)
    return Quantity(
        math.fsum([p.low for p in parts]),
        math.fsum([p.likely for p in parts]),
        math.fsum([p.high for p in parts]),
        unit, "sum", parts,
    )  # fmt: skip


def leaves(figure: Quantity) -> Iterator[Quantity]:
    """Every leaf of the tree, left to right."""
    if not figure.args:
        yield figure
    for arg in figure.args:
        yield from leaves(arg)


def formula(figure: Quantity, end: str = "high") -> str:
    """The expression in numbers, at one end of its operands: ``150 op/s × 0.3``.

    Every operand shows the end that the range arithmetic used for it.
    """
    return _formula(figure.args[0] if figure.op == "is" else figure, end, 0)


# How tightly an operation binds; 0 is what may stand alone.
_LEVEL = {"+": 0, "-": 0, "sum": 0, "*": 1, "/": 1, "^": 2}
_SIGN = {"+": " + ", "-": " − ", "sum": " + ", "*": " × ", "/": " ÷ ", "^": "^"}
_WORD = {"min": "min", "max": "max", "ceil": "round up", "readings": "either", "mean": "mean"}
_OTHER = {"low": "high", "likely": "likely", "high": "low"}


def _formula(figure: Quantity, end: str, level: int) -> str:
    if not figure.args or figure.op == "is":
        return quantity_text(figure.at(end), figure.unit)
    if _is_conversion(figure):
        before = figure.args[0]
        if before.unit == "%":
            return _formula(before, end, level)
        if not before.args or before.op == "is":
            return quantity_text(figure.at(end), figure.unit)
    if figure.op not in _LEVEL:
        inner = ", ".join(_formula(arg, end, 0) for arg in figure.args)
        return f"{_WORD[figure.op]}({inner})"
    mine = _LEVEL[figure.op]
    first, *rest = figure.args
    opposite = _OTHER[end] if figure.op in ("-", "/") else end
    tight = 1 if figure.op in ("-", "/", "^") else 0
    parts = [_formula(first, end, mine + 1 if figure.op == "^" else mine)]
    parts += [_formula(arg, opposite, mine + tight) for arg in rest]
    text = _SIGN[figure.op].join(parts)
    return f"({text})" if mine < level else text


def _is_conversion(figure: Quantity) -> bool:
    """Whether a product only says the same in another unit, which needs no arithmetic to read."""
    if figure.op != "*":
        return False
    by = figure.args[1]
    kind = by.source.kind if by.source else ""
    return kind == "definition" and by.name == f"{figure.args[0].unit} in {figure.unit}"


def quantity_text(value: float, unit: str) -> str:
    """A number with its unit, four significant digits at most for fractions."""
    text = f"{value:.10g}"
    if "." in text or "e" in text:
        text = f"{value:.4g}"
    if "e+" in text:
        text = f"{value:.0f}"
    if unit == PURE:
        return text
    above, slash, below = unit.partition("/")
    if above in _COUNTED and value != 1:
        above += "s"
    shown = above + slash + " per ".join(below.split("*"))
    return f"{text}{'' if unit == '%' else ' '}{shown}"


_COUNTED = ("byte", "client", "cylinder", "disk", "line", "packet", "port", "sector", "slot",
            "year")  # fmt: skip


def ambiguous(preferred: Quantity, other: Quantity) -> Quantity:
    """Two readings of an ambiguous guide as the ends of one figure; the preferred is likely."""
    _same(preferred, other)
    return Quantity(
        min(preferred.low, other.low),
        preferred.likely,
        max(preferred.high, other.high),
        preferred.unit, "readings", (preferred, other),
    )  # fmt: skip
