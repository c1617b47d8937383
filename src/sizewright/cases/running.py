"""Plan a case study's workloads, check its boxes, and compare each printed value with them."""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sizewright import units
from sizewright.cases.expected import (
    Check,
    Decision,
    Difference,
    Erratum,
    Expected,
    Printed,
    Span,
    Value,
)
from sizewright.cases.expressions import (
    NothingThereError,
    PathError,
    is_of_demand,
    kind_of,
    resolve,
    text_of,
)
from sizewright.cases.reading import EXPECTED, Case, Outcome, Result, Verdict
from sizewright.cases.trials import EngineFor, Trial, Trials, guide_roots
from sizewright.documents import read_document
from sizewright.errors import collect_errors, refusal
from sizewright.quantity import Provenance, Quantity
from sizewright.rules.rule import MISSED, Finding
from sizewright.units import UnitError


def precision(value: Value, at_most_percent: float) -> float:
    """Half of the last printed digit, but at most the percentage that needs no reason."""
    if isinstance(value, str):
        return 0
    return min(min(_half_digit(end), abs(end) * at_most_percent / units.PERCENT) for end in value)


def _half_digit(number: float) -> float:
    exponent = Decimal(str(number)).normalize().as_tuple().exponent
    places = min(exponent, 0) if isinstance(exponent, int) else 0
    return float(Decimal(1).scaleb(places) / 2)


def is_near(computed: float, wanted: float, tolerance: float) -> bool:
    """Whether two numbers are equal within a tolerance and the rounding of floats."""
    return abs(computed - wanted) <= tolerance or math.isclose(computed, wanted, abs_tol=tolerance)


def agrees_with(computed: Span, wanted: Span, tolerance: float) -> bool:
    """Whether a computed value agrees with one that is wanted.

    A number agrees with a wanted range if it is inside. In every other case both ends must agree:
    a computed range that contains a number does not agree with it.
    """
    if wanted.is_range and not computed.is_range:
        return is_inside(computed, wanted, tolerance)
    return is_near(computed.low, wanted.low, tolerance) and is_near(
        computed.high, wanted.high, tolerance
    )


def is_inside(one: Span, other: Span, tolerance: float) -> bool:
    """Whether a value is inside another, within a tolerance."""
    above = one.low >= other.low or is_near(one.low, other.low, tolerance)
    below = one.high <= other.high or is_near(one.high, other.high, tolerance)
    return above and below


#: What forces a difference if the guide's choice meets every limit but is larger.
SMALLER = "smaller"


class Judgement(NamedTuple):
    """A verdict, its reason, and the rule that forces a difference."""

    verdict: Verdict
    reason: str = ""
    forced_by: str = ""


def judge(printed: Printed, expected: Expected, computed: Value, tolerance: float) -> Judgement:
    """Compare the value at an entry's own path with the entry."""
    error = inventory_error(printed, expected, tolerance)
    if error:
        return Judgement("differs", error)
    if expected.erratum:
        return _erratum(printed, expected, expected.erratum, computed, tolerance)
    if expected.differs:
        return _difference(printed, expected.differs, computed, tolerance)
    if not expected.path and printed.is_number:
        # The guide's own arithmetic, which `inventory_error` has judged.
        return Judgement("agrees", expected.tolerance_reason or expected.note)
    if expected.decision is not None:
        return _against(computed, expected.decision, 0, expected.note)
    if expected.bound:
        return _bounded(printed, expected.bound, computed)
    wanted = printed.printed
    if isinstance(wanted, Span) and expected.end in ("low", "high"):
        end = wanted.low if expected.end == "low" else wanted.high
        wanted = Span(end, end)
    return _against(computed, wanted, tolerance, expected.tolerance_reason or expected.note)


def judge_further(check: Check, wanted: Value, computed: Value, tolerance: float) -> Judgement:
    """Compare with what follows from the guide's inputs, not with the printed value."""
    follows = f"follows from {check.right}" if check.right else "in the plan's terms"
    return _against(computed, wanted, tolerance, check.note or follows)


