"""A plan as plain data: the contract `sizewright.plan/1`, stated in plan.schema.json."""

from __future__ import annotations

from typing import Any

from sizewright.demand.model import Demand
from sizewright.evaluate.system import Evaluation
from sizewright.output.bill_of_materials import order
from sizewright.output.decideform import break_even_data, growth_data
from sizewright.output.failure import failed_data
from sizewright.output.findings import how_to_measure
from sizewright.output.judgedform import (
    budget_data,
    finding_data,
    guide_data,
    overlay_data,
    share_data,
    system_data,
    waived_data,
)
from sizewright.output.kernel_lock import unlocked_data
from sizewright.output.machine import setup_data
from sizewright.output.pairform import lock_data, pair_data
from sizewright.output.plain import maybe, plain, plain_number, quantity
from sizewright.output.provenance import Origins, overlay_uses
from sizewright.output.reports import PlanReport, plan_verdict
from sizewright.output.workform import work_data, yielding_data
from sizewright.planner.miss import Rejection
from sizewright.planner.plan import Plan, coverage

SCHEMA = "sizewright.plan/1"


def plan_data(report: PlanReport) -> dict[str, Any]:
    """Everything that a plan says, in the order of the schema."""
    plan = report.plan
    guide, parts = plan.guide, report.parts
    end = plan.policy.size_for
    shown = [(part, part.shown) for part in parts if part.shown is not None]
    findings = [finding for _, judged in shown for finding in judged.findings]
    origins = Origins(report.budgets, (f for each in report.systems for f in each.findings))
    return {
        "schema": SCHEMA,
        "guide": guide_data(guide),
        "workload": {
            "name": report.workload, "title": report.title, "file": report.file,
            "digest": report.digest,
        },
        "policy": {
            "size_for": end,
            "follow_advice": plan.policy.follow_advice,
            "reserve_percent": plan.policy.reserve_percent,
            "waived": waived_data(plan.policy),
        },
        "verdict": plan_verdict(plan),
        "proven": plan.proven,
        "cut_short": sorted({name for each in (plan, *plan.plans) for name in each.cut_short}),
        "determinant": _determinant(report),
        "overlays": overlay_data(overlay_uses(plan)),
        "demand": _demand(plan.demand),
        "order": [line for part in parts for line in _order(part.plan)],
        "systems": [system_data(part.plan.chosen.system) for part in parts if part.plan.chosen],
        "pair": pair_data(plan.pair, end),
        "kernel_lock": lock_data(report),
        "networks": [line for part, judged in shown for line in _networks(part, judged)],
        "work": [line for _, judged in shown for line in work_data(judged)],
        "yielding": [line for _, judged in shown for line in yielding_data(judged, end)],
        "setup": [line for part in parts for line in setup_data(part)],
        "unknown": [
            {"rule": f.rule, "subject": f.subject, "message": f.message,
             "measure": how_to_measure(guide, f)}
            for f in findings if f.verdict == "unknown"
        ],
        "coverage": {
            "rules": len(plan.rules),
            "judgements": dict(
                coverage(tuple(f for judged in report.systems for f in judged.findings))
            ),
        },
        "budgets": [
            {**budget_data(budget, plan.policy), "sources": origins.of(budget)}
            for budget in report.budgets
        ],
        **unlocked_data(guide, (judged for _, judged in shown)),
        "sources": origins.data(),
        "growth": growth_data(report.growth),
        **break_even_data(report.break_even),
        "failed": failed_data(report.failed, plan.policy, report.selection),
        "unsurvived": failed_data(plan.unsurvived, plan.policy, report.selection),
        "findings": [finding_data(finding) for finding in findings],
        "rejected": [
            *(_rejection(r, "") for r in plan.rejected),
            *(_rejection(r, judged.system.id) for part, judged in shown if plan.pair
              for r in part.plan.rejected),
        ],
        "nearest": _nearest(plan.nearest),
        "change": _change(plan.nearest),
    }  # fmt: skip


def _order(plan: Plan) -> list[dict[str, Any]]:
    if plan.chosen is None:
        return []
    system = plan.chosen.system
    lines = order(plan.guide, plan.demand, system)
    return [{"system": system.id, **line._asdict()} for line in lines]


def _demand(demand: Demand) -> dict[str, Any]:
    carried = [{"device": device, "count": number} for device, number in demand.carry_forward]
    return {**plain(demand), "carry_forward": carried}


def _determinant(report: PlanReport) -> dict[str, Any] | None:
    found = report.determinant
    if found is None:
        return None
    return {
        "resource": found.resource,
        "required": quantity(found.required),
        "available": quantity(found.available),
        "share": plain_number(found.share),
        "headroom": plain_number(1 - found.share),
    }


def _networks(report: PlanReport, shown: Evaluation) -> list[dict[str, Any]]:
    return [
        {
            "system": shown.system.id,
            "id": port.id,
            "network": port.network,
            "medium": report.plan.guide.row("network-interfaces", port.interface).text("medium"),
            "interface": port.interface,
            "provider": port.provider,
            "unit": budget.unit,
            "used": maybe(budget.used),
            "limit": maybe(budget.limit),
            "share": share_data(budget, report.plan.policy.size_for),
        }
        for port in shown.system.ports
        for budget in shown.budgets
        if budget.kind in ("network", "data") and budget.name == port.id
    ]


def _rejection(rejection: Rejection, system: str) -> dict[str, Any]:
    judged = rejection.judgement
    return {
        "system": system,
        "processors": judged.system.processors if judged else None,
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
