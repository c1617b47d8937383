"""Which slots a platform has, and putting boards into them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from sizewright.guide.model import Guide, Row

ANY = "any"


class Slot(NamedTuple):
    """A slot of a bus and the roles it takes (`any`, `memory`, `processors`, `nothing`)."""

    bus: str
    number: int
    takes: tuple[str, ...]


def slots_of(guide: Guide, platform: str, processors: int) -> tuple[Slot, ...]:
    """Every slot of a platform with so many processors, in order."""
    found = []
    for row in guide.table("platform-slots"):
        if row.text("platform") != platform:
            continue
        limit = row.find("processors_at_most")
        if limit is not None and processors > limit.likely:
            continue
        first, last = int(row.number("first")), int(row.number("last"))
        found += [Slot(row.text("bus"), n, row.list("takes")) for n in range(first, last + 1)]
    return tuple(sorted(found))


def free_for(slots: Iterable[Slot], bus: str, role: str) -> tuple[int, ...]:
    """The numbers of the slots of a bus that take a board of this role."""
    return tuple(s.number for s in slots if s.bus == bus and (ANY in s.takes or role in s.takes))


def slot_need(board: Row) -> int:
    """How many slots a board takes; one where the guide does not say."""
    return int(board.number("slots_used", otherwise=1))


@cache
def runs(numbers: tuple[int, ...], length: int) -> tuple[tuple[int, ...], ...]:
    """Every run of `length` adjacent slots."""
    have = set(numbers)
    return tuple(run for n in numbers if have.issuperset(run := tuple(range(n, n + length))))
