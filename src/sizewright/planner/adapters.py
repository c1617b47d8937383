"""Sets of boards that bring channels, as far as the slots that are left have room for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations_with_replacement

from sizewright.configuration.slots import slot_need
from sizewright.planner.parts import Machine, adapters_for

# The groups of slots of which a board takes some, and how many.
Need = tuple[tuple[str, ...], int]


class Adapters:
    """The adapters with channels of some kinds, where so many slots of each group are left."""

    def __init__(self, machine: Machine, kinds: frozenset[str], left: Mapping[str, int]) -> None:
        boards = sorted(adapters_for(machine, kinds), key=lambda row: row.id)
        self.left = left
        self.needs: Mapping[str, Need] = {
            row.id: (machine.groups(row), slot_need(row)) for row in boards
        }

    @property
    def most(self) -> int:
        """No more of them than this fit."""
        return sum(self.left[group] for group in {groups[0] for groups, _ in self.needs.values()})

    def sets(self, number: int) -> Iterator[tuple[str, ...]]:
        """Every set of so many for which slots suffice, by rows of the boards."""
        for names in combinations_with_replacement(self.needs, number):
            if _suffice(self.left, (self.needs[name] for name in names)):
                yield names


def _suffice(left: Mapping[str, int], needs: Iterable[Need]) -> bool:
    """Whether the slots left of each group are enough for boards that need so many of some."""
    rest = dict(left)
    for groups, slots in needs:
        for group in groups:
            rest[group] -= slots
            if rest[group] < 0:
                return False
    return True
