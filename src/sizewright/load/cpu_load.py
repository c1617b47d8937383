"""Processor time of everything that a system does: in the kernel, and outside of it."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright import units
from sizewright.configuration.model import System
from sizewright.demand.model import Demand, Known, LineItem, Lines, UserTime
from sizewright.guide.model import Guide, Row
from sizewright.load.disk_work import ActiveWork, disk_rows, overhead, work_lines
from sizewright.load.model import NfsCapacity
from sizewright.load.network_traffic import packet_lines
from sizewright.load.nfs import kernel_lines, processor_second
from sizewright.load.processors import mips_of
from sizewright.quantity import Quantity, count, mean, smallest


class Times:
    """The lines of processor time of a demand on a system, in ms/s."""

    def __init__(
        self, demand: Demand, system: System, guide: Guide, capacity: NfsCapacity | None
    ) -> None:
        self.demand = demand
        self.system = system
        self.guide = guide
        self.capacity = capacity

    def of(self, works: tuple[ActiveWork, ...]) -> tuple[Known, Known]:
        """Return the time in the kernel, and all processor time.

        In the kernel are files served, work on disks, packets, faults and lines. Both are None if
        the cost of some work is not known.
        """
        return self.beside(work_lines(works, self.system, self.guide))

    def beside(self, worked: Known) -> tuple[Known, Known]:
        """Return the same from the lines of the work on disks."""
        if worked is None:
            return None, None
        service = kernel_lines(self.demand, self.system, self.guide, self.capacity)
        kernel = (
            *service,
            *manager_lines(self.demand, service, self.system, self.guide),
            *worked,
            *packet_lines(self.demand, self.system, self.guide),
            *self._direct(),
            *self._wide_lines(),
        )
        return self.demand.at_peak(kernel), self.demand.at_peak((*kernel, *self._user()))

    def _user(self) -> Iterator[LineItem]:
        """Time outside of the kernel; a process of one thread uses one processor at most."""
        for user in self.demand.user:
            if user.processors is not None and not user.low:
                yield LineItem(f"{user.service}: its own work", _user_ms(user), user.service)

    def _direct(self) -> Iterator[LineItem]:
        for kernel in self.demand.kernel:
            time = kernel.ms_per_s
            if kernel.mips is not None:
                time = time * (kernel.mips / self._mips())
            yield LineItem(f"{kernel.service}: {kernel.name}", time, kernel.service)

    def _wide_lines(self) -> Iterator[LineItem]:
        """Synchronous lines: the share of a full line that each is, at what its board costs."""
        gateways = gateway_rows(self.system, self.guide)
        for line in self.demand.lines:
            if line.kind != "wide" or line.kbit_per_s is None or not gateways:
                continue
            whole = self.guide.row("network-media", self.guide.defaults["wide_line"])
            speed = whole.figure("media_speed_mbit_per_s").to("Kb/s")
            cost = gateways[0].figure("mips_per_line")
            share = (line.kbit_per_s / speed).named(f"{line.name}: share of a full line")
            mips = cost * line.number * share
            time = (mips / self._mips()) * processor_second()
            yield LineItem(f"{line.service}: {line.name}", time, line.service)

    def _mips(self) -> Quantity:
        return mips_of(self.system.platform, self.guide)


def _user_ms(user: UserTime) -> Quantity:
    assert user.processors is not None
    busy = user.processors
    if user.single:
        busy = smallest(busy, count(1, "one processor for one thread"))
    return busy * processor_second()


def gateway_rows(system: System, guide: Guide) -> tuple[Row, ...]:
    """The rows of the gateways whose boards a system has."""
    boards = {board.model for board in system.boards}
    return tuple(
        row for row in guide.tables.get("gateways", ())
        if row.text("board") in boards and row.find("mips_per_line") is not None
    )  # fmt: skip


def manager_lines(
    demand: Demand, service: Lines, system: System, guide: Guide
) -> Iterator[LineItem]:
    """What a volume manager adds to the disk traffic within file service, in ms/s.

    The guide takes a share of the service's kernel time for its disk traffic; of that, the part
    that goes to managed volumes costs more by the overheads of their layouts.
    """
    name = guide.defaults.get("nfs_disk_share", "")
    if not name or not demand.streams:
        return
    share = guide.row("protocol-costs", name).figure("share_percent").to(units.PURE)
    times = {line.name: line.figure for line in service}
    laid = {volume.name: volume for volume in system.volumes}
    for stream in demand.streams:
        time = times.get(stream.service)
        if time is None:
            continue
        for use in stream.uses:
            volume = laid.get(use.volume)
            if volume is None or not volume.manager:
                continue
            disks = tuple(disk_rows(volume, system, guide))
            pattern = next(v.access for v in demand.volumes if v.name == use.volume)
            kind = "sequential" if pattern == "serial" else pattern
            reads = overhead(volume, f"{kind}_read_percent", disks, system, guide)
            writes = overhead(volume, f"{kind}_write_percent", disks, system, guide)
            if reads is None or writes is None:
                continue
            added = reads
            if stream.reads.high + stream.writes.high > 0:
                added = mean([reads, writes], [stream.reads, stream.writes])
            title = f"{stream.service}: {use.volume} on joined disks"
            whole = time * share if use.share.low == 1 else time * share * use.share
            yield LineItem(title, (whole * added).named(title), stream.service)
