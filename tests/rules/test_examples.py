"""Every rule is what its examples say, and its examples leave no verdict out."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from sizewright.errors import InputError
from sizewright.evaluate.findings import finding
from sizewright.facts.records import blank
from sizewright.guide.loader import guide_ids, load_guide
from sizewright.quantity import count
from sizewright.rules.compiler import RuleSet, compile_rules
from sizewright.rules.examples import run_examples
from sizewright.rules.rule import _HOLE, LIMITS, VERDICTS, Rule, Verdict

BOOKS = {name: compile_rules(load_guide(name)) for name in guide_ids()}
RULES = BOOKS["sun-1992"]
RESULTS = tuple(result for rule_set in BOOKS.values() for result in run_examples(rule_set))


# A waiver is the user's, never the rule's.
SHOWN = tuple(verdict for verdict in VERDICTS if verdict != "waived")


def missing_verdicts(rule: Rule) -> tuple[Verdict, ...]:
    """Return the verdicts that have no example, unless the rule states that they cannot occur."""
    said = {str(example["expect"]) for example in rule.spec.get("examples") or ()}
    excused = rule.spec.get("cannot") or {}
    return tuple(v for v in SHOWN if v not in said and not excused.get(v))


def with_examples(rule_id: str, examples: list[Any], **more: Any) -> RuleSet:
    rule = RULES.rule(rule_id)
    changed = rule._replace(spec={**rule.spec, "examples": examples, **more})
    return RuleSet((changed,), RULES.facts)


def of_every_rule(check: Callable[[Rule], None]) -> Callable[[str], None]:
    """Make a test for each guide of a check of one rule; it names every rule that fails."""

    @pytest.mark.parametrize("guide", BOOKS)
    def test(guide: str) -> None:
        failing = {}
        for rule in BOOKS[guide].rules:
            try:
                check(rule)
            except AssertionError as error:
                failing[rule.id] = str(error)
        assert not failing

    return test


def test_a_rule_says_of_its_example_what_the_example_expects() -> None:
    assert not [result for result in RESULTS if result.got != result.expected]


def test_every_example_is_run() -> None:
    stated = [
        (name, rule.id, i) for name, rule_set in BOOKS.items()
        for rule in rule_set.rules for i in range(len(rule.spec["examples"]))
    ]  # fmt: skip
    assert [(result.guide, result.rule, result.index) for result in RESULTS] == stated
    assert stated


@of_every_rule
def test_no_verdict_is_missing_from_the_examples(rule: Rule) -> None:
    assert missing_verdicts(rule) == ()


@of_every_rule
def test_what_cannot_occur_is_a_verdict_and_has_no_example(rule: Rule) -> None:
    cannot = rule.spec.get("cannot") or {}
    assert set(cannot) <= set(SHOWN)
    assert not set(cannot) & {example["expect"] for example in rule.spec["examples"]}


@of_every_rule
def test_a_rule_always_applies_if_and_only_if_it_has_no_condition(rule: Rule) -> None:
    assert ("not_applicable" in (rule.spec.get("cannot") or {})) == (rule.when is None)


@of_every_rule
def test_only_a_rule_on_flags_texts_and_counts_is_never_tight(rule: Rule) -> None:
    if "tight" not in (rule.spec.get("cannot") or {}):
        return
    units = {
        BOOKS[rule.guide].facts[subject][field].unit
        for subject, field in rule.require.names
        if BOOKS[rule.guide].facts[subject][field].kind == "number"
    }
    assert units <= {"1"}


@of_every_rule
def test_a_rule_says_why_it_has_its_severity_and_what_to_do(rule: Rule) -> None:
    for key in ("severity_reason", "remedy", "measure"):
        assert str(rule.spec.get(key) or "").strip(), key
    assert not rule.message.endswith((".", "!"))


# What plans are made with; the first page of a report tells it ("No plan … keeps 10% free").
_OF_PLANS = {"least_free"}


@of_every_rule
def test_every_parameter_decides_or_is_told(rule: Rule) -> None:
    used = set(rule.require.parameters) | set(rule.when.parameters if rule.when else ())
    told = _names_in(rule.message + rule.remedy)
    assert set(rule.parameters) <= used | told | _OF_PLANS


def _names_in(template: str) -> set[str]:
    """Return the facts and parameters that a template prints."""
    return {name for name, *_ in _HOLE.findall(template)}


@of_every_rule
def test_every_fact_and_parameter_that_decides_stands_in_the_message(rule: Rule) -> None:
    holes = {f"{subject}.{field}" for subject, field in rule.require.names}
    holes |= set(rule.require.parameters)
    told = holes & _names_in(rule.message)
    kinds = {BOOKS[rule.guide].facts[subject][field].kind for subject, field in rule.require.names}
    assert told or kinds == {"flag"}, rule.message
    numbers = {
        f"{subject}.{field}"
        for subject, field in rule.require.names
        if BOOKS[rule.guide].facts[subject][field].kind == "number"
    }
    assert numbers - told == set()


@of_every_rule
def test_a_bound_names_the_resource_and_the_limit_of_the_condition(rule: Rule) -> None:
    facts = {f"{subject}.{field}" for subject, field in rule.require.names}
    for bound in rule.bounds:
        assert bound.resource in facts
        limit = bound.at_most or bound.share or bound.without_gain or bound.capacity
        assert limit in facts | set(rule.require.parameters)


@of_every_rule
def test_a_rule_that_bounds_a_resource_limits_it(rule: Rule) -> None:
    assert rule.severity in LIMITS or not rule.bounds


def test_a_rule_told_in_words_shows_the_subjects_own_numbers() -> None:
    facts: Mapping[str, Any] = {
        "id": "technical", "nfs_ops_per_s": count(350, "load", "op/s"),
        "interface": "lance-ethernet", "interface_kind": "protocol_offload_nic",
    }  # fmt: skip
    subjects = {"network": blank("network", dict(facts)), "system": blank("system", {})}
    told = finding(RULES.rule("XIII"), subjects, "violated")
    assert "350 op/s on technical" in told.message
    assert "290 op/s" in told.message


HOLDS = {"network": {"interface_kind": "protocol_offload_nic", "nfs_ops_per_s": 240}}
LIMIT = {"max_nfs_ops_per_s": 290}


def test_a_wrong_expectation_is_a_result_not_an_error() -> None:
    rule_set = with_examples("XIII", [{"given": HOLDS, "parameters": LIMIT, "expect": "violated"}])
    (result,) = run_examples(rule_set)
    assert (result.expected, result.got, result.ok) == ("violated", "holds", False)


def test_an_example_is_judged_by_its_own_parameters() -> None:
    own = {"max_nfs_ops_per_s": 200}
    rule_set = with_examples("XIII", [{"given": HOLDS, "parameters": own, "expect": "violated"}])
    (result,) = run_examples(rule_set)
    assert result.ok


def test_a_verdict_without_example_or_excuse_is_missing() -> None:
    example = {"given": HOLDS, "parameters": LIMIT, "expect": "holds"}
    (rule,) = with_examples("XIII", [example], cannot={"tight": "a reason", "violated": ""}).rules
    assert missing_verdicts(rule) == ("violated", "unknown", "not_applicable")


@pytest.mark.parametrize(
    ("example", "told"),
    [
        ({"given": {"netwrok": {}}}, "unknown subject 'netwrok'"),
        ({"given": {"disk": {}}}, "unknown subject 'disk'"),
        ({"given": {"network": 3}}, "network is 3"),
        ({"given": {"network": {"nfs_ops": 3}}}, "did you mean 'nfs_ops_per_s'?"),
        ({"given": {"network": {"nfs_ops_per_s": "many"}}}, "nfs_ops_per_s is 'many'"),
        ({"given": {"network": {"nfs_ops_per_s": "3 MB"}}}, "cannot be expressed in op/s"),
        ({"given": {"network": {"nfs_ops_per_s": True}}}, "nfs_ops_per_s is true"),
        ({"given": {"network": {"nfs_ops_per_s": [3, 2]}}}, "do not rise"),
        ({"given": {"network": {"nfs_ops_per_s": [1, 2, 3, 4]}}}, "nfs_ops_per_s is a list"),
        ({"given": {"network": {"keep_medium": 1}}}, "keep_medium is 1"),
        ({"given": {"network": {"medium": 1}}}, "medium is 1"),
        ({"given": {"network": {"interface_kind": "plane"}}}, "did you mean 'plain'?"),
        ({"given": {"system": {"disk_adapter_busses": "sbus"}}}, "a list of texts"),
        ({"given": HOLDS, "parameters": {}}, "parameter max_nfs_ops_per_s is left out"),
        ({"given": HOLDS, "parameters": {**LIMIT, "limit": 3}}, "unknown parameter 'limit'"),
        ({"given": HOLDS, "parameters": {"max_nfs_ops_per_s": "all"}}, "max_nfs_ops_per_s is"),
    ],
)
def test_a_faulty_example_is_refused_with_its_place(example: dict[str, Any], told: str) -> None:
    whole = {"parameters": LIMIT, "expect": "holds", **example}
    right = {"given": HOLDS, "parameters": LIMIT, "expect": "holds"}
    with pytest.raises(InputError) as caught:
        list(run_examples(with_examples("XIII", [right, whole])))
    (fault,) = caught.value.faults
    assert told in fault.text()
    assert "rules/sun-1992/XIII, example 2" in fault.text()


def test_all_faults_of_all_examples_are_told_together() -> None:
    example = {"given": {"network": {"x": 1, "medium": 2}}, "parameters": {}, "expect": "holds"}
    with pytest.raises(InputError) as caught:
        list(run_examples(with_examples("XIII", [example, example])))
    assert len(caught.value.faults) == 6
