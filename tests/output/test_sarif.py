from __future__ import annotations

import json
import re
from typing import Any

import pytest

from site_rules import BOX, EXPECTED, RULES
from sizewright.api import load_engine, report_check
from sizewright.box.reading import read_box
from sizewright.check.rule_filter import RuleFilter
from sizewright.documents import parse_document
from sizewright.output.exchange import sarif_data

from .conftest import Checker

LEVELS = ("none", "note", "warning", "error")
KINDS = ("external", "inSource")


def _is_text(message: Any) -> bool:
    return isinstance(message, dict) and isinstance(message["text"], str) and message["text"] != ""


def _check_location(location: dict[str, Any], artifacts: list[Any]) -> None:
    assert set(location) <= {"physicalLocation", "logicalLocations"}
    for logical in location.get("logicalLocations", ()):
        assert set(logical) == {"name", "fullyQualifiedName", "kind"}
        assert all(isinstance(text, str) and text for text in logical.values())
    physical = location.get("physicalLocation")
    if physical is not None:
        artifact = physical["artifactLocation"]
        assert re.fullmatch(r"[\w./~%:-]+", artifact["uri"])
        assert artifacts[artifact["index"]]["location"]["uri"] == artifact["uri"]
        region = physical["region"]
        assert set(region) <= {"startLine", "startColumn"}
        assert all(isinstance(at, int) and at >= 1 for at in region.values())


def _valid(data: dict[str, Any]) -> dict[str, Any]:
    """What the SARIF 2.1.0 schema and its rules of use ask of the parts that we write."""
    assert set(data) == {"$schema", "version", "runs"}
    assert data["version"] == "2.1.0"
    (run,) = data["runs"]
    assert set(run) <= {"tool", "columnKind", "invocations", "artifacts", "results"}
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    driver = run["tool"]["driver"]
    assert driver["name"] and re.fullmatch(r"\d+\.\d+\.\d+.*", driver["semanticVersion"])
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(ids) == len(set(ids))
    for rule in driver["rules"]:
        assert set(rule) == {
            "id", "name", "shortDescription", "help", "defaultConfiguration", "properties",
        }  # fmt: skip
        assert re.fullmatch(r"\w+", rule["name"])
        assert _is_text(rule["shortDescription"]) and _is_text(rule["help"])
        assert "{" not in rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in LEVELS
    for artifact in run.get("artifacts", ()):
        assert re.fullmatch("[0-9a-f]{64}", artifact["hashes"]["sha-256"])
    (invocation,) = run["invocations"]
    assert isinstance(invocation["executionSuccessful"], bool)
    for notification in invocation["toolExecutionNotifications"]:
        assert set(notification) == {"level", "message", "associatedRule"}
        assert notification["level"] in LEVELS and _is_text(notification["message"])
        assert notification["associatedRule"]["id"] in ids
    for result in run["results"]:
        assert result["level"] in LEVELS and _is_text(result["message"])
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert len(result["locations"]) == 1
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            _check_location(location, run.get("artifacts", []))
        assert all(isinstance(v, str) for v in result["partialFingerprints"].values())
        for suppression in result.get("suppressions", ()):
            assert suppression["kind"] in KINDS and suppression["status"] == "accepted"
            assert suppression["justification"]
            _check_location(suppression.get("location", {}), run.get("artifacts", []))
    return run


def _run(checked: Checker, *changes: tuple[str, str], **more: Any) -> dict[str, Any]:
    text = json.dumps(sarif_data(checked(*changes, **more)), allow_nan=False)
    return _valid(json.loads(text))


def _line(start: str) -> int:
    return next(n for n, line in enumerate(BOX.splitlines(), 1) if line.strip().startswith(start))


def test_results_are_what_is_broken_tight_or_waived(checked: Checker) -> None:
    run = _run(checked)
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == sorted(
        RULES, key=[rule["id"] for rule in run["tool"]["driver"]["rules"]].index
    )
    found = {result["ruleId"]: result for result in run["results"]}
    assert {rule: result["level"] for rule, result in found.items()} == {
        "site-devices": "error", "site-processors": "warning", "site-networks": "note",
        "site-operations": "warning", "site-memory": "warning",
    }  # fmt: skip
    told = {"violated", "tight", "waived"}
    for rule, result in found.items():
        (subject,) = (s for s, says in EXPECTED[rule].says.items() if says in told)
        (logical,) = result["locations"][0]["logicalLocations"]
        assert logical["fullyQualifiedName"] == subject
        assert ("suppressions" in result) is (rule == "site-memory")
    assert found["site-devices"]["message"]["text"] == (
        "Title of site-devices: 3 devices on esp0, at most 2. To do: Move a device to another bus."
    )


