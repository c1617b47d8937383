"""A part of a demand: that of some services, of their rates, or of their clients."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import count as numbers
from itertools import islice
from math import ceil
from typing import Any

from sizewright.demand.added_volumes import with_index_volume, with_system_volume
from sizewright.demand.model import ClientDivision, Demand, NetworkDemand, VolumeDemand
from sizewright.demand.rates import LineItem, Operations, Use, divided_lines, scaled
from sizewright.demand.work import Part
from sizewright.quantity import Quantity, count, total

# The fields of a demand whose items each belong to a service, streams, networks and volumes apart.
_BY_SERVICE = tuple(name for name in Part._fields if name != "databases")
# Those of them that are rates.
_RATES = ("operations", "traffic", "kernel", "user", "lines")
# The item of a service after a change; None if it is left out.
Change = Callable[[Any], Any]


def _each(items: Iterable[Any], change: Change) -> tuple[Any, ...]:
    return tuple(new for item in items if (new := change(item)) is not None)


def _changed(demand: Demand, fields: Iterable[str], change: Change) -> Demand:
    """Return a demand with a change of all items of these fields, streams, networks, volumes."""
    items: dict[str, Any] = {name: _each(getattr(demand, name), change) for name in fields}
    return demand._replace(
        **items,
        streams=_each(demand.streams, change),
        networks=tuple(n._replace(ops=_each(n.ops, change)) for n in demand.networks),
        volumes=tuple(
            v._replace(
                reads=_each(v.reads, change), writes=_each(v.writes, change),
                work=_each(v.work, change),
            )
            for v in demand.volumes
        ),
    )  # fmt: skip


def _belongs(item: Any, services: Collection[str] | None) -> bool:
    """Return whether an item is of some services; one without a service has its owner's name."""
    return services is None or (item.service or item.name) in services


def scale_rates(demand: Demand, share: float, services: Collection[str] | None = None) -> Demand:
    """Return the demand with the rates of some services, or of all, multiplied by a share.

    Sizes and numbers of clients and lines stay. Each run of work has less to do by the same share,
    in the same time.
    """
    k = count(share, "part of the load")
    return _changed(
        demand, _RATES, lambda item: scaled(item, k) if _belongs(item, services) else item
    )


def scale_rates_and_memory(demand: Demand, share: float) -> Demand:
    """Return the demand with all rates, and the memory of services, multiplied by a share."""
    k = count(share, "part of the load")
    memory = (
        each._replace(figure=each.figure * k) if each.grows else each for each in demand.memory
    )
    return scale_rates(demand, share)._replace(memory=tuple(memory))


def divide_clients(demand: Demand, division: ClientDivision, services: Collection[str]) -> Demand:
    """Return what the largest of several systems has if they share the clients of some services.

    Clients are divided as evenly as whole clients can be. The data of these clients is divided
    with them; data that is only read is on every system. Each system has networks of its own. If
    there are fewer networks than systems, or if all systems are on all networks, traffic of other
    systems is on them too.
    """
    systems = division.systems
    part = largest_part(demand, systems, services)
    k = count(part, "part of the clients")
    rates = scale_rates(demand, part, services)
    used = {stream.network for stream in demand.streams if stream.service in services}
    # The largest part may be more than the others have together.
    beside = {
        n.name: min(1 - part, part * (n.systems_on_each(division) - 1))
        for n in demand.networks if n.name in used
    }  # fmt: skip

    def lines(items: tuple[LineItem, ...]) -> tuple[LineItem, ...]:
        return _each(items, lambda item: scaled(item, k) if _belongs(item, services) else item)

    def network(n: NetworkDemand) -> NetworkDemand:
        # Clients of other systems are on its networks too, where their traffic is.
        there = count(part + beside[n.name], "part of the clients on its networks")
        return n._replace(
            clients=n.clients * there, diskless_clients=n.diskless_clients * there,
            segments_at_most=n.segments_of_each(division),
        )  # fmt: skip

    divided = rates._replace(
        streams=tuple(
            s._replace(clients=s.clients * k) if s.service in services else s for s in rates.streams
        ),
        networks=tuple(network(n) if n.name in used else n for n in rates.networks),
        volumes=tuple(_divided(v, demand, services, k) for v in rates.volumes),
        clients=demand.clients * k,
        diskless_clients=demand.diskless_clients * k,
        memory=lines(rates.memory),
        swap=lines(rates.swap),
        processes=lines(rates.processes),
        elsewhere=(
            *rates.elsewhere,
            *(scaled(each, count(others, "clients of other systems")) for each in demand.data()
              if each.service in services and (others := beside.get(each.network))),
        ),
    )  # fmt: skip
    return with_index_volume(with_system_volume(divided))


def largest_part(demand: Demand, systems: int, services: Collection[str]) -> float:
    """Return the part of the clients of services that the largest system has; clients are whole."""
    clients = (s.clients.high for s in demand.streams if s.service in services)
    parts = (ceil(number / systems) / number for number in clients if number > 0)
    return max([1 / systems, *parts])


def _divided(
    volume: VolumeDemand, demand: Demand, services: Collection[str], k: Quantity
) -> VolumeDemand:
    """Return a volume with its part of the data, if only services that are divided write it."""
    users = {s.name for s in demand.services if volume.name in s.volumes}
    if volume.read_only or not users or not users <= set(services):
        return volume
    cached, saved = volume.cached_mb, volume.saved_mb
    return volume._replace(
        size_mb=volume.size_mb * k, cached_mb=cached and cached * k, saved_mb=saved and saved * k
    )


