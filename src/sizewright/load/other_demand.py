"""What all other demand uses of each station while some work runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sizewright.configuration.model import DISK, Channel, System
from sizewright.demand.model import Demand, LineItem, Operations, sum_lines
from sizewright.demand.subset import restrict_demand, without_work
from sizewright.guide.model import Guide, Row
from sizewright.load.channels import active_limit, bus_limit, bus_rate
from sizewright.load.cpu_load import cpu_lines
from sizewright.load.disk_work import DiskRate, disk_rate, work_lines
from sizewright.load.model import Asked, NfsCapacity
from sizewright.load.network_traffic import data_lines, is_limited_by_stack
from sizewright.load.storage import asked_of, bus_lines, on_disks
from sizewright.quantity import Quantity, count, total
from sizewright.units import PURE


class Requests(NamedTuple):
    """Operations of one kind on equal disks: of one disk, of all, and what a disk delivers."""

    one: Asked
    all: Asked
    rate: DiskRate | None


class EqualDisks(NamedTuple):
    """Disks of one model with the same volumes on one channel, and what is asked of them."""

    row: Row
    ids: tuple[str, ...]
    requests: tuple[Requests, ...]


class OtherDemand:
    """All demand except one piece of work, and what it uses of a system.

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
        self.open_ended = [o for o in demand.operations if o.open_ended and not o.low]
        self.demand = without_work(demand, work)
        works = work_lines(self.demand, system, guide)
        self.kernel, self.processors = cpu_lines(self.demand, system, guide, capacity, works)
        self._data = data_lines(self.demand)
        self._stored = on_disks(self.demand, system)
        self._disks = {channel.id: tuple(self._equal(channel)) for channel in system.channels}
        self._rates: dict[str, DiskRate | None] = {}
        self._shares: dict[tuple[str, ...], Quantity | None] = {}
        self._active: dict[tuple[str, str], Quantity | None] = {}
        self._held: dict[tuple[str, bool], Quantity] = {}
        self._busses: dict[str, Quantity] = {}

    def rate_of_work(self, disk: Row) -> DiskRate | None:
        """Return what a disk delivers of the operations of the work itself."""
        if disk.id not in self._rates:
            work = self.work
            self._rates[disk.id] = disk_rate(
                disk, work.pattern, work.layer, work.operation, work.block_kb, self.guide
            )
        return self._rates[disk.id]

    def equal_disks(self, channel: Channel) -> tuple[EqualDisks, ...]:
        """Return the disks of a channel, those of one model with the same volumes together."""
        return self._disks[channel.id]

    def _equal(self, channel: Channel) -> Iterator[EqualDisks]:
        found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for device in channel.devices:
            if device.kind == DISK:
                volumes = tuple(each.need.name for each in self._stored[device.id])
                found.setdefault((device.model, volumes), []).append(device.id)
        for (model, _), ids in found.items():
            row = self.guide.row("disks", model)
            asked = asked_of(self.demand, self._stored[ids[0]])
            number = count(len(ids), f"disks {model}")
            yield EqualDisks(
                row, tuple(ids),
                tuple(
                    Requests(
                        each, each if len(ids) == 1 else each._replace(rate=each.rate * number),
                        disk_rate(row, each.pattern, each.layer, each.operation, each.block_kb,
                                  self.guide),
                    )
                    for each in asked
                ),
            )  # fmt: skip

    def disk_share(self, disks: EqualDisks) -> Quantity | None:
        """Return the part of the time of each of these disks that is used."""
        if disks.ids not in self._shares:
            parts = ((r.one, r.rate and r.rate.full) for r in disks.requests)
            self._shares[disks.ids] = self._sum(parts)
        return self._shares[disks.ids]

    def active_disks(self, channel: Channel, pattern: str) -> Quantity | None:
        """Return how many disks of a channel are kept active, counted as disks of a pattern.

        A disk is active for its demand over the rate that it sustains (2.4.2). Disks of the other
        pattern count in proportion to the limits of both.
        """
        key = (channel.id, pattern)
        if key not in self._active:
            kind = self.guide.row("disk-busses", channel.kind)
            limit = active_limit(kind, pattern)
            parts: list[tuple[Asked, Quantity | None]] = []
            for disks in self._disks[channel.id]:
                for one, all_, rate in disks.requests:
                    own = active_limit(kind, one.pattern)
                    if rate is None or limit is None or own is None:
                        parts.append((all_, None))
                    else:
                        parts.append((all_, rate.sustained * (own / limit)))
            self._active[key] = self._sum(parts)
        return self._active[key]

    def held(self, channel: Channel, of_limit: bool = False) -> Quantity:
        """Return the part of the time that a channel's bus is held, or of what limits that time."""
        key = (channel.id, of_limit)
        if key not in self._held:
            kind = self.guide.row("disk-busses", channel.kind)
            lines = []
            for disks in self._disks[channel.id]:
                speed = bus_rate(kind, disks.row.flag("asynchronous"), self.guide)
                if speed is None:
                    continue
                for each in disks.requests:
                    part, asked = each.all.kb_per_s / speed, each.one
                    limit = bus_limit(kind, asked.pattern, asked.operation) if of_limit else None
                    lines.append(LineItem(asked.service, part if limit is None else part / limit))
            self._held[key] = self._at_peak(lines, PURE)
        return self._held[key]

    def bus_mb(self, bus: str) -> Quantity:
        """Return the MB/s that boards ask of an I/O bus."""
        if bus not in self._busses:
            moved = {c.id: (LineItem(c.id, self._moved_kb(c)),) for c in self.system.channels}
            lines = bus_lines(self.system, self.guide, moved).get(bus, ())
            self._busses[bus] = sum_lines(lines, "MB/s")
        return self._busses[bus]

    def _moved_kb(self, channel: Channel) -> Quantity:
        lines = [
            LineItem(each.one.service, each.all.kb_per_s)
            for disks in self._disks[channel.id] for each in disks.requests
        ]  # fmt: skip
        return self._at_peak(lines, "KB/s")

    def data_kb(self, network: str) -> Quantity:
        """Return the KB/s that are sent over a community's networks."""
        return sum_lines(self._data.get(network, ()), "KB/s")

    def stack_kb(self) -> Quantity:
        """Return the KB/s over all networks whose speed the protocol stack limits (Table 10)."""
        rows = {p.network: self.guide.row("network-interfaces", p.interface)
                for p in self.system.ports}  # fmt: skip
        limited = sorted(name for name, row in rows.items() if is_limited_by_stack(row, self.guide))
        return total((self.data_kb(name) for name in limited), "KB/s")

    def _sum(self, parts: Iterable[tuple[Asked, Quantity | None]]) -> Quantity | None:
        """Return the sum of demanded over possible rates at the peak."""
        lines = []
        for each, rate in parts:
            if rate is None:
                return None
            lines.append(LineItem(each.service, each.rate / rate))
        return self._at_peak(lines, PURE)

    def _at_peak(self, lines: Iterable[LineItem], unit: str) -> Quantity:
        return sum_lines(self.demand.at_peak(tuple(lines)), unit)
