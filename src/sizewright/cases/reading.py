"""Read a case study: its inventory of printed values, and what is expected of each."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from sizewright.cases.expected import (
    Check,
    Decision,
    Expectations,
    Expected,
    Inventory,
    Printed,
    Value,
)
from sizewright.cases.expressions import Kind
from sizewright.documents import read_document
from sizewright.engine import workload_guide
from sizewright.errors import Diagnostic, Location, collect_errors, did_you_mean, refusal
from sizewright.guide.model import place_of
from sizewright.schema.quantity import read_model

Verdict = Literal["agrees", "erratum", "differs"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Case(NamedTuple):
    """A case study as read: each printed value with its expectation, in the guide's order.

    Without a workload it has examples that the guide calculates. `guide` is the one that it or its
    workload names; empty if neither does. `workload` is of comparisons that name no file.
    """

    id: str
    title: str
    section: str
    folder: str
    reason_beyond_percent: float
    entries: tuple[tuple[Printed, Expected], ...]
    guide: str = ""
    workload: str = ""
    decisions: tuple[Decision, ...] = ()

    def file_of(self, check: Check) -> str:
        """The workload or the box that a comparison is about; empty if it is about neither."""
        return check.file or self.workload


class Result(NamedTuple):
    """One comparison's outcome; `tolerance` is absolute, in the unit of the printed value."""

    case: str
    id: str
    kind: Kind
    workload: str
    path: str
    cite: str
    guide: Value
    computed: Value
    unit: str
    tolerance: float
    verdict: Verdict
    reason: str
    forced_by: str = ""

    @property
    def fails(self) -> bool:
        """Whether it is a difference without an explanation."""
        return self.verdict == "differs" and not self.forced_by


class Outcome(NamedTuple):
    """A case study as run."""

    case: Case
    results: tuple[Result, ...]

    @property
    def undecided(self) -> tuple[tuple[Printed, str], ...]:
        """The guide's choices that a plan does not make, each with the reason."""
        return tuple((p, e.undecided) for p, e in self.case.entries if e.undecided)

    def count(self, verdict: Verdict) -> int:
        """How many comparisons have a verdict, including differences that a rule forces."""
        return sum(result.verdict == verdict for result in self.results)

    @property
    def forced(self) -> int:
        """How many differences a rule forces."""
        return sum(bool(result.forced_by) for result in self.results)

    @property
    def fails(self) -> bool:
        """Whether some value differs without an explanation."""
        return any(result.fails for result in self.results)


INVENTORY = "inventory.yaml"
EXPECTED = "expected.yaml"


def case_folders(folder: Path) -> tuple[Path, ...]:
    """Every folder at or below one that contains a case study; raises InputError for no folder."""
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "there is no such folder"
        raise refusal(Location(str(folder)), what, "a folder with case studies")
    return tuple(sorted(path.parent for path in folder.rglob(INVENTORY)))


def read_case(folder: Path) -> Case:
    """Read one case study. Raises InputError with every error of both files.

    Every value of the inventory has exactly one expectation, every expectation a value.
    """
    document = read_document(folder / EXPECTED)
    with collect_errors() as errors:
        with errors.catch():
            inventory = read_model(read_document(folder / INVENTORY), Inventory)
        expectations = read_model(document, Expectations)
    with collect_errors() as errors:
        if expectations.case != inventory.case:
            what = "case is not the inventory's"
            errors.append(Diagnostic(document.place(("case",)), what, f"'{inventory.case}'"))
        errors.extend(_pairing_errors(inventory.figures, expectations.figures))
        workload = expectations.workload
        errors.extend(_missing_files(folder, expectations.figures, workload))
    by_id = {one.id: one for one in expectations.figures}
    return Case(
        id=inventory.case, title=inventory.title, section=inventory.section, folder=str(folder),
        reason_beyond_percent=expectations.reason_beyond_percent,
        entries=tuple((figure, by_id[figure.id]) for figure in inventory.figures),
        decisions=expectations.decisions, workload=workload,
        guide=expectations.guide or workload_guide(read_document(folder / workload), "", ""),
    )  # fmt: skip


def _pairing_errors(
    printed: Iterable[Printed], expected: Iterable[Expected]
) -> Iterator[Diagnostic]:
    values = {one.id: one for one in printed}
    expectations = {one.id: one for one in expected}
    for entries, by_id, what in (
        (printed, values, "figure"), (expected, expectations, "expectation"),
    ):  # fmt: skip
        for one in entries:
            if by_id[one.id] is not one:
                yield Diagnostic(place_of(one.id), f"a second {what} has the id '{one.id}'")
    for name in values:
        if name not in expectations:
            yield Diagnostic(place_of(name), f"figure '{name}' has no entry in {EXPECTED}")
    for name in expectations:
        if name not in values:
            what = f"there is no figure '{name}' in {INVENTORY}"
            yield Diagnostic(place_of(name), what, "", did_you_mean(name, values))


def _missing_files(
    folder: Path, expected: Iterable[Expected], workload: str
) -> Iterator[Diagnostic]:
    for entry in expected:
        named = [(check.file or workload, check.place) for check in entry.checks]
        if entry.differs and entry.differs.proof:
            named.append((entry.differs.proof.file, entry.differs.proof.place))
        for file, place in named:
            if file and not (folder / file).is_file():
                yield Diagnostic(place, f"there is no file '{file}' next to it")
