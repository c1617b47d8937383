"""What a rule on a subject says, and what the finding carries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from sizewright.evaluate.findings import count_broken_limits, finding, findings, subject_cost
from sizewright.evaluate.policy import FREE, Cost, Policy
from sizewright.facts.derive import Facts
from sizewright.facts.records import blank
from sizewright.guide.loader import load_guide
from sizewright.rules.compiler import RuleSet, compile_rules
from sizewright.rules.rule import Finding, Rule, Verdict
from small import given

REAL = load_guide("sun-1992")


def rule_set(**changes: Any) -> RuleSet:
    spec = {
        "id": "R", "title": "A rule", "cite": "the book, p. 1", "subject": "network",
        "severity": "advice", "parameters": {"most": {"value": 10, "unit": "op/s"}},
        "when": "network.large_packets",
        "require": "network.nfs_ops_per_s <= most and system.processors >= 1",
        "message": "{network.nfs_ops_per_s} of {most}", "remedy": "less than {most}", **changes,
    }  # fmt: skip
    return compile_rules(REAL._replace(id="mine", rules={"R": spec}))


RULES = rule_set()
(RULE,) = RULES.rules
SYSTEM_WIDE = rule_set(subject="system", when="system.desktop", require="system.processors >= 1",
                   message="few", remedy="more")  # fmt: skip


def network(low: float | None, high: float | None = None, large: bool | None = True) -> Any:
    load = None if low is None else given(low, high, "op/s")
    return blank("network", {"id": "north", "large_packets": large, "nfs_ops_per_s": load})


def subjects(record: Any, **system: Any) -> dict[str, Any]:
    facts = {"id": "primary", "processors": given(1), **system}
    return {"network": record, "system": blank("system", facts)}


CASES: Mapping[Verdict, Any] = {
    "holds": network(10),
    "tight": network(5, 15),
    "violated": network(11),
    "unknown": network(None),
    "not_applicable": network(11, large=False),
}


def found(rule: Rule, facts: Mapping[str, Any], **more: Any) -> Finding:
    return finding(rule, facts, rule.verdict(facts), **more)


@pytest.mark.parametrize("verdict", CASES)
def test_a_verdict(verdict: Verdict) -> None:
    assert RULE.verdict(subjects(CASES[verdict])) == verdict


@pytest.mark.parametrize(
    ("record", "verdict"),
    [
        (network(10, large=None), "holds"),
        (network(5, 15, large=None), "unknown"),
        (network(11, large=None), "unknown"),
        (network(None, large=None), "unknown"),
    ],
)
def test_where_it_is_unknown_whether_a_rule_applies_only_what_is_met_holds(
    record: Any, verdict: Verdict
) -> None:
    assert RULE.verdict(subjects(record)) == verdict


def test_a_finding_carries_the_rule_the_numbers_and_the_words() -> None:
    facts = subjects(network(11))
    one = found(RULE, facts)
    assert (one.rule, one.title, one.guide, one.severity) == ("R", "A rule", "mine", "advice")
    assert (one.subject, one.verdict) == ("primary/network/north", "violated")
    assert (one.message, one.remedy) == ("11 op/s of 10 op/s", "less than 10 op/s")
    assert one.source == "the book, p. 1"
    assert one.figures == {
        "network.nfs_ops_per_s": facts["network"].nfs_ops_per_s,
        "system.processors": facts["system"].processors,
        "most": RULE.parameters["most"],
    }
    assert (one.reason, one.missing) == ("", ())


@pytest.mark.parametrize(
    ("verdict", "message", "remedy"),
    [
        ("holds", "10 op/s of 10 op/s", ""),
        ("tight", "5 to 15 op/s of 10 op/s", "less than 10 op/s"),
        ("unknown", "unknown of 10 op/s", "less than 10 op/s"),
        ("not_applicable", "", ""),
    ],
)
def test_the_words_of_each_verdict(verdict: Verdict, message: str, remedy: str) -> None:
    one = found(RULE, subjects(CASES[verdict]))
    assert (one.verdict, one.message, one.remedy) == (verdict, message, remedy)


def test_a_rule_that_does_not_apply_shows_no_figures() -> None:
    assert found(RULE, subjects(CASES["not_applicable"])).figures == {}
    assert found(RULE, subjects(CASES["holds"])).figures.keys() == {
        "network.nfs_ops_per_s", "system.processors", "most",
    }  # fmt: skip


def test_only_where_the_verdict_is_unknown_it_is_told_what_is_missing() -> None:
    one = found(RULE, subjects(network(None, large=None), processors=None))
    assert one.missing == ("network.large_packets", "network.nfs_ops_per_s", "system.processors")
    assert found(RULE, subjects(network(None))).missing == ("network.nfs_ops_per_s",)
    broken = found(RULE, subjects(network(11), processors=None))
    assert (broken.verdict, broken.missing) == ("violated", ())


def test_a_subject_is_named_by_its_system_or_by_what_is_given() -> None:
    facts = subjects(network(11))
    assert found(RULE, facts, system="backup").subject == "backup/network/north"
    assert found(RULE, subjects(network(11), id="")).subject == "system/network/north"
    (rule,) = SYSTEM_WIDE.rules
    assert found(rule, subjects(network(1), desktop=True)).subject == "primary"
    assert found(rule, subjects(network(1), desktop=True, id="")).subject == "system"


def test_a_rule_is_asked_of_every_record_of_its_subject() -> None:
    two = (network(1), network(11)._replace(id="south"))
    facts = Facts(subjects(None)["system"], two)
    told = list(findings(RULES, facts, Policy()))
    assert [(one.subject, one.verdict) for one in told] == [
        ("primary/network/north", "holds"), ("primary/network/south", "violated"),
    ]  # fmt: skip
    (other, _) = findings(RULES, facts, Policy(), "backup")
    assert other.subject == "backup/network/north"
    assert list(findings(RULES, Facts(facts.system), Policy())) == []


@pytest.mark.parametrize(
    ("verdict", "then"),
    [
        ("violated", "waived"), ("tight", "waived"), ("unknown", "waived"),
        ("holds", "holds"), ("not_applicable", "not_applicable"),
    ],
)  # fmt: skip
def test_what_is_not_held_is_waived_with_its_reason(verdict: Verdict, then: Verdict) -> None:
    facts = Facts(subjects(None)["system"], (CASES[verdict],))
    (one,) = findings(RULES, facts, Policy(waived={"R": "it will be mended"}))
    assert (one.verdict, one.reason) == (then, "it will be mended")
    (one,) = findings(RULES, facts, Policy(waived={"other": "it will be mended"}))
    assert (one.verdict, one.reason) == (verdict, "")


def test_what_is_waived_tells_what_to_do_all_the_same() -> None:
    facts = Facts(subjects(None)["system"], (network(None),))
    (one,) = findings(RULES, facts, Policy(waived={"R": "it will be mended"}))
    assert one.remedy == "less than 10 op/s"
    assert one.missing == ()


def test_a_limit_that_two_rules_set_is_counted_once_unless_both_are_the_guides() -> None:
    """What a rule of the guide limits, a rule of sizewright's own does not break again."""
    bounds = {"bounds": [{"resource": "network.nfs_ops_per_s", "at_most": "most"}]}
    (guides,) = rule_set(severity="violation", **bounds).rules
    own, other = guides._replace(own=True), guides._replace(own=True, stated_bounds=())
    broken = Cost(broken=1)
    assert count_broken_limits([(guides, broken)]) == 1
    assert count_broken_limits([(guides, broken), (own, broken)]) == 1
    assert count_broken_limits([(guides, broken), (guides, broken)]) == 2
    assert count_broken_limits([(guides, FREE), (own, broken)]) == 1
    # A limit of its own that names no resource, such as the one disk of an operating system.
    assert count_broken_limits([(guides, broken), (other, broken)]) == 2
    assert count_broken_limits([(guides, FREE)]) == 0


def test_an_unknown_limit_counts_nothing_against_a_part_that_is_known_in_part() -> None:
    limit = {"resource": "network.nfs_ops_per_s", "at_most": "most"}
    limited = rule_set(
        severity="violation", require="network.nfs_ops_per_s <= most", bounds=[limit]
    )
    accepting = Policy(accept_unknown=True)

    def cost(load: float | None, **known: bool) -> Cost:
        system = subjects(None)["system"]
        return subject_cost(limited, accepting, system, "network", network(load), **known)

    assert (cost(None), cost(None, partial=True)) == (Cost(advice=1), FREE)
    assert cost(11) == cost(11, partial=True) == Cost(broken=1)
