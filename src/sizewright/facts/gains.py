"""What joining disks gains in operations, as the guide measured it on a platform and its disks."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright import units
from sizewright.configuration.model import System, Volume
from sizewright.guide.model import Guide, Row
from sizewright.quantity import Quantity, ambiguous

_STRIPED = "striped"


def mirror_gain(
    system: System, volume: Volume, access: str | None, guide: Guide
) -> Quantity | None:
    """What mirroring gains, from reads to writes; None without a mirror or a measurement."""
    if len(volume.copies) < 2:
        return None
    disks = _disks(system, volume, guide)
    rows = _measured("mirroring-effects", system, disks, guide)
    changes = (_change(row, access) for row in rows)
    return next((change for change in changes if change is not None), None)


def stripe_gain(
    system: System, volume: Volume, access: str | None, guide: Guide
) -> Quantity | None:
    """What striping gains, from reads to writes; None without disks to join or a measurement.

    A volume that is joined in another way is told what it would gain.
    """
    if not any(len({part.disk for part in copy}) > 1 for copy in volume.copies):
        return None
    disks = _disks(system, volume, guide)
    for row in _measured("striping-effects", system, disks, guide):
        measured = row.text("disk")
        if row.text("layout") == _STRIPED and all(_is(d, measured) for d in disks):
            return _change(row, access)
    return None


def _disks(system: System, volume: Volume, guide: Guide) -> list[Row]:
    used = volume.disks
    return [guide.row(d.table, d.model) for d in system.devices() if d.id in used]


def _measured(table: str, system: System, disks: list[Row], guide: Guide) -> Iterator[Row]:
    """The rows of a table that speak of the platform, and of the one interface of all disks."""
    kinds = {disk.text("interface") for disk in disks}
    if table in guide.tables:
        for row in guide.table(table):
            if system.platform in row.list("platforms") and kinds == {row.text("disk_interface")}:
                yield row


def _is(disk: Row, measured: str) -> bool:
    """Whether a disk is the one of the measurements; any is where none is named.

    Tables name it as people do, by name and interface.
    """
    own = f"{disk.text('name')} {disk.text('interface')}"
    return not measured or measured.casefold() == own.casefold()


def _change(row: Row, access: str | None) -> Quantity | None:
    if access is None:
        return None
    pattern = "random" if access == "random" else "sequential"
    reads, writes = row.find(f"{pattern}_read_percent"), row.find(f"{pattern}_write_percent")
    if reads is None or writes is None:
        return None
    return ambiguous(reads.to(units.PURE), writes.to(units.PURE))
