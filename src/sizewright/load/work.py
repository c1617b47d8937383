"""Work that the server does on its own disks: how fast it goes, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sizewright.configuration.model import System, Volume
from sizewright.demand.model import Demand, Item, Operations
from sizewright.guide.model import Guide, Row
from sizewright.load.manager import overhead_of
from sizewright.load.model import Known
from sizewright.load.speed import speed_ratio
from sizewright.quantity import Quantity, ambiguous, as_quantity, count, smallest, total
from sizewright.units import PURE

RANDOM, SEQUENTIAL = "random", "sequential"
_WRITING = ("update", "write")


class Going(NamedTuple):
    """Operations on a system: their demanded rate in op/s, and the disks of their volume."""

    operations: Operations
    rate: Quantity
    volume: Volume
    disks: tuple[Row, ...]


def going(demand: Demand, system: System, guide: Guide, low: bool = False) -> tuple[Going, ...]:
    """Return each piece of work with a demand, at the demanded rate; `low` work apart."""
    laid = {volume.name: volume for volume in system.volumes}
    found = []
    for operations in demand.operations:
        volume = laid.get(operations.volume)
        if volume is None or operations.low is not low or operations.ops is None:
            continue
        disks = tuple(disk_rows(volume, system, guide))
        found.append(Going(operations, operations.ops, volume, disks))
    return tuple(found)


def disk_rows(volume: Volume, system: System, guide: Guide) -> Iterator[Row]:
    """The row of each disk that a volume lies on, in order of their ids."""
    models = {d.id: d.model for d in system.devices() if d.kind == "disk"}
    for disk in sorted(volume.disks):
        yield guide.row("disks", models[disk])


def active_limit(channel: Row, pattern: str) -> Quantity | None:
    """How many disks of a channel work at once, by the pattern of access."""
    return channel.find("random_disks_limit" if pattern == RANDOM else "serial_disks_limit")


def delivered(operations: Operations, disk: Row, guide: Guide) -> Quantity:
    """What one disk delivers of such operations, in op/s.

    As measured on the very disk; at random also what it sustains at the advised utilisation. A
    disk that was not measured delivers its rates of the table of disks.
    """
    row = _cost_row(operations, disk, guide)
    own = row is not None and row.text("disk") == disk.id
    measured = row.find("rate_ops_per_s") if row is not None and own else None
    if operations.pattern == RANDOM:
        sustained = disk.find("random_ops_per_s_at_65_percent")
        fastest = measured or disk.figure("maximum_random_ops_per_s")
        return fastest if sustained is None else ambiguous(fastest, smallest(fastest, sustained))
    if operations.layer == "raw" and operations.operation == "read":
        measured = disk.find("sequential_raw_8kb_reads_per_s") or measured
    if measured is not None:
        return measured
    return disk.figure("transfer_mb_per_s").to("KB/s") / operations.block_kb


def cost_ms(operations: Operations, disk: Row, system: System, guide: Guide) -> Quantity | None:
    """Processor time of one operation on this system, in ms/op; None where nobody measured it.

    Measured on another machine it goes by the ratio of their speeds. What a disk costs hangs on
    its interface: a disk that was not measured costs what another one there does, and where no
    such operation was measured there, what it costs on another interface and so much more.
    """
    row, more = _cost_row(operations, disk, guide), None
    if row is None:
        row, more = _other_interface(operations, disk, guide)
    if row is None:
        return None
    cost = row.figure("cost_ms_per_op") * speed_ratio(guide, row.text("measured_on"), system)
    return cost if more is None else cost * (as_quantity(1) + more.to(PURE))


def _other_interface(
    operations: Operations, disk: Row, guide: Guide
) -> tuple[Row | None, Quantity | None]:
    for over in guide.tables.get("disk-interface-overheads", ()):
        more = over.find("more_percent")
        if over.text("interface") == disk.text("interface") and more is not None:
            row = _cost_row(operations, disk, guide, over.text("over"))
            if row is not None:
                return row, more
    return None, None


def _cost_row(operations: Operations, disk: Row, guide: Guide, interface: str = "") -> Row | None:
    """The row of the very disk or of one with its interface, of the nearest kind of operation."""
    wanted = operations.operation
    kinds = (wanted, *(k for k in _WRITING if k != wanted)) if wanted in _WRITING else (wanted,)
    interface = interface or disk.text("interface")
    if "disk-operation-costs" not in guide.tables:
        return None
    rows = guide.table("disk-operation-costs").by("layer", "pattern", "operation")
    for kind in kinds:
        alike = [
            row for row in rows.get((operations.layer, operations.pattern, kind), ())
            if guide.row("disks", row.text("disk")).text("interface") == interface
        ]  # fmt: skip
        if alike:
            return min(alike, key=lambda row: row.text("disk") != disk.id)
    return None


def work_lines(works: tuple[Going, ...], system: System, guide: Guide) -> Known:
    """Kernel time of work on disks, with what a volume manager adds, in ms/s.

    None where the cost of some of it is not known.
    """
    lines = []
    for work in works:
        operations = work.operations
        cost = _mean_cost(work, system, guide)
        if cost is None:
            return None
        added = overhead_of(work.volume, operations, work.disks, system, guide)
        lines.append(time_line(work, cost, added))
    return tuple(lines)


def time_line(work: Going, cost: Quantity, added: Quantity | None = None) -> Item:
    """Kernel time of work at so many ms/op, and at the share that a volume manager adds."""
    time = work.rate * cost
    if added is not None:
        time = time * (as_quantity(1) + added)
    title = work.operations.title
    return Item(title, time.named(f"{title}: time"), work.operations.service)


def operation_ms(
    operations: Operations, volume: Volume, system: System, guide: Guide
) -> Quantity | None:
    """Return the kernel time of one operation in ms/op, with what a volume manager adds."""
    work = Going(
        operations, as_quantity(1, "op/s"), volume, tuple(disk_rows(volume, system, guide))
    )
    cost = _mean_cost(work, system, guide)
    added = overhead_of(volume, operations, work.disks, system, guide)
    return cost if cost is None or added is None else cost * (as_quantity(1) + added)


def _mean_cost(work: Going, system: System, guide: Guide) -> Quantity | None:
    """The cost of an operation, over the disks of the volume."""
    numbers: dict[str, int] = {}
    for disk in work.disks:
        numbers[disk.id] = numbers.get(disk.id, 0) + 1
    parts = []
    for name, number in numbers.items():
        cost = cost_ms(work.operations, guide.row("disks", name), system, guide)
        if cost is None:
            return None
        if len(numbers) == 1:
            return cost
        parts.append(cost * count(number, f"disks {name}"))
    return total(parts, "ms/op") / count(len(work.disks), f"disks of {work.volume.name}")
