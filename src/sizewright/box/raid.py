"""The level of an array, as a box names it, and how much of the disks its data takes."""

from __future__ import annotations

from sizewright.box.schema import BoxVolume
from sizewright.errors import did_you_mean, join_or, refusal, shown
from sizewright.guide.model import Guide, Row
from sizewright.guide.named import place_of
from sizewright.guide.raid import laid_factor
from sizewright.quantity import Quantity

_LEVELS, _NONE = "raid-levels", "none"


def raid_of(volume: BoxVolume, guide: Guide) -> str | None:
    """The id of the level; empty where the volume is no array, None where nobody said.

    Raises InputFaults for a level that the guide lacks.
    """
    if volume.raid in (None, _NONE):
        return "" if volume.raid is not None or volume.layout == "single" else None
    row = _row(volume, guide)
    if row is None:
        known = (_NONE, *map(str, _numbered(guide)), *guide.table(_LEVELS).rows)
        what = f"raid: guide {guide.id} has no level {shown(volume.raid)}"
        raise refusal(
            place_of(volume.raid, "box"),
            what,
            join_or(known),
            did_you_mean(str(volume.raid), known),
        )
    return row.id


def laid_mb(volume: BoxVolume, guide: Guide) -> Quantity | None:
    """The room that a volume takes on the disks of one copy, what guards it included."""
    row, size = _row(volume, guide), volume.size_mb
    if row is None or size is None or len(volume.copies) != 1:
        return size
    factor = laid_factor(row, len(volume.copies[0]))
    return size * factor if factor else size


def _row(volume: BoxVolume, guide: Guide) -> Row | None:
    """The row of a volume's level, by its number or its id."""
    said = volume.raid
    if isinstance(said, int):
        return _numbered(guide).get(said)
    return None if said is None else guide.table(_LEVELS).rows.get(said)


def _numbered(guide: Guide) -> dict[int, Row]:
    rows = guide.table(_LEVELS)
    return {int(level.likely): row for row in rows if (level := row.find("level")) is not None}
