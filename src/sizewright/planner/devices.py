"""The devices that a choice brings, as groups for placement, and what rules say of a channel."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import floor, inf
from operator import mul
from typing import Any, NamedTuple

from sizewright.demand.backup import backup_drives
from sizewright.demand.model import Demand
from sizewright.demand.rates import RANDOM, Known
from sizewright.evaluate.findings import subject_cost
from sizewright.evaluate.policy import Cost, Policy
from sizewright.facts.records import SystemFacts, blank
from sizewright.facts.storage_records import VolumeFacts
from sizewright.guide.model import Guide, Row
from sizewright.limits import PART_ROUNDING
from sizewright.load.backup import backup_of
from sizewright.load.channels import (
    Attached,
    active_disks,
    active_part,
    bus_time,
    streaming_part,
    transfers,
)
from sizewright.load.model import Share
from sizewright.load.storage import Stored, asked_of
from sizewright.planner.assembly import lot_name
from sizewright.planner.channel_rules import DEVICES, ChannelPenalties, ChannelUse, Ends, RateLimits
from sizewright.planner.choice import PartialSolution
from sizewright.planner.filling import Content, DeviceGroup
from sizewright.planner.parts import Machine
from sizewright.planner.pools import Pool, joined
from sizewright.planner.storage import EvaluatedDisks
from sizewright.quantity import Quantity, as_quantity, total
from sizewright.rules.compiler import RuleSet


class Use(NamedTuple):
    """What one device of a group demands of its channel; whether it is hot, and backs up."""

    attached: Attached
    random: bool = False
    serial: bool = False
    backup: bool = False

    @property
    def kb_per_s(self) -> Quantity:
        """All that it transfers."""
        moved = (self.attached.reads, self.attached.others)
        return total((figure for figure in moved if figure is not None), "KB/s")

    @property
    def sort(self) -> tuple[Any, ...]:
        """What settles how a channel counts other devices beside it."""
        attached = self.attached
        moved = (attached.active, attached.reads, attached.others)
        return (
            attached.access, attached.disk, attached.asynchronous,
            *(figure is not None and figure.high > 0 for figure in moved),
        )  # fmt: skip


# Of each end of a range, what one device of each of some kinds takes.
_Columns = tuple[tuple[float, ...], ...]
_NOTHING = (0.0, 0.0, 0.0)


class _Taken(NamedTuple):
    """What one device takes: KB/s, active disks and time on the bus, and limits of the latter."""

    moved: Ends
    active: Ends
    bus_time: Ends
    active_limit: Ends | None
    bus_limit: Ends | None


class _Mix(NamedTuple):
    """The same of devices of some kinds, for a channel that has devices of all these kinds."""

    moved: _Columns
    active: _Columns
    bus_time: _Columns
    active_limit: Ends | None
    bus_limit: Ends | None
    random: tuple[bool, ...]
    serial: tuple[bool, ...]
    backup: bool


def _taken(use: Use | None, beside: Iterable[Use], channel: Row, guide: Guide) -> _Taken:
    """Return what a device, if there is one, takes of a channel that has some others."""
    attached = [each.attached._replace(name="") for each in beside]
    attached += [use.attached._replace(name=_IT)] if use else []
    active, active_limit = _of_it(active_disks(channel, attached))
    time, bus_limit = _of_it(bus_time(channel, attached, guide))
    moved = _ends(use.kb_per_s) if use else _NOTHING
    return _Taken(moved, active, time, active_limit, bus_limit)


def _columns(taken: Iterable[Ends]) -> _Columns:
    return tuple(zip(*taken, strict=True))


_IT = "it"


def _of_it(share: Share) -> tuple[Ends, Ends | None]:
    if share.used is None or share.limit is None:
        return _NOTHING, None
    of_it = (_ends(line.figure) for line in share.lines or () if line.name == _IT)
    return next(of_it, _NOTHING), _ends(share.limit)


def _times(numbers: Sequence[int], columns: Iterable[Sequence[float]]) -> Ends:
    """What some devices of each kind take together."""
    low, likely, high = (sum(map(mul, numbers, column)) for column in columns)
    return low, likely, high


def _ends(figure: Quantity) -> Ends:
    return (figure.low, figure.likely, figure.high)


def removable_media(
    machine: Machine, demand: Demand, backup_devices: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Rows of the removable media that a machine must have, with devices for backups or without.

    Of media that are wished for more than once, and of those that exist and must be used, as many
    devices; those for backups are among them.
    """
    system = machine.guide.row("operating-systems", machine.operating_system)
    media = machine.guide.table("removable-media").rows
    wanted = Counter(demand.removable_media)
    required = {name: n for name, n in demand.required.items() if name in media}
    needed = {name: 1 for name in system.list("needs") if name in media}
    wanted |= Counter(needed) | Counter(backup_devices) | Counter(required)
    return tuple(sorted(wanted.elements()))


