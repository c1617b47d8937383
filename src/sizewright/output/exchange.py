"""A check as SARIF 2.1.0 and as JUnit's XML, the forms in which other tools take findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sizewright import __version__
from sizewright.box.schema import named_parts
from sizewright.check.rule_filter import RuleFilter, qualified
from sizewright.configuration.model import SYSTEM
from sizewright.documents import STDIN, Document, ValuePath
from sizewright.errors import Location, printable
from sizewright.evaluate.findings import find_missing
from sizewright.output.names import group, subject_parts
from sizewright.output.reports import CheckReport
from sizewright.output.wording import NO_LIMIT, result_word
from sizewright.quantity import Quantity, leaves
from sizewright.rules.rule import MISSED, Finding, Rule

if TYPE_CHECKING:
    from sizewright.check.cross_guide import CrossCheck


def _qualified(rule: Rule) -> Rule:
    return rule._replace(id=qualified(rule.guide, rule.id))


def _qualified_findings(each: CrossCheck) -> list[Finding]:
    return [f._replace(asked=_qualified(f.asked)) for f in each.findings]


# What rules call the parts of a box file, by their keys in it.
_SUBJECTS = {
    "boards": "board", "expansion_boxes": "expansion", "networks": "network",
    "channels": "channel", "volumes": "volume", "devices": "disk",
}  # fmt: skip
_LINE = re.compile(r"(?P<file>.*):(?P<line>\d+):(?P<column>\d+)", re.ASCII | re.DOTALL)


def cause_lines(finding: Finding, document: Document, path: ValuePath) -> list[Location]:
    """Return the lines of the values that decided a finding, those of its own part first.

    `path` is that of its part. A fact that is no number is a key of the part, or of the file.
    """
    part = finding.subject.rpartition("/")[2]
    found: dict[Location, bool] = {}
    for subject, name in sorted(finding.asked.require.names):
        value = getattr(finding.read[subject], name)
        lines = dict(_input_lines(value, part)) if isinstance(value, Quantity) else {}
        if value is not None and not lines:
            above = path if subject == finding.asked.subject else ()
            lines = dict.fromkeys(_key_lines(document, above, name), True)
        found |= lines
    return sorted(found, key=lambda place: (not found[place], place))


def _input_lines(value: Quantity, part: str) -> Iterator[tuple[Location, bool]]:
    """Yield each line of the file behind a number, and whether it is about a part."""
    for leaf in leaves(value):
        where = _LINE.fullmatch(leaf.source.where) if leaf.source is not None else None
        if where is not None:
            place = Location(where["file"], int(where["line"]), int(where["column"]))
            yield place, part in leaf.name.split(".")


def _key_lines(document: Document, path: ValuePath, name: str) -> Iterator[Location]:
    """Yield the lines of the keys that a fact is named after: `memory` for memory_mb, or itself."""
    data = document.data
    for step in path:
        data = data[step]
    for key, value in data.items():
        if name == key or name.startswith(f"{key}_"):
            yield document.place((*path, key))
        elif isinstance(value, dict) and name in value:
            yield document.place((*path, key, name))


VERSION = "2.1.0"
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"violation": "error", "recommended": "warning", "advice": "warning", "note": "note"}
# What holds in the best case of a range only is reported one step more softly.
_TIGHT = {"violation": "warning", "recommended": "warning", "advice": "note", "note": "note"}
# What another guide finds informs, whatever its severity there.
_INFORMING = dict.fromkeys(_LEVELS, "note")
_TOLD = ("violated", "tight", "waived")


def sarif_data(report: CheckReport) -> dict[str, Any]:
    """One run: every rule that was asked, and a result for each that is broken, tight or waived.

    What could not be judged is no result, but a notification for each missing fact. The rules of
    other guides come last, with the guide in their ids, and are notes all.
    """
    check = report.check
    rules = [(rule, _LEVELS) for rule in check.rule_set.rules]
    found = [(finding, False) for finding in check.findings]
    for each in report.others:
        rules += [(_qualified(rule), _INFORMING) for rule in each.rule_set.rules]
        found += [(finding, True) for finding in _qualified_findings(each)]
    index = {rule.id: i for i, (rule, _) in enumerate(rules)}
    where = _Where(report)
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "sizewright",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(rule, levels) for rule, levels in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": report.has_enough_data or bool(report.broken),
                "toolExecutionNotifications": _notifications(report),
            }
        ],
        "results": [
            _result(f, index[f.rule], where, informs) for f, informs in found if f.verdict in _TOLD
        ],
    }  # fmt: skip
    if where.uri:
        digest = {"sha-256": report.document.digest}
        run["artifacts"] = [{"location": {"uri": where.uri}, "hashes": digest}]
    return {"$schema": _SCHEMA, "version": VERSION, "runs": [run]}


class _Where:
    """Finds the lines of the box file; standard input has none that could be shown."""

    def __init__(self, report: CheckReport) -> None:
        name = PurePath(report.document.name)
        uri = name.as_uri() if name.is_absolute() else quote(name.as_posix(), errors="replace")
        self.uri = "" if report.document.name == STDIN else uri
        self.system = report.check.judged.system.id
        self._report = report
        # The path of each subject (`kind/id`) in the file; that of the box is empty.
        self._paths = {
            f"{_SUBJECTS[kind]}/{part}": path
            for path, kind, part in named_parts(report.check.box) if kind in _SUBJECTS
        }  # fmt: skip

    def finding(self, finding: Finding) -> list[dict[str, Any]]:
        """The lines of what decided a finding, and that of its part, as members of locations."""
        name = "/".join(subject_parts(finding.subject, self.system)).strip("/")
        path = self._paths.get(name, ())
        document = self._report.document
        places = (*cause_lines(finding, document, path), document.place(path or ("name",)))
        return [self._physical(place) for place in dict.fromkeys(places)]

    def waiver(self, finding: Finding) -> dict[str, Any]:
        """The place of the waiver of a finding, as members of a location."""
        stated = self._report.check.box.policy.waive
        for waiver, asked in zip(self._report.policy.waivers, stated, strict=True):
            place = getattr(asked.rule, "place", None)
            if place and waiver.covers(finding.rule, finding.subject):
                return self._physical(place)
        return {}

    def _physical(self, place: Location) -> dict[str, Any]:
        if not self.uri:
            return {}
        found: dict[str, Any] = {"artifactLocation": {"uri": self.uri, "index": 0}}
        if place.line:
            found["region"] = {"startLine": place.line, "startColumn": place.column or 1}
        return {"physicalLocation": found}


def _rule(rule: Rule, levels: Mapping[str, str]) -> dict[str, Any]:
    words = "".join(c if c.isalnum() else " " for c in rule.title).split()
    reason = " ".join(str(rule.spec.get("severity_reason") or "").split())
    return {
        "id": rule.id,
        "name": "".join(word[0].upper() + word[1:] for word in words) or rule.id,
        "shortDescription": {"text": rule.title},
        "help": {"text": f"{reason} [{rule.cite}]".lstrip()},
        "defaultConfiguration": {"level": levels[rule.severity]},
        "properties": {"guide": rule.guide, "source": rule.cite, "severity": rule.severity},
    }


def _result(finding: Finding, index: int, where: _Where, informs: bool) -> dict[str, Any]:
    """Return the result of a rule; that of another guide's rule only `informs`."""
    levels = _INFORMING if informs else _TIGHT if finding.verdict == "tight" else _LEVELS
    own = {"guide": finding.guide, "severity": finding.severity} if informs else {}
    message = f"{finding.title}: {finding.message}"
    location, *related = where.finding(finding)
    location["logicalLocations"] = [
        {
            "name": subject_parts(finding.subject, where.system)[1] or where.system,
            "fullyQualifiedName": finding.subject,
            "kind": "resource",
        }
    ]
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": levels[finding.severity],
        "message": {"text": f"{message}. To do: {finding.remedy}" if finding.remedy else message},
        "locations": [location],
        "partialFingerprints": {"ruleAndSubject/v1": f"{finding.rule} {finding.subject}"},
        "properties": {"verdict": finding.verdict, "source": finding.source, **own},
    }
    if where.uri and related:
        result["relatedLocations"] = related
    if finding.verdict == "waived":
        waiver: dict[str, Any] = {
            "kind": "inSource", "status": "accepted", "justification": finding.reason,
        }  # fmt: skip
        place = where.waiver(finding)
        result["suppressions"] = [{**waiver, "location": place} if place else waiver]
    return result


