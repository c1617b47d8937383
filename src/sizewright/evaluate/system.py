"""A whole system evaluated: its load, facts and budgets, and the verdict of every rule."""

from __future__ import annotations

from typing import NamedTuple

from sizewright.configuration.model import System
from sizewright.demand.model import Demand
from sizewright.demand.usage import UsageProfile
from sizewright.evaluate.budgets import Budget, budgets, capacities, with_findings
from sizewright.evaluate.findings import findings
from sizewright.evaluate.policy import Policy
from sizewright.facts.derive import Facts, given_facts
from sizewright.guide.model import Guide
from sizewright.load.derive import derive_load
from sizewright.load.model import Load
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import LIMITS, Finding
from sizewright.setup.installation import installed_facts


class Evaluation(NamedTuple):
    """A system under a demand, with its budgets and the findings of all rules."""

    system: System
    load: Load
    facts: Facts
    budgets: tuple[Budget, ...]
    findings: tuple[Finding, ...]

    @property
    def borderline(self) -> tuple[Finding, ...]:
        """Limits that are met at the better end only, and recommended limits that are exceeded."""
        return tuple(f for f in self.findings if f.verdict == "tight" and f.severity in LIMITS)


def facts_under(
    usage: UsageProfile, system: System, load: Load, guide: Guide, book: RuleSet
) -> Facts:
    """Return the facts of a system under a load; `usage` is that of its demand."""
    given = given_facts(usage, system, load, guide).replaced_by(
        installed_facts(system, usage, guide)
    )
    return capacities(given, book)


def evaluate(
    demand: Demand, system: System, guide: Guide, book: RuleSet, policy: Policy
) -> Evaluation:
    """Return every budget and every finding of a system under a demand.

    A budget over its limit at the end of the ranges that the policy names fails, unless it is
    unknown whether the limit applies.
    """
    load = derive_load(demand, system, guide)
    facts = facts_under(load.usage, system, load, guide, book)
    judged = evaluate_facts(system, load, facts, guide, book, policy)
    unsure = {finding.rule for finding in judged.findings if finding.verdict == "unknown"}
    return judged._replace(
        budgets=tuple(
            budget._replace(verdict="violated")
            if budget.limit_rule not in unsure and budget.is_over(policy.size_for) else budget
            for budget in judged.budgets
        )
    )  # fmt: skip


def evaluate_facts(
    system: System, load: Load, facts: Facts, guide: Guide, book: RuleSet, policy: Policy
) -> Evaluation:
    """Return every budget and every finding of a system whose load and facts are known.

    Budgets have the verdict of both ends of their ranges, whichever end a policy names.
    """
    found = tuple(findings(book, facts, policy, system.id))
    made = budgets(system, load, facts, book, guide, policy.reserve)
    return Evaluation(system, load, facts, with_findings(made, found, book, policy.waived), found)
