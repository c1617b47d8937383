"""What a choice leaves for devices: free slots, channels, and the least price of placing them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from math import ceil
from typing import NamedTuple

from sizewright.configuration.slots import slot_need
from sizewright.guide.model import Row
from sizewright.limits import PART_ROUNDING
from sizewright.planner.boards import boards_of
from sizewright.planner.choice import Choice
from sizewright.planner.devices import Lots
from sizewright.planner.outlook import NEVER, Outlook, Parts, Price, least_parts
from sizewright.planner.parts import adapters_for
from sizewright.planner.placement import Lot
from sizewright.planner.rates import DEVICES
from sizewright.planner.sharing import Group
from sizewright.planner.storage import Pool, suitable


class _Given(NamedTuple):
    """How many slots are left of each group, and all channels with the I/O bus they are on."""

    left: Mapping[str, int]
    channels: tuple[tuple[str, str], ...]


class Prospect:
    """Lower bounds for choices on one machine."""

    def __init__(
        self,
        lots: Lots,
        outlook: Outlook,
        networks: int,
        groups: Sequence[tuple[Group, int]],
        barred: Callable[[Choice, str], bool],
    ) -> None:
        """`barred` are I/O busses that no disk can be on."""
        self.lots = lots
        self.barred = barred
        self.machine = lots.machine
        self.outlook = outlook
        self.networks = networks
        self._given: dict[tuple[tuple[str, ...], tuple[str, ...]], _Given] = {}
        self._groups = groups
        self._coming: dict[frozenset[str], tuple[Parts | None, ...]] = {}
        fewest = [fewest for _, fewest in groups]
        self._fewest = [sum(fewest[n:]) for n in range(len(groups) + 1)]
        pools = [pool for group, _ in groups for pool in group.pools]
        self._stored_mb = sum(pool.size_mb("low") * pool.copies for pool in pools)
        disks = {row.id: row for pool in pools for row in suitable(self.machine, lots.demand, pool)}
        self._room_mb = {name: row.figure("capacity_mb").high for name, row in disks.items()}
        self._least_address = min(map(self._address, disks.values()), default=0)

    def prices(self, choice: Choice, adapters_chosen: bool = False) -> tuple[Price, ...]:
        """For each number of adapters to come, the least price of devices chosen or to come.

        Before all networks are attached, their boards may bring channels too.
        """
        given = self._by(choice)
        boards: tuple[Row, ...] = ()
        if len(choice.attachments) < self.networks:
            boards = self._bringing_channels
        elif not adapters_chosen:
            boards = self._all_adapters
        _, lots = self.lots.of(choice)
        prices = self._prices_on(choice, lots, given.channels, boards)
        busses = {bus for _, bus in given.channels}.union(row.text("bus") for row in boards)
        barred = {bus for bus in busses if self.barred(choice, bus)}
        if barred:
            # Disks have to do with the other channels.
            removable = self.lots.removable(choice.backup_device)
            disks = tuple(lot for lot in lots if lot.name not in removable)
            channels = tuple(each for each in given.channels if each[1] not in barred)
            others = tuple(row for row in boards if row.text("bus") not in barred)
            apart = self._prices_on(choice, disks, channels, others)
            prices = tuple(map(max, zip_longest(prices, apart, fillvalue=(0, 0))))
        return prices

    def _prices_on(
        self, choice: Choice, lots: tuple[Lot, ...], channels: Sequence[tuple[str, str]],
        boards: tuple[Row, ...],
    ) -> tuple[Price, ...]:  # fmt: skip
        left = self.left(choice)
        kinds = tuple(kind for kind, _ in channels)
        every = frozenset(kinds).union(*map(self.machine.channels, boards))
        coming = self._still_coming(choice, every)
        if coming is None:
            return (NEVER,)
        prices = self.outlook.prices(lots, kinds, boards, left, coming)
        if prices[0] != NEVER and every != frozenset(kinds):
            # Without further boards, what is to come needs disks for the channels that there are.
            there = self._still_coming(choice, frozenset(kinds))
            alone: tuple[Price, ...] = (NEVER,)
            if there is not None:
                alone = self.outlook.prices(lots, kinds, (), left, there)
            prices = (alone[0], *(prices[1:] or prices))
        return prices

    def _still_coming(self, choice: Choice, kinds: frozenset[str]) -> list[Parts] | None:
        """The parts of channels of some kinds that groups still to be stored take.

        None if one of them has no disk for any such channel.
        """
        if kinds not in self._coming:
            self._coming[kinds] = tuple(
                self._parts(group, fewest, kinds) for group, fewest in self._groups
            )
        found = []
        for parts in self._coming[kinds][choice.groups :]:
            if parts is None:
                return None
            found.append(parts)
        more = self.further_disks(choice) * self._least_address
        return [*found, {DEVICES: more}] if more else found

    def further_disks(self, choice: Choice) -> int:
        """Return how many disks more are needed than groups still to be stored need at least.

        All data has to fit on the disks chosen and on those to come.
        """
        if choice.groups >= len(self._groups):
            return 0
        own = [store for store in choice.stores if not store.host]
        missing = self._stored_mb - sum(s.disks * self._room_mb[s.disk] for s in own)
        if missing <= 0:
            return 0
        disks = ceil(missing / max(self._room_mb.values()) - PART_ROUNDING)
        return max(0, disks - self._fewest[choice.groups])

    def _address(self, disk: Row) -> float:
        """The least part of the addresses of a channel that a disk takes."""
        kinds = {self.lots.kind_of((pool,), disk, 1) for pool in self.lots.pools}
        return min(
            least_parts(self.lots, kind, disk.list("disk_busses")).get(DEVICES, 0) for kind in kinds
        )

    def of_placing(self, lots: tuple[Lot, ...], kinds: Iterable[str]) -> tuple[Price, ...]:
        """The least price of placing lots on channels of these kinds."""
        return self.outlook.prices(lots, kinds)

    def left(self, choice: Choice) -> Mapping[str, int]:
        """How many slots each group has left; fewer than none where it has too few."""
        return self._by(choice).left

    def _by(self, choice: Choice) -> _Given:
        """What the boards chosen leave and bring."""
        boards, memory = boards_of(self.machine, choice), choice.memory.boards
        key = (boards, memory)
        if key not in self._given:
            left = dict(self.machine.free_slots)
            platform = self.machine.platform
            own = platform.text("builtin_io_bus")
            channels = [(kind, own) for kind in platform.list("builtin_disk_busses")]
            for name, number in Counter(memory).items():
                row = self.machine.guide.row("memory-boards", name)
                for group, taken in self.machine.least_taken(row, number).items():
                    left[group] -= taken
            for board in boards:
                row = self.machine.guide.row("boards", board)
                for group in self.machine.groups(row):
                    left[group] -= slot_need(row)
                channels += [(kind, row.text("bus")) for kind in self.machine.channels(row)]
            self._given[key] = _Given(left, tuple(sorted(channels)))
        return self._given[key]

    @cached_property
    def _bringing_channels(self) -> tuple[Row, ...]:
        return tuple(row for row in self.machine.boards.values() if self.machine.channels(row))

    @cached_property
    def _all_adapters(self) -> tuple[Row, ...]:
        return adapters_for(self.machine, self.machine.channel_kinds)

    def _parts(self, group: Group, fewest: int, kinds: frozenset[str]) -> Parts | None:
        """The least parts of channels that a group takes in all, on whatever disks.

        What data on one disk do at different times is not done twice, and data of one pattern may
        share the disks of another. None if some of its data can be on no disk of such channels.
        """
        pools = [self._of_pool(pool, kinds) for pool in group.pools]
        known = [parts for parts in pools if parts is not None]
        if len(known) < len(pools):
            return None
        addresses = [parts[DEVICES] for parts in known if DEVICES in parts]
        found = {DEVICES: fewest * min(addresses)} if len(addresses) == len(known) else {}
        patterns = {volume.access for pool in group.pools for volume in pool.volumes}
        if not group.shared or (len(patterns) == 1 and not self.lots.demand.exclusive):
            copies = group.first.copies
            for name in {name for parts in known for name in parts}.difference((DEVICES,)):
                found[name] = sum(copies * parts.get(name, 0) for parts in known)
        return found

    def _of_pool(self, pool: Pool, kinds: frozenset[str]) -> Parts | None:
        """The least parts that one disk a copy takes with all of a pool."""
        found = [
            least_parts(self.lots, self.lots.kind_of((pool.name,), disk, 1), busses)
            for disk in suitable(self.machine, self.lots.demand, pool)
            if (busses := kinds.intersection(disk.list("disk_busses")))
        ]
        if not found:
            return None
        resources = set(found[0]).intersection(*found)
        return {name: min(parts[name] for parts in found) for name in resources}