def _against(computed: Value, wanted: Value, tolerance: float, note: str = "") -> Judgement:
    """Return whether two values agree; the note is the reason if they do."""
    if isinstance(computed, str) or isinstance(wanted, str):
        same = computed == wanted
    else:
        same = agrees_with(computed, wanted, tolerance)
    if same:
        return Judgement("agrees", note)
    return Judgement("differs", f"{format_value(computed)}, not {format_value(wanted)}")


def _erratum(
    printed: Printed, expected: Expected, erratum: Erratum, computed: Value, tolerance: float
) -> Judgement:
    if not erratum.right:
        wanted: Value = expected.decision if expected.decision is not None else computed
        stands = wanted == printed.printed
    else:
        wanted = erratum.right.span
        stands = _against(wanted, printed.printed, tolerance).verdict == "agrees"
    if stands:
        return Judgement("differs", "listed as an erratum, but what is printed is right")
    same = _against(computed, wanted, 0)
    if same.verdict != "agrees":
        return same
    return Judgement("erratum", f"{erratum.why} {erratum.consequence}")


def _difference(
    printed: Printed, differs: Difference, computed: Value, tolerance: float
) -> Judgement:
    wanted: Value = differs.right.span if differs.right else differs.instead
    same = _against(computed, wanted, 0 if differs.right else tolerance)
    if same.verdict != "agrees":
        return same
    if computed == printed.printed:
        return Judgement("differs", "listed as a difference, but the plan has what is printed")
    return Judgement("differs", differs.reason, differs.forced_by)


def proof_gap(differs: Difference, own: Trial, tried: Trial | None) -> str:
    """Why the guide's choice, as `tried`, does not show what forces the difference; empty if so.

    `own` is the plan or check that differs. The guide's choice must break the rule that is named
    and `own` must not; or it meets every limit, is larger, and `smaller` is named.
    """
    if tried is None:
        return f"nothing proves that {differs.forced_by} forces it"
    if differs.forced_by == SMALLER:
        if not tried.fits:
            return "the guide's choice does not meet every limit, so a rule forbids it"
        if tried.size is None or own.size is None or tried.size <= own.size:
            return "the guide's choice is not larger"
        return ""
    if not any(_breaks(each, differs) for each in (*tried.findings, *tried.turned_down)):
        return f"the guide's choice does not break rule {differs.forced_by}"
    if any(_breaks(each, differs) for each in own.findings):
        return f"the plan itself breaks rule {differs.forced_by}"
    return ""


def _breaks(finding: Finding, differs: Difference) -> bool:
    return finding.rule == differs.forced_by and finding.verdict in MISSED


def _bounded(printed: Printed, bound: str, computed: Value) -> Judgement:
    words = f"printed as '{printed.as_printed}'"
    if isinstance(printed.printed, str) or isinstance(computed, str):
        return Judgement("differs", f"{words}: no bound on {format_value(computed)}")
    if not _within(computed, printed.printed, bound):
        return Judgement("differs", f"{format_value(computed)}, {words}")
    # A bound alone would let nearly anything pass, so the guide's own arithmetic must come out.
    wanted = printed.right.span if printed.right else printed.printed
    return _against(computed, wanted, 0, words)


def _within(value: Span, limit: Span, bound: str) -> bool:
    open_end = Span(-math.inf, limit.high) if bound == "at_most" else Span(limit.low, math.inf)
    return is_inside(value, open_end, 0)


def inventory_error(printed: Printed, expected: Expected, tolerance: float) -> str:
    """What is wrong with the inventory's statement on the guide's arithmetic; empty if nothing."""
    if not printed.right or isinstance(printed.printed, str):
        return ""
    right, value = printed.right.span, printed.printed
    if expected.bound:
        follows = _within(right, value, expected.bound)
    else:
        # The inputs may give a range for a printed number, or a number for a printed range.
        follows = agrees_with(right, value, tolerance) or agrees_with(value, right, tolerance)
    given = f"its own inputs give {format_value(right)} for the printed {format_value(value)}"
    if follows != printed.sound:
        return f"called {'sound' if printed.sound else 'unsound'}, but {given}"
    if not printed.sound and expected.erratum is None:
        return f"{given}, but it is not listed as an erratum"
    return ""


