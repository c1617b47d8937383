from __future__ import annotations

from xml.etree import ElementTree

from site_rules import EXPECTED
from sizewright.check.rule_filter import RuleFilter
from sizewright.output.exchange import junit_text

from .conftest import SITE, Checker

OUTCOMES = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def _suites(text: str) -> ElementTree.Element:
    root = ElementTree.fromstring(text)
    assert root.tag == "testsuites"
    assert text.startswith("<?xml ") and text.isascii()
    for each in (root, *root):
        assert each.get("tests") == str(len(each.findall(".//testcase")))
        for attribute, tag in OUTCOMES.items():
            assert each.get(attribute) == str(len(each.findall(f".//{tag}")))
    for suite in root:
        assert suite.tag == "testsuite" and suite.get("name")
        for case in suite:
            assert case.tag == "testcase" and case.get("classname") and case.get("name")
            assert len(case) <= 1
    return root


def _outcomes(root: ElementTree.Element) -> dict[tuple[str, str], str]:
    return {
        (case.get("name", "").partition(":")[0], case.get("classname", "")):
            case[0].tag if len(case) else "passed"
        for case in root.iter("testcase")
    }  # fmt: skip


def test_a_case_for_each_rule_and_subject(checked: Checker) -> None:
    root = _suites(junit_text(checked()))
    outcome = {"holds": "passed", "violated": "system-out", "tight": "system-out"}
    expected = {
        (rule, subject): outcome.get(verdict, "skipped")
        for rule, each in EXPECTED.items() for subject, verdict in each.says.items()
    }  # fmt: skip
    expected["site-devices", "primary/channel/esp0"] = "failure"
    assert _outcomes(root) == expected
    kinds = {suite.get("name"): suite.get("tests") for suite in root}
    assert kinds == {"system": "4", "channel": "2", "network": "1", "disk": "3"}


def test_a_failure_tells_figure_remedy_and_source(checked: Checker) -> None:
    root = _suites(junit_text(checked()))
    (failure,) = root.iter("failure")
    assert failure.attrib == {"message": "3 devices on esp0, at most 2", "type": "violation"}
    assert failure.text == (
        "3 devices on esp0, at most 2\nMove a device to another bus.\n[section 1.1.1]"
    )


def test_what_fails_is_what_the_exit_code_tells(checked: Checker) -> None:
    advice = _outcomes(_suites(junit_text(checked(asked=SITE._replace(severity="advice")))))
    failed = {rule for (rule, _), outcome in advice.items() if outcome == "failure"}
    assert failed == {"site-devices", "site-processors"}
    assert "site-networks" not in {rule for rule, _ in advice}


def test_what_is_skipped_says_why(checked: Checker) -> None:
    root = _suites(junit_text(checked()))
    why = {
        case.get("name", "").partition(":")[0]: case[0].get("message")
        for case in root.iter("testcase") if case.find("skipped") is not None
    }  # fmt: skip
    assert why == {
        "site-clients": "missing data: network.clients",
        "site-lines": "missing data: system.serial_lines",
        "site-memory": "waived: The boards are on order",
        "site-strings": "not applicable",
    }


def test_a_run_that_judged_nothing_is_an_error(checked: Checker) -> None:
    root = _suites(junit_text(checked(asked=RuleFilter(only=("site-clients",)))))
    assert (root.get("errors"), root.get("skipped")) == ("1", "1")
    assert root.get("failures") == "0"


def test_hostile_names_stay_within_their_attributes(checked: Checker) -> None:
    root = _suites(
        junit_text(
            checked(
                ("id: esp0", 'id: "a\\"><failure/>&lt;\\e\\uFFFE\\n"'),
                ("reason: The boards are on order", "reason: '<![CDATA[ & ]]> \"x\"'"),
            )
        )
    )
    assert len(list(root.iter("failure"))) == 1
    (case,) = (c for c in root.iter("testcase") if c.find("failure") is not None)
    assert case.get("classname") == 'primary/channel/a"><failure/>&lt;\\x1b\\ufffe\\n'
    assert 'waived: <![CDATA[ & ]]> "x"' in {s.get("message") for s in root.iter("skipped")}
