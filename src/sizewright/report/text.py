"""A plan as a page of text."""

from __future__ import annotations

from sizewright.report.budgetform import budgets
from sizewright.report.findings import covered, findings, key, overlays, rejections
from sizewright.report.machine import machine
from sizewright.report.missing import what_to_measure
from sizewright.report.model import PlanReport
from sizewright.report.names import Names
from sizewright.report.overlays import overlay_uses
from sizewright.report.page import Page
from sizewright.report.style import PLAIN, Style
from sizewright.report.summary import summary


def plan_text(report: PlanReport, style: Style = PLAIN) -> str:
    """The report on a plan: verdict first, then what to order, then every reason."""
    page, plan = Page(style), report.plan
    summary(page, report)
    whole, shown, guide = plan.shown, report.shown, plan.guide
    names = Names(guide, shown.system) if shown else None
    if shown is not None and names is not None:
        machine(page, report, shown)
        budgets(page, names, plan.policy, shown)
        broken = {key(finding) for finding in plan.nearest.findings} if plan.nearest else set()
        findings(page, names, shown.findings, broken)
    rejections(page, report)
    if shown is not None and names is not None:
        what_to_measure(page, guide, names, shown)
    overlays(page, overlay_uses(plan))
    if whole is not None:
        covered(page, len(plan.rules), whole)
    return page.text()
