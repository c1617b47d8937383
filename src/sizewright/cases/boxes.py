"""Boxes with expected findings: each is checked, and every finding compared."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sizewright.box.reading import read_box
from sizewright.cases.expected import BoxExpectations, ExpectedFinding
from sizewright.cases.reading import INVENTORY, Outcome, case_folders, read_case
from sizewright.cases.running import run_case
from sizewright.cases.trials import EngineFor
from sizewright.configuration.model import SYSTEM
from sizewright.documents import read_document
from sizewright.engine import check
from sizewright.errors import Diagnostic, Location, collect_errors, counted, did_you_mean, refusal
from sizewright.guide.model import place_of
from sizewright.rules.rule import Finding
from sizewright.schema.quantity import read_model

PATTERN = "box*-expected.yaml"

# Findings of these verdicts need not be expected.
_NOT_LISTED = ("holds", "not_applicable")


class BoxResult(NamedTuple):
    """One finding as expected and as found; empty if it is not expected or not found.

    `message` is that of the rule, `reason` that of a waiver.
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
        """Whether the finding is the expected one."""
        return self.expected == self.found


class BoxOutcome(NamedTuple):
    """A box as checked: every finding that is expected, or that should be."""

    case: str
    folder: str
    file: str
    results: tuple[BoxResult, ...]

    @property
    def explained(self) -> int:
        """How many findings are as expected."""
        return sum(result.agrees for result in self.results)

    @property
    def differs(self) -> int:
        """How many findings are missing, unexpected or of another verdict."""
        return len(self.results) - self.explained

    @property
    def fails(self) -> bool:
        """Whether some finding is not as expected."""
        return self.differs > 0


def box_expectations(folder: Path) -> tuple[Path, ...]:
    """Every file at or below a folder with the expected findings of a box."""
    return tuple(sorted(folder.rglob(PATTERN)))


def find_fixtures(folder: Path) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The case studies and the boxes with expected findings; raises InputError for neither."""
    found = case_folders(folder), box_expectations(folder)
    if not any(found):
        what = "no case study and no box with expected findings is in it or below it"
        expected = f"a folder with {INVENTORY} or {PATTERN}"
        raise refusal(Location(str(folder)), what, expected)
    return found


def run_fixtures(
    folders: Iterable[Path], boxes: Iterable[Path], engine_for: EngineFor
) -> tuple[tuple[Outcome, ...], tuple[BoxOutcome, ...]]:
    """Run case studies and check boxes; `boxes` are the files of expected findings.

    Raises InputError with the errors of all.
    """
    with collect_errors() as errors:
        outcomes = errors.for_each(lambda folder: run_case(read_case(folder), engine_for), folders)
        checked = errors.for_each(lambda file: run_box(file, engine_for), boxes)
    return outcomes, checked


def run_box(path: Path, engine_for: EngineFor) -> BoxOutcome:
    """Check a box, and compare its findings with those that a file expects.

    Raises InputError for a file that cannot be read, and for rules that the guide does not have.
    """
    expectations = read_model(read_document(path), BoxExpectations)
    with collect_errors() as errors:
        expected = dict(_by_rule_and_subject(expectations, errors))
        if not (path.parent / expectations.box).is_file():
            what = f"box is '{expectations.box}', and no such file is next to it"
            raise refusal(place_of(expectations.box), what)
    document = read_document(path.parent / expectations.box)
    engine = engine_for(document)
    with collect_errors() as errors:
        known = [rule.id for rule in engine.rule_set.rules]
        for finding in expectations.all_findings:
            if finding.rule not in known:
                place, hint = place_of(finding.subject[0]), did_you_mean(finding.rule, known)
                errors.append(Diagnostic(place, f"there is no rule '{finding.rule}'", "", hint))
    checked = check(read_box(document), engine)
    name = str(checked.box.name)
    found = {
        (f.rule, SYSTEM if f.subject == name else f.subject.removeprefix(f"{name}/")): f
        for f in checked.findings
    }
    results = tuple(_results(expected, found))
    return BoxOutcome(str(expectations.case), str(path.parent), str(expectations.box), results)


def _by_rule_and_subject(
    expectations: BoxExpectations, errors: list[Diagnostic]
) -> Iterator[tuple[tuple[str, str], ExpectedFinding]]:
    seen: set[tuple[str, str]] = set()
    for finding in expectations.all_findings:
        for subject in finding.subject:
            key = str(finding.rule), str(subject)
            if key in seen:
                what = f"rule {finding.rule} on {subject} is expected twice"
                errors.append(Diagnostic(place_of(subject), what))
            seen.add(key)
            yield key, finding


def _results(
    expected: Mapping[tuple[str, str], ExpectedFinding], found: Mapping[tuple[str, str], Finding]
) -> Iterator[BoxResult]:
    for key in dict.fromkeys((*expected, *found)):
        one, finding = expected.get(key), found.get(key)
        if one is None and finding is not None and finding.verdict in _NOT_LISTED:
            continue
        yield BoxResult(
            *key,
            one.verdict if one else "",
            finding.verdict if finding else "",
            one.why if one else "",
            finding.message if finding else "",
            finding.reason if finding and finding.verdict == "waived" else "",
        )


def box_lines(outcome: BoxOutcome) -> Iterator[str]:
    """The counts of a box, then each finding that differs or is waived by its file."""
    name = Path(outcome.file).stem
    expected = f"{counted(outcome.explained, 'finding')} as expected"
    yield f"{name}: {expected}, {outcome.differs} differ"
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
    message = f" {result.message}" if result.message else ""
    found = result.found.replace("_", " ")
    return f"{what}: expected {result.expected}, found {found}.{message}"


def box_data(outcome: BoxOutcome) -> dict[str, Any]:
    """One box of the contract `sizewright.test/1`."""
    return {
        "case": outcome.case,
        "box": outcome.file,
        "explained": outcome.explained,
        "differs": outcome.differs,
        "findings": [{**result._asdict(), "agrees": result.agrees} for result in outcome.results],
    }
