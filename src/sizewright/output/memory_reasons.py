"""What memory is for: programs of people, and what is not counted at work."""

from __future__ import annotations

from math import inf

from sizewright.configuration.model import SYSTEM
from sizewright.errors import enumerated, plural
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.findings import finding
from sizewright.evaluate.system import Evaluation
from sizewright.facts.system import memory_facts
from sizewright.guide.model import Guide
from sizewright.output.reports import PlanReport
from sizewright.output.wording import number, quantity, with_likely
from sizewright.planner.infeasibility import machine_of
from sizewright.planner.parts import memory_sizes
from sizewright.planner.plan import Plan
from sizewright.rules.rule import Finding


def why_memory(part: PlanReport, whole: Plan) -> str:
    """Return what asks for more memory: rules, a failure, or a wide range; nothing if none does."""
    plan = part.plan
    if plan.chosen is None:
        return ""
    system = plan.chosen.system
    budget = _memory_budget(plan.chosen)
    if budget is None or budget.used is None or not budget.items:
        return ""
    sizes = [m.size_mb for m in memory_sizes(machine_of(system, plan.demand, plan.guide))]
    used = budget.used.at(part.end)
    assert isinstance(system.memory_mb, (int, float))
    less = max((size for size in sizes if used <= size < system.memory_mb), default=0)
    if less:
        rules = _against_memory(plan, less)
        states = whole.group.failover if whole.group is not None else ()
        taken = [_memory_budget(each.state) for each in states if each.survivor == system.id]
        after = max((each.used.at(part.end) for each in taken if each and each.used), default=0)
        if not rules:
            what = f"what it runs after a failure, {number(after)} MB; at work {number(used)} MB."
            return what if after > less else ""
        told = f"{plural(len(rules), 'rule')} {enumerated(each.rule for each in rules)}"
        all_ = f"{told}: all that is counted takes {number(used)} MB."
        return f"{all_} With less: {'; '.join(each.message for each in rules)}."
    likely = min((size for size in sizes if size >= budget.used.likely), default=inf)
    if likely >= used:
        return ""
    widest = max(budget.items, key=lambda line: line.figure.high - line.figure.likely)
    return (
        f"the high end of a range: {widest.name}, {quantity(widest.figure)}. "
        f"With the likely values {number(likely)} MB hold all that is counted."
    )


def memory_of_programs(guide: Guide) -> str:
    """Return what a guide has for the memory of applications, each with its source."""
    rows = (row for row in guide.table("software") if row.text("kind") == "application")
    found = [
        f"{with_likely(size)} for {row.text('name')} [{row.mark_of('working_set_mb').cite}]"
        for row in rows if (size := row.cell("working_set_mb"))
    ]  # fmt: skip
    return enumerated(found) if found else ""


def _memory_budget(judged: Evaluation) -> Budget | None:
    return next((each for each in judged.budgets if each.kind == "memory"), None)


def _against_memory(plan: Plan, size_mb: float) -> tuple[Finding, ...]:
    """Return the findings of a system with this memory that follows fewer rules than planned."""
    assert plan.chosen is not None
    facts, platform = plan.chosen.facts, plan.chosen.system.platform
    changed = memory_facts(plan.guide.row("platforms", platform), size_mb, plan.chosen.load.memory)
    less = facts.system._replace(**changed)
    asked, with_less = (facts.asked(SYSTEM, system) for system in (facts.system, less))
    return tuple(
        finding(rule, with_less, verdict) for rule in plan.rules
        if rule.subject == SYSTEM and not rule.facts_of(SYSTEM).isdisjoint(changed)
        and rule.verdict(asked) == "holds" and (verdict := rule.verdict(with_less)) != "holds"
    )  # fmt: skip
