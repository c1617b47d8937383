"""A whole system evaluated: its load, facts and budgets, every rule; and all its scenarios."""

from itertools import product
from typing import NamedTuple

from sizewright.configuration.model import System
from sizewright.demand.model import Demand
from sizewright.demand.subset import idle_volumes, restrict_demand
from sizewright.evaluate.budgets import Budget, budgets, capacities, used, with_findings
from sizewright.evaluate.findings import findings
from sizewright.evaluate.policy import Policy
from sizewright.facts.derive import Facts, derive_facts
from sizewright.guide.model import Guide
from sizewright.load.derive import derive_demanded, derive_load
from sizewright.load.model import Load
from sizewright.quantity import Quantity
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
        """Limits that are met in the best case only, and recommended limits that are exceeded."""
        return tuple(f for f in self.findings if f.verdict == "tight" and f.severity in LIMITS)


def facts_under(system: System, load: Load, guide: Guide, rule_set: RuleSet) -> Facts:
    """Return the facts of a planned system under the load of a demand."""
    installed = installed_facts(system, load.usage, guide)
    return capacities(derive_facts(system, load, guide).replaced_by(installed), rule_set)


def evaluate(
    demand: Demand, system: System, guide: Guide, rule_set: RuleSet, policy: Policy
) -> Evaluation:
    """Return every budget and every finding of a system under a demand.

    A rule that blocks and a budget fail if the limit is exceeded at the end of the ranges that the
    policy names; the budget does not if it is unknown whether the limit applies.
    """
    load = derive_load(demand, system, guide)
    facts = facts_under(system, load, guide, rule_set)
    judged = evaluate_facts(system, load, facts, guide, rule_set, policy)
    unsure = {finding.rule for finding in judged.findings if finding.verdict == "unknown"}
    return judged._replace(
        budgets=tuple(
            budget._replace(verdict="violated")
            if budget.limit_rule not in unsure and budget.is_over(policy.size_for) else budget
            for budget in judged.budgets
        ),
        findings=tuple(_at_end(each, policy) for each in judged.findings),
    )  # fmt: skip


def _at_end(found: Finding, policy: Policy) -> Finding:
    """Return a finding, failed if its rule blocks and is broken at the end that counts."""
    if found.verdict != "tight" or not found.asked.blocks:
        return found
    is_broken = policy.broken(found.asked, policy.verdict(found.asked, found.read))
    return found._replace(verdict="violated") if is_broken else found


def evaluate_facts(
    system: System, load: Load, facts: Facts, guide: Guide, rule_set: RuleSet, policy: Policy
) -> Evaluation:
    """Return every budget and every finding of a system whose load and facts are known.

    Budgets have the verdict of both ends of their ranges, whichever end a policy names.
    """
    found = tuple(findings(rule_set, facts, policy, system.id))
    made = budgets(system, load, facts, rule_set, guide, policy.reserve)
    return Evaluation(system, load, facts, with_findings(made, found, rule_set, policy), found)


# The services of the exclusive sets that are active, one of each set.
Active = tuple[str, ...]


class Decided(NamedTuple):
    """A resource whose use differs between scenarios: the scenario that decides, and all uses."""

    resource: str
    active: Active
    uses: tuple[tuple[Active, Quantity], ...]


def scenario_demand(demand: Demand, active: Active) -> Demand:
    """Return a demand while the rivals of some services rest; their data stays stored."""
    resting = {name for names in demand.exclusive for name in names}.difference(active)
    part = restrict_demand(demand, {s.name for s in demand.services} - resting)
    elsewhere = tuple(each for each in demand.elsewhere if each.service not in resting)
    return part._replace(volumes=idle_volumes(demand, part), elsewhere=elsewhere)


def scenario_uses(
    demand: Demand, system: System, guide: Guide
) -> dict[Active, dict[str, Quantity]]:
    """Return the use of each resource in every scenario; empty if no services are exclusive."""
    found = {}
    for active in product(*demand.exclusive) if demand.exclusive else ():
        load = derive_demanded(scenario_demand(demand, active), system, guide)
        facts = derive_facts(system, load, guide)
        found[active] = used(system, load, facts, guide)
    return found


def decided(demand: Demand, system: System, guide: Guide) -> tuple[Decided, ...]:
    """Return the deciding scenario of each resource whose use is not the same in all of them."""
    every = scenario_uses(demand, system, guide)
    found = []
    for resource in dict.fromkeys(name for each in every.values() for name in each):
        uses = tuple((active, each[resource]) for active, each in every.items() if resource in each)
        if len({(figure.low, figure.likely, figure.high) for _, figure in uses}) > 1:
            most, _ = max(uses, key=lambda use: use[1].at(demand.size_for))
            found.append(Decided(resource, most, uses))
    return tuple(found)
