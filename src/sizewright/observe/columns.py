"""Reports in columns: disks side by side, one disk a line, or one report a line."""

from __future__ import annotations

import re

from sizewright.errors import Diagnostic, InputError, shown
from sizewright.limits import DIGITS_AT_MOST
from sizewright.observe.formats import Formats, Reading, Report
from sizewright.observe.headings import Heading, headings
from sizewright.observe.text import Text
from sizewright.observe.whose import wrong_tool

_NUMBER = re.compile(r"\d+(\.\d*)?|\.\d+", re.ASCII)

Cells = dict[tuple[str, str], dict[str, float]]


def read_columns(text: Text, tool: str, known: Formats) -> Reading:
    """Read every report of an output.

    Raises InputFaults where no line is a heading, a heading has no rows, a row has too few columns,
    or a number is none.
    """
    found = {heading.at: heading for heading in headings(text, known.columns(tool))}
    if not found:
        raise wrong_tool(text, tool, known)
    skipped = {heading.skip for heading in found.values()}
    faults = [
        Diagnostic(text.place(h.at), h.fault) for h in found.values() if h.fault
    ]  # fmt: skip
    titles = known.titles()
    reports: list[Report] = []
    notes: dict[str, None] = {}
    heading: Heading | None = None
    rows = 0
    for index, line in enumerate(text.lines):
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
        if rows == 1 or heading.each:
            reports.append(Report(index, cells))
        else:
            reports[-1] = Report(reports[-1].at, {**reports[-1].cells, **cells})
    faults += _without_rows(text, heading, rows)
    if faults:
        raise InputError(faults)
    first = next(iter(found.values())).format
    if first.get("note"):
        notes[str(first["note"])] = None
    return Reading(tuple(reports), bool(first["first_since_boot"]), tuple(notes))


def _without_rows(text: Text, heading: Heading | None, rows: int) -> list[Diagnostic]:
    if heading is None or rows:
        return []
    return [Diagnostic(text.place(heading.at), "no row stands below this heading", "numbers")]


def _row(text: Text, index: int, heading: Heading, faults: list[Diagnostic]) -> Cells:
    tokens = text.lines[index].split()
    if len(tokens) not in (heading.width, heading.short):
        what = f"the row has {len(tokens)} columns, its heading (line {heading.at + 1}) has "
        hint = "the line is cut off, or two numbers have run together"
        faults.append(Diagnostic(text.place(index), f"{what}{heading.width}", hint=hint))
        return {}
    cells: Cells = {}
    name = next((t for t, a in zip(tokens, heading.about, strict=False) if a is None), "")
    for token, about in zip(tokens, heading.about, strict=False):
        if about is None:
            continue
        number = number_of(token)
        if number is None:
            hint = "LC_ALL=C makes tools print points, not commas" if "," in token else ""
            what = f"{shown(token)} in column {about[1]} is not a number"
            faults.append(Diagnostic(text.place(index), what, "a number of 0 or more", hint))
            continue
        (what, who), column = about
        cells.setdefault((what, who or (name if what == "disks" else "")), {})[column] = number
    return cells


def number_of(token: str) -> float | None:
    """A number as tools print it, 0 or more; None for anything else."""
    if len(token) > DIGITS_AT_MOST or not _NUMBER.fullmatch(token):
        return None
    return float(token)
