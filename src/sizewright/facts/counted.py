"""Counting parts of which some may not tell what is asked."""

from __future__ import annotations

from collections.abc import Iterable

from sizewright import units
from sizewright.quantity import Quantity, ambiguous, count


def found_of(found: int, untold: int, what: str, unit: str = units.PURE) -> Quantity | None:
    """How many were found, of which some may not tell; None where nothing was found yet."""
    least = count(found, what, unit)
    if not untold:
        return least
    return ambiguous(least, count(found + untold, what, unit)) if found else None


def told(answers: Iterable[bool | None], what: str, unit: str = units.PURE) -> Quantity | None:
    """How many of the answers are yes; None is one that is not known."""
    listed = list(answers)
    return found_of(listed.count(True), listed.count(None), what, unit)
