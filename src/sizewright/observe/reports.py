"""From reports to the figures of a box file: sums, units, and the range over the reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sizewright.observe.formats import Formats, Reading, Report
from sizewright.observe.yamltext import tidy
from sizewright.units import PERCENT, factor

Observed = dict[str, Any]


class Observation(NamedTuple):
    """What a machine was seen to do: the `observed` of a box file, and what to know about it."""

    observed: Observed
    notes: tuple[str, ...]


def observation(
    reading: Reading, known: Formats, keep_first: bool = False, page_kb: float | None = None
) -> Observation:
    """Sum up reports; where there are several, each figure is [least, mean, greatest].

    An average since boot is left out where other reports follow it, unless `keep_first` tells that
    the first report is no such average. `page_kb` is the size of a page of memory.
    """
    notes = list(reading.notes)
    reports = list(reading.reports)
    if reading.first_since_boot and not keep_first:
        if len(reports) > 1:
            del reports[0]
            notes.append("the first report is an average since boot and was left out")
        else:
            notes.append("the only report is an average since boot, which hides the busy hours")
    values: dict[tuple[str, ...], list[float]] = {}
    unpaged: set[str] = set()
    for report in reports:
        for path, value in _figures(report, known, page_kb, unpaged):
            values.setdefault(path, []).append(value)
    if unpaged:
        names = " and ".join(sorted(unpaged))
        notes.append(f"{names}: printed in KB; --page-kb, the size of a page, makes pages of them")
    # Reports without paging need no page size; of the others they would tell half the truth.
    kept = {path: found for path, found in values.items() if path[-1] not in unpaged}
    return Observation(_nested((path, _range(v)) for path, v in kept.items()), tuple(notes))


def _figures(
    report: Report, known: Formats, page_kb: float | None, unpaged: set[str]
) -> Iterable[tuple[tuple[str, ...], float]]:
    pages = known.data["in_pages"]
    for (about, who), columns in report.cells.items():
        for kind in about.split("+"):
            for name, ways in known.data["figures"].get(kind, {}).items():
                way = next((w for w in ways if all(c in columns for c in w["sum"])), None)
                value = None if way is None else _value(way, columns, name)
                if way is None or value is None:
                    continue
                if name in pages and "unit" in way and value:
                    if page_kb is None:
                        unpaged.add(name)
                        continue
                    value /= page_kb
                yield ((kind, who, name) if who else (kind, name)), value


def _value(way: Mapping[str, Any], columns: Mapping[str, float], name: str) -> float | None:
    value: float = sum(columns[column] for column in way["sum"]) * float(way.get("times", 1))
    if "share_of" in way:
        whole = columns.get(way["share_of"], 0)
        return value / whole * PERCENT if whole else None
    if "unit" in way:
        return value * factor(way["unit"], "KB/s")
    return value


def _range(values: list[float]) -> float | list[float]:
    least, greatest = min(values), max(values)
    if least == greatest:
        return tidy(least)
    # Summing equal numbers may come out a trifle beside them; the mean never does.
    mean = min(max(sum(values) / len(values), least), greatest)
    return [tidy(least), tidy(mean), tidy(greatest)]


def _nested(figures: Iterable[tuple[tuple[str, ...], Any]]) -> Observed:
    observed: Observed = {}
    for path, value in figures:
        inner = observed
        for step in path[:-1]:
            inner = inner.setdefault(step, {})
        inner[path[-1]] = value
    return observed