def _lines(result: dict[str, Any]) -> list[int]:
    places = (*result["locations"], *result.get("relatedLocations", ()))
    return [place["physicalLocation"]["region"]["startLine"] for place in places]


def test_a_result_is_at_the_line_of_its_cause(checked: Checker) -> None:
    """Then come its other values, and the part that it is about."""
    lines = {result["ruleId"]: _lines(result) for result in _run(checked)["results"]}
    assert lines["site-devices"] == [_line("devices:"), _line("- id: esp0")]
    assert lines["site-operations"] == [_line("disks: {sd0: {ops_per_s"), _line("- {id: sd0")]
    assert lines["site-processors"] == [_line("processors: 4"), _line("name: primary")]
    assert lines["site-memory"] == [_line("memory:"), _line("name: primary")]


def test_a_fact_that_is_no_number_is_at_its_key() -> None:
    text = """\
name: old
guide: sun-1992
platform: sparcserver-670mp
channels:
  - id: esp0
    kind: scsi-synchronous
    devices:
      - id: sd0
        device: 424mb-scsi
        target: 3
        accelerated: true
        dual_ported: true
accelerator: sbus-prestoserve
"""
    document = parse_document(text, "box.yaml")
    report = report_check(read_box(document), document, load_engine("sun-1992"))
    found = {r["ruleId"]: _lines(r) for r in sarif_data(report)["runs"][0]["results"]}
    assert found["XIX"] == [11, 12, 8]
    assert found["2.4.3-dual-port"] == [8]


def test_a_waived_result_is_suppressed_where_it_is_waived(checked: Checker) -> None:
    (waived,) = (r for r in _run(checked)["results"] if "suppressions" in r)
    (suppression,) = waived["suppressions"]
    assert suppression["justification"] == "The boards are on order"
    region = suppression["location"]["physicalLocation"]["region"]
    assert region["startLine"] == _line("- {rule: site-memory")


def test_what_is_not_known_is_a_notification(checked: Checker) -> None:
    (invocation,) = _run(checked)["invocations"]
    assert invocation["executionSuccessful"] is True
    texts = {
        n["associatedRule"]["id"]: n["message"]["text"]
        for n in invocation["toolExecutionNotifications"]
    }
    assert set(texts) == {"site-clients", "site-lines"}
    assert "Clients on this network. Count the clients of the network." in texts["site-clients"]
    assert "primary/network/le0" in texts["site-clients"]


def test_a_run_that_judged_nothing_was_no_success(checked: Checker) -> None:
    run = _run(checked, asked=RuleFilter(only=("site-clients", "site-strings")))
    assert run["results"] == []
    assert run["invocations"][0]["executionSuccessful"] is False


def test_standard_input_has_no_place(checked: Checker) -> None:
    run = _run(checked, name="<stdin>")
    assert "artifacts" not in run
    assert all("physicalLocation" not in r["locations"][0] for r in run["results"])


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("box.yaml", "box.yaml"), ("sites/a b/bäx.yaml", "sites/a%20b/b%C3%A4x.yaml"),
        ("a:b%.yaml", "a%3Ab%25.yaml"), ("/srv/box.yaml", "file:///srv/box.yaml"),
    ],
)  # fmt: skip
def test_a_file_is_named_by_uri(checked: Checker, name: str, uri: str) -> None:
    (artifact,) = _run(checked, name=name)["artifacts"]
    assert artifact["location"]["uri"] == uri


def test_a_rule_keeps_its_fingerprint_when_figures_change(checked: Checker) -> None:
    def prints(run: dict[str, Any]) -> set[str]:
        return {r["partialFingerprints"]["ruleAndSubject/v1"] for r in run["results"]}

    assert prints(_run(checked)) == prints(_run(checked, ("processors: 4", "processors: 3")))


def test_a_hostile_name_stays_text(checked: Checker) -> None:
    run = _run(checked, ("id: esp0", 'id: "a\\e[2J\\n</x>"'))
    (result,) = (r for r in run["results"] if r["ruleId"] == "site-devices")
    (logical,) = result["locations"][0]["logicalLocations"]
    assert logical["name"] == "a\x1b[2J\n</x>"


def test_a_slash_in_the_name_of_the_box_hides_no_part(checked: Checker) -> None:
    run = _run(checked, ("name: primary", "name: a/channel/b"))
    names = {r["ruleId"]: r["locations"][0]["logicalLocations"][0]["name"] for r in run["results"]}
    assert names["site-devices"] == "esp0"
    assert names["site-processors"] == "a/channel/b"
