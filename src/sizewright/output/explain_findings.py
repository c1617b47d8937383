"""Findings traced to their sources: the condition of the rule, and each fact that it reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from sizewright.facts.records import facts_of
from sizewright.guide.model import Guide
from sizewright.quantity import Quantity
from sizewright.rules.rule import Finding, in_words

# As a report heads a finding, too: "Rule VII on channel esp0", or only "VII".
_WANTED = re.compile(r"(?:rule )?(?P<rule>\S+?)(?:(?: on)? (?:\S+ )??(?P<part>\S+?))?:?", re.I)


class ReadValue(NamedTuple):
    """A fact or parameter that a finding depends on; `what` describes a fact."""

    name: str
    what: str
    value: Any

    @property
    def told(self) -> str:
        """The value in words."""
        return in_words(self.value)


def findings_on(found: Iterable[Finding], wanted: str) -> tuple[Finding, ...]:
    """Return the findings of a rule, of a rule on a part, or those on a part that apply."""
    known = tuple(found)
    on_part = tuple(
        f for f in known if f.verdict != "not_applicable" and is_about(f.subject, wanted)
    )
    match = _WANTED.fullmatch(wanted)
    if on_part or match is None:
        return on_part
    rule, part = match["rule"].lower(), match["part"]
    of_rule = [f for f in known if f.rule.lower() == rule]
    return tuple(f for f in of_rule if part is None or is_about(f.subject, part))


def is_about(subject: str, wanted: str) -> bool:
    """Whether a subject (`system/kind/name`) is what is wanted: itself, or its end."""
    return subject == wanted or subject.endswith(f"/{wanted}")


def finding_names(found: Iterable[Finding]) -> Iterator[str]:
    """Yield the names by which findings can be chosen: of rules, and of parts."""
    known = tuple(found)
    yield from dict.fromkeys(f.rule for f in known)
    yield from dict.fromkeys(f.subject.rpartition("/")[2] for f in known)


def read_values(finding: Finding, guide: Guide) -> Iterator[ReadValue]:
    """Yield each fact that the conditions of a finding read, then each parameter."""
    for subject, name in sorted(finding.asked.reads):
        what = facts_of(subject, guide)[name].doc
        yield ReadValue(f"{subject}.{name}", what, getattr(finding.read[subject], name))
    asked = [finding.asked.require, *([finding.asked.when] if finding.asked.when else [])]
    for name in sorted({name for each in asked for name in each.parameters}):
        yield ReadValue(name, f"parameter of rule {finding.rule}", finding.asked.parameters[name])


def conditions(finding: Finding) -> tuple[str, str]:
    """Return when the rule applies (empty: always), and what it requires, as it states them."""
    when = finding.asked.when
    return (" ".join(when.text.split()) if when else ""), " ".join(
        finding.asked.require.text.split()
    )


def quantity_of(value: Any) -> Quantity | None:
    """Return a value that can be traced; None for other values."""
    return value if isinstance(value, Quantity) else None
