"""What is left without a part, as text and as data."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import jsonschema
import pytest

from sizewright.check.rule_filter import EVERYTHING, RuleFilter
from sizewright.cli.files import schema_of
from sizewright.output.failure import budget_changes, finding_changes
from sizewright.output.json.configuration import Configuration
from sizewright.output.json.plan import plan_data
from sizewright.output.plan import plan_text
from sizewright.output.render import Style
from sizewright.output.reports import PlanReport
from sizewright.planner.failover import plan_failure
from sizewright.planner.planning import Planning
from sizewright.planner.protection import plan_surviving
from sizewright.rules.compiler import compile_rules

from .conftest import Reporter


def without(report: PlanReport, *parts: str) -> PlanReport:
    plan = report.plan
    rule_set = compile_rules(plan.guide).judging("plan")
    return replace(report, failed=tuple(plan_failure(plan, part, rule_set) for part in parts))


def test_other_verdicts_come_first(reported: Reporter) -> None:
    report = without(reported("case-1"), "424mb-scsi-1")
    (failure,) = report.failed
    (disk,) = (b for b in failure.after.budgets if b.resource == "primary/disk/424mb-scsi-2")
    others = tuple(b for b in failure.after.budgets if b is not disk)
    after = failure.after._replace(budgets=(*others, disk._replace(verdict="violated")))
    was, now = budget_changes(failure._replace(after=after))[0]
    assert was is not None and was.verdict == "holds"
    assert now.resource == disk.resource and now.verdict == "violated"
    text = plan_text(replace(report, failed=(failure._replace(after=after),)))
    rows = text.split("\nFailure of 424 MB disk #1\n")[1].splitlines()
    (head,) = (n for n, line in enumerate(rows) if line.split()[:1] == ["resource"])
    assert rows[head + 1].endswith("pass → fail") and "disk #2" in rows[head + 1]


def test_only_what_changes_is_told(reported: Reporter) -> None:
    report = without(reported("case-1"), "424mb-scsi-1")
    (failure,) = report.failed
    told = {now.resource for _, now in budget_changes(failure)}
    assert "primary/disk/424mb-scsi-2" in told and "primary/memory" not in told
    assert "primary/disk/1-3gb-scsi-1" not in told


def test_changes_of_the_rules_that_are_asked_for_are_told(reported: Reporter) -> None:
    (failure,) = without(reported("case-1"), "builtin-1").failed
    rules = {finding.rule for _, finding in finding_changes(failure, EVERYTHING)}
    assert "1.1.7-backup-device" in rules
    chosen = finding_changes(failure, RuleFilter(ignored=("1.1.7-backup-device",)))
    assert {finding.rule for _, finding in chosen} == rules - {"1.1.7-backup-device"}


def test_where_no_limit_is_broken_no_rule_is_told_as_broken(reported: Reporter) -> None:
    """Two copies were asked for, and the failure uses one up: that is no limit."""
    (failure,) = without(reported("case-1"), "424mb-scsi-1").failed
    assert failure.holds
    broken = [f.rule for f in failure.after.findings
              if (f.verdict, f.severity) == ("violated", "violation")]  # fmt: skip
    assert broken == []


def test_a_recommended_limit_that_is_exceeded_after_a_failure_is_named_once(
    reported: Reporter,
) -> None:
    """The alternate of case study 7 has one kernel lock for nearly all, busy above 80% then."""
    report = reported("case-7")
    (failure,) = report.plan.borderline_failures
    assert (failure.component, failure.borderline) == ("primary", ("rule busy-kernel-lock",))
    said = " ".join(plan_text(report, full=False).split())
    assert "borderline after the failure of the primary: rule busy-kernel-lock." in said


@pytest.mark.parametrize("unicode", [True, False])
def test_it_fits_the_page_and_keeps_the_contract(reported: Reporter, unicode: bool) -> None:
    report = without(reported("case-1"), "sbus-scsi-1", "technical", "builtin-1", "tri-s-1")
    text = plan_text(report, style=Style(colour=False, unicode=unicode))
    assert [line for line in text.splitlines() if len(line) > 80] == []
    assert unicode or text.isascii()
    data = json.loads(json.dumps(plan_data(report), allow_nan=False))
    whole = schema_of("plan")
    part = {**whole["properties"]["failed"], "$defs": whole["$defs"]}
    jsonschema.Draft202012Validator(part).validate(data["failed"])
    assert [each["component"] for each in data["failed"]] == [
        "sbus-scsi-1", "technical", "builtin-1", "tri-s-1",
    ]  # fmt: skip


def test_what_a_workload_demands_to_survive_decides_the_verdict(reported: Reporter) -> None:
    """One system that is asked for survives no failure of itself."""
    plain = reported("case-1")
    wanted = plain.plan.demand._replace(survives=("system",), systems=1)
    rule_set = compile_rules(plain.plan.guide).judging("plan")
    planning = Planning(plain.plan.guide, rule_set, plain.plan.policy)
    report = replace(plain, plan=plan_surviving(wanted, planning))
    assert report.plan.chosen is not None and not report.plan.holds
    data = json.loads(json.dumps(plan_data(report), allow_nan=False))
    assert data["verdict"] == "violated" and data["failed"] == []
    assert [each["component"] for each in data["unsurvived"]] == ["primary"]
    text = " ".join(plan_text(report).split())
    assert "Fail: SPARCstation-2. It meets every limit" in text and "not after a failure" in text
    assert "must survive the failure of any one system. It does not survive:" in text
    assert plain.plan.unsurvived == () and plain.plan.chosen is not None
    assert (
        Configuration.make(report.plan.chosen.system).as_data()
        == Configuration.make(plain.plan.chosen.system).as_data()
    )


def test_a_network_more_is_planned_for_each_that_may_fail(reported: Reporter) -> None:
    demanded = ("wishes:\n", "availability: {survives: [network]}\nwishes:\n")
    found = reported("case-1", demanded).plan
    assert found.holds and found.chosen is not None
    ports = Counter(port.network for port in found.chosen.system.ports)
    assert ports == {"technical": 2, "administrative": 2, "pcs": 2}
    text = " ".join(plan_text(reported("case-1", demanded)).split())
    assert "survives the failure of any one network. Each group of clients has one" in text