def _notifications(report: CheckReport) -> list[dict[str, Any]]:
    missing = [(fact, fact.rules) for fact in report.missing] + [
        (fact, tuple(qualified(each.guide.id, rule) for rule in fact.rules))
        for each in report.others
        for fact in find_missing(each.guide, each.judged.system.id, each.findings)
    ]
    found = []
    for fact, rules in missing:
        ways = " ".join(fact.measure)
        text = f"missing for {', '.join(fact.subjects)}: {fact.what}. {ways}".rstrip()
        message = {"text": f"{text} (needed for rules: {', '.join(rules)})"}
        found.append({"level": "note", "message": message, "associatedRule": {"id": rules[0]}})
    return found


def junit_text(report: CheckReport) -> str:
    """A suite for each kind of subject, a case for each rule on each subject.

    A case fails where what it found counts for the exit code; what is unknown, waived or does not
    apply is skipped, with the reason. All is ASCII: characters that XML cannot carry are escaped.
    Other guides have suites of their own, with the guide in the names, in which nothing fails.
    """
    root, system = Element("testsuites"), report.check.judged.system.id
    _suites(root, report.check.findings, system, "", report.selection)
    if report.verdict == "unknown":
        suite = SubElement(root, "testsuite", {"name": "coverage"})
        name = {"classname": printable(report.check.box.name), "name": "there is enough data"}
        said = {"message": "not enough data", "type": "coverage"}
        SubElement(SubElement(suite, "testcase", name), "error", said)
    for each in report.others:
        findings = _qualified_findings(each)
        _suites(root, findings, each.judged.system.id, each.guide.id, None)
    for element in (root, *root):
        for attribute, cases in _COUNTED.items():
            element.set(attribute, str(len(element.findall(cases))))
    root.set("name", printable(f"sizewright check of {report.check.box.name}"))
    indent(root)
    text: str = tostring(root, encoding="us-ascii", xml_declaration=True).decode("ascii")
    return text


