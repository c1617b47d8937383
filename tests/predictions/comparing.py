"""Compares what was computed with what was predicted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sizewright.evaluate.budgets import Budget
from sizewright.quantity import Quantity

# Predictions are rounded; this much either way agrees.
ROUNDING = 0.01
WORDS = {"holds": "pass", "tight": "borderline", "violated": "fail"}
# From the best to the worst.
_ORDER = ("pass", "unknown", "borderline", "fail")


def worst(verdicts: Iterable[str]) -> str:
    """Return the worst of some verdicts, in the words of predictions."""
    said = [WORDS.get(verdict, verdict) for verdict in verdicts]
    return max(said, key=_ORDER.index) if said else "nothing"


def slip(expected: Mapping[str, Any], value: Any, before: Any = None) -> str:
    """Return how a value differs from the prediction; empty if it agrees.

    `before` is the value without the predicted change.
    """
    if isinstance(value, tuple) and not isinstance(value, Budget):
        if not value:
            return "nothing is there"
        return next(filter(None, (slip(expected, each) for each in value)), "")
    unit = expected.get("unit", "")
    if "verdict" in expected or expected.get("not") in (*WORDS.values(),):
        return _verdict(expected, value)
    if "not" in expected:
        return "" if value != expected["not"] else f"is {value}"
    if "ratio" in expected:
        return _ratio(expected["ratio"], value, before)
    if isinstance(value, Budget):
        value = value.utilisation if unit == "%" else value.used
    wanted = expected.get("equals")
    if isinstance(wanted, (str, bool)):
        return "" if value == wanted else f"is {value}"
    if value is None or isinstance(value, (str, bool)):
        return f"is {value}"
    low, high = ends(value, unit)
    if "at_most" in expected:
        return "" if high <= expected["at_most"] * (1 + ROUNDING) else f"is {high:.6g}"
    if "at_least" in expected:
        return "" if low >= expected["at_least"] * (1 - ROUNDING) else f"is {low:.6g}"
    least, most = (wanted, wanted) if wanted is not None else (expected["low"], expected["high"])
    if isinstance(value, Quantity):
        agrees = _alike(low, least) and _alike(high, most)
    else:
        agrees = least * (1 - ROUNDING) <= low and high <= most * (1 + ROUNDING)
    if agrees:
        return ""
    return f"is {low:.6g}" if low == high else f"is {low:.6g} to {high:.6g}"


def ends(value: Any, unit: str) -> tuple[float, float]:
    """Return both ends of a value, in the unit of the prediction if it has a unit of measure."""
    if not isinstance(value, Quantity):
        return float(value), float(value)
    if (unit and value.unit != "1") or unit == "%":
        value = value.to(_UNITS.get(unit, unit))
    return value.low, value.high


# Units as predictions name them -> as the program does.
_UNITS = {"disks": "disk", "processors": "1", "ms": "ms/op"}


def _alike(value: float, expected: float) -> bool:
    return abs(value - expected) <= ROUNDING * abs(expected)


def _verdict(expected: Mapping[str, Any], value: Any) -> str:
    said = value.verdict if isinstance(value, Budget) else value
    said = WORDS.get(said, said)
    if "verdict" in expected:
        return "" if said == expected["verdict"] else f"is {said}"
    return "" if said not in (expected["not"], "nothing") else f"is {said}"


def _ratio(wanted: Any, value: Any, before: Any) -> str:
    if isinstance(value, tuple) or not isinstance(value, (Quantity, float, int)):
        if wanted != 1:
            return "has no ratio"
        return "" if value == before else f"is {value}, before {before}"
    now, then = ends(value, ""), ends(before, "")
    for one, other in zip(now, then, strict=True):
        ratio = one / other
        if isinstance(wanted, str):
            word, _, number = wanted.rpartition(" ")
            sign = 1 if word == "at least" else -1
            if sign * (ratio - float(number)) < -ROUNDING:
                return f"is {ratio:.4g} times as much"
        elif not _alike(ratio, wanted):
            return f"is {ratio:.4g} times as much"
    return ""
