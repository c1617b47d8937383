"""What a report is made of: a finished plan and where its workload came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sizewright.check.rule_filter import EVERYTHING, RuleFilter
from sizewright.demand.build import horizon
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation
from sizewright.planner.plan import Determinant, Plan, determinant
from sizewright.quantity import Quantity
from sizewright.rules.rule import LIMITS, Verdict

if TYPE_CHECKING:
    from sizewright.planner.failure import Failure
    from sizewright.sensitivity.remedies import Excess
    from sizewright.sensitivity.thresholds import BreakEven, Reach


class PlanReport(NamedTuple):
    """A plan with the name, title, file and SHA-256 digest of its workload.

    `selection` chooses the findings that are reported. `break_even` is there where it was asked
    for, `failed` for each part that was to be taken away.
    """

    plan: Plan
    workload: str
    title: str
    file: str
    digest: str
    selection: RuleFilter = EVERYTHING
    break_even: BreakEven | None = None
    failed: tuple[Failure, ...] = ()

    @property
    def shown(self) -> Evaluation | None:
        """The configuration to show, with the findings that are reported."""
        judged = self.plan.shown
        if judged is None or self.selection == EVERYTHING:
            return judged
        asks = self.selection.asks
        kept = tuple(f for f in judged.findings if asks(f.rule, f.severity))
        return judged._replace(findings=kept)

    @property
    def parts(self) -> tuple[PlanReport, ...]:
        """A report on each system: on both where there are two, else this one."""
        return tuple(self._replace(plan=plan) for plan in self.plan.plans)

    @property
    def growth(self) -> tuple[Reach, ...]:
        """When each resource reaches its limit; empty where no growth with years is stated."""
        if horizon(self.plan.demand) is None:
            return ()
        from sizewright.sensitivity.thresholds import reaches

        return reaches(self.budgets, self.plan.policy.size_for)

    @property
    def excess(self) -> Excess | None:
        """What is over the kernel lock of the single system that comes nearest; None if none is."""
        if self.plan.nearest is None and self.plan.pair is None:
            return None
        from sizewright.sensitivity.remedies import excess

        return excess(self.plan)

    @property
    def systems(self) -> tuple[Evaluation, ...]:
        """The configuration to show of each system."""
        return tuple(plan.shown for plan in self.plan.plans if plan.shown is not None)

    @property
    def budgets(self) -> tuple[Budget, ...]:
        """The budgets of all systems."""
        return tuple(budget for judged in self.systems for budget in judged.budgets)

    @property
    def determinant(self) -> Determinant | None:
        """The resource of all systems that is nearest to its limit."""
        return determinant(self.budgets, self.plan.policy.size_for)

    def at_end(self, figure: Quantity) -> float:
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
    """The worst verdict on a limit: `violated` where no plan holds."""
    if not plan.holds:
        return "violated"
    found = {
        finding.verdict for part in plan.plans if part.chosen for finding in part.chosen.findings
        if finding.severity in LIMITS or finding.verdict == "waived"
    }  # fmt: skip
    return next(
        (v for v in reversed(PLAN_VERDICTS) if v in found and v != "violated"), PLAN_VERDICTS[0]
    )
