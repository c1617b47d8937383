"""What the findings of a run are in sum: how many rules came to what, and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sizewright.configuration.model import SYSTEM
from sizewright.facts.records import facts_of
from sizewright.guide.model import REPORTED, SEVERITIES, Guide
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import VERDICTS, Finding, Verdict

# A rule on several subjects goes by the first of these that any of them has.
_WEIGHTIEST: tuple[Verdict, ...] = (
    "violated", "tight", "waived", "unknown", "holds", "not_applicable",
)  # fmt: skip
_NOT_RUN = ("unknown", "not_applicable")


def count_rules(rule_set: RuleSet, findings: Iterable[Finding]) -> Mapping[str, int]:
    """How many rules came to each verdict; one that has no subject here does not apply."""
    said: dict[str, set[Verdict]] = {rule.id: set() for rule in rule_set.rules}
    for finding in findings:
        said[finding.rule].add(finding.verdict)
    heaviest = (
        next((v for v in _WEIGHTIEST if v in each), _WEIGHTIEST[-1]) for each in said.values()
    )
    counts = Counter(heaviest)
    return {verdict: counts[verdict] for verdict in VERDICTS}


def count_checked(counts: Mapping[str, int]) -> int:
    """How many of the rules counted came to a judgement."""
    return sum(n for verdict, n in counts.items() if verdict not in _NOT_RUN)


def any_checked(findings: Iterable[Finding]) -> bool:
    """Whether any rule came to a judgement."""
    return any(f.verdict not in _NOT_RUN for f in findings)


_OF_ALL = (SYSTEM, REPORTED)


class MissingFact(NamedTuple):
    """A fact (`subject.name`) that is not known of some subjects; `what` and `unit` describe it.

    `measure` says how to find it, in the words of the rules that lack least else. A rule that is
    unknown though it lacks no fact stands with an empty `fact` and its own title.
    """

    fact: str
    what: str
    unit: str
    subjects: tuple[str, ...]
    rules: tuple[str, ...]
    measure: tuple[str, ...]


def without_substituted(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the findings without advice that is not followed and whose substitute is."""
    held = {(f.rule, f.subject) for f in findings if f.verdict == "holds"}
    for found in findings:
        substitute = found.asked.spec.get("met_by"), found.subject
        if found.verdict != "violated" or substitute not in held:
            yield found


def find_missing(guide: Guide, system: str, findings: Iterable[Finding]) -> tuple[MissingFact, ...]:
    """Every missing fact, those first that the most severe and then the most rules need."""
    waiting: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.verdict == "unknown":
            for fact in finding.missing or (f"/{finding.rule}",):
                waiting.setdefault(fact, []).append(finding)
    found = []
    for fact, alike in waiting.items():
        subject, _, name = fact.partition(".")
        known = facts_of(subject, guide)[name] if name else None
        fewest = min(len(f.missing) for f in alike)
        ways = (how_to_measure(guide, f) for f in alike if len(f.missing) == fewest)
        rules = tuple(dict.fromkeys(f.rule for f in alike))
        urgency = min(SEVERITIES.index(f.severity) for f in alike), -len(rules)
        subjects = dict.fromkeys(system if subject in _OF_ALL else f.subject for f in alike)
        what = (fact, known.doc, known.unit) if known else ("", alike[0].title, "")
        measure = tuple(dict.fromkeys(way for way in ways if way))
        found.append((urgency, MissingFact(*what, tuple(subjects), rules, measure)))
    return tuple(fact for _, fact in sorted(found, key=lambda each: each[0]))


def how_to_measure(guide: Guide, finding: Finding) -> str:
    """How the rule says that its facts are measured."""
    return " ".join(str(guide.rules[finding.rule].get("measure") or "").split())
