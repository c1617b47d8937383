"""Budgets as text: how full each resource is against its limit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation
from sizewright.report.model import verdict_of
from sizewright.report.names import Names
from sizewright.report.numbers import bar, percent, quantity, span
from sizewright.report.page import Page
from sizewright.report.unlocked import unlocked
from sizewright.report.words import verdict_word

TITLE = "Budgets (load and limit of each resource)"


class BudgetWords(NamedTuple):
    """Share, use, limit and verdict of a resource as a person reads them."""

    share: str
    used: str
    limit: str
    verdict: str

    @property
    def word(self) -> str:
        """The word for the verdict."""
        return verdict_word(self.verdict)


def budgets(page: Page, names: Names, policy: Policy, shown: Evaluation) -> None:
    """A line for each resource; resources of a kind with the same numbers share one."""
    page.heading(TITLE)
    rows = []
    for words, same in alike(shown.budgets, policy):
        label = names.resource(same[0].kind, (budget.name for budget in same))
        said = page.style.verdict(words.word, words.verdict)
        full = bar(same[0].share_of_limit(policy.size_for))
        rows.append((label, full, words.share, words.used, words.limit, said))
    page.table(
        ("resource", "", "share", "used", "limit", "verdict"), rows,
        right=("share", "used", "limit"), flexible=("resource",),
    )  # fmt: skip
    remarks(page, names, shown)


def alike(
    budgets: Iterable[Budget], policy: Policy
) -> tuple[tuple[BudgetWords, tuple[Budget, ...]], ...]:
    """The budgets of a kind that are the same in words, with these words."""
    groups: dict[tuple[str, BudgetWords], list[Budget]] = {}
    for budget in budgets:
        groups.setdefault((budget.kind, budget_words(budget, policy)), []).append(budget)
    return tuple((words, tuple(same)) for (_, words), same in groups.items())


def remarks(page: Page, names: Names, shown: Evaluation) -> None:
    """What a reader must know of the budgets of a system: their units, and what has none."""
    if len({budget.unit for budget in shown.budgets if budget.kind == "channel"}) > 1:
        page.say(
            "Transfers in ms/s are the time that devices occupy a bus, each at its own speed. "
            "Transfers in KB/s are compared with the rate of the channel.", depth=1,
        )  # fmt: skip
    unlocked(page, names.guide, shown)


def budget_words(budget: Budget, policy: Policy) -> BudgetWords:
    """What is said of one resource."""
    share = budget.share_of_limit(policy.size_for)
    return BudgetWords(
        percent(share), span(budget.used), quantity(budget.limit), verdict_of(budget, policy)
    )
