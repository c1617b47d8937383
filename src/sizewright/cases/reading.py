"""Read a case study: its inventory of printed values, and what is expected of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from sizewright.cases.expected import Expectations, Expected, Inventory, Printed
from sizewright.cases.model import Case
from sizewright.documents import read_document
from sizewright.engine import workload_guide
from sizewright.errors import (
    Diagnostic,
    Location,
    collect_errors,
    did_you_mean,
    refusal,
)
from sizewright.guide.lookup import place_of
from sizewright.schema.reading import read_model

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
        expected = [one.with_workload(workload) for one in expectations.figures]
        errors.extend(_missing_files(folder, expected))
    by_id = {one.id: one for one in expected}
    return Case(
        id=inventory.case, title=inventory.title, section=inventory.section, folder=str(folder),
        reason_beyond_percent=expectations.reason_beyond_percent,
        entries=tuple((figure, by_id[figure.id]) for figure in inventory.figures),
        decisions=expectations.decisions,
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


def _missing_files(folder: Path, expected: Iterable[Expected]) -> Iterator[Diagnostic]:
    for entry in expected:
        named = [(check.file, check.place) for check in entry.checks]
        if entry.differs and entry.differs.proof:
            named.append((entry.differs.proof.file, entry.differs.proof.place))
        for file, place in named:
            if file and not (folder / file).is_file():
                yield Diagnostic(place, f"there is no file '{file}' next to it")
