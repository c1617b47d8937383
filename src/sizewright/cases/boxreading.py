"""Reads what is expected of a box: every finding that does not simply hold, each with its why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sizewright.cases.boxmodel import Explained, ExplainedBox
from sizewright.cases.fields import Fields
from sizewright.cases.reading import INVENTORY, case_folders
from sizewright.documents import read_document
from sizewright.errors import Diagnostic, InputError, Location, refusal, shown

ENDING = "-expected.yaml"
PATTERN = f"box*{ENDING}"
SYSTEM = "system"

_VERDICTS = ("violated", "tight", "unknown", "waived")
_KEYS = ("case", "box", "findings", "unknown")


def box_expectations(folder: Path) -> tuple[Path, ...]:
    """Every file at or below a folder that explains the findings of a box."""
    return tuple(sorted(folder.rglob(PATTERN)))


def fixtures(folder: Path) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The case studies and the explained boxes below a folder; raises InputFaults for neither."""
    found = case_folders(folder), box_expectations(folder)
    if not any(found):
        what = "no case study and no explained box is in it or below it"
        expected = f"a folder with {INVENTORY} or {PATTERN}"
        raise refusal(Location(str(folder)), what, expected)
    return found


def read_explained(path: Path) -> ExplainedBox:
    """Read the expectations of one box; raises InputFaults with every fault of the file."""
    faults: list[Diagnostic] = []
    document = read_document(path)
    top = Fields(document, (), document.data, faults)
    top.only(_KEYS)
    case = top.text("case", required=True)
    box = top.text("box", required=True)
    if box and not (path.parent / box).is_file():
        top.fault("box", f"is {shown(box)}, and no such file is next to it")
    found = [one for n in range(len(top.list("findings"))) for one in _finding(top, n)]
    found += [one for n in range(len(top.list("unknown"))) for one in _group(top, n)]
    faults.extend(_repeated(found))
    if faults:
        raise InputError(faults)
    return ExplainedBox(case, str(path.parent), box, tuple(found))


def _finding(top: Fields, n: int) -> Iterator[Explained]:
    fields = top.below("findings", n)
    fields.only(("rule", "subject", "verdict", "why"))
    rule = fields.text("rule", required=True)
    verdict = fields.text("verdict", required=True, one_of=_VERDICTS)
    why = fields.text("why", required=True).strip()
    for subject in _names(fields, "subject"):
        yield Explained(rule, subject, verdict, why, fields.place)


def _group(top: Fields, n: int) -> Iterator[Explained]:
    """Several findings that one thing left open keeps unknown, by rule."""
    fields = top.below("unknown", n)
    fields.only(("why", "findings"))
    why = fields.text("why", required=True).strip()
    if not fields.data.get("findings"):
        fields.fault("findings", "are missing", "subjects by rule")
        return
    rules = fields.below("findings")
    for rule in rules.data:
        for subject in _names(rules, rule):
            place = rules.document.place((*rules.path, rule))
            yield Explained(rule, subject, "unknown", why, place)


def _names(fields: Fields, key: str) -> tuple[str, ...]:
    """One subject or a list of them."""
    value = fields.data.get(key)
    found = value if isinstance(value, list) else [value]
    if not found or not all(isinstance(one, str) and one for one in found):
        fields.fault(
            key, f"is {shown(value)}", f"a subject as disk/sd0, {SYSTEM}, or a list of such"
        )
        return ()
    return tuple(map(str, found))


def _repeated(found: list[Explained]) -> Iterator[Diagnostic]:
    seen: set[tuple[str, str]] = set()
    for one in found:
        if (one.rule, one.subject) in seen:
            yield Diagnostic(one.place, f"rule {one.rule} on {one.subject} is explained twice")
        seen.add((one.rule, one.subject))
