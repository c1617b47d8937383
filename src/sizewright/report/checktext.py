"""A check of a box as a page of text."""

from __future__ import annotations

from sizewright.check.headroom import Headroom
from sizewright.report.budgetform import budgets
from sizewright.report.checkmodel import CheckReport
from sizewright.report.findings import covered, findings, unknowns
from sizewright.report.names import Names
from sizewright.report.numbers import number
from sizewright.report.page import Page
from sizewright.report.style import PLAIN, Style


def check_text(report: CheckReport, style: Style = PLAIN) -> str:
    """The report on a box: verdict first, then findings, budgets, headroom, what to measure."""
    page, check = Page(style), report.check
    guide, judged = check.guide, check.judged
    names = Names(guide, judged.system)
    title = f": {check.box.title}" if check.box.title else ""
    page.say(f"Check of {check.box.name}{title}", strong=True)
    page.say(f"Guide {guide.id}: {guide.title}")
    page.gap()
    page.say(_says(report), verdict=report.verdict)
    if check.headroom:
        page.say(_headroom(check.headroom, names))
    findings(page, guide, judged)
    budgets(page, guide, report.policy, judged)
    unknowns(page, guide, judged)
    covered(page, len(check.book.rules), judged)
    return page.text()


def _says(report: CheckReport) -> str:
    counts = report.counts
    if report.verdict == "unknown":
        return "Nothing could be judged: too little is known of this box."
    if report.verdict == "violated":
        plural = "s" if counts["violation"] > 1 else ""
        return f"Does not hold: {counts['violation']} limit{plural} broken."
    return "Holds: no limit is broken."


def _headroom(found: tuple[Headroom, ...], names: Names) -> str:
    def told(each: Headroom) -> str:
        resource = each.resource.split("/", 2)
        label = names.resource(resource[1], resource[2:])
        return f"{label} at {number(each.factor.low)} times today's load"

    first, *rest = found
    text = f"Headroom: {told(first)}"
    return f"{text}; next {told(rest[0])}." if rest else f"{text}."
