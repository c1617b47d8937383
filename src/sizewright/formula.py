"""Quantities in print: a number with its unit, and the expression that a quantity came from."""

from collections.abc import Iterator

from sizewright.errors import enumerated
from sizewright.limits import GIGABYTES_FROM_MB, LEAST_SHOWN, SIGNIFICANT_DIGITS, WHOLE_FROM
from sizewright.quantity import Quantity, count, is_limited
from sizewright.units import PERCENT, PURE


def formula(quantity: Quantity, end: str = "high") -> str:
    """Return the expression in numbers, at one end: ``150 op/s × 0.3``.

    Each operand shows the end that the range arithmetic used for it.
    """
    return _formula(_below_name(quantity), end, _CHOICE, None)


def terms(quantity: Quantity, end: str = "high") -> str:
    """Return the expression in names: ``pcs: operations × reads percent``; constants as numbers."""
    shown = _below_name(quantity)
    cells: dict[str, set[str]] = {}
    for each in _operands(shown):
        if each.source is not None and each.source.kind == "table":
            cells.setdefault(_column(each.source.where), set()).add(each.source.where)
    several = frozenset(column for column, places in cells.items() if len(places) > 1)
    return _formula(shown, end, _CHOICE, several)


def _operands(quantity: Quantity) -> Iterator[Quantity]:
    """Yield the operands of an expression, not those below a name."""
    if not quantity.args or quantity.op == "is":
        yield quantity
        return
    for each in quantity.args:
        yield from _operands(each)


def _column(where: str) -> str:
    return where.rpartition("/")[2].replace("_", " ")


def _below_name(quantity: Quantity) -> Quantity:
    return quantity.args[0] if quantity.op == "is" else quantity


# How tightly operations bind: what binds less than its place requires is in brackets. A choice or
# a mean, in words, binds least.
_CHOICE = -1
_LEVEL = {"+": 0, "-": 0, "sum": 0, "*": 1, "/": 1, "^": 2}
_SIGN = {"+": " + ", "-": " − ", "sum": " + ", "*": " × ", "/": " ÷ ", "^": "^"}
_OTHER = {"low": "high", "likely": "likely", "high": "low"}


