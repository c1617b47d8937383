"""A rule ready to be judged, and what a judgement says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from sizewright.quantity import Quantity
from sizewright.rules.truth import FALSE, TIGHT, TRUE, UNKNOWN, Truth

if TYPE_CHECKING:
    from sizewright.rules.condition import Condition

Verdict = Literal["holds", "tight", "violated", "unknown", "waived", "not_applicable"]
VERDICTS: tuple[Verdict, ...] = (
    "holds", "tight", "violated", "unknown", "waived", "not_applicable",
)  # fmt: skip
_VERDICT: Mapping[Truth, Verdict] = {
    TRUE: "holds", TIGHT: "tight", UNKNOWN: "unknown", FALSE: "violated",
}  # fmt: skip
Parameter = Quantity | str | tuple[str, ...] | bool
# Exceeding a limit of the first severity is a failure, of the second borderline.
VIOLATION, RECOMMENDED = "violation", "recommended"
# The severities that set limits.
LIMITS = (VIOLATION, RECOMMENDED)


class Bound(NamedTuple):
    """A limit that a rule puts on a resource.

    `at_most` and `capacity` name a parameter or a fact; `share` names a parameter that is a part
    of the capacity. `when` restricts it further than the rule does.
    """

    resource: str
    at_most: str
    share: str
    capacity: str
    when: Condition | None


class Rule(NamedTuple):
    """A rule with its conditions compiled and its parameters resolved.

    `reads` holds the facts that its conditions ask for, as (subject, field); `judges` whether it
    is asked of a plan, of a box that exists, or of both. One of sizewright's `own` is in every
    guide.
    """

    id: str
    title: str
    guide: str
    cite: str
    subject: str
    severity: str
    when: Condition | None
    require: Condition
    parameters: Mapping[str, Parameter]
    bounds: tuple[Bound, ...]
    message: str
    remedy: str
    spec: Mapping[str, Any]
    reads: frozenset[tuple[str, str]]
    judges: tuple[str, ...] = ("plan", "box")
    own: bool = False

    def facts_of(self, subject: str) -> frozenset[str]:
        """The facts of a subject that its conditions ask for."""
        return frozenset(field for name, field in self.reads if name == subject)

    def verdict(self, subjects: Mapping[str, Any]) -> Verdict:
        """Return the verdict on one subject; `subjects` has it and its system by name.

        A recommended limit that is exceeded is tight.
        """
        if self.when is not None:
            applies = self.when.evaluate(subjects, self.parameters)
            if applies is FALSE:
                return "not_applicable"
            if applies is UNKNOWN:
                # Whether it applies or not, a requirement that is met cannot be broken.
                met = self.require.evaluate(subjects, self.parameters) is TRUE
                return "holds" if met else "unknown"
        says = _VERDICT[self.require.evaluate(subjects, self.parameters)]
        return "tight" if says == "violated" and self.severity == RECOMMENDED else says

    @property
    def blocks(self) -> bool:
        """Whether breaking it makes a plan infeasible."""
        return self.severity == VIOLATION


class Finding(NamedTuple):
    """One rule on one subject, with the figures that decided.

    `missing` are the facts, as subject.fact, that would have to be known.
    """

    rule: str
    title: str
    guide: str
    severity: str
    subject: str
    verdict: Verdict
    message: str
    remedy: str
    source: str
    figures: Mapping[str, Quantity]
    reason: str = ""
    missing: tuple[str, ...] = ()
