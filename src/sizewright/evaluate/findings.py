"""The one loop over rules: the findings of a system, their sums, and what counts against it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sizewright.configuration.model import SYSTEM
from sizewright.evaluate.limits import with_reserve
from sizewright.evaluate.policy import FREE, Cost, Policy
from sizewright.facts.derive import Facts
from sizewright.facts.records import facts_of
from sizewright.guide.model import REPORTED, SEVERITIES, Guide
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import VERDICTS, Finding, Rule, Subjects, Verdict

_DECIDED = ("holds", "tight", "violated")
_BEYOND = ("tight", "violated")
_WAIVABLE = (*_BEYOND, "unknown")


def on_parts(rules: Iterable[Rule], facts: Facts) -> Iterator[tuple[Rule, Subjects]]:
    """Yield each rule with what it may read of each part that it is about."""
    subjects = {
        subject: [facts.asked(subject, record) for record in records]
        for subject, records in facts.by_subject().items()
    }
    for rule in rules:
        for each in subjects[rule.subject]:
            yield rule, each


def findings(
    rule_set: RuleSet, facts: Facts, policy: Policy, system: str = ""
) -> Iterator[Finding]:
    """Yield the finding of every rule on every part that it is about, in the order of the rules.

    It has the verdict on both ends of all ranges, whichever end the policy names. A rule of
    sizewright's own has no finding on a resource that a rule of the guide limits, and no unknown
    one if that rule is unknown too.
    """
    limited: set[tuple[str, str]] = set()
    asked: set[tuple[str, str]] = set()
    for rule, subjects in on_parts(rule_set.rules, facts):
        verdict = rule.verdict(with_reserve(rule, subjects, policy.reserve))
        where = _subject(rule, subjects, system)
        reason = policy.reason(rule.id, where)
        if reason and verdict in _WAIVABLE:
            verdict = "waived"
        if rule.bounds and rule.blocks:
            bounds = {(subjects[rule.subject].id, bound.resource) for bound in rule.bounds}
            if rule.own and bounds <= (asked if verdict == "unknown" else limited):
                continue
            if verdict in _DECIDED:
                limited |= bounds
            if verdict != "not_applicable":
                asked |= bounds
        found = finding(rule, subjects, verdict, system, reason)
        if policy.reserve is not None and verdict in _BEYOND and verdict != rule.verdict(subjects):
            found = found._replace(note=f"; {policy.reserve_percent:g} % of the limit stays free")
        expiry = policy.expiry(rule.id, where) if verdict in _WAIVABLE else ""
        if expiry:
            found = found._replace(note=f"{found.note}; its waiver expired on {expiry}")
        yield found


def finding(
    rule: Rule, subjects: Subjects, verdict: Verdict, system: str = "", reason: str = ""
) -> Finding:
    """Return a verdict as a finding on a part of a system."""
    return Finding(rule, _subject(rule, subjects, system), verdict, subjects, subjects, reason)


def _subject(rule: Rule, subjects: Subjects, system: str) -> str:
    """Return the name of what a rule is evaluated on: the system, or `system/kind/name`."""
    where = system or subjects[SYSTEM].id or SYSTEM
    return where if rule.subject == SYSTEM else (
        f"{where}/{rule.subject}/{subjects[rule.subject].id}")  # fmt: skip


def costs_of(
    facts: Facts, rule_set: RuleSet, policy: Policy, subject: str = ""
) -> tuple[tuple[Rule, Cost], ...]:
    """Return what each rule, or those about one subject, counts for every part on which it does."""
    rules = rule_set.by_subject[subject] if subject else rule_set.rules
    found = (
        (rule, policy.cost(rule, policy.verdict(rule, subjects), subjects))
        for rule, subjects in on_parts(filter(policy.counts, rules), facts)
    )
    return tuple((rule, cost) for rule, cost in found if cost is not FREE)


def cost_of(costs: Iterable[tuple[Rule, Cost]]) -> Cost:
    """Return what all rules count together."""
    cost = FREE
    for _, each in costs:
        cost = cost.plus(each)
    return cost


def broken_rules(costs: Iterable[tuple[Rule, Cost]]) -> tuple[Rule, ...]:
    """Return the rules that make a system infeasible."""
    return tuple({rule.id: rule for rule, cost in costs if cost.broken}.values())


def count_broken_limits(costs: Iterable[tuple[Rule, Cost]]) -> int:
    """Return how many limits are broken; what a rule of the guide limits too counts once."""
    broken = [rule for rule, cost in costs if cost.broken]
    limited = {bound.resource for rule in broken if not rule.own for bound in rule.bounds}
    return sum(
        not (rule.own and rule.bounds and limited.issuperset(b.resource for b in rule.bounds))
        for rule in broken
    )


def subject_cost(
    rule_set: RuleSet, policy: Policy, system: Any, subject: str, record: Any, partial: bool = False
) -> Cost:
    """Return what the rules about one subject count against a candidate, for one part of it."""
    return cost_on(rule_set.by_subject[subject], {SYSTEM: system, subject: record}, policy, partial)


def cost_on(
    rules: Iterable[Rule], subjects: Subjects, policy: Policy, partial: bool = False
) -> Cost:
    """Return what rules count against a candidate on one part.

    The system has the facts that are known so far. A rule that reads other facts of it is unknown
    and counts nothing yet; nor does any unknown limit if the part itself is known only in part.
    """
    sum_ = FREE
    for rule in filter(policy.counts, rules):
        verdict = policy.verdict(rule, subjects)
        is_open = partial or (verdict == "unknown" and waiting(rule, subjects[SYSTEM]))
        cost = policy.cost(rule, verdict, subjects, is_open)
        if cost is not FREE:
            sum_ = sum_.plus(cost)
    return sum_


def waiting(rule: Rule, system: Any) -> bool:
    """Return whether a rule reads a fact of the system that is not known yet."""
    return any(getattr(system, name) is None for name in rule.facts_of(SYSTEM))


def undecided(rule_set: RuleSet, policy: Policy, system: Any, subject: str, record: Any) -> bool:
    """Return whether a rule that blocks depends on facts of the system that are not known yet."""
    return any(
        policy.verdict(rule, {SYSTEM: system, subject: record}) == "unknown"
        for rule in rule_set.by_subject[subject]
        if waiting(rule, system) and policy.blocks(rule) and policy.counts(rule)
    )


# A rule on several subjects goes by the first of these that any of them has.
_WEIGHTIEST: tuple[Verdict, ...] = (
    "violated", "tight", "waived", "unknown", "holds", "not_applicable",
)  # fmt: skip
_NOT_RUN = ("unknown", "not_applicable")


def rule_verdicts(rule_set: RuleSet, findings: Iterable[Finding]) -> Mapping[str, Verdict]:
    """Return the verdict of each rule; one that has no subject here does not apply."""
    said: dict[str, set[Verdict]] = {rule.id: set() for rule in rule_set.rules}
    for finding in findings:
        said[finding.rule].add(finding.verdict)
    return {
        rule: next((v for v in _WEIGHTIEST if v in each), _WEIGHTIEST[-1])
        for rule, each in said.items()
    }


def count_rules(rule_set: RuleSet, findings: Iterable[Finding]) -> Mapping[str, int]:
    """Return how many rules have each verdict."""
    counts = Counter(rule_verdicts(rule_set, findings).values())
    return {verdict: counts[verdict] for verdict in VERDICTS}


def is_checked(verdict: str) -> bool:
    """Whether a rule with this verdict came to a judgement."""
    return verdict not in _NOT_RUN


def any_checked(findings: Iterable[Finding]) -> bool:
    """Whether any rule came to a judgement."""
    return any(is_checked(f.verdict) for f in findings)


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
