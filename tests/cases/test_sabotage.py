"""Every table cell that a case study depends on: changed by 30 %, it fails a figure.

The cells are those in the provenance of compared figures, found by following every path of a case.
Case 7 is left out, as each of its cells takes a minute; the six others have cells enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from cases.copies import EXAMPLES, engine_of
from sizewright.api import Ready
from sizewright.cases.model import Case
from sizewright.cases.paths import PathError, resolve
from sizewright.cases.reading import case_folders, read_case
from sizewright.cases.running import run_case
from sizewright.cases.trials import Trials
from sizewright.documents import read_document
from sizewright.errors import InputFaults
from sizewright.figure import Figure
from sizewright.guide.model import Guide, Row, Table

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]

FACTOR = 1.3
CELLS_A_CASE = 6
SLOWEST = "case-7-enterprise-complex"
LEAST = 30

CASES = {
    case.id: case
    for case in map(read_case, case_folders(EXAMPLES))
    if case.workloads and case.id != SLOWEST
}  # fmt: skip


@cache
def cells_of(case_id: str) -> tuple[str, ...]:
    """The table cells that compared numbers of the case come from, as table/row/column, sorted."""
    case = CASES[case_id]
    trials = Trials(case.folder, engine_of)
    found: set[str] = set()
    for _, expected in case.entries:
        for check in expected.checks:
            if check.path and check.workload and check.decision is None:
                try:
                    value = resolve(check.path, trials.workload(check.workload).roots)
                except PathError:
                    continue
                found |= set(_cells(value))
    return tuple(sorted(found))


def _cells(value: object) -> Iterator[str]:
    """The cells that decide a figure: what another bound hides or rounding may hide is left out."""
    waiting, seen = [value], set[int]()
    while waiting:
        figure = waiting.pop()
        if isinstance(figure, Figure) and id(figure) not in seen:
            seen.add(id(figure))
            waiting += [each for each in figure.args if _decides(each, figure)]
            if figure.source and figure.source.kind == "table":
                yield figure.source.where


def _decides(part: Figure, figure: Figure) -> bool:
    if figure.op == "ceil":
        return False
    ends = ("low", "likely", "high")
    return figure.op not in ("min", "max") or any(part.at(e) == figure.at(e) for e in ends)


def spread(cells: tuple[str, ...], number: int) -> list[str]:
    """So many of the cells, evenly over the list."""
    step = max(len(cells) / number, 1)
    return [cells[int(n * step)] for n in range(min(number, len(cells)))]


def spoiled(guide: Guide, cell: str) -> Guide:
    """The guide with one number, or both ends of a range, multiplied."""
    name, row_id, column = cell.split("/")
    table = guide.tables[name]
    row = table[row_id]
    value = row.values[column]
    ends = value if isinstance(value, (list, tuple)) else [value]
    more = [end * FACTOR for end in ends]
    values = {**row.values, column: more if isinstance(value, (list, tuple)) else more[0]}
    copy = Row(name, row.columns, row_id, values, row.mark, row.marks, row.note)
    rows = {**table.rows, row_id: copy}
    tables = dict(guide.tables.items()) | {name: Table(name, table.title, table.columns, rows)}
    return guide._replace(tables=tables)


def engine_for(case: Case) -> Ready:
    """The guide of a case, made ready once."""
    return engine_of(read_document(Path(case.folder) / case.workloads[0]))


def test_enough_cells_are_tried() -> None:
    assert sum(len(spread(cells_of(case_id), CELLS_A_CASE)) for case_id in CASES) >= LEAST


@pytest.mark.parametrize("case_id", CASES)
@pytest.mark.parametrize("number", range(CELLS_A_CASE))
def test_a_cell_that_is_sabotaged_fails_a_figure(case_id: str, number: int) -> None:
    case = CASES[case_id]
    cells = spread(cells_of(case_id), CELLS_A_CASE)
    if number >= len(cells):
        pytest.skip(f"{case_id} comes from {len(cells)} cells")
    engine = Ready(spoiled(engine_for(case).guide, cells[number]))
    try:
        failing = [r for r in run_case(case, lambda document: engine).results if r.fails]
    except InputFaults:
        return
    assert failing, f"{cells[number]} times {FACTOR} moves no figure of {case_id}"
