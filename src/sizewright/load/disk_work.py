"""Work that the server does on its own disks: its operations, and their kernel time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sizewright import units
from sizewright.configuration.model import System, Volume
from sizewright.demand.model import Demand, Known, LineItem, Operations, VolumeDemand
from sizewright.guide.model import Guide, Row
from sizewright.load.processors import speed_ratio
from sizewright.quantity import Quantity, ambiguous, as_quantity, count, total
from sizewright.units import PURE

_TABLE = "volume-manager-overheads"


def joined_by(volume: Volume, need: VolumeDemand, manager: str, guide: Guide) -> Volume:
    """Return the volume with who joins or mirrors its disks, if anybody has to (1.2.6, 2.11).

    A database manager that mirrors does so itself; raw partitions are spread by the program that
    uses them, and swap space is used on several disks as they are. All else is for the `manager`,
    which joins by stripes (2.11.3).
    """
    owner = guide.tables["database-systems"].rows.get(need.database) if need.database else None
    own_mirror = owner is not None and owner.flag("mirrors_itself")
    layers = {work.layer for work in need.work}
    raw = need.use in ("raw", "log") or (owner is not None and layers == {"raw"})
    mirrored = len(volume.copies) > 1 and not own_mirror
    several = any(len(copy) > 1 for copy in volume.copies)
    joined = several and need.use != "swap" and not raw
    if not manager or not (mirrored or joined):
        return volume
    return volume._replace(manager=manager, layout="stripe" if joined else "")


def overhead_of(
    volume: Volume, operations: Operations, disks: tuple[Row, ...], system: System, guide: Guide
) -> Quantity | None:
    """The share that a volume's manager adds to the cost of an operation; None where none does."""
    kind = "read" if operations.operation == "read" else "write"
    return overhead(volume, f"{operations.pattern}_{kind}_percent", disks, system, guide)


def overhead(
    volume: Volume, column: str, disks: tuple[Row, ...], system: System, guide: Guide
) -> Quantity | None:
    """The overheads of a volume's layouts together, each by the table and by the text.

    Each layout's share is of the plain operation, so that they add up. The table and the text
    differ; where both speak, both are ends of the figure, and the table's is preferred.
    """
    product = volume.manager and guide.row("software", volume.manager)
    if not product or product.text("kind") != "volume_manager":
        return None
    found: Quantity | None = None
    for option, told in _options(volume):
        share = _share(option, told, column, disks, system, guide, product)
        if share is not None:
            found = share if found is None else found + share
    return found


def _options(volume: Volume) -> Iterator[tuple[str, str]]:
    """Options of the table, each with the column of the product that tells of the same."""
    if len(volume.copies) > 1:
        yield "mirrored_geometric", "mirroring_cpu_overhead_percent"
    if volume.layout == "stripe":
        yield "striped_8kb", "striping_cpu_overhead_percent"
    elif volume.layout == "concatenation":
        yield "concatenated", ""


def _share(
    option: str, told: str, column: str, disks: tuple[Row, ...], system: System, guide: Guide,
    product: Row,
) -> Quantity | None:  # fmt: skip
    interfaces = {disk.text("interface") for disk in disks}
    rows = [
        row for row in guide.tables.get(_TABLE, ())
        if row.text("option") == option and system.platform in row.list("platforms")
        and row.text("disk_interface") in interfaces
    ]  # fmt: skip
    text = product.find(told) if told else None
    text = text.to(units.PURE) if text is not None else None
    if not rows:
        return text
    share = rows[0].figure(column).to(units.PURE)
    return share if text is None else ambiguous(share, text)


_WRITING = ("update", "write")


class ActiveWork(NamedTuple):
    """Operations on a system: their demanded rate in op/s, and the disks of their volume."""

    operations: Operations
    rate: Quantity
    volume: Volume
    disks: tuple[Row, ...]


def work_rates(
    demand: Demand, system: System, guide: Guide, low: bool = False
) -> tuple[ActiveWork, ...]:
    """Return each piece of work with a demand, at the demanded rate; `low` work apart."""
    laid = {volume.name: volume for volume in system.volumes}
    found = []
    for operations in demand.operations:
        volume = laid.get(operations.volume)
        if volume is None or operations.low is not low or operations.ops is None:
            continue
        disks = tuple(disk_rows(volume, system, guide))
        found.append(ActiveWork(operations, operations.ops, volume, disks))
    return tuple(found)


def disk_rows(volume: Volume, system: System, guide: Guide) -> Iterator[Row]:
    """The row of each disk that a volume lies on, in order of their ids."""
    models = {d.id: d.model for d in system.devices() if d.kind == "disk"}
    for disk in sorted(volume.disks):
        yield guide.row("disks", models[disk])


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


def work_lines(works: tuple[ActiveWork, ...], system: System, guide: Guide) -> Known:
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


def time_line(work: ActiveWork, cost: Quantity, added: Quantity | None = None) -> LineItem:
    """Kernel time of work at so many ms/op, and at the share that a volume manager adds."""
    time = work.rate * cost
    if added is not None:
        time = time * (as_quantity(1) + added)
    title = work.operations.title
    return LineItem(title, time.named(f"{title}: time"), work.operations.service)


def operation_ms(
    operations: Operations, volume: Volume, system: System, guide: Guide
) -> Quantity | None:
    """Return the kernel time of one operation in ms/op, with what a volume manager adds."""
    work = ActiveWork(
        operations, as_quantity(1, "op/s"), volume, tuple(disk_rows(volume, system, guide))
    )
    cost = _mean_cost(work, system, guide)
    added = overhead_of(volume, operations, work.disks, system, guide)
    return cost if cost is None or added is None else cost * (as_quantity(1) + added)


def _mean_cost(work: ActiveWork, system: System, guide: Guide) -> Quantity | None:
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
