"""What other guides say of a box as plain data, for the contract of a check."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sizewright.check.cross_guide import CrossCheck
from sizewright.report.coverage import coverage_data
from sizewright.report.judgedform import finding_data, guide_data, overlay_data
from sizewright.report.missing import missing
from sizewright.report.overlays import uses_in
from sizewright.report.plain import plain


def others_data(others: Iterable[CrossCheck]) -> dict[str, Any]:
    """The key for other guides, an entry for each that was asked; no key where none was."""
    found = [_opinion(each) for each in others]
    return {"also_by": found} if found else {}


def _opinion(each: CrossCheck) -> dict[str, Any]:
    system = each.judged.system.id
    return {
        "guide": guide_data(each.guide),
        "rules": list(each.selection.only),
        "ignored": list(each.selection.ignored),
        "coverage": coverage_data(each.book, each.findings),
        "findings": [finding_data(finding) for finding in each.findings],
        "unknown": [plain(fact) for fact in missing(each.guide, system, each.findings)],
        "overlays": overlay_data(uses_in(each.guide, (each.judged,))),
    }
