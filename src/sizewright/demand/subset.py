"""The part of a demand that some of its services make."""

from __future__ import annotations

from collections.abc import Collection

from sizewright.demand.model import Demand, LineItem, NetworkDemand, Operations, VolumeDemand
from sizewright.quantity import total


def restrict_demand(demand: Demand, services: Collection[str]) -> Demand:
    """What is left of a demand where only some services are there.

    Volumes that no service names belong to the system itself and stay; so do wishes.
    """
    named = {name for service in demand.services for name in service.volumes}
    own = {
        name for service in demand.services if service.name in services for name in service.volumes
    }
    streams = tuple(s for s in demand.streams if s.service in services)
    networks = tuple(
        _network(network, services)
        for network in demand.networks
        if _used(network.name, demand, services)
    )
    served = {s.network for s in streams}
    return demand._replace(
        streams=streams,
        exclusive=_exclusive(demand.exclusive, services),
        networks=networks,
        volumes=tuple(
            _volume(v, services) for v in demand.volumes if v.name in own or v.name not in named
        ),
        clients=total((s.clients for s in streams), "client"),
        diskless_clients=total(
            (n.diskless_clients for n in networks if n.name in served), "client"
        ),
        services=tuple(s for s in demand.services if s.name in services),
        operations=tuple(o for o in demand.operations if o.service in services),
        traffic=tuple(t for t in demand.traffic if t.service in services),
        kernel=tuple(k for k in demand.kernel if k.service in services),
        user=tuple(u for u in demand.user if u.service in services),
        memory=_lines(demand.memory, services),
        swap=_lines(demand.swap, services),
        processes=_lines(demand.processes, services),
        lines=tuple(line for line in demand.lines if line.service in services),
        elsewhere=(),
        databases=tuple(
            sorted({v.database for v in demand.volumes if v.database and v.name in own})
        ),
    )


def split_demand(demand: Demand, services: Collection[str], others: Collection[str] = ()) -> Demand:
    """Return the part of some services on a system of its own, beside another with the rest.

    It is also on the networks of `others`, unused, so that it can take these over. The other
    system's data on its networks is `elsewhere`.
    """
    part = restrict_demand(demand, services)
    names = {name for s in demand.services if s.name in others for name in s.networks}
    names.update(network.name for network in part.networks)
    return part._replace(
        networks=tuple(_network(n, services) for n in demand.networks if n.name in names),
        elsewhere=tuple(
            each for each in demand.data() if each.network in names and each.service not in services
        ),
    )


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


def _exclusive(
    sets: tuple[tuple[str, ...], ...], services: Collection[str]
) -> tuple[tuple[str, ...], ...]:
    left = (tuple(name for name in names if name in services) for names in sets)
    return tuple(names for names in left if names)


def _used(network: str, demand: Demand, services: Collection[str]) -> bool:
    users = [
        *((s.network, s.service) for s in demand.streams),
        *((t.network, t.service) for t in demand.traffic),
        *((o.network, o.service) for o in demand.operations),
    ]
    return any(where == network and who in services for where, who in users)


def _network(network: NetworkDemand, services: Collection[str]) -> NetworkDemand:
    return network._replace(ops=_lines(network.ops, services))


def _volume(volume: VolumeDemand, services: Collection[str]) -> VolumeDemand:
    return volume._replace(
        reads=_lines(volume.reads, services),
        writes=_lines(volume.writes, services),
        work=tuple(o for o in volume.work if o.service in services),
    )


def _lines(items: tuple[LineItem, ...], services: Collection[str]) -> tuple[LineItem, ...]:
    return tuple(item for item in items if item.owner in services)
