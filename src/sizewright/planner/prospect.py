"""What the choices made so far leave for devices: slots, channels, and the least still to pay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from sizewright.configuration.slots import slot_need
from sizewright.guide.model import Row
from sizewright.load.storage import Stored, moved_by_disk
from sizewright.planner.boards import boards_of
from sizewright.planner.choice import Choice
from sizewright.planner.devices import ANY, Lots
from sizewright.planner.outlook import NOTHING_TO_COME, Coming, Outlook, Price
from sizewright.planner.parts import adapters_for
from sizewright.planner.placement import Lot
from sizewright.planner.sharing import Group
from sizewright.planner.storage import Pool, suitable


class _Given(NamedTuple):
    left: Mapping[str, int]
    kinds: tuple[str, ...]


class Prospect:
    """Lower bounds for choices on one machine; `roughly` makes them cheap and loose."""

    def __init__(
        self,
        lots: Lots,
        outlook: Outlook,
        networks: int,
        groups: Sequence[tuple[Group, int]],
    ) -> None:
        self.lots = lots
        self.machine = lots.machine
        self.outlook = outlook
        self.networks = networks
        self.roughly = False
        self._given: dict[tuple[str, ...], _Given] = {}
        self._coming = self._to_come(groups)

    def prices(self, choice: Choice, adapters_chosen: bool = False) -> tuple[Price, ...]:
        """For each number of adapters to come, the least price of devices chosen or to come.

        Before all networks are attached, their boards may bring channels too.
        """
        given = self._by(boards_of(self.machine, choice))
        boards: tuple[Row, ...] = ()
        if len(choice.attachments) < self.networks:
            boards = self._bringing_channels
        elif not adapters_chosen:
            boards = self._all_adapters
        coming = self._coming[choice.groups]
        if self.roughly:
            disks = sum(store.disks for store in choice.stores) + coming.disks.get(ANY, 0)
            devices = disks + len(self.lots.removable(choice.backup_device))
            every = self._coming[0].rates.get(ANY, 0)
            return self.outlook.rough_prices(devices, given.kinds, boards, given.left, every)
        _, lots = self.lots.of(choice)
        return self.outlook.prices(lots, given.kinds, boards, given.left, coming)

    def of_placing(self, lots: tuple[Lot, ...], kinds: Iterable[str]) -> tuple[Price, ...]:
        """The least price of placing lots on channels of these kinds."""
        if self.roughly:
            return self.outlook.rough_prices(sum(lot.number for lot in lots), kinds)
        return self.outlook.prices(lots, kinds)

    def left(self, choice: Choice) -> Mapping[str, int]:
        """How many slots each group has left; fewer than none where it has too few."""
        return self._by(boards_of(self.machine, choice)).left

    def _by(self, boards: tuple[str, ...]) -> _Given:
        """The slots that boards leave, and the kinds of all channels with them."""
        if boards not in self._given:
            left = dict(self.machine.free_slots)
            kinds = list(self.machine.platform.list("builtin_disk_busses"))
            for board in boards:
                row = self.machine.guide.row("boards", board)
                for group in self.machine.groups(row):
                    left[group] -= slot_need(row)
                kinds += self.machine.channels(row)
            self._given[boards] = _Given(left, tuple(sorted(kinds)))
        return self._given[boards]

    @cached_property
    def _bringing_channels(self) -> tuple[Row, ...]:
        return tuple(row for row in self.machine.boards.values() if self.machine.channels(row))

    @cached_property
    def _all_adapters(self) -> tuple[Row, ...]:
        return adapters_for(self.machine, self.machine.channel_kinds)

    def _to_come(self, groups: Sequence[tuple[Group, int]]) -> list[Coming]:
        """By how many groups are stored, what the others bring at least."""
        found = [NOTHING_TO_COME._replace(stored=len(groups))]
        disks: dict[str, int] = {}
        rates: dict[str, float] = {}
        for group, fewest in reversed(groups):
            rate = sum(map(self._rate, group.pools))
            # What data on one disk do at different times is not done twice.
            if group.shared and self.lots.demand.exclusive:
                rate = 0
            for pattern in (ANY, *self._patterns(group)):
                disks[pattern] = disks.get(pattern, 0) + fewest
                rates[pattern] = rates.get(pattern, 0) + rate
            found.append(Coming(len(groups) - len(found), dict(disks), dict(rates)))
        return found[::-1]

    def _rate(self, pool: Pool) -> float:
        """What all copies of a pool transfer, in KB/s."""
        stored = [Stored(volume, pool.copies, pool.copies) for volume in pool.volumes]
        moved = moved_by_disk(self.lots.demand, stored)
        return moved.at(self.outlook.end) * pool.copies if moved is not None else 0

    def _patterns(self, group: Group) -> frozenset[str]:
        """The pattern of a group's disks, if it is the same on disks of all models."""
        demand = self.lots.demand
        disks = suitable(self.machine, demand, group.first)
        uses = {group.first.use_of(disk, demand) for disk in disks}
        found = frozenset(access for hot, access in uses if hot)
        return found if len(found) == len(uses) and not group.shared else frozenset()
