"""The load of an existing server at its peak: peaks of different moments are not added.

A range of what was observed is a variation in time: least, mean and greatest of all reports. For
one part its greatest value counts. For a sum of parts it is known only that one part at a time was
at its greatest while the others did at least their least, and what all did in the mean. The larger
of both is the load at the peak.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sizewright.configuration.model import System
from sizewright.demand.model import Known, LineItem
from sizewright.demand.usage import UsageProfile
from sizewright.guide.model import Guide
from sizewright.load.measured import Measured, derive_measured
from sizewright.load.model import Load, Share
from sizewright.load.storage import bus_lines
from sizewright.quantity import Quantity, at_end, leaves, with_leaves

# How a value that was observed is named: by its path in the box file.
_OBSERVED = "observed."


def derive_peak(measured: Measured, usage: UsageProfile, system: System, guide: Guide) -> Load:
    """Return the load of an existing server, with each sum of parts at its peak."""
    if not any(map(_varies, _all_lines(measured))):
        return derive_measured(measured, usage, system, guide)
    least, mean, greatest = (
        derive_measured(_at_end(measured, end), usage, system, guide)
        for end in ("low", "likely", "high")
    )
    channels = _peaks(least.channels, mean.channels, greatest.channels)
    busses = {} if not greatest.busses else bus_lines(system, guide, channels)
    return greatest._replace(
        processors=peak(least.processors, mean.processors, greatest.processors),
        channels=channels,
        busses=_peaks(least.busses, mean.busses, busses),
        active=_shares(least.active, mean.active, greatest.active),
        bus_time=_shares(least.bus_time, mean.bus_time, greatest.bus_time),
    )


def peak(least: Known, mean: Known, greatest: Known) -> Known:
    """Return lines at the moment of their largest sum, from their values at all moments.

    That is one line at its greatest and the others at their least, or all at their mean.
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
    return max(mean, alone, key=_sum)


def _sum(lines: Iterable[LineItem]) -> float:
    return sum(line.figure.high for line in lines)


def _peaks(
    least: Mapping[str, Known], mean: Mapping[str, Known], greatest: Mapping[str, Any]
) -> dict[str, Any]:
    return {name: peak(least[name], mean[name], lines) for name, lines in greatest.items()}


def _shares(
    least: Mapping[str, Share], mean: Mapping[str, Share], greatest: Mapping[str, Share]
) -> dict[str, Share]:
    return {
        name: share._replace(lines=peak(least[name].lines, mean[name].lines, share.lines))
        for name, share in greatest.items()
    }


def _all_lines(measured: Measured) -> list[LineItem]:
    single = (measured.kernel_lock, measured.processors)
    parts = (measured.disks, measured.channels, measured.networks, measured.data)
    several = [lines for each in parts for lines in each.values()]
    return [line for lines in (*single, *several) for line in lines or ()]


def is_observed(line: LineItem) -> bool:
    """Return whether a line follows from what was measured."""
    return any(leaf.name.startswith(_OBSERVED) for leaf in leaves(line.figure))


def _varies(line: LineItem) -> bool:
    return any(map(_is_range, leaves(line.figure)))


def _is_range(leaf: Quantity) -> bool:
    return leaf.name.startswith(_OBSERVED) and leaf.low < leaf.high


def _at_end(measured: Measured, end: str) -> Measured:
    """Return what was measured with the same end of each observed range."""

    def of(lines: Known) -> Known:
        return lines and tuple(
            line._replace(figure=_figure_at(line.figure, end)) if _varies(line) else line
            for line in lines
        )

    def of_all(parts: Mapping[str, Any]) -> dict[str, Any]:
        return {name: of(lines) for name, lines in parts.items()}

    return measured._replace(
        kernel_lock=of(measured.kernel_lock), processors=of(measured.processors),
        disks=of_all(measured.disks), channels=of_all(measured.channels),
        networks=of_all(measured.networks), data=of_all(measured.data),
    )  # fmt: skip


def _figure_at(figure: Quantity, end: str) -> Quantity:
    """Return a figure at one end of what was observed. The work is least if idle time is most."""

    def at(which: str) -> Quantity:
        return with_leaves(figure, lambda leaf: at_end(leaf, which) if _is_range(leaf) else leaf)

    low, high = sorted((at("low"), at("high")), key=lambda each: each.high)
    return {"low": low, "likely": at("likely"), "high": high}[end]
