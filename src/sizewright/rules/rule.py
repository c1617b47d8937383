"""A rule ready to be evaluated, its verdicts, and the words of a finding."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from sizewright.errors import nearest
from sizewright.quantity import Quantity, as_quantity, quantity_text
from sizewright.rules.intervals import FALSE, TIGHT, TRUE, UNKNOWN, Truth

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


_HOLE = re.compile(r"\{(?P<name>[^{}]*?)(?P<percent>:%)?(?: or (?P<otherwise>[^{}]+))?\}")
_PERCENT = "%"
_UNKNOWN = "unknown"


def names_in(template: str) -> tuple[str, ...]:
    """Return the facts and parameters that a template prints, in its order."""
    return tuple(name for name, *_ in _HOLE.findall(template))


def check_template(
    template: str, subjects: Mapping[str, Mapping[str, Any]], parameters: Mapping[str, Any]
) -> Iterator[str]:
    """What is wrong with a template: each name in braces that is neither a fact nor a parameter."""
    for name in names_in(template):
        subject, dot, field = name.partition(".")
        if dot and subject in subjects and field in subjects[subject]:
            continue
        if not dot and name in parameters:
            continue
        known = [f"{s}.{f}" for s, fields in subjects.items() for f in fields] + list(parameters)
        near = nearest(name, known)
        yield f"unknown name '{name}'" + (f"; did you mean '{near}'?" if near else "")


def fill(template: str, subjects: Mapping[str, Any], parameters: Mapping[str, Any]) -> str:
    """The template with every name replaced by its value in words."""

    def value(match: re.Match[str]) -> str:
        subject, dot, field = match["name"].partition(".")
        found = getattr(subjects[subject], field) if dot else parameters[match["name"]]
        if match["percent"] and isinstance(found, Quantity | float | int):
            found = as_quantity(found).to(_PERCENT)
        return in_words(found, match["otherwise"] or _UNKNOWN)

    return " ".join(_HOLE.sub(value, template).split())


def in_words(value: Any, otherwise: str = _UNKNOWN) -> str:
    """A fact or parameter as a message shows it; a range as low to high."""
    if value is None:
        return otherwise
    if isinstance(value, Quantity):
        if value.low == value.high:
            return quantity_text(value.high, value.unit)
        low, high = quantity_text(value.low, "1"), quantity_text(value.high, value.unit)
        return high if low == quantity_text(value.high, "1") else f"{low} to {high}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, float):
        return quantity_text(value, "1")
    return str(value)
