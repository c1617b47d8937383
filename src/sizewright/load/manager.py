"""What software that joins disks costs the processors on top of the operations themselves."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright import units
from sizewright.configuration.model import System, Volume
from sizewright.demand.model import Operations, VolumeDemand
from sizewright.guide.model import Guide, Row
from sizewright.quantity import Quantity, ambiguous

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
