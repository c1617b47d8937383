"""The systems of an alternative, in short."""

from __future__ import annotations

import hand_plans
from sizewright.output.systems import systems_text

PAIR = hand_plans.paired(hand_plans.BUSY, hand_plans.DESKTOP, *hand_plans.PAIR)


def test_two_systems_in_short_are_called_two() -> None:
    """One has two disks to order, the other none: the line between them was read as a choice."""
    told = systems_text(PAIR)
    assert told.startswith("two systems (SPARCstation-2 with ") and told.count("to order") == 2
