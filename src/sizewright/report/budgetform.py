"""Budgets as text: how full each resource is against its limit."""

from __future__ import annotations

from sizewright.budgets.model import Budget
from sizewright.planner.judge import Judgement
from sizewright.planner.policy import Policy
from sizewright.report.model import verdict_of
from sizewright.report.names import Names
from sizewright.report.numbers import bar, percent, quantity, span
from sizewright.report.page import Page


def budgets(page: Page, names: Names, policy: Policy, shown: Judgement) -> None:
    """A line for each resource; resources of a kind with the same numbers share one."""
    end = policy.size_for
    groups: dict[tuple[str, ...], list[Budget]] = {}
    for budget in shown.budgets:
        share = budget.share_of_limit(end)
        cells = (
            budget.kind, bar(share), percent(share), span(budget.used), quantity(budget.limit),
            verdict_of(budget, policy),
        )  # fmt: skip
        groups.setdefault(cells, []).append(budget)
    page.heading("Budgets (what is used of each limit)")
    rows = []
    for (_, full, share_text, used, limit, verdict), alike in groups.items():
        label = names.resource(alike[0].kind, (budget.name for budget in alike))
        said = page.style.verdict(verdict, verdict)
        rows.append((label, full, share_text, used, limit, said))
    page.table(
        ("resource", "", "share", "used", "limit", "verdict"), rows,
        right=("share", "used", "limit"), flexible=("resource",),
    )  # fmt: skip
