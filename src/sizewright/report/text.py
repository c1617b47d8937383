"""A plan as a page of text."""

from __future__ import annotations

from sizewright.report.budgetform import budgets
from sizewright.report.findings import covered, findings, overlays, rejections, unknowns
from sizewright.report.machine import machine
from sizewright.report.model import PlanReport
from sizewright.report.page import Page
from sizewright.report.style import PLAIN, Style
from sizewright.report.summary import summary


def plan_text(report: PlanReport, style: Style = PLAIN) -> str:
    """The report on a plan: verdict first, then what to order, then every reason."""
    page = Page(style)
    summary(page, report)
    shown, guide = report.plan.shown, report.plan.guide
    if shown is not None:
        machine(page, report, shown)
        budgets(page, guide, report.plan.policy, shown)
        findings(page, guide, shown, report.plan.nearest)
    rejections(page, report)
    if shown is not None:
        unknowns(page, guide, shown)
    overlays(page, report)
    if shown is not None:
        covered(page, len(report.plan.rules), shown)
    return page.text()
