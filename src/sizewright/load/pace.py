"""The pace of runs on a system: the asymptotic bound of a closed system, a result, not demand.

All runs in progress of a piece of work keep some requests outstanding. Two things limit their
pace: how fast these requests return, and the capacity that all other demand leaves of each station.
A station that others use too is slower: its time is stretched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil
from typing import NamedTuple

from sizewright.configuration.model import Channel, Device, System
from sizewright.demand.model import Demand, Operations, Traffic, sum_lines
from sizewright.guide.model import Guide, Row, effective_kb_per_s
from sizewright.load.channels import active_limit, bus_limit, bus_rate
from sizewright.load.disk_work import operation_ms
from sizewright.load.model import NfsCapacity, Pace, WorkLoad, processor_second, stretch
from sizewright.load.network_traffic import (
    is_limited_by_stack,
    medium_kb_per_s,
    medium_of,
    packet_time,
)
from sizewright.load.other_demand import OtherDemand
from sizewright.quantity import Quantity, ambiguous, as_quantity, count, largest, smallest, total

# The stations that can limit a pace.
STATIONS = (
    "disks", "active disks", "channel", "bus", "network", "kernel lock", "processors",
)  # fmt: skip
DISKS, ACTIVE, CHANNEL, BUS, NETWORK, LOCK, PROCESSORS = STATIONS


def work_loads(
    demand: Demand, system: System, guide: Guide, capacity: NfsCapacity | None
) -> tuple[WorkLoad, ...]:
    """Return all work in runs and all open-ended work, each with its demand and its pace."""
    laid = {volume.name for volume in system.volumes}
    return tuple(
        WorkLoad(o, pace_of(o, demand, system, guide, capacity))
        for o in demand.operations
        if o.volume in laid and not o.low and (o.runs.run_ops is not None or o.open_ended)
    )


def pace_of(
    work: Operations, demand: Demand, system: System, guide: Guide, capacity: NfsCapacity | None
) -> Pace | None:
    """Return how fast all runs of some work go together; None if a rate or cost is not known."""
    others = OtherDemand(work, demand, system, guide, capacity)
    try:
        best = _Way(work, others, best=True).bound()
    except (_UnknownError, _NothingLeftError):
        return None
    try:
        whole, lasts = _Way(work, others, best=False).bound(), True
    except _NothingLeftError as nothing:
        whole, lasts = _Bound(best.rate, None, nothing.station, False, best.requests), False
    return Pace(
        whole.rate, whole.run_s, best.run_s, lasts, whole.station, best.station, whole.by_requests,
        whole.requests,
    )  # fmt: skip


class _Bound(NamedTuple):
    """A pace in op/s, the time of a run, and what limits both at the likely values."""

    rate: Quantity
    run_s: Quantity | None
    station: str
    by_requests: bool
    requests: Quantity


class _Station(NamedTuple):
    """What a station has left for the work in op/s, and its stretched time of an operation in s.

    A disk's time contains its transfers: of a channel or a bus it is only what others add.
    """

    name: str
    left: Quantity
    time: Quantity


class _Way:
    """The stations on the way of some work, at their best or over the whole range of the guide."""

    def __init__(self, work: Operations, others: OtherDemand, best: bool) -> None:
        self.work = work
        self.others = others
        self.system = others.system
        self.guide = others.guide
        self.best = best
        self.volumes = {volume.name: volume for volume in self.system.volumes}
        self.volume = self.volumes[work.volume]
        self.disks = self.volume.disks
        # Open-ended works share evenly what demand leaves.
        self.sharing = others.open_ended if work.open_ended else [work]
        self.shared = [
            self.volumes[each.volume].disks for each in self.sharing if each.volume in self.volumes
        ]

    def bound(self) -> _Bound:
        """Return the pace; raises _UnknownError, and _NothingLeftError for a station used up."""
        runs = self.work.runs
        stations = [*self._storage(), *self._network(), *self._processing()]
        for each in stations:
            if each.left.low <= 0:
                raise _NothingLeftError(each.name)
        left = smallest(*(each.left for each in stations))
        time = total((each.time for each in stations), "s/op")
        requests = runs.outstanding or self._active_disks()
        at_once = largest(runs.at_once, as_quantity(1)) if runs.at_once else count(1, "one run")
        returned = at_once * requests / time
        if runs.run_ops is not None and runs.every_s is not None:
            returned = largest(returned, runs.run_ops / runs.every_s)
        least = min(stations, key=lambda each: each.left.likely)
        slowest = max(stations, key=lambda each: each.time.likely).name
        slowest = DISKS if slowest in (ACTIVE, CHANNEL, BUS) else slowest
        by_requests = returned.likely < least.left.likely
        return _Bound(
            smallest(returned, left).named(f"{self.work.title}: pace"),
            self._run_s(at_once, requests, time, left),
            slowest if by_requests else least.name, by_requests, requests,
        )  # fmt: skip

    def _run_s(
        self, at_once: Quantity, requests: Quantity, time: Quantity, left: Quantity
    ) -> Quantity | None:
        """Return the time of a run: alone, or of all runs in progress over what is left for them.

        In progress are as many as stated, else one, or arrivals × the time of a run if more.
        """
        runs = self.work.runs
        if runs.run_ops is None:
            return None
        alone = runs.run_ops * time / requests
        if runs.every_s is not None:
            at_once = largest(at_once, alone / runs.every_s)
        together = at_once * runs.run_ops / left
        return largest(alone, together).named(f"{self.work.title}: time of a run")

    def _active_disks(self) -> Quantity:
        """Return how many of the volume's disks the channels let be active."""
        active = 0
        for channel, disks in self._channels():
            limit = active_limit(channel, self.work.pattern)
            active += len(disks) if limit is None else min(len(disks), ceil(limit.likely))
        return self._of_one_copy(count(active, f"active disks of {self.volume.name}"))

    def _channels(self) -> Iterator[tuple[Row, list[Device]]]:
        """Yield each channel with disks of the volume."""
        for channel in self.system.channels:
            disks = [device for device in channel.devices if device.id in self.disks]
            if disks:
                yield self.guide.row("disk-busses", channel.kind), disks

    def _of_one_copy(self, figure: Quantity) -> Quantity:
        """Return what is written goes to every copy."""
        copies = len(self.volume.copies)
        if copies == 1 or self.work.operation == "read":
            return figure
        return figure / count(copies, "copies")

    def _storage(self) -> Iterator[_Station]:
        """From the disks up to the I/O busses, each of which passes no more than it has left."""
        by_bus: dict[str, list[_Station]] = {}
        busses = {board.id: board.bus for board in self.system.boards}
        times, number = [], 0
        for channel in self.system.channels:
            disks = [device for device in channel.devices if device.id in self.disks]
            if disks:
                found, bus = self._channel(channel, len(disks)), busses.get(channel.provider, "")
                by_bus.setdefault(bus, []).append(found)
                speed, used = self._on(bus)
                share = used if speed is None else used / speed
                time = found.time + self._added(speed, share, BUS)
                times.append(time * count(len(disks), f"disks on {channel.id}"))
                number += len(disks)
        passed = []
        for bus, channels in by_bus.items():
            most = max(channels, key=lambda each: each.left.likely)
            passed.append(self._on_bus(bus, most._replace(left=_sum(c.left for c in channels))))
        if not passed:
            raise _UnknownError
        most = max(passed, key=lambda each: each.left.likely)
        disks_time = total(times, "s/op") / count(number, f"disks of {self.volume.name}")
        yield most._replace(left=self._of_one_copy(_sum(p.left for p in passed)), time=disks_time)

    def _channel(self, channel: Channel, number: int) -> _Station:
        """Return the disks of one channel: as many as it lets be active, and what it transfers."""
        work, kind = self.work, self.guide.row("disk-busses", channel.kind)
        lefts, fulls, times = [], [], []
        slow = False
        for disks in self.others.equal_disks[channel.id]:
            if disks.ids[0] not in self.disks:
                continue
            rate = self.others.rate_of_work(disks.row)
            used = self.others.disk_share(disks)
            if rate is None or used is None:
                raise _UnknownError
            most = rate.full if self.best else ambiguous(rate.full, rate.sustained)
            slow = slow or disks.row.flag("asynchronous")
            n = count(len(disks.ids), f"disks {disks.row.id} on {channel.id}")
            fulls.append(most * n)
            lefts.append(_left(most, rate.full * used) / self._sharing(disks.ids) * n)
            times.append(as_quantity(1) / rate.full * _stretch(used, DISKS) * n)
        n = count(number, f"disks on {channel.id}")
        sharing = self._sharing({device.id for device in channel.devices})
        found = {DISKS: _sum(lefts)}
        limit = active_limit(kind, work.pattern)
        if limit is not None:
            active = self.others.active_disks(channel.id, kind, limit)
            if active is None:
                raise _UnknownError
            disks_left = _left(limit / as_quantity(1, limit.unit), active)
            found[ACTIVE] = disks_left * (_sum(fulls) / n) / sharing
        time = _sum(times) / n
        speed = bus_rate(kind, slow, self.guide)
        if speed is not None:
            limit = bus_limit(kind, work.pattern, work.operation)
            left = _left(as_quantity(1), self.others.held(channel.id, kind, of_limit=True))
            left = left * speed / work.block_kb / sharing
            found[CHANNEL] = left if limit is None else left * limit
            time = time + self._added(speed, self.others.held(channel.id, kind), CHANNEL)
        name = min(found, key=lambda each: found[each].likely)
        return _Station(name, smallest(*found.values()), time)

    def _on_bus(self, bus: str, below: _Station) -> _Station:
        """Return what an I/O bus passes of its channels."""
        speed, used = self._on(bus)
        if speed is None:
            return below
        ids = {board.id for board in self.system.boards if board.bus == bus}
        sharing = self._sharing(
            device.id for channel in self.system.channels if channel.provider in ids
            for device in channel.devices
        )  # fmt: skip
        left = _left(speed, used) / self.work.block_kb / sharing
        name = below.name if below.left.likely <= left.likely else BUS
        return below._replace(name=name, left=smallest(below.left, left))

    def _on(self, bus: str) -> tuple[Quantity | None, Quantity]:
        """Return what an I/O bus sustains, if it is known, and what others use of it, in KB/s."""
        rows = self.guide.table("platform-busses").by("platform", "bus")
        for row in rows.get((self.system.platform, bus), ()):
            used = self.others.bus_mb.get(bus, as_quantity(0, "MB/s"))
            return row.find("sustained_mb_per_s", "KB/s"), used.to("KB/s")
        return None, as_quantity(0, "KB/s")

    def _added(self, speed: Quantity | None, used: Quantity, station: str) -> Quantity:
        """Return the time that others add to the transfer of an operation."""
        if speed is None or used.high <= 0:
            return as_quantity(0, "s/op")
        return self.work.block_kb / speed * (_stretch(used, station) - as_quantity(1))

    def _sent_kb(self) -> Quantity | None:
        """Return what an operation sends of the results, in KB; None if a run returns nothing."""
        runs = self.work.runs
        if runs.returns_kb is None or runs.run_ops is None or runs.returns_kb.high <= 0:
            return None
        if runs.returns_kb.low <= 0 or runs.run_ops.low <= 0:
            raise _UnknownError
        return runs.returns_kb / runs.run_ops

    def _network(self) -> Iterator[_Station]:
        """Yield the networks that carry what the runs return, from effective to raw speed.

        The effective speed of a medium that the protocol stack limits is one sum for the system.
        """
        sent = self._sent_kb()
        ports = [port for port in self.system.ports if port.network == self.work.network]
        if sent is None or not ports:
            return
        medium = medium_of(ports[0], self.guide)
        raw, effective = medium_kb_per_s(medium), effective_kb_per_s(medium)
        if raw is None:
            raise _UnknownError
        number = count(len(ports), f"networks of {self.work.network}")
        used = self.others.data_kb(self.work.network)
        left = _left(raw * number, used)
        if effective is not None and not self.best:
            interface = self.guide.row("network-interfaces", ports[0].interface)
            if is_limited_by_stack(interface, self.guide):
                left = ambiguous(_left(effective, self.others.stack_kb()), left)
            else:
                left = ambiguous(_left(effective * number, used), left)
        if left.low <= 0:
            raise _NothingLeftError(NETWORK)
        sharing = count(
            sum(o.network == self.work.network and o.runs.returns_kb is not None
                for o in self.sharing), "works that share the network",
        )  # fmt: skip
        # The time of a transfer, stretched by what others use, is that over what they leave.
        yield _Station(NETWORK, left / sent / sharing, sent / left)

    def _processing(self) -> Iterator[_Station]:
        """One lock of the kernel, if there is only one, and the processors."""
        cost = operation_ms(self.work, self.volume, self.system, self.guide)
        kernel, whole = (
            sum_lines(self.others.kernel, "ms/s"),
            sum_lines(self.others.processors, "ms/s"),
        )
        number = self.system.processors
        if cost is None or kernel is None or whole is None or number is None:
            raise _UnknownError
        sharing = count(len(self.sharing), "works that share the processors")
        sent, one = self._sent_kb(), as_quantity(1, "op/s")
        if sent is not None:
            traffic = Traffic(self.work.service, self.work.name, self.work.network, sent * one)
            packets = packet_time(traffic, self.system, self.guide)
            cost = cost if packets is None else cost + packets / one
        seconds = cost.to("s/op")
        all_, nothing = processor_second(number), as_quantity(0, "s/op")
        left = _left(all_, whole) / cost / sharing
        systems = self.guide.row("operating-systems", self.system.operating_system)
        locks = systems.find("kernel_locks")
        if locks is not None and locks.high == 1:
            lock = processor_second()
            left_of_lock = _left(lock, kernel) / cost / sharing
            yield _Station(LOCK, left_of_lock, seconds * _stretch(kernel / lock, LOCK))
            yield _Station(PROCESSORS, left, nothing)
        else:
            yield _Station(PROCESSORS, left, seconds * _stretch(whole / all_, PROCESSORS, number))

    def _sharing(self, disks: Iterable[str]) -> Quantity:
        """Return how many of the works that share what is left are on some of these disks."""
        on = set(disks)
        number = sum(not on.isdisjoint(each) for each in self.shared)
        return count(number, "works that share the station")


class _UnknownError(Exception):
    """A rate or a cost is not known."""


class _NothingLeftError(Exception):
    """Others leave nothing of a `station`."""

    def __init__(self, station: str) -> None:
        super().__init__(station)
        self.station = station


def _sum(figures: Iterable[Quantity]) -> Quantity:
    parts = tuple(figures)
    return total(parts, parts[0].unit)


def _left(limit: Quantity, used: Quantity) -> Quantity:
    """Return what others leave below a limit."""
    return largest(limit - used, as_quantity(0, limit.unit)) if used.high > 0 else limit


def _stretch(used: Quantity, station: str, servers: int = 1) -> Quantity:
    """By what a station serves more slowly whose servers others use: 1 ÷ (1 − used^c)."""
    found = stretch(used, servers)
    if found is None:
        raise _NothingLeftError(station)
    return found
