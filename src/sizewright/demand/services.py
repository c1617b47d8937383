"""The demand of each kind of service, NFS apart."""

from collections.abc import Callable, Iterator, Mapping
from math import floor, log
from typing import Any

from sizewright.demand.rates import (
    FILE_SYSTEM,
    RAW,
    READ,
    KernelTime,
    LineDemand,
    LineItem,
    Operations,
    UserTime,
)
from sizewright.demand.work import (
    Context,
    Part,
    active_of,
    common_part,
    memory_line,
    one_each,
    transfer_kb,
    usual_block,
    usual_cost,
)
from sizewright.errors import refusal
from sizewright.guide.model import Guide, Row, place_of, require_row
from sizewright.quantity import Quantity, as_quantity, assumed_equal, ceil, count, smallest, total
from sizewright.units import PURE
from sizewright.workload.services import (
    BatchService,
    DatabaseService,
    GatewayService,
    MailService,
    MeasuredService,
    PagingService,
    PrintService,
    SerialService,
    TimesharingService,
)


def timesharing_part(service: TimesharingService, context: Context) -> Part:
    """Return what sessions ask for: a working set that they share, and one for each."""
    working = active_of(service.active, service.sessions, f"{service.name}: at work")
    part = common_part(service, context, working)
    memory = service.private_mb and service.sessions * service.private_mb
    if memory is not None and service.shared_mb is not None:
        memory = memory + service.shared_mb
    return part._replace(
        memory=part.memory or memory_line(service, memory),
        processes=(LineItem(f"{service.name}: sessions", one_each(working), service.name),),
    )


def mail_part(service: MailService, context: Context) -> Part:
    """Return what mail asks for.

    For each message of the busy hours its temporary files are made and removed, and a mailbox is
    opened and closed: each time something of a directory or a file's time is written at once.
    """
    part = common_part(service, context, None)
    _check_room(service, context)
    messages = (service.prime_messages / service.prime_s).with_name(f"{service.name}: messages")
    both = count(2, "made and removed, or opened and closed")
    writes = (service.temporary_files * both + both).with_name(
        f"{service.name}: writes for a message"
    )
    ops = context.grown(messages * writes).with_name(f"{service.name}: delivery")
    block = transfer_kb(context.guide)
    delivery = Operations(
        service.name, "delivery", service.volume, "", "file_system", "random", "update", block, ops
    )
    return part._replace(operations=(delivery, *part.operations))


def _check_room(service: MailService, context: Context) -> None:
    """Raise InputError if the messages that are kept do not fit on their volume."""
    if service.message_kb is None or service.retention_days is None:
        return
    today = (service.messages_a_day * service.retention_days * service.message_kb).to("MB")
    kept, room = context.grown(today), context.volumes[service.volume].size_mb
    if kept.low <= room.high:
        return
    what = f"{service.name} keeps at least {kept.low:.0f} MB, and {service.volume} holds "
    what, expected = f"{what}{room.high:g}", "a larger volume, or fewer days"
    if context.years is not None and today.low < room.high:
        # The first year at whose end the messages do not fit; growth is the same every year.
        share = log(room.high / today.low) / log(kept.low / today.low)
        year = floor(share * context.years.low) + 1
        what += f": enough today, for {today.low:.0f} MB, but not in year {year} of its growth"
        expected = f"growth_mb_per_year of {service.volume}, {expected}"
    raise refusal(place_of(service.volume), what, expected)


def batch_part(service: BatchService, context: Context) -> Part:
    """Return what batch jobs ask for: a process each, and nothing that others could use."""
    part = common_part(service, context, None, low=True)
    jobs = context.grown(service.jobs).with_name(f"{service.name}: jobs at once")
    memory = service.job_mb and jobs * service.job_mb
    busy = UserTime(service.name, jobs, low=True)
    return part._replace(
        user=(*part.user, busy), memory=part.memory or memory_line(service, memory),
        processes=(LineItem(f"{service.name}: jobs", jobs, service.name),),
    )  # fmt: skip


