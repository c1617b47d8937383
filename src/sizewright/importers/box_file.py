"""Add an `observed` block to a box file, and leave its other lines as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from typing import Any, NamedTuple

from sizewright.documents import Document, parse_document
from sizewright.errors import InputError, refusal
from sizewright.importers.reports import REPORTS, Observed
from sizewright.yaml_text import yaml_lines

KEY = "observed"


class Merged(NamedTuple):
    """A box file with what was observed: its text and data, and notes on it."""

    text: str
    data: dict[str, Any]
    notes: tuple[str, ...]


def observed_block(observed: Observed) -> str:
    """The `observed` block of a box file."""
    return "\n".join(yaml_lines({KEY: observed})) + "\n"


class Replaced(NamedTuple):
    """What new values replace: subjects `whole`, and what states the same in other `ways`."""

    whole: frozenset[str] = frozenset()
    ways: tuple[frozenset[str], ...] = ()

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Replaced:
        """Return what the description of tools states."""
        return cls(frozenset(data["whole"]), tuple(map(frozenset, data["ways"])))

    def keys(self, new: Iterable[str]) -> set[str]:
        """Return the keys that are superseded by new ones."""
        keys = set(new)
        return keys.union(*(way for way in self.ways if way & keys))


def merge_observed(document: Document, text: str, observed: Observed, replaced: Replaced) -> Merged:
    """Add observed values to a box file, whose text is given.

    A new value replaces the old one, also in reports of any tool. Raises InputError if the file is
    not a mapping, or is written so that lines cannot be replaced.
    """
    data = document.data
    if not isinstance(data, dict):
        what = "the box file is not a mapping"
        raise refusal(document.place(), what, "a name, a platform, …")
    before = data.get(KEY)
    if before is not None and not isinstance(before, dict):
        what = f"'{KEY}' is not a mapping, so nothing can be added to it"
        raise refusal(document.place((KEY,)), what, "cpu, disks, …")
    after = _over(_superseded(before or {}, observed, replaced), observed, replaced)
    lines = text.splitlines(keepends=True)
    first, end = _span(document, lines)
    old = lines[first:end]
    notes = []
    if any(line.lstrip().startswith("#") or " #" in line for line in old):
        notes.append(f"remarks inside '{KEY}' of {document.name} were not kept")
    if names := ", ".join(_replaced_subjects(before or {}, after)):
        notes.append(f"'{KEY}' of {document.name} had other values of {names}; they were replaced")
    ends = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += ends
    new = "".join((*lines[:first], observed_block(after).replace("\n", ends), *lines[end:]))
    wanted = {**data, KEY: after}
    if not _says(new, document.name, wanted):
        what = f"'{KEY}' cannot be put in by lines here: the file is not written one key a line"
        hint = "leave --box out, and put in the block that is printed by hand"
        raise refusal(document.place((KEY,)), what, hint=hint)
    return Merged(new, wanted, tuple(notes))


def _over(before: Mapping[str, Any], new: Mapping[str, Any], replaced: Replaced) -> Observed:
    gone = replaced.keys(new) - set(new)
    after = {key: value for key, value in before.items() if key not in gone}
    for key, value in new.items():
        old = before.get(key)
        inside = isinstance(old, dict) and isinstance(value, dict) and key not in replaced.whole
        after[key] = _over(_mapping(old), value, replaced) if inside else value
    return after


def _superseded(before: Observed, new: Observed, replaced: Replaced) -> Observed:
    """Return what was observed before, without the values of reports that are observed anew.

    If the new values are reports, single values go too. Reports of another kind by the same tool
    keep a name of their own.
    """
    reports = [report for each in new.get(REPORTS, {}).values() for report in each]
    values: Observed = {}
    for each in (new, *reports):
        values = _over(values, {k: v for k, v in each.items() if k not in _NO_VALUES}, Replaced())
    after = _without(before, values, replaced) if reports else dict(before)
    kept: Observed = {}
    for tool, old in _mapping(before.get(REPORTS)).items():
        left = [_without(report, values, replaced) for report in _mappings(old)]
        if any(set(report) - _NO_VALUES for report in left):
            names = chain((tool,), (f"{tool}-{n}" for n in count(2)))
            kept[next(n for n in names if n not in kept and n not in new.get(REPORTS, {}))] = left
    return {**after, REPORTS: kept} if kept else {k: v for k, v in after.items() if k != REPORTS}


def _replaced_subjects(before: Observed, after: Observed) -> Iterator[str]:
    """Yield the subjects, such as cpu, of which some values are no longer there."""
    old, new = (
        [each, *chain(*map(_mappings, _mapping(each.get(REPORTS)).values()))]
        for each in (before, after)
    )
    for subject in dict.fromkeys(key for each in old for key in each if key not in _NO_VALUES):
        if not all(
            any(_includes(each.get(subject), values[subject]) for each in new)
            for values in old if subject in values
        ):  # fmt: skip
            yield subject


def _includes(whole: Any, part: Any) -> bool:
    """Return whether all values of a part are in a whole."""
    if isinstance(whole, dict) and isinstance(part, dict):
        return all(key in whole and _includes(whole[key], part[key]) for key in part)
    return bool(whole == part)


_NO_VALUES = frozenset((REPORTS, "at", "seconds"))


def _without(old: Mapping[str, Any], new: Observed, replaced: Replaced) -> Observed:
    """Return values without those that new ones replace, and without what is empty then."""
    kept: Observed = {}
    gone = replaced.keys(new)
    for key, value in old.items():
        if key not in gone:
            kept[key] = value
        elif (
            key not in replaced.whole and isinstance(value, dict) and isinstance(new.get(key), dict)
        ):
            left = _without(value, new[key], replaced)
            kept |= {key: left} if left else {}
    return kept


def _span(document: Document, lines: list[str]) -> tuple[int, int]:
    """The first line of the block and the line after it; the end of the file if there is none."""
    if KEY not in document.data:
        return len(lines), len(lines)
    starts = [(document.place((key,)).line or 1) - 1 for key in document.data]
    first = (document.place((KEY,)).line or 1) - 1
    end = min((start for start in starts if start > first), default=len(lines))
    # Comments above the next key, without indentation, belong to that key.
    while end > first + 1 and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
        end -= 1
    return first, end


def _says(text: str, name: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return bool(parse_document(text, name).data == wanted)
    except InputError:
        return False


def of_known_disks(box: Mapping[str, Any], observed: Observed) -> tuple[Observed, tuple[str, ...]]:
    """Return what was observed, without disks that are not in the box file, and notes on these."""
    known = {
        str(device.get("id"))
        for channel in _mappings(box.get("channels") if isinstance(box, dict) else None)
        for device in _mappings(channel.get("devices"))
    }
    reports = observed.get(REPORTS, {})
    disks = {
        disk for each in (observed, *chain(*reports.values())) for disk in each.get("disks", ())
    }

    def of_known(values: Observed) -> Observed:
        kept = {disk: each for disk, each in values.get("disks", {}).items() if disk in known}
        rest = {key: value for key, value in values.items() if key != "disks"}
        return {**rest, "disks": kept} if kept else rest

    found = of_known(observed)
    if reports:
        found[REPORTS] = {tool: list(map(of_known, each)) for tool, each in reports.items()}
    notes = (
        f"the box file has no device '{disk}', so its values were left out. Add it, and read the "
        "output again" for disk in sorted(disks - known)
    )  # fmt: skip
    return found, tuple(notes)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _mappings(values: Any) -> list[Mapping[str, Any]]:
    return [one for one in values if isinstance(one, dict)] if isinstance(values, list) else []
