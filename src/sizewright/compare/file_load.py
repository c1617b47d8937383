"""The file service of a workload, counted in the mix of another guide."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import NamedTuple

from sizewright.demand.model import Backup, Demand
from sizewright.guide.model import Guide, rated_platforms
from sizewright.quantity import Quantity, ambiguous, as_quantity, total


class FileLoad(NamedTuple):
    """File service of a workload in the terms of its own guide.

    `left_out` are its other services, which no other guide assesses. `ops` and `data` are
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
        moved.with_name("data of reads and writes"),
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


class Translation(NamedTuple):
    """By how much a load in one guide's reference mix is multiplied for another guide.

    Without `by` nothing states what an operation of either mix costs in the other, and it counts as
    one. `by` are the machines that both guides rate.
    """

    factor: Quantity | None
    by: tuple[str, ...] = ()


def translation(own: Guide, other: Guide) -> Translation:
    """The factor between the mixes that two guides state their capacities in.

    A machine that both guides rate has a rate for each of the two mixes of operations. Their
    authors measured under unlike conditions, so that an operation may be worth another as well:
    both readings are kept.
    """
    ratios = dict(_ratios(own, other)) if own.id != other.id else {}
    if not ratios:
        return Translation(None)
    whole = reduce(
        ambiguous, ratios.values(), as_quantity(1).with_name("an operation for an operation")
    )
    return Translation(
        whole.with_name(f"operations by {other.id} for one by {own.id}"), tuple(ratios)
    )


def _ratios(own: Guide, other: Guide) -> Iterator[tuple[str, Quantity]]:
    """Machines by their ids in the tables: the same id is the same machine in every guide."""
    theirs = rated_platforms(other)
    for platform, mine in rated_platforms(own).items():
        if platform in theirs:
            there = theirs[platform].require("maximum_ops_per_s")
            here = mine.require("maximum_ops_per_s")
            yield platform, (there / here).with_name(f"{platform}: {other.id} over {own.id}")


def translated(demand: Demand, factor: Quantity | None) -> Demand:
    """A demand with its operations counted in the other guide's mix; data stays what it is."""
    if factor is None:
        return demand
    streams = tuple(s._replace(weighted=s.weighted * factor) for s in demand.streams)
    return demand._replace(streams=streams)
