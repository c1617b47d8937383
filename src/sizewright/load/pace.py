"""The pace of runs on a system: the asymptotic bound of a closed system, a result, not demand.

All runs in progress of a piece of work keep some requests outstanding. Two things limit their
pace: how fast these requests return, and the capacity that all other demand leaves of each station.
A station that others use too is slower: its time is stretched.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from math import ceil
from typing import NamedTuple

from sizewright.configuration.model import DISK, Channel, System
from sizewright.demand.model import Demand
from sizewright.demand.rates import RANDOM, READ, LineItem, Operations, Traffic, sum_lines
from sizewright.demand.subset import restrict_demand, without_work
from sizewright.guide.model import Guide, Row, effective_kb_per_s
from sizewright.load.channels import active_limit, bus_limit, bus_rate, serial_read_kb
from sizewright.load.cpu_load import cpu_lines
from sizewright.load.disk_work import DiskRate, disk_rate, operation_ms, work_lines
from sizewright.load.model import Asked, NfsCapacity, Pace, WorkLoad, processor_second, stretch
from sizewright.load.network_traffic import (
    data_lines,
    interface_of,
    is_limited_by_stack,
    medium_kb_per_s,
    medium_of,
    packet_time,
)
from sizewright.load.storage import OnDisks, asked_of, bus_lines, on_disks
from sizewright.quantity import Quantity, ambiguous, as_quantity, count, largest, smallest, total
from sizewright.units import PURE

# The stations that can limit a pace.
STATIONS = ("disks", "active disks", "channel", "bus", "network", "kernel lock", "processors")
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
    stations = _Stations(work, demand, system, guide, capacity)
    try:
        best = stations.bound(best=True)
    except (_UnknownError, _NothingLeftError):
        return None
    try:
        whole = stations.bound(best=False)
    except _NothingLeftError as nothing:
        (station,) = nothing.args
        return best._replace(run_s=None, lasts=False, station=station, by_requests=False)
    return whole._replace(best_run_s=best.run_s, best_station=best.station)


class _Station(NamedTuple):
    """What a station has left for the work in op/s, and its stretched time of an operation in s.

    A disk's time contains its transfers: of a channel or a bus it is only what others add.
    """

    name: str
    left: Quantity
    time: Quantity


class _Requests(NamedTuple):
    """Operations of one kind on equal disks: of one disk, of all, and what a disk delivers."""

    one: Asked
    all: Asked
    rate: DiskRate | None


class _EqualDisks(NamedTuple):
    """Disks of one model with the same volumes on one channel, and what is demanded of them."""

    row: Row
    ids: tuple[str, ...]
    requests: tuple[_Requests, ...]


class _UnknownError(Exception):
    """A rate or a cost is not known."""


class _NothingLeftError(Exception):
    """Others leave nothing of the station that is named."""


class _Stations:
    """The stations on the way of some work, and what all other demand uses of them.

    Services that never run at the same time as the work use nothing. Open-ended work uses nothing.
    """

    def __init__(
        self, work: Operations, demand: Demand, system: System, guide: Guide,
        capacity: NfsCapacity | None,
    ) -> None:  # fmt: skip
        self.work = work
        self.system = system
        self.guide = guide
        rivals = {n for names in demand.exclusive if work.service in names for n in names}
        rivals.discard(work.service)
        if rivals:
            demand = restrict_demand(demand, {s.name for s in demand.services} - rivals)
        self.others = without_work(demand, work)
        works = work_lines(self.others, system, guide)
        self.kernel, self.processors = cpu_lines(self.others, system, guide, capacity, works)
        self.data = data_lines(self.others)
        stored = on_disks(self.others, system)
        self.equal = {each.id: tuple(self._equal(each, stored)) for each in system.channels}
        volumes = {volume.name: volume for volume in system.volumes}
        self.volume = volumes[work.volume]
        self.disks = self.volume.disks
        # Each channel with disks of the volume, and how many.
        disks = {c.id: sum(d.id in self.disks for d in c.devices) for c in system.channels}
        self.channels = [(c, disks[c.id]) for c in system.channels if disks[c.id]]
        # Open-ended works share evenly what demand leaves.
        open_ended = [o for o in demand.operations if o.open_ended and not o.low]
        self.sharing = open_ended if work.open_ended else [work]
        self.shared = [volumes[o.volume].disks for o in self.sharing if o.volume in volumes]

    def bound(self, best: bool) -> Pace:
        """Return the pace at the best of all stations, or over the whole range of the guide.

        Raises _UnknownError, and _NothingLeftError for a station that is used up.
        """
        runs = self.work.runs
        stations = [*self._storage(best), *self._network(best), *self._processing()]
        if spent := next((each for each in stations if each.left.low <= 0), None):
            raise _NothingLeftError(spent.name)
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
        station = slowest if by_requests else least.name
        rate = smallest(returned, left).with_name(f"{self.work.title}: pace")
        run_s = self._run_s(at_once, requests, time, left)
        return Pace(rate, run_s, run_s, True, station, station, by_requests, requests)

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
        return largest(alone, together).with_name(f"{self.work.title}: time of a run")

    def _active_disks(self) -> Quantity:
        """Return how many of the volume's disks the channels let be active."""
        busses, pattern = self.guide.table("disk-busses"), self.work.pattern
        limits = [(n, active_limit(busses[c.kind], pattern)) for c, n in self.channels]
        active = sum(n if most is None else min(n, ceil(most.likely)) for n, most in limits)
        return self._of_one_copy(count(active, f"active disks of {self.volume.name}"))

    def _of_one_copy(self, figure: Quantity) -> Quantity:
        """Return what is written goes to every copy."""
        copies = len(self.volume.copies)
        if copies == 1 or self.work.operation == "read":
            return figure
        return figure / count(copies, "copies")

    def _equal(self, channel: Channel, stored: OnDisks) -> Iterator[_EqualDisks]:
        """Yield the disks of a channel, those of one model with the same volumes together."""
        found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for device in channel.devices:
            if device.kind == DISK:
                volumes = tuple(each.need.name for each in stored[device.id])
                found.setdefault((device.model, volumes), []).append(device.id)
        for (model, _), ids in found.items():
            row, number = self.guide.row("disks", model), count(len(ids), f"disks {model}")
            requests = []
            for one in asked_of(self.others, stored[ids[0]]):
                every = one if len(ids) == 1 else one._replace(rate=one.rate * number)
                rate = disk_rate(row, one.pattern, one, self.guide)
                requests.append(_Requests(one, every, rate))
            yield _EqualDisks(row, tuple(ids), tuple(requests))

    def _storage(self, best: bool) -> Iterator[_Station]:
        """From the disks up to the I/O busses, each of which passes no more than it has left."""
        by_bus: dict[str, list[_Station]] = {}
        busses = {board.id: board.bus for board in self.system.boards}
        times = []
        for channel, number in self.channels:
            found, bus = self._channel(channel, number, best), busses.get(channel.provider, "")
            by_bus.setdefault(bus, []).append(found)
            speed, used = self._on(bus)
            time = found.time + self._added(speed, used if speed is None else used / speed, BUS)
            times.append(time * count(number, f"disks on {channel.id}"))
        passed = []
        for bus, channels in by_bus.items():
            most = max(channels, key=lambda each: each.left.likely)
            passed.append(
                self._on_bus(bus, most._replace(left=total((c.left for c in channels), "op/s")))
            )
        if not passed:
            raise _UnknownError
        most = max(passed, key=lambda each: each.left.likely)
        disks = count(sum(n for _, n in self.channels), f"disks of {self.volume.name}")
        left = self._of_one_copy(total((p.left for p in passed), "op/s"))
        yield most._replace(left=left, time=total(times, "s/op") / disks)

    def _channel(self, channel: Channel, number: int, best: bool) -> _Station:
        """Return the disks of one channel: as many as it lets be active, and what it transfers."""
        work, kind = self.work, self.guide.row("disk-busses", channel.kind)
        lefts, fulls, times = [], [], []
        slow = False
        for disks in self.equal[channel.id]:
            if disks.ids[0] not in self.disks:
                continue
            rate = disk_rate(disks.row, work.pattern, work, self.guide)
            used = self._at_once((one, known and known.full) for one, _, known in disks.requests)
            if rate is None:
                raise _UnknownError
            most = rate.full if best else ambiguous(rate.full, rate.sustained)
            slow = slow or disks.row.flag("asynchronous")
            n = count(len(disks.ids), f"disks {disks.row.id} on {channel.id}")
            fulls.append(most * n)
            lefts.append(_left(most, rate.full * used) / self._sharing(disks.ids) * n)
            times.append(as_quantity(1) / rate.full * _stretch(used, DISKS) * n)
        n = count(number, f"disks on {channel.id}")
        sharing = self._sharing({device.id for device in channel.devices})
        found = {DISKS: total(lefts, "op/s")}
        limit = active_limit(kind, work.pattern)
        if limit is not None:
            active = self._active(channel.id, kind, limit)
            disks_left = _left(limit / as_quantity(1, limit.unit), active)
            found[ACTIVE] = disks_left * (total(fulls, "op/s") / n) / sharing
        time = total(times, "s/op") / n
        speed = bus_rate(kind, slow, self.guide)
        if speed is not None:
            limit = bus_limit(kind, work.pattern, work.operation)
            left = _left(as_quantity(1), self._held(channel.id, kind, of_limit=True))
            left = left * speed / work.block_kb / sharing
            found[CHANNEL] = left if limit is None else left * limit
            time = time + self._added(speed, self._held(channel.id, kind), CHANNEL)
        name = min(found, key=lambda each: found[each].likely)
        return _Station(name, smallest(*found.values()), time)

    def _active(self, channel: str, kind: Row, limit: Quantity) -> Quantity:
        """Return how many disks others keep active, counted as those that a limit counts.

        A disk is active for its demand over the rate that it sustains (2.4.2). Disks of another
        pattern count in proportion to the limits of both, for more only by what they transfer.
        """
        random = active_limit(kind, RANDOM)

        def most(disk: Row, each: _Requests) -> Quantity | None:
            own = active_limit(kind, each.one.pattern)
            if each.rate is None or own is None or random is None:
                return None
            part, rate = own / limit, each.rate.sustained
            read_kb = serial_read_kb(disk, each.one.layer, self.guide)
            if own.high >= random.high or each.one.operation == READ or read_kb is None:
                return rate * part
            by_kb = largest(rate, read_kb / each.one.block_kb) * part
            return smallest(rate * (random / limit), by_kb)

        return self._at_once(
            (each.all, most(disks.row, each))
            for disks in self.equal[channel] for each in disks.requests
        )  # fmt: skip

    def _held(self, channel: str, kind: Row, of_limit: bool = False) -> Quantity:
        """Return the part of the time that others hold a bus, or of what limits that time."""
        lines = []
        for disks in self.equal[channel]:
            speed = bus_rate(kind, disks.row.flag("asynchronous"), self.guide)
            if speed is None:
                continue
            for one, every, _ in disks.requests:
                part = every.kb_per_s / speed
                limit = bus_limit(kind, one.pattern, one.operation) if of_limit else None
                lines.append(LineItem(one.service, part if limit is None else part / limit))
        return self._at_peak(lines, PURE)

    @cached_property
    def _bus_kb(self) -> Mapping[str, Quantity]:
        """Return the KB/s that boards demand of each I/O bus for all other demand."""
        moved = {}
        for channel, equal in self.equal.items():
            every = (each.all for disks in equal for each in disks.requests)
            lines = [LineItem(each.service, each.kb_per_s) for each in every]
            moved[channel] = (LineItem(channel, self._at_peak(lines, "KB/s")),)
        found = bus_lines(self.system, self.guide, moved)
        return {bus: sum_lines(lines, "MB/s").to("KB/s") for bus, lines in found.items()}

    def _on(self, bus: str) -> tuple[Quantity | None, Quantity]:
        """Return what an I/O bus sustains, if it is known, and what others use of it, in KB/s."""
        rows = self.guide.table("platform-busses").by("platform", "bus")
        found = rows.get((self.system.platform, bus), ())
        used = self._bus_kb.get(bus) or as_quantity(0, "KB/s")
        return found[0].cell("sustained_mb_per_s", "KB/s") if found else None, used

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

    def _network(self, best: bool) -> Iterator[_Station]:
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
        data = {name: sum_lines(lines, "KB/s") for name, lines in self.data.items()}
        none = as_quantity(0, "KB/s")
        used = data.get(self.work.network, none)
        left = _left(raw * number, used)
        if effective is not None and not best:
            rows = {p.network: interface_of(p, self.guide) for p in self.system.ports}
            if is_limited_by_stack(interface_of(ports[0], self.guide), self.guide):
                limited = (n for n in sorted(rows) if is_limited_by_stack(rows[n], self.guide))
                used = total((data.get(n, none) for n in limited), "KB/s")
            else:
                effective = effective * number
            left = ambiguous(_left(effective, used), left)
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
        kernel, whole = sum_lines(self.kernel, "ms/s"), sum_lines(self.processors, "ms/s")
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
        every = processor_second(number)
        left = _left(every, whole) / cost / sharing
        systems = self.guide.row("operating-systems", self.system.operating_system)
        locks, lock = systems.cell("kernel_locks"), processor_second()
        if locks is not None and locks.high == 1:
            left_of_lock = _left(lock, kernel) / cost / sharing
            yield _Station(LOCK, left_of_lock, seconds * _stretch(kernel / lock, LOCK))
            yield _Station(PROCESSORS, left, as_quantity(0, "s/op"))
        else:
            yield _Station(PROCESSORS, left, seconds * _stretch(whole / every, PROCESSORS, number))

    def _sharing(self, disks: Iterable[str]) -> Quantity:
        """Return how many of the works that share what is left are on some of these disks."""
        on = set(disks)
        return count(sum(not on.isdisjoint(o) for o in self.shared), "works that share the station")

    def _at_once(self, parts: Iterable[tuple[Asked, Quantity | None]]) -> Quantity:
        """Return the sum of demanded over possible rates at the peak; raises _UnknownError."""
        found = list(parts)
        if any(rate is None for _, rate in found):
            raise _UnknownError
        return self._at_peak((LineItem(o.service, o.rate / r) for o, r in found if r), PURE)

    def _at_peak(self, lines: Iterable[LineItem], unit: str) -> Quantity:
        return sum_lines(self.others.at_peak(tuple(lines)), unit)


def _left(limit: Quantity, used: Quantity) -> Quantity:
    """Return what others leave below a limit."""
    return largest(limit - used, as_quantity(0, limit.unit)) if used.high > 0 else limit


def _stretch(used: Quantity, station: str, servers: int = 1) -> Quantity:
    """By what a station serves more slowly whose servers others use: 1 ÷ (1 − used^c)."""
    found = stretch(used, servers)
    if found is None:
        raise _NothingLeftError(station)
    return found
