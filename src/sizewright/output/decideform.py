"""What decides as plain data: the values at which verdicts flip, and when growth ends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sizewright.output.plain import plain_number, sources

if TYPE_CHECKING:
    from sizewright.sensitivity.thresholds import BreakEven, Reach, Threshold


def break_even_data(found: BreakEven | None) -> dict[str, Any]:
    """The keys `break_even` and `steady`; both null where nobody asked."""
    if found is None:
        return {"break_even": None, "steady": None}
    return {
        "break_even": [_flip(flip) for flip in found.flips],
        "steady": {
            "within": plain_number(found.within),
            "leaves": found.steady,
            "at_zero": found.at_zero,
        },
    }


def _flip(flip: Threshold) -> dict[str, Any]:
    (leaf,) = sources(flip.leaf)
    return {
        "leaf": leaf,
        "end": flip.end,
        "value": plain_number(flip.value),
        "factor": plain_number(flip.factor),
        "holds": "at_most" if flip.at_most else "at_least",
        "holds_now": flip.holds_now,
        "resource": flip.resource,
        "also": list(flip.also),
        "first": flip.first,
    }


def growth_data(found: Iterable[Reach]) -> list[dict[str, Any]]:
    """When each resource reaches its limit."""
    return [
        {
            "resource": each.resource,
            "years": None if each.years is None else plain_number(each.years),
            "horizon_years": plain_number(each.horizon_years),
        }
        for each in found
    ]