def paging_part(service: PagingService, context: Context) -> Part:
    """Return what paging asks for: raw operations on the volume of swap space, else kernel time.

    The guide's kernel time of a fault is less than that of any operation on a disk (errata), so it
    counts only if the volume of swap space is not stated.
    """
    part = common_part(service, context, None)
    if service.volume is not None:
        paged = tuple(_paged(service, service.volume, context))
        return part._replace(operations=(*part.operations, *paged))
    row = usual_cost(context.guide, "page_fault", "the time of a page fault")
    cost = row.require("cost_ms_per_op")
    time = (context.grown(service.faults_per_s) * cost).with_name(f"{service.name}: page faults")
    return part._replace(kernel=(KernelTime(service.name, "page faults", time),))


def _paged(service: PagingService, volume: str, context: Context) -> Iterator[Operations]:
    """Yield pages read and written; all are read if the share of reads is not stated."""
    faults = context.grown(service.faults_per_s).with_name(f"{service.name}: page faults")
    block = usual_block("raw", "random", READ, context, service)
    reads = service.reads_percent.to(PURE) if service.reads_percent is not None else None
    shares = [("pages in", "read", reads)]
    if reads is not None and reads.low < 1:
        shares.append(("pages out", "update", as_quantity(1) - reads))
    for name, operation, share in shares:
        ops = faults if share is None else (faults * share).with_name(f"{service.name}: {name}")
        yield Operations(service.name, name, volume, "", "raw", "random", operation, block, ops)


def measured_part(service: MeasuredService, context: Context) -> Part:
    """Return what was measured, as it was measured."""
    return common_part(service, context, service.clients)


TABLE = "database-systems"


def database_part(service: DatabaseService, context: Context) -> Part:
    """Return what a database asks for; raises InputError for a product without memory data."""
    product = require_row(context.guide, TABLE, service.product)
    usual = RAW if product.get_flag("raw_partitions") else FILE_SYSTEM
    working = active_of(service.active, service.clients, f"{service.name}: at work")
    part = common_part(service, context, working, usual)
    swap = context.guide.default_row(TABLE, "database").cell("swap_mb")
    name = f"{service.name}: swap space"
    return part._replace(
        memory=memory_lines(service, product, context),
        swap=() if swap is None else (LineItem(name, swap, service.name),),
        databases=(product.id,),
        processes=tuple(_processes(service, product, working, context)),
    )


def _processes(
    service: DatabaseService, product: Row, working: Quantity, context: Context
) -> Iterator[LineItem]:
    """Yield the processes of the product's back end, and of the front ends that work here."""
    usual = context.guide.default_row(TABLE, "database")
    started = product.cell("back_end_processes") or usual.cell("back_end_processes")
    if started is not None:
        # No more of them are active than clients ask for something.
        active = smallest(started, one_each(context.working.get(product.id, working)))
        yield LineItem(f"{product.id}: back end", active, service.name)
    if service.front_ends == "here":
        yield LineItem(f"{service.name}: front ends", one_each(working), service.name)


def memory_lines(service: DatabaseService, product: Row, context: Context) -> tuple[LineItem, ...]:
    """Return the memory of the back end and of front ends that run here, in MB.

    The back end takes what was measured. Otherwise it takes basic memory, memory for each client,
    and a percentage of both, as the vendor of the product states. Memory is for each connection, so
    clients that another service counts also take it here.
    """
    lines = [
        LineItem(f"{service.name}: back end", _back_end_mb(service, product, context), service.name)
    ]
    if service.front_ends == "here":
        each = service.front_end_mb or product.cell("front_end_memory_mb")
        if each is None:
            raise _unknown_memory(service, product, "front_end_mb")
        front = (service.clients * each).with_name(f"{service.name}: front ends")
        lines.append(LineItem(f"{service.name}: front ends", front, service.name))
    return tuple(lines)


def _back_end_mb(service: DatabaseService, product: Row, context: Context) -> Quantity:
    title = f"{service.name}: memory of the back end"
    if service.memory_mb is not None:
        return service.memory_mb.with_name(title)
    own = context.guide.default_row(TABLE, "database").cell("dbms_memory_mb")
    each = _per_client_mb(service, product)
    basic = product.cell("basic_memory_mb") or product.cell("application_basic_memory_mb")
    if each is None or basic is None:
        raise _unknown_memory(service, product, "memory_mb")
    shared = product.cell("shared_memory_mb")
    sum_ = (basic if shared is None else basic + shared) + service.clients * each
    more = service.additional_percent or product.cell("additional_percent")
    if more is not None:
        sum_ = sum_ * (as_quantity(1) + more.to(PURE))
    # A product that is printed to need as much by itself has the manager's memory in it.
    return (sum_ if own is None or basic.low >= own.high else sum_ + own).with_name(title)


