"""What holds for all tests: plans of case studies made once, and properties that are not timed.

A busy machine would make a timed property fail for no reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from case_reports import Reporter, case_report
from sizewright.output.reports import PlanReport

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def reported() -> Reporter:
    """A report on a case study by its short name, changed by pairs of text and overlays."""
    kept: dict[object, PlanReport] = {}

    def report(case: str, *changes: tuple[str, str], overlays: tuple[Path, ...] = ()) -> PlanReport:
        key = (case, changes, overlays)
        if key not in kept:
            kept[key] = case_report(case, *changes, overlays=overlays)
        return kept[key]

    return report
