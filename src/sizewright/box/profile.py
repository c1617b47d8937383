"""What the load profiles that a box states set where nothing else is said: sizes and patterns."""

from __future__ import annotations

from collections.abc import Sequence

from sizewright.box.schema import Box
from sizewright.demand.nfs import known_transfer_kb
from sizewright.guide.model import Guide, Row
from sizewright.quantity import Quantity, count, mean

PROFILES = "load-profiles"


def profile_rows(box: Box, guide: Guide) -> tuple[Row, ...]:
    """The profiles of a box that the guide has."""
    rows = guide.table(PROFILES).rows
    return tuple(rows[name] for name in box.load_profiles if name in rows)


def weighted(rows: Sequence[Row], column: str) -> Quantity | None:
    """The mean of a column over the accesses of all profiles; None where a cell is blank."""
    values = [row.find(column) for row in rows]
    weights = [row.find("access_percent") for row in rows]
    known = [v for v in values if v is not None], [w for w in weights if w is not None]
    if not rows or any(len(each) < len(rows) for each in known):
        return None
    return known[0][0] if len(rows) == 1 else mean(*known)


def transfer_kb(box: Box, guide: Guide) -> Quantity | None:
    """What an operation on a disk moves: by the profiles, else as the guide says of all."""
    each = weighted(profile_rows(box, guide), "transfer_kb")
    return each / count(1, "one operation", "op") if each else known_transfer_kb(guide)


def preset_access(box: Box, guide: Guide) -> str | None:
    """The pattern that all accesses of the profiles have; None where they differ."""
    rows = profile_rows(box, guide)
    for pattern, column in (("random", "random_percent"), ("serial", "sequential_percent")):
        others = "sequential_percent" if pattern == "random" else "random_percent"
        shares = [(row.find(column), row.find(others)) for row in rows]
        if rows and all(own and other and not other.high for own, other in shares):
            return pattern
    return None
