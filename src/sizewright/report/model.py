"""What a report is made of: a finished plan and where its workload came from."""

from __future__ import annotations

from typing import NamedTuple

from sizewright.budgets.model import Budget
from sizewright.check.select import EVERYTHING, Selection
from sizewright.figure import Figure
from sizewright.planner.judge import Judgement
from sizewright.planner.plan import Plan
from sizewright.planner.policy import Policy
from sizewright.rules.model import Verdict


class PlanReport(NamedTuple):
    """A plan with the name, title, file and SHA-256 digest of its workload.

    `selection` chooses the findings that are reported.
    """

    plan: Plan
    workload: str
    title: str
    file: str
    digest: str
    selection: Selection = EVERYTHING

    @property
    def shown(self) -> Judgement | None:
        """The configuration to show, with the findings that are reported."""
        judged = self.plan.shown
        if judged is None or self.selection == EVERYTHING:
            return judged
        asks = self.selection.asks
        kept = tuple(f for f in judged.findings if asks(f.rule, f.severity))
        return judged._replace(findings=kept)

    def at_end(self, figure: Figure) -> float:
        """A figure's value at the end of the ranges that the plan is sized for."""
        return figure.at(self.plan.policy.size_for)

    def verdict_of(self, budget: Budget) -> Verdict:
        """A budget's verdict; `waived` where it breaks a limit that is waived by name."""
        return verdict_of(budget, self.plan.policy)


def verdict_of(budget: Budget, policy: Policy) -> Verdict:
    """A budget's verdict; `waived` where it breaks a limit that is waived by name."""
    broken = budget.verdict not in ("holds", "unknown")
    return "waived" if broken and budget.limit_rule in policy.waived else budget.verdict


# The verdicts of a whole plan, best first; a plan has the worst that applies.
PLAN_VERDICTS = ("holds", "tight", "unknown", "waived", "violated")


def plan_verdict(plan: Plan) -> str:
    """The worst verdict on a limit: `violated` where no configuration was found."""
    if plan.chosen is None:
        return "violated"
    found = {
        finding.verdict for finding in plan.chosen.findings
        if finding.severity == "violation" or finding.verdict == "waived"
    }  # fmt: skip
    return next(
        (v for v in reversed(PLAN_VERDICTS) if v in found and v != "violated"), PLAN_VERDICTS[0]
    )
