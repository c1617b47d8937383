"""The system of a pair that is left, with the other's services as far as it reaches their data."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from sizewright.configuration.model import Channel, System, Volume
from sizewright.demand.model import Demand
from sizewright.demand.subset import restrict_demand


class Taken(NamedTuple):
    """A system with what it takes over.

    `down` are services with the volumes that it does not reach and the networks that it is not on.
    """

    system: System
    demand: Demand
    down: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]


def taken_over(whole: Demand, lost: Demand, left: Demand, gone: System, system: System) -> Taken:
    """What is left of a pair when one of its systems is gone.

    What runs on both goes on. Another service is taken over where its volumes are there, or lie on
    disks with a second port; these stay on strings of their own, whose second ends lead here. A
    service that no network leads to is counted as taken over, but is down.
    """
    own = {service.name for service in left.services}
    there = {volume.name for volume in system.volumes}
    ports = {port.network for port in system.ports}
    reached = {v.name for v in whole.volumes if v.dual_ported}
    moved = [service for service in lost.services if service.name not in own]
    down, carried, borrowed = [], set(own), set[str]()
    for service in moved:
        volumes = tuple(v for v in service.volumes if v not in there and v not in reached)
        networks = tuple(n for n in service.networks if n not in ports)
        if volumes or networks:
            down.append((service.name, volumes, networks))
        if not volumes:
            carried.add(service.name)
            borrowed.update(v for v in service.volumes if v not in there)
    joined = system._replace(
        channels=(*system.channels, *_strings(gone, borrowed)),
        volumes=(*system.volumes, *_volumes(gone, borrowed)),
    )
    return Taken(joined, restrict_demand(whole, carried), tuple(down))


def _called(gone: System, name: str) -> str:
    """Parts of both systems may have one id."""
    return f"{gone.id}-{name}"


def _strings(gone: System, volumes: Collection[str]) -> Iterator[Channel]:
    disks = {
        part.disk for v in gone.volumes if v.name in volumes for copy in v.copies for part in copy
    }
    for channel in gone.channels:
        devices = tuple(
            d._replace(id=_called(gone, d.id), dual_ported=True)
            for d in channel.devices if d.id in disks
        )  # fmt: skip
        if devices:
            yield Channel(_called(gone, channel.id), channel.kind, "", devices)


def _volumes(gone: System, names: Collection[str]) -> Iterator[Volume]:
    for volume in gone.volumes:
        if volume.name in names:
            copies = tuple(
                tuple(part._replace(disk=_called(gone, part.disk)) for part in copy)
                for copy in volume.copies
            )
            yield volume._replace(copies=copies)
