"""Boxes with expected findings: read, checked and compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from sizewright.box.read import read_box
from sizewright.cases.model import Outcome
from sizewright.cases.reading import INVENTORY, Fields, case_folders
from sizewright.cases.running import run_all
from sizewright.cases.trials import EngineFor
from sizewright.documents import read_document
from sizewright.engine import Engine, check
from sizewright.errors import (
    Diagnostic,
    InputError,
    Location,
    collect_errors,
    did_you_mean,
    refusal,
    shown,
)
from sizewright.rules.rule import Finding


class ExpectedFinding(NamedTuple):
    """A finding that a box ought to have, and why it has it.

    `subject` is told from the system on; the system as a whole is `system`.
    """

    rule: str
    subject: str
    verdict: str
    why: str
    place: Location


class ExpectedBox(NamedTuple):
    """A box file with all findings that it ought to have but those that hold or do not apply."""

    case: str
    folder: str
    file: str
    findings: tuple[ExpectedFinding, ...]


class BoxResult(NamedTuple):
    """One finding as expected and as found; empty where it is not expected or not judged.

    `message` is the rule's on the finding; `reason` that of a waiver.
    """

    rule: str
    subject: str
    expected: str
    found: str
    why: str
    message: str
    reason: str

    @property
    def agrees(self) -> bool:
        """Whether the finding is the one that is explained."""
        return self.expected == self.found


class BoxOutcome(NamedTuple):
    """A box as checked: every finding that is explained, and every other that wants explaining."""

    box: ExpectedBox
    results: tuple[BoxResult, ...]

    @property
    def explained(self) -> int:
        """How many findings are as explained."""
        return sum(result.agrees for result in self.results)

    @property
    def differs(self) -> int:
        """How many findings are missing, unexplained or of another verdict."""
        return len(self.results) - self.explained

    @property
    def fails(self) -> bool:
        """Whether some finding is not as explained."""
        return self.differs > 0


ENDING = "-expected.yaml"
PATTERN = f"box*{ENDING}"
SYSTEM = "system"

_VERDICTS = ("violated", "tight", "unknown", "waived")
_KEYS = ("case", "box", "findings", "unknown")


def box_expectations(folder: Path) -> tuple[Path, ...]:
    """Every file at or below a folder that explains the findings of a box."""
    return tuple(sorted(folder.rglob(PATTERN)))


def find_fixtures(folder: Path) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The case studies and the explained boxes below a folder; raises InputFaults for neither."""
    found = case_folders(folder), box_expectations(folder)
    if not any(found):
        what = "no case study and no explained box is in it or below it"
        expected = f"a folder with {INVENTORY} or {PATTERN}"
        raise refusal(Location(str(folder)), what, expected)
    return found


def read_expected_box(path: Path) -> ExpectedBox:
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
    return ExpectedBox(case, str(path.parent), box, tuple(found))


def _finding(top: Fields, n: int) -> Iterator[ExpectedFinding]:
    fields = top.below("findings", n)
    fields.only(("rule", "subject", "verdict", "why"))
    rule = fields.text("rule", required=True)
    verdict = fields.text("verdict", required=True, one_of=_VERDICTS)
    why = fields.text("why", required=True).strip()
    for subject in _names(fields, "subject"):
        yield ExpectedFinding(rule, subject, verdict, why, fields.place)


def _group(top: Fields, n: int) -> Iterator[ExpectedFinding]:
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
            yield ExpectedFinding(rule, subject, "unknown", why, place)


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


def _repeated(found: list[ExpectedFinding]) -> Iterator[Diagnostic]:
    seen: set[tuple[str, str]] = set()
    for one in found:
        if (one.rule, one.subject) in seen:
            yield Diagnostic(one.place, f"rule {one.rule} on {one.subject} is explained twice")
        seen.add((one.rule, one.subject))


