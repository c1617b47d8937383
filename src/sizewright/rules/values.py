"""What conditions compute with: numbers that may be ranges, texts, flags and lists, and truth."""

import math
import sys
from collections.abc import Sequence
from enum import Enum
from math import isclose
from typing import Any, Final, NamedTuple, NoReturn

from sizewright.quantity import Ends, product, quotient, span

# The functions that a compiled condition calls.
HELPERS: Final = (
    "absolute", "add", "among", "at_most", "below", "conjunction", "disjunction", "divide",
    "equal", "flag", "largest", "length", "multiply", "negation", "negative", "number", "present",
    "same_text", "smallest", "spanning", "subtract",
)  # fmt: skip


class Truth(Enum):
    """The result of a condition; compare it with ``is``, because it is neither true nor false."""

    FALSE = "false"
    TIGHT = "tight"
    UNKNOWN = "unknown"
    TRUE = "true"

    def __bool__(self) -> NoReturn:
        # Members of an enum are true, so `if condition.evaluate(...)` would accept FALSE.
        raise TypeError("a Truth has four values: compare it with `is`")


# Looking up a member on its class costs more than the comparison.
FALSE: Final = Truth.FALSE
TIGHT: Final = Truth.TIGHT
UNKNOWN: Final = Truth.UNKNOWN
TRUE: Final = Truth.TRUE


def conjunction(*values: Truth) -> Truth:
    """Return `and`: the first of FALSE, UNKNOWN, TIGHT that occurs; else TRUE."""
    if FALSE in values:
        return FALSE
    if UNKNOWN in values:
        return UNKNOWN
    return TIGHT if TIGHT in values else TRUE


def disjunction(*values: Truth) -> Truth:
    """Return `or`: the first of TRUE, UNKNOWN, TIGHT that occurs; else FALSE."""
    if TRUE in values:
        return TRUE
    if UNKNOWN in values:
        return UNKNOWN
    return TIGHT if TIGHT in values else FALSE


def negation(value: Truth) -> Truth:
    """Return `not`: TRUE and FALSE swapped; TIGHT and UNKNOWN stay."""
    if value is TRUE:
        return FALSE
    return TRUE if value is FALSE else value


# Two bits for each decimal digit of a float, about 1e-9: more than the rounding errors of a
# condition, less than any measured digit.
TOLERANCE: Final = 1 / 2 ** (2 * sys.float_info.dig)


class Range(NamedTuple):
    """Every value from `low` to `high`."""

    low: float
    high: float


Value = float | Range | None


def number(fact: Any) -> Value:
    """Return a fact as conditions compute: one number if both ends are equal, None if unknown."""
    if fact is None:
        return None
    if isinstance(fact, (int, float)):
        return _plain(fact)
    if fact.low == fact.high:
        return _plain(fact.low)
    low, high = _plain(fact.low), _plain(fact.high)
    if low is None or high is None:
        return None
    return low if low == high else Range(low, high)


def _plain(fact: float) -> float | None:
    if type(fact) is float:
        return fact if fact == fact else None
    try:
        value = float(fact)
    except OverflowError:
        value = math.inf if fact > 0 else -math.inf
    return value if value == value else None


def _ends(value: float | Range) -> tuple[float, float]:
    return value if isinstance(value, Range) else (value, value)


def _value(ends: Ends) -> Value:
    low, high = ends
    if low != low or high != high:
        return None
    return low if low == high else Range(low, high)


def _sum(a: float, b: float) -> float:
    total = a + b
    # The difference of two numbers that differ only in their last digits is rounding. It would
    # decide a comparison with 0, because a relative tolerance has no effect there.
    if (a < 0) is not (b < 0) and isclose(a, -b, rel_tol=TOLERANCE) and total == total:
        return 0.0
    return total


def add(a: Value, b: Value) -> Value:
    """Return the sum; unknown if a term is."""
    if type(a) is float and type(b) is float:
        total = _sum(a, b)
        return total if total == total else None
    if a is None or b is None:
        return None
    (a_low, a_high), (b_low, b_high) = _ends(a), _ends(b)
    return _value(span((_sum(a_low, b_low), _sum(a_high, b_high))))


