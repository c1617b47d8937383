"""The demand of services of every kind: work on the server's disks, traffic, processors."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from sizewright.demand.rates import (
    FILE_SYSTEM,
    READ,
    KernelTime,
    LineDemand,
    LineItem,
    Operations,
    Runs,
    Traffic,
    UserTime,
    data_of,
    layer_of,
    pattern_of,
    scaled,
)
from sizewright.errors import Location, refusal
from sizewright.guide.model import Guide, Row, place_of, require_row, row_id
from sizewright.quantity import Quantity, as_quantity, count, largest
from sizewright.workload.nfs import Concurrency, working_part
from sizewright.workload.services import TimedService
from sizewright.workload.volume import Volume
from sizewright.workload.work import Serving, Work


class Context(NamedTuple):
    """What services are read against: the guide, the volumes, and the factor of growth.

    The factor is of all `years`, if the workload states a number of years. `working` are the
    clients of all services of a database product that are active at once.
    """

    guide: Guide
    volumes: Mapping[str, Volume]
    growth: Quantity | None = None
    years: Quantity | None = None
    working: Mapping[str, Quantity] = MappingProxyType({})

    def grown(self, rate: Quantity) -> Quantity:
        """Return a rate after the growth that the workload foresees."""
        return rate if self.growth is None else rate * self.growth


class Part(NamedTuple):
    """The demand of one service, NFS streams apart."""

    operations: tuple[Operations, ...] = ()
    traffic: tuple[Traffic, ...] = ()
    kernel: tuple[KernelTime, ...] = ()
    user: tuple[UserTime, ...] = ()
    memory: tuple[LineItem, ...] = ()
    swap: tuple[LineItem, ...] = ()
    lines: tuple[LineDemand, ...] = ()
    databases: tuple[str, ...] = ()
    processes: tuple[LineItem, ...] = ()


def active_of(active: Quantity | Concurrency | None, everybody: Quantity, called: str) -> Quantity:
    """Return the clients that are active at once; a share of them has the name `called`."""
    working = working_part(active, everybody)
    return working.with_name(called) if isinstance(active, Concurrency) else working


def one_each(clients: Quantity) -> Quantity:
    """Return a process for each client or session."""
    return clients * count(1, "a process for each", "1/client")


def common_part(
    service: Serving, context: Context, working: Quantity | None, usual: str = "", low: bool = False
) -> Part:
    """Return what services of every kind ask for: work, traffic, processor time and memory.

    `working` are the clients that are active at once, None without clients; `usual` is the layer
    of its data if the workload states neither a layer nor the use of the volume. Raises InputError
    for missing numbers.
    """
    operations = tuple(
        operations_of(service, w, context, working, usual, low) for w in service.work
    )
    return Part(
        operations=operations,
        traffic=(*_returns(operations), *_stated(service, context, working, low)),
        kernel=_kernel(service, context),
        user=_user(service, context, low),
        memory=memory_line(service, service.memory_mb),
    )


def memory_line(service: Serving, memory: Quantity | None) -> tuple[LineItem, ...]:
    """Return the memory of a service as a line, or no line if it is not known."""
    if memory is None:
        return ()
    return (LineItem(service.name, memory.with_name(f"{service.name}: memory"), service.name),)


def operations_of(
    service: Serving, work: Work, context: Context, working: Quantity | None, usual: str, low: bool
) -> Operations:
    """Return the operations of one piece of work; raises InputError if it has no clients."""
    volume = context.volumes[work.volume]
    access = work.access or volume.access
    by_use = layer_of(volume.use) if volume.use else usual or FILE_SYSTEM
    layer = service.stated_layer(work) or by_use
    block = usual_block(layer, access, work.operation, context, service)
    if work.block_kb is not None:
        block = work.block_kb / count(1, "one operation", "op")
    run = _run_ops(work, access, block)
    if run is not None:
        run = run.with_name(f"{service.name}: operations of one {work.name}")
    by = work.by or working
    one = count(1, "one of them", "client")
    every = None
    if work.every_s is not None:
        what = f"{service.name}: {work.name} has an interval, but the number of users "
        expected = "by: how many there are"
        if by is None:
            raise refusal(place_of(work.name), f"{what}is not stated", expected)
        if by.low <= 0:
            expected = f"more than 0 clients at work, or {expected}"
            raise refusal(place_of(work.name), f"{what}may be 0", expected)
        every = work.every_s / by * one
        every = every if context.growth is None else every / context.growth
    runs = Runs(
        run,
        work.returns_mb.to("KB") if work.returns_mb is not None else None,
        work.within_s,
        every,
        context.grown(work.at_once / one) if work.at_once is not None else None,
        work.outstanding,
    )
    rate = _demanded(work.ops_per_s and context.grown(work.ops_per_s), runs)
    if rate is not None:
        rate = rate.with_name(f"{service.name}: {work.name}")
    return Operations(
        service=service.name,
        name=work.name,
        volume=work.volume,
        network=service.network or "",
        layer=layer,
        pattern=pattern_of(access),
        operation=work.operation,
        block_kb=block,
        ops=rate,
        runs=runs,
        processors=_busy(service, work, context),
        low=_yields(work, low),
    )


def _demanded(stated: Quantity | None, runs: Runs) -> Quantity | None:
    """Return the op/s that a rate, arrivals or a wanted time ask for: the largest of them.

    Without a stated number of runs at once, one is taken. None if nothing asks for a rate.
    """
    asked = [stated] if stated is not None else []
    if stated is None and runs.run_ops is not None and runs.every_s is not None:
        asked.append(runs.run_ops / runs.every_s)
    if runs.run_ops is not None and runs.within_s is not None:
        at_once = runs.at_once or count(1, "one run at once")
        asked.append(at_once * runs.run_ops / runs.within_s)
    return largest(*asked) if asked else None


def _yields(work: Work, low: bool) -> bool:
    """Return whether work yields to all other work: low priority without a wanted time."""
    return (low or work.priority == "low") and work.within_s is None


def _run_ops(work: Work, access: str, block: Quantity) -> Quantity | None:
    """Return the operations of one run without any cache; each row by key is one operation."""
    if work.ops is not None:
        return work.ops
    if work.mb is not None:
        return work.mb.to("KB") / block
    if work.rows is None or work.row_byte is None:
        return None
    if access == "random":
        return work.rows * count(1, "an operation a row", "op")
    return work.rows * work.row_byte.to("KB") / block


def usual_block(
    layer: str, access: str, operation: str, context: Context, service: Serving
) -> Quantity:
    """Return the usual size of one operation in KB/op, if the workload does not state it."""
    guide = context.guide
    one = count(1, "one operation", "op")
    if layer == "raw" and "database-systems" in guide.tables:
        product = getattr(service, "product", "")
        if product and access == "serial" and operation == READ:
            own = require_row(guide, "database-systems", product).cell("serial_raw_io_kb")
            if own is not None:
                return own / one
        usual = guide.default_row("database-systems", "database").cell("usual_io_kb")
        if usual is not None:
            return usual / one
    return transfer_kb(guide)


def transfer_kb(guide: Guide) -> Quantity:
    """Return what one read or write operation moves, in KB an operation.

    Raises InputError if the guide does not state it.
    """
    what = "the data per NFS operation"
    return usual_cost(guide, "nfs_transfer", what).require("transfer_kb_per_op")


def usual_cost(guide: Guide, default: str, what: str) -> Row:
    """Return the row of protocol costs that is a default; raises InputError if the guide has none.

    `what` it states is named in the error.
    """
    name = guide.defaults.get(default, "")
    if not name:
        expected = "the guide that the workload was written for"
        raise refusal(Location(f"guide {guide.id}"), f"does not state {what}", expected)
    return require_row(guide, "protocol-costs", name)


def _runs_per_s(runs: Runs) -> Quantity | None:
    """Return the runs a second that arrivals or wanted times ask for; None if neither is stated."""
    asked = []
    if runs.every_s is not None:
        asked.append(as_quantity(1) / runs.every_s)
    if runs.within_s is not None:
        asked.append((runs.at_once or count(1, "one run at once")) / runs.within_s)
    return largest(*asked) if asked else None


def _returns(operations: tuple[Operations, ...]) -> Iterator[Traffic]:
    """Yield what runs send at the demanded rate; open-ended work sends what its pace allows.

    How often runs begin is independent of their size. If only a rate of operations is stated, it
    gives how often a run of a known size begins.
    """
    for o in operations:
        run, often = o.runs.run_ops, _runs_per_s(o.runs)
        if often is None and o.ops is not None and run is not None and run.low > 0:
            often = o.ops / run
        if o.runs.returns_kb is None or often is None:
            continue
        sent = o.runs.returns_kb * often
        yield Traffic(o.service, o.name, o.network, sent.with_name(f"{o.title} returned"), o.low)


def _stated(
    service: Serving, context: Context, working: Quantity | None, low: bool
) -> tuple[Traffic, ...]:
    traffic = service.traffic
    if traffic is None or not service.network:
        return ()
    rate = traffic.kb_per_s
    if rate is None and traffic.packets_per_s is not None and traffic.packet_byte is not None:
        rate = data_of(traffic.packets_per_s, traffic.packet_byte)
    if rate is None:
        return ()
    name = f"{service.name}: traffic"
    found = Traffic(
        service.name, "traffic", service.network, rate, low,
        traffic.packets_per_s, traffic.packet_byte,
    )  # fmt: skip
    each = None
    if traffic.of is not None:
        if working is None:
            what = f"{service.name}: traffic is for a number of clients, but the service has none"
            raise refusal(place_of(service.name), what, "how many there are to be")
        each = working / traffic.of
    for factor in (each, traffic.times, context.growth):
        found = found if factor is None else scaled(found, factor)
    return (found._replace(kb_per_s=found.kb_per_s.with_name(name)),)


def _busy(service: Serving, work: Work, context: Context) -> Quantity | None:
    """Processors that a piece of work keeps busy; those of open-ended work do not grow."""
    open_ended = work.ops_per_s is None and work.every_s is None and work.within_s is None
    if work.user_processors is None or open_ended:
        return work.user_processors
    name = f"{service.name}: processors that {work.name} keeps busy"
    return context.grown(work.user_processors).with_name(name)


def _mips_measured(service: Serving, guide: Guide) -> Quantity | None:
    """Return the speed of the platform on which processor time was measured; None if not stated.

    Raises InputError for a platform that the guide does not have.
    """
    if service.measured_on is None:
        return None
    platform = row_id(guide, "platforms", service.measured_on)
    return require_row(guide, "platforms", platform).require("mips")


def _kernel(service: Serving, context: Context) -> tuple[KernelTime, ...]:
    """Return the kernel time of a service, if it was measured."""
    if not isinstance(service, TimedService) or service.kernel_ms_per_s is None:
        return ()
    time = context.grown(service.kernel_ms_per_s).with_name(f"{service.name}: kernel time")
    return (KernelTime(service.name, "kernel time", time, _mips_measured(service, context.guide)),)


def _user(service: Serving, context: Context, low: bool) -> tuple[UserTime, ...]:
    mips, single = _mips_measured(service, context.guide), service.single_threaded
    found = [
        UserTime(service.name, busy, single, _yields(work, low), mips)
        for work in service.work
        if (busy := _busy(service, work, context)) is not None
    ]
    if service.user_processors is not None:
        busy = context.grown(service.user_processors).with_name(
            f"{service.name}: processors kept busy"
        )
        found.append(UserTime(service.name, busy, single, low, mips))
    if service.takes_all_processors:
        found.append(UserTime(service.name, None, single, low))
    return tuple(found)
