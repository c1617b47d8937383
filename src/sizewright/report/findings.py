"""Findings as text: limits broken, advice not followed, what is to note, tight or waived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable

from sizewright.planner.miss import Rejection
from sizewright.report.layout import FINDINGS_TOLD
from sizewright.report.model import PlanReport
from sizewright.report.names import Names, tried
from sizewright.report.numbers import percent
from sizewright.report.overlays import OverlayUse
from sizewright.report.page import Page
from sizewright.report.words import verdict_word
from sizewright.rules.rule import VERDICTS, Finding

Key = tuple[str, str]

_BROKEN = "broken"
_TITLES = {
    _BROKEN: "Limits not met",
    "violation": "Limits not met at the other end of a range",
    "advice": "Advice not followed",
    "note": "Notes",
    "tight": "Borderline: passes at best case only, or exceeds a recommended limit",
    "waived": "Waived",
}
_COLOURS = {_BROKEN: "violated", "violation": "violated", "advice": "tight", "tight": "tight",
            "waived": "waived"}  # fmt: skip
_SEVERITY_TOLD = ("tight", "waived")
# What a broken rule that sets no limit counts as, by its severity.
_NO_LIMIT = {"advice": "advice not followed", "note": "to note"}


def key(finding: Finding) -> Key:
    """What tells a finding from every other one."""
    return finding.rule, finding.subject


def findings(page: Page, names: Names, found: Iterable[Finding], broken: Container[Key]) -> None:
    """Every finding that asks for attention, with its numbers, its remedy and its source.

    `broken` are the keys of those that stand in the way.
    """
    sections: dict[str, list[Finding]] = {kind: [] for kind in _TITLES}
    for finding in found:
        kind = finding.severity if finding.verdict == "violated" else finding.verdict
        kind = _BROKEN if key(finding) in broken else kind
        if kind in sections:
            sections[kind].append(finding)
    for kind, members in sections.items():
        if members:
            page.heading(_TITLES[kind])
        for alike in _grouped(members):
            _rule(page, names, kind, alike)


def _rule(page: Page, names: Names, kind: str, alike: list[Finding]) -> None:
    first, *others = alike
    part = first.subject != names.system.id and not others
    where = f" on {names.subject(first.subject)}" if part else ""
    title = f"Rule {first.rule}{where}: {first.title}"
    page.say(title, depth=1, hang=1, verdict=_COLOURS.get(kind, ""))
    if not others:
        page.say(_sentence(first.message), depth=2)
    else:
        for finding in alike[:FINDINGS_TOLD]:
            told = f"- {names.subject(finding.subject)}: {_sentence(finding.message)}"
            page.say(told, depth=2, hang=1)
        left = [names.subject(f.subject) for f in alike[FINDINGS_TOLD:]]
        if left:
            page.say(f"- The same for {names.listing(left)}.", depth=2, hang=1)
    if first.reason:
        page.say(f"Waived because: {_sentence(first.reason)}", depth=2)
    for remedy in list(dict.fromkeys(f.remedy for f in alike if f.remedy))[:FINDINGS_TOLD]:
        page.say(f"To do: {remedy}", depth=2)
    severity = f"; {first.severity}" if kind in _SEVERITY_TOLD else ""
    page.say(f"[{first.source}{severity}]", depth=2)


def borderline(page: Page, names: Names, found: Iterable[Finding], of: str = "") -> None:
    """Name in a line what is borderline, if anything is; `of` says of which system."""
    told = []
    for alike in _grouped(found):
        parts = [names.subject(f.subject) for f in alike if f.subject != names.system.id]
        where = f" on {names.listing(parts)}" if parts else ""
        told.append(f"{alike[0].title}{where} (rule {alike[0].rule})")
    if told:
        page.say(f"Borderline{of}: {'; '.join(told)}.", verdict="tight")


def rejections(page: Page, report: PlanReport) -> None:
    """Every platform that was tried and does not hold, with the numbers."""
    plan = report.plan
    others = [r for r in plan.rejected if plan.holds or r is not plan.nearest]
    if not others:
        return
    if plan.pair is not None:
        page.heading("Rejected as a single system")
    else:
        page.heading("Rejected" if plan.holds else "Other platforms")
    for label, rejection in tried(others):
        share = rejection.load_share
        part = f" (supports {percent(share)} of the load)" if 0 < share < 1 else ""
        page.say(f"{label}{part}", depth=1, hang=1)
        for reason in reasons(rejection):
            page.say(f"- {reason}", depth=2, hang=1)


def reasons(rejection: Rejection) -> list[str]:
    """What a platform breaks, with numbers; a rule that several subjects break stands once."""
    found = []
    for alike in _grouped(rejection.findings):
        more = f"; the same for {len(alike) - 1} more" if len(alike) > 1 else ""
        found.append(f"{alike[0].message} (rule {alike[0].rule}{more})")
    return found or list(rejection.reasons)


def overlays(page: Page, uses: Iterable[OverlayUse]) -> None:
    """What overlays put in place of the guide's own values, and which of that was used."""
    told = list(uses)
    if not told:
        return
    page.heading("Changed by overlays")
    for use in told:
        change = use.change
        before = f"{change.before} → " if change.before else ""
        used = "used in this result" if use.used else "not used in this result"
        page.say(
            f"{change.overlay}: {change.what}: {before}{change.after} ({used})", depth=1, hang=1
        )


def covered(page: Page, rules: int, found: tuple[Finding, ...]) -> None:
    """How much of so many rules was judged, in a line."""
    counts = Counter(map(_result, found))
    order = (*map(verdict_word, VERDICTS), *_NO_LIMIT.values())
    said = ", ".join(f"{counts[word]} {word}" for word in order if counts[word])
    page.gap()
    page.say(f"{rules} rules, {len(found)} results: {said}.")


def _result(finding: Finding) -> str:
    """Return the word for a result; advice and notes are no limits, so that they do not fail."""
    word = verdict_word(finding.verdict)
    return _NO_LIMIT.get(finding.severity, word) if finding.verdict == "violated" else word


def _grouped(found: Iterable[Finding]) -> list[list[Finding]]:
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in found:
        groups.setdefault((finding.rule, finding.verdict), []).append(finding)
    return list(groups.values())


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."
