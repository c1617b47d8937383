"""The rules of another guide, asked about the facts of a check."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sizewright.check.check import Check
from sizewright.check.rule_filter import RuleFilter
from sizewright.evaluate.findings import finding, on_parts
from sizewright.evaluate.system import Evaluation
from sizewright.facts.derive import Facts
from sizewright.facts.fact import Fact, Reported, reported_facts
from sizewright.guide.model import Guide
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import Finding


def shared_reports(facts: Facts, own: Guide, other: Guide) -> Facts:
    """Return the facts; of those that the server reports only those that both guides have.

    Those have the same name, kind and unit, and a value that both guides allow.
    """
    here, there = reported_facts(own), reported_facts(other)
    shared = {
        name: value
        for name, value in facts.reported.values.items()
        if name in there and here[name][:2] == there[name][:2] and _allowed(value, there[name])
    }
    return facts._replace(reported=Reported(facts.reported.id, shared))


def _allowed(value: Any, fact: Fact) -> bool:
    if not fact.one_of:
        return True
    return set(value if isinstance(value, tuple) else (value,)) <= set(fact.one_of)


def known_kinds(facts: Facts, other: Guide) -> Facts:
    """Return the facts; the kind of a channel is unknown if the other guide does not have it.

    Each guide has its own kinds of busses: a kind of another guide may be any of them.
    """
    kinds = other.table("disk-busses").rows
    return facts._replace(
        channels=tuple(
            channel if channel.kind in kinds else channel._replace(kind=None)
            for channel in facts.channels
        )
    )


class CrossCheck(NamedTuple):
    """Another guide, those of its rules that were asked, and what they find.

    `judged` has the system, its load and the facts that both guides share. It has no budgets:
    limits are those of the server's own guide.
    """

    guide: Guide
    rule_set: RuleSet
    selection: RuleFilter
    judged: Evaluation

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The finding of every rule that was asked on every part that it is about."""
        return self.judged.findings


def cross_check(check: Check, guide: Guide, rule_set: RuleSet, selection: RuleFilter) -> CrossCheck:
    """Check the facts of a check against rules of another guide.

    Waivers and parameters of the server's file are for rules of its own guide, so they do not count
    here.
    """
    asked = rule_set.only(
        r.id for r in rule_set.rules if not r.own and selection.asks(r.id, r.severity)
    )
    told = shared_reports(check.judged.facts, check.guide, guide)
    found = tuple(_findings(asked, told, known_kinds(told, guide), check.judged.system.id))
    judged = check.judged._replace(facts=told, budgets=(), findings=found)
    return CrossCheck(guide, asked, selection, judged)


def _findings(rule_set: RuleSet, told: Facts, understood: Facts, system: str) -> Iterator[Finding]:
    """Yield verdicts on the facts that the guide has; their words show all facts."""
    both = zip(on_parts(rule_set.rules, told), on_parts(rule_set.rules, understood), strict=True)
    for (_, shown), (rule, subjects) in both:
        yield finding(rule, subjects, rule.verdict(subjects), system)._replace(shown=shown)
