"""Checks the boxes that a guide describes and holds every finding against its explanation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from sizewright.box.read import read_box
from sizewright.cases.boxmodel import BoxOutcome, BoxResult, Explained, ExplainedBox
from sizewright.cases.boxreading import SYSTEM, read_explained
from sizewright.cases.model import Outcome
from sizewright.cases.running import run_all
from sizewright.cases.trials import EngineFor
from sizewright.documents import read_document
from sizewright.engine import Engine, check
from sizewright.errors import Diagnostic, InputError, collect_errors, did_you_mean
from sizewright.rules.rule import Finding

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
        return errors.for_each(lambda file: run_box(read_explained(file), engine_for), files)


def run_box(box: ExplainedBox, engine_for: EngineFor) -> BoxOutcome:
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


def _unknown_rules(box: ExplainedBox, engine: Engine) -> Iterator[Diagnostic]:
    known = [rule.id for rule in engine.book.rules]
    for one in box.findings:
        if one.rule not in known:
            yield Diagnostic(
                one.place, f"there is no rule '{one.rule}'", "", did_you_mean(one.rule, known)
            )


def _subject(finding: Finding, system: str) -> str:
    return SYSTEM if finding.subject == system else finding.subject.removeprefix(f"{system}/")


def _results(box: ExplainedBox, found: dict[tuple[str, str], Finding]) -> Iterator[BoxResult]:
    explained = {(one.rule, one.subject): one for one in box.findings}
    for key, one in explained.items():
        yield _result(key, one, found.get(key))
    for key, finding in found.items():
        if key not in explained and finding.verdict not in _UNREMARKABLE:
            yield _result(key, None, finding)


def _result(
    key: tuple[str, str], explained: Explained | None, finding: Finding | None
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
