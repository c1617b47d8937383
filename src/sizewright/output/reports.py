"""What a report is made of: a finished plan or check, and what was asked of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from sizewright.check.rule_filter import EVERYTHING, RuleFilter
from sizewright.demand.build import horizon
from sizewright.documents import Document
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Evaluation
from sizewright.planner.plan import Determinant, Plan, determinant
from sizewright.quantity import Quantity
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import LIMITS, VERDICTS, Finding, Verdict

if TYPE_CHECKING:
    from sizewright.check.check import Check
    from sizewright.check.cross_guide import CrossCheck
    from sizewright.failure import Failure
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


# A rule on several subjects goes by the first of these that any of them has.
_WEIGHTIEST: tuple[Verdict, ...] = (
    "violated", "tight", "waived", "unknown", "holds", "not_applicable",
)  # fmt: skip
_NOT_RUN = ("unknown", "not_applicable")


def count_rules(book: RuleSet, findings: Iterable[Finding]) -> Mapping[str, int]:
    """How many rules came to each verdict; one that has no subject here does not apply."""
    said: dict[str, set[Verdict]] = {rule.id: set() for rule in book.rules}
    for finding in findings:
        said[finding.rule].add(finding.verdict)
    counts = Counter(
        next((v for v in _WEIGHTIEST if v in verdicts), "not_applicable")
        for verdicts in said.values()
    )
    return {verdict: counts[verdict] for verdict in VERDICTS}


def count_checked(counts: Mapping[str, int]) -> int:
    """How many of the rules counted came to a judgement."""
    return sum(n for verdict, n in counts.items() if verdict not in _NOT_RUN)


def any_checked(findings: Iterable[Finding]) -> bool:
    """Whether any rule came to a judgement."""
    return any(f.verdict not in _NOT_RUN for f in findings)


# The verdicts on a box, best first; `unknown` is a run in which nothing could be judged.
CHECK_VERDICTS = ("holds", "tight", "violated", "unknown")


class CheckReport(NamedTuple):
    """A check with the document of its box, its policy, and what was asked.

    `break_even` is there where it was asked for, `failed` for each part that was to be taken away,
    `others` for each other guide that was asked. What these find counts for nothing here: verdict
    and exit code are those of the box's own guide.
    """

    check: Check
    document: Document
    policy: Policy
    selection: RuleFilter = EVERYTHING
    break_even: BreakEven | None = None
    failed: tuple[Failure, ...] = ()
    others: tuple[CrossCheck, ...] = ()

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The findings that are violated and count."""
        return tuple(
            f for f in self.check.findings
            if f.verdict == "violated" and self.selection.counts(f.severity)
        )  # fmt: skip

    @property
    def counts(self) -> Counter[str]:
        """How many findings of each severity are violated."""
        return Counter(f.severity for f in self.check.findings if f.verdict == "violated")

    @property
    def verdict(self) -> str:
        """`violated` where something that counts is, `unknown` where nothing could be judged."""
        if self.broken:
            return "violated"
        if not any_checked(self.check.findings):
            return "unknown"
        return "tight" if self.borderline else "holds"

    @property
    def borderline(self) -> tuple[Finding, ...]:
        """The findings that are tight and count."""
        return tuple(
            f for f in self.check.findings
            if f.verdict == "tight" and self.selection.counts(f.severity)
        )  # fmt: skip

    @property
    def holds(self) -> bool:
        """Whether nothing that counts is violated, and something was judged at all."""
        return self.verdict in ("holds", "tight")
