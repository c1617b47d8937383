"""Plans a case study's workloads and holds each printed figure against its plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sizewright import units
from sizewright.api import Ready, plan, read_workload
from sizewright.cases.comparing import Span, precision, span_of
from sizewright.cases.judging import Judged, evaluated, judged, judged_beside, plain
from sizewright.cases.model import Case, Check, Expected, Outcome, Printed, Result, Value
from sizewright.cases.paths import NothingThereError, PathError, kind_of, resolve, roots, text_of
from sizewright.cases.reading import EXPECTED, read_case
from sizewright.cases.together import for_all
from sizewright.documents import Document, read_document
from sizewright.errors import Fault, InputFaults
from sizewright.figure import Figure, Source
from sizewright.units import UnitError

Starts = Mapping[str, Mapping[str, Any]]
Engine = Callable[[Document], Ready]
NOTHING = "nothing"


def run_case(case: Case, engine: Engine) -> Outcome:
    """Every comparison of a case study; `engine` gives the guide that a document asks for.

    Raises InputFaults for a workload that cannot be read or planned, and for a path that cannot be
    followed.
    """
    starts: dict[str, Mapping[str, Any]] = {}
    for name in case.workloads:
        document = read_document(Path(case.folder) / name)
        ready = engine(document)
        starts[name] = roots(plan(read_workload(document), ready), ready.book)
    if any(not check.workload for _, expected in case.entries for check in expected.checks):
        starts[""] = _guide_roots(engine(read_document(Path(case.folder) / EXPECTED)))
    printed_figures = {p.id: _printed_figure(p) for p, _ in case.entries if p.is_number}
    starts = {name: {**start, "printed": printed_figures} for name, start in starts.items()}
    faults: list[Fault] = []
    results = [
        result
        for printed, expected in case.entries
        for result in _results(case, printed, expected, starts, faults)
    ]
    if faults:
        raise InputFaults(faults)
    return Outcome(case, tuple(results))


def run_all(folders: Iterable[Path], engine: Engine) -> tuple[Outcome, ...]:
    """Read and run several case studies; raises InputFaults with the faults of all."""
    return for_all(lambda folder: run_case(read_case(folder), engine), folders)


def _guide_roots(ready: Ready) -> Mapping[str, Any]:
    """Where paths begin when nothing is planned."""
    parameters = {rule.id: rule.parameters for rule in ready.book.rules}
    return {"table": ready.guide.tables, "parameter": parameters}


def _printed_figure(printed: Printed) -> Figure:
    """A number of the guide that other figures of the case are computed with."""
    if isinstance(printed.value, str):
        raise PathError(f"'{printed.id}' is printed in words")
    low, high = span_of(printed.value)
    source = Source("printed", printed.id, f"section {printed.section}")
    return Figure(low, (low + high) / 2, high, printed.unit, name=printed.id, source=source)


def _results(
    case: Case, printed: Printed, expected: Expected, starts: Starts, faults: list[Fault]
) -> Iterator[Result]:
    for check in expected.checks:
        try:
            yield _result(case, printed, expected, check, starts[check.workload])
        except (PathError, UnitError) as error:
            hint = f"the path is {check.path}" if check.path else ""
            faults.append(Fault(check.place, str(error), hint=hint))


def _result(
    case: Case, printed: Printed, expected: Expected, check: Check, start: Mapping[str, Any]
) -> Result:
    beside = check is not expected.checks[0] or bool(expected.undecided)
    guide = _wanted_beside(check) if beside else printed.value
    tolerance = _tolerance(case, guide, check)
    computed: Value = NOTHING
    try:
        computed = _computed(printed, expected, check, start)
        says = (
            judged_beside(check, guide, computed, tolerance)
            if beside
            else judged(printed, expected, check, computed, tolerance, start)
        )
    except NothingThereError as error:
        says = Judged("differs", f"the plan has {error}")
    return Result(
        case=case.id, id=printed.id, what=printed.what, workload=check.workload, path=check.path,
        cite=f"section {printed.section}", guide=guide, computed=computed,
        unit="" if isinstance(guide, str) else printed.unit, tolerance=tolerance,
        verdict=says.verdict, reason=says.reason, kind=kind_of(check.path),
        forced_by=says.forced_by,
    )  # fmt: skip


def _wanted_beside(check: Check) -> Value:
    if check.right:
        return plain(evaluated(check.right))
    if check.decision is None:
        raise PathError("a further comparison needs what is right, or a decision")
    return check.decision


def _tolerance(case: Case, guide: Value, check: Check) -> float:
    free = case.reason_beyond_percent
    if isinstance(guide, str):
        if check.tolerance is not None:
            raise PathError("a choice in words has no tolerance")
        return 0
    if check.tolerance is None:
        return 0 if check.right else precision(guide, free, units.PERCENT)
    least = min(map(abs, span_of(guide)))
    if check.tolerance * units.PERCENT > least * free and not check.tolerance_reason:
        raise PathError(f"a tolerance beyond {free:g} % of the value needs a tolerance_reason")
    return check.tolerance


def _computed(
    printed: Printed, expected: Expected, check: Check, start: Mapping[str, Any]
) -> Value:
    if not check.path:
        right = (expected.erratum and expected.erratum.right) or printed.right
        if not right:
            raise PathError("there is neither a path nor an expression to compare with")
        return plain(evaluated(right))
    found = resolve(check.path, start, "high" if check.end == "range" else check.end)
    in_numbers = bool(check.right or (expected.erratum and expected.erratum.right))
    if check.decision is not None or (isinstance(printed.value, str) and not in_numbers):
        return text_of(found)
    if isinstance(found, (int, float)) and not isinstance(found, bool):
        return float(found)
    if not isinstance(found, Figure):
        return text_of(found)
    # What is counted in a configuration is a plain number, whatever the guide counts.
    if printed.unit and (found.unit != units.PURE or printed.unit == "%"):
        found = found.to(printed.unit)
    return plain(Span(found.low, found.high)) if check.end == "range" else found.at(check.end)
