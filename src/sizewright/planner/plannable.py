"""Whether a guide tells enough of its machines to put one together."""

from __future__ import annotations

from sizewright.errors import Location, refusal
from sizewright.guide.model import Guide
from sizewright.planner.parts import platforms_on_offer

_SLOTS = "platform-slots"


def check_plannable(guide: Guide) -> None:
    """Refuse a guide by which nothing can be planned, whatever is asked for; raises InputFaults.

    Where it offers no machine there is nothing to choose from, and without a table of slots
    nothing tells whether boards fit.
    """
    if not platforms_on_offer(guide):
        what = "has no machines, so it works with check only"
    elif _SLOTS not in guide.tables:
        what = "has no slot data, so it works with check and compare only"
    else:
        return
    expected = "another guide for plan"
    raise refusal(Location(f"guide {guide.id}"), what, expected)
