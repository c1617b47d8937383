"""Whether a guide tells enough of its machines to put one together."""

from __future__ import annotations

from sizewright.errors import Place, refusal
from sizewright.guide.model import Guide
from sizewright.planner.parts import platforms_on_offer

_SLOTS = "platform-slots"


def check_plannable(guide: Guide) -> None:
    """Refuse a guide by which nothing can be planned, whatever is asked for; raises InputFaults.

    Where it offers no machine there is nothing to choose from, and without a table of slots
    nothing tells whether boards fit.
    """
    if not platforms_on_offer(guide):
        what = "offers no machine, so nothing can be planned by it"
    elif _SLOTS not in guide.tables:
        what = "does not tell what slots its machines have, so nothing can be planned by it"
    else:
        return
    expected = "another guide; check judges a box by this one, compare --guides holds files to it"
    raise refusal(Place(f"guide {guide.id}"), what, expected)
