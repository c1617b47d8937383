"""Processor time of everything that a system does: in the kernel, and outside of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sizewright import units
from sizewright.configuration.model import System
from sizewright.demand.model import SEQUENTIAL, SERIAL, Demand, Known, LineItem, Lines
from sizewright.guide.model import Guide
from sizewright.load.disk_work import disk_rows, overhead, work_lines
from sizewright.load.lines import carriers, lines_on_boards
from sizewright.load.model import NfsCapacity, mips_of, processor_second
from sizewright.load.network_traffic import packet_lines
from sizewright.load.nfs import interfaces_of, kernel_lines, nfs_capacity
from sizewright.quantity import count, mean, smallest


class CpuLoad(NamedTuple):
    """Lines of processor time in ms/s, in the kernel and in all; None if it is not known.

    `capacity` is what the platform serves over its networks.
    """

    capacity: NfsCapacity | None
    kernel: Known
    processors: Known


def cpu_load(demand: Demand, system: System, guide: Guide) -> CpuLoad:
    """Return the processor time of a demand on a system: a small part of its whole load."""
    capacity = nfs_capacity(guide, system.platform, interfaces_of(system, guide))
    works = work_lines(demand, system, guide)
    return CpuLoad(capacity, *cpu_lines(demand, system, guide, capacity, works))


def cpu_lines(
    demand: Demand, system: System, guide: Guide, capacity: NfsCapacity | None, works: Known
) -> tuple[Known, Known]:
    """Return the time in the kernel and all processor time, from the lines of work on disks.

    In the kernel are files served, work on disks, packets, faults and synchronous lines. Both are
    None if the cost of some work is not known.
    """
    if works is None:
        return None, None
    service = kernel_lines(demand, system, guide, capacity)
    kernel = (
        *service,
        *_manager_lines(demand, service, system, guide),
        *works,
        *packet_lines(demand, system, guide),
        *_direct_lines(demand, system, guide),
        *_wide_lines(demand, system, guide),
    )
    return demand.at_peak(kernel), demand.at_peak((*kernel, *_user_lines(demand)))


def _user_lines(demand: Demand) -> Iterator[LineItem]:
    """Yield the time outside of the kernel; a process of one thread uses one processor at most."""
    for user in demand.user:
        if user.processors is not None and not user.low:
            busy = user.processors
            if user.single:
                busy = smallest(busy, count(1, "one processor for one thread"))
            name = f"{user.service}: its own work"
            yield LineItem(name, busy * processor_second(), user.service)


def _direct_lines(demand: Demand, system: System, guide: Guide) -> Iterator[LineItem]:
    for kernel in demand.kernel:
        time = kernel.ms_per_s
        if kernel.mips is not None:
            time = time * (kernel.mips / mips_of(system.platform, guide))
        yield LineItem(f"{kernel.service}: {kernel.name}", time, kernel.service)


def _wide_lines(demand: Demand, system: System, guide: Guide) -> Iterator[LineItem]:
    """Yield synchronous lines: the share of a full line that each is, at what its board costs."""
    if not any(line.kind == "wide" for line in demand.lines):
        return
    kinds = carriers(guide)
    for model, lines in lines_on_boards(demand.lines, system, guide, by_model=True).items():
        cost = kinds[model].row.find("mips_per_line")
        for line in lines if cost is not None else ():
            whole = guide.row("network-media", guide.defaults["wide_line"])
            speed = whole.figure("media_speed_mbit_per_s").to("Kb/s")
            assert line.kbit_per_s is not None and cost is not None
            share = (line.kbit_per_s / speed).named(f"{line.name}: share of a full line")
            mips = cost * line.number * share
            time = (mips / mips_of(system.platform, guide)) * processor_second()
            yield LineItem(f"{line.service}: {line.name}", time, line.service)


def _manager_lines(
    demand: Demand, service: Lines, system: System, guide: Guide
) -> Iterator[LineItem]:
    """Yield what a volume manager adds to the disk traffic within file service, in ms/s.

    The guide takes a share of the service's kernel time for its disk traffic. The part of it that
    goes to managed volumes costs more by the overheads of their layouts.
    """
    name = guide.defaults.get("nfs_disk_share", "")
    managed = {volume.name: volume for volume in system.volumes if volume.manager}
    if not name or not managed:
        return
    share = guide.row("protocol-costs", name).figure("share_percent").to(units.PURE)
    times = {line.name: line.figure for line in service}
    access = {volume.name: volume.access for volume in demand.volumes}
    for stream in demand.streams:
        time = times.get(stream.service)
        for use in stream.uses if time is not None else ():
            volume = managed.get(use.volume)
            if volume is None:
                continue
            disks = tuple(disk_rows(volume, system, guide))
            kind = SEQUENTIAL if access[use.volume] == SERIAL else access[use.volume]
            reads = overhead(volume, f"{kind}_read_percent", disks, system, guide)
            writes = overhead(volume, f"{kind}_write_percent", disks, system, guide)
            if time is None or reads is None or writes is None:
                continue
            added = reads
            if stream.reads.high + stream.writes.high > 0:
                added = mean([reads, writes], [stream.reads, stream.writes])
            title = f"{stream.service}: {use.volume} on joined disks"
            whole = time * share if use.share.low == 1 else time * share * use.share
            yield LineItem(title, (whole * added).named(title), stream.service)
