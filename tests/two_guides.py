"""Two guides that know facts and rules by the same names, as one overlay for both."""

from __future__ import annotations

from pathlib import Path

from generated_boxes import check_text
from guide.overlays import REPORTED_FACTS
from sizewright.api import Engine, load_engine
from sizewright.check.check import Check
from sizewright.guide.loader import guide_files

OWN, OTHER = "sun-1992", "compaq-1999"
CASE_1 = Path(__file__).parents[1] / "examples" / OWN / "case-1-departmental-nfs" / "box.yaml"
REPORTED = """\
reported:
  queue: 40
  pace: 3
  cage: true
  table: ts
  shift: ia
  patches: [a, b]
  here: 7
"""
_HEAD = f"{REPORTED_FACTS}rows:\n"
_ROWS = {
    OWN: """\
  - {id: queue, @, kind: number, unit: KB, doc: A queue}
  - {id: pace, @, kind: number, unit: KB/s, doc: A pace}
  - {id: cage, @, kind: flag, doc: A cage}
  - {id: table, @, kind: text, doc: A table, one_of: [ts, ia]}
  - {id: shift, @, kind: text, doc: A shift, one_of: [ts, ia]}
  - {id: patches, @, kind: names, doc: Patches}
  - {id: here, @, kind: number, unit: "1", doc: Known here only}
""",
    OTHER: """\
  - {id: queue, new: true, @, kind: number, unit: KB, doc: What waits}
  - {id: pace, new: true, @, kind: number, unit: MB/s, doc: In another unit}
  - {id: cage, new: true, @, kind: text, doc: Of another kind}
  - {id: table, new: true, @, kind: text, doc: With other values, one_of: [ia, rt]}
  - {id: shift, new: true, @, kind: text, doc: With other values, one_of: [ia, rt]}
  - {id: patches, new: true, @, kind: names, doc: Patches}
  - {id: there, new: true, @, kind: number, unit: "1", doc: Known there only}
""",
}
_SECTIONS = {OWN: "2.10.1", OTHER: "SCSI-2"}
_RULE = """\
id: {id}
title: Title of {id}
source: {{section: SCSI-2}}
subject: {subject}
judges: [box]
parameters: {{most: {{value: {most}, unit: {unit}, source: {{section: SCSI-2}}}}}}
require: {fact} <= most
severity: {severity}
message: "{{{fact}}} of {{{subject}.id}}, at most {{most}}"
remedy: Take less.
examples: [{{given: {{{subject}: {{}}}}, expect: unknown}}]
cannot: {{holds: The box shows it, violated: The box shows it}}
"""
# Devices of the two channels are 2 and 6. The first has the id of a rule of the own guide.
RULES = {
    "VII": ("channel", "channel.devices", 4, '"1"', "violation"),
    "queue": ("system", "reported.queue", 30, "KB", "advice"),
    "pace": ("system", "reported.pace", 9, "MB/s", "advice"),
    "there": ("system", "reported.there", 1, '"1"', "violation"),
}


def overlay(folder: Path) -> Path:
    """Write the folder: facts that both guides have systems report, and rules of the other one."""
    for guide, rows in _ROWS.items():
        marks = f'status: printed, source: {{section: "{_SECTIONS[guide]}"}}'
        own = guide == OWN
        head = _HEAD if own else "table: reported-facts\nrows:\n"
        _write(folder / "tables" / guide / "reported-facts.yaml", head + rows.replace("@", marks))
    for name, (subject, fact, most, unit, severity) in RULES.items():
        text = _RULE.format(
            id=name, subject=subject, fact=fact, most=most, unit=unit, severity=severity
        )
        _write(folder / "rules" / OTHER / f"{name}.yaml", text)
    return folder


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def engine(guide: str, *overlays: Path) -> Engine:
    """A guide with those overlays that have files for it."""
    return load_engine(guide, tuple(folder for folder in overlays if guide_files(folder, guide)))


def case_1(more: str = "") -> str:
    """The box of the first case, with lines added to its end."""
    return CASE_1.read_text(encoding="utf-8") + more


def checked(text: str, *overlays: Path) -> Check:
    """A box as its own guide judges it."""
    return check_text(text, engine(OWN, *overlays))