def _per_client_mb(service: DatabaseService, product: Row) -> Quantity | None:
    if service.per_client_mb is not None:
        return service.per_client_mb
    each = product.cell("per_client_memory_kb")
    if each is None:
        return product.cell("application_per_client_memory_mb")
    cache = product.cell("procedure_cache_kb")
    return (each + cache if cache is not None else each).to("MB/client")


def _unknown_memory(service: DatabaseService, product: Row, field: str) -> Exception:
    what = f"{service.name}: the guide has no memory figures for {product.text('name')}"
    hint = f"measure its processes with ps and vmstat; see {product.mark.cite}"
    expected = f"{field}, as measured or as its vendor states"
    return refusal(place_of(service.product), what, expected, hint)


def gateway_part(service: GatewayService, context: Context) -> Part:
    """Return synchronous lines; their processor time depends on the boards that drive them."""
    part = common_part(service, context, None)
    lines = tuple(
        LineDemand(
            service.name, line.name, "wide", count(line.count, f"lines of {line.name}", "line"),
            kbit_per_s=printed_rate(line.kbit_per_s, context.guide), protocol=line.protocol,
        )
        for line in service.lines
    )  # fmt: skip
    return part._replace(lines=lines)


def printed_rate(rate: Quantity, guide: Guide) -> Quantity:
    """Return the rate of a line in Kb/s; the nominal rate of a full line is the printed one."""
    if "wide_line" not in guide.defaults:
        return rate
    whole = guide.default_row("network-media", "wide_line")
    full = whole.cell("media_speed_mbit_per_s", "Kb/s")
    nominal = whole.cell("nominal_speed_mbit_per_s", "Kb/s")
    if not full or not nominal or not full.high < rate.high <= nominal.high:
        return rate
    what = f"full {whole.id}: its rate, as a part of the printed one"
    return smallest(rate, full * assumed_equal(what))


def serial_part(service: SerialService, context: Context) -> Part:
    """Return asynchronous lines of terminals and modems."""
    part = common_part(service, context, None)
    each = service.bits_per_s.to("Kb/s") if service.bits_per_s is not None else None
    line = LineDemand(service.name, "lines", "serial", service.lines, kbit_per_s=each)
    return part._replace(lines=(line,))


def print_part(service: PrintService, context: Context) -> Part:
    """Return printers by port; pages that the server draws take memory and processors."""
    part = common_part(service, context, None)
    lines, user = [], []
    memory = [printer.raster_mb for printer in service.printers if printer.raster_mb is not None]
    for printer in service.printers:
        number = count(printer.count, f"printers {printer.name}", "line")
        lines.append(
            LineDemand(service.name, printer.name, printer.attached, number,
                       kb_per_s=printer.kb_per_s)
        )  # fmt: skip
        if printer.raster_processors is not None:
            busy = context.grown(printer.raster_processors)
            user.append(UserTime(service.name, busy.with_name(f"{printer.name}: pages drawn")))
    if service.memory_mb is not None:
        memory.append(service.memory_mb)
    needed = (LineItem(service.name, total(memory, "MB"), service.name),) if memory else ()
    return part._replace(lines=tuple(lines), memory=needed, user=(*part.user, *user))


_READERS: Mapping[str, Callable[[Any, Context], Part]] = {
    "database": database_part,
    "timesharing": timesharing_part,
    "mail": mail_part,
    "gateway": gateway_part,
    "serial": serial_part,
    "print": print_part,
    "batch": batch_part,
    "paging": paging_part,
    "measured": measured_part,
}


def part_of(service: Any, context: Context) -> Part:
    """Return what a service asks for, NFS streams apart; raises InputError for what it lacks."""
    reader = _READERS.get(service.kind)
    part = reader(service, context) if reader else Part()
    return part._replace(processes=part.processes or tuple(_programs(service, part.user)))


def _programs(service: Any, user: tuple[UserTime, ...]) -> Iterator[LineItem]:
    """Yield the fewest programs that keep its processors busy, one if it takes all there are."""
    known = [each.processors for each in user if each.processors is not None]
    busy = total(known, PURE) if known else count(len(user), "programs")
    if busy.high > 0:
        yield LineItem(f"{service.name}: programs", ceil(busy), service.name)
