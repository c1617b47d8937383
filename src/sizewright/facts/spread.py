"""How evenly disks and their transfers are spread over busses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sizewright.configuration.model import Device
from sizewright.configuration.shown import Shown
from sizewright.facts.chain import made_for
from sizewright.guide.model import Guide
from sizewright.load.model import Known
from sizewright.quantity import Quantity, count, total


class Spread(NamedTuple):
    """Disks on the bus that has most, and on the one that has fewest."""

    most: Quantity
    fewest: Quantity


def spread_of(numbers: Sequence[int], busses: int) -> Spread | None:
    """The spread over so many busses, of which those that are not told of are empty."""
    if busses < 1 or not numbers:
        return None
    filled = [*numbers, *[0] * (busses - len(numbers))]
    return Spread(
        count(max(filled), "disks on the fullest bus", "disk"),
        count(min(filled), "disks on the emptiest bus", "disk"),
    )


def alike(devices: Sequence[Device], shown: Shown, guide: Guide) -> bool | None:
    """Whether disks are of one model, and made for one bus; None where that is not told."""
    if len({device.model for device in devices}) > 1:
        return False
    rows = [made_for(device, shown, guide) for device in devices]
    kinds = {row.id for row in rows if row is not None}
    if len(kinds) > 1:
        return False
    return None if kinds and None in rows else True


def moved_by(lines: Known, parts: Sequence[str]) -> dict[str, Quantity] | None:
    """What each of some parts moves, by the lines of a bus; None where the lines do not say."""
    if lines is None or any(line.name not in parts for line in lines):
        return None
    found = {part: [line.figure for line in lines if line.name == part] for part in parts}
    return {part: total(figures, "KB/s") for part, figures in found.items()}


def movable(busses: Sequence[Mapping[str, Quantity]]) -> Quantity | None:
    """By how much the busiest bus is spared where one of its parts moves to the least busy one.

    Told by the likely values; nothing where every move would only make another bus the busiest.
    """
    if len(busses) < 2:
        return None
    loads = [sum(figure.likely for figure in bus.values()) for bus in busses]
    order = sorted(range(len(busses)), key=loads.__getitem__)
    least, most = order[0], order[-1]
    # With more busses than two the next busiest stays as it is.
    rest = loads[order[-2]] if len(busses) > 2 else 0.0
    spared = [
        loads[most] - max(loads[most] - figure.likely, loads[least] + figure.likely, rest)
        for figure in busses[most].values()
    ]
    return count(max(0.0, *spared) if spared else 0.0, "spared by moving one part", "KB/s")
