"""What levels of RAID leave of the disks of an array, by their row."""

from __future__ import annotations

from sizewright.guide.model import Row
from sizewright.quantity import Quantity, count
from sizewright.units import PURE


def usable_share(level: Row, disks: int) -> Quantity | None:
    """The share of an array's room that holds data; None where the guide does not tell.

    A level keeps the same share of any number of disks, or the room of so many of them.
    """
    share = level.find("usable_capacity_percent")
    if share is not None:
        return share.to(PURE)
    kept, whole = level.find("redundancy_disks"), count(disks, "disks of the array", "disk")
    return (whole - kept) / whole if kept is not None and kept.high < disks else None


def laid_factor(level: Row, disks: int) -> Quantity | None:
    """How much room a megabyte of data takes in all."""
    share = usable_share(level, disks)
    return count(1, "the data") / share if share is not None and share.low > 0 else None
