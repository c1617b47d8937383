"""What all other demand uses of each station while some work runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
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
        # By channel: its disks, those of one model with the same volumes together.
        self.equal_disks = {c.id: tuple(self._equal(c)) for c in system.channels}

    def rate_of_work(self, disk: Row) -> DiskRate | None:
        """Return what a disk delivers of the operations of the work itself."""
        work = self.work
        return disk_rate(disk, work.pattern, work.layer, work.operation, work.block_kb, self.guide)

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
        return self._sum((each.one, each.rate and each.rate.full) for each in disks.requests)

    def active_disks(self, channel: str, kind: Row, limit: Quantity) -> Quantity | None:
        """Return how many disks of a channel are kept active, counted as those that a limit counts.

        A disk is active for its demand over the rate that it sustains (2.4.2). Disks of another
        pattern count in proportion to the limits of both.
        """
        parts = []
        for disks in self.equal_disks[channel]:
            for one, all_, rate in disks.requests:
                own = active_limit(kind, one.pattern)
                parts.append((all_, rate and own and rate.sustained * (own / limit)))
        return self._sum(parts)

    def held(self, channel: str, kind: Row, of_limit: bool = False) -> Quantity:
        """Return the part of the time that a channel's bus is held, or of what limits that time."""
        lines = []
        for disks in self.equal_disks[channel]:
            speed = bus_rate(kind, disks.row.flag("asynchronous"), self.guide)
            if speed is None:
                continue
            for each in disks.requests:
                part, asked = each.all.kb_per_s / speed, each.one
                limit = bus_limit(kind, asked.pattern, asked.operation) if of_limit else None
                lines.append(LineItem(asked.service, part if limit is None else part / limit))
        return self._at_peak(lines, PURE)

    @cached_property
    def bus_mb(self) -> Mapping[str, Quantity]:
        """Return the MB/s that boards ask of each I/O bus."""
        moved = {}
        for channel, equal in self.equal_disks.items():
            every = [each for disks in equal for each in disks.requests]
            lines = [LineItem(each.one.service, each.all.kb_per_s) for each in every]
            moved[channel] = (LineItem(channel, self._at_peak(lines, "KB/s")),)
        found = bus_lines(self.system, self.guide, moved)
        return {bus: sum_lines(lines, "MB/s") for bus, lines in found.items()}

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
