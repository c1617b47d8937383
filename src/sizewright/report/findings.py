"""Findings as text: limits broken, advice not followed, what is tight, waived or unknown."""

from __future__ import annotations

from collections.abc import Iterable

from sizewright.guide.model import Guide
from sizewright.planner.judge import Judgement
from sizewright.planner.miss import Rejection
from sizewright.planner.plan import coverage
from sizewright.report.model import PlanReport
from sizewright.report.names import Names, listing
from sizewright.report.numbers import percent
from sizewright.report.overlays import overlay_uses
from sizewright.report.page import Page
from sizewright.rules.model import Finding

_SECTIONS = {
    "broken": ("Limits broken", "violated"),
    "violation": ("Limits broken at the other end of a range", "violated"),
    "advice": ("Advice not followed", "tight"),
    "tight": ("Tight: holds at the better end only", "tight"),
    "waived": ("Waived", "waived"),
    "note": ("To note", ""),
}


def findings(page: Page, guide: Guide, shown: Judgement, nearest: Rejection | None = None) -> None:
    """Every finding that asks for attention, with its numbers, its remedy and its source."""
    names = Names(guide, shown.system)
    broken = {(f.rule, f.subject) for f in nearest.findings} if nearest else set()

    def section(finding: Finding) -> str:
        if (finding.rule, finding.subject) in broken:
            return "broken"
        return finding.severity if finding.verdict == "violated" else finding.verdict

    for kind, (title, verdict) in _SECTIONS.items():
        groups = _grouped(f for f in shown.findings if section(f) == kind)
        if groups:
            page.heading(title)
        for alike in groups:
            first = alike[0]
            page.say(f"Rule {first.rule}: {first.title}", depth=1, hang=1, verdict=verdict)
            page.say(_sentence(first.message), depth=2)
            _others(page, alike, names)
            if first.reason:
                page.say(f"Waived because: {_sentence(first.reason)}", depth=2)
            if first.remedy:
                page.say(f"To do: {first.remedy}", depth=2)
            page.say(f"[{first.source}]", depth=2)


def unknowns(page: Page, guide: Guide, shown: Judgement) -> None:
    """What could not be judged, and what to measure."""
    names = Names(guide, shown.system)
    groups = _grouped(f for f in shown.findings if f.verdict == "unknown")
    if not groups:
        return
    page.heading("Unknown")
    for alike in groups:
        first = alike[0]
        page.say(f"Rule {first.rule}: {first.title}", depth=1, hang=1, verdict="unknown")
        page.say(_sentence(first.message), depth=2)
        _others(page, alike, names)
        measure = how_to_measure(guide, first)
        if measure:
            page.say(f"To measure: {measure}", depth=2)
        page.say(f"[{first.source}]", depth=2)


def how_to_measure(guide: Guide, finding: Finding) -> str:
    """How the rule says that its facts are measured."""
    return " ".join(str(guide.rules[finding.rule].get("measure") or "").split())


def rejections(page: Page, report: PlanReport) -> None:
    """Every platform that was tried and does not hold, with the numbers."""
    plan = report.plan
    others = [r for r in plan.rejected if plan.holds or r is not plan.nearest]
    if not others:
        return
    page.heading("Rejected" if plan.holds else "The other platforms")
    for rejection in others:
        share = rejection.load_share
        part = f" (would carry {percent(share)} of the load)" if 0 < share < 1 else ""
        page.say(f"{rejection.name}{part}", depth=1, hang=1)
        for reason in reasons(rejection):
            page.say(f"- {reason}", depth=2, hang=1)


def reasons(rejection: Rejection) -> list[str]:
    """What a platform breaks, with numbers; a rule that several subjects break stands once."""
    found = []
    for alike in _grouped(rejection.findings):
        more = f", and {len(alike) - 1} alike" if len(alike) > 1 else ""
        found.append(f"{alike[0].message} (rule {alike[0].rule}{more})")
    return found or list(rejection.reasons)


def overlays(page: Page, report: PlanReport) -> None:
    """What overlays put in place of the guide's own values, and which of that was used."""
    uses = overlay_uses(report.plan)
    if not uses:
        return
    page.heading("Changed by overlays")
    for use in uses:
        change = use.change
        before = f"{change.before} → " if change.before else ""
        used = "figures here rest on it" if use.used else "no figure here rests on it"
        page.say(
            f"{change.overlay}: {change.what}: {before}{change.after} ({used})", depth=1, hang=1
        )


def covered(page: Page, rules: int, shown: Judgement) -> None:
    """How much of so many rules was judged, in a line."""
    counts = coverage(shown.findings)
    said = ", ".join(f"{n} {_COUNTED[verdict]}" for verdict, n in counts.items() if n)
    page.gap()
    page.say(f"{rules} rules, {len(shown.findings)} judgements: {said}.")


_COUNTED = {
    "holds": "hold",
    "tight": "tight",
    "violated": "not met",
    "unknown": "unknown",
    "waived": "waived",
    "not_applicable": "do not apply",
}


def _grouped(found: Iterable[Finding]) -> list[list[Finding]]:
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in found:
        groups.setdefault((finding.rule, finding.verdict), []).append(finding)
    return list(groups.values())


def _others(page: Page, alike: list[Finding], names: Names) -> None:
    if len(alike) > 1:
        page.say(f"Likewise: {listing(names.subject(f.subject) for f in alike[1:])}.", depth=2)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."
