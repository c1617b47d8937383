"""How short a report is: on the first screen less and less of it, until it fits."""

from __future__ import annotations

from typing import NamedTuple

from sizewright.output.layout import HEADROOM_TOLD, OMISSIONS_TOLD


class Brevity(NamedTuple):
    """How many rows tables have, and how much is in paragraphs.

    A table without rows is a sentence instead. On a `screen` the order is a sentence too. If that
    is `terse`, it states of several systems the fullest only, and no details of other sections.
    """

    kinds: int | None = None
    omissions: int | None = None
    screen: bool = False
    terse: bool = False


WHOLE = Brevity()
# Of a screen, the longest first.
SCREENS = (
    *(Brevity(kinds, OMISSIONS_TOLD, True) for kinds in range(HEADROOM_TOLD, 0, -1)),
    *(Brevity(1, omissions, True) for omissions in range(OMISSIONS_TOLD - 1, 0, -1)),
    *(Brevity(0, omissions, True) for omissions in range(OMISSIONS_TOLD, -1, -1)),
    Brevity(0, 0, True, True),
)
