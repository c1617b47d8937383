"""Work on the server's own disks: from what runs ask for to operations a second."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright.demand.model import Operations, Pace, Traffic, UserTime
from sizewright.demand.part import Context, Part, lacking
from sizewright.figure import Figure, count
from sizewright.guide.named import found_row
from sizewright.workload import Serving, Work

SEQUENTIAL = "sequential"


def common_part(
    service: Serving, context: Context, working: Figure | None, layer: str = "", low: bool = False
) -> Part:
    """What services of every kind ask for alike: work, traffic, processors and measured memory.

    `working` are those who do its work at once, None where nobody is counted; `layer` is where
    its data lies unless the workload says otherwise. Raises InputFaults for what lacks.
    """
    operations = tuple(
        operations_of(service, w, context, working, layer, low) for w in service.work
    )
    return Part(
        operations=operations,
        traffic=(*_returns(operations), *_stated(service, context, working, low)),
        user=_user(service, context, low),
    )


def operations_of(
    service: Serving, work: Work, context: Context, working: Figure | None, layer: str, low: bool
) -> Operations:
    """The operations of one piece of work; raises InputFaults where nobody does it."""
    volume = context.volumes[work.volume]
    access = work.access or volume.access
    where = work.layer or layer or ("raw" if volume.use in ("raw", "log") else "file_system")
    block = usual_block(where, access, context, service)
    if work.block_kb is not None:
        block = work.block_kb / count(1, "one operation", "op")
    run = _run_ops(work, access, block)
    if run is not None:
        run = run.named(f"{service.name}: operations of a {work.name}")
    by = work.by or working
    if work.every_s is not None and by is None:
        what = f"{service.name}: {work.name} says how often each of those who do it begins one"
        raise lacking(work.name, what, "by: how many there are")
    if work.every_s is not None and by is not None and by.low <= 0:
        what = f"{service.name}: {work.name} is begun at intervals, and perhaps by nobody"
        raise lacking(work.name, what, "more than 0 clients at work, or by: how many there are")
    rate = None
    every = work.every_s / by * count(1, "one of them", "client") if work.every_s and by else None
    if not work.as_fast_as_disks:
        rate = work.ops_per_s
        if rate is None and run is not None and every is not None:
            rate = run / every
        if rate is not None:
            rate = context.grown(rate).named(f"{service.name}: {work.name}")
    if every is not None and context.growth is not None:
        every = every / context.growth
    returns = work.returns_mb.to("KB") if work.returns_mb is not None else None
    return Operations(
        service=service.name,
        name=work.name,
        volume=work.volume,
        network=service.network or "",
        layer=where,
        pattern=SEQUENTIAL if access == "serial" else access,
        operation=work.operation,
        block_kb=block,
        ops=rate,
        pace=Pace(run, returns, work.within_s, every, by),
        processors=_busy(service, work, context),
        low=low or work.priority == "low",
    )


def _run_ops(work: Work, access: str, block: Figure) -> Figure | None:
    """Operations of one run, as if nothing were cached; a row by key is an operation of its own."""
    if work.ops is not None:
        return work.ops
    if work.mb is not None:
        return work.mb.to("KB") / block
    if work.rows is None or work.row_byte is None:
        return None
    if access == "random":
        return work.rows * count(1, "an operation a row", "op")
    return work.rows * work.row_byte.to("KB") / block


def usual_block(layer: str, access: str, context: Context, service: Serving) -> Figure:
    """The size of one operation where the workload does not tell, in KB an operation."""
    guide = context.guide
    one = count(1, "one operation", "op")
    if layer == "raw" and "database-systems" in guide.tables:
        product = getattr(service, "product", "")
        if product and access == "serial":
            own = found_row(guide, "database-systems", product).find("serial_raw_io_kb")
            if own is not None:
                return own / one
        usual = guide.row("database-systems", guide.defaults["database"]).find("usual_io_kb")
        if usual is not None:
            return usual / one
    name = guide.defaults.get("nfs_transfer", "")
    return found_row(guide, "protocol-costs", name).figure("transfer_kb_per_op")


def _returns(operations: tuple[Operations, ...]) -> Iterator[Traffic]:
    """What runs send that begin at a known rate; that of others hangs on hardware.

    A run of a known size begins as often as the rate of operations tells, others at intervals.
    """
    for o in operations:
        run, every = o.pace.run_ops, o.pace.every_s
        if o.pace.returns_kb is None or (o.ops is None and run is not None):
            continue
        if o.ops is not None and run is not None and run.low > 0:
            sent = o.pace.returns_kb * (o.ops / run)
        elif every is not None:
            sent = o.pace.returns_kb / every
        else:
            continue
        yield Traffic(o.service, o.name, o.network, sent.named(f"{o.title} returned"), o.low)


def _stated(
    service: Serving, context: Context, working: Figure | None, low: bool
) -> tuple[Traffic, ...]:
    traffic = service.traffic
    if traffic is None or not service.network:
        return ()
    rate = traffic.kb_per_s
    if rate is None and traffic.packets_per_s is not None and traffic.packet_byte is not None:
        size = traffic.packet_byte.to("KB") / count(1, "one packet", "packet")
        rate = traffic.packets_per_s * size
    if rate is None:
        return ()
    name = f"{service.name}: traffic"
    found = Traffic(
        service.name, "traffic", service.network, rate, low,
        traffic.packets_per_s, traffic.packet_byte,
    )  # fmt: skip
    if traffic.of is not None:
        if working is None:
            what = f"{service.name}: traffic is told of so many clients"
            raise lacking(service.name, what, "how many there are to be")
        found = found.times(working / traffic.of)
    if traffic.times is not None:
        found = found.times(traffic.times)
    if context.growth is not None:
        found = found.times(context.growth)
    return (found._replace(kb_per_s=found.kb_per_s.named(name)),)


def _busy(service: Serving, work: Work, context: Context) -> Figure | None:
    """Processors that a piece of work keeps busy; what goes at its disks' pace does not grow."""
    if work.user_processors is None or work.as_fast_as_disks:
        return work.user_processors
    name = f"{service.name}: processors that {work.name} keeps busy"
    return context.grown(work.user_processors).named(name)


def _user(service: Serving, context: Context, low: bool) -> tuple[UserTime, ...]:
    found = [
        UserTime(service.name, busy, service.single_threaded, low or work.priority == "low")
        for work in service.work
        if (busy := _busy(service, work, context)) is not None
    ]
    if service.user_processors is not None:
        busy = context.grown(service.user_processors).named(f"{service.name}: processors kept busy")
        found.append(UserTime(service.name, busy, service.single_threaded, low))
    if service.takes_all_processors:
        found.append(UserTime(service.name, None, service.single_threaded, low))
    return tuple(found)
