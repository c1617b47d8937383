"""A server whose load was measured with more processors: no limit is broken, it is a note."""

from __future__ import annotations

from pathlib import Path

import pytest

from generated_boxes import check_text
from sizewright.api import load_engine

BOX = Path(__file__).parents[2] / "examples" / "auspex-1992" / "benchmark-ns-5500" / "box.yaml"
SECOND = "  - {id: file-1, board: file-processor}\n"


@pytest.mark.parametrize(("missing", "verdict"), [("", "holds"), (SECOND, "violated")])
def test_fewer_file_processors_than_measured_are_a_note(missing: str, verdict: str) -> None:
    """An NS 5500 has one or two file processors (3.3); its load was measured with two (4.2)."""
    text = BOX.read_text(encoding="utf-8")
    assert SECOND in text
    served = text.replace(missing, "") if missing else text
    found = check_text(served, load_engine("auspex-1992")).findings
    said = {f.rule: (f.severity, f.verdict) for f in found if "measured" in f.rule}
    assert said == {"4.2-less-than-measured": ("note", verdict)}
