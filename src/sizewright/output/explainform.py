"""An explanation as plain data: figures as trees, `sizewright.explain/1`."""

from __future__ import annotations

from typing import Any

from sizewright.evaluate.budgets import Budget
from sizewright.formula import formula
from sizewright.output.explain import chosen_budgets
from sizewright.output.plain import maybe, quantity
from sizewright.output.reports import PlanReport, plan_verdict
from sizewright.quantity import Quantity

SCHEMA = "sizewright.explain/1"


def explain_data(report: PlanReport, resource: str = "") -> dict[str, Any]:
    """The budgets of a plan with every figure as a tree."""
    end = report.plan.policy.size_for
    return {
        "schema": SCHEMA,
        "guide": report.plan.guide.id,
        "workload": report.workload,
        "verdict": plan_verdict(report.plan),
        "size_for": end,
        "budgets": [_budget(report, budget) for budget in chosen_budgets(report, resource)],
    }


def _budget(report: PlanReport, budget: Budget) -> dict[str, Any]:
    end = report.plan.policy.size_for
    return {
        "resource": budget.resource,
        "kind": budget.kind,
        "name": budget.name,
        "verdict": report.verdict_of(budget),
        "limit_rule": budget.limit_rule,
        "used": maybe(budget.used),
        "items": [{"name": item.name, "figure": _tree(item.figure, end)} for item in budget.items],
        "capacity": _tree(budget.capacity, end) if budget.capacity else None,
        "limit": _tree(budget.limit, end) if budget.limit else None,
    }


def _tree(figure: Quantity, end: str) -> dict[str, Any]:
    node: dict[str, Any] = {"name": figure.name, "value": quantity(figure)}
    if figure.source is not None:
        node["source"] = figure.source._asdict()
    if figure.args:
        node["op"] = figure.op
        node["formula"] = formula(figure, end)
        node["args"] = [_tree(arg, end) for arg in figure.args]
    return node
