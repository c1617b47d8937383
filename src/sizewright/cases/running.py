"""Plan a case study's workloads, check its boxes, and compare each printed value with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sizewright import units
from sizewright.cases.expected import Check, Decision, Expected, Printed, Span, Value
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
    judge,
    judge_further,
    precision,
    proof_gap,
)
from sizewright.cases.reading import EXPECTED, Case, Outcome, Result, read_case
from sizewright.cases.trials import EngineFor, Trial, Trials, guide_roots
from sizewright.documents import read_document
from sizewright.errors import collect_errors, refusal
from sizewright.quantity import Provenance, Quantity
from sizewright.units import UnitError

NOTHING = "nothing"


def run_case(case: Case, engine_for: EngineFor) -> Outcome:
    """Every comparison of a case study; `engine_for` returns the guide that a document asks for.

    Raises InputError for a workload that cannot be read or planned, for a box that cannot be
    checked, and for a path that cannot be followed.
    """
    run = _Run(
        case, Trials(case.folder, engine_for), _guide_roots(case, engine_for), _printed(case)
    )
    results = []
    with collect_errors() as errors:
        for printed, expected in case.entries:
            for check in expected.checks:
                with errors.catch(), _located(check):
                    results.append(run.compare(printed, expected, check))
        for decision in case.decisions:
            for check in decision.checks:
                with errors.catch(), _located(check):
                    results.append(run.compare_decision(decision, check))
    return Outcome(case, tuple(results))


def run_all(folders: Iterable[Path], engine_for: EngineFor) -> tuple[Outcome, ...]:
    """Read and run several case studies; raises InputError with the errors of all."""
    with collect_errors() as errors:
        return errors.for_each(lambda folder: run_case(read_case(folder), engine_for), folders)


@contextmanager
def _located(check: Check) -> Iterator[None]:
    """Raise an InputError at the place of a comparison for a path that cannot be followed."""
    try:
        yield
    except (PathError, UnitError) as error:
        hint = f"the path is {check.path}" if check.path else ""
        raise refusal(check.place, str(error), hint=hint) from None


def _guide_roots(case: Case, engine_for: EngineFor) -> Mapping[str, Any]:
    """What paths into the guide begin with; nothing if every comparison names a file."""
    if all(check.file for _, expected in case.entries for check in expected.checks):
        return {}
    engine = engine_for(read_document(Path(case.folder) / EXPECTED))
    return guide_roots(engine.guide, engine.book)


def _printed(case: Case) -> Mapping[str, Quantity]:
    """The numbers of the inventory, by id."""
    found = {}
    for printed, _ in case.entries:
        if isinstance(printed.value, Span):
            low, high = printed.value
            source = Provenance("printed", printed.id, f"section {printed.section}")
            found[printed.id] = Quantity(
                low, (low + high) / 2, high, printed.unit, name=printed.id, source=source
            )
    return found


class _Run(NamedTuple):
    """A case study with what its paths begin with."""

    case: Case
    trials: Trials
    guide: Mapping[str, Any]
    printed: Mapping[str, Quantity]

    def compare(self, printed: Printed, expected: Expected, check: Check) -> Result:
        """One comparison of an entry; raises PathError and UnitError."""
        further = check is not expected
        guide = _wanted(check) if further else printed.value
        tolerance = _tolerance(self.case, guide, check)
        computed: Value = NOTHING
        try:
            computed = _computed(printed, expected, check, self.roots(check))
            found = (
                judge_further(check, guide, computed, tolerance)
                if further
                else judge(printed, expected, computed, tolerance)
            )
        except NothingThereError as error:
            found = Judgement("differs", f"the plan has {error}")
        if found.forced_by and expected.differs:
            proof = expected.differs.proof
            gap = proof_gap(
                expected.differs, self.trial(check), self.trials.proof(proof) if proof else None
            )
            found = Judgement("differs", gap) if gap else found
        return Result(
            case=self.case.id, id=printed.id, what=printed.what, workload=check.file,
            path=check.path, cite=f"section {printed.section}", guide=guide, computed=computed,
            unit="" if isinstance(guide, str) else printed.unit, tolerance=tolerance,
            verdict=found.verdict, reason=found.reason, kind=kind_of(check.path),
            forced_by=found.forced_by,
        )  # fmt: skip

    def compare_decision(self, decision: Decision, check: Check) -> Result:
        """What the plan is without something that a workload states, or with it."""
        guide, tolerance = _wanted(check), check.tolerance or 0
        computed: Value = NOTHING
        try:
            start = {**self.trials.proof(decision.changed).roots, "printed": self.printed}
            computed = _value(resolve(check.path, start, _end(check)), check, "")
            found = judge_further(check, guide, computed, tolerance)
        except NothingThereError as error:
            found = Judgement("differs", f"the plan has {error}")
        return Result(
            case=self.case.id, id=f"{'without' if decision.stated else 'with'} {decision.key}",
            what=decision.then, workload=decision.changed.file, path=check.path,
            cite=f"section {decision.section}", guide=guide, computed=computed, unit="",
            tolerance=tolerance, verdict=found.verdict, reason=found.reason,
            kind=kind_of(check.path),
        )  # fmt: skip

    def trial(self, check: Check) -> Trial:
        """The plan or the check that a comparison is about."""
        if check.box:
            return self.trials.box(check.box)
        if check.workload:
            return self.trials.workload(check.workload)
        return Trial(self.guide, True, (), (), None)

    def roots(self, check: Check) -> Mapping[str, Any]:
        """What the path of a comparison begins with; a path into a demand needs no plan."""
        of_demand = check.workload and is_of_demand(check.path)
        trial = self.trials.demand(check.workload) if of_demand else self.trial(check)
        return {**trial.roots, "printed": self.printed}


def _wanted(check: Check) -> Value:
    """What a further comparison wants."""
    if check.right:
        return check.right.span
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
        return right.span
    found = resolve(check.path, start, _end(check))
    in_numbers = bool(
        check.right
        or (expected.erratum and expected.erratum.right)
        or (expected.differs and expected.differs.right)
    )
    if check.decision is not None or (isinstance(printed.value, str) and not in_numbers):
        return text_of(found)
    return _value(found, check, printed.unit)


def _end(check: Check) -> str:
    return "high" if check.end == "range" else check.end


def _value(found: Any, check: Check, unit: str) -> Value:
    """What a path leads to, in a unit if there is one."""
    if check.decision is not None:
        return text_of(found)
    if isinstance(found, (int, float)) and not isinstance(found, bool):
        return Span(float(found), float(found))
    if not isinstance(found, Quantity):
        return text_of(found)
    # What is counted in a configuration is a plain number, whatever the guide counts.
    if unit and (found.unit != units.PURE or unit == "%"):
        found = found.to(unit)
    if check.end == "range":
        return Span(found.low, found.high)
    return Span(found.at(check.end), found.at(check.end))
