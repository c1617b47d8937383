"""`explain` of a server: its budgets, and findings of plans and servers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .conftest import CASE_1, Run

BOX = Path(__file__).resolve().parents[2] / "examples/sun-1992/appendix-d/box-random.yaml"
RULE_VII = """\
Rule VII on channel esp0: Active disks on a SCSI host adapter
fail (violation): 2.33 disks active on esp0; the limit of its adapter is 2 disks
to do: Spread the busy disks over more host adapters. Lightly used disks may
share one.
required if channel.family == 'scsi': channel.active_disks <=
channel.active_limit [section 2.4.2]
"""


@pytest.mark.parametrize(
    "wanted", ["VII", "vii", "Rule VII", "Rule VII on channel esp0", "VII esp0", "VII on esp0:"]
)
def test_a_finding_is_traced_by_its_rule(run: Run, wanted: str) -> None:
    result = run("explain", BOX, wanted)
    assert result.stdout.startswith(RULE_VII)
    assert result.exit_code == 1
    # Down to the line of the file, and to the cell of the table.
    assert "20 op/s: observed.disks.sd3.ops_per_s [box-random.yaml:49:22]" in result.stdout
    assert "random_disks_limit of scsi-synchronous [table disk-busses" in result.stdout
    assert result.stdout.count("Rule VII on") == 1


def test_a_part_has_its_budgets_and_findings(run: Run) -> None:
    text = run("explain", BOX, "sd3").stdout
    heads = re.findall(r"^\S+/(\w+/sd3) \(", text, re.MULTILINE)
    assert heads == ["disk/sd3", "space/sd3"]
    rules = re.findall(r"^Rule (\S+) on (\w+ \w+):", text, re.MULTILINE)
    assert len(rules) > 3 and {part for _, part in rules} == {"disk sd3"}


def test_without_a_name_all_budgets_of_the_server_are_traced(run: Run) -> None:
    checked = json.loads(run("check", BOX, "--format", "json").stdout)
    text = run("explain", BOX).stdout
    for budget in checked["budgets"]:
        assert f"\n{budget['resource']} (" in f"\n{text}"


def test_a_finding_of_a_plan_is_traced(run: Run) -> None:
    result = run("explain", CASE_1, "1.1.1-sustained")
    assert result.exit_code == 0
    assert "pass (violation)" in result.stdout and "Rule 1.1.1-sustained on" in result.stdout


@pytest.mark.parametrize(
    ("wanted", "near"), [("VIJ", "XVI"), ("rule VIII on sd1", ""), ("sd33", "sd3")]
)
def test_an_unknown_name_is_answered_with_the_nearest(run: Run, wanted: str, near: str) -> None:
    result = run("explain", BOX, wanted)
    assert result.exit_code == 2
    assert f"no resource, rule or part is called '{wanted}'" in result.stderr
    assert near in result.stderr


def test_the_json_has_the_conditions_and_each_value(run: Run) -> None:
    data = json.loads(run("explain", BOX, "VII", "--format", "json").stdout)
    (finding,) = data["findings"]
    assert data["budgets"] == [] and data["workload"] == "terabyte"
    assert finding["when"] == "channel.family == 'scsi'"
    assert finding["require"] == "channel.active_disks <= channel.active_limit"
    values = {each["name"]: each for each in finding["values"]}
    assert values["channel.family"]["figure"] is None
    assert values["channel.active_disks"]["figure"]["op"] == "sum"


def test_markdown_has_the_facts(run: Run) -> None:
    text = run("explain", BOX, "VII", "--format", "markdown").stdout
    assert text.startswith("# Derivation for terabyte")
    assert "- channel.active\\_limit: 2 disks " in text


def test_the_number_of_systems_means_nothing_for_a_server(run: Run) -> None:
    result = run("explain", BOX, "--systems", "2")
    assert result.exit_code == 2 and "has no meaning for a server" in result.stderr
