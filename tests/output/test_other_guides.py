"""How a report tells what other guides say, beside what the box's own guide says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from sizewright.api import check_against, policy_of
from sizewright.check.rule_filter import EVERYTHING, RuleFilter
from sizewright.cli.files import schema_of
from sizewright.documents import parse_document
from sizewright.output.check import check_text
from sizewright.output.exchange import junit_text, sarif_data
from sizewright.output.json.check import check_data
from sizewright.output.layout import WIDTH
from sizewright.output.reports import CheckReport
from two_guides import OTHER, REPORTED, case_1, checked, engine, overlay

from .test_sarif import _valid

TOLD = ("violated", "tight")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> CheckReport:
    """The first case, also by a guide that has a rule of an id of its own guide's."""
    both = overlay(tmp_path_factory.mktemp("overlays") / "both")
    return _report(case_1(REPORTED), both, engine(OTHER, both), engine("auspex-1992"))


@pytest.fixture(scope="module")
def alone(report: CheckReport) -> CheckReport:
    return replace(report, others=())


def _report(text: str, both: Path, *others: Any, asked: RuleFilter = EVERYTHING) -> CheckReport:
    found = checked(text, both)
    policy = policy_of(found.box.policy, found.guide)
    opinions = tuple(check_against(found, other, asked) for other in others)
    return CheckReport(found, parse_document(text, "box.yaml"), policy, others=opinions)


# --- what stays -----------------------------------------------------------------------------------


def test_verdict_and_counts_are_those_of_the_own_guide(
    report: CheckReport, alone: CheckReport
) -> None:
    """The other guide has a limit that is broken; the own guide has none.

    By its own guide the box is borderline: 400 of the 424 MB of each half of its mirror, 94 %,
    are in file systems, which 1.2.4 wants at most 90 % full.
    """
    assert "violated" in {f.verdict for each in report.others for f in each.findings
                          if f.severity == "violation"}  # fmt: skip
    assert report.verdict == alone.verdict == "tight"
    assert (report.counts, report.broken, report.holds) == (alone.counts, (), True)


def test_a_text_begins_as_without_other_guides(report: CheckReport, alone: CheckReport) -> None:
    assert check_text(report).startswith(check_text(alone))


def test_json_has_one_key_more(report: CheckReport, alone: CheckReport) -> None:
    whole = check_data(report)
    assert list(whole) == [*check_data(alone), "also_by"]
    del whole["also_by"]
    assert whole == check_data(alone)


# --- text -----------------------------------------------------------------------------------------


def _parts(report: CheckReport) -> list[str]:
    _, _, told = check_text(report).partition("\nFindings of other guides\n")
    return told.split("\nGuide ")


def test_each_guide_has_a_part_with_its_title(report: CheckReport) -> None:
    caution, *parts = _parts(report)
    assert [part.split("\n")[0] for part in parts] == [OTHER, "auspex-1992"]
    assert parts[0].startswith(f"{OTHER}\n=================\nI/O Performance Tuning of ")
    assert "describe other machines" in caution and "neither the verdict" in caution
    assert check_text(report).count("describe other machines") == 1


def test_a_part_tells_what_asks_for_attention(report: CheckReport) -> None:
    first, second = _parts(report)[1:]
    assert "\nLimits not met\n  Rule VII on channel pedestal: Title of VII\n" in first
    assert "    6 of pedestal, at most 4.\n    To do: Take less.\n    [section SCSI-2]\n" in first
    assert "\nAdvice not followed\n" in first and "  Rule queue: Title of queue\n" in first
    # Advice that one end of a range follows is no limit, so it is not borderline.
    advice = second.split("\nAdvice not followed\n")[1]
    assert "  Rule 1.2-clients-per-network" in advice and "one end of a range)" in advice
    assert "\nBorderline" not in second
    for part, each in zip((first, second), report.others, strict=True):
        silent = {f.rule for f in each.findings} - {
            f.rule for f in each.findings if f.verdict in TOLD
        }
        assert not [rule for rule in silent if f"Rule {rule}:" in part]


def test_a_part_tells_what_overlays_changed_of_that_guide(report: CheckReport) -> None:
    first, second = _parts(report)[1:]
    assert "\nChanged by overlays\n" in first and "rule VII" in first
    assert "Changed by overlays" not in second