def box_lines(outcome: BoxOutcome) -> Iterator[str]:
    """The counts of a box, then what is not as explained and what its file waives."""
    name = Path(outcome.box.file).stem
    counted = f"{outcome.explained} finding{'' if outcome.explained == 1 else 's'} as expected"
    yield f"{name}: {counted}, {outcome.differs} differ"
    for result in outcome.results:
        if not result.agrees:
            yield f"DIFFERS  {name}: {_difference(result)}"
        elif result.reason:
            yield f"waived  {name}: rule {result.rule} on {result.subject}. {result.reason}"


def _difference(result: BoxResult) -> str:
    what = f"rule {result.rule} on {result.subject}"
    if not result.expected:
        return f"{what}: unexpected {result.found}. {result.message}"
    if not result.found:
        return f"{what}: expected {result.expected}, but the rule has no such subject."
    told = f" {result.message}" if result.message else ""
    return f"{what}: expected {result.expected}, found {_word(result.found)}.{told}"


def _word(verdict: str) -> str:
    return verdict.replace("_", " ")


def box_data(outcome: BoxOutcome) -> dict[str, Any]:
    """One box of the contract `sizewright.test/1`."""
    return {
        "case": outcome.box.case,
        "box": outcome.box.file,
        "explained": outcome.explained,
        "differs": outcome.differs,
        "findings": [
            {
                "rule": result.rule,
                "subject": result.subject,
                "expected": result.expected,
                "found": result.found,
                "agrees": result.agrees,
                "why": result.why,
                "message": result.message,
                "reason": result.reason,
            }
            for result in outcome.results
        ],
    }


_UNREMARKABLE = ("holds", "not_applicable")


def run_fixtures(
    folders: Iterable[Path], boxes: Iterable[Path], engine_for: EngineFor
) -> tuple[tuple[Outcome, ...], tuple[BoxOutcome, ...]]:
    """Run case studies and check explained boxes; raises InputFaults with the faults of all."""
    with collect_errors() as errors:
        with errors.catch():
            outcomes = run_all(folders, engine_for)
        checked = run_boxes(boxes, engine_for)
    return outcomes, checked


def run_boxes(files: Iterable[Path], engine_for: EngineFor) -> tuple[BoxOutcome, ...]:
    """Check every box whose expectations are named; raises InputFaults with the faults of all."""
    with collect_errors() as errors:
        return errors.for_each(lambda file: run_box(read_expected_box(file), engine_for), files)


def run_box(box: ExpectedBox, engine_for: EngineFor) -> BoxOutcome:
    """Every finding of a box that is explained or wants explaining.

    Raises InputFaults for a box that cannot be read, and for rules that the guide lacks.
    """
    document = read_document(Path(box.folder) / box.file)
    engine = engine_for(document)
    faults = [*_unknown_rules(box, engine)]
    if faults:
        raise InputError(faults)
    checked = check(read_box(document), engine)
    name = str(checked.box.name)
    found = {(f.rule, _subject(f, name)): f for f in checked.findings}
    return BoxOutcome(box, tuple(_results(box, found)))


def _unknown_rules(box: ExpectedBox, engine: Engine) -> Iterator[Diagnostic]:
    known = [rule.id for rule in engine.book.rules]
    for one in box.findings:
        if one.rule not in known:
            yield Diagnostic(
                one.place, f"there is no rule '{one.rule}'", "", did_you_mean(one.rule, known)
            )


def _subject(finding: Finding, system: str) -> str:
    return SYSTEM if finding.subject == system else finding.subject.removeprefix(f"{system}/")


def _results(box: ExpectedBox, found: dict[tuple[str, str], Finding]) -> Iterator[BoxResult]:
    explained = {(one.rule, one.subject): one for one in box.findings}
    for key, one in explained.items():
        yield _result(key, one, found.get(key))
    for key, finding in found.items():
        if key not in explained and finding.verdict not in _UNREMARKABLE:
            yield _result(key, None, finding)


def _result(
    key: tuple[str, str], explained: ExpectedFinding | None, finding: Finding | None
) -> BoxResult:
    rule, subject = key
    return BoxResult(
        rule, subject,
        explained.verdict if explained else "",
        finding.verdict if finding else "",
        explained.why if explained else "",
        finding.message if finding else "",
        finding.reason if finding and finding.verdict == "waived" else "",
    )  # fmt: skip
