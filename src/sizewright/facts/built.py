"""An existing server by its file: what devices are made for, how evenly they are spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sizewright.configuration.model import AsBuilt, Board, Device, System
from sizewright.demand.model import Known
from sizewright.guide.model import Guide, Row
from sizewright.load.model import Load
from sizewright.quantity import Quantity, count, total

BUS_KINDS = "disk-busses"


class Built(NamedTuple):
    """An existing server under its load, with what only its file states of its parts."""

    system: System
    load: Load
    shown: AsBuilt
    guide: Guide

    def row(self, part: Board | Device) -> Row:
        """Return the row of a board's or a device's model."""
        return self.guide.row(part.table, part.model)

    def made_for(self, device: Device) -> Row | None:
        """Return the fastest bus that a device is made for; None if it may be one of several."""
        known = self.row(device).list("disk_busses")
        kind = self.shown.bus_kinds.get(device.id) or (known[0] if len(known) == 1 else "")
        return self.guide.row(BUS_KINDS, kind) if kind else None

    def are_alike(self, disks: Sequence[Device]) -> bool | None:
        """Return whether disks are of one model and made for one bus; None if unknown."""
        rows = [self.made_for(disk) for disk in disks]
        kinds = {row.id for row in rows if row is not None}
        if len({disk.model for disk in disks}) > 1 or len(kinds) > 1:
            return False
        return None if kinds and None in rows else True


def spread_of(numbers: Sequence[int], busses: int) -> tuple[Quantity | None, Quantity | None]:
    """Return the disks on the fullest and on the emptiest of some busses; None if unknown.

    Busses without a number are empty.
    """
    if busses < 1 or not numbers:
        return None, None
    filled = [*numbers, *[0] * (busses - len(numbers))]
    return (
        count(max(filled), "disks on the fullest bus", "disk"),
        count(min(filled), "disks on the emptiest bus", "disk"),
    )


def moved_by(lines: Known, parts: Sequence[str]) -> dict[str, Quantity] | None:
    """Return what each part moves in KB/s; None if a line is of none of them."""
    if lines is None or any(line.name not in parts for line in lines):
        return None
    found = {part: [line.figure for line in lines if line.name == part] for part in parts}
    return {part: total(figures, "KB/s") for part, figures in found.items()}


def movable(busses: Sequence[Mapping[str, Quantity] | None]) -> Quantity | None:
    """Return by how much moving one part to the least busy bus relieves the busiest, in KB/s.

    By likely values. It is 0 if every move makes another bus the busiest; None if there is one bus,
    or if what a bus moves is unknown.
    """
    known = [bus for bus in busses if bus is not None]
    if len(busses) < 2 or len(known) < len(busses):
        return None
    loads = [sum(figure.likely for figure in bus.values()) for bus in known]
    order = sorted(range(len(known)), key=loads.__getitem__)
    least, most = order[0], order[-1]
    # With more than two busses the next busiest stays as it is.
    rest = loads[order[-2]] if len(known) > 2 else 0.0
    spared = [
        loads[most] - max(loads[most] - figure.likely, loads[least] + figure.likely, rest)
        for figure in known[most].values()
    ]
    return count(max(0.0, *spared) if spared else 0.0, "spared by moving one part", "KB/s")
