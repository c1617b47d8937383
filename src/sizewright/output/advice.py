"""What advice costs: the parts that a plan has for it, and why a plan does not follow more."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cached_property

from sizewright.configuration.model import SYSTEM
from sizewright.errors import counted, enumerated, plural
from sizewright.output.findings import borderline_text
from sizewright.output.names import Names
from sizewright.output.relief import MEMORY, count_parts
from sizewright.output.reports import PlanReport
from sizewright.planner.alternatives import NO_ALTERNATIVES
from sizewright.planner.forbidden import Followed, with_advice, without_advice
from sizewright.planner.plan import Plan
from sizewright.rules.compiler import RuleSet, compile_rules
from sizewright.rules.rule import MISSED


class Advice:
    """What advice costs a plan. It is planned again for each answer, which is kept."""

    def __init__(self, report: PlanReport) -> None:
        self._report = report
        self._reasons: dict[str, str] = {}

    @cached_property
    def _rules(self) -> RuleSet:
        """The rules by which the plan was made."""
        plan = self._report.plan
        every = compile_rules(plan.guide, plan.policy.parameters)
        return every.only(each.id for each in plan.rules)

    @cached_property
    def parts(self) -> str:
        """Which parts the systems have more to follow which advice; empty if they have none.

        Nor of one system of a pair, which has the parts that either needs.
        """
        report, plan = self._report, self._report.plan
        if plan.group is None and SYSTEM in plan.demand.survives:
            return ""
        if not plan.holds or plan.gaps or plan.policy.follow_advice == "never":
            return ""
        found = without_advice(plan, self._rules)
        if found.chosen is None or found.gaps:
            return ""
        other = replace(report, plan=found, alternatives=NO_ALTERNATIVES)
        missed, more = map(_missed, (report, other))
        # What does not apply because of a part that is there is not what the part is for.
        lost = [each.id for each in plan.rules if each.id in (more - missed) & _followed(plan)]
        now, then = count_parts(report), count_parts(other)
        if not lost or not now - then:
            return ""
        instead = f" instead of {_told(then - now)}" if then - now else ""
        rules = f"{plural(len(lost), 'rule')} {enumerated(lost)}"
        has = f"For advice, the plan has {_told(now - then)}{instead}."
        return f"{has} Planned without, it would not follow {rules}."

    def why_in_vain(self, rule: str) -> str:
        """Return what the plan would exceed if it followed a rule of advice."""
        if rule not in self._reasons:
            self._reasons[rule] = self._why(rule)
        return self._reasons[rule]

    def _why(self, rule: str) -> str:
        plan = self._report.plan
        found = with_advice(plan, rule, self._rules)
        if found is None:
            return "No configuration that was tried follows it, whatever limits it may exceed."
        with_it, without = _with_and_without(plan, found)
        also = f" Without it: {without}" if without else ""
        return f"With it: {with_it}{also}{_missed_without(plan, found)}" if with_it else ""


def _missed(report: PlanReport) -> set[str]:
    """Return the rules of advice that systems do not follow, at work or after a failure."""
    found = {rule for part in report.parts for rule in part.advice_not_followed}
    policy, group = report.plan.policy, report.plan.group
    findings = [f for each in (group.failover if group else ()) for f in each.state.findings]
    return found | {
        f.rule for f in findings if f.severity == "advice" and policy.broken(f.asked, f.verdict)
    }


def _followed(plan: Plan) -> set[str]:
    """Return the rules that hold for some system, at work or after a failure."""
    judged = [part.chosen for part in plan.plans if part.chosen is not None]
    judged += [each.state for each in (plan.group.failover if plan.group else ())]
    return {f.rule for each in judged for f in each.findings if f.verdict == "holds"}


def _told(parts: Counter[str]) -> str:
    return enumerated([
        f"{number} MB more memory" if name == MEMORY else f"{number} × {name}"
        for name, number in parts.items()
    ])  # fmt: skip


def _with_and_without(plan: Plan, found: Followed) -> tuple[str, str]:
    """Return what is missed by more with some advice, and what a system misses of it without."""
    assert plan.chosen is not None
    before = [f for f in plan.chosen.findings if f.asked.subject == SYSTEM and f.verdict in MISSED]
    chosen, other = (Names(plan.guide, judged.system) for judged in (plan.chosen, found.judged))
    told = {borderline_text(chosen, [each]) for each in before}
    worse = [each for each in found.findings if borderline_text(other, [each]) not in told]
    rules = {each.rule for each in worse}
    without = borderline_text(chosen, (each for each in before if each.rule in rules))
    return borderline_text(other, worse), without


def _missed_without(plan: Plan, found: Followed) -> str:
    """Return on how many parts a plan misses a rule that it would miss on more with some advice."""
    assert plan.chosen is not None
    without, with_it = (
        Counter(f.rule for f in judged.findings if f.verdict in MISSED)
        for judged in (plan.chosen, found.judged)
    )
    rules = {
        f.rule: f.asked.subject for f in found.findings if 0 < without[f.rule] < with_it[f.rule]
    }
    told = [
        f" Without it, rule {rule} is missed on {counted(without[rule], subject)} instead of "
        f"{with_it[rule]}." for rule, subject in rules.items()
    ]  # fmt: skip
    return "".join(told)
