"""How full the parts of a system are, in the numbers and words of its budgets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.system import Evaluation
from sizewright.report.html.palette import level
from sizewright.report.model import PlanReport
from sizewright.report.names import Names
from sizewright.report.numbers import percent, quantity, span


class Reading(NamedTuple):
    """What a part's budgets say: in short, at length, and as the fullest of them."""

    told: str = ""
    more: tuple[str, ...] = ()
    share: float | None = None
    level: str = "none"


UNREAD = Reading()


class Meters:
    """The budgets of one system, by kind and part."""

    def __init__(self, report: PlanReport, shown: Evaluation, names: Names) -> None:
        self.report = report
        self.names = names
        self._budgets = {(budget.kind, budget.name): budget for budget in shown.budgets}

    def reading(self, part: str, kinds: Iterable[tuple[str, str]]) -> Reading:
        """The budgets of a part, each a kind and what it is called in short.

        A part is as full as the first budget of those that have a share.
        """
        found = [(self._budgets[kind, part], short) for kind, short in kinds
                 if (kind, part) in self._budgets]  # fmt: skip
        if not found:
            return UNREAD
        shares = [(budget, self._share(budget), short) for budget, short in found]
        first = next((share for _, share, _ in shares if share is not None), None)
        broken = any(self.report.verdict_of(budget) == "violated" for budget, _ in found)
        return Reading(
            ", ".join(f"{percent(share)} {short}".rstrip() for _, share, short in shares),
            tuple(map(self._whole, (budget for budget, _ in found))),
            first,
            "over" if broken else level(first),
        )

    def _share(self, budget: Budget) -> float | None:
        return budget.share_of_limit(self.report.plan.policy.size_for)

    def _whole(self, budget: Budget) -> str:
        what = self.names.resource(budget.kind, [budget.name])
        return (
            f"{what}: {span(budget.used)} of {quantity(budget.limit)}, "
            f"{percent(self._share(budget))}"
        )
