"""The fewest channels that devices need, known before they are placed.

Every device takes a part of its channel: of its addresses, of the disks that may be active there,
of its transfers. Devices need as many channels as their parts make together; devices that cannot
be cut need more, as many as hold the less demanding of them one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import ceil, floor, inf
from typing import NamedTuple

from sizewright.guide.model import Row
from sizewright.limits import COUNT_AT_MOST, GROUPS_COMBINED, PART_ROUNDING
from sizewright.planner.channel_rules import DEVICES
from sizewright.planner.choice import PartialSolution
from sizewright.planner.devices import DeviceGroups
from sizewright.planner.filling import DeviceGroup
from sizewright.planner.groups import Group
from sizewright.planner.parts import adapters_for, join_overlapping
from sizewright.planner.pools import Pool
from sizewright.planner.storage import disks_of, suitable
from sizewright.planner.structural_limits import Shortfall, shortfall_of

# Resource of a channel -> the part of one that is taken.
Parts = Mapping[str, float]
# The kind of each channel, and the I/O bus that it is on.
Channels = tuple[tuple[str, str], ...]


class Stored(NamedTuple):
    """A group, and how it may be stored: the fewest disks in all, and by model of disk.

    There are no models if it may be the guest of another group's disks.
    """

    group: Group
    fewest: int
    models: Mapping[str, int]


class _Set(NamedTuple):
    """Pools that may share disks: what they store, the most on one disk, and their copies.

    `fewest` are the disks that groups of them need at least from each group on.
    """

    stored_mb: float
    room_mb: float
    copies: int
    fewest: tuple[int, ...]


class ChannelBound:
    """Bounds on the channels of one machine for any choice, remembered."""

    def __init__(
        self, devices: DeviceGroups, groups: Sequence[Stored], sets: Sequence[Sequence[Pool]],
        barred: Callable[[PartialSolution, str], bool],
    ) -> None:  # fmt: skip
        """No disk is shared by pools of two `sets`, or can be on I/O busses that are `barred`."""
        self.devices = devices
        self.barred = barred
        self.machine = devices.machine
        self._groups = groups
        self._coming: dict[frozenset[str], tuple[Parts | None, ...]] = {}
        self._least: dict[tuple[str, frozenset[str]], Parts] = {}
        self._further: dict[tuple[tuple[str, ...], tuple[str, ...]], float] = {}
        self._models: dict[tuple[str, frozenset[str]], Parts | None] = {}
        self._kinds: dict[frozenset[str], tuple[frozenset[str], ...]] = {}
        self._places: dict[object, dict[str, float]] = {}
        self._models_beside: dict[tuple[str, Channels], tuple[str, ...]] = {}
        # Owned disks that must be used, as if they had no data.
        rows = self.machine.guide.table("disks").rows
        self._idle = tuple(
            DeviceGroup(
                model, devices.idle_kind(rows[model]), n, frozenset(rows[model].list("disk_busses"))
            )
            for model, n in devices.demand.required.items()
            if model in rows
        )
        disks = {
            row.id: row
            for pools in sets for pool in pools
            for row in suitable(self.machine, devices.demand, pool)
        }  # fmt: skip
        self._room_mb = {name: row.require("capacity_mb").high for name, row in disks.items()}
        self._set_of = {pool.name: n for n, pools in enumerate(sets) for pool in pools}
        self._sets = tuple(map(self._set, sets))
        owned = devices.demand.owned.items()
        self._owned = Counter({model: n for model, n in owned if model in disks})
        self._busses_of = {name: frozenset(row.list("disk_busses")) for name, row in disks.items()}
        media = self.machine.guide.table("removable-media").rows.values()
        self._busses = {
            *self._busses_of.values(), *(frozenset(row.list("disk_busses")) for row in media),
        }  # fmt: skip
        adapters = adapters_for(self.machine, self.machine.channel_kinds)
        self._each = max((len(self.machine.channels(row)) for row in adapters), default=0)

    def further_adapters(self, choice: PartialSolution, channels: Channels) -> float:
        """Return the fewest adapters that are needed beside some channels; infinite if none do."""
        kinds = tuple(sorted(kind for kind, _ in channels))
        key = (choice.backup_devices, kinds)
        if key not in self._further:
            none = choice._replace(stores=(), groups=0)
            _, devices = self.devices.of(none)
            every = self.machine.channel_kinds
            coming = self._still_coming(none, every)
            lacking: float = inf
            if coming is not None:
                lacking = self._channels(devices, coming, every) - len(kinds)
                lacking = max(lacking, min(
                    (sum(max(0, n - _number(kinds, busses)) for busses, n in needed.items())
                     for needed in self._dealt(none, devices, every)), default=inf,
                ))  # fmt: skip
                lacking = max(lacking, sum(
                    max(0, self._channels(own, (), every) - _number(kinds, busses))
                    for busses, own in _apart((*devices, *self._idle) if self._idle else (), every)
                ))  # fmt: skip
            each = self._each
            self._further[key] = 0 if lacking <= 0 else lacking / each if each else inf
        further = self._further[key]
        return further if further == inf else ceil(further)

    def disks_at_most(self, choice: PartialSolution, channels: Channels) -> dict[str, float]:
        """Return how many disks of each model can have an address beside the devices chosen."""
        key = (choice.backup_devices, channels)
        if key not in self._places:
            there = frozenset(kind for kind, _ in channels)
            _, devices = self.devices.of(choice._replace(stores=(), groups=0))
            self._places[key] = {
                model: sum(self.devices.addresses(kind) for kind, _ in channels if kind in busses)
                - sum(each.number for each in devices if each.busses & there <= busses)
                for model, busses in self._busses_of.items()
            }
        return self.without(self._places[key], disks_of(choice.stores), channels)

    def without(
        self, left: Mapping[str, float], used: Mapping[str, int], channels: Channels
    ) -> dict[str, float]:
        """Return how many disks of each model are left if some of those left are used."""
        found = dict(left)
        for disk, number in used.items():
            for model in self._rivals(disk, channels):
                found[model] -= number
        return found

    def _rivals(self, disk: str, channels: Channels) -> tuple[str, ...]:
        """The models whose addresses each disk of a model takes on some channels."""
        key = (disk, channels)
        if key not in self._models_beside:
            row = self.machine.guide.row("disks", disk)
            busses = frozenset(row.list("disk_busses")).intersection(kind for kind, _ in channels)
            models = (model for model, own in self._busses_of.items() if busses <= own)
            self._models_beside[key] = tuple(models)
        return self._models_beside[key]

    def lacking(self, choice: PartialSolution, channels: Channels) -> Shortfall | None:
        """Return that channels are too few for all devices chosen and to come, if they are."""
        kinds = [kind for kind, _ in channels]
        _, devices = self.devices.of(choice)
        idle = self._idle_beside(choice)
        if self._suffice(choice, devices, idle, kinds) and self._suffice_unbarred(
            choice, devices, idle, channels
        ):
            return None
        return too_few(channels)

    def _idle_beside(self, choice: PartialSolution) -> tuple[DeviceGroup, ...]:
        """Return the owned disks that must be used and have no data yet; they need addresses."""
        if not self._idle:
            return ()
        used = disks_of(choice.stores)
        left = (each._replace(number=each.number - used[each.name]) for each in self._idle)
        return tuple(each for each in left if each.number > 0)

    def _suffice_unbarred(
        self, choice: PartialSolution, devices: Sequence[DeviceGroup],
        idle: Sequence[DeviceGroup], channels: Channels,
    ) -> bool:  # fmt: skip
        """Whether disks may do with the channels that are not barred."""
        barred = {bus for bus in {bus for _, bus in channels} if self.barred(choice, bus)}
        removable = self.devices.removable(choice.backup_devices) if barred else ()
        disks = tuple(each for each in devices if each.name not in removable)
        kinds = [kind for kind, bus in channels if bus not in barred]
        return not barred or self._suffice(choice, disks, idle, kinds)

    def _suffice(
        self, choice: PartialSolution, devices: Sequence[DeviceGroup],
        idle: Sequence[DeviceGroup], kinds: Sequence[str],
    ) -> bool:  # fmt: skip
        """Whether channels may do for devices and `idle` disks, and for what is to come."""
        there = frozenset(kinds)
        coming = self._still_coming(choice, there)
        if coming is None or self._channels(devices, coming, there) > len(kinds):
            return False
        if not any(
            all(number <= _number(kinds, busses) for busses, number in needed.items())
            for needed in self._dealt(choice, devices, there)
        ):
            return False
        return self._attach((*devices, *idle), kinds)

    def _attach(self, devices: Sequence[DeviceGroup], kinds: Sequence[str]) -> bool:
        """Whether channels may do for these devices alone."""
        there = frozenset(kinds)
        return all(
            self._channels(own, (), there) <= _number(kinds, busses)
            for busses, own in _apart(devices, there)
        )

    def _channels(
        self, devices: Sequence[DeviceGroup], coming: Sequence[Parts], kinds: frozenset[str]
    ) -> int:
        """Return the fewest channels for devices and what is to come; the most if none can do."""
        parts = [
            (each.number, self.least_parts(each.kind, each.busses & kinds)) for each in devices
        ]
        resources = {name for _, taken in parts for name in taken}.union(*coming)
        fewest = 0
        for name in resources:
            each = sorted(((taken.get(name, 0), n) for n, taken in parts), reverse=True)
            whole = sum(part * n for part, n in each) + sum(more.get(name, 0) for more in coming)
            fewest = max(fewest, ceil(whole - PART_ROUNDING))
            number = 0
            for part, n in each:
                number += n
                if part > 1 + PART_ROUNDING:
                    return COUNT_AT_MOST
                if part > 0:
                    fewest = max(fewest, ceil(number / floor(1 / part + PART_ROUNDING)))
        return max(fewest, 1 if devices else 0)

    def least_parts(self, kind: str, busses: frozenset[str]) -> Parts:
        """Return the least part of any of some channels that a device takes, by resource."""
        key = (kind, busses)
        if key not in self._least:
            taken = [self.devices.parts(bus, kind) for bus in busses]
            names = set(taken[0]).intersection(*taken) if taken else ()
            self._least[key] = {name: min(parts[name] for parts in taken) for name in names}
        return self._least[key]

    def _still_coming(self, choice: PartialSolution, kinds: frozenset[str]) -> list[Parts] | None:
        """The parts of channels of some kinds that groups still to be stored take.

        None if one of them has no disk for any such channel.
        """
        if kinds not in self._coming:
            self._coming[kinds] = tuple(
                self._parts(each.group, each.fewest, kinds) for each in self._groups
            )
        found = []
        for parts in self._coming[kinds][choice.groups :]:
            if parts is None:
                return None
            found.append(parts)
        addresses = max(map(self.devices.addresses, kinds), default=0)
        more = self.further_disks(choice) / addresses if addresses else 0
        return [*found, {DEVICES: more}] if more else found

    def _set(self, pools: Sequence[Pool]) -> _Set:
        names = {pool.name for pool in pools}
        fewest = [each.fewest if each.group.first.name in names else 0 for each in self._groups]
        return _Set(
            sum(pool.size_mb("low") * pool.copies for pool in pools),
            max(
                self._room_mb[row.id]
                for pool in pools for row in suitable(self.machine, self.devices.demand, pool)
            ),
            pools[0].copies,
            tuple(sum(fewest[n:]) for n in range(len(fewest) + 1)),
        )  # fmt: skip

    def further_disks(self, choice: PartialSolution, ordered: bool = False) -> int:
        """Return how many disks more are needed than groups still to be stored need at least.

        The data of each sharing set has to fit on its disks, of those chosen and of those to come;
        if only disks that are `ordered` count, also on those that are owned.
        """
        if choice.groups >= len(self._groups):
            return 0
        room = [0.0] * len(self._sets)
        # Disks without data of their own are for any set.
        free: Counter[str] = self._owned - disks_of(choice.stores) if ordered else Counter()
        for store in choice.stores:
            if store.pools and not store.host:
                room[self._set_of[store.pools[0]]] += store.disks * self._room_mb[store.disk]
            else:
                free += disks_of((store,))
        more = 0
        for each, there in zip(self._sets, room, strict=True):
            missing = (each.stored_mb - there) / each.room_mb
            disks = ceil(missing / each.copies - PART_ROUNDING) * each.copies
            more += max(0, disks - each.fewest[choice.groups])
        if not more or not free:
            return more
        rooms = sum(n * self._room_mb[disk] for disk, n in free.items())
        least = min(each.room_mb for each in self._sets)
        return max(0, more - min(free.total(), floor(rooms / least) + len(self._sets)))

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
        if not group.shared or (len(patterns) == 1 and not self.devices.demand.exclusive):
            copies = group.first.copies
            for name in {name for parts in known for name in parts}.difference((DEVICES,)):
                found[name] = sum(copies * parts.get(name, 0) for parts in known)
        return found

    def _of_pool(self, pool: Pool, kinds: frozenset[str]) -> Parts | None:
        """The least parts that one disk a copy takes with all of a pool."""
        found = [parts for _, _, parts in self._on_models(pool, kinds)]
        if not found:
            return None
        resources = set(found[0]).intersection(*found)
        return {name: min(parts[name] for parts in found) for name in resources}

    def _on_models(
        self, pool: Pool, kinds: frozenset[str]
    ) -> Iterator[tuple[Row, frozenset[str], Parts]]:
        """Each model of disk, the channels that take it, and the parts that one with all has."""
        for disk in suitable(self.machine, self.devices.demand, pool):
            busses = kinds.intersection(disk.list("disk_busses"))
            if busses:
                kind = self.devices.kind_of((pool.name,), disk, 1)
                yield disk, busses, self.least_parts(kind, busses)

    def _dealt(
        self, choice: PartialSolution, devices: Sequence[DeviceGroup], kinds: frozenset[str]
    ) -> Iterator[Mapping[frozenset[str], int]]:
        """How many channels are needed of kinds that no device has in common.

        Groups with own disks have them on channels of some of these kinds: each way is one.
        """
        apart = self._kinds_apart(kinds)
        used: dict[frozenset[str], dict[str, float]] = {busses: {} for busses in apart}
        for each in devices:
            for busses in apart:
                if each.busses & busses:
                    _add(
                        used[busses], self.least_parts(each.kind, each.busses & kinds), each.number
                    )
                    break
            else:
                return
        ways: list[list[tuple[frozenset[str], Parts]]] = [
            [(busses, parts) for busses in apart if (parts := self._in(each, busses)) is not None]
            for each in self._groups[choice.groups :] if each.models
        ]  # fmt: skip
        # A bound without the other groups is one too.
        for way in product(*ways[:GROUPS_COMBINED]):
            whole = {busses: dict(parts) for busses, parts in used.items()}
            for busses, parts in way:
                _add(whole[busses], parts)
            yield {
                busses: ceil(max(parts.values(), default=0) - PART_ROUNDING)
                for busses, parts in whole.items()
            }

    def _kinds_apart(self, kinds: frozenset[str]) -> tuple[frozenset[str], ...]:
        """Kinds of channels, those together that some device can be on."""
        if kinds not in self._kinds:
            near = (
                frozenset((kind,)).union(*(own & kinds for own in self._busses if kind in own))
                for kind in sorted(kinds)
            )
            joined = join_overlapping((None, own) for own in near)
            self._kinds[kinds] = tuple(busses for _, busses in joined)
        return self._kinds[kinds]

    def _in(self, stored: Stored, busses: frozenset[str]) -> Parts | None:
        """The least parts of channels of some kinds that a group with disks of its own takes."""
        group, _, models = stored
        key = (group.first.name, busses)
        if key not in self._models:
            found = []
            for disk, _, parts in self._on_models(group.first, busses):
                if disk.id in models:
                    own = {name: group.first.copies * part for name, part in parts.items()}
                    own = {} if group.shared else own
                    found.append({**own, DEVICES: models[disk.id] * parts.get(DEVICES, 0)})
            names = set(found[0]).intersection(*found) if found else ()
            least = {name: min(parts[name] for parts in found) for name in names}
            self._models[key] = least if found else None
        return self._models[key]


def too_few(channels: Channels) -> Shortfall:
    """Return that devices need at least one channel more than these."""
    return shortfall_of("channels", "its devices", len(channels) + 1, len(channels))


def _add(sums: dict[str, float], parts: Parts, number: int = 1) -> None:
    for name, part in parts.items():
        sums[name] = sums.get(name, 0) + number * part


def _number(kinds: Iterable[str], busses: frozenset[str]) -> int:
    return sum(kind in busses for kind in kinds)


def _apart(
    devices: Iterable[DeviceGroup], kinds: frozenset[str]
) -> Iterator[tuple[frozenset[str], list[DeviceGroup]]]:
    """Yield devices by kinds of channels, so that devices apart can share no channel."""
    for together, busses in join_overlapping((each, each.busses & kinds) for each in devices):
        yield busses, together