def format_value(value: Value) -> str:
    """A value as messages show it."""
    if isinstance(value, str):
        return f"'{value}'"
    ends = value if value.is_range else (value.low,)
    return "–".join(f"{end:.4g}" for end in ends)


NOTHING = "nothing"


def run_case(case: Case, engine_for: EngineFor) -> Outcome:
    """Every comparison of a case study; `engine_for` returns the guide that a document asks for.

    Raises InputError for a workload that cannot be read or planned, for a box that cannot be
    checked, and for a path that cannot be followed.
    """
    trials = Trials(case.folder, engine_for)
    run = _Run(case, trials, _guide_roots(case, engine_for), _printed(case))
    wanted = [
        (check, partial(run.compare, printed, expected, check))
        for printed, expected in case.entries
        for check in expected.checks
    ] + [
        (check, partial(run.compare_decision, decision, check))
        for decision in case.decisions
        for check in decision.checks
    ]
    results = []
    with collect_errors() as errors:
        for check, compare in wanted:
            with errors.catch(), _located(check):
                results.append(compare())
    return Outcome(case, tuple(results))


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
    if all(case.file_of(check) for _, expected in case.entries for check in expected.checks):
        return {}
    engine = engine_for(read_document(Path(case.folder) / EXPECTED))
    return guide_roots(engine.guide, engine.rule_set)


def _printed(case: Case) -> Mapping[str, Quantity]:
    found = {}
    for printed, _ in case.entries:
        if isinstance(printed.printed, Span):
            low, high = printed.printed
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
        guide = _wanted(check) if further else printed.printed
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
            tried = self.trials.proof(proof) if proof else None
            gap = proof_gap(expected.differs, self.trial(check), tried)
            found = Judgement("differs", gap) if gap else found
        unit = "" if isinstance(guide, str) else printed.unit
        return self.result(
            check, found, computed, id=printed.id, workload=self.case.file_of(check),
            cite=f"section {printed.section}", guide=guide, unit=unit, tolerance=tolerance,
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
        name = f"{'without' if decision.stated else 'with'} {decision.key}"
        return self.result(
            check, found, computed, id=name, workload=decision.changed.file,
            cite=f"section {decision.section}", guide=guide, unit="", tolerance=tolerance,
        )  # fmt: skip

    def result(self, check: Check, found: Judgement, computed: Value, **more: Any) -> Result:
        """A comparison with its verdict."""
        return Result(
            case=self.case.id, kind=kind_of(check.path), path=check.path, computed=computed,
            **found._asdict(), **more,
        )  # fmt: skip

    def trial(self, check: Check) -> Trial:
        """The plan or the check that a comparison is about."""
        if check.box:
            return self.trials.box(check.box)
        file = self.case.file_of(check)
        return self.trials.workload(file) if file else Trial(self.guide)

    def roots(self, check: Check) -> Mapping[str, Any]:
        """What the path of a comparison begins with; a path into a demand needs no plan."""
        file = "" if check.box else self.case.file_of(check)
        trial = self.trials.demand(file) if file and is_of_demand(check.path) else self.trial(check)
        return {**trial.roots, "printed": self.printed}


def _wanted(check: Check) -> Value:
    if check.right:
        return check.right.span
    if check.decision is None:
        raise PathError("a further comparison needs what is right, or a decision")
    return check.decision


def _tolerance(case: Case, guide: Value, check: Check) -> float:
    if isinstance(guide, str):
        if check.tolerance is not None:
            raise PathError("a choice in words has no tolerance")
        return 0
    printed = 0 if check.right else precision(guide, case.reason_beyond_percent)
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
    rights = (check, expected.erratum, expected.differs)
    in_numbers = printed.is_number or any(each and each.right for each in rights)
    if not in_numbers:
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
