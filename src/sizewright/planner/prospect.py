"""What a choice leaves for devices: free slots, channels, and the least price of placing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from sizewright.configuration.slots import slot_need
from sizewright.guide.model import Row
from sizewright.planner.boards import boards_of
from sizewright.planner.choice import Choice
from sizewright.planner.devices import Lots
from sizewright.planner.outlook import Outlook, Parts, Price, least_parts
from sizewright.planner.parts import adapters_for
from sizewright.planner.placement import Lot
from sizewright.planner.rates import DEVICES
from sizewright.planner.sharing import Group
from sizewright.planner.storage import Pool, suitable


class _Given(NamedTuple):
    left: Mapping[str, int]
    kinds: tuple[str, ...]


class Prospect:
    """Lower bounds for choices on one machine."""

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
        self._given: dict[tuple[str, ...], _Given] = {}
        self._coming = [self._parts(group, fewest) for group, fewest in groups]

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
        coming = self._coming[choice.groups :]
        _, lots = self.lots.of(choice)
        return self.outlook.prices(lots, given.kinds, boards, given.left, coming)

    def of_placing(self, lots: tuple[Lot, ...], kinds: Iterable[str]) -> tuple[Price, ...]:
        """The least price of placing lots on channels of these kinds."""
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

    def _parts(self, group: Group, fewest: int) -> Parts:
        """The least parts of channels that a group takes in all, on whatever disks.

        What data on one disk do at different times is not done twice, and data of one pattern may
        share the disks of another.
        """
        pools = [self._of_pool(pool) for pool in group.pools]
        addresses = [parts[DEVICES] for parts in pools if DEVICES in parts]
        found = {DEVICES: fewest * min(addresses)} if len(addresses) == len(pools) else {}
        patterns = {volume.access for pool in group.pools for volume in pool.volumes}
        if not group.shared or (len(patterns) == 1 and not self.lots.demand.exclusive):
            copies = group.first.copies
            for name in {name for parts in pools for name in parts}.difference((DEVICES,)):
                found[name] = sum(copies * parts.get(name, 0) for parts in pools)
        return found

    def _of_pool(self, pool: Pool) -> Parts:
        """The least parts that one disk a copy takes with all of a pool."""
        found = [
            least_parts(
                self.lots, self.lots.kind_of((pool.name,), disk, 1), disk.list("disk_busses")
            )
            for disk in suitable(self.machine, self.lots.demand, pool)
        ]
        resources = set(found[0]).intersection(*found) if found else ()
        return {name: min(parts[name] for parts in found) for name in resources}
