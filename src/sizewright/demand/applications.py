"""Sessions, mail, batch jobs, paging, and what was measured: services of people and programs."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright.demand.clients import active_of, one_each
from sizewright.demand.model import Item, KernelTime, Operations, UserTime
from sizewright.demand.part import Context, Part, lacking
from sizewright.demand.work import common_part, usual_block
from sizewright.guide.named import found_row
from sizewright.quantity import Quantity, as_quantity, count
from sizewright.units import PURE
from sizewright.workload import (
    BatchService,
    MailService,
    MeasuredService,
    PagingService,
    Serving,
    TimesharingService,
)


def timesharing_part(service: TimesharingService, context: Context) -> Part:
    """What sessions ask for: a working set that they share, and one for each."""
    working = active_of(service.active, service.sessions, f"{service.name}: at work")
    part = common_part(service, context, working)
    memory = service.memory_mb
    if memory is None and service.private_mb is not None:
        memory = service.sessions * service.private_mb
        if service.shared_mb is not None:
            memory = memory + service.shared_mb
    return part._replace(
        memory=_memory(service, memory),
        processes=(Item(f"{service.name}: sessions", one_each(working), service.name),),
    )


def mail_part(service: MailService, context: Context) -> Part:
    """What mail asks for.

    For each message of the busy hours its temporary files are made and removed, and a mailbox is
    opened and closed: each time something of a directory or a file's time is written at once.
    """
    part = common_part(service, context, None)
    _check_room(service, context)
    messages = (service.prime_messages / service.prime_s).named(f"{service.name}: messages")
    both = count(2, "made and removed, or opened and closed")
    writes = (service.temporary_files * both + both).named(f"{service.name}: writes for a message")
    ops = context.grown(messages * writes).named(f"{service.name}: delivery")
    name = context.guide.defaults.get("nfs_transfer", "")
    block = found_row(context.guide, "protocol-costs", name).figure("transfer_kb_per_op")
    delivery = Operations(
        service.name, "delivery", service.volume, "", "file_system", "random", "update", block, ops
    )
    return part._replace(
        operations=(delivery, *part.operations), memory=_memory(service, service.memory_mb)
    )


def _check_room(service: MailService, context: Context) -> None:
    """Raise InputFaults where the messages that are kept do not fit on their volume."""
    if service.message_kb is None or service.retention_days is None:
        return
    messages = context.grown(service.messages_a_day)
    size = messages * service.retention_days * service.message_kb
    kept, room = size.to("MB"), context.volumes[service.volume].size_mb
    if kept.low > room.high:
        what = f"{service.name} keeps at least {kept.low:.0f} MB, and {service.volume} holds "
        raise lacking(service.volume, f"{what}{room.high:g}", "a larger volume, or fewer days")


def batch_part(service: BatchService, context: Context) -> Part:
    """What batch jobs ask for: a process each, and nothing that others could use."""
    part = common_part(service, context, None, low=True)
    jobs = context.grown(service.jobs).named(f"{service.name}: jobs at once")
    memory = service.memory_mb
    if memory is None and service.job_mb is not None:
        memory = jobs * service.job_mb
    busy = UserTime(service.name, jobs, low=True)
    return part._replace(
        user=(*part.user, busy), memory=_memory(service, memory),
        processes=(Item(f"{service.name}: jobs", jobs, service.name),),
    )  # fmt: skip


def paging_part(service: PagingService, context: Context) -> Part:
    """What paging asks for: raw operations where swap space lies, else kernel time for each fault.

    The guide's figure for a fault is less than any operation on a disk costs (errata), so it stands
    only where it is not told which volume is paged to.
    """
    part = common_part(service, context, None)
    if service.volume is not None:
        paged = tuple(_paged(service, service.volume, context))
        return part._replace(
            operations=(*part.operations, *paged), memory=_memory(service, service.memory_mb)
        )
    name = context.guide.defaults.get("page_fault", "")
    cost = found_row(context.guide, "protocol-costs", name).figure("cost_ms_per_op")
    time = (context.grown(service.faults_per_s) * cost).named(f"{service.name}: page faults")
    kernel = KernelTime(service.name, "page faults", time)
    return part._replace(kernel=(kernel,), memory=_memory(service, service.memory_mb))


def _paged(service: PagingService, volume: str, context: Context) -> Iterator[Operations]:
    """Pages brought in and written out; all are brought in where nothing is said of it."""
    faults = context.grown(service.faults_per_s).named(f"{service.name}: page faults")
    block = usual_block("raw", "random", context, service)
    reads = service.reads_percent.to(PURE) if service.reads_percent is not None else None
    shares = [("pages in", "read", reads)]
    if reads is not None and reads.low < 1:
        shares.append(("pages out", "update", as_quantity(1) - reads))
    for name, operation, share in shares:
        ops = faults if share is None else (faults * share).named(f"{service.name}: {name}")
        yield Operations(service.name, name, volume, "", "raw", "random", operation, block, ops)


def measured_part(service: MeasuredService, context: Context) -> Part:
    """What was measured, as it was measured."""
    part = common_part(service, context, service.clients)
    kernel: tuple[KernelTime, ...] = ()
    if service.kernel_ms_per_s is not None and service.measured_on is not None:
        mips = found_row(context.guide, "platforms", service.measured_on).figure("mips")
        time = context.grown(service.kernel_ms_per_s).named(f"{service.name}: kernel time")
        kernel = (KernelTime(service.name, "kernel time", time, mips),)
    return part._replace(kernel=kernel, memory=_memory(service, service.memory_mb))


def _memory(service: Serving, memory: Quantity | None) -> tuple[Item, ...]:
    if memory is None:
        return ()
    return (Item(service.name, memory.named(f"{service.name}: memory"), service.name),)
