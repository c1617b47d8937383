"""A check as plain data: the contract `sizewright.check/1`, stated in check.schema.json."""

from __future__ import annotations

from typing import Any

from sizewright.output.decideform import break_even_data
from sizewright.output.failure import failed_data
from sizewright.output.findings import missing
from sizewright.output.judgedform import (
    budget_data,
    finding_data,
    guide_data,
    overlay_data,
    system_data,
    waived_data,
)
from sizewright.output.kernel_lock import unlocked_data
from sizewright.output.otherform import others_data
from sizewright.output.plain import plain, quantity
from sizewright.output.provenance import uses_in
from sizewright.output.reports import CheckReport, coverage_data

SCHEMA = "sizewright.check/1"


def check_data(report: CheckReport) -> dict[str, Any]:
    """Everything that a check says, in the order of the schema."""
    check, chosen = report.check, report.selection
    judged, box = check.judged, check.box
    return {
        "schema": SCHEMA,
        "guide": guide_data(check.guide),
        "box": {
            "name": box.name,
            "title": box.title or "",
            "file": report.document.name,
            "digest": report.document.digest,
            "platform": judged.system.platform,
        },
        "policy": {
            "size_for": report.policy.size_for,
            "reserve_percent": report.policy.reserve_percent,
            "waived": waived_data(report.policy),
            "rules": list(chosen.only),
            "ignored": list(chosen.ignored),
            "severity": chosen.severity,
        },
        "verdict": report.verdict,
        "coverage": coverage_data(check.book, check.findings),
        "budgets": [budget_data(budget, report.policy) for budget in judged.budgets],
        **unlocked_data(check.guide, (judged,)),
        "headroom": [
            {
                "resource": each.resource, "factor": quantity(each.factor),
                "limit_rule": each.limit_rule,
            }
            for each in check.headroom
        ],
        **break_even_data(report.break_even),
        "failed": failed_data(report.failed, report.policy, report.selection),
        "findings": [finding_data(finding) for finding in check.findings],
        "unknown": [plain(each) for each in missing(check.guide, judged.system.id, check.findings)],
        "systems": [system_data(judged.system)],
        "overlays": overlay_data(uses_in(check.guide, (judged,))),
        **others_data(report.others),
    }  # fmt: skip
