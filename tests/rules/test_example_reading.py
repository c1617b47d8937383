"""How an example of a rule is read: each kind of fact and parameter, and each refusal whole."""

from __future__ import annotations

from typing import Any

import pytest

from sizewright.errors import Diagnostic, InputError, Location
from sizewright.guide.loader import load_guide
from sizewright.rules.compiler import RuleSet, compile_rules
from sizewright.rules.examples import ExampleResult, run_examples

REAL = load_guide("sun-1992")
PARAMETERS = {
    "most": {"value": 10, "unit": "op/s"}, "strict": {"value": True}, "kind": {"value": "plain"},
    "media": {"value": ["ethernet"]},
}  # fmt: skip
OWN: dict[str, Any] = {"most": 20, "strict": False, "kind": "other", "media": ["fddi", "x"]}
GIVEN = {"network": {"nfs_ops_per_s": 15, "interface_kind": "plain", "medium": "fddi"}}
QUANTITY = "a number in op/s, or [low, high]"


def rule_set(*cases: dict[str, Any], require: str = "network.nfs_ops_per_s <= most") -> RuleSet:
    whole = [{"given": GIVEN, "parameters": OWN, "expect": "holds", **case} for case in cases]
    spec = {
        "id": "R", "title": "A rule", "subject": "network", "severity": "advice",
        "parameters": PARAMETERS, "require": require, "message": "much", "examples": whole,
    }  # fmt: skip
    return compile_rules(REAL._replace(id="mine", rules={"R": spec}))


def says(require: str, **case: Any) -> str:
    (result,) = run_examples(rule_set(case, require=require))
    return result.got


def fault(**case: Any) -> Diagnostic:
    with pytest.raises(InputError) as refused:
        list(run_examples(rule_set({}, case)))
    (one,) = refused.value.faults
    assert one.place == Location("rules/mine/R, example 2")
    return one


def test_a_result_names_rule_place_and_note() -> None:
    first, second = run_examples(rule_set({}, {"expect": "tight", "note": "at the edge"}))
    assert first == ExampleResult("R", 0, "holds", "holds", True, "", "mine")
    assert second == ExampleResult("R", 1, "tight", "holds", False, "at the edge", "mine")


@pytest.mark.parametrize(
    ("require", "verdict"),
    [
        ("network.nfs_ops_per_s <= most", "holds"),
        ("strict", "violated"),
        ("network.interface_kind == kind", "violated"),
        ("network.medium in media", "holds"),
        ("'x' in media and len(media) == 2", "holds"),
        ("network.latency_ms > 1", "unknown"),
        ("system.processors >= 1", "unknown"),
    ],
)
def test_facts_and_parameters_are_the_examples_own(require: str, verdict: str) -> None:
    assert says(require) == verdict


@pytest.mark.parametrize(
    ("rate", "verdict"),
    [
        (20, "holds"), ([15, 20], "holds"), ([15, 25], "tight"), ([21, 22], "violated"),
        ("20 op/s", "holds"), ("25 op/s", "violated"), (None, "unknown"),
    ],
)  # fmt: skip
def test_a_quantity_may_be_a_range_or_carry_its_unit(rate: Any, verdict: str) -> None:
    given = {"network": {"nfs_ops_per_s": rate}}
    assert says("network.nfs_ops_per_s <= most", given=given) == verdict


def test_facts_of_the_system_may_be_given() -> None:
    given = {**GIVEN, "system": {"processors": 2, "services": ["nfs"], "desktop": True}}
    assert says("system.processors == 2", given=given) == "holds"
    assert says("'nfs' in system.services and len(system.services) == 1", given=given) == "holds"
    assert says("system.desktop", given=given) == "holds"


@pytest.mark.parametrize(
    ("facts", "what", "expected"),
    [
        (3, "network is 3", "a mapping of facts to values"),
        ({"keep_medium": 1}, "network.keep_medium is 1", "true or false"),
        ({"medium": 1}, "network.medium is 1", "a text"),
        ({"interface_needs": "x"}, "network.interface_needs is 'x'", "a list of texts"),
        ({"interface_needs": ["x", 1]}, "network.interface_needs is a list", "a list of texts"),
        ({"nfs_ops_per_s": "many"}, "network.nfs_ops_per_s is 'many'", QUANTITY),
        ({"nfs_ops_per_s": [1, True]}, "network.nfs_ops_per_s is a list", QUANTITY),
        ({"nfs_ops_per_s": [3, 2]}, "network.nfs_ops_per_s: 3, 2.5 and 2 do not rise", QUANTITY),
        ({"nfs_ops_per_s": "3 MB"},
         "network.nfs_ops_per_s: MB cannot be expressed in op/s", QUANTITY),
    ],
)  # fmt: skip
def test_a_fact_of_the_wrong_kind(facts: Any, what: str, expected: str) -> None:
    one = fault(given={"network": facts})
    assert (one.what, one.expected, one.hint) == (what, expected, "")


@pytest.mark.parametrize(
    ("name", "value", "what", "expected"),
    [
        ("most", "all", "most is 'all'", QUANTITY),
        ("strict", 1, "strict is 1", "true or false"),
        ("kind", 1, "kind is 1", "a text"),
        ("kind", True, "kind is true", "a text"),
        ("media", "fddi", "media is 'fddi'", "a list of texts"),
    ],
)
def test_a_parameter_of_the_wrong_kind(name: str, value: Any, what: str, expected: str) -> None:
    one = fault(parameters={**OWN, name: value})
    assert (one.what, one.expected, one.hint) == (what, expected, "")


def test_names_that_lead_nowhere_are_told_with_those_that_do() -> None:
    one = fault(given={"netwrok": {}})
    assert one[1:-1] == (
        "unknown subject 'netwrok'", "one of system, reported or network", "did you mean 'network'?"
    )  # fmt: skip
    one = fault(given={"network": {"nfs_op_per_s": 1}})
    assert one.what == "unknown fact of network 'nfs_op_per_s'"
    assert one.expected.startswith("one of id, medium, interface")
    assert one.hint == "did you mean 'nfs_ops_per_s'?"
    one = fault(given={"network": {"interface_kind": "plane"}})
    assert one[1:-1] == (
        "unknown network.interface_kind: 'plane'",
        "one of plain, header_offload_nic or protocol_offload_nic", "did you mean 'plain'?",
    )  # fmt: skip
    one = fault(parameters={**OWN, "mots": 1})
    assert one[1:-1] == (
        "unknown parameter 'mots'", "one of most, strict, kind or media", "did you mean 'most'?"
    )  # fmt: skip


def test_every_parameter_must_be_given() -> None:
    one = fault(parameters={name: value for name, value in OWN.items() if name != "kind"})
    assert one[1:-1] == ("parameter kind is left out", "every parameter of the rule", "")