@pytest.mark.parametrize(
    ("only", "told"),
    [
        ("4.2-nfs", "Selected: only rule 4.2-nfs.\nIts rules have no findings.\n"),
        ("3.3-base", "Selected: only rule 3.3-base.\nNone of its rules could be checked.\n"),
    ],
)
def test_a_guide_that_finds_nothing_says_so(tmp_path: Path, only: str, told: str) -> None:
    both = overlay(tmp_path / "both")
    found = _report(case_1(), both, engine("auspex-1992"), asked=RuleFilter(only=(only,)))
    assert f"Network Servers\n{told}\nRule coverage\n  Rules: 1. Ran: " in check_text(found)


def test_a_page_keeps_its_width(report: CheckReport) -> None:
    assert max(map(len, check_text(report).splitlines())) <= WIDTH


# --- JSON -----------------------------------------------------------------------------------------


def test_json_keeps_the_contract(report: CheckReport) -> None:
    data = json.loads(json.dumps(check_data(report), allow_nan=False))
    jsonschema.Draft202012Validator(schema_of("check")).validate(data)
    each, other = data["also_by"]
    assert list(each) == schema_of("check")["$defs"]["OtherGuide"]["required"]
    assert [each["guide"]["id"], other["guide"]["id"]] == [OTHER, "auspex-1992"]
    assert {finding["guide"] for finding in each["findings"]} == {OTHER}
    seven = [(f["subject"], f["verdict"]) for f in each["findings"] if f["rule"] == "VII"]
    assert seven == [
        ("departmental-nfs/channel/onboard", "holds"),
        ("departmental-nfs/channel/pedestal", "violated"),
    ]
    assert sum(each["coverage"]["judgements"].values()) == len(each["findings"])
    assert each["coverage"]["rules"] == sum(each["coverage"]["by_rule"].values())
    (waiting,) = (u for u in each["unknown"] if u["fact"] == "reported.there")
    assert (waiting["what"], waiting["rules"]) == ("Known there only", ["there"])
    assert {change["overlay"] for change in each["overlays"]} == {"both"}


# --- SARIF and JUnit ------------------------------------------------------------------------------


def test_sarif_names_each_rule_with_its_guide(report: CheckReport, alone: CheckReport) -> None:
    run, own = _valid(sarif_data(report)), sarif_data(alone)["runs"][0]
    rules, few = run["tool"]["driver"]["rules"], own["tool"]["driver"]["rules"]
    assert rules[: len(few)] == few
    assert run["results"][: len(own["results"])] == own["results"]
    more = run["results"][len(own["results"]) :]
    assert [r["ruleId"] for r in more if r["ruleId"].endswith("/VII")] == [f"{OTHER}/VII"]
    assert {r["ruleId"].partition("/")[0] for r in more} == {OTHER, "auspex-1992"}
    assert len({r["partialFingerprints"]["ruleAndSubject/v1"] for r in run["results"]}) == len(
        run["results"]
    )


def test_in_sarif_other_guides_inform(report: CheckReport) -> None:
    (run,) = sarif_data(report)["runs"]
    seven = next(r for r in run["results"] if r["ruleId"] == f"{OTHER}/VII")
    assert seven["level"] == "note"
    assert seven["properties"]["severity"] == "violation"
    assert seven["properties"]["guide"] == OTHER
    added = [r for r in run["tool"]["driver"]["rules"] if "/" in r["id"]]
    assert {rule["defaultConfiguration"]["level"] for rule in added} == {"note"}
    waiting = run["invocations"][0]["toolExecutionNotifications"]
    assert f"{OTHER}/there" in {each["associatedRule"]["id"] for each in waiting}


def test_in_junit_other_guides_have_suites_in_which_nothing_fails(
    report: CheckReport, alone: CheckReport
) -> None:
    root, few = (ElementTree.fromstring(junit_text(each)) for each in (report, alone))
    own = [ElementTree.tostring(suite).strip() for suite in few]
    assert [ElementTree.tostring(suite).strip() for suite in root][: len(own)] == own
    others = list(root)[len(own) :]
    assert {suite.get("name", "").partition("/")[0] for suite in others} == {OTHER, "auspex-1992"}
    assert [suite.get("failures") for suite in others] == ["0"] * len(others)
    (channel,) = (suite for suite in others if suite.get("name") == f"{OTHER}/channel")
    (case,) = (
        case for case in channel
        if case.get("name", "").startswith(f"{OTHER}/VII: ")
        and case.get("classname", "").endswith("/pedestal")
    )  # fmt: skip
    assert (case[0].tag, case[0].text) == (
        "system-out",
        "fail, violation: 6 of pedestal, at most 4\nTake less.\n[section SCSI-2]",
    )
