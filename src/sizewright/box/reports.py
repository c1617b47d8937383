"""Reports of tools, one by one: what was observed in the busiest hour, and at each moment."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from sizewright.box.observations import REPORTED, Observations, Report
from sizewright.load.measured import AT, Moment
from sizewright.quantity import Quantity
from sizewright.schema.model import SourcedModel

# The subject, its name if there are several, and the value.
Path = tuple[str, ...]
Series = Mapping[Path, Sequence[Quantity | None]]


class _Window(NamedTuple):
    """A time from one second to another after the first report."""

    start: float
    end: float


def over_time(seen: Observations, busiest_s: float) -> tuple[Observations, tuple[Moment, ...]]:
    """Return observations with the least, the mean and the greatest value of all reports.

    The greatest is the time-weighted mean of the busiest `busiest_s` seconds one after another. If
    a report does not state its length, each report counts by itself. The moments are all that can
    be the busiest time of a sum: of each, the values of the same time.
    """
    found: dict[Path, Quantity] = {}
    moments: list[Moment] = []
    # What several tools report is taken from the last one.
    for reports in reversed(seen.reports.values()):
        ordered = reports
        if all(report.at is not None for report in reports):
            ordered = tuple(sorted(reports, key=lambda report: str(report.at)))
        series = {path: v for path, v in _series(ordered).items() if path not in found}
        lengths = _lengths(ordered)
        times = (0.0, *accumulate(lengths or [1.0] * len(ordered)))
        windows = list(_windows(times, busiest_s if lengths else 0))
        each = [dict(_means(series, times, window, ordered)) for window in windows]
        for path, values in series.items():
            most = max((at[path] for at in each if path in at), key=lambda figure: figure.high)
            known = [value for value in values if value is not None]
            whole = _mean(values, times, _Window(0, times[-1]))
            likely = min(most.high, whole if whole is not None else most.high)
            least = min(likely, *(value.low for value in known))
            found[path] = Quantity(
                least, likely, most.high, most.unit, name=most.name, source=most.source
            )
        moments += _undominated(each)
    return _filled(seen, found), tuple(moments)


def _series(reports: Sequence[Report]) -> Series:
    """Return the values of all reports by their paths; None where a report has none."""
    found: dict[Path, list[Quantity | None]] = {}
    for number, report in enumerate(reports):
        for path, figure in _figures(report, ()):
            found.setdefault(path, [None] * len(reports))[number] = figure
    return found


def _figures(model: SourcedModel, path: Path) -> Iterator[tuple[Path, Quantity]]:
    for name, value in model:
        parts = value.items() if isinstance(value, dict) and name in REPORTED else [("", value)]
        for who, part in parts:
            here = (*path, name, who) if who else (*path, name)
            if isinstance(part, SourcedModel):
                yield from _figures(part, here)
            elif isinstance(part, Quantity) and path:
                yield here, part


def _lengths(reports: Sequence[Report]) -> list[float]:
    """Return the seconds of each report; empty if one of them does not state its own."""
    stated = [report.seconds.likely for report in reports if report.seconds is not None]
    return stated if len(stated) == len(reports) else []


def _windows(times: Sequence[float], length: float) -> Iterator[_Window]:
    """Yield every window of a length that starts or ends with a report; without one, each report.

    A mean over time is greatest in one of these.
    """
    if not length:
        yield from map(_Window, times, times[1:])
    elif times[-1] <= length:
        yield _Window(0, times[-1])
    else:
        starts = {time for time in times if time + length <= times[-1]}
        starts |= {time - length for time in times if time >= length}
        yield from (_Window(start, start + length) for start in sorted(starts))


def _means(
    series: Series, times: Sequence[float], window: _Window, reports: Sequence[Report]
) -> Iterator[tuple[Path, Quantity]]:
    """Yield the means of a window, named by its time."""
    first = bisect_right(times, window.start) - 1
    last = max(first, bisect_right(times, window.end) - 1)
    last = last - 1 if times[last] >= window.end and last > first else last
    label = reports[first].at or f"report {first + 1}"
    if last > first:
        label = f"{label} to {reports[last].at or f'report {last + 1}'}"
    for path, values in series.items():
        mean = _mean(values, times, window)
        known = [value for value in values[first : last + 1] if value is not None]
        if mean is None or not known:
            continue
        most = max(known, key=lambda figure: figure.high)
        name = f"observed.{'.'.join(path)}{AT}{label}"
        yield path, Quantity(mean, mean, mean, most.unit, name=name, source=most.source)


def _mean(
    values: Sequence[Quantity | None], times: Sequence[float], window: _Window
) -> float | None:
    """Return the mean of a window, of the time for which there are values; None if there is none.

    A range that was stated for one report counts with its high value.
    """
    whole = known = 0.0
    first = bisect_right(times, window.start) - 1
    for start, end, value in zip(
        times[first:], times[first + 1 :], values[first:], strict=False
    ):  # fmt: skip
        if start >= window.end:
            break
        seconds = min(end, window.end) - max(start, window.start)
        if value is not None:
            if seconds == window.end - window.start:
                return value.high
            whole, known = whole + seconds * value.high, known + seconds
    return whole / known if known else None


def _undominated(each: Sequence[Mapping[Path, Quantity]]) -> list[Moment]:
    """Return moments without those at which nothing does more than at another one."""
    kept: list[dict[Path, float]] = []
    moments: list[Moment] = []
    for at in sorted(each, key=lambda one: -sum(figure.high for figure in one.values())):
        values = {path: figure.high for path, figure in at.items() if path[-1] in _OF_WORK}
        if not any(_is_below(values, other) for other in kept):
            kept.append(values)
            moments.append({figure.name.partition(AT)[0]: figure for figure in at.values()})
    return moments


# Values that add up to the load of a part, or may be moved to another one as busy time may; waiting
# and paging do not.
_OF_WORK = frozenset(
    ("user_percent", "system_percent", "spin_percent", "ops_per_s", "reads_per_s", "writes_per_s",
     "kb_per_s", "read_kb_per_s", "write_kb_per_s", "data_kb_per_s", "busy_percent",
     "utilisation_percent")
)  # fmt: skip


def _is_below(values: Mapping[Path, float], other: Mapping[Path, float]) -> bool:
    return values.keys() <= other.keys() and all(v <= other[path] for path, v in values.items())


def _filled(seen: Observations, found: Mapping[Path, Quantity]) -> Observations:
    """Return observations with values by their paths, in place of those that are stated."""
    changes: dict[str, SourcedModel | dict[str, SourcedModel]] = {}
    for path, figure in found.items():
        subject, *who, name = path
        old = changes.get(subject, getattr(seen, subject))
        if who:
            old = dict(old or {})
            old[who[0]] = (old.get(who[0]) or REPORTED[subject]()).replace(**{name: figure})
            changes[subject] = old
        else:
            changes[subject] = (old or REPORTED[subject]()).replace(**{name: figure})
    return seen.replace(**changes)