def negative(a: Value) -> Value:
    """Return the number with the opposite sign."""
    if a is None:
        return None
    low, high = _ends(a)
    return -low if low == high else Range(-high, -low)


def subtract(a: Value, b: Value) -> Value:
    """Return the difference; unknown if a term is."""
    if type(a) is float and type(b) is float:
        rest = _sum(a, -b)
        return rest if rest == rest else None
    return add(a, negative(b))


def multiply(a: Value, b: Value) -> Value:
    """Return the product; unknown if a factor is."""
    if type(a) is float and type(b) is float:
        found = a * b
        return found if found == found else None
    if a is None or b is None:
        return None
    return _value(product(_ends(a), _ends(b)))


def divide(a: Value, b: Value) -> Value:
    """Return the quotient; unknown if a term is, or if the divisor may be 0."""
    if a is None or b is None:
        return None
    low, high = _ends(b)
    if low <= 0 <= high:
        return None
    return _value(quotient(_ends(a), (low, high)))


def absolute(a: Value) -> Value:
    """Return the number without its sign."""
    if a is None:
        return None
    low, high = _ends(a)
    return _value(span((abs(low), abs(high), 0.0) if low < 0 < high else (abs(low), abs(high))))


def smallest(*values: Value) -> Value:
    """Return the least, end by end; unknown if one is."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    ends = [_ends(value) for value in known]
    return _value((min(low for low, _ in ends), min(high for _, high in ends)))


def largest(*values: Value) -> Value:
    """Return the greatest, end by end; unknown if one is."""
    return negative(smallest(*[negative(value) for value in values]))


def spanning(*values: Value) -> Value:
    """Return the range from the least to the greatest: two readings of one number."""
    ends = [end for value in values if value is not None for end in _ends(value)]
    return _value(span(ends)) if len(ends) == 2 * len(values) else None


def _not_above(a: float, b: float) -> bool:
    return a <= b or isclose(a, b, rel_tol=TOLERANCE)


def at_most(a: Value, b: Value) -> Truth:
    """Return `a <= b`, to within rounding: TIGHT if it is true for some values only.

    Facts are not negative: nothing is at most what is unknown.
    """
    if type(a) is float and type(b) is float:
        return TRUE if a <= b or isclose(a, b, rel_tol=TOLERANCE) else FALSE
    if a is None or b is None:
        return TRUE if a is not None and _ends(a)[1] <= 0 else UNKNOWN
    (a_low, a_high), (b_low, b_high) = _ends(a), _ends(b)
    if _not_above(a_high, b_low):
        return TRUE
    return TIGHT if _not_above(a_low, b_high) else FALSE


def below(a: Value, b: Value) -> Truth:
    """Return `a < b`, by more than rounding."""
    return negation(at_most(b, a))


def equal(a: Value, b: Value) -> Truth:
    """Return `a == b`, to within rounding: FALSE for separate ranges, TIGHT if they overlap."""
    if a is None or b is None:
        return UNKNOWN
    (a_low, a_high), (b_low, b_high) = _ends(a), _ends(b)
    if not (_not_above(a_low, b_high) and _not_above(b_low, a_high)):
        return FALSE
    return TRUE if _not_above(a_high, b_low) and _not_above(b_high, a_low) else TIGHT


def same_text(a: str | None, b: str | None) -> Truth:
    """Return `a == b` of texts."""
    if a is None or b is None:
        return UNKNOWN
    return TRUE if a == b else FALSE


def among(text: str | None, texts: Sequence[str] | None) -> Truth:
    """Return `text in texts`."""
    if text is None or texts is None:
        return UNKNOWN
    return TRUE if text in texts else FALSE


def flag(fact: bool | None) -> Truth:
    """Return a flag as the result of a condition."""
    if fact is None:
        return UNKNOWN
    return TRUE if fact else FALSE


def length(texts: Sequence[str] | None) -> Value:
    """Return the number of texts in a list."""
    return None if texts is None else float(len(texts))


def present(fact: object) -> Truth:
    """Return `known(fact)`."""
    return FALSE if fact is None else TRUE
