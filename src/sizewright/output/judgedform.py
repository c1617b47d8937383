"""What plans and checks have in common, as plain data: budgets, findings, policy, overlays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sizewright.configuration.model import System
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.policy import Policy
from sizewright.guide.model import Guide
from sizewright.output.plain import explained, maybe, plain, plain_number, quantity
from sizewright.output.provenance import OverlayUse
from sizewright.output.reports import verdict_of
from sizewright.rules.rule import Finding


def guide_data(guide: Guide) -> dict[str, Any]:
    """Which guide was used."""
    return {
        "id": guide.id,
        "title": guide.title,
        "version": guide.version,
        "digest": guide.digest,
    }


def system_data(system: System) -> dict[str, Any]:
    """A system whole, by its id."""
    return {"id": system.id, "configuration": plain(system)}


def waived_data(policy: Policy) -> list[dict[str, Any]]:
    """Rules waived by name, with the reasons."""
    return [{"rule": rule, "reason": reason} for rule, reason in policy.waived.items()]


def overlay_data(uses: Iterable[OverlayUse]) -> list[dict[str, Any]]:
    """What overlays changed."""
    return [{**use.change._asdict(), "used": use.used} for use in uses]


def share_data(budget: Budget, end: str) -> float | None:
    """Used over limit at one end of the ranges; nothing where either is unknown."""
    share = budget.share_of_limit(end)
    return None if share is None else plain_number(share)


def budget_data(budget: Budget, policy: Policy) -> dict[str, Any]:
    """A resource against its limit, line by line."""
    end = policy.size_for
    return {
        "resource": budget.resource,
        "system": budget.system,
        "kind": budget.kind,
        "name": budget.name,
        "unit": budget.unit,
        "used": maybe(budget.used),
        "capacity": maybe(budget.capacity),
        "limit": maybe(budget.limit),
        "limit_rule": budget.limit_rule,
        "recommended": maybe(budget.recommended),
        "recommended_rule": budget.recommended_rule,
        "utilisation": maybe(budget.utilisation),
        "share_of_limit": share_data(budget, end),
        "verdict": verdict_of(budget, policy),
        "items": [{"name": item.name, **explained(item.figure, end)} for item in budget.items],
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    """One rule on one subject."""
    return {
        "rule": finding.rule,
        "title": finding.title,
        "guide": finding.guide,
        "severity": finding.severity,
        "subject": finding.subject,
        "verdict": finding.verdict,
        "message": finding.message,
        "remedy": finding.remedy,
        "source": finding.source,
        "reason": finding.reason,
        "missing": list(finding.missing),
        "figures": {name: quantity(figure) for name, figure in finding.figures.items()},
    }
