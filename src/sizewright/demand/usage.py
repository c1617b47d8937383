"""Usage: what is known of how a system is used, of a demand or of a box; None is unknown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sizewright.demand.model import Backup, Demand, Item, NetworkDemand, worst_moment
from sizewright.figure import Figure, mean, readings, total


class NetworkUse(NamedTuple):
    """How one network is used; an empty `medium` leaves the choice open, None may or may not."""

    medium: str | None = ""
    keep_medium: bool | None = None
    fastest_response: bool | None = None
    clients: Figure | None = None
    diskless_clients: Figure | None = None


class VolumeUse(NamedTuple):
    """How the data of one volume, or of one disk, is used.

    `database` names the database manager whose data it is, empty where it is nobody's.
    """

    access: str | None = None
    hot: bool | None = None
    protection: str | None = None
    use: str | None = None
    mirrored_for: str | None = None
    clustered: bool | None = None
    full: Figure | None = None
    database: str | None = None


class Usage(NamedTuple):
    """What a system is used for, as far as it is known.

    `networks` goes by community or port, `volumes` by name, `disks` holds what is stated of a
    disk as a whole. `cached` are the lines of data held in memory.
    """

    services: tuple[str, ...] | None = None
    clients: Figure | None = None
    diskless_clients: Figure | None = None
    nfs_ops_per_s: Figure | None = None
    nfs_weighted_ops_per_s: Figure | None = None
    nfs_write_share: Figure | None = None
    cached: tuple[Item, ...] | None = None
    stored_mb: Figure | None = None
    networks: Mapping[str, NetworkUse] = {}
    volumes: Mapping[str, VolumeUse] = {}
    disks: Mapping[str, VolumeUse] = {}
    backup: Backup | None = None
    transfer_kb: Figure | None = None


def usage_of(demand: Demand) -> Usage:
    """The usage that a demand asks for, at its worst moment."""
    ops = worst_moment(tuple(Item(s.service, s.ops) for s in demand.streams), demand.exclusive)
    weighted = worst_moment(
        tuple(Item(s.service, s.weighted) for s in demand.streams), demand.exclusive
    )
    return Usage(
        services=("nfs",),
        clients=demand.clients,
        diskless_clients=demand.diskless_clients,
        nfs_ops_per_s=total((item.figure for item in ops), "op/s"),
        nfs_weighted_ops_per_s=total((item.figure for item in weighted), "op/s"),
        nfs_write_share=write_share(demand),
        cached=cached_lines(demand),
        stored_mb=total((v.size_mb for v in demand.volumes), "MB"),
        networks={n.name: use_of_network(n) for n in demand.networks},
        volumes={v.name: VolumeUse(v.access, v.hot, v.protection) for v in demand.volumes},
        backup=demand.backup,
        transfer_kb=demand.transfer_kb,
    )


def use_of_network(network: NetworkDemand) -> NetworkUse:
    """How a demand uses one of its networks."""
    return NetworkUse(
        network.medium, network.keep_medium, network.fastest_response, network.clients,
        network.diskless_clients,
    )  # fmt: skip


def cached_lines(demand: Demand) -> tuple[Item, ...]:
    """The data that is to be held in memory, in MB."""
    return tuple(
        Item(f"{v.name} kept in memory", v.cached_mb) for v in demand.volumes if v.cached_mb
    )


def write_share(demand: Demand) -> Figure | None:
    """Writes among all NFS operations, over all moments; None without operations."""
    found: Figure | None = None
    for streams in demand.moments():
        busy = [s for s in streams if s.ops.high > 0]
        if not busy:
            continue
        share = mean([s.write_share for s in busy], [s.ops for s in busy])
        found = readings(found, share) if found else share
    return found
