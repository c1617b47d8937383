"""A demand with a part of its load: lower rates, or a part of the clients with their data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from math import ceil
from typing import Any, TypeVar

from sizewright.demand.model import Demand, LineItem, Operations, Stream, VolumeDemand
from sizewright.quantity import Quantity, count

T = TypeVar("T")


def scale_rates(demand: Demand, share: float, services: Collection[str] | None = None) -> Demand:
    """Return the demand with the rates of some services, or of all, multiplied by a share.

    Sizes, clients and lines stay. Each run of work has less to do by the same share, in the same
    time.
    """
    k = count(share, "part of the load")
    scaled = _Scaled(k, services)
    return demand._replace(
        streams=scaled.each(demand.streams, lambda s: _stream(s, k)),
        networks=tuple(n._replace(ops=scaled.lines(n.ops)) for n in demand.networks),
        volumes=tuple(scaled.volume(volume) for volume in demand.volumes),
        operations=scaled.work(demand.operations),
        traffic=scaled.each(demand.traffic, lambda t: t.times(k)),
        kernel=scaled.each(demand.kernel, lambda t: t._replace(ms_per_s=t.ms_per_s * k)),
        user=scaled.each(demand.user, lambda u: u._replace(processors=_times(u.processors, k))),
    )


def divide_clients(demand: Demand, systems: int, services: Collection[str]) -> Demand:
    """Return what the largest of several systems has if they share the clients of some services.

    Clients are divided as evenly as whole clients can be. The data of these clients is divided
    with them; data that is only read is on every system. The traffic of the other systems is on the
    same networks.
    """
    part = max((_largest_part(s.clients, systems) for s in demand.streams if s.service in services),
               default=1 / systems)  # fmt: skip
    k = count(part, "part of the clients")
    others = count(1 - part, "part of the clients, on other systems")
    rates, divided = scale_rates(demand, part, services), _Scaled(k, services)
    only = {v.name for v in demand.volumes if not v.read_only and _only_of(v, demand, services)}
    return rates._replace(
        streams=divided.each(rates.streams, lambda s: s._replace(clients=s.clients * k)),
        networks=tuple(
            n._replace(clients=n.clients * k, diskless_clients=n.diskless_clients * k)
            for n in rates.networks
        ),
        volumes=tuple(_divided(v, k) if v.name in only else v for v in rates.volumes),
        clients=demand.clients * k,
        diskless_clients=demand.diskless_clients * k,
        memory=divided.lines(rates.memory),
        swap=divided.lines(rates.swap),
        processes=divided.lines(rates.processes),
        elsewhere=(
            *rates.elsewhere,
            *(t.times(others) for t in demand.data() if t.service in services),
        ),
    )


class _Scaled:
    """Multiplies what belongs to some services."""

    def __init__(self, factor: Quantity, services: Collection[str] | None) -> None:
        self.factor = factor
        self.services = services

    def each(self, items: Iterable[T], change: Callable[[T], T]) -> tuple[T, ...]:
        return tuple(change(item) if self._concerns(item) else item for item in items)

    def lines(self, items: Iterable[LineItem]) -> tuple[LineItem, ...]:
        return self.each(items, lambda item: item._replace(figure=item.figure * self.factor))

    def work(self, items: Iterable[Operations]) -> tuple[Operations, ...]:
        return self.each(items, lambda item: _work(item, self.factor))

    def volume(self, volume: VolumeDemand) -> VolumeDemand:
        return volume._replace(
            reads=self.lines(volume.reads), writes=self.lines(volume.writes),
            work=self.work(volume.work),
        )  # fmt: skip

    def _concerns(self, item: Any) -> bool:
        """Whether an item is of one of the services; a line without one has its owner's name."""
        return self.services is None or (item.service or item.name) in self.services


def _times(figure: Quantity | None, factor: Quantity) -> Quantity | None:
    return None if figure is None else figure * factor


def _stream(stream: Stream, k: Quantity) -> Stream:
    return stream._replace(
        ops=stream.ops * k, reads=stream.reads * k, writes=stream.writes * k,
        weighted=stream.weighted * k, kb_per_s=stream.kb_per_s * k,
    )  # fmt: skip


def _work(work: Operations, k: Quantity) -> Operations:
    runs = work.runs
    return work._replace(
        ops=_times(work.ops, k),
        runs=runs._replace(
            run_ops=_times(runs.run_ops, k), returns_kb=_times(runs.returns_kb, k)
        ),
    )  # fmt: skip


def _largest_part(clients: Quantity, systems: int) -> float:
    """Return the part of the clients that the largest system has; clients are whole."""
    everybody = clients.high
    return max(1 / systems, ceil(everybody / systems) / everybody) if everybody > 0 else 1 / systems


def _only_of(volume: VolumeDemand, demand: Demand, services: Collection[str]) -> bool:
    """Whether services that are divided use a volume, and no others."""
    users = {s.name for s in demand.services if volume.name in s.volumes}
    return bool(users) and users <= set(services)


def _divided(volume: VolumeDemand, k: Quantity) -> VolumeDemand:
    return volume._replace(size_mb=volume.size_mb * k, cached_mb=_times(volume.cached_mb, k))