def backup_sets(machine: Machine, demand: Demand, data: Known) -> Iterator[tuple[str, ...]]:
    """Yield the sets of drives for backups that are worth trying on a machine.

    They are of one model, and as many as save the data within the window. If no number does, they
    are as many as the workload allows, or one. Without a window there is any number, the smallest
    first, or none beside those that are wished for. Drives of other vendors are only tried if they
    are wished for.
    """
    asked, guide = demand.backup, machine.guide
    drives = backup_drives(guide)
    known = {row.id for row in drives}
    fit = tuple(row.id for row in drives if not row.flag("third_party"))
    wished = Counter(name for name in removable_media(machine, demand) if name in known)
    most = min(asked.drives_at_most or machine.devices_at_most, machine.devices_at_most)
    if asked.window is None or asked.over or not asked.wanted:
        yield ()
        if asked.wanted and not asked.over and not wished:
            yield from ((name,) * number for name in fit for number in range(1, most + 1))
        return

    def ends_in_time(name: str, number: int) -> bool:
        hours = backup_of(asked, data, wished | Counter({name: number}), guide).full_hours
        assert asked.window is not None
        return hours is None or (hours / asked.window).at(demand.size_for) <= 1

    for name in sorted(wished) or fit:
        others = wished.total() - wished[name]
        numbers = range(max(1, wished[name]), max(1, wished[name], most - others) + 1)
        at = bisect_left(numbers, True, key=partial(ends_in_time, name))
        last = len(numbers) - 1 if asked.drives_at_most else 0
        yield (name,) * numbers[at if at < len(numbers) else last]


