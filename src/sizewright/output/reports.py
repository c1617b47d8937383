"""What a report is made of: a finished plan or check, and what was asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from sizewright.check.rule_filter import EVERYTHING, RuleFilter
from sizewright.demand.build import horizon
from sizewright.documents import Document
from sizewright.evaluate.budgets import Budget, against_recommended
from sizewright.evaluate.findings import (
    MissingFact,
    any_checked,
    count_rules,
    find_missing,
    without_substituted,
)
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import Decided, Evaluation, decided
from sizewright.failure import Failure, budgets_at_worst
from sizewright.guide.model import Guide
from sizewright.output.bill_of_materials import (
    OrderLine,
    OwnedLine,
    StageOrder,
    bill_of_materials,
    owned_lines,
)
from sizewright.output.cover import NO_COVER, Cover
from sizewright.output.names import Names, OwnNames
from sizewright.output.prices import Cost, Offer, Prices
from sizewright.planner.alternatives import NO_ALTERNATIVES, Alternatives
from sizewright.planner.plan import Determinant, Plan, determinant
from sizewright.rules.rule import LIMITS, Finding, Verdict
from sizewright.workload.not_counted import Omission

if TYPE_CHECKING:
    from sizewright.check.advice import Step
    from sizewright.check.check import Check
    from sizewright.check.cross_guide import CrossCheck
    from sizewright.check.measurements import Measurement
    from sizewright.sensitivity.remedies import Excess
    from sizewright.sensitivity.thresholds import BreakEven, Exhaustion


# The verdicts of a whole plan, best first; a plan has the worst that applies.
PLAN_VERDICTS = ("holds", "tight", "unknown", "waived", "violated")


class AdviceCosts(Protocol):
    """What advice costs a plan."""

    @property
    def parts(self) -> str:
        """Which parts it has more to follow which advice; empty if it has none."""

    def why_in_vain(self, rule: str) -> str:
        """Return what it would exceed if it followed a rule of advice."""


@dataclass(frozen=True)
class PlanReport:
    """A plan with the name, title, file and SHA-256 digest of its workload.

    `changes` are assignments by which the workload differs from the file. `not_counted` is what it
    does not state, though its services normally have it. `selection` chooses the findings that are
    reported. `break_even` is None unless it was asked for; `failed` has the effect of each failure
    that was asked for, `stages` are those of the purchase of each system. `offers` are the
    platforms that pass, if there are prices, `alternatives` are other plans. `advise` returns what
    advice costs. What follows from these is computed once, whichever formats show it.
    """

    plan: Plan
    name: str
    title: str
    file: str
    digest: str
    changes: tuple[str, ...] = ()
    not_counted: tuple[Omission, ...] = ()
    selection: RuleFilter = EVERYTHING
    break_even: BreakEven | None = None
    failed: tuple[Failure, ...] = ()
    stages: tuple[tuple[StageOrder, ...], ...] = ()
    cover: Cover = NO_COVER
    offers: tuple[Offer, ...] = ()
    alternatives: Alternatives = NO_ALTERNATIVES
    advise: Callable[[PlanReport], AdviceCosts] | None = None

    @property
    def guide(self) -> Guide:
        """The planning guide."""
        return self.plan.guide

    @cached_property
    def advice(self) -> AdviceCosts | None:
        """What advice costs this plan; None if that is not asked."""
        return self.advise(self) if self.advise is not None else None

    @cached_property
    def verdict(self) -> str:
        """The worst verdict on a limit: `violated` if no plan passes."""
        if not self.plan.holds:
            return "violated"
        found: set[str] = {
            finding.verdict
            for part in self.plan.plans if part.chosen for finding in part.chosen.findings
            if finding.severity in LIMITS or finding.verdict == "waived"
        }  # fmt: skip
        found.discard("violated")
        return next((v for v in reversed(PLAN_VERDICTS) if v in found), PLAN_VERDICTS[0])

    @cached_property
    def parts(self) -> tuple[PlanReport, ...]:
        """A report on each system: on both if there are two, else this one."""
        if self.plan.group is None:
            return (self,)
        return tuple(
            replace(self, plan=plan, stages=self.stages[n : n + 1])
            for n, plan in enumerate(self.plan.plans)
        )

    @cached_property
    def shown(self) -> Evaluation | None:
        """The configuration to show, with the findings that are reported."""
        judged = self.plan.shown
        if judged is None:
            return None
        asks = self.selection.asks
        kept = (f for f in without_substituted(judged.findings) if asks(f.rule, f.severity))
        return judged._replace(findings=tuple(kept))

    @cached_property
    def names(self) -> Names:
        """The names of the parts of the configuration to show."""
        assert self.shown is not None
        return Names(self.plan.guide, self.shown.system)

    @cached_property
    def bill(self) -> tuple[OrderLine, ...]:
        """Every part of the configuration to show, system by system; empty if there is none."""
        return tuple(
            line.times(number)
            for part, number in zip(self.parts, self.plan.numbers, strict=True) if part.shown
            for line in bill_of_materials(self.guide, part.plan.demand, part.shown.system)
        )  # fmt: skip

    @cached_property
    def owned(self) -> tuple[OwnedLine, ...]:
        """What becomes of devices that exist, system by system."""
        return tuple(
            line for part in self.parts if part.shown
            for line in owned_lines(self.guide, part.plan.demand, part.shown.system)
            if line.quantity
        )  # fmt: skip

    @property
    def order(self) -> tuple[OrderLine, ...]:
        """What to order: every part of the chosen configuration; empty if there is none."""
        return self.bill if self.plan.chosen else ()

    @cached_property
    def cost(self) -> Cost | None:
        """What the order costs; None if nothing is ordered, or if nothing has a price."""
        prices = Prices(self.plan.guide)
        if not prices or not self.order:
            return None
        systems = {name: names.system for name, names in self.named.items()}
        return prices.cost(self.order, systems)

    @cached_property
    def named(self) -> Mapping[str, Names]:
        """The names of the parts of each system."""
        return {part.names.system.id: part.names for part in self.parts if part.shown is not None}

    @property
    def systems(self) -> tuple[Evaluation, ...]:
        """The configuration to show of each system, with all findings."""
        return tuple(plan.shown for plan in self.plan.plans if plan.shown is not None)

    @cached_property
    def budgets(self) -> tuple[Budget, ...]:
        """The budgets of all systems."""
        return tuple(budget for judged in self.systems for budget in judged.budgets)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All findings of all systems."""
        return tuple(finding for judged in self.systems for finding in judged.findings)

    @cached_property
    def determinant(self) -> Determinant | None:
        """The resource of all systems that is nearest to its limit."""
        return determinant(self.budgets, self.end)

    @cached_property
    def nearest_recommended(self) -> Determinant | None:
        """The resource nearest to a recommended limit, if it is nearer than all to other limits.

        None if it exceeds that limit: the plan is borderline then, and the report says why.
        """
        found = determinant(against_recommended(self.budgets), self.end)
        nearest = self.determinant.share if self.determinant else 0
        return found if found is not None and nearest < found.share <= 1 else None

    @cached_property
    def larger(self) -> PlanReport | None:
        """The report on the next larger plan, if one was asked for and there is one."""
        plan = self.alternatives.relief and self.alternatives.relief.plan
        return replace(self, plan=plan, alternatives=NO_ALTERNATIVES) if plan else None

    @cached_property
    def advice_lost(self) -> tuple[str, ...]:
        """The rules of advice that this plan follows and the next larger one does not."""
        more = self.larger.advice_not_followed if self.larger else ()
        return tuple(rule for rule in more if rule not in self.advice_not_followed)

    @cached_property
    def advice_not_followed(self) -> Mapping[str, None]:
        """The rules of advice that a system does not follow, in the order of the rules."""
        breaks = self.plan.policy.broken
        advice = (each for each in self.findings if each.severity == "advice")
        return {each.rule: None for each in advice if breaks(each.asked, each.verdict)}

    @cached_property
    def scenarios(self) -> tuple[Decided, ...]:
        """The scenario that decides each resource; empty if no services exclude each other."""
        if not any(plan.demand.exclusive for plan in self.plan.plans):
            return ()
        return tuple(
            each for plan in self.plan.plans if plan.shown is not None
            for each in decided(plan.demand, plan.shown.system, plan.guide)
        )  # fmt: skip

    @cached_property
    def budgets_at_worst(self) -> tuple[Budget, ...]:
        """The budgets, those that are fuller after the tightest failure as they are then."""
        return budgets_at_worst(self.budgets, self.plan.tightest_failure, self.end)

    @cached_property
    def growth(self) -> tuple[Exhaustion, ...]:
        """When each resource reaches its limit; empty if no growth with years is stated."""
        if horizon(self.plan.demand) is None:
            return ()
        from sizewright.sensitivity.thresholds import reaches

        return reaches(self.budgets_at_worst, self.end)

    @cached_property
    def excess(self) -> Excess | None:
        """What exceeds the kernel lock of the closest single system; None if nothing does."""
        if self.plan.nearest is None and self.plan.group is None:
            return None
        from sizewright.sensitivity.remedies import excess

        return excess(self.plan)

    @property
    def today(self) -> PlanReport:
        """The report on what is bought today: of the first stages, if there are stages."""
        if not self.stages:
            return self
        firsts = [first.stage for first, *_ in self.stages]
        plans = tuple(
            plan._replace(demand=first.demand, chosen=first.judged)
            for plan, first in zip(self.plan.plans, firsts, strict=True)
        )
        return replace(self, plan=self.plan.with_plans(plans))

    @property
    def end(self) -> str:
        """The end of the ranges that the plan is sized for."""
        return self.plan.policy.size_for

    def budget(self, resource: str) -> Budget:
        """The budget of a resource."""
        return next(budget for budget in self.budgets if budget.resource == resource)

    def label(self, resource: str) -> str:
        """What reports call a resource."""
        budget = self.budget(resource)
        return self.named[budget.system].budget(budget)