def divide_volumes(demand: Demand, parts: Mapping[str, int]) -> Demand:
    """Return the demand with some volumes in equal parts, each with its share of the operations.

    These are volumes that only file services use.
    """
    taken = {volume.name for volume in demand.volumes}

    def part_names(volume: str) -> Iterator[str]:
        new = (f"{volume}-part-{n}" for n in numbers(1))
        return islice((name for name in new if name not in taken), parts[volume])

    def names(volumes: Iterable[str]) -> tuple[str, ...]:
        return tuple(
            name for volume in volumes
            for name in (part_names(volume) if volume in parts else [volume])
        )  # fmt: skip

    def divided(volume: VolumeDemand) -> Iterator[VolumeDemand]:
        volume = volume._replace(apart_from=names(volume.apart_from))
        if volume.name not in parts:
            yield volume
            return
        number = count(parts[volume.name], "number of parts")
        cached, saved = volume.cached_mb, volume.saved_mb
        part = volume._replace(
            size_mb=volume.size_mb / number, cached_mb=cached and cached / number,
            saved_mb=saved and saved / number, reads=divided_lines(volume.reads, number),
            writes=divided_lines(volume.writes, number),
        )  # fmt: skip
        for name in names([volume.name]):
            yield part._replace(name=name, pool=name if part.pool == part.name else part.pool)

    def shared(use: Use) -> Iterator[Use]:
        if use.volume not in parts:
            yield use
            return
        share = use.share / count(parts[use.volume], "number of parts")
        yield from (Use(name, share) for name in names([use.volume]))

    return demand._replace(
        volumes=tuple(part for volume in demand.volumes for part in divided(volume)),
        services=tuple(s._replace(volumes=names(s.volumes)) for s in demand.services),
        streams=tuple(
            each._replace(uses=tuple(part for use in each.uses for part in shared(use)))
            for each in demand.streams
        ),
    )  # fmt: skip


def restrict_demand(demand: Demand, services: Collection[str]) -> Demand:
    """Return what is left of a demand with only some of its services.

    Volumes that no service names belong to the system itself and stay; so do preferences.
    """
    named = {name for service in demand.services for name in service.volumes}
    left = _changed(demand, _BY_SERVICE, lambda each: each if _belongs(each, services) else None)
    kept = tuple(s for s in demand.services if s.name in services)
    own = {name for service in kept for name in service.volumes}
    used = {stream.network for stream in left.streams}
    used.update(traffic.network for traffic in left.traffic)
    used.update(work.network for work in left.operations)
    used.add(left.backup.over)
    networks = tuple(n for n in left.networks if n.name in used)
    served = {s.network for s in left.streams}
    diskless = (n.diskless_clients for n in networks if n.name in served)
    restricted = left._replace(
        services=kept,
        elsewhere=(),
        exclusive=_exclusive(demand, services),
        degraded=tuple(each for each in demand.degraded if each.service in services),
        networks=networks,
        volumes=tuple(v for v in left.volumes if v.name in own or v.name not in named),
        clients=total((s.clients for s in left.streams), "client"),
        diskless_clients=total(diskless, "client"),
        databases=tuple(
            sorted({v.database for v in demand.volumes if v.database and v.name in own})
        ),
    )
    return with_index_volume(with_system_volume(restricted))


def split_demand(demand: Demand, services: Collection[str], others: Collection[str] = ()) -> Demand:
    """Return the part of some services on a system of its own; another system has the rest.

    It is also on the networks of `others`, unused, so that it can take these over. The data of the
    other system on its networks is `elsewhere`.
    """
    part = restrict_demand(demand, services)
    names = {name for s in demand.services if s.name in others for name in s.networks}
    names.update(network.name for network in part.networks)
    others_data = (each for each in demand.data() if each.service not in services)
    data = (*demand.elsewhere, *others_data)
    elsewhere = tuple(each for each in data if each.network in names)
    own = _changed(demand, (), lambda each: each if _belongs(each, services) else None)
    return part._replace(
        networks=tuple(n for n in own.networks if n.name in names),
        exclusive=_exclusive(demand, {*services, *(each.service for each in elsewhere)}),
        elsewhere=elsewhere,
    )


def stop_services(demand: Demand, stopped: Collection[str]) -> Demand:
    """Return a demand without the work of some services; their data and networks stay."""
    names = {service.name for service in demand.services}
    left = split_demand(demand, names.difference(stopped), stopped)
    return left._replace(
        volumes=idle_volumes(demand, left, cached_mb=None), elsewhere=demand.elsewhere
    )


def idle_volumes(demand: Demand, part: Demand, **idle: Any) -> tuple[VolumeDemand, ...]:
    """Return the volumes of a demand; those that a part of it does not have are not in use."""
    busy = {volume.name: volume for volume in part.volumes}
    return tuple(
        busy.get(v.name) or v._replace(reads=(), writes=(), work=(), **idle) for v in demand.volumes
    )


def without_work(demand: Demand, work: Operations) -> Demand:
    """Return the demand without some work and what it returns."""
    fields = ("operations", "traffic")
    return _changed(
        demand, fields, lambda each: None if getattr(each, "title", "") == work.title else each
    )


def _exclusive(demand: Demand, services: Collection[str]) -> tuple[tuple[str, ...], ...]:
    sets = (tuple(name for name in names if name in services) for names in demand.exclusive)
    return tuple(names for names in sets if names)
