"""Four-valued truth, and how it combines.

Kleene's logic with one value more: a requirement on a range may hold at its better end only.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NoReturn


class Truth(Enum):
    """What a condition says of a subject; compare with ``is``, it has no yes-or-no of its own."""

    FALSE = "false"
    TIGHT = "tight"
    UNKNOWN = "unknown"
    TRUE = "true"

    def __bool__(self) -> NoReturn:
        # `if condition.evaluate(...)` would take FALSE for true, as members of an enum are.
        raise TypeError("a Truth has four values: compare it with `is`")


# Looking a member up on its class costs more than the comparison it is needed for.
FALSE: Final = Truth.FALSE
TIGHT: Final = Truth.TIGHT
UNKNOWN: Final = Truth.UNKNOWN
TRUE: Final = Truth.TRUE


def conjunction(*values: Truth) -> Truth:
    """Judge `and`: the first that occurs of FALSE, UNKNOWN, TIGHT; else TRUE."""
    if FALSE in values:
        return FALSE
    if UNKNOWN in values:
        return UNKNOWN
    return TIGHT if TIGHT in values else TRUE


def disjunction(*values: Truth) -> Truth:
    """Judge `or`: the first that occurs of TRUE, UNKNOWN, TIGHT; else FALSE."""
    if TRUE in values:
        return TRUE
    if UNKNOWN in values:
        return UNKNOWN
    return TIGHT if TIGHT in values else FALSE


def negation(value: Truth) -> Truth:
    """Judge `not`, which swaps TRUE and FALSE; what is tight or unknown stays so."""
    if value is TRUE:
        return FALSE
    return TRUE if value is FALSE else value
