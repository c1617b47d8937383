"""The demand of a whole workload, after its growth."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, TypeVar

from sizewright.demand.added_volumes import (
    added_volumes,
    index_terms,
    system_terms,
    with_index_volume,
    with_swap,
)
from sizewright.demand.backup import backup_drives, with_speed_of_network, with_terms
from sizewright.demand.model import (
    Backup,
    Degradation,
    Demand,
    NetworkDemand,
    Owned,
    ServiceDemand,
    VolumeDemand,
)
from sizewright.demand.nfs import stream_of
from sizewright.demand.rates import RANDOM, SERIAL, LineItem, Operations, Stream, Use, peak
from sizewright.demand.services import part_of
from sizewright.demand.work import Context, Part, transfer_kb
from sizewright.errors import Diagnostic, ErrorList, collect_errors
from sizewright.guide.model import Guide, device_table, place_of, require_row, row_id
from sizewright.guide.parameters import likely_parameter
from sizewright.quantity import Quantity, as_quantity, count, leaves, power, total
from sizewright.units import PURE
from sizewright.workload.nfs import NfsService
from sizewright.workload.services import DatabaseService, PrintService, Service
from sizewright.workload.volume import Volume, pools_of
from sizewright.workload.workload import Availability, CarryForward, Growth, Wishes, Workload

T = TypeVar("T")

# What software gives that draws pages for printers that cannot.
RASTERISING = "rasterising"
# The name of the horizon in quantities that depend on it: the key of the workload file.
YEARS = "growth.years"


def growth_factor(growth: Growth | None) -> Quantity | None:
    """Return the factor for every rate; None if no growth is stated.

    Without years the growth comes once, else every year, on top of what has grown before.
    """
    if growth is None:
        return None
    once = as_quantity(1) + growth.percent.to(PURE)
    if growth.years is None:
        return once
    years = growth.years / count(1, "one year", growth.years.unit)
    return power(once, years).with_name("growth")


def grown_volume(volume: Volume, growth: Growth | None) -> Volume:
    """Return a volume of the size that it has at the end of the years of growth."""
    if volume.growth_mb_per_year is None or growth is None or growth.years is None:
        return volume
    size = volume.size_after(growth.years)
    return volume.replace(size_mb=size.with_name(f"{volume.name}: size after growth"))


def horizon(demand: Demand) -> Quantity | None:
    """Return the years of growth; None if no growth with years is stated."""
    return _stated(demand, YEARS)


def yearly_growth(demand: Demand) -> Quantity | None:
    """Return the growth of every rate in each year, or once; None if no rate grows."""
    return _stated(demand, "growth.percent")


def _stated(demand: Demand, key: str) -> Quantity | None:
    leaves_used = (leaf for figure in _figures(demand) for leaf in leaves(figure))
    return next((leaf for leaf in leaves_used if leaf.name == key), None)


def _figures(value: Any) -> Iterator[Quantity]:
    if isinstance(value, Quantity):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _figures(each)


def demand_of(workload: Workload, guide: Guide) -> Demand:
    """Return what a workload asks for, in the guide's terms; independent of the order of its lists.

    Raises InputError with every name that the guide does not have.
    """
    workload = _with_ids(workload, guide)
    growth = growth_factor(workload.growth)
    volumes = {v.name: grown_volume(v, workload.growth) for v in workload.volumes}
    years = workload.growth.years if workload.growth else None
    context = Context(guide, volumes, growth, years, _working(workload))
    mix = workload.policy.default_mix or guide.defaults.get("nfs_mix", "")
    services = sorted(workload.services, key=lambda s: s.name)
    files = [service for service in services if isinstance(service, NfsService)]
    counted = _counted(files)
    with collect_errors() as errors:
        streams = errors.for_each(
            lambda service: stream_of(service, context, mix, service.name in counted), files
        )
        parts = errors.for_each(lambda service: part_of(service, context), services)
        _check_names(workload, guide, errors)
    wishes = workload.wishes or Wishes.model_construct()
    availability = workload.availability or Availability.model_construct()
    asked = with_swap(_together(parts), workload, guide)
    added = tuple(added_volumes(workload, peak(asked.swap, workload.exclusive), guide))
    networks = _networks(workload, files, streams, asked)
    filed = {s.network for s in streams}
    served = [n for n in networks if n.name in filed]
    demand = Demand(
        streams=streams,
        exclusive=tuple(tuple(sorted(names)) for names in sorted(workload.exclusive)),
        networks=networks,
        volumes=tuple(sorted((
            *_volumes(workload, volumes.values(), streams, asked.operations),
            *(volume for _, volume in added),
        ), key=lambda volume: volume.name)),
        clients=total((s.clients for s in streams), "client"),
        diskless_clients=total((n.diskless_clients for n in served), "client"),
        transfer_kb=transfer_kb(guide),
        backup=_backup(workload, guide),
        removable_media=tuple(sorted(wishes.removable_media)),
        carry_forward=_owned(wishes.carry_forward),
        platforms=tuple(sorted(wishes.platforms)),
        size_for=workload.policy.size_for,
        services=tuple(
            _service(service, [v.name for owner, v in added if owner == service.name])
            for service in services
        ),
        **asked._asdict(),
        systems=availability.systems or 0,
        survives=tuple(sorted(availability.survives)),
        standby=availability.standby,
        degraded=_degraded(availability),
        third_party_disks=wishes.third_party_disks,
        hot_share=likely_parameter("hot_share", workload.policy.parameters, guide),
        indexes=index_terms(workload, guide),
        system=system_terms(workload, guide),
    )  # fmt: skip
    return with_speed_of_network(with_index_volume(demand), guide)


def _with_ids(workload: Workload, guide: Guide) -> Workload:
    """Return a workload whose platforms, media, devices and products have their ids as names."""
    wishes = workload.wishes or Wishes.model_construct()
    named = {
        key: tuple(row_id(guide, table, name) for name in getattr(wishes, key))
        for key, table in (("platforms", "platforms"), ("removable_media", "removable-media"))
    }
    owned = tuple(
        each.replace(device=row_id(guide, device_table(guide, each.device), each.device))
        for each in wishes.carry_forward
    )
    wishes = wishes.replace(**named, carry_forward=owned)
    networks = tuple(
        each.replace(medium=each.medium and row_id(guide, "network-media", each.medium))
        for each in workload.networks
    )
    services = [
        each.replace(product=row_id(guide, "database-systems", each.product))
        if isinstance(each, DatabaseService) else each
        for each in workload.services
    ]  # fmt: skip
    return workload.replace(wishes=wishes, networks=networks, services=services)


def _backup(workload: Workload, guide: Guide) -> Backup:
    stated = workload.backup
    if stated is None:
        return Backup(False, False, False)
    when = Backup(True, stated.during_working_hours, stated.at_night_in_use)
    return with_terms(when, stated, guide)


def _degraded(availability: Availability) -> tuple[Degradation, ...]:
    return tuple(
        Degradation(each.service, each.at_least and each.at_least.to(PURE))
        for each in sorted(availability.degraded, key=lambda each: each.service)
    )


def _together(parts: Iterable[Part]) -> Part:
    """Return what all services ask for, NFS streams apart."""
    fields = zip(*parts, strict=True)
    joined = Part(*(tuple(chain.from_iterable(each)) for each in fields))
    return joined._replace(databases=tuple(sorted(set(joined.databases))))


def _service(service: Service, added: Iterable[str]) -> ServiceDemand:
    volumes = tuple(sorted(map(str, (*service.volumes, *added))))
    networks = (service.network,) if service.network else ()
    found = ServiceDemand(service.name, service.kind, volumes, networks)
    if isinstance(service, NfsService):
        return found
    return found._replace(
        back_within_s=service.back_within_s, replicated=service.replicated,
        users=service.everybody, needs=_needed_of_software(service),
    )  # fmt: skip


def _needed_of_software(service: Service) -> tuple[str, ...]:
    """Return what software has to do for a service: to draw pages for printers that cannot."""
    draws = isinstance(service, PrintService) and any(p.rasterising for p in service.printers)
    return (RASTERISING,) if draws else ()


def _owned(stated: Iterable[CarryForward]) -> tuple[Owned, ...]:
    """Return the devices that exist, by model."""
    required, optional = Counter[str](), Counter[str]()
    for each in stated:
        (optional if each.optional else required)[each.device] += each.count
    return tuple(Owned(m, required[m], optional[m]) for m in sorted({*required, *optional}))


def _check_names(workload: Workload, guide: Guide, errors: ErrorList) -> None:
    wishes = workload.wishes or Wishes.model_construct()
    named = [
        *(("network-media", n.medium) for n in workload.networks if n.medium),
        *(("removable-media", name) for name in wishes.removable_media),
        *(("platforms", name) for name in wishes.platforms),
        *((device_table(guide, each.device), each.device) for each in wishes.carry_forward),
    ]
    errors.for_each(lambda each: require_row(guide, *each), named)
    most = workload.backup.tapes_at_most if workload.backup else None
    fit = {row.id for row in backup_drives(guide)}
    wished = [name for name in wishes.removable_media if name in fit]
    if most is not None and len(wished) > most:
        what = f"removable_media names {len(wished)} drives for backups: {', '.join(wished)}"
        errors.append(Diagnostic(place_of(most, "backup.tapes_at_most"), what, "at least as many"))


def _grouped(items: Iterable[T], key: Callable[[T], str]) -> Mapping[str, tuple[T, ...]]:
    """Return the items by a key, each group in their order."""
    groups: dict[str, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return {name: tuple(group) for name, group in groups.items()}


def _counted(files: Iterable[NfsService]) -> frozenset[str]:
    """Return the file services that count clients: of those with the same clients, the largest."""
    owned = _grouped(tuple(files), lambda service: service.same_clients_as or service.name)
    return frozenset(
        max(group, key=lambda s: (s.name == owner, s.clients.high)).name
        for owner, group in owned.items()
    )


def _networks(
    workload: Workload, files: Iterable[NfsService], streams: tuple[Stream, ...], asked: Part
) -> tuple[NetworkDemand, ...]:
    """Return all networks; one without any load is attached all the same."""
    found = []
    owner = {service.name: service.same_clients_as or service.name for service in files}
    by_network = _grouped(streams, lambda stream: stream.network)
    others = _other_clients(workload)
    others_send = {traffic.network for traffic in asked.traffic}
    others_send.update(work.network for work in asked.operations if work.runs.returns_kb)
    for network in sorted(workload.networks, key=lambda n: n.name):
        here = by_network.get(network.name, ())
        # The services that have the clients without disks.
        diskless = {owner[s.service] for s in here if s.diskless}
        other = others.get(network.name, {})
        clients = (*(s.clients for s in here if owner[s.service] not in other), *other.values())
        found.append(
            NetworkDemand(
                **{field: getattr(network, field) for field in _OF_NETWORK},
                medium=network.medium or "",
                ops=tuple(LineItem(s.service, s.ops) for s in here),
                clients=total(clients, "client"),
                diskless_clients=total(
                    (s.clients for s in here if owner[s.service] in diskless), "client"
                ),
                large_packets=_is_mostly_data(here) if network.name not in others_send else None,
            )
        )
    return tuple(found)


def _is_mostly_data(streams: tuple[Stream, ...]) -> bool | None:
    """Return whether most NFS operations read or write, by their likely rates; None without any."""
    data = sum(stream.reads.likely + stream.writes.likely for stream in streams)
    return data > sum(stream.ops.likely for stream in streams) - data if streams else None


def _other_clients(workload: Workload) -> Mapping[str, Mapping[str, Quantity]]:
    """Return the clients of services other than NFS by network and service."""
    found: dict[str, dict[str, Quantity]] = {}
    for service in sorted(workload.services, key=lambda s: s.name):
        if isinstance(service, NfsService) or getattr(service, "same_clients_as", None):
            continue
        if service.everybody is not None and service.network:
            found.setdefault(service.network, {})[service.name] = service.everybody
    return found


# Values of a network that the demand has under the same names.
_OF_NETWORK = ("name", "keep_medium", "segments_at_most", "fastest_response")
# Values of a volume that the demand has under the same names.
_AS_STATED = (
    "name", "size_mb", "protection", "cached_mb", "dual_ported", "own_disks", "read_only",
    "saved_mb",
)  # fmt: skip


def _volumes(
    workload: Workload,
    volumes: Collection[Volume],
    streams: tuple[Stream, ...],
    operations: tuple[Operations, ...],
) -> tuple[VolumeDemand, ...]:
    pools = pools_of(volumes)
    owners = _databases(workload)
    work = _grouped(operations, lambda each: each.volume)
    served = _grouped(
        ((stream, use) for stream in streams for use in stream.uses), lambda each: each[1].volume
    )
    found, fixed = [], frozenset(volume.name for volume in volumes if volume.read_only)
    for volume in sorted(volumes, key=lambda v: v.name):
        name, kept = volume.name, _is_cached(volume)
        files = served.get(name, ())
        reads = tuple(LineItem(s.service, _part(s.reads, use)) for s, use in files)
        writes = tuple(LineItem(s.service, _part(s.writes, _written(s, use, fixed)))
                       for s, use in files if not volume.read_only)  # fmt: skip
        found.append(
            VolumeDemand(
                **{field: getattr(volume, field) for field in _AS_STATED},
                access=_access(volume, work.get(name, ()), (*reads, *writes)),
                pool=pools[name],
                hot=_hot(volume, bool(writes)),
                reads=() if kept else reads,
                writes=writes,
                work=work.get(name, ()),
                use=volume.use or "file_system",
                apart_from=tuple(sorted(volume.apart_from)),
                database=owners.get(name, ""),
            )
        )
    return tuple(found)


def _access(volume: Volume, works: Iterable[Operations], files: Iterable[LineItem]) -> str:
    """Return how a volume is read: as most of its operations are, if works on it differ from it."""
    of_works = [
        (each.pattern == RANDOM, each.ops)
        for each in works if each.ops is not None and not each.low
    ]  # fmt: skip
    of_files = [(volume.access == RANDOM, item.figure) for item in files]
    random, serial = (
        sum(ops.likely for is_random, ops in (*of_works, *of_files) if is_random is wanted)
        for wanted in (True, False)
    )
    if random == serial:
        return volume.access
    return RANDOM if random > serial else SERIAL


def _written(stream: Stream, use: Use, read_only: Collection[str]) -> Use:
    """Return the share of a service's writes on a volume that may be written."""
    writable = [each.share for each in stream.uses if each.volume not in read_only]
    if len(writable) == len(stream.uses):
        return use
    return use._replace(share=use.share / total(writable, PURE))


