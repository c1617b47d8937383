"""A budget over its capacity fails a check, whatever rules a guide has."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import ENGINE
from sizewright.evaluate.findings import findings
from sizewright.evaluate.limits import RESOURCES
from sizewright.evaluate.policy import Policy
from sizewright.facts.derive import Facts
from sizewright.facts.records import blank
from sizewright.rules.compiler import compile_rules
from sizewright.rules.rule import Rule
from small import given

OWN = tuple(rule for rule in ENGINE.rule_set.rules if rule.own and rule.blocks and rule.bounds)
# Asked of a guide that has no rule of its own.
ALONE = compile_rules(ENGINE.guide._replace(rules={r.id: dict(r.spec) for r in OWN}))


def _facts(rule: Rule, used: float) -> Facts:
    (bound,) = rule.bounds
    subject, _, fact = bound.resource.partition(".")
    facts: dict[str, Any] = {"id": "it", fact: given(used)}
    facts |= {bound.at_most.partition(".")[2]: given(1)} if bound.at_most else {}
    if subject == "system":
        facts |= {"kernel_locks": given(1)}
        facts |= {"kernel_time_complete": True, "processor_time_complete": True}
    whole = Facts(blank("system", {"id": "it"} | (facts if subject == "system" else {})))
    if subject == "system":
        return whole
    fields = dict(zip(whole.by_subject(), whole._fields, strict=True))
    return whole._replace(**{fields[subject]: (blank(subject, facts),)})


def test_every_resource_that_has_a_capacity_is_limited_by_it() -> None:
    limited = {bound.resource for rule in OWN for bound in rule.bounds}
    of_time = {"system.kernel_lock_share", "system.processor_share"}
    # Each network is limited by itself, so the sum of all has no limit of its own.
    assert limited == {name for name, each in RESOURCES.items() if each.capacity} | of_time


@pytest.mark.parametrize("rule", OWN, ids=lambda rule: rule.id)
def test_1024_percent_of_a_capacity_is_a_failure(rule: Rule) -> None:
    for used, verdict in ((1, "holds"), (10.24, "violated")):
        found = list(findings(ALONE.only([rule.id]), _facts(rule, used), Policy()))
        assert [(f.verdict, f.severity) for f in found] == [(verdict, "violation")]
    assert found[0].source.startswith("sizewright's own, not the guide's")


def test_an_own_limit_is_silent_where_the_guide_limits_the_resource() -> None:
    """2.4.4-space of the guide says it already; waived, it leaves the capacity in place."""
    (rule,) = (each for each in OWN if each.id == "capacity-space")
    rule_set = ENGINE.rule_set.only(["2.4.4-space", rule.id])
    both = list(findings(rule_set, _facts(rule, 10.24), Policy()))
    assert [(f.rule, f.verdict) for f in both] == [("2.4.4-space", "violated")]
    waived = list(findings(rule_set, _facts(rule, 10.24), Policy(waived={"2.4.4-space": "known"})))
    assert [(f.rule, f.verdict) for f in waived] == [
        ("2.4.4-space", "waived"), ("capacity-space", "violated"),
    ]  # fmt: skip


@pytest.mark.parametrize(("used", "verdict"), [(0.8, "holds"), (0.96, "tight"), (1, "tight")])
def test_busy_processors_are_named_beside_the_limit_of_the_guide(used: float, verdict: str) -> None:
    """1.2.8 lets processors be fully used; above 80 % they are borderline all the same."""
    (rule,) = (each for each in OWN if each.id == "capacity-processors")
    rule_set = ENGINE.rule_set.only(["1.2.8-processors", "busy-processors", rule.id])
    found = {f.rule: f.verdict for f in findings(rule_set, _facts(rule, used), Policy())}
    assert found == {"1.2.8-processors": "holds", "busy-processors": verdict}