class DeviceGroups:
    """Groups of devices for any choice on one machine, with penalties remembered."""

    def __init__(
        self, machine: Machine, demand: Demand, pools: Iterable[Pool], rule_set: RuleSet,
        policy: Policy, system: SystemFacts, evaluated: EvaluatedDisks,
    ) -> None:  # fmt: skip
        self.system = system
        self._evaluated = evaluated
        self.machine = machine
        self.demand = demand
        self.pools = {pool.name: pool for pool in pools}
        self.rule_set = rule_set
        self.policy = policy
        self._channels = ChannelPenalties(machine.guide, rule_set, policy, system)
        self._penalties: dict[tuple[str, Content], Cost] = {}
        self._kinds: dict[tuple[tuple[str, ...], str, int], str] = {}
        self._parts: dict[tuple[str, str], Mapping[str, float]] = {}
        self._limits = RateLimits(rule_set, policy, system)
        self._groups: dict[Any, tuple[dict[str, Row], tuple[DeviceGroup, ...]]] = {}
        self._removable: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._mixes: dict[tuple[str, tuple[str, ...]], _Mix] = {}
        self._taken: dict[tuple[str, str, frozenset[tuple[Any, ...]]], _Taken] = {}
        # Of a kind that is its own only to keep off others, the kind that asks for the same.
        self._like: dict[str, str] = {}
        self._sorts: dict[str, tuple[Any, ...]] = {}
        self._first_of: dict[tuple[Any, ...], Use] = {}
        # What each kind of device asks for.
        self.uses: dict[str, Use] = {}
        self._short: dict[Any, str] = {}
        self._addresses: dict[str, float] = {}

    def removable(self, backup_devices: tuple[str, ...]) -> tuple[str, ...]:
        """Rows of the removable media that a system with these devices for backups must have."""
        if backup_devices not in self._removable:
            found = removable_media(self.machine, self.demand, backup_devices)
            self._removable[backup_devices] = found
        return self._removable[backup_devices]

    def of(self, choice: PartialSolution) -> tuple[dict[str, Row], tuple[DeviceGroup, ...]]:
        """Return the row of each group by its name, and the groups, the hardest to place first."""
        key = (choice.stores, choice.backup_devices)
        if key not in self._groups:
            self._groups[key] = self._device_groups(choice)
        return self._groups[key]

    def _device_groups(
        self, choice: PartialSolution
    ) -> tuple[dict[str, Row], tuple[DeviceGroup, ...]]:
        rows: dict[str, Row] = {}
        groups: list[DeviceGroup] = []
        for store in choice.stores:
            if store.host:
                continue
            row = self.machine.guide.row("disks", store.disk)
            guests = [n for s in choice.stores if s.host == store.pool for n in s.pools]
            busses = frozenset(row.list("disk_busses"))
            there = (*store.pools, *guests)
            kind = self.kind_of(there, row, store.per_copy) if there else self.idle_kind(row)
            names = [lot_name(store.pool, c, store.copies) for c in range(store.copies)]
            volumes = sum(len(self.pools[name].volumes) for name in there)
            for name in names:
                rows[name] = row
                if store.copies == 1:
                    groups.append(DeviceGroup(name, kind, store.per_copy, busses, volumes=volumes))
                    continue
                # Copies of one pool are kinds of their own, as each keeps away from the others.
                own = f"{name} {volumes} {kind}"
                anti_affinity = frozenset(
                    f"{other} {volumes} {kind}" for other in names if other != name
                )
                self.add_like(own, kind)
                groups.append(
                    DeviceGroup(name, own, store.per_copy, busses, anti_affinity, volumes)
                )
        for name, number in Counter(self.removable(choice.backup_devices)).items():
            row = self.machine.guide.row("removable-media", name)
            backs_up = bool(self.demand.backup.while_in_use) and "backup" in row.list("use")
            nothing = as_quantity(0, "KB/s")
            moved = row.cell("transfer_kb_per_s") if backs_up else None
            attached = Attached(
                "", "", None, nothing, moved or nothing, asynchronous=row.flag("asynchronous")
            )
            use = Use(attached, backup=backs_up)
            busses = frozenset(row.list("disk_busses"))
            groups.append(DeviceGroup(name, self._kind(use, busses), number, busses))
            rows[name] = row
        uses = self.uses
        groups.sort(
            key=lambda group: (
                not uses[group.kind].backup, not group.anti_affinity, not uses[group.kind].random,
                -group.number,
            )
        )  # fmt: skip
        return rows, tuple(groups)

    def _kind(self, use: Use, busses: frozenset[str]) -> str:
        """The same text for devices that ask the same of a channel."""
        asked = use.attached
        figures = (asked.active, asked.reads, asked.others, asked.streaming)
        ends = tuple((f.low, f.likely, f.high) for f in figures if f is not None)
        of = asked.access, asked.asynchronous, *use[1:]
        # Short names are quick to compare.
        kind = self._short.setdefault((ends, of, busses), f"kind {len(self._short)}")
        self.add_kind(kind, use)
        return kind

    def add_kind(self, kind: str, use: Use) -> None:
        """Remember what devices of a kind ask for."""
        self.uses.setdefault(kind, use)
        sort = self._sorts.setdefault(kind, use.sort)
        self._first_of.setdefault(sort, use)

    def add_like(self, kind: str, other: str) -> None:
        """Remember that devices of a kind ask for the same as those of another."""
        self.add_kind(kind, self.uses[other])
        self._like.setdefault(kind, self._like.get(other, other))

    def kind_of(self, pools: tuple[str, ...], disk: Row, per_copy: int) -> str:
        """Return the kind of a disk with these pools, if a copy is on `per_copy` disks."""
        key = (pools, disk.id, per_copy)
        if key not in self._kinds:
            guide, exclusive = self.machine.guide, self.demand.exclusive
            both = joined([self.pools[name] for name in pools])
            stored = [Stored(v, per_copy * both.copies, both.copies) for v in both.volumes]
            asked = asked_of(self.demand, stored)
            hot, access = self._evaluated.use_of(both, disk)
            active = active_part(disk, access, asked, exclusive, guide)
            streaming = streaming_part(disk, access, asked, exclusive, guide)
            attached = Attached(
                "", access, active, *transfers(access, asked, exclusive), disk=True,
                streaming=streaming,
            )  # fmt: skip
            random = access == RANDOM
            use = Use(attached, hot > 0 and random, hot > 0 and not random)
            self._kinds[key] = self._kind(use, frozenset(disk.list("disk_busses")))
        return self._kinds[key]

    def idle_kind(self, disk: Row) -> str:
        """The kind of a disk without data, which takes no more of its channel than an address."""
        nothing = as_quantity(0, "KB/s")
        attached = Attached("", "", as_quantity(0, "disk"), nothing, nothing, disk=True)
        return self._kind(Use(attached), frozenset(disk.list("disk_busses")))

    def parts(self, channel: str, kind: str) -> Mapping[str, float]:
        """Resource -> the least part of a channel that a device takes."""
        key = (channel, kind)
        if key not in self._parts:
            used = self._use_of(channel, ((kind, 1),))
            self._parts[key] = self._limits.parts(self._channels.alone(channel, used))
        return self._parts[key]

    def addresses(self, channel: str) -> float:
        """The most devices that a channel of a kind can have, whatever they are."""
        if channel not in self._addresses:
            any_ = ChannelUse(1, 0, 0, (0, 0, 0), backup=False)
            known = self._channels.alone(channel, any_)._replace(demanded_kb_per_s=None)
            part = self._limits.parts(known).get(DEVICES, 0)
            self._addresses[channel] = floor(1 / part + PART_ROUNDING) if part else inf
        return self._addresses[channel]

    def cost(self, channel: str, content: Content) -> Cost:
        """What rules count against a channel of a kind with some content."""
        key = (channel, content)
        known = self._penalties.get(key)
        if known is None:
            # Kinds that ask the same count together.
            asked: dict[str, int] = {}
            for kind, number in content:
                like = self._like.get(kind, kind)
                asked[like] = asked.get(like, 0) + number
            alike = (channel, tuple(sorted(asked.items())))
            known = self._penalties.get(alike)
            if known is None:
                known = self._channels.cost(channel, self._use_of(*alike))
                self._penalties[alike] = known
            self._penalties[key] = known
        return known

    def _use_of(self, channel: str, content: Content) -> ChannelUse:
        """What is on a channel of a kind."""
        key = (channel, tuple(kind for kind, _ in content))
        if key not in self._mixes:
            self._mixes[key] = self._mix(*key)
        mix = self._mixes[key]
        numbers = [number for _, number in content]
        return ChannelUse(
            sum(numbers),
            sum(map(mul, numbers, mix.random)),
            sum(map(mul, numbers, mix.serial)),
            _times(numbers, mix.moved),
            mix.backup,
            mix.active_limit and (_times(numbers, mix.active), mix.active_limit),
            mix.bus_limit and (_times(numbers, mix.bus_time), mix.bus_limit),
        )

    def _mix(self, channel: str, kinds: Sequence[str]) -> _Mix:
        """What one device of each kind takes on a channel with these kinds."""
        every = frozenset(self._sorts[kind] for kind in kinds)
        taken = []
        for kind in kinds or ("",):
            key = (channel, kind, every)
            if key not in self._taken:
                # Of the others it matters only of which sorts they are.
                others = every.difference((self._sorts.get(kind),))
                beside = [self._first_of[sort] for sort in others]
                guide = self.machine.guide
                row = guide.row("disk-busses", channel)
                self._taken[key] = _taken(self.uses.get(kind), beside, row, guide)
            taken.append(self._taken[key])
        uses = [self.uses[kind] for kind in kinds]
        return _Mix(
            _columns(each.moved for each in taken), _columns(each.active for each in taken),
            _columns(each.bus_time for each in taken), taken[0].active_limit, taken[0].bus_limit,
            tuple(use.random for use in uses), tuple(use.serial for use in uses),
            any(use.backup for use in uses),
        )  # fmt: skip

    def meeting(self) -> Cost:
        """What rules count where two copies of a volume meet on a channel."""
        given = {"copies_share_channel": True, "protection": "mirror"}
        record: VolumeFacts = blank("volume", given)
        return subject_cost(self.rule_set, self.policy, self.system, "volume", record, partial=True)