def _is_cached(volume: Volume) -> bool:
    """Return whether reads of a volume are served from memory."""
    return volume.cached_mb is not None and volume.cached_mb.high > 0


def _working(workload: Workload) -> Mapping[str, Quantity]:
    """Return the clients of each database product that are active at once."""
    found: dict[str, list[Quantity]] = {}
    for service in sorted(workload.services, key=lambda s: s.name):
        if isinstance(service, DatabaseService) and (working := service.working) is not None:
            found.setdefault(str(service.product), []).append(working)
    return {product: total(clients, "client") for product, clients in found.items()}


def _databases(workload: Workload) -> dict[str, str]:
    """Return volume -> the product whose data it is."""
    owners: dict[str, str] = {}
    for service in sorted(workload.services, key=lambda s: s.name, reverse=True):
        if isinstance(service, DatabaseService):
            owners |= dict.fromkeys(service.volumes, str(service.product))
    return owners


def _hot(volume: Volume, written: bool) -> bool | None:
    """Return whether it is stated to be hot; data that is kept in memory is hot only if written."""
    if volume.activity == "hot" and _is_cached(volume):
        return written
    return None if volume.activity is None else volume.activity == "hot"


def _part(rate: Quantity, use: Use) -> Quantity:
    return rate if use.share.low == use.share.high == 1 else rate * use.share
