"""Sets of disk adapters: those for which there are slots, the fewest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations_with_replacement
from math import inf
from operator import gt

from sizewright.limits import SETS_A_STEP
from sizewright.planner.assembly import slots_left, slots_taken
from sizewright.planner.bounds import Bounds
from sizewright.planner.choice import PartialSolution
from sizewright.planner.parts import adapters_for
from sizewright.planner.pools import Pool
from sizewright.planner.storage import Shelf, controllers_at_most, suitable


def _suffice(left: Mapping[str, int], needs: Iterable[tuple[tuple[str, ...], int]]) -> bool:
    """Whether the slots left in each group are enough for what boards need of some groups."""
    taken: Counter[str] = Counter()
    for groups, slots in needs:
        for group in groups:
            taken[group] += slots
    return all(number <= left[group] for group, number in taken.items())


class AdapterSets:
    """The sets of adapters that one machine may have for its devices."""

    def __init__(
        self, shelf: Shelf, bounds: Bounds, pools: Iterable[Pool], required: Iterable[str]
    ) -> None:
        """Disks are for `pools`; some models are `required`."""
        self.machine = shelf.machine
        self.guide = self.machine.guide
        self.bounds = bounds
        self.shelf = shelf
        disks = {d.id: d for pool in pools for d in suitable(self.machine, shelf.demand, pool)}
        disks |= {name: self.guide.row("disks", name) for name in required}
        devices = (*disks.values(), *self.guide.table("removable-media"))
        kinds = frozenset(kind for row in devices for kind in row.list("disk_busses"))
        self._rows = sorted(row.id for row in adapters_for(self.machine, kinds))
        # Without the controllers that may have no disks a set is smaller.
        self._most = {name: self._controllers_at_most(name) for name in self._rows}

    def after(self, choice: PartialSolution) -> Iterator[tuple[str, ...]]:
        """Yield the sets for which there are slots beside the boards chosen, the fewest first."""
        fewest = self.bounds.channel_bound.further_adapters(choice, self.bounds.channels(choice))
        if fewest == inf:
            return
        left = slots_left(self.machine, choice)
        needs = {name: slots_taken(self.machine, name) for name in self._rows}
        most = sum(left[group] for group in {groups[0] for groups, _ in needs.values()})
        skipped = 0
        for number in range(int(fewest), most + 1):
            for names in combinations_with_replacement(self._rows, number):
                if not _suffice(left, [needs[name] for name in names]) or any(
                    map(gt, map(names.count, self._most), self._most.values())
                ):
                    continue
                channels = self.bounds.channels(choice._replace(adapters=names))
                if self.bounds.channel_bound.lacking(choice, channels):
                    # Now and then one is returned, so that a long search takes steps.
                    skipped += 1
                    if skipped % SETS_A_STEP:
                        continue
                yield names

    def _controllers_at_most(self, board: str) -> float:
        """How many adapters of a model can have disks."""
        busses = self.guide.table("disk-busses").rows
        kinds = self.guide.row("boards", board).list("disk_busses")
        return max(
            controllers_at_most(busses[kind].text("interface"), self.machine, self.shelf.planning)
            for kind in kinds
        )
