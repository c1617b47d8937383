"""NFS service: from clients and what they do to operations a second."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from sizewright import units
from sizewright.demand.clients import active_of
from sizewright.demand.model import Stream, Use
from sizewright.errors import Fault, InputFaults, Place, refusal, tried
from sizewright.figure import Figure, as_figure, count, total
from sizewright.guide.model import Guide, Row
from sizewright.guide.named import found_row, place_of
from sizewright.guide.rated import rated
from sizewright.workload import ActivityLoad, DataItem, DataLoad, MixShares, NfsService

_READS, _WRITES = "reads_percent", "writes_percent"


class Mix(NamedTuple):
    """Shares of an operation mix.

    `per_reference` is how many of its operations cost as much as one of the reference mix that
    the guide's capacities are stated in.
    """

    name: str
    reads: Figure | None
    writes: Figure | None
    per_reference: Figure | None


def stream_of(
    service: NfsService, guide: Guide, default_mix: str, growth: Figure | None, clients: Figure
) -> Stream:
    """The operations of one service; raises InputFaults where the guide lacks what it names."""
    faults: list[Fault] = []
    mix = tried(faults, partial(_mix, service, guide, default_mix))
    if isinstance(service.load, ActivityLoad):
        tried(faults, partial(found_row, guide, "client-activities", service.load.activity))
    if mix is None or faults:
        raise InputFaults(faults)
    active = active_of(service.active, service.clients, f"{service.name}: active clients")
    ops = _operations(service, active, mix, guide)
    if growth is not None:
        ops = ops * growth
    ops = ops.named(f"{service.name}: operations")
    none = as_figure(0, "op/s")
    return Stream(
        service=service.name,
        network=service.network,
        clients=clients,
        diskless=service.diskless,
        ops=ops,
        reads=ops * mix.reads if mix.reads else none,
        writes=ops * mix.writes if mix.writes else none,
        weighted=ops / mix.per_reference if mix.per_reference else ops,
        write_share=mix.writes if mix.writes else as_figure(0),
        mix=mix.name,
        uses=_uses(service),
    )


def _mix(service: NfsService, guide: Guide, default_mix: str) -> Mix:
    if isinstance(service.mix, MixShares):
        shares = service.mix
        return Mix(
            "own", shares.reads_percent.to(units.PURE), shares.writes_percent.to(units.PURE), None
        )
    name = service.mix or default_mix
    if not name:
        what = f"service {service.name}: guide {guide.id} tells no mix of operations to plan with"
        raise refusal(place_of(service.name), what, "mix: its reads_percent and writes_percent")
    row = found_row(guide, "nfs-mixes", name)
    reads, writes = row.find(_READS), row.find(_WRITES)
    return Mix(
        row.id,
        reads.to(units.PURE) if reads else None,
        writes.to(units.PURE) if writes else None,
        mix_factor(row, guide),
    )


def mix_factor(mix: Row, guide: Guide) -> Figure | None:
    """Operations of a mix for one of the reference mix; None for the reference mix itself.

    Drawn from a load and the share of a platform's capacity that the guide says it takes.
    """
    ops, share = mix.find("evidence_ops_per_s"), mix.find("evidence_capacity_percent")
    if ops is None or share is None:
        return None
    whole = rated(guide)[mix.text("evidence_platform")].figure("maximum_ops_per_s")
    factor = ops / (share.to(units.PURE) * whole)
    return factor.named(f"{mix.id} operations for one of the reference mix")


def _operations(service: NfsService, active: Figure, mix: Mix, guide: Guide) -> Figure:
    load = service.load
    if isinstance(load, ActivityLoad):
        return _activity(load, active, guide)
    if isinstance(load, DataLoad):
        return _data(load, service, active, mix, guide)
    return active * load.ops_per_s


def _activity(load: ActivityLoad, active: Figure, guide: Guide) -> Figure:
    row = found_row(guide, "client-activities", load.activity)
    each = row.figure("nfs_ops_per_s") / count(1, "one client", "client")
    ops = active * each
    if load.burst_s is not None and load.every_s is not None:
        ops = ops * (load.burst_s / load.every_s)
    return ops * load.times if load.times is not None else ops


def _data(load: DataLoad, service: NfsService, active: Figure, mix: Mix, guide: Guide) -> Figure:
    if mix.reads is None or mix.reads.low <= 0:
        raise refusal(
            place_of(service.mix or service.name),
            f"service {service.name}: a load given as data needs the share of reads, "
            f"and mix '{mix.name}' states none",
            "a mix with a known share of reads, or {reads_percent: …, writes_percent: …}",
        )
    size = total((_item_kb(item) for item in load.data), "KB")
    each = size / load.every_s / count(1, "one client", "client")
    kb_per_s = (active * each).named(f"{service.name}: data read")
    reads = kb_per_s / transfer_kb(guide)
    return reads.named(f"{service.name}: reads") / mix.reads


def _item_kb(item: DataItem) -> Figure:
    if item.kb is not None:
        size = item.kb
    elif item.byte is not None:
        size = item.byte.to("KB")
    if item.per_s is not None and item.seconds is not None:
        size = size * (item.per_s * item.seconds)
    return size.named(f"{item.name}: size")


def known_transfer_kb(guide: Guide) -> Figure | None:
    """Kilobytes that an operation moves, where the guide says so."""
    return transfer_kb(guide) if "nfs_transfer" in guide.defaults else None


def transfer_kb(guide: Guide) -> Figure:
    """What one read or write operation carries, in KB an operation.

    Raises InputFaults where the guide does not tell.
    """
    name = guide.defaults.get("nfs_transfer", "")
    if not name:
        what = "does not tell how much an NFS operation carries"
        expected = "the guide that the workload was written for"
        raise refusal(Place(f"guide {guide.id}"), what, expected)
    return found_row(guide, "protocol-costs", name).figure("transfer_kb_per_op")


def _uses(service: NfsService) -> tuple[Use, ...]:
    if not service.uses:
        return ()
    if len(service.uses) == 1:
        (name,) = service.uses
        return (Use(name, as_figure(1)),)
    whole = total(service.uses.values(), units.PURE)
    return tuple(Use(name, weight / whole) for name, weight in sorted(service.uses.items()))
