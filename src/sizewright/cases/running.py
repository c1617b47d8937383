"""Plans a case study's workloads, checks its boxes, and compares each printed figure with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sizewright import units
from sizewright.cases.expected import Check, Decision, Expected, Printed, Value
from sizewright.cases.expressions import (
    NothingThereError,
    PathError,
    is_of_demand,
    kind_of,
    resolve,
    text_of,
)
from sizewright.cases.judging import (
    Judgement,
    Span,
    evaluate_span,
    judge,
    judge_further,
    precision,
    proof_gap,
    span_of,
    span_value,
)
from sizewright.cases.model import Case, Outcome, Result
from sizewright.cases.reading import EXPECTED, read_case
from sizewright.cases.trials import EngineFor, Trial, Trials, guide_roots
from sizewright.documents import read_document
from sizewright.errors import Diagnostic, InputError, collect_errors
from sizewright.quantity import Provenance, Quantity
from sizewright.units import UnitError

NOTHING = "nothing"


def run_case(case: Case, engine_for: EngineFor) -> Outcome:
    """Every comparison of a case study; `engine_for` gives the guide that a document asks for.

    Raises InputFaults for a workload that cannot be read or planned, for a box that cannot be
    checked, and for a path that cannot be followed.
    """
    run = _Run(
        case, Trials(case.folder, engine_for), _alone(case, engine_for), _printed_figures(case)
    )
    faults: list[Diagnostic] = []
    results = [
        result
        for printed, expected in case.entries
        for result in run.results(printed, expected, faults)
    ]
    results += [one for each in case.decisions for one in run.turned(each, faults)]
    if faults:
        raise InputError(faults)
    return Outcome(case, tuple(results))


def run_all(folders: Iterable[Path], engine_for: EngineFor) -> tuple[Outcome, ...]:
    """Read and run several case studies; raises InputFaults with the faults of all."""
    with collect_errors() as errors:
        return errors.for_each(lambda folder: run_case(read_case(folder), engine_for), folders)


def _alone(case: Case, engine_for: EngineFor) -> Mapping[str, Any]:
    """Where paths begin if nothing is planned or checked; nowhere if every check names a file."""
    if all(check.file for _, expected in case.entries for check in expected.checks):
        return {}
    ready = engine_for(read_document(Path(case.folder) / EXPECTED))
    return guide_roots(ready.guide, ready.book)


def _printed_figures(case: Case) -> Mapping[str, Quantity]:
    """The numbers of the inventory, by id."""
    found = {}
    for printed, _ in case.entries:
        if not isinstance(printed.value, str):
            low, high = span_of(printed.value)
            source = Provenance("printed", printed.id, f"section {printed.section}")
            found[printed.id] = Quantity(
                low, (low + high) / 2, high, printed.unit, name=printed.id, source=source
            )
    return found


class _Run(NamedTuple):
    """A case with what its paths begin from."""

    case: Case
    trials: Trials
    alone: Mapping[str, Any]
    figures: Mapping[str, Quantity]

    def results(
        self, printed: Printed, expected: Expected, faults: list[Diagnostic]
    ) -> Iterator[Result]:
        """The comparisons of one entry; what cannot be followed goes to `faults`."""
        for check in expected.checks:
            try:
                yield self.result(printed, expected, check)
            except (PathError, UnitError) as error:
                hint = f"the path is {check.path}" if check.path else ""
                faults.append(Diagnostic(check.place, str(error), hint=hint))

    def turned(self, decision: Decision, faults: list[Diagnostic]) -> Iterator[Result]:
        """What the plan is without something that a workload states, or with it."""
        trial = self.trials.proof(decision.changed)
        start = {**trial.roots, "printed": self.figures}
        for check in decision.checks:
            try:
                guide = _wanted_beside(check)
                computed = _value(resolve(check.path, start, _end(check)), check, "")
                says = judge_further(check, guide, computed, check.tolerance or 0)
            except NothingThereError as error:
                says, computed = Judgement("differs", f"the plan has {error}"), NOTHING
            except (PathError, UnitError) as error:
                hint = f"the path is {check.path}"
                faults.append(Diagnostic(check.place, str(error), hint=hint))
                continue
            yield Result(
                case=self.case.id, id=f"{_turn(decision)} {decision.key}", what=decision.then,
                workload=decision.changed.file, path=check.path,
                cite=f"section {decision.section}", guide=guide, computed=computed, unit="",
                tolerance=check.tolerance or 0, verdict=says.verdict, reason=says.reason,
                kind=kind_of(check.path),
            )  # fmt: skip

    def trial(self, check: Check) -> Trial:
        """The plan or the check that a comparison is about."""
        if check.box:
            return self.trials.box(check.box)
        if check.workload:
            return self.trials.workload(check.workload)
        return Trial(self.alone, True, (), (), None)

    def roots(self, check: Check) -> Mapping[str, Any]:
        """Where the path of a comparison begins; nothing is planned for a path into a demand."""
        if check.workload and is_of_demand(check.path):
            return self.trials.demand(check.workload).roots
        return self.trial(check).roots

    def result(self, printed: Printed, expected: Expected, check: Check) -> Result:
        """One comparison; raises PathError and UnitError."""
        beside = check is not expected.checks[0] or bool(expected.undecided)
        guide = _wanted_beside(check) if beside else printed.value
        tolerance = _tolerance(self.case, guide, check)
        computed: Value = NOTHING
        try:
            start = {**self.roots(check), "printed": self.figures}
            computed = _computed(printed, expected, check, start)
            says = (
                judge_further(check, guide, computed, tolerance)
                if beside
                else judge(printed, expected, computed, tolerance)
            )
        except NothingThereError as error:
            says = Judgement("differs", f"the plan has {error}")
        if says.forced_by and expected.differs:
            tried = self.trials.proof(expected.differs.proof) if expected.differs.proof else None
            slip = proof_gap(expected.differs, self.trial(check), tried)
            says = Judgement("differs", slip) if slip else says
        return Result(
            case=self.case.id, id=printed.id, what=printed.what, workload=check.file,
            path=check.path, cite=f"section {printed.section}", guide=guide, computed=computed,
            unit="" if isinstance(guide, str) else printed.unit, tolerance=tolerance,
            verdict=says.verdict, reason=says.reason, kind=kind_of(check.path),
            forced_by=says.forced_by,
        )  # fmt: skip


def _wanted_beside(check: Check) -> Value:
    if check.right:
        return span_value(evaluate_span(check.right))
    if check.decision is None:
        raise PathError("a further comparison needs what is right, or a decision")
    return check.decision


def _tolerance(case: Case, guide: Value, check: Check) -> float:
    free = case.reason_beyond_percent
    if isinstance(guide, str):
        if check.tolerance is not None:
            raise PathError("a choice in words has no tolerance")
        return 0
    printed = 0 if check.right else precision(guide, free, units.PERCENT)
    if check.tolerance is None:
        return printed
    if check.tolerance > printed and not check.tolerance_reason:
        raise PathError(
            f"a tolerance beyond the printed precision, {printed:g}, needs a tolerance_reason"
        )
    return check.tolerance


def _computed(
    printed: Printed, expected: Expected, check: Check, start: Mapping[str, Any]
) -> Value:
    if not check.path:
        right = (expected.erratum and expected.erratum.right) or printed.right
        if not right:
            raise PathError("there is neither a path nor an expression to compare with")
        return span_value(evaluate_span(right))
    found = resolve(check.path, start, _end(check))
    in_numbers = bool(
        check.right
        or (expected.erratum and expected.erratum.right)
        or (expected.differs and expected.differs.right)
    )
    if check.decision is not None or (isinstance(printed.value, str) and not in_numbers):
        return text_of(found)
    return _value(found, check, printed.unit)


def _turn(decision: Decision) -> str:
    return "without" if decision.stated else "with"


def _end(check: Check) -> str:
    return "high" if check.end == "range" else check.end


def _value(found: Any, check: Check, unit: str) -> Value:
    """What a path leads to, in a unit if there is one."""
    if check.decision is not None:
        return text_of(found)
    if isinstance(found, (int, float)) and not isinstance(found, bool):
        return float(found)
    if not isinstance(found, Quantity):
        return text_of(found)
    # What is counted in a configuration is a plain number, whatever the guide counts.
    if unit and (found.unit != units.PURE or unit == "%"):
        found = found.to(unit)
    return span_value(Span(found.low, found.high)) if check.end == "range" else found.at(check.end)
