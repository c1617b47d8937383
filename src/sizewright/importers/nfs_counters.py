"""Counters of NFS calls: totals since boot, or the difference of two outputs."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sizewright.errors import Diagnostic, ErrorList, collect_errors, refusal
from sizewright.importers.formats import Formats, Text, is_json, pattern, tidy, wrong_tool
from sizewright.importers.reports import Observation, read_observation
from sizewright.limits import DIGITS_AT_MOST
from sizewright.units import PERCENT

CALLS, PARTS = "calls", "parts"

_SHARED = re.compile(r"(?<!\d)(\d++)\s++\d++\s*+%", re.ASCII)
_WORDS = re.compile(r"[a-z][\w-]*(\s+[a-z][\w-]*)*", re.ASCII | re.IGNORECASE)
_WHOLE = re.compile(r"\d+(\s+\d+)*", re.ASCII)


class Counter(NamedTuple):
    """A procedure of one version of the protocol; `counts`: calls or parts of calls."""

    side: str
    version: str
    counts: str
    procedure: str


class _Counted(NamedTuple):
    number: int
    at: int


Counters = dict[Counter, _Counted]
# The names of procedures above their counts, and the index of their line.
_Names = tuple[int, list[str]]


class _Section(NamedTuple):
    side: str = ""
    version: str = ""
    counts: str = ""


def read_counters(text: Text, known: Formats) -> Counters:
    """Read all counters of an output, for both sides.

    Raises InputError if no section counts calls, or names and counts do not match.
    """
    counters: Counters = {}
    faults = ErrorList()
    section, sections = _Section(), 0
    names: _Names | None = None
    for index, line in enumerate(text.lines):
        stripped = line.strip()
        after = _section(stripped, section, known)
        if not stripped or (after is None and not section.counts):
            continue
        if after is None and not _WORDS.fullmatch(stripped):
            _counts(text, index, section, names, counters, faults)
            names = None
            continue
        faults += _without_counts(text, names)
        if after is None:
            names = index, stripped.lower().split()
        else:
            section, names = after, None
            sections += bool(section.counts)
    faults += _without_counts(text, names)
    if not sections:
        raise wrong_tool(text, str(known.data["counters"]["tool"]), known)
    faults.raise_any()
    return counters


def _section(line: str, before: _Section, known: Formats) -> _Section | None:
    described = known.data["counters"]
    for one in described["sections"]:
        found = pattern(one["line"]).fullmatch(line)
        if found:
            words = found.groupdict()
            # The heading of a version is below that of its side.
            side = (words.get("side") or before.side).lower()
            return _Section(side, words.get("version") or "", one["counts"] if side else "")
    return _Section() if pattern(described["other_section"]).fullmatch(line) else None


def _without_counts(text: Text, names: _Names | None) -> Iterator[Diagnostic]:
    if names is not None:
        what = "there are no counts below these names"
        yield Diagnostic(text.place(names[0]), what, "a row of counts")


def _counts(
    text: Text, index: int, section: _Section, names: _Names | None,
    counters: Counters, faults: list[Diagnostic],
) -> None:  # fmt: skip
    line, place = text.lines[index].strip(), text.place(index)
    if names is None:
        what = "there are no names of procedures above these counts"
        faults.append(Diagnostic(place, what, hint="the output may be cut off"))
        return
    at, procedures = names
    if _WHOLE.fullmatch(line) and len(line.split()) == len(procedures):
        # Without shares these are sums over all procedures, not a count of each.
        return
    counts = _SHARED.findall(line)
    if others := _SHARED.sub("", line).split():
        expected = "a count and its share, as in 12 3%, below each name"
        faults.append(Diagnostic(place, f"'{others[0]}' is not a count with its share", expected))
    elif len(counts) != len(procedures):
        what = f"{len(counts)} counts are below {len(procedures)} names (line {at + 1})"
        faults.append(Diagnostic(place, what, hint="the line may be cut off"))
    elif any(len(count) > DIGITS_AT_MOST for count in counts):
        faults.append(Diagnostic(place, "a count is too long", f"at most {DIGITS_AT_MOST} digits"))
    else:
        for name, count in zip(procedures, counts, strict=True):
            counter = Counter(section.side, section.version, section.counts, name)
            counters[counter] = _Counted(int(count), index)


def count_between(before: Counters, later: Counters, text: Text, earlier: Text) -> Counters:
    """The difference between the counters of a later and an earlier output.

    Raises InputError for every counter that decreases or that only one of them has.
    """
    with collect_errors() as errors:
        for counter in sorted({*before, *later}):
            was, now = before.get(counter), later.get(counter)
            called = f"{counter.side} {counter.procedure}"
            if was is None or now is None:
                there, other = (text, earlier) if now else (earlier, text)
                at = next(each.at for each in (now, was) if each)
                what = f"{called} is counted here, and not in {other.name}"
                errors.append(Diagnostic(there.place(at), what))
            elif now.number < was.number:
                what = f"{called} runs backwards: {now.number} after {was.number}"
                hint = "the machine was restarted in between, or the files are in the wrong order"
                errors.append(Diagnostic(text.place(now.at), what, hint=hint))
    return {
        counter: _Counted(counted.number - before[counter].number, counted.at)
        for counter, counted in later.items()
    }


def nfs_mix(
    counters: Counters, side: str, seconds: float | None, between: bool, text: Text, known: Formats
) -> Observation:
    """The mix of calls on one side in percent, and their rate if the period in seconds is given.

    Raises InputError if that side has no counters, or counted no calls.
    """
    described: Mapping[str, Any] = known.data["counters"]
    mine = {c: counted.number for c, counted in counters.items() if c.side == side}
    if not mine:
        others = sorted({c.side for c in counters})
        hint = f"try --side {others[0]}, where a {others[0]}'s counters are meant" if others else ""
        what = f"no calls of a {side} are counted here"
        raise refusal(text.place(0), what, hint=hint)
    calls = sum(number for c, number in mine.items() if c.counts == CALLS)
    if not calls:
        raise refusal(text.place(0), f"the {side} counted no calls", "some calls")

    def share(procedures: list[str]) -> float:
        found = sum(number for c, number in mine.items() if c.procedure in procedures)
        return tidy(found / calls * PERCENT)

    figures = {"reads_percent": share(described["reads"])}
    figures["writes_percent"] = share(described["writes"])
    notes = []
    if seconds is not None:
        figures = {"ops_per_s": tidy(calls / seconds), **figures}
    else:
        notes.append("counters give the mix alone; --seconds, the time they count, gives the rate")
    if not between:
        notes.append("counted since boot: quiet hours weigh as much as busy ones")
    if any(c.counts == PARTS and number for c, number in mine.items()):
        notes.append("compound calls are counted as one each, their reads and writes as shares")
    return Observation({"nfs": figures}, tuple(notes))


def read_nfs_counters(
    text: Text, later: Text | None, known: Formats, side: str, seconds: float | None
) -> Observation:
    """Read one output of counters, or the difference from a later one; raises InputError."""
    tool = str(known.data["counters"]["tool"])
    if later is None:
        if is_json(text):
            return read_observation(text, tool, known)
        return nfs_mix(read_counters(text, known), side, seconds, False, text, known)
    with collect_errors() as errors:
        read = errors.for_each(lambda each: read_counters(each, known), (text, later))
    between = count_between(read[0], read[1], later, text)
    return nfs_mix(between, side, seconds, True, later, known)
