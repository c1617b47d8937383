"""Every table cell that a case study depends on: changed by 30 %, it fails a comparison.

A case depends on a cell if some compared number changes with it. The cells are the leaves of all
compared numbers; these are recomputed with the changed cell by the evaluator of the tests, on the
configuration as planned, and compared anew. A few cells are changed in the guide as well and
everything is planned again, so that what is recomputed is known to be what the program computes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cases.copies import EXAMPLES, engine_of
from evaluator import Changed
from evaluator import leaves as evaluated_leaves
from sizewright.api import Engine
from sizewright.cases import running
from sizewright.cases.expected import Proof
from sizewright.cases.expressions import resolve
from sizewright.cases.reading import Case, Result, case_folders, read_case
from sizewright.cases.running import run_case
from sizewright.cases.trials import Trial, Trials
from sizewright.documents import read_document
from sizewright.errors import InputError
from sizewright.guide.model import Guide
from sizewright.quantity import Quantity

pytestmark = [pytest.mark.deep, pytest.mark.no_cover]

MORE = Fraction(13, 10)
FACTORS = (MORE, 1 / MORE)
LEAST = 30
PLANNED_AGAIN = 2

CASES = {case.id: case for case in map(read_case, case_folders(EXAMPLES)) if case.workload}
# Planned with all proofs in a few seconds.
QUICK = [
    case_id for case_id in CASES
    if case_id not in ("case-4-gis-database", "case-7-enterprise-complex")
]  # fmt: skip


class Unproved(Trials):
    """The plans and boxes of a case; proofs of differences do not depend on compared numbers."""

    def proof(self, proof: Proof) -> Trial:
        """Return an empty trial: nothing is planned."""
        return Trial({}, True, (), (), None)


class Compared(NamedTuple):
    """A case with its plans, and every number that is compared."""

    case: Case
    trials: Trials
    results: tuple[Result, ...]
    numbers: tuple[Quantity, ...]


@cache
def compared(case_id: str) -> Compared:
    """The comparisons of a case as they are."""
    case, numbers = CASES[case_id], []
    trials = Unproved(case.folder, engine_of)

    def noting(figure: Quantity) -> Quantity:
        numbers.append(figure)
        return figure

    results = _results(case, trials, noting)
    assert not [result.id for result in results if result.fails]
    return Compared(case, trials, results, tuple(numbers))


def _results(case: Case, trials: Trials, of: Any) -> tuple[Result, ...]:
    """Every comparison, with what `of` makes of each number."""

    def changed(*args: Any) -> Any:
        value = resolve(*args)
        return of(value) if isinstance(value, Quantity) else value

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "Trials", lambda *_: trials)
        patch.setattr(running, "proof_gap", lambda *_: "")
        patch.setattr(running, "resolve", changed)
        return run_case(case._replace(decisions=()), engine_of).results


@cache
def cells_of(case_id: str) -> tuple[str, ...]:
    """The table cells that compared numbers come from, as table/row/column, sorted."""
    sources = [leaf.source for leaf in evaluated_leaves(compared(case_id).numbers)]
    return tuple(sorted({each.where for each in sources if each and each.kind == "table"}))


def recomputed(case_id: str, cell: str, factor: Fraction) -> tuple[Result, ...]:
    """Every comparison, all numbers recomputed with one cell multiplied."""
    changed = Changed(cell, factor)

    def again(figure: Quantity) -> Quantity:
        low, likely, high = map(float, changed.value(figure))
        return Quantity(low, likely, high, figure.unit, name=figure.name)

    return _results(CASES[case_id], compared(case_id).trials, again)


class Sabotage(NamedTuple):
    """A cell, by what it is multiplied, and the comparisons that fail then."""

    cell: str
    factor: Fraction
    failing: tuple[str, ...]


@cache
def sabotages(case_id: str) -> tuple[Sabotage, ...]:
    """Every change of a cell that moves a compared number."""
    return tuple(_sabotages(case_id))


def _sabotages(case_id: str) -> Iterator[Sabotage]:
    before = [result.computed for result in compared(case_id).results]
    for cell in cells_of(case_id):
        for factor in FACTORS:
            after = recomputed(case_id, cell, factor)
            if before != [result.computed for result in after]:
                yield Sabotage(cell, factor, tuple(r.id for r in after if r.fails))


def spoiled(guide: Guide, cell: str) -> Guide:
    """The guide with one number, or both ends of a range, multiplied."""
    name, row_id, column = cell.split("/")
    value, factor = guide.row(name, row_id).values[column], float(MORE)
    more = [end * factor for end in value] if isinstance(value, Sequence) else value * factor
    return guide.with_values(name, row_id, {column: more})


@pytest.mark.parametrize("case_id", CASES)
def test_every_cell_that_moves_a_compared_number_fails_a_comparison(case_id: str) -> None:
    assert sabotages(case_id)
    assert not [(each.cell, each.factor) for each in sabotages(case_id) if not each.failing]


def test_enough_cells_are_tried() -> None:
    """Already by the cases that plan quickly."""
    assert len({(c, each.cell) for c in QUICK for each in sabotages(c)}) >= LEAST


@pytest.mark.parametrize("case_id", QUICK)
@pytest.mark.parametrize("number", range(PLANNED_AGAIN))
def test_a_cell_that_is_changed_in_the_guide_fails_a_comparison(case_id: str, number: int) -> None:
    cells = [each.cell for each in sabotages(case_id) if each.factor == MORE]
    cell = cells[number * (len(cells) - 1)]
    case = CASES[case_id]
    document = read_document(Path(case.folder) / case.workload)
    engine = Engine(spoiled(engine_of(document).guide, cell))
    try:
        failing = [r for r in run_case(case, lambda document: engine).results if r.fails]
    except InputError:
        return
    assert failing, f"{cell} times {float(MORE)} moves no figure of {case_id}"
