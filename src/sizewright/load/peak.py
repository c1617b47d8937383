"""The load of an existing server at its peak: peaks of different moments are not added.

What varies in time was observed in single reports, or is a range of their least, mean and greatest
values. The load of one part is its greatest value. A sum of parts is the largest that they have at
one moment. Of ranges alone it is known only that one part at a time was at its greatest while the
others did at least their least, and what all did in the mean; the larger of both counts.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from sizewright.configuration.model import System
from sizewright.demand.model import Known, LineItem
from sizewright.demand.usage import UsageProfile
from sizewright.guide.model import Guide
from sizewright.load.measured import Measured, derive_measured
from sizewright.load.model import Load
from sizewright.quantity import Quantity, at_end, leaves, with_leaves

# How a value that was observed is named: by its path in the box file, and its time if known.
_OBSERVED = "observed."
AT = " at "

# Values of the same time, by the names of those that they replace.
Moment = Mapping[str, Quantity]


def derive_peak(
    measured: Measured, usage: UsageProfile, system: System, guide: Guide,
    moments: Sequence[Moment] = (),
) -> Load:  # fmt: skip
    """Return the load of an existing server, with each sum of parts at its peak."""
    if not any(map(_varies, _all_lines(measured))):
        return derive_measured(measured, usage, system, guide)
    ends = (partial(at_end, end=end) for end in ("low", "likely", "high"))
    changes = (*ends, *(partial(_at_moment, moment) for moment in moments))
    loads = [
        derive_measured(_replaced(measured, each), usage, system, guide) for each in changes
    ]  # fmt: skip
    greatest = loads[2]
    found: dict[str, Any] = {"processors": peak(*(load.processors for load in loads))}
    for name in ("disks", "channels", "busses"):
        found[name] = {
            part: peak(*(getattr(load, name).get(part) for load in loads))
            for part in getattr(greatest, name)
        }
    for name in ("active", "bus_time"):
        found[name] = {
            part: share._replace(lines=peak(*(getattr(load, name)[part].lines for load in loads)))
            for part, share in getattr(greatest, name).items()
        }
    return greatest._replace(**found)


def derive_busiest(
    measured: Measured, usage: UsageProfile, system: System, guide: Guide,
    moments: Sequence[Moment] = (),
) -> Load:  # fmt: skip
    """Return the load at the moment with most operations on all disks; else at its peak."""
    loads = [
        derive_measured(_replaced(measured, partial(_at_moment, moment)), usage, system, guide)
        for moment in moments
    ]  # fmt: skip
    if not loads:
        return derive_peak(measured, usage, system, guide)
    return max(loads, key=lambda load: sum(_sum(lines or ()) for lines in load.disks.values()))


def _at_moment(moment: Moment, leaf: Quantity) -> Quantity:
    return moment.get(leaf.name.partition(AT)[0]) or at_end(leaf, "likely")


def peak(least: Known, mean: Known, greatest: Known, *moments: Known) -> Known:
    """Return lines at the moment of their largest sum, from their values at all moments.

    That is one line at its greatest and the others at their least, or all at their mean, or at one
    of the moments that are known.
    """
    if least is None or mean is None or not greatest or len(greatest) == 1:
        return greatest
    low = {line.name: line for line in least}
    # What does nothing at its least has no line.
    most = max(greatest, key=lambda line: _sum((line,)) - _sum(filter(None, [low.get(line.name)])))
    alone = tuple(
        line if line is most else low[line.name]
        for line in greatest if line is most or line.name in low
    )  # fmt: skip
    return max(*filter(None, moments), mean, alone, key=_sum)


def _sum(lines: Iterable[LineItem]) -> float:
    return sum(line.figure.high for line in lines)


def _all_lines(measured: Measured) -> list[LineItem]:
    single = (measured.kernel_lock, measured.processors)
    parts = (measured.disks, measured.channels, measured.moved, measured.networks, measured.data)
    several = [lines for each in parts for lines in each.values()]
    return [line for lines in (*single, *several) for line in lines or ()]


def is_observed(line: LineItem) -> bool:
    """Return whether a line follows from what was measured."""
    return any(map(is_observed_value, leaves(line.figure)))


def is_observed_value(leaf: Quantity) -> bool:
    """Return whether a value was measured."""
    return leaf.name.startswith(_OBSERVED)


def _varies(line: LineItem) -> bool:
    return any(map(_is_range, leaves(line.figure)))


def _is_range(leaf: Quantity) -> bool:
    return is_observed_value(leaf) and leaf.low < leaf.high


def _replaced(measured: Measured, change: Callable[[Quantity], Quantity]) -> Measured:
    """Return what was measured with each observed range replaced."""

    def at(leaf: Quantity) -> Quantity:
        return change(leaf) if _is_range(leaf) else leaf

    def of(lines: Known) -> Known:
        return lines and tuple(
            line._replace(figure=with_leaves(line.figure, at)) if _varies(line) else line
            for line in lines
        )

    def of_all(parts: Mapping[str, Any]) -> dict[str, Any]:
        return {name: of(lines) for name, lines in parts.items()}

    return measured._replace(
        kernel_lock=of(measured.kernel_lock), processors=of(measured.processors),
        disks=of_all(measured.disks), channels=of_all(measured.channels),
        moved=of_all(measured.moved),
        networks=of_all(measured.networks), data=of_all(measured.data),
    )  # fmt: skip
