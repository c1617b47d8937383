"""What other guides say of a box as text: a part for each, below all that its own guide says."""

from __future__ import annotations

from collections.abc import Iterable

from sizewright.check.cross_guide import CrossCheck
from sizewright.report.asked import asked_for, rules_covered
from sizewright.report.coverage import evaluated
from sizewright.report.findings import findings, key, overlays
from sizewright.report.names import Names
from sizewright.report.overlays import uses_in
from sizewright.report.page import Page

_CAUTION = (
    "Other guides describe other machines. Their findings are for information only: they change "
    "neither the verdict nor the exit code."
)
_TOLD = ("violated", "tight")


def other_guides(page: Page, names: Names, others: Iterable[CrossCheck]) -> None:
    """Every guide with its findings that ask for attention; parts keep the names of the box."""
    page.heading("Findings of other guides")
    page.say(_CAUTION, depth=1)
    for each in others:
        _guide(page, names, each)


def _guide(page: Page, names: Names, each: CrossCheck) -> None:
    page.part(f"Guide {each.guide.id}")
    page.say(each.guide.title)
    asked = asked_for(each.selection)
    if asked:
        page.say(asked)
    broken = {
        key(f) for f in each.findings if f.severity == "violation" and f.verdict == "violated"
    }
    if not any(f.verdict in _TOLD for f in each.findings):
        ran = evaluated(each.findings)
        page.say("Its rules have no findings." if ran else "None of its rules could be checked.")
    findings(page, names, each.findings, broken)
    overlays(page, uses_in(each.guide, (each.judged,)))
    rules_covered(page, each.book, each.findings)
