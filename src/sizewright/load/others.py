"""What all other demand uses of each station while some work runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sizewright.configuration.model import Channel, System
from sizewright.demand.model import Demand, Item, Operations
from sizewright.demand.restrict import restricted
from sizewright.figure import Figure, count, total
from sizewright.guide.model import Guide, Row
from sizewright.load.disk_rates import PATTERNS, DiskRate, disk_rate
from sizewright.load.kernel import Times
from sizewright.load.media import data_lines
from sizewright.load.model import NfsCapacity
from sizewright.load.storage import Stored, bus_lines, on_disks
from sizewright.load.work import active_limit, going
from sizewright.units import PURE


class Asked(NamedTuple):
    """Operations a second that a service asks of one disk."""

    service: str
    rate: Figure
    block_kb: Figure
    pattern: str
    layer: str
    operation: str

    def rate_of(self, disk: Row, guide: Guide) -> DiskRate | None:
        """Return what a disk delivers of such operations."""
        return disk_rate(disk, self.pattern, self.layer, self.operation, self.block_kb, guide)


class Alike(NamedTuple):
    """Disks of one model with the same volumes, and what is asked of each."""

    row: Row
    ids: tuple[str, ...]
    asked: tuple[Asked, ...]

    def rates(self, guide: Guide) -> Iterator[tuple[Asked, DiskRate | None]]:
        """Each kind of operations with what a disk delivers of it."""
        for each in self.asked:
            yield each, each.rate_of(self.row, guide)

    def all(self, asked: Asked) -> Asked:
        """What is asked of all of them together."""
        if len(self.ids) == 1:
            return asked
        return asked._replace(rate=asked.rate * count(len(self.ids), f"disks {self.row.id}"))


class Others:
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
            demand = restricted(demand, {s.name for s in demand.services} - rivals)
        self.open_ended = [o for o in demand.operations if o.open_ended and not o.low]
        self.demand = _without(work, demand)
        works = going(self.demand, system, guide)
        self.kernel, self.processors = Times(self.demand, system, guide, capacity).of(works)
        self._data = data_lines(self.demand)
        self._stored = on_disks(self.demand, system)
        self._alike: dict[str, tuple[Alike, ...]] = {}
        self._moved: dict[str, Figure] = {}

    def alike(self, channel: Channel) -> tuple[Alike, ...]:
        """Return the disks of a channel, those of one model with the same volumes together."""
        if channel.id not in self._alike:
            found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
            for device in channel.devices:
                if device.kind == "disk":
                    volumes = tuple(each.need.name for each in self._stored[device.id])
                    found.setdefault((device.model, volumes), []).append(device.id)
            self._alike[channel.id] = tuple(
                Alike(
                    self.guide.row("disks", model), tuple(ids),
                    tuple(_asked(self._stored[ids[0]], self.demand.transfer_kb)),
                )
                for (model, _), ids in found.items()
            )  # fmt: skip
        return self._alike[channel.id]

    def disk_share(self, disks: Alike) -> Figure | None:
        """Return the part of the time of each of these disks that is used."""
        return self._sum((e, r.full if r else None) for e, r in disks.rates(self.guide))

    def active_disks(self, channel: Channel, pattern: str) -> Figure | None:
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

    def moved_kb(self, channel: Channel) -> Figure:
        """Return the KB/s that are transferred over a channel."""
        if channel.id not in self._moved:
            lines = (
                Item(each.service, disks.all(each).rate * each.block_kb)
                for disks in self.alike(channel) for each in disks.asked
            )  # fmt: skip
            moved = (line.figure for line in self.demand.at_worst(tuple(lines)))
            self._moved[channel.id] = total(moved, "KB/s")
        return self._moved[channel.id]

    def bus_mb(self, bus: str) -> Figure:
        """Return the MB/s that boards ask of an I/O bus."""
        moved = {c.id: (Item(c.id, self.moved_kb(c)),) for c in self.system.channels}
        lines = bus_lines(self.system, self.guide, moved).get(bus, ())
        return total((line.figure for line in lines), "MB/s")

    def data_kb(self, network: str) -> Figure:
        """Return the KB/s that are sent over a community's networks."""
        return total((line.figure for line in self._data.get(network, ())), "KB/s")

    def _sum(self, parts: Iterable[tuple[Asked, Figure | None]]) -> Figure | None:
        """Return the sum of demanded over possible rates at the worst moment."""
        lines = []
        for each, rate in parts:
            if rate is None:
                return None
            lines.append(Item(each.service, each.rate / rate))
        return total((line.figure for line in self.demand.at_worst(tuple(lines))), PURE)


def _asked(stored: Sequence[Stored], transfer_kb: Figure) -> Iterator[Asked]:
    for volume in stored:
        pattern = PATTERNS[volume.need.access]
        for kind, items in (("read", volume.need.reads), ("write", volume.need.writes)):
            for item in items:
                rate = _on_one(volume, item.figure, kind)
                yield Asked(item.name, rate, transfer_kb, pattern, "file_system", kind)
        for work in volume.need.work:
            if work.ops is not None and not work.low:
                rate = _on_one(volume, work.ops, work.operation)
                yield Asked(
                    work.service, rate, work.block_kb, work.pattern, work.layer, work.operation
                )


def _on_one(volume: Stored, rate: Figure, operation: str) -> Figure:
    """Operations a second on one disk: reads spread over all copies, writes go to each."""
    if operation != "read" and volume.copies > 1:
        rate = rate * count(volume.copies, "copies")
    return rate / count(volume.disks, f"disks of {volume.need.name}")


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
