"""NFS service: from clients and what they do to operations a second."""

from typing import NamedTuple

from sizewright.demand.rates import Stream, Use
from sizewright.demand.work import Context, active_of, transfer_kb
from sizewright.errors import collect_errors, refusal
from sizewright.guide.model import Guide, Row, place_of, require_row
from sizewright.quantity import Quantity, as_quantity, assumed_equal, count, total
from sizewright.units import PURE
from sizewright.workload.nfs import ActivityLoad, DataItem, DataLoad, MixShares, NfsService

_READS, _WRITES = "reads_percent", "writes_percent"


class Mix(NamedTuple):
    """Shares of an operation mix.

    `per_reference` is how many of its operations cost as much as one of the reference mix that
    the guide's capacities are stated in. `row` is None for the shares of a workload file.
    """

    name: str
    reads: Quantity | None
    writes: Quantity | None
    per_reference: Quantity | None = None
    row: Row | None = None


def stream_of(service: NfsService, context: Context, default_mix: str, is_counted: bool) -> Stream:
    """Return the operations of one service.

    Raises InputError for names that the guide lacks, and for writes that no volume takes. Its
    clients are zero unless `is_counted`: another file service counts them already.
    """
    guide = context.guide
    with collect_errors() as errors:
        with errors.catch():
            mix = _with_writes(_mix(service, guide, default_mix), service, context)
        if isinstance(service.load, ActivityLoad):
            require_row(guide, "client-activities", service.load.activity)
    active = active_of(service.active, service.clients, f"{service.name}: active clients")
    ops = _operations(service, active, mix, guide)
    data = _network_data(service, active, ops, mix, guide)
    ops, data = context.grown(ops), context.grown(data)
    ops = ops.with_name(f"{service.name}: operations")
    none = as_quantity(0, "op/s")
    return Stream(
        service=service.name,
        network=service.network,
        clients=service.clients if is_counted else as_quantity(0, "client"),
        diskless=service.diskless,
        ops=ops,
        reads=ops * mix.reads if mix.reads else none,
        writes=ops * mix.writes if mix.writes else none,
        weighted=ops / mix.per_reference if mix.per_reference else ops,
        kb_per_s=data.with_name(f"{service.name}: data over the network"),
        read_share=mix.reads if mix.reads else as_quantity(0),
        write_share=mix.writes if mix.writes else as_quantity(0),
        mix=mix.name,
        uses=_uses(service),
    )


def _mix(service: NfsService, guide: Guide, default_mix: str) -> Mix:
    if isinstance(service.mix, MixShares):
        shares = service.mix
        reads, writes = shares.reads_percent.to(PURE), shares.writes_percent.to(PURE)
        # No guide states what an operation of another mix than its own costs.
        what = f"{service.name}: cost of an operation of the guide's mix ÷ that of its own"
        return Mix("own", reads, writes, assumed_equal(what))
    name = service.mix or default_mix
    if not name:
        what = f"service {service.name}: guide {guide.id} has no default mix of operations"
        raise refusal(place_of(service.name), what, "mix: its reads_percent and writes_percent")
    row = require_row(guide, "nfs-mixes", name)
    return Mix(row.id, row.cell(_READS, PURE), row.cell(_WRITES, PURE), mix_factor(row), row)


def _with_writes(mix: Mix, service: NfsService, context: Context) -> Mix:
    """Return a mix without writes if no volume of its service takes any.

    Raises InputError if it has writes in any case.
    """
    uses = [context.volumes[name] for name in service.volumes if name in context.volumes]
    if mix.writes is None or mix.writes.high <= 0:
        return mix
    if not uses or not all(each.read_only for each in uses):
        return mix
    if mix.writes.low > 0:
        names = ", ".join(each.name for each in uses)
        by = f" (mix '{mix.name}')" if mix.row is not None else ""
        raise refusal(
            place_of(getattr(service.mix, "writes_percent", service.mix) or service.name),
            f"{service.name} writes{by}, and uses nothing but {names}, which is read_only",
            "a volume that takes writes, or {reads_percent: …, writes_percent: 0}",
        )
    return mix._replace(writes=None)


def mix_factor(mix: Row) -> Quantity | None:
    """Return the operations of a mix that cost as much as one of the reference mix; None if equal.

    The reference mix is the one that the guide's capacities are stated in.
    """
    factor = mix.cell("operations_per_reference")
    return factor and factor.with_name(f"{mix.id} operations for one of the reference mix")


