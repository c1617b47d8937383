"""Machines of several guides under one file load as plain data: sizewright.across/1."""

from __future__ import annotations

from typing import Any

from sizewright.compare.assessment import Across, Response, Standing, Told
from sizewright.compare.guides_text import name_of
from sizewright.evaluate.budgets import Budget
from sizewright.output.plain import explained, maybe, quantity, sources

SCHEMA = "sizewright.across/1"


def across_data(found: Across) -> dict[str, Any]:
    """Everything that the page tells, in the order of the schema."""
    files = found.files
    return {
        "schema": SCHEMA,
        "workload": found.workload,
        "guide": files.guide,
        "size_for": files.demand.size_for,
        "holds": found.holds,
        "load": {
            "operations": quantity(files.ops),
            "reference_operations": quantity(files.weighted),
            "reads": quantity(files.reads),
            "writes": quantity(files.writes),
            "data": quantity(files.data_kb_per_s),
            "stored": quantity(files.size_mb),
            "clients": quantity(files.demand.clients),
        },
        "left_out": list(files.left_out),
        "guides": [_told(each) for each in found.told],
    }


def _told(told: Told) -> dict[str, Any]:
    by = told.translation
    return {
        "guide": told.guide.id,
        "title": told.guide.title,
        "factor": maybe(by.factor),
        "factor_sources": [] if by.factor is None else sources(by.factor),
        "machines": [_machine(each) for each in told.machines],
    }


def _machine(each: Standing) -> dict[str, Any]:
    return {
        "platform": each.platform.id,
        "name": name_of(each),
        "on_offer": each.on_offer,
        "verdict": each.verdict,
        "sure": each.sure,
        "machines": each.machines,
        "loads": [_load(each, budget) for budget in each.fullest],
        "no_kernel_lock": each.unlocked.cite if each.unlocked is not None else None,
        "response": _response(each.response),
        "lacks": list(each.lacks),
        "no_figure_for": [gap.what for gap in each.gaps],
    }


def _load(each: Standing, budget: Budget) -> dict[str, Any]:
    assert budget.used is not None and budget.limit is not None
    return {
        "kind": budget.kind,
        "resource": budget.name,
        **explained(budget.used, each.end),
        "limit": quantity(budget.limit),
        "limit_rule": budget.limit_rule or None,
        "share": each.share(budget),
    }


def _response(told: Response) -> dict[str, Any]:
    return {name: maybe(value) for name, value in told._asdict().items()}
