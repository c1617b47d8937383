"""A whole workload as demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from sizewright import units
from sizewright.demand.model import (
    Backup,
    Demand,
    Item,
    NetworkDemand,
    Stream,
    Use,
    VolumeDemand,
)
from sizewright.demand.nfs import stream_of, transfer_kb
from sizewright.errors import Fault, InputFaults, tried
from sizewright.figure import Figure, as_figure, total
from sizewright.guide.model import Guide
from sizewright.guide.named import found_row
from sizewright.workload import NfsService, Volume, Workload


def demand_of(workload: Workload, guide: Guide) -> Demand:
    """What a workload asks for, in the guide's terms; independent of the order of its lists.

    Raises InputFaults with every name that the guide does not have.
    """
    faults: list[Fault] = []
    growth = workload.growth.percent.to(units.PURE) if workload.growth else None
    mix = workload.policy.default_mix or guide.defaults.get("nfs_mix", "")
    services = sorted(workload.services, key=lambda s: s.name)
    streams = tuple(
        stream
        for service in services
        if (stream := tried(faults, partial(_stream, service, guide, mix, growth)))
    )
    _check_names(workload, guide, faults)
    if faults:
        raise InputFaults(faults)
    wishes = workload.wishes
    backup = workload.backup
    networks = _networks(workload, streams)
    return Demand(
        streams=streams,
        exclusive=tuple(tuple(sorted(names)) for names in sorted(workload.exclusive)),
        networks=networks,
        volumes=_volumes(workload, streams),
        clients=total((n.clients for n in networks), "client"),
        diskless_clients=total((n.diskless_clients for n in networks), "client"),
        transfer_kb=transfer_kb(guide),
        backup=Backup(
            backup is not None,
            bool(backup and backup.during_working_hours),
            bool(backup and backup.at_night_in_use),
        ),
        removable_media=tuple(sorted(wishes.removable_media)) if wishes else (),
        carry_forward=tuple(sorted((c.device, c.count) for c in wishes.carry_forward))
        if wishes else (),
        platforms=tuple(sorted(wishes.platforms)) if wishes else (),
        size_for=workload.policy.size_for,
    )  # fmt: skip


def _stream(service: NfsService, guide: Guide, mix: str, growth: Figure | None) -> Stream:
    clients = as_figure(0, "client") if service.same_clients_as else service.clients
    return stream_of(service, guide, mix, growth, clients)


def _check_names(workload: Workload, guide: Guide, faults: list[Fault]) -> None:
    wishes = workload.wishes
    named: list[tuple[str, str]] = [
        ("network-media", n.medium) for n in workload.networks if n.medium
    ]
    if wishes:
        named += [("removable-media", name) for name in wishes.removable_media]
        named += [("platforms", name) for name in wishes.platforms]
        named += [("disks", item.device) for item in wishes.carry_forward]
    for table, name in named:
        tried(faults, partial(found_row, guide, table, name))


def _networks(workload: Workload, streams: tuple[Stream, ...]) -> tuple[NetworkDemand, ...]:
    found = []
    for network in sorted(workload.networks, key=lambda n: n.name):
        here = [s for s in streams if s.network == network.name]
        if not here:
            continue
        diskless = {s.service for s in here if s.diskless}
        shared = _communities(workload, diskless)
        found.append(
            NetworkDemand(
                name=network.name,
                medium=network.medium or "",
                keep_medium=network.keep_medium,
                segments_at_most=network.segments_at_most,
                fastest_response=network.fastest_response,
                ops=tuple(Item(s.service, s.ops) for s in here),
                clients=total((s.clients for s in here), "client"),
                diskless_clients=total((s.clients for s in here if s.service in shared), "client"),
            )
        )
    return tuple(found)


def _communities(workload: Workload, services: set[str]) -> set[str]:
    """The services whose clients are counted for clients of the given services."""
    owner = {s.name: s.same_clients_as or s.name for s in workload.services}
    return {owner[name] for name in services}


def _volumes(workload: Workload, streams: tuple[Stream, ...]) -> tuple[VolumeDemand, ...]:
    pools = _pools(workload.volumes)
    return tuple(
        _volume(volume, pools[volume.name], streams)
        for volume in sorted(workload.volumes, key=lambda v: v.name)
    )


def _volume(volume: Volume, pool: str, streams: tuple[Stream, ...]) -> VolumeDemand:
    held = volume.cached_mb is not None
    reads = () if held else _rates(streams, volume.name, lambda s: s.reads)
    writes = () if volume.read_only else _rates(streams, volume.name, lambda s: s.writes)
    return VolumeDemand(
        name=volume.name,
        pool=pool,
        size_mb=volume.size_mb,
        access=volume.access,
        protection=volume.protection,
        hot=volume.activity == "hot" and (not held or bool(writes)),
        reads=reads,
        writes=writes,
        cached_mb=volume.cached_mb,
    )


def _rates(
    streams: tuple[Stream, ...], volume: str, rate: Callable[[Stream], Figure]
) -> tuple[Item, ...]:
    return tuple(
        Item(stream.service, _part(rate(stream), use))
        for stream in streams
        for use in stream.uses
        if use.volume == volume
    )


def _part(rate: Figure, use: Use) -> Figure:
    return rate if use.share.low == use.share.high == 1 else rate * use.share


def _pools(volumes: Iterable[Volume]) -> dict[str, str]:
    """Volume -> the alphabetically first volume of those that share disks with it."""
    together: dict[str, set[str]] = {v.name: {v.name} for v in volumes}
    for volume in volumes:
        if volume.shares_disks_with:
            joined = together[volume.name] | together[volume.shares_disks_with]
            for name in joined:
                together[name] = joined
    return {name: min(names) for name, names in together.items()}