def _suites(
    root: Element, found: Iterable[Finding], system: str, guide: str, counts: RuleFilter | None
) -> None:
    """Add a suite for each kind of subject; no finding counts without a selection."""
    alike = group(found, lambda each: subject_parts(each.subject, system)[0] or SYSTEM)
    for kind, findings in alike.items():
        name = qualified(guide, kind) if guide else kind
        suite = SubElement(root, "testsuite", {"name": printable(name)})
        for finding in findings:
            _case(suite, finding, counts is not None and counts.counts(finding.severity))


def _case(suite: Element, finding: Finding, counts: bool) -> None:
    name = f"{finding.rule}: {finding.title}"
    case = SubElement(
        suite, "testcase", {"classname": printable(finding.subject), "name": printable(name)}
    )
    told = "\n".join(
        printable(line) for line in (finding.message, finding.remedy, f"[{finding.source}]") if line
    )
    if finding.verdict == "violated" and counts:
        said = {"message": printable(finding.message), "type": finding.severity}
        SubElement(case, "failure", said).text = told
    elif finding.verdict in MISSED:
        word = result_word(finding.verdict, finding.severity)
        limit = "" if finding.severity in NO_LIMIT else f", {finding.severity}"
        SubElement(case, "system-out").text = f"{word}{limit}: {told}"
    elif finding.verdict in _SKIPPED:
        reason = finding.reason if finding.verdict == "waived" else ", ".join(finding.missing)
        why = f"{_SKIPPED[finding.verdict]}: {reason}" if reason else _SKIPPED[finding.verdict]
        SubElement(case, "skipped", {"message": printable(why)})


_SKIPPED = {"waived": "waived", "unknown": "missing data", "not_applicable": "not applicable"}
# What a suite counts, and where the cases with it have it.
_COUNTED = {
    "tests": ".//testcase", "failures": ".//failure", "errors": ".//error",
    "skipped": ".//skipped",
}  # fmt: skip
