"""What is left without a part as plain data, and what changes by its failure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from sizewright.check.rule_filter import RuleFilter
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.policy import Policy
from sizewright.report.judgedform import finding_data
from sizewright.report.model import verdict_of
from sizewright.report.plain import maybe
from sizewright.rules.rule import Finding, Verdict

if TYPE_CHECKING:
    from sizewright.planner.failure import Failure


class BudgetChange(NamedTuple):
    """A resource before and after; there may have been none before."""

    before: Budget | None
    after: Budget
    verdicts: tuple[Verdict | None, Verdict]


class FindingChange(NamedTuple):
    """A finding after, and what its rule said of the subject before, if anything."""

    before: Verdict | None
    after: Finding


def budget_changes(failure: Failure, policy: Policy) -> list[BudgetChange]:
    """The resources that are used or limited in another way, those with other verdicts first."""
    before = {budget.resource: budget for budget in failure.before.budgets}
    found = []
    for budget in failure.after.budgets:
        was = before.get(budget.resource)
        said = None if was is None else verdict_of(was, policy)
        change = BudgetChange(was, budget, (said, verdict_of(budget, policy)))
        if was is None or said != change.verdicts[1] or _ends(was) != _ends(budget):
            found.append(change)
    return sorted(found, key=lambda change: change.verdicts[0] == change.verdicts[1])


def _ends(budget: Budget) -> list[tuple[float, float] | None]:
    figures = (budget.used, budget.limit)
    return [None if figure is None else (figure.low, figure.high) for figure in figures]


def finding_changes(failure: Failure, selection: RuleFilter) -> list[FindingChange]:
    """The findings, of those that are reported, whose verdict is another than before."""
    before = {(f.rule, f.subject): f.verdict for f in failure.before.findings}
    changes = (FindingChange(before.get((f.rule, f.subject)), f) for f in failure.after.findings)
    return [
        change for change in changes
        if change.before != change.after.verdict
        and selection.asks(change.after.rule, change.after.severity)
    ]  # fmt: skip


def failed_data(
    failures: Iterable[Failure], policy: Policy, selection: RuleFilter
) -> list[dict[str, Any]]:
    """What each failure leaves; empty where nobody asked."""
    return [
        {
            "component": each.component,
            "kind": each.kind,
            "system": each.system,
            "holds": each.holds,
            "gone": list(each.gone),
            "lost": list(each.lost),
            "cut_off": list(each.cut_off),
            "down": [
                {
                    "service": outage.service, "volumes": list(outage.volumes),
                    "networks": list(outage.networks),
                }
                for outage in each.down
            ],
            "untold": each.untold,
            "broken": list(each.broken),
            "budgets": [_budget(change) for change in budget_changes(each, policy)],
            "findings": [
                {"before": change.before, "finding": finding_data(change.after)}
                for change in finding_changes(each, selection)
            ],
        }
        for each in failures
    ]  # fmt: skip


def _budget(change: BudgetChange) -> dict[str, Any]:
    was, now = change.before, change.after
    return {
        "resource": now.resource,
        "kind": now.kind,
        "name": now.name,
        "used_before": maybe(was.used) if was else None,
        "used": maybe(now.used),
        "limit_before": maybe(was.limit) if was else None,
        "limit": maybe(now.limit),
        "verdict_before": change.verdicts[0],
        "verdict": change.verdicts[1],
    }
