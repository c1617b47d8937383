"""Why a plan does not follow advice, and what it is without: its machine is searched again."""

from __future__ import annotations

from typing import NamedTuple

from sizewright.evaluate.policy import FREE, Cost, Policy
from sizewright.evaluate.system import Evaluation
from sizewright.limits import FURTHER_STEPS, INSISTED, MISS_STEPS, SPARE_SLOTS_TRIED
from sizewright.planner.infeasibility import machine_of, with_memory
from sizewright.planner.parts import machines, memory_sizes
from sizewright.planner.plan import Plan
from sizewright.planner.planning import Effort, Planning
from sizewright.planner.reasons import is_about_memory
from sizewright.planner.search import Incumbent, Search, run_within
from sizewright.planner.single import plan_known
from sizewright.planner.structural_limits import find_shortfalls
from sizewright.planner.systems import plan_for
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import Finding


class Followed(NamedTuple):
    """A configuration that follows some advice, and the `findings` by which it is worse."""

    judged: Evaluation
    findings: tuple[Finding, ...]


def with_advice(plan: Plan, rule: str, rule_set: RuleSet) -> Followed | None:
    """Return the closest configuration of a plan's platform that follows the advice of a rule.

    It breaks no limit, else the fewest of those tried, and may then need more slots than there are.
    None if none follows the advice.
    """
    chosen = plan.chosen
    assert chosen is not None
    planning = Planning(plan.guide, rule_set, plan.policy)
    insisting = planning._replace(policy=plan.policy._replace(insisted={rule: INSISTED}))
    demand = plan.demand._replace(platforms=(chosen.system.platform,))
    able = [m for m in machines(plan.guide, demand) if not find_shortfalls(m, demand, planning)]
    larger = [machine.with_spare_slots(SPARE_SLOTS_TRIED) for machine in able]
    effort = Effort(MISS_STEPS, MISS_STEPS)
    for refused, tried in ((False, able), (True, able + larger)):
        found: Incumbent | None = None
        for machine in tried:
            search = Search(machine, demand, insisting, refused=refused)
            found = run_within(effort, search, found) or found
        if found is not None and found.broken < INSISTED:
            judged = planning.evaluate(demand, found.system)
            worse = _worse(judged, chosen, plan.policy)
            if any(map(is_about_memory, worse)):
                machine = machine_of(found.system, demand, plan.guide)
                sizes = memory_sizes(machine)[::-1]
                found = with_memory(found, sizes, machine, demand, insisting)
                judged = planning.evaluate(demand, found.system)
                worse = _worse(judged, chosen, plan.policy)
            return Followed(judged, worse)
    return None


def without_advice(plan: Plan, rule_set: RuleSet) -> Plan:
    """Return the smallest plan on the platforms of one, if no advice has to be followed."""
    chosen = [part.chosen.system.platform for part in plan.plans if part.chosen is not None]
    planning = Planning(plan.guide, rule_set, plan.policy.without_advice())
    planning = planning.with_effort(FURTHER_STEPS)
    demand = plan.demand._replace(platforms=tuple(dict.fromkeys(chosen)))
    if plan.group is None:
        found = plan_known(demand, planning)
    else:
        found = plan_for(demand._replace(systems=plan.number), planning)
    # What it does not follow is judged as in the plan that follows it.
    return found._replace(policy=plan.policy)


def _worse(judged: Evaluation, chosen: Evaluation, policy: Policy) -> tuple[Finding, ...]:
    """Return the findings that count more than on the system chosen, of the most important kind."""
    before = _costs(chosen, policy)
    more = {key: cost.minus(before.get(key, FREE)) for key, cost in _costs(judged, policy).items()}
    kind = next((n for n in range(len(FREE)) if any(c[n] > 0 for c in more.values())), 0)
    return tuple(f for f in judged.findings if more.get(_part(f), FREE)[kind] > 0)


def _costs(judged: Evaluation, policy: Policy) -> dict[tuple[str, str], Cost]:
    """Return what each finding counts, by its rule and its part."""
    counted = (f for f in judged.findings if policy.counts(f.asked))
    return {_part(f): policy.cost(f.asked, f.verdict, f.read) for f in counted}


def _part(finding: Finding) -> tuple[str, str]:
    return finding.rule, finding.subject.partition("/")[2]
