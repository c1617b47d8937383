"""What findings count against a candidate, under each policy."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from generated_workloads import ENGINE, planned, read
from sizewright.api import policy_of
from sizewright.errors import InputError
from sizewright.evaluate.findings import subject_cost
from sizewright.evaluate.policy import FREE, Cost, Policy, Waiver, collapsed
from sizewright.facts.records import blank
from sizewright.quantity import Quantity
from sizewright.rules.compiler import compile_rules
from sizewright.rules.rule import Rule, Verdict
from small import given, plain

DATA = "network.data_kb_per_s"
VIOLATION = ENGINE.rule_set.rule("1.1.1-interface-sustained")
UNBOUNDED = ENGINE.rule_set.rule("1.1.2-response")
ON_THE_PLATFORM = ENGINE.rule_set.rule("1.1.1-sustained")
ADVICE = ENGINE.rule_set.rule("2.11.1-halves-apart")
NOTE = ENGINE.rule_set.rule("1.2.6-online-backup")


@pytest.mark.parametrize(
    ("verdict", "end", "cost"),
    [
        ("holds", "high", FREE),
        ("violated", "high", Cost(broken=1)),
        ("violated", "low", Cost(broken=1)),
        ("violated", "likely", Cost(broken=1)),
        ("tight", "high", Cost(broken=1)),
        ("tight", "low", FREE),
        ("tight", "likely", FREE),
        ("not_applicable", "high", FREE),
        ("waived", "high", FREE),
    ],
)
def test_a_violation_breaks_a_candidate_at_the_end_it_is_sized_for(
    verdict: Verdict, end: str, cost: Cost
) -> None:
    assert Policy(size_for=end).cost(VIOLATION, verdict, {}) == cost


@pytest.mark.parametrize(
    ("verdict", "cost"),
    [("holds", FREE), ("violated", Cost(advice=1)), ("tight", Cost(tight=1)), ("unknown", FREE)],
)
def test_advice_is_counted_and_never_breaks(verdict: Verdict, cost: Cost) -> None:
    for end in ("low", "high"):
        assert Policy(size_for=end).cost(ADVICE, verdict, {}) == cost


def _advised_speed(*bounds: Mapping[str, str]) -> Rule:
    """A rule of a recommended limit: 900 to 1000 KB/s of data on a network."""
    spec = {
        "id": "speed", "title": "speed", "subject": "network", "severity": "recommended",
        "parameters": {"most": {"value": [900, 1000], "unit": "KB/s"}}, "bounds": bounds,
        "when": f"known({DATA})", "require": f"{DATA} <= most", "message": "",
    }  # fmt: skip
    (rule,) = compile_rules(ENGINE.guide._replace(rules={"speed": spec})).rules
    return rule


@pytest.mark.parametrize(
    ("low", "high", "end", "verdict", "excess"),
    [
        (500, 900, "high", "holds", 0),
        (1080, 1350, "high", "tight", 10),  # 1350 ÷ 900 − 1 = 0.5
        (1080, 1350, "low", "tight", 2),  # 1080 ÷ 1000 − 1 = 0.08, in parts of 0.05
        (950, 1235, "likely", "tight", 3),  # 1092.5 ÷ 950 − 1 = 0.15
        (950, 950, "low", "tight", 0),  # 950 ÷ 1000: kept at the better end
        (1098, 1098, "high", "tight", 5),  # 1098 and 1100 ÷ 900 differ by less than buys anything
        (1100, 1100, "high", "tight", 5),
        (945, 945, "high", "tight", 1),  # 1.05, and what is more is in the next part
        (954, 954, "high", "tight", 2),
        (900.09, 900.09, "high", "tight", 1),  # a ten thousandth is not lost
    ],
)
def test_a_recommended_limit_counts_by_what_exceeds_it(
    low: float, high: float, end: str, verdict: Verdict, excess: int
) -> None:
    rule, policy = _advised_speed({"resource": DATA, "at_most": "most"}), Policy(size_for=end)
    network = blank("network", {"id": "north", "data_kb_per_s": given(low, high, "KB/s")})
    subjects = {"system": blank("system", {}), "network": network}
    assert rule.verdict(subjects) == verdict
    assert policy.counts(rule)
    assert not policy.blocks(rule)
    assert policy.cost(rule, policy.verdict(rule, subjects), subjects) == Cost(excess=excess)


def test_a_recommendation_without_bounds_is_borderline_and_weighs_nothing() -> None:
    network = blank("network", {"id": "north", "data_kb_per_s": given(2000, 2000, "KB/s")})
    subjects = {"system": blank("system", {}), "network": network}
    rule, policy = _advised_speed(), Policy()
    assert policy.verdict(rule, subjects) == "tight"
    assert policy.cost(rule, "tight", subjects) == FREE
    assert not policy._replace(waived={rule.id: "known"}).counts(rule)
    assert policy._replace(follow_advice="never").counts(rule)


def test_an_unknown_limit_of_a_chosen_part_breaks_unless_it_is_accepted() -> None:
    policy = Policy()
    accepting = policy._replace(accept_unknown=True)
    for rule in (VIOLATION, UNBOUNDED):
        assert policy.cost(rule, "unknown", {}) == Cost(broken=1)
        assert accepting.cost(rule, "unknown", {}) == Cost(advice=1)
        assert policy.cost(rule, "unknown", {}, partial=True) == FREE
    assert policy.cost(ON_THE_PLATFORM, "unknown", {}) == FREE


def test_who_has_a_say() -> None:
    usual, never, always = (Policy(follow_advice=how) for how in ("where_free", "never", "always"))
    assert [usual.counts(rule) for rule in (VIOLATION, ADVICE, NOTE)] == [True, True, False]
    assert [never.counts(rule) for rule in (VIOLATION, ADVICE, NOTE)] == [True, False, False]
    assert [always.blocks(rule) for rule in (VIOLATION, ADVICE, NOTE)] == [True, True, False]
    assert [usual.blocks(rule) for rule in (VIOLATION, ADVICE, NOTE)] == [True, False, False]
    assert always.cost(ADVICE, "violated", {}) == Cost(broken=1)


def test_a_waived_rule_has_no_say() -> None:
    policy = Policy(waived={VIOLATION.id: "known", ADVICE.id: "known"})
    assert not policy.counts(VIOLATION)
    assert not policy.counts(ADVICE)
    assert policy.counts(ON_THE_PLATFORM)


def test_costs_add_up() -> None:
    assert Cost(1, 2, 3, 4).plus(Cost(10, 20, 30, 40)) == Cost(11, 22, 33, 44)
    assert Cost(11, 22, 33, 44).minus(Cost(10, 20, 30, 40)) == Cost(1, 2, 3, 4)
    assert Cost(1, 2, 3, 4).times(3) == Cost(3, 6, 9, 12)


def test_a_collapsed_record_has_likely_values_of_the_facts_that_are_read() -> None:
    data = given(10, 30, "KB/s")
    record = blank(
        "network",
        {"id": "north", "nfs_ops_per_s": given(10, 30, "op/s"), "data_kb_per_s": data},
    )
    found = collapsed(record, ("id", "nfs_ops_per_s"))
    assert (found.id, found.nfs_ops_per_s, found.data_kb_per_s) == ("north", 20, data)
    assert isinstance(record.nfs_ops_per_s, Quantity)


@pytest.mark.parametrize(("end", "cost"), [("low", FREE), ("likely", FREE), ("high", Cost(1))])
def test_a_subject_costs_what_its_rules_say_at_that_end(end: str, cost: Cost) -> None:
    """300 to 330 of 400 operations: 320 are sustained."""
    record = blank(
        "network",
        {
            "id": "north", "interface": "lance-ethernet", "interface_kind": "plain",
            "medium": "ethernet", "keep_medium": True, "fastest_response": False,
            "nfs_ops_per_s": given(300, 330, "op/s"), "diskless_clients": given(0, 0, "client"),
            "interface_ops_per_s": given(400, 400, "op/s"),
            "capacity_ops_per_s": given(400, 400, "op/s"),
        },
    )  # fmt: skip
    rules, whole = ENGINE.judging("plan"), blank("system", {})
    assert subject_cost(rules, Policy(size_for=end), whole, "network", record) == cost


def test_the_workloads_policy_is_taken_over() -> None:
    stated = {
        "size_for": "low", "follow_advice": "never",
        "waive": [{"rule": "XI", "reason": "the cables are laid"}],
    }  # fmt: skip
    policy = policy_of(read(plain({}, policy=stated)).policy, ENGINE.guide)
    why = "the cables are laid"
    assert policy == Policy("low", "never", {"XI": why}, waivers=(Waiver("XI", why),))


def test_a_waiver_of_a_rule_that_is_not_there_is_refused() -> None:
    stated = {"waive": [{"rule": "XIV.", "reason": "a slip"}]}
    with pytest.raises(InputError) as caught:
        policy_of(read(plain({}, policy=stated)).policy, ENGINE.guide)
    text = caught.value.text()
    assert text.startswith("generated.yaml:")
    assert "there is no rule 'XIV.'" in text
    assert "did you mean 'XIV'?" in text


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("many", "many"),
        ("5 MB", "MB"),
        ([300, 200], "300"),
        (-5, "-5"),
    ],
    ids=["text", "unit", "falling", "negative"],
)
def test_an_override_that_cannot_be_meant_is_told_where_it_stands(value: object, what: str) -> None:
    stated = {"parameters": {"XIII": {"max_nfs_ops_per_s": value}}}
    with pytest.raises(InputError) as caught:
        planned(plain({}, policy=stated))
    text = caught.value.text()
    assert text.startswith("generated.yaml:")
    assert what in text


def test_an_override_may_carry_its_unit() -> None:
    for value in (200, "200 op/s", "12000 op/min", [200, 200]):
        stated = {"parameters": {"1.2.7-least-memory": {"least_mb": 48}, "XIII": {
            "max_nfs_ops_per_s": value}}}  # fmt: skip
        found = planned(plain({}, policy=stated))
        assert found.chosen is not None
        assert found.chosen.system.memory_mb == 48


@pytest.mark.parametrize(
    ("subjects", "subject", "covered"),
    [
        ((), "primary/disk/a", True),
        (("a",), "primary/disk/a", True),
        (("disk/a",), "primary/disk/a", True),
        (("b", "a"), "primary/disk/a", True),
        (("b",), "primary/disk/a", False),
        (("a",), "primary/disk/aa", False),
        (("a",), "primary/disk/ba", False),
    ],
)
def test_a_waiver_covers_the_parts_that_it_names(
    subjects: tuple[str, ...], subject: str, covered: bool
) -> None:
    waiver = Waiver("V", "it may", subjects)
    assert waiver.covers("V", subject) is covered
    assert not waiver.covers("VI", subject)
    assert Policy(waivers=(waiver,)).reason("V", subject) == ("it may" if covered else "")
    expired = Policy(waivers=(waiver._replace(expired=True, until="2020-01-01"),))
    assert (expired.reason("V", subject), bool(expired.expiry("V", subject))) == ("", covered)
