"""The findings of rules on the parts of a system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sizewright.evaluate.limits import with_reserve
from sizewright.facts.records import REPORTED
from sizewright.quantity import Quantity
from sizewright.rules.compiler import SYSTEM, RuleSet
from sizewright.rules.rule import Finding, Rule, Verdict, fill
from sizewright.units import PERCENT

_DECIDED = ("holds", "tight", "violated")
_BEYOND = ("tight", "violated")


def findings(
    book: RuleSet,
    by_subject: Mapping[str, tuple[Any, ...]],
    prefix: str = "",
    waived: Mapping[str, str] | None = None,
    reserve: Quantity | None = None,
) -> Iterator[Finding]:
    """Every rule on every subject it is about, in the book's order.

    An own limit says nothing of a resource that a rule of the guide limits. Of limits on loads a
    `reserve` stays free.
    """
    limited: set[tuple[str, str]] = set()
    of_all = {name: by_subject[name][0] for name in (SYSTEM, REPORTED) if name in by_subject}
    for rule in book.rules:
        for record in by_subject.get(rule.subject, ()):
            subjects = {**of_all, rule.subject: record}
            says = rule.verdict(with_reserve(rule, subjects, reserve))
            reason = (waived or {}).get(rule.id, "")
            if reason and says in ("violated", "tight", "unknown"):
                says = "waived"
            bounds = {(record.id, bound.resource) for bound in rule.bounds}
            if rule.own and rule.blocks and bounds and bounds <= limited:
                continue
            if rule.blocks and says in _DECIDED:
                limited |= bounds
            found = finding(rule, subjects, says, prefix, reason)
            if reserve is not None and says in _BEYOND and says != rule.verdict(subjects):
                of = f"{PERCENT * reserve.high:g} %"
                found = found._replace(message=f"{found.message}; {of} of the limit stays free")
            yield found


def finding(
    rule: Rule, subjects: Mapping[str, Any], says: Verdict, prefix: str = "", reason: str = ""
) -> Finding:
    """A verdict with its numbers and words."""
    record = subjects[rule.subject]
    where = prefix or subjects[SYSTEM].id or SYSTEM
    subject = where if rule.subject == SYSTEM else f"{where}/{rule.subject}/{record.id}"
    told = says not in ("not_applicable",)
    return Finding(
        rule=rule.id, title=rule.title, guide=rule.guide, severity=rule.severity,
        subject=subject, verdict=says,
        message=fill(rule.message, subjects, rule.parameters) if told else "",
        remedy=fill(rule.remedy, subjects, rule.parameters)
        if says in ("violated", "tight", "unknown", "waived") else "",
        source=rule.cite, figures=_figures(rule, subjects) if told else {}, reason=reason,
        missing=_missing(rule, subjects) if says == "unknown" else (),
    )  # fmt: skip


def _missing(rule: Rule, subjects: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(
        f"{subject}.{name}"
        for subject, name in sorted(rule.reads)
        if getattr(subjects[subject], name) is None
    )


def _figures(rule: Rule, subjects: Mapping[str, Any]) -> dict[str, Quantity]:
    found = {}
    for subject, name in sorted(rule.require.names):
        value = getattr(subjects[subject], name)
        if isinstance(value, Quantity):
            found[f"{subject}.{name}"] = value
    for name in sorted(rule.require.parameters):
        value = rule.parameters[name]
        if isinstance(value, Quantity):
            found[name] = value
    return found
