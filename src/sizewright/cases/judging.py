"""The outcome of one comparison: it agrees, an erratum explains it, or it differs."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import NamedTuple

from sizewright.cases.expected import Check, Difference, Erratum, Expected, Printed, Span, Value
from sizewright.cases.reading import Verdict
from sizewright.cases.trials import Trial
from sizewright.rules.rule import Finding


def precision(value: Value, at_most_percent: float, hundred: float) -> float:
    """Half of the last printed digit, but at most the percentage that needs no reason."""
    if isinstance(value, str):
        return 0
    return min(min(_half_digit(end), abs(end) * at_most_percent / hundred) for end in value)


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
        same = _against(computed, expected.decision, 0)
        return same._replace(reason=same.reason or expected.note)
    if expected.bound:
        return _bounded(printed, expected.bound, computed)
    wanted = printed.value
    if isinstance(wanted, Span) and expected.end in ("low", "high"):
        end = wanted.low if expected.end == "low" else wanted.high
        wanted = Span(end, end)
    same = _against(computed, wanted, tolerance)
    return same._replace(reason=same.reason or expected.tolerance_reason or expected.note)


def judge_further(check: Check, wanted: Value, computed: Value, tolerance: float) -> Judgement:
    """Compare with what follows from the guide's inputs, not with the printed value."""
    same = _against(computed, wanted, tolerance)
    follows = f"follows from {check.right}" if check.right else "in the plan's terms"
    return same._replace(reason=same.reason or check.note or follows)


def _against(computed: Value, wanted: Value, tolerance: float) -> Judgement:
    if isinstance(computed, str) or isinstance(wanted, str):
        same = computed == wanted
    else:
        same = agrees_with(computed, wanted, tolerance)
    return (
        Judgement("agrees")
        if same
        else Judgement("differs", f"{format_value(computed)}, not {format_value(wanted)}")
    )


def _erratum(
    printed: Printed, expected: Expected, erratum: Erratum, computed: Value, tolerance: float
) -> Judgement:
    if not erratum.right:
        wanted: Value = expected.decision if expected.decision is not None else computed
        stands = wanted == printed.value
    else:
        wanted = erratum.right.span
        stands = _against(wanted, printed.value, tolerance).verdict == "agrees"
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
    if computed == printed.value:
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
    return finding.rule == differs.forced_by and finding.verdict in ("violated", "tight")


def _bounded(printed: Printed, bound: str, computed: Value) -> Judgement:
    words = f"printed as '{printed.as_printed}'"
    if isinstance(printed.value, str) or isinstance(computed, str):
        return Judgement("differs", f"{words}: no bound on {format_value(computed)}")
    if not _within(computed, printed.value, bound):
        return Judgement("differs", f"{format_value(computed)}, {words}")
    # A bound alone would let nearly anything pass, so the guide's own arithmetic must come out.
    wanted = printed.right.span if printed.right else printed.value
    same = _against(computed, wanted, 0)
    return same._replace(reason=same.reason or words)


def _within(value: Span, limit: Span, bound: str) -> bool:
    if bound == "at_most":
        return value.high <= limit.high or is_near(value.high, limit.high, 0)
    return value.low >= limit.low or is_near(value.low, limit.low, 0)


def inventory_error(printed: Printed, expected: Expected, tolerance: float) -> str:
    """What is wrong with the inventory's statement on the guide's arithmetic; empty if nothing."""
    if not printed.right or isinstance(printed.value, str):
        return ""
    right, value = printed.right.span, printed.value
    if expected.bound:
        follows = _within(right, value, expected.bound)
    else:
        follows = _follows(value, right, tolerance)
    by = f"its own inputs give {format_value(right)}"
    printed_value = format_value(printed.value)
    if follows != printed.sound:
        called = "sound" if printed.sound else "unsound"
        return f"called {called}, but {by} for the printed {printed_value}"
    if not printed.sound and expected.erratum is None:
        return f"{by} for the printed {printed_value}, but it is not listed as an erratum"
    return ""


def _follows(value: Span, right: Span, tolerance: float) -> bool:
    """Whether a printed value follows from what its inputs give, which may be a range."""
    if value.is_range == right.is_range:
        return agrees_with(right, value, tolerance)
    one, other = (value, right) if right.is_range else (right, value)
    return is_inside(one, other, tolerance)


def format_value(value: Value) -> str:
    """A value as messages show it."""
    if isinstance(value, str):
        return f"'{value}'"
    ends = value if value.is_range else (value.low,)
    return "–".join(f"{end:.4g}" for end in ends)
