"""A reserve: every budget that carries load stays below (1 − reserve) × its limit."""

from __future__ import annotations

import pytest

from generated_workloads import ENGINE, planned
from sizewright.api import policy_of
from sizewright.demand.model import Demand
from sizewright.errors import InputError
from sizewright.evaluate.limits import resource_of, with_reserve
from sizewright.evaluate.policy import FREE, Cost, Policy
from sizewright.evaluate.system import evaluate
from sizewright.facts.records import blank
from small import given, plain, read

SUSTAINED = ENGINE.rule_set.rule("1.1.1-interface-sustained")
SLOTS = ENGINE.rule_set.rule("2.3-slots")
ROOM = ("memory", "slots", "targets", "space")


def _cost(percent: float) -> Cost:
    """250 op/s over an interface of 400, of which 0.8 × 400 = 320 are sustained."""
    record = blank("network", {
        "id": "north", "nfs_ops_per_s": given(250, unit="op/s"),
        "capacity_ops_per_s": given(400, unit="op/s"),
    })  # fmt: skip
    subjects = {"system": blank("system", {"services": ("nfs",)}), "network": record}
    policy = Policy(reserve=given(percent / 100))
    return policy.cost(SUSTAINED, policy.verdict(SUSTAINED, subjects), subjects)


@pytest.mark.parametrize(
    ("percent", "cost"),
    [
        (0, FREE),
        (20, FREE),  # 0.80 × 320 = 256
        (21.8, FREE),  # 0.782 × 320 = 250.24
        (21.9, Cost(broken=1)),  # 0.781 × 320 = 249.92
        (25, Cost(broken=1)),  # 0.75 × 320 = 240
    ],
)
def test_a_load_stays_below_its_part_of_the_limit(percent: float, cost: Cost) -> None:
    assert _cost(percent) == cost


def test_what_carries_no_load_has_no_reserve() -> None:
    record = blank("slots", {"used": given(3, unit="slot"), "available": given(3, unit="slot")})
    subjects = {"system": blank("system", {}), "slots": record}
    assert with_reserve(SLOTS, subjects, given(0.5)) == subjects
    assert resource_of("disk.stored_mb").room


def test_a_plan_keeps_it_in_every_budget_and_says_so() -> None:
    stated = plain({"load": {"ops_per_s_each": 3}}, policy={"reserve": "30 %"})
    plan = planned(stated)
    assert plan.chosen is not None
    demand: Demand = plan.demand
    without = plan.policy._replace(reserve=None)
    guide, rule_set = ENGINE.guide, ENGINE.rule_set.judging("plan")
    whole = {
        b.resource: b
        for b in evaluate(demand, plan.chosen.system, guide, rule_set, without).budgets
    }
    loaded = 0
    for budget in plan.chosen.budgets:
        limit = whole[budget.resource].limit
        if limit is None or budget.limit is None or budget.used is None:
            continue
        part = 1 if budget.kind in ROOM else 0.7
        assert budget.limit.low == pytest.approx(part * limit.low)
        assert budget.used.high <= budget.limit.low * (1 + 1e-9)
        loaded += part < 1 and budget.used.high > 0
    assert loaded


def test_a_finding_that_only_the_reserve_makes_says_so() -> None:
    stated = plain({"load": {"ops_per_s_each": 3}})
    plan = planned(stated)
    assert plan.chosen is not None
    guide, rule_set = ENGINE.guide, ENGINE.rule_set.judging("plan")
    policy = plan.policy._replace(reserve=given(0.95))
    judged = evaluate(plan.demand, plan.chosen.system, guide, rule_set, policy)
    broken = [f for f in judged.findings if f.verdict == "violated" and f.severity == "violation"]
    assert broken
    assert all(f.message.endswith("; 95 % of the limit stays free") for f in broken)


def test_a_reserve_of_everything_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        policy_of(read(plain({}, policy={"reserve": "100 %"})).policy, ENGINE.guide)
    assert "less than 100 %" in caught.value.text()
