"""The part of a demand that some of its services make."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from sizewright.demand.model import Demand, NetworkDemand, Operations, VolumeDemand
from sizewright.demand.work import Part
from sizewright.quantity import total

# The fields of a demand whose items each belong to a service.
_BY_SERVICE = tuple(name for name in Part._fields if name != "databases")


def restrict_demand(demand: Demand, services: Collection[str]) -> Demand:
    """Return what is left of a demand with only some of its services.

    Volumes that no service names belong to the system itself and stay; so do preferences.
    """
    named = {name for service in demand.services for name in service.volumes}
    kept: dict[str, Any] = {name: _only(getattr(demand, name), services) for name in _BY_SERVICE}
    left = demand._replace(
        **kept,
        streams=_only(demand.streams, services),
        services=tuple(s for s in demand.services if s.name in services),
        elsewhere=(),
    )
    own = {name for service in left.services for name in service.volumes}
    used = {stream.network for stream in left.streams}
    used.update(traffic.network for traffic in left.traffic)
    used.update(work.network for work in left.operations)
    used.add(left.backup.over)
    networks = tuple(_network(n, services) for n in demand.networks if n.name in used)
    served = {s.network for s in left.streams}
    diskless = (n.diskless_clients for n in networks if n.name in served)
    return left._replace(
        exclusive=_exclusive(demand, services),
        networks=networks,
        volumes=tuple(
            _volume(v, services) for v in demand.volumes if v.name in own or v.name not in named
        ),
        clients=total((s.clients for s in left.streams), "client"),
        diskless_clients=total(diskless, "client"),
        databases=tuple(
            sorted({v.database for v in demand.volumes if v.database and v.name in own})
        ),
    )


def split_demand(demand: Demand, services: Collection[str], others: Collection[str] = ()) -> Demand:
    """Return the part of some services on a system of its own; another system has the rest.

    It is also on the networks of `others`, unused, so that it can take these over. The data of the
    other system on its networks is `elsewhere`.
    """
    part = restrict_demand(demand, services)
    names = {name for s in demand.services if s.name in others for name in s.networks}
    names.update(network.name for network in part.networks)
    elsewhere = tuple(
        each for each in demand.data() if each.network in names and each.service not in services
    )
    return part._replace(
        networks=tuple(_network(n, services) for n in demand.networks if n.name in names),
        exclusive=_exclusive(demand, {*services, *(each.service for each in elsewhere)}),
        elsewhere=elsewhere,
    )


def stop_services(demand: Demand, stopped: Collection[str]) -> Demand:
    """Return a demand without the work of some services; their data and networks stay."""
    names = {service.name for service in demand.services}
    left = split_demand(demand, names.difference(stopped), stopped)
    working = {volume.name: volume for volume in left.volumes}
    volumes = (
        working.get(v.name) or v._replace(reads=(), writes=(), work=(), cached_mb=None)
        for v in demand.volumes
    )
    return left._replace(volumes=tuple(volumes), elsewhere=demand.elsewhere)


def without_work(demand: Demand, work: Operations) -> Demand:
    """Return the demand without some work and what it returns."""
    return demand._replace(
        operations=tuple(o for o in demand.operations if o.title != work.title),
        volumes=tuple(
            v._replace(work=tuple(o for o in v.work if o.title != work.title))
            for v in demand.volumes
        ),
        traffic=tuple(t for t in demand.traffic if t.title != work.title),
    )


def _exclusive(demand: Demand, services: Collection[str]) -> tuple[tuple[str, ...], ...]:
    sets = (tuple(name for name in names if name in services) for names in demand.exclusive)
    return tuple(names for names in sets if names)


def _network(network: NetworkDemand, services: Collection[str]) -> NetworkDemand:
    return network._replace(ops=_only(network.ops, services))


def _volume(volume: VolumeDemand, services: Collection[str]) -> VolumeDemand:
    return volume._replace(
        reads=_only(volume.reads, services),
        writes=_only(volume.writes, services),
        work=_only(volume.work, services),
    )


def _only(items: Iterable[Any], services: Collection[str]) -> tuple[Any, ...]:
    """Return the items of some services; an item without a service has the name of its owner."""
    return tuple(item for item in items if (item.service or item.name) in services)
