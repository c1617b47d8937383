"""Plans that survive the failure of a part: data is mirrored, and a community has two networks."""

from __future__ import annotations

from sizewright.demand.model import Demand
from sizewright.planner.availability import OF_DATA, each_alone, protected
from sizewright.planner.explanation import explained
from sizewright.planner.plan import Plan, evaluate_again
from sizewright.planner.planning import Planning
from sizewright.planner.systems import plan_for
from sizewright.rules.compiler import RuleSet


def plan_surviving(demand: Demand, planning: Planning, explain: bool = True) -> Plan:
    """Plan a demand with the failures of parts that it must survive; report those it does not.

    Where one copy of the data would be too slow without the other, disks are planned for all reads
    on either copy; at work the reads are spread over both.
    """
    planning = planning.with_effort()
    found = _surviving(demand, planning, at_length=explain)
    return explained(found, planning) if explain else found


def _surviving(demand: Demand, planning: Planning, at_length: bool) -> Plan:
    if not demand.survives:
        return plan_for(demand, planning, at_length)
    wanted = protected(demand)
    found = _told(plan_for(wanted, planning, at_length), planning.rule_set)
    if wanted.volumes and any(each.broken for each in found.unsurvived if each.kind in OF_DATA):
        # If there is none, the first plan says why.
        alone = plan_for(each_alone(wanted), planning, at_length)
        at_work = evaluate_again(alone, planning, lambda each: each_alone(each, False))
        stronger = _told(at_work, planning.rule_set)
        if stronger.holds:
            return stronger
    return found


def _told(plan: Plan, rule_set: RuleSet) -> Plan:
    if plan.chosen is None:
        return plan
    # Most plans need not survive anything: they start without it.
    from sizewright.planner.failover import nearest_to_limit, single_failures, unsurvived

    failures = single_failures(plan, plan.demand.survives, rule_set)
    return plan._replace(
        unsurvived=unsurvived(failures, plan),
        borderline_failures=tuple(f for f in failures if f.holds and f.borderline),
        tightest_failure=nearest_to_limit(failures, plan.policy.size_for),
    )
