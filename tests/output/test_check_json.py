from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from site_rules import EXPECTED, RULES
from sizewright.check.rule_filter import EVERYTHING, RuleFilter
from sizewright.cli.files import schema_of
from sizewright.output.json.check import check_data
from sizewright.rules.rule import VERDICTS

from .conftest import Checker

FULL = (
    ("memory: {total_mb: 64}", """\
operating_system: solaris-1.0.1
memory: {total_mb: 64}
boards:
  - {id: b0, board: sbus-scsi, slots: [1]}
expansion_boxes:
  - {id: outer, carrier: sbus-expander, boards: [sbus-scsi]}
volumes:
  - {name: home, access: random, copies: [[sd0], [sd1]], layout: stripe, interlace_kb: 16}
software: []
databases: [oracle]
tunables: {maxusers: 64}"""),
    ("id: sd0, device: 669mb-scsi", "id: sd0, device: 669mb-scsi, target: 3, rate_mb_per_s: 4, "
     "dual_ported: false, partitions: [{name: a, size_mb: 20, start_cylinder: 0, use: root, "
     "heat: hot}, {name: b}]"),
    ("kind: scsi-synchronous", "kind: scsi-synchronous\n    cable_m: [4, 5]\n"
     "    connector_pairs: 3"),
)  # fmt: skip


def _data(checked: Checker, *changes: tuple[str, str], asked: RuleFilter | None = None) -> Any:
    report = checked(*changes, asked=asked) if asked else checked(*changes)
    data = json.loads(json.dumps(check_data(report), allow_nan=False))
    jsonschema.Draft202012Validator(schema_of("check")).validate(data)
    assert list(data) == schema_of("check")["required"]
    return data


BARE = (
    ("processors: 4\n", ""), ("memory: {total_mb: 64}\n", ""),
)  # fmt: skip


@pytest.mark.parametrize("changes", [(), FULL, BARE], ids=["some", "full", "bare"])
@pytest.mark.parametrize("asked", [None, EVERYTHING], ids=["site", "all"])
def test_every_check_keeps_the_contract(
    checked: Checker, changes: tuple[tuple[str, str], ...], asked: RuleFilter | None
) -> None:
    _data(checked, *changes, asked=asked)


def test_a_key_too_many_or_too_few_breaks_it(checked: Checker) -> None:
    validator = jsonschema.Draft202012Validator(schema_of("check"))
    data = _data(checked)
    for broken in (
        {**data, "more": 1},
        {key: value for key, value in data.items() if key != "headroom"},
        {**data, "verdict": "waived"},
    ):
        assert not validator.is_valid(broken)


def test_findings_are_those_that_the_rules_must_make(checked: Checker) -> None:
    found: dict[str, dict[str, str]] = {}
    for finding in _data(checked)["findings"]:
        found.setdefault(finding["rule"], {})[finding["subject"]] = finding["verdict"]
        assert finding["severity"] == EXPECTED[finding["rule"]].severity
        assert bool(finding["missing"]) is (finding["verdict"] == "unknown")
        assert bool(finding["reason"]) is (finding["verdict"] == "waived")
    assert found == {rule: expected.says for rule, expected in EXPECTED.items()}


def test_coverage_counts_rules_and_judgements(checked: Checker) -> None:
    coverage = _data(checked)["coverage"]
    assert (coverage["rules"], coverage["ran"]) == (8, 5)
    assert list(coverage["by_rule"]) == list(coverage["judgements"]) == list(VERDICTS)
    assert coverage["by_rule"] == {
        "holds": 0, "tight": 1, "violated": 3, "unknown": 2, "waived": 1, "not_applicable": 1,
    }  # fmt: skip
    assert coverage["judgements"] == {
        "holds": 2, "tight": 1, "violated": 3, "unknown": 2, "waived": 1, "not_applicable": 1,
    }  # fmt: skip


def test_the_box_and_the_policy_are_told(checked: Checker) -> None:
    data = _data(checked, asked=RuleFilter(only=RULES, ignored=("XIII",), severity="advice"))
    assert data["box"] == {
        "name": "primary", "title": "The machine in the cellar", "file": "box.yaml",
        "digest": checked().document.digest, "platform": "sparcserver-690mp",
    }  # fmt: skip
    assert data["policy"] == {
        "size_for": "high", "rules": list(RULES), "ignored": ["XIII"], "severity": "advice",
        "waived": [{
            "rule": "site-memory", "reason": "The boards are on order", "subjects": [],
            "until": "", "expired": False,
        }],
        "reserve_percent": 0,
    }  # fmt: skip


def test_headroom_is_limit_over_use_nearest_first(checked: Checker) -> None:
    data = _data(checked)
    budgets = {budget["resource"]: budget for budget in data["budgets"]}
    assert len(data["headroom"]) > 1
    lows = [each["factor"]["low"] for each in data["headroom"]]
    assert lows == sorted(lows)
    for each in data["headroom"]:
        budget = budgets[each["resource"]]
        least = budget["limit"]["low"] / budget["used"]["high"]
        assert each["factor"]["low"] == pytest.approx(least)
        assert each["limit_rule"] == budget["limit_rule"]
    assert budgets["primary/memory"]["used"] is None


def test_a_missing_fact_says_what_it_is_where_and_for_whom(checked: Checker) -> None:
    assert _data(checked)["unknown"] == [
        {
            "fact": "network.clients", "what": "Clients on this network", "unit": "client",
            "subjects": ["primary/network/le0"], "rules": ["site-clients"],
            "measure": ["Count the clients of the network."],
        },
        {
            "fact": "system.serial_lines",
            "what": "Asynchronous serial lines on the system's own boards",
            "unit": "line", "subjects": ["primary"], "rules": ["site-lines"],
            "measure": ["Count the lines in use."],
        },
    ]  # fmt: skip


def test_the_configuration_is_what_the_file_says(checked: Checker) -> None:
    (system,) = _data(checked, *FULL)["systems"]
    parts = system["configuration"]
    assert (system["id"], parts["processors"], parts["memory_mb"]) == ("primary", 4, 64)
    (channel,) = parts["channels"]
    assert [channel["cable_m"][end] for end in ("low", "high")] == [4, 5]
    disk = channel["devices"][0]
    assert (disk["target"], disk["dual_ported"]) == (3, False)
    assert [p["hot"] for p in disk["partitions"]] == [True, None]
    assert parts["expansions"][0]["boards"][0]["model"] == "sbus-scsi"
    assert parts["tunables"]["maxusers"]["likely"] == 64
    assert parts["unstated"] == ["accelerator", "managers"]
    (bare,) = _data(checked, *BARE)["systems"]
    assert bare["configuration"]["memory_mb"] is None
    assert "boards" in bare["configuration"]["unstated"]
