"""How many rules were judged, and what came of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from sizewright.planner.plan import coverage
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import VERDICTS, Finding, Verdict

# A rule on several subjects goes by the first of these that any of them has.
_WEIGHTIEST: tuple[Verdict, ...] = (
    "violated", "tight", "waived", "unknown", "holds", "not_applicable",
)  # fmt: skip
_NOT_RUN = ("unknown", "not_applicable")


def by_rule(book: RuleSet, findings: Iterable[Finding]) -> Mapping[str, int]:
    """How many rules came to each verdict; one that has no subject here does not apply."""
    said: dict[str, set[Verdict]] = {rule.id: set() for rule in book.rules}
    for finding in findings:
        said[finding.rule].add(finding.verdict)
    counts = Counter(
        next((v for v in _WEIGHTIEST if v in verdicts), "not_applicable")
        for verdicts in said.values()
    )
    return {verdict: counts[verdict] for verdict in VERDICTS}


def ran(counts: Mapping[str, int]) -> int:
    """How many of the rules counted came to a judgement."""
    return sum(n for verdict, n in counts.items() if verdict not in _NOT_RUN)


def coverage_data(book: RuleSet, findings: tuple[Finding, ...]) -> dict[str, Any]:
    """How much was judged as plain data: rules, and judgements of rules on parts."""
    rules = by_rule(book, findings)
    return {
        "rules": len(book.rules),
        "ran": ran(rules),
        "by_rule": dict(rules),
        "judgements": dict(coverage(findings)),
    }


def evaluated(findings: Iterable[Finding]) -> bool:
    """Whether any rule came to a judgement."""
    return any(f.verdict not in _NOT_RUN for f in findings)