def _formula(quantity: Quantity, end: str, level: int, named: frozenset[str] | None) -> str:
    """Return an expression in numbers, or in names: with rows for cells of columns in `named`."""
    if not quantity.args or quantity.op == "is":
        term = "" if named is None else _term(quantity, named)
        return term or quantity_text(quantity.at(end), quantity.unit)
    if is_conversion(quantity):
        before = quantity.args[0]
        if named is not None or {before.unit, quantity.unit} == {PURE, "%"}:
            return _formula(before, end, level, named)
        if not before.args or before.op == "is":
            return quantity_text(quantity.at(end), quantity.unit)
    if quantity.op not in _LEVEL:
        inside = _LEVEL["*" if quantity.op == "ceil" else "sum"]
        inner = [_formula(arg, end, inside, named) for arg in shown_operands(quantity)]
        # The values of a mean, then their weights.
        values = inner[: len(inner) // 2] if quantity.op.endswith("mean") else inner
        if quantity.op != "ceil" and len(set(values)) == 1:
            return _formula(quantity.args[0], end, level, named)
        text = _in_words(quantity.op, inner, values)
        return f"({text})" if level > _CHOICE else text
    mine = _LEVEL[quantity.op]
    first, *rest = quantity.args
    if not rest:
        return _formula(first, end, level, named)
    opposite = _OTHER[end] if quantity.op in ("-", "/") else end
    tight = 1 if quantity.op in ("-", "/", "^") else 0
    parts = [_formula(first, end, mine + 1 if quantity.op == "^" else mine, named)]
    parts += [_formula(arg, opposite, mine + tight, named) for arg in rest]
    text = _SIGN[quantity.op].join(parts)
    return f"({text})" if mine < level else text


def shown_operands(quantity: Quantity) -> tuple[Quantity, ...]:
    """Return the operands that a formula shows: of a limit and its condition, what applies."""
    if quantity.op != "limited":
        return quantity.args
    value, limit, size, least = quantity.args
    return (value, limit) if is_limited(size, least) else (value,)


def _in_words(op: str, inner: list[str], values: list[str]) -> str:
    """Return what has no sign: a choice, a mean, or a rounding."""
    if op == "ceil":
        return f"{inner[0]} rounded up"
    if op.endswith("mean"):
        weights = enumerated(inner[len(values) :], "and")
        return f"{op} of {enumerated(values, 'and')}, weighted by {weights}"
    if op == "readings":
        return enumerated(dict.fromkeys(inner), "or")
    kind = ("larger", "largest") if op == "max" else ("smaller", "smallest")
    return f"the {kind[len(inner) > 2]} of {enumerated(inner, 'and')}"


def _term(quantity: Quantity, several: frozenset[str]) -> str:
    """Return what an operand is called; empty for what is only a number, as a definition is.

    A cell of one of `several` rows that are in the expression is called after its row too.
    """
    kind = quantity.source.kind if quantity.source else ""
    if quantity.op == "is":
        return quantity.name
    if kind == "table" and quantity.source:
        column, row = _column(quantity.source.where), quantity.source.where.split("/")[-2:][0]
        return f"{column} of {row}" if column in several else column
    if kind == "parameter":
        return quantity.name.rpartition(", ")[2].replace("_", " ")
    name = quantity.name.partition(".")[2] or quantity.name
    return name.replace("_", " ").replace(".", " ") if kind == "input" else ""


def is_conversion(quantity: Quantity) -> bool:
    """Return whether a product is only a change of unit, which a reader need not see."""
    if quantity.op != "*":
        return False
    by = quantity.args[1]
    kind = by.source.kind if by.source else ""
    return kind == "definition" and by.name == f"{quantity.args[0].unit} in {quantity.unit}"


# The unit of a time that is less than one of these.
_SMALLER = {"h": "min", "s": "ms"}


def readable(quantity: Quantity) -> Quantity:
    """Return a quantity in the unit of sentences and tables: large sizes in GB, minutes below 1 h.

    Times below a second are in ms. Formulas stay in the units of their sources. Memory stays in
    MB, because its GB has 1024 MB.
    """
    smaller = _SMALLER.get(quantity.unit)
    if smaller and 0 < quantity.high < 1:
        return quantity.to(smaller)
    if quantity.unit != "MB" or quantity.high < GIGABYTES_FROM_MB or _is_of_memory(quantity):
        return quantity
    return quantity.to("GB")


def size_texts(*sizes_mb: float) -> list[str]:
    """Return sizes as a sentence states them; in MB if GB would make two of them look the same."""
    sizes = [count(size, "data", "MB") for size in sizes_mb]
    texts = [quantity_text(size.high, size.unit) for size in map(readable, sizes)]
    if len(set(texts)) == len(texts):
        return texts
    return [quantity_text(size.high, size.unit) for size in sizes]


def _is_of_memory(quantity: Quantity) -> bool:
    """Return whether a size is one of memory, or comes from one, by the names of its sources."""
    where = quantity.source.where if quantity.source else ""
    return "memory" in f"{quantity.name} {where}" or any(map(_is_of_memory, quantity.args))


def number(value: float) -> str:
    """A number in three significant digits at least, and never with a power of ten."""
    if value == 0 or abs(value) >= WHOLE_FROM:
        return f"{value:.0f}"
    text = f"{value:.{SIGNIFICANT_DIGITS}g}"
    digits = f"{value:f}".rstrip("0") if "e" in text else text
    return f"less than {LEAST_SHOWN:f}" if 0 < value < LEAST_SHOWN else digits


def rounded_text(value: float, unit: str, whole_percent: bool = True) -> str:
    """Return a number with its unit as a sentence states it: whole percent, or three digits."""
    whole = whole_percent and unit == "%" and value >= 1
    return (_percent(value) if whole else number(value)) + unit_after(value, unit)


def _percent(value: float) -> str:
    """Return a whole percent; what is not quite 100 has the digits that tell it apart."""
    digits = (f"{value:.{n}f}" for n in range(SIGNIFICANT_DIGITS))
    return next((text for text in digits if float(text) != PERCENT), f"{value:.0f}")


def quantity_text(value: float, unit: str) -> str:
    """Return a number with its unit; fractions have at most four significant digits."""
    text = f"{value:.10g}"
    if "." in text or "e" in text:
        text = f"{value:.4g}"
    if "e+" in text:
        text = f"{value:.0f}"
    return text + unit_after(value, unit)


def unit_after(value: float, unit: str) -> str:
    """Return a unit as it follows a number, with a space if it is a word; empty if there is none.

    Things that are counted are in the plural, unless there is one.
    """
    if unit == PURE:
        return ""
    above, slash, below = unit.partition("/")
    if above in _COUNTED and value != 1:
        above += "s"
    shown = above + slash + " per ".join(below.split("*"))
    shown = shown.removeprefix(PURE)
    return shown if shown[:1] in "%/" else f" {shown}"


_COUNTED = ("byte", "client", "cylinder", "disk", "line", "month", "packet", "port", "sector",
            "slot", "year")  # fmt: skip
