"""Reports of iostat, vmstat and sadf, in columns, sentences or JSON, as values of a box file."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Never

from sizewright.errors import Diagnostic, ErrorList, Location, refusal, shown
from sizewright.importers.formats import (
    ColumnHeader,
    Formats,
    Text,
    column_headers,
    is_json,
    pattern,
    suggest_command,
    tidy,
    wrong_tool,
)
from sizewright.limits import DIGITS_AT_MOST, QUANTITY_AT_MOST
from sizewright.units import PERCENT, factor

Observed = dict[str, Any]
# The key of reports one by one, by the tool that printed them.
REPORTS = "reports"


class Observation(NamedTuple):
    """The `observed` block of a box file, and notes on it."""

    observed: Observed
    notes: tuple[str, ...]


class Report(NamedTuple):
    """One report: its columns by subject, and when it was printed.

    Without `seconds`, its length is not stated.
    """

    cells: Mapping[tuple[str, str], Mapping[str, float]]
    time: str
    seconds: float | None = None


class Reading(NamedTuple):
    """The reports of an output in their order, and notes on them.

    `first_since_boot`: the first report is an average since the machine started.
    """

    reports: tuple[Report, ...]
    first_since_boot: bool
    notes: tuple[str, ...] = ()


def read_observation(
    text: Text, tool: str, known: Formats, keep_first: bool = False, page_kb: float | None = None,
    seconds: float | None = None,
) -> Observation:  # fmt: skip
    """Read reports: the values of a single one, or all reports of a tool one by one.

    They are in columns, in sentences or in JSON; raises InputError. An average since boot is
    ignored if other reports follow it, unless `keep_first` says that the first report is not such
    an average. `page_kb` is the size of a page of memory. `seconds` is the length of each report,
    if the reports do not state it.
    """
    if is_json(text):
        reading = _read_json(text, tool, known)
    else:
        in_sentences = _read_prose_counters(text, tool, known)
        if in_sentences is not None:
            return in_sentences
        reading = _read_columns(text, tool, known)
    notes = list(reading.notes)
    reports = list(reading.reports)
    if reading.first_since_boot and not keep_first:
        if len(reports) > 1:
            del reports[0]
            notes.append("the first report is an average since boot and was left out")
        else:
            notes.append("the only report is an average since boot, which hides the busy hours")
    unpaged: set[str] = set()
    each = [list(_figures(report, known, page_kb, unpaged)) for report in reports]
    if unpaged:
        names = " and ".join(sorted(unpaged))
        notes.append(f"{names}: printed in KB; --page-kb, the size of a page, makes pages of them")
    # Without a page size only the values of reports without paging are known, which would mislead.
    found = [
        _nested((path, tidy(value)) for path, value in one if path[-1] not in unpaged)
        for one in each
    ]  # fmt: skip
    if len(found) == 1:
        return Observation(found[0], tuple(notes))
    listed: list[Observed] = []
    for report, values in zip(reports, found, strict=True):
        length = seconds if report.seconds is None else report.seconds
        times: Observed = {"at": report.time} if report.time else {}
        times |= {"seconds": tidy(length)} if length is not None else {}
        listed.append(times | values)
    if any("seconds" not in each for each in listed):
        notes.append("reports count one by one; --seconds, the length of each, forms hourly means")
    return Observation({REPORTS: {str(known.tool(tool)["called"]): listed}}, tuple(notes))


def _figures(
    report: Report, known: Formats, page_kb: float | None, unpaged: set[str]
) -> Iterable[tuple[tuple[str, ...], float]]:
    pages = known.data["in_pages"]
    for (about, who), columns in report.cells.items():
        for kind in about.split("+"):
            for name, ways in known.data["figures"].get(kind, {}).items():
                way = next((w for w in ways if all(c in columns for c in w["sum"])), None)
                value = None if way is None else _value(way, columns)
                if way is None or value is None:
                    continue
                if name in pages and "unit" in way and value:
                    if page_kb is None:
                        unpaged.add(name)
                        continue
                    value /= page_kb
                yield ((kind, who, name) if who else (kind, name)), value


def _value(way: Mapping[str, Any], columns: Mapping[str, float]) -> float | None:
    value: float = sum(columns[column] for column in way["sum"]) * float(way.get("times", 1))
    if "share_of" in way:
        whole = columns.get(way["share_of"], 0)
        return value / whole * PERCENT if whole else None
    if "unit" in way:
        return value * factor(way["unit"], "KB/s")
    return value


def _nested(figures: Iterable[tuple[tuple[str, ...], Any]]) -> Observed:
    observed: Observed = {}
    for path, value in figures:
        inner = observed
        for step in path[:-1]:
            inner = inner.setdefault(step, {})
        inner[path[-1]] = value
    return observed


_NUMBER = re.compile(r"\d+(\.\d*)?|\.\d+", re.ASCII)

Cells = dict[tuple[str, str], dict[str, float]]


def _read_columns(text: Text, tool: str, known: Formats) -> Reading:
    """Read every report of an output.

    Raises InputError if no line is a header, a header has no rows, a row has too few columns, or a
    value is not a number.
    """
    headers = column_headers(text, known.of_tool("formats", tool))
    found = {heading.at: heading for heading in headers}
    if not found:
        raise wrong_tool(text, tool, known)
    skipped = {heading.skip for heading in found.values()}
    faults = ErrorList(Diagnostic(text.place(h.at), h.fault) for h in found.values() if h.fault)
    titles = known.titles()
    reports: list[Report] = []
    notes: dict[str, None] = {}
    heading: ColumnHeader | None = None
    rows, time = 0, ""
    for index, line in enumerate(text.lines):
        time = _time(line, titles) or time
        if index in found:
            faults += _without_rows(text, heading, rows)
            heading, rows = found[index], 0
            continue
        stripped = line.strip()
        if not stripped or index in skipped or any(t.fullmatch(stripped) for t in titles):
            continue
        if heading is None:
            notes[f"line {index + 1} is before any heading and was left out: {stripped}"] = None
            continue
        rows += 1
        if heading.fault:
            continue
        cells = _row(text, index, heading, faults)
        if reports and ((rows > 1 and not heading.each) or _is_another_kind(cells, reports[-1])):
            reports[-1] = reports[-1]._replace(cells={**reports[-1].cells, **cells})
        else:
            reports.append(Report(cells, time))
    faults += _without_rows(text, heading, rows)
    faults.raise_any()
    first = next(iter(found.values())).format
    if first.get("note"):
        notes[str(first["note"])] = None
    return Reading(tuple(reports), bool(first["first_since_boot"]), tuple(notes))


_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


def _time(line: str, titles: Iterable[re.Pattern[str]]) -> str:
    """Return the time that a title states, as YYYY-MM-DD HH:MM:SS; "" if it states none."""
    found = next(filter(None, (title.fullmatch(line.strip()) for title in titles)), None)
    told = found.groupdict() if found else {}
    if told.get("month", "").lower() not in _MONTHS:
        return ""
    month = _MONTHS.index(told["month"].lower()) + 1
    return f"{told['year']}-{month:02}-{int(told['day']):02} {told['time']}"


def _is_another_kind(cells: Cells, report: Report) -> bool:
    """Return whether cells belong to a report that has none of their kind yet.

    A tool may print two kinds of blocks at each moment, such as processors and then disks.
    """
    return not {kind for kind, _ in cells} & {kind for kind, _ in report.cells}


def _without_rows(text: Text, heading: ColumnHeader | None, rows: int) -> list[Diagnostic]:
    if heading is None or rows:
        return []
    return [Diagnostic(text.place(heading.at), "there is no row below this heading", "numbers")]


def _row(text: Text, index: int, heading: ColumnHeader, faults: list[Diagnostic]) -> Cells:
    tokens = text.lines[index].split()
    wanted = len(heading.about)
    if len(tokens) not in (wanted, heading.short):
        what = (
            f"the row has {len(tokens)} columns, its heading (line {heading.at + 1}) has {wanted}"
        )
        hint = "the line is cut off, or two numbers have run together"
        faults.append(Diagnostic(text.place(index), what, hint=hint))
        return {}
    cells: Cells = {}
    name = next((t for t, a in zip(tokens, heading.about, strict=False) if a is None), "")
    for token, about in zip(tokens, heading.about, strict=False):
        if about is None:
            continue
        number = parse_number(token)
        if number is None:
            hint = "LC_ALL=C makes tools print points, not commas" if "," in token else ""
            what = f"{shown(token)} in column {about[1]} is not a number"
            faults.append(Diagnostic(text.place(index), what, "a number of 0 or more", hint))
            continue
        (what, who), column = about
        cells.setdefault((what, who or (name if what == "disks" else "")), {})[column] = number
    return cells


def parse_number(token: str) -> float | None:
    """A number as tools print it, 0 or more; None for other text."""
    if len(token) > DIGITS_AT_MOST or not _NUMBER.fullmatch(token):
        return None
    return float(token)


def _read_json(text: Text, tool: str, known: Formats) -> Reading:
    """Read every report that has a part for this tool.

    Raises InputError if the text is not JSON, has no such report, or a value is not a number.
    """
    described = known.data["json"]
    where = described["reports"]
    found = _loaded(text)
    for step in where:
        if isinstance(found, list):
            if len(found) != 1:
                _refuse(text, f"it describes {len(found)} machines", "one")
            found = found[0]
        found = found.get(step) if isinstance(found, dict) else None
    if not isinstance(found, list) or not found:
        _refuse(text, f"it has no reports at {'.'.join(where)}", "a list of reports")
    faults = ErrorList()
    reports = []
    for number, report in enumerate(found):
        cells: Cells = {}
        for part in described["parts"]:
            if tool in part["tools"]:
                found_here = _cells(text, report, part, f"{where[-1]}[{number}]", faults)
                for about, columns in found_here.items():
                    cells.setdefault(about, {}).update(columns)
        if cells:
            times = [_at(report, steps) for steps in described["at"]]
            time = " ".join(times) if all(isinstance(each, str) for each in times) else ""
            length = _at(report, described["interval"])
            seconds = length if isinstance(length, (int, float)) and length > 0 else None
            reports.append(Report(cells, time, seconds))
    faults.raise_any()
    if not reports:
        others = {
            t for p in described["parts"] for r in found for t in p["tools"] if _at(r, p["at"])
        }
        commands = (known.tool(each)["command"] for each in sorted(others))
        hint = f"it has what these read: {', '.join(commands)}"
        what = f"no report has a part that from-{known.tool(tool)['called']} can read"
        _refuse(text, what, hint=hint if others else "")
    timed = all(_at(report, described["interval"]) is not None for report in found)
    return Reading(tuple(reports), not timed)


def _loaded(text: Text) -> Any:
    def no_number(name: str) -> Never:
        raise ValueError(f"{name} is not a number that can be used")

    try:
        return json.loads("\n".join(text.lines), parse_constant=no_number)
    except json.JSONDecodeError as error:
        place = Location(text.name, error.lineno, error.colno)
        what = f"is not valid JSON: {error.msg.lower()}"
        hint = "the output may be cut off"
        raise refusal(place, what, hint=hint) from None
    except RecursionError:
        _refuse(text, "is nested too deeply")
    except ValueError as error:
        _refuse(text, f"cannot be used: {error}")


def _at(report: Any, steps: Iterable[str]) -> Any:
    for step in steps:
        report = report.get(step) if isinstance(report, dict) else None
    return report


def _cells(
    text: Text, report: Any, part: Mapping[str, Any], where: str, faults: list[Diagnostic]
) -> Cells:
    value = _at(report, part["at"])
    path = f"{where}.{'.'.join(part['at'])}"
    if value is None:
        return {}
    entries = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
    cells: Cells = {}
    place = Location(text.name)
    for index, entry in entries:
        here = path if index is None else f"{path}[{index}]"
        if not isinstance(entry, dict):
            faults.append(Diagnostic(place, f"{here} is {shown(entry)}", "a mapping"))
            continue
        if any(entry.get(key) != wanted for key, wanted in part.get("where", {}).items()):
            continue
        names = [entry[key] for key in part.get("name", ()) if key in entry]
        if "name" in part and not names:
            faults.append(Diagnostic(place, f"{here} has no {' or '.join(part['name'])}"))
            continue
        columns = dict(_numbers(text, entry, part, here, faults))
        cells[(part["about"], str(names[0]) if names else "")] = columns
    return cells


def _numbers(
    text: Text, entry: Mapping[str, Any], part: Mapping[str, Any], where: str,
    faults: list[Diagnostic],
) -> Iterator[tuple[str, float]]:  # fmt: skip
    place = Location(text.name)
    for key, value in entry.items():
        if key in part.get("name", ()) or key in part.get("where", {}):
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            what = f"{where}.{key} is {shown(value)}"
            faults.append(Diagnostic(place, what, "a number of 0 or more"))
        elif not 0 <= value <= QUANTITY_AT_MOST:
            faults.append(Diagnostic(place, f"{where}.{key} is {value}", "0 or more"))
        else:
            yield key.lower(), float(value)


def _refuse(text: Text, what: str, expected: str = "", hint: str = "") -> Never:
    raise refusal(Location(text.name), what, expected, hint)


def _read_prose_counters(text: Text, tool: str, known: Formats) -> Observation | None:
    """The values of an output in sentences; None if it is not one.

    Raises InputError if the sentence with a value is missing or cannot be true.
    """
    observed: dict[str, dict[str, float]] = {}
    faults, seen = ErrorList(), False
    for one in known.of_tool("sentences", tool):
        wanted, also = pattern(one["pattern"]), pattern(one["also"])
        subject, name = one["into"]
        for index, line in enumerate(text.lines):
            found = wanted.fullmatch(line.rstrip())
            seen = seen or found is not None or also.fullmatch(line.rstrip()) is not None
            number = parse_number(found["figure"]) if found else None
            if number is not None and number > PERCENT:
                what = f"a share of {number:g} % is more than all"
                faults.append(Diagnostic(text.place(index), what, "0 to 100"))
            elif number is not None:
                observed.setdefault(subject, {})[name] = tidy(number)
    if not seen:
        return None
    if not observed and not faults:
        use = suggest_command(text, tool, known)
        what = "no sentence of this output has a value for a box file"
        expected = "total name lookups (cache hits …%)"
        hint = f"try {use}" if use else ""
        faults.append(Diagnostic(text.place(0), what, expected, hint))
    faults.raise_any()
    note = "counted since boot: quiet hours weigh as much as busy ones"
    return Observation(dict(observed), (note,))
