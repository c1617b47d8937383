"""Finds the point at which something that can only be true or false changes."""

from __future__ import annotations

from collections.abc import Callable


def change(says: Callable[[float], bool], before: float, beyond: float) -> tuple[float, float]:
    """Two neighbouring numbers between which `says` turns from false to true.

    It is taken to be false at `before` and true at `beyond`, which may be the smaller; where it
    turns more than once, one of the changes is found.
    """
    while True:
        middle = before + (beyond - before) / 2
        if middle in (before, beyond):
            return before, beyond
        if says(middle):
            beyond = middle
        else:
            before = middle
