"""The part of a demand that is file service, for machines that may do nothing else."""

from __future__ import annotations

from typing import NamedTuple

from sizewright.demand.model import Backup, Demand
from sizewright.quantity import Quantity, total


class FileLoad(NamedTuple):
    """File service of a workload in the terms of its own guide.

    `left_out` are its other services, which are not held against other guides. `ops` and `data` are
    op/s and KB/s in all, `size_mb` what the volumes hold that are served.
    """

    guide: str
    demand: Demand
    left_out: tuple[str, ...]
    ops: Quantity
    weighted: Quantity
    reads: Quantity
    writes: Quantity
    data_kb_per_s: Quantity
    size_mb: Quantity


def file_load(demand: Demand, guide: str) -> FileLoad:
    """What of a demand is file service; nothing of it where the workload serves no files."""
    kept = _kept(demand)
    streams = kept.streams
    moved = total((s.kb_per_s for s in streams), "KB/s")
    return FileLoad(
        guide,
        kept,
        tuple(s.name for s in demand.services if s.kind != "nfs"),
        total((s.ops for s in streams), "op/s"),
        total((s.weighted for s in streams), "op/s"),
        total((s.reads for s in streams), "op/s"),
        total((s.writes for s in streams), "op/s"),
        moved.named("data of reads and writes"),
        total((v.size_mb for v in kept.volumes), "MB"),
    )


def _kept(demand: Demand) -> Demand:
    names = {stream.service for stream in demand.streams}
    used = {use.volume for stream in demand.streams for use in stream.uses}
    on = {stream.network for stream in demand.streams}
    volumes = tuple(
        v._replace(pool=v.name, work=(), apart_from=(), database="")
        for v in demand.volumes if v.name in used
    )  # fmt: skip
    return Demand(
        streams=demand.streams,
        exclusive=tuple(sets for sets in demand.exclusive if names.issuperset(sets)),
        networks=tuple(network for network in demand.networks if network.name in on),
        volumes=volumes,
        clients=demand.clients,
        diskless_clients=demand.diskless_clients,
        transfer_kb=demand.transfer_kb,
        backup=Backup(False, False, False),
        removable_media=(),
        carry_forward=(),
        platforms=(),
        size_for=demand.size_for,
        services=tuple(s for s in demand.services if s.kind == "nfs"),
    )
