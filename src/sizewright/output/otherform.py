"""What other guides say of a box as plain data, for the contract of a check."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sizewright.check.cross_guide import CrossCheck
from sizewright.output.findings import missing
from sizewright.output.judgedform import finding_data, guide_data, overlay_data
from sizewright.output.plain import plain
from sizewright.output.provenance import uses_in
from sizewright.output.reports import coverage_data


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
