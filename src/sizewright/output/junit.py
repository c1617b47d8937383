"""A check as JUnit's XML, the form in which most CI systems show test results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sizewright.check.rule_filter import qualified
from sizewright.errors import printable
from sizewright.output.check import qualified_findings
from sizewright.output.names import subject_parts
from sizewright.output.reports import CheckReport, any_checked
from sizewright.output.wording import verdict_word
from sizewright.rules.rule import Finding

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from sizewright.check.cross_guide import CrossCheck

_SYSTEM = "system"


def junit_text(report: CheckReport) -> str:
    """A suite for each kind of subject, a case for each rule on each subject.

    A case fails where what it found counts for the exit code; what is unknown, waived or does not
    apply is skipped, with the reason. All is ASCII: characters that XML cannot carry are escaped.
    Other guides have suites of their own, with the guide in the names, in which nothing fails.
    """
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    root = Element("testsuites")
    for kind, findings in _by_kind(report.check.findings, report.check.judged.system.id).items():
        suite = SubElement(root, "testsuite", {"name": _clean(kind)})
        for finding in findings:
            _case(suite, finding, report.selection.counts(finding.severity))
        _count(suite)
    if not any_checked(report.check.findings):
        suite = SubElement(root, "testsuite", {"name": "coverage"})
        name = {"classname": _clean(report.check.box.name), "name": "some rule was checked"}
        said = {"message": "no rule could be checked", "type": "coverage"}
        SubElement(SubElement(suite, "testcase", name), "error", said)
        _count(suite)
    for each in report.others:
        _other(root, each)
    _total(root)
    root.set("name", _clean(f"sizewright check of {report.check.box.name}"))
    indent(root)
    text: str = tostring(root, encoding="us-ascii", xml_declaration=True).decode("ascii")
    return text


def _by_kind(findings: Iterable[Finding], system: str) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        kind, _ = subject_parts(finding.subject, system)
        found.setdefault(kind or _SYSTEM, []).append(finding)
    return found


def _other(root: Element, each: CrossCheck) -> None:
    from xml.etree.ElementTree import SubElement

    found = _by_kind(qualified_findings(each), each.judged.system.id)
    for kind, findings in found.items():
        suite = SubElement(root, "testsuite", {"name": _clean(qualified(each.guide.id, kind))})
        for finding in findings:
            _case(suite, finding, counts=False)
        _count(suite)


def _case(suite: Element, finding: Finding, counts: bool) -> None:
    from xml.etree.ElementTree import SubElement

    name = f"{finding.rule}: {finding.title}"
    case = SubElement(
        suite, "testcase", {"classname": _clean(finding.subject), "name": _clean(name)}
    )
    told = "\n".join(
        _clean(line) for line in (finding.message, finding.remedy, f"[{finding.source}]") if line
    )
    if finding.verdict == "violated" and counts:
        said = {"message": _clean(finding.message), "type": finding.severity}
        SubElement(case, "failure", said).text = told
    elif finding.verdict in ("violated", "tight"):
        word = verdict_word(finding.verdict)
        SubElement(case, "system-out").text = f"{word}, {finding.severity}: {told}"
    elif finding.verdict in _SKIPPED:
        reason = finding.reason if finding.verdict == "waived" else ", ".join(finding.missing)
        why = f"{_SKIPPED[finding.verdict]}: {reason}" if reason else _SKIPPED[finding.verdict]
        SubElement(case, "skipped", {"message": _clean(why)})


_SKIPPED = {"waived": "waived", "unknown": "missing data", "not_applicable": "not applicable"}
_OUTCOMES = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def _count(suite: Element) -> None:
    suite.set("tests", str(len(suite.findall("testcase"))))
    for attribute, outcome in _OUTCOMES.items():
        suite.set(attribute, str(len(suite.findall(f"testcase/{outcome}"))))


def _total(root: Element) -> None:
    for attribute in ("tests", *_OUTCOMES):
        root.set(attribute, str(sum(int(suite.get(attribute, "")) for suite in root)))


def _clean(text: str) -> str:
    return printable(text)
