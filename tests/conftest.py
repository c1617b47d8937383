"""What holds for all tests: plans of case studies made once, and properties that are not timed.

A busy machine would make a timed property fail for no reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import settings

from case_reports import Reporter, case_report
from sizewright.report.model import PlanReport

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


# Tests that the last change of results left failing, each with the reason: work still to do.
OPEN_TESTS = yaml.safe_load((Path(__file__).parent / "open_tests.yaml").read_text()) or {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Expect those tests to fail that are listed as open, by their whole id or its beginning."""
    for item in items:
        for name, reason in OPEN_TESTS.items():
            if item.nodeid.startswith(name):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=False))