# The verdicts on a box, best first; `unknown` is a run without enough data.
CHECK_VERDICTS = ("holds", "tight", "violated", "unknown")


@dataclass(frozen=True)
class CheckReport:
    """A check with the document of its box, its policy, and what was asked.

    `first_step` is what to do first, if anything is to be done. `break_even` is None unless it was
    asked for, `failed` has the effect of each failure that was asked for, `others` the findings of
    each other guide. `enough_processors` are fewer than it has; `smaller_platform` takes the same
    parts. These change neither verdict nor exit code.
    """

    check: Check
    document: Document
    policy: Policy
    selection: RuleFilter = EVERYTHING
    first_step: Step | None = None
    break_even: BreakEven | None = None
    failed: tuple[Failure, ...] = ()
    others: tuple[CrossCheck, ...] = ()
    enough_processors: int | None = None
    smaller_platform: str | None = None

    @property
    def name(self) -> str:
        """The name of the server."""
        return self.check.box.name

    @property
    def title(self) -> str:
        """Its title; empty if none."""
        return self.check.box.title or ""

    @property
    def file(self) -> str:
        """The box file."""
        return self.document.name

    @property
    def guide(self) -> Guide:
        """The planning guide."""
        return self.check.guide

    @cached_property
    def names(self) -> Names:
        """The names that the box file gives to its parts."""
        return OwnNames(self.check.guide, self.check.judged.system)

    @property
    def named(self) -> Mapping[str, Names]:
        """The names of the parts of each system: of this one."""
        return {self.names.system.id: self.names}

    @property
    def systems(self) -> tuple[Evaluation, ...]:
        """The server."""
        return (self.check.judged,)

    @property
    def budgets(self) -> tuple[Budget, ...]:
        """The budgets of the server."""
        return self.check.judged.budgets

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of the selected rules."""
        return self.check.findings

    def budget(self, resource: str) -> Budget:
        """The budget of a resource, or of a limit that is none of them."""
        return self.check.limited[resource]

    def label(self, resource: str) -> str:
        """What reports call a resource."""
        return self.names.budget(self.budget(resource))

    @property
    def end(self) -> str:
        """The end of the ranges that the policy sizes for."""
        return self.policy.size_for

    @cached_property
    def broken(self) -> tuple[Finding, ...]:
        """The findings that are violated and count."""
        return self._that_count("violated")

    @cached_property
    def borderline(self) -> tuple[Finding, ...]:
        """The findings that are tight and count."""
        return self._that_count("tight")

    def _that_count(self, verdict: Verdict) -> tuple[Finding, ...]:
        counts = self.selection.counts
        return tuple(f for f in self.check.findings if f.verdict == verdict and counts(f.severity))

    @cached_property
    def verdict(self) -> str:
        """`violated` if something that counts is, `unknown` if there is not enough data."""
        if self.broken:
            return "violated"
        if not self.has_enough_data:
            return "unknown"
        return "tight" if self.borderline else "holds"

    @property
    def has_enough_data(self) -> bool:
        """Whether something was checked, and two loads, unless rules were chosen by name."""
        enough = bool(self.selection.only) or self.check.has_enough_data
        return enough and any_checked(self.check.findings)

    @property
    def holds(self) -> bool:
        """Whether nothing that counts is violated, and there is enough data."""
        return self.verdict in ("holds", "tight")

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How many limits of each severity fail, and how much advice is not followed, with notes.

        Advice and notes set no limit, so those that are borderline are not followed either.
        """
        return Counter(
            f.severity for f in self.check.findings
            if f.verdict == "violated" or (f.verdict == "tight" and f.severity not in LIMITS)
        )  # fmt: skip

    @cached_property
    def rules(self) -> Mapping[str, int]:
        """How many rules have each verdict."""
        return count_rules(self.check.rule_set, self.check.findings)

    @cached_property
    def measurements(self) -> tuple[Measurement, ...]:
        """What to measure; what settles most comes first."""
        from sizewright.check.measurements import measurements

        return measurements(self.check)

    @cached_property
    def missing(self) -> tuple[MissingFact, ...]:
        """The facts that rules lack, the most urgent first."""
        return find_missing(self.check.guide, self.check.judged.system.id, self.check.findings)


Report = PlanReport | CheckReport