def kb_per_op(mix: Row, guide: Guide) -> Quantity:
    """Return what an operation of a mix moves over a network on average, in KB/op.

    Measured, if the guide states how full the interfaces' load in this mix makes a medium;
    otherwise the shares of reads and writes times what each moves. Raises InputError if the
    guide does not state what they carry.
    """
    measured = measured_kb_per_op(mix, guide)
    if measured is not None:
        return measured
    shares = (found for column in (_READS, _WRITES) if (found := mix.cell(column, PURE)))
    return (total(shares, PURE) * transfer_kb(guide)).with_name(f"{mix.id}: data of an operation")


def measured_kb_per_op(mix: Row, guide: Guide) -> Quantity | None:
    """Return the KB/op of a mix with which a medium is as full as the guide states (2.5.1).

    That is at the greatest load of the interfaces that were measured with the mix; None if the
    guide does not state it.
    """
    found = []
    for interface in guide.table("network-interfaces").by("mix").get((mix.id,), ()):
        ops = interface.cell("nfs_ops_per_s")
        if ops is None:
            continue
        medium = guide.row("network-media", interface.text("medium"))
        full = medium.cell("practical_utilisation_limit_percent", PURE)
        speed = medium.cell("media_speed_mbit_per_s", "KB/s")
        if full is not None and speed is not None:
            found.append(speed * full / ops)
    least = min(found, key=lambda size: size.high, default=None)
    return least and least.with_name(f"{mix.id}: data of an operation")


def _operations(service: NfsService, active: Quantity, mix: Mix, guide: Guide) -> Quantity:
    load = service.load
    if isinstance(load, ActivityLoad):
        return _activity(load, active, guide)
    if isinstance(load, DataLoad):
        return _data(load, service, active, mix, guide)
    return active * load.ops_per_s_each


def _activity(load: ActivityLoad, active: Quantity, guide: Guide) -> Quantity:
    row = require_row(guide, "client-activities", load.activity)
    each = row.require("nfs_ops_per_s") / count(1, "one client", "client")
    ops = active * each
    if load.burst_s is not None and load.every_s is not None:
        ops = ops * (load.burst_s / load.every_s)
    return ops * load.times if load.times is not None else ops


def _data(
    load: DataLoad, service: NfsService, active: Quantity, mix: Mix, guide: Guide
) -> Quantity:
    if mix.reads is None or mix.reads.low <= 0:
        raise refusal(
            place_of(getattr(service.mix, "reads_percent", service.mix) or service.name),
            f"service {service.name}: a load given as data needs the share of reads, "
            f"and mix '{mix.name}' has none",
            "a mix with a known share of reads, or {reads_percent: …, writes_percent: …}",
        )
    reads = _data_read(load, service, active) / transfer_kb(guide)
    return reads.with_name(f"{service.name}: reads") / mix.reads


def _data_read(load: DataLoad, service: NfsService, active: Quantity) -> Quantity:
    size = total((_item_kb(item) for item in load.data), "KB")
    each = size / load.every_s / count(1, "one client", "client")
    return (active * each).with_name(f"{service.name}: data read")


def _network_data(
    service: NfsService, active: Quantity, ops: Quantity, mix: Mix, guide: Guide
) -> Quantity:
    """Return the KB/s of a service over its network, to the clients and from them.

    A load stated as data counts the bytes that it reads, and writes if the workload states their
    share; other operations count what an operation of their mix moves.
    """
    if isinstance(service.load, DataLoad):
        read = _data_read(service.load, service, active)
        own_writes = mix.writes if mix.row is None else None
        return read if own_writes is None else read + ops * own_writes * transfer_kb(guide)
    if mix.row is not None:
        return ops * kb_per_op(mix.row, guide)
    shares = total((share for share in (mix.reads, mix.writes) if share), PURE)
    return ops * shares * transfer_kb(guide)


def _item_kb(item: DataItem) -> Quantity:
    if item.kb is not None:
        size = item.kb
    elif item.byte is not None:
        size = item.byte.to("KB")
    if item.per_s is not None and item.seconds is not None:
        size = size * (item.per_s * item.seconds)
    return size.with_name(f"{item.name}: size")


def known_transfer_kb(guide: Guide) -> Quantity | None:
    """Return the KB that an operation moves; None if the guide does not state it."""
    return transfer_kb(guide) if "nfs_transfer" in guide.defaults else None


def _uses(service: NfsService) -> tuple[Use, ...]:
    if not service.uses:
        return ()
    if len(service.uses) == 1:
        (name,) = service.uses
        return (Use(name, as_quantity(1)),)
    whole = total(service.uses.values(), PURE)
    return tuple(Use(name, weight / whole) for name, weight in sorted(service.uses.items()))
