"""The plans of the two case studies, made once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sizewright.api import plan, read_workload, ready
from sizewright.documents import Document, parse_document
from sizewright.report.model import PlanReport

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples" / "sun-1992"
CASES = {
    "case-1": EXAMPLES / "case-1-departmental-nfs" / "workload.yaml",
    "silent": EXAMPLES / "case-2-training-center" / "silent.yaml",
    "with-sound": EXAMPLES / "case-2-training-center" / "with-sound.yaml",
}

Reporter = Callable[..., PlanReport]


def _reported(document: Document, overlays: tuple[Path, ...] = ()) -> PlanReport:
    workload = read_workload(document)
    found = plan(workload, ready("sun-1992", overlays))
    return PlanReport(found, workload.name, workload.title or "", document.name, document.digest)


@pytest.fixture(scope="session")
def reported() -> Reporter:
    """A report on a case study by its short name, changed by pairs of text and overlays."""
    kept: dict[object, PlanReport] = {}

    def report(case: str, *changes: tuple[str, str], overlays: tuple[Path, ...] = ()) -> PlanReport:
        key = (case, changes, overlays)
        if key not in kept:
            text = CASES[case].read_text(encoding="utf-8")
            for old, new in changes:
                assert old in text
                text = text.replace(old, new)
            kept[key] = _reported(parse_document(text, f"{case}.yaml"), overlays)
        return kept[key]

    return report
