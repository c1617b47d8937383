"""A plan as plain data: the contract `sizewright.plan/1`, stated in plan.schema.json."""

from __future__ import annotations

from typing import Any

from sizewright.demand.model import Demand
from sizewright.planner.judge import Judgement
from sizewright.planner.miss import Rejection
from sizewright.planner.plan import coverage, determinant
from sizewright.report.judgedform import (
    budget_data,
    finding_data,
    guide_data,
    overlay_data,
    share_data,
    waived_data,
)
from sizewright.report.missing import how_to_measure
from sizewright.report.model import PlanReport, plan_verdict
from sizewright.report.order import order
from sizewright.report.overlays import overlay_uses
from sizewright.report.plain import maybe, plain, plain_number, quantity

SCHEMA = "sizewright.plan/1"


def plan_data(report: PlanReport) -> dict[str, Any]:
    """Everything that a plan says, in the order of the schema."""
    plan = report.plan
    guide, shown, chosen = plan.guide, report.shown, plan.chosen
    whole = plan.shown
    return {
        "schema": SCHEMA,
        "guide": guide_data(guide),
        "workload": {
            "name": report.workload, "title": report.title, "file": report.file,
            "digest": report.digest,
        },
        "policy": {
            "size_for": plan.policy.size_for,
            "follow_advice": plan.policy.follow_advice,
            "waived": waived_data(plan.policy),
        },
        "verdict": plan_verdict(plan),
        "proven": plan.proven,
        "determinant": _determinant(report),
        "overlays": overlay_data(overlay_uses(plan)),
        "demand": _demand(plan.demand),
        "order": [
            line._asdict() for line in order(guide, plan.demand, chosen.system)
        ] if chosen else [],
        "systems": [
            {"id": chosen.system.id, "configuration": plain(chosen.system)}
        ] if chosen else [],
        "networks": _networks(report, shown) if shown else [],
        "unknown": [
            {"rule": f.rule, "subject": f.subject, "message": f.message,
             "measure": how_to_measure(guide, f)}
            for f in shown.findings if f.verdict == "unknown"
        ] if shown else [],
        "coverage": {
            "rules": len(plan.rules),
            "judgements": dict(coverage(whole.findings if whole else ())),
        },
        "budgets": [budget_data(b, plan.policy) for b in shown.budgets] if shown else [],
        "findings": [finding_data(f) for f in shown.findings] if shown else [],
        "rejected": [_rejection(r) for r in plan.rejected],
        "nearest": _nearest(plan.nearest),
        "change": _change(plan.nearest),
    }  # fmt: skip


def _demand(demand: Demand) -> dict[str, Any]:
    carried = [{"device": device, "count": number} for device, number in demand.carry_forward]
    return {**plain(demand), "carry_forward": carried}


def _determinant(report: PlanReport) -> dict[str, Any] | None:
    plan = report.plan
    found = determinant(plan.shown.budgets, plan.policy.size_for) if plan.shown else None
    if found is None:
        return None
    return {
        "resource": found.resource,
        "required": quantity(found.required),
        "available": quantity(found.available),
        "share": plain_number(found.share),
        "headroom": plain_number(1 - found.share),
    }


def _networks(report: PlanReport, shown: Judgement) -> list[dict[str, Any]]:
    budgets = {b.name: b for b in shown.budgets if b.kind == "network"}
    return [
        {
            "id": port.id,
            "network": port.network,
            "medium": report.plan.guide.row("network-interfaces", port.interface).text("medium"),
            "interface": port.interface,
            "provider": port.provider,
            "used": maybe(budgets[port.id].used),
            "limit": maybe(budgets[port.id].limit),
            "share": share_data(budgets[port.id], report.plan.policy.size_for),
        }
        for port in shown.system.ports
    ]


def _rejection(rejection: Rejection) -> dict[str, Any]:
    return {
        "platform": rejection.platform,
        "name": rejection.name,
        "load_share": plain_number(rejection.load_share),
        "waive": list(rejection.waive),
        "reasons": list(rejection.reasons),
        "findings": [finding_data(f) for f in rejection.findings],
    }


def _nearest(nearest: Rejection | None) -> dict[str, Any] | None:
    if nearest is None:
        return None
    judged = nearest.judgement
    return {
        "platform": nearest.platform,
        "name": nearest.name,
        "reasons": list(nearest.reasons),
        "configuration": plain(judged.system) if judged else None,
    }


def _change(nearest: Rejection | None) -> dict[str, Any] | None:
    if nearest is None:
        return None
    return {
        "platform": nearest.platform,
        "load_share": plain_number(nearest.load_share),
        "waive": list(nearest.waive),
    }
