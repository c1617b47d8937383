"""A plan as a page of text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation
from sizewright.report.budgetform import budgets
from sizewright.report.decidetext import break_even, growth
from sizewright.report.findings import covered, findings, key, overlays, rejections
from sizewright.report.lock import exceeded
from sizewright.report.machine import machine
from sizewright.report.missing import what_to_measure
from sizewright.report.model import PlanReport
from sizewright.report.names import Names
from sizewright.report.overlays import overlay_uses
from sizewright.report.page import Page
from sizewright.report.pairtext import division, failover, system_heading
from sizewright.report.setup import setup
from sizewright.report.style import PLAIN, Style
from sizewright.report.summary import summary
from sizewright.report.work import work

OnBudgets = Callable[[Page, Names, Policy, Evaluation], None]


def plan_text(report: PlanReport, style: Style = PLAIN) -> str:
    """The report on a plan: verdict first, then what to order, then every reason.

    Of two systems each has its own part, and what concerns both comes after them.
    """
    page = Page(style)
    tell(page, report, budgets)
    return page.text()


def tell(page: Page, report: PlanReport, on_budgets: OnBudgets) -> None:
    """Put on a page whatever is said of a plan, in its order; `on_budgets` puts the budgets."""
    plan = report.plan
    summary(page, report)
    exceeded(page, report)
    named = {judged.system.id: Names(plan.guide, judged.system) for judged in report.systems}
    for part in report.parts:
        if plan.pair is not None:
            system_heading(page, part)
        _system(page, part, on_budgets)
        if plan.pair is None:
            _deciding(page, report, named)
        _reasons(page, part)
    if plan.pair is not None:
        page.whole()
        division(page, plan)
        failover(page, plan.pair, plan.policy.size_for)
        _deciding(page, report, named)
        rejections(page, report)
    overlays(page, overlay_uses(plan))
    if report.systems:
        covered(page, len(plan.rules), tuple(f for each in report.systems for f in each.findings))


def _system(page: Page, report: PlanReport, on_budgets: OnBudgets) -> None:
    """What a system consists of and does."""
    shown = report.shown
    if shown is None:
        return
    names = Names(report.plan.guide, shown.system)
    machine(page, report, shown)
    work(page, report, shown)
    on_budgets(page, names, report.plan.policy, shown)
    setup(page, report, names)


def _deciding(page: Page, report: PlanReport, named: dict[str, Names]) -> None:
    if named:
        growth(page, named, report.budgets, report.growth)
        break_even(page, named, report.budgets, report.break_even)
    if report.failed:
        from sizewright.report.failedtext import failed

        plan = report.plan
        failed(page, partial(Names, plan.guide), report.failed, plan.policy, report.selection)


def _reasons(page: Page, report: PlanReport) -> None:
    """What rules say of a system, which others were rejected for it, and what is not known."""
    plan, shown = report.plan, report.shown
    names = Names(plan.guide, shown.system) if shown else None
    if shown is not None and names is not None:
        broken = {key(finding) for finding in plan.nearest.findings} if plan.nearest else set()
        findings(page, names, shown.findings, broken)
    rejections(page, report)
    if shown is not None and names is not None:
        what_to_measure(page, plan.guide, names, shown)
