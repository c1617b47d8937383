"""What all other demand uses of each station while some work runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sizewright.configuration.model import Channel, System
from sizewright.demand.model import Demand, LineItem, Operations, sum_lines
from sizewright.demand.subset import restrict_demand
from sizewright.guide.model import Guide, Row
from sizewright.load.channels import active_limit, bus_limit, bus_rate
from sizewright.load.cpu_load import cpu_lines
from sizewright.load.disk_work import work_lines, work_rates
from sizewright.load.disks import DiskRate, disk_rate
from sizewright.load.model import Asked, NfsCapacity
from sizewright.load.network_traffic import data_lines, is_limited_by_stack
from sizewright.load.storage import asked_of, bus_lines, on_disks
from sizewright.quantity import Quantity, count, total
from sizewright.units import PURE


class EqualDisks(NamedTuple):
    """Disks of one model with the same volumes, and what is asked of each."""

    row: Row
    ids: tuple[str, ...]
    asked: tuple[Asked, ...]

    def rates(self, guide: Guide) -> Iterator[tuple[Asked, DiskRate | None]]:
        """Each kind of operations with what a disk delivers of it."""
        for each in self.asked:
            yield (
                each,
                disk_rate(self.row, each.pattern, each.layer, each.operation, each.block_kb, guide),
            )

    def all(self, asked: Asked) -> Asked:
        """What is asked of all of them together."""
        if len(self.ids) == 1:
            return asked
        return asked._replace(rate=asked.rate * count(len(self.ids), f"disks {self.row.id}"))


class OtherDemand:
    """The demand beside one piece of work, and what it uses of a system.

    Services that exclude the one of the work in time use nothing, nor does open-ended work.
    """

    def __init__(
        self, work: Operations, demand: Demand, system: System, guide: Guide,
        capacity: NfsCapacity | None,
    ) -> None:  # fmt: skip
        self.system = system
        self.guide = guide
        rivals = {n for names in demand.exclusive if work.service in names for n in names}
        rivals.discard(work.service)
        if rivals:
            demand = restrict_demand(demand, {s.name for s in demand.services} - rivals)
        self.open_ended = [o for o in demand.operations if o.open_ended and not o.low]
        self.demand = _without(work, demand)
        works = work_lines(work_rates(self.demand, system, guide), system, guide)
        self.kernel, self.processors = cpu_lines(self.demand, system, guide, capacity, works)
        self._data = data_lines(self.demand)
        self._stored = on_disks(self.demand, system)
        self._alike: dict[str, tuple[EqualDisks, ...]] = {}
        self._held: dict[tuple[str, bool], Quantity] = {}
        self._busses: dict[str, Quantity] = {}

    def alike(self, channel: Channel) -> tuple[EqualDisks, ...]:
        """Return the disks of a channel, those of one model with the same volumes together."""
        if channel.id not in self._alike:
            found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
            for device in channel.devices:
                if device.kind == "disk":
                    volumes = tuple(each.need.name for each in self._stored[device.id])
                    found.setdefault((device.model, volumes), []).append(device.id)
            self._alike[channel.id] = tuple(
                EqualDisks(
                    self.guide.row("disks", model), tuple(ids),
                    asked_of(self.demand, self._stored[ids[0]]),
                )
                for (model, _), ids in found.items()
            )  # fmt: skip
        return self._alike[channel.id]

    def disk_share(self, disks: EqualDisks) -> Quantity | None:
        """Return the part of the time of each of these disks that is used."""
        return self._sum((e, r.full if r else None) for e, r in disks.rates(self.guide))

    def active_disks(self, channel: Channel, pattern: str) -> Quantity | None:
        """Return how many disks of a channel are kept active, counted as disks of a pattern.

        A disk is active for its demand over the rate that it sustains (2.4.2). Disks of the other
        pattern count in proportion to the limits of both.
        """
        kind = self.guide.row("disk-busses", channel.kind)
        limit, parts = active_limit(kind, pattern), []
        for disks in self.alike(channel):
            for each, rate in disks.rates(self.guide):
                own = active_limit(kind, each.pattern)
                if limit is None or own is None:
                    return None
                parts.append((disks.all(each), rate and rate.sustained * (own / limit)))
        return self._sum(parts)

    def held(self, channel: Channel, of_limit: bool = False) -> Quantity:
        """Return the part of the time that a channel's bus is held, or of what limits that time."""
        key = (channel.id, of_limit)
        if key not in self._held:
            kind = self.guide.row("disk-busses", channel.kind)
            lines = []
            for disks in self.alike(channel):
                speed = bus_rate(kind, disks.row.flag("asynchronous"), self.guide)
                if speed is None:
                    continue
                for each in disks.asked:
                    part = disks.all(each).kb_per_s / speed
                    limit = bus_limit(kind, each.pattern, each.operation) if of_limit else None
                    lines.append(LineItem(each.service, part if limit is None else part / limit))
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
            LineItem(each.service, disks.all(each).kb_per_s)
            for disks in self.alike(channel) for each in disks.asked
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
        """Return the sum of demanded over possible rates at the worst moment."""
        lines = []
        for each, rate in parts:
            if rate is None:
                return None
            lines.append(LineItem(each.service, each.rate / rate))
        return self._at_peak(lines, PURE)

    def _at_peak(self, lines: Iterable[LineItem], unit: str) -> Quantity:
        return sum_lines(self.demand.at_peak(tuple(lines)), unit)


def _without(work: Operations, demand: Demand) -> Demand:
    """The demand without some work and what it returns."""
    return demand._replace(
        operations=tuple(o for o in demand.operations if o.title != work.title),
        volumes=tuple(
            v._replace(work=tuple(o for o in v.work if o.title != work.title))
            for v in demand.volumes
        ),
        traffic=tuple(t for t in demand.traffic if t.title != work.title),
    )
