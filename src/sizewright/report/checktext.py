"""A check of a box as a page of text."""

from __future__ import annotations

from functools import partial

from sizewright.report.asked import asked_for, rules_covered
from sizewright.report.budgetform import budgets
from sizewright.report.checkmodel import CheckReport
from sizewright.report.coverage import by_rule
from sizewright.report.decidetext import break_even
from sizewright.report.findings import borderline, findings, key, overlays
from sizewright.report.layout import HEADROOM_TOLD
from sizewright.report.missing import what_to_measure
from sizewright.report.names import Names, OwnNames
from sizewright.report.numbers import number, quantity, span
from sizewright.report.overlays import uses_in
from sizewright.report.page import Page
from sizewright.report.style import PLAIN, Style
from sizewright.report.words import HEADLINES

_BROKEN = {"violation": ("limit", " not met"), "advice": ("advice", " not followed"),
           "note": ("note", "")}  # fmt: skip


def check_text(report: CheckReport, style: Style = PLAIN) -> str:
    """The report on a box: verdict first, then findings, budgets, headroom, what to measure."""
    page, check = Page(style), report.check
    guide, judged = check.guide, check.judged
    names = OwnNames(guide, judged.system)
    title = f": {check.box.title}" if check.box.title else ""
    page.say(f"Check of {check.box.name}{title}", strong=True)
    page.say(f"Guide {guide.id}: {guide.title}")
    page.gap()
    counts = by_rule(check.book, check.findings)
    page.say(_says(report, counts["unknown"]), verdict=report.verdict)
    borderline(page, names, report.borderline)
    asked = asked_for(report.selection)
    if asked:
        page.say(f"{asked} Budgets and headroom use the limits of all rules.")
    if report.policy.reserve_percent:
        page.say(f"All limits on loads keep a reserve of {report.policy.reserve_percent:g}%.")
    page.say(_first(report, names))
    broken = {
        key(f) for f in check.findings if f.severity == "violation" and f.verdict == "violated"
    }
    findings(page, names, check.findings, broken)
    budgets(page, names, report.policy, judged)
    _headroom(page, report, names)
    break_even(page, {judged.system.id: names}, judged.budgets, report.break_even)
    if report.failed:
        from sizewright.report.failedtext import failed

        failed(page, partial(OwnNames, guide), report.failed, report.policy, report.selection)
    what_to_measure(page, guide, names, judged)
    overlays(page, uses_in(guide, (judged,)))
    rules_covered(page, check.book, check.findings)
    if report.others:
        from sizewright.report.othertext import other_guides

        other_guides(page, names, report.others)
    return page.text()


def _says(report: CheckReport, unknown: int) -> str:
    if report.verdict == "unknown":
        return (
            "Unknown: none of the selected rules could be checked. None applies to this server, "
            "or its data are missing."
        )
    told = [_counted(severity, n) for severity in _BROKEN if (n := report.counts[severity])]
    rules = f"{unknown} rule{'s' if unknown > 1 else ''}"
    open_ = f" {rules} could not be checked: missing data (see What to measure)." if unknown else ""
    nothing = (
        "the selected rules have no findings"
        if asked_for(report.selection)
        else "all limits that could be checked are met"
    )
    found = ", ".join(told) or nothing
    return f"{HEADLINES[report.verdict]}: {found}.{open_}"


def _counted(severity: str, number_of: int) -> str:
    noun, what = _BROKEN[severity]
    if severity == "advice":
        return f"{number_of} piece{'s' if number_of > 1 else ''} of {noun}{what}"
    return f"{number_of} {noun}{'s' if number_of > 1 else ''}{what}"


def _first(report: CheckReport, names: Names) -> str:
    found = report.check.headroom
    if not found:
        return "Headroom: unknown. No resource has both a known load and a limit."
    known = {budget.resource: budget for budget in report.check.judged.budgets}
    labels = [
        names.resource(known[each.resource].kind, [known[each.resource].name]) for each in found[:2]
    ]
    factors = [number(each.factor.low) for each in found[:2]]
    if found[0].factor.low < 1:
        text = f"No headroom: {labels[0]} meets its limit only at {factors[0]} times today's load"
    elif factors[0] == number(1.0):
        text = f"No headroom: {labels[0]} is at its limit"
    else:
        text = f"Headroom: {labels[0]} reaches its limit at {factors[0]} times today's load"
    return f"{text}. Next: {labels[1]}, at {factors[1]} times." if labels[1:] else f"{text}."


def _headroom(page: Page, report: CheckReport, names: Names) -> None:
    found = report.check.headroom
    if not found:
        return
    page.heading("Headroom (the factor by which today's load can grow)")
    known = {budget.resource: budget for budget in report.check.judged.budgets}
    groups: dict[tuple[str, ...], list[str]] = {}
    for each in found:
        budget = known[each.resource]
        by = f"rule {each.limit_rule}" if each.limit_rule else "its capacity"
        cells = (budget.kind, span(each.factor), quantity(budget.limit), by)
        groups.setdefault(cells, []).append(budget.name)
    rows = [
        (names.resource(kind, parts), *cells) for (kind, *cells), parts in groups.items()
    ]  # fmt: skip
    page.table(
        ("resource", "factor", "limit", "set by"), rows[:HEADROOM_TOLD], right=("factor", "limit"),
        flexible=("resource", "set by"),
    )  # fmt: skip
    left = rows[HEADROOM_TOLD:]
    if left:
        page.say(f"{len(left)} more resources have more headroom.", depth=1)
