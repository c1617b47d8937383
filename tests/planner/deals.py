"""Dealing things out in every way: boards into slots, devices over channels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class TooLargeError(Exception):
    """There are more configurations than a test has time for."""


class Steps:
    """How many more steps may be taken."""

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooLargeError


class Slot(NamedTuple):
    bus: str
    number: int
    takes: tuple[str, ...]


class Want(NamedTuple):
    """A board: its bus, its roles among slots, and how many slots side by side it fills."""

    bus: str
    roles: tuple[str, ...]
    slots: int


def packed(
    wants: Sequence[Want], slots: Sequence[Slot], used: frozenset[tuple[str, int]] = frozenset()
) -> tuple[tuple[int, ...], ...] | None:
    """Slots for each board, None where they do not fit in any way."""
    if not wants:
        return ()
    want, *rest = wants
    free = {
        slot.number
        for slot in slots
        if slot.bus == want.bus
        and ("any" in slot.takes or not set(want.roles).isdisjoint(slot.takes))
        and (slot.bus, slot.number) not in used
    }
    for start in sorted(free):
        run = tuple(range(start, start + want.slots))
        if free.issuperset(run):
            taken = used.union((want.bus, number) for number in run)
            later = packed(rest, slots, taken)
            if later is not None:
                return (run, *later)
    return None


def shares(number: int, fits: Sequence[bool], steps: Steps) -> Iterator[tuple[int, ...]]:
    """Every way to spread a number of equal devices over channels of which some fit."""
    steps.take()
    if not fits:
        if not number:
            yield ()
        return
    for here in range(number + 1 if fits[0] else 1):
        for rest in shares(number - here, fits[1:], steps):
            yield (here, *rest)
