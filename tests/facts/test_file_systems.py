"""How full the file systems of a disk are: in what raw data leaves of it (1.2.4)."""

from __future__ import annotations

import pytest

from generated_workloads import ENGINE
from sizewright.facts.records import blank
from sizewright.facts.storage import file_system_share, only_files
from small import given

ADVISED, OWN = (ENGINE.rule_set.rule(name) for name in ("1.2.4-full-disk", "full-disk"))


@pytest.mark.parametrize(
    ("stored", "share", "advised", "own"),
    [
        ([("file_system", 400)], 400 / 424, "tight", "holds"),  # case study 1: 94.3 %
        ([("file_system", 381)], 381 / 424, "holds", "holds"),  # 89.9 %
        ([("file_system", 404)], 404 / 424, "tight", "violated"),  # 95.3 %
        # 124 MB raw and a log of 100 leave 200 MB; 150 are 75 %, 196 are 98 %.
        ([("raw", 124), ("log", 100), ("file_system", 150)], 0.75, "holds", "holds"),
        ([("raw", 124), ("log", 100), ("file_system", 196)], 0.98, "tight", "violated"),
        ([("raw", 424)], None, "not_applicable", "not_applicable"),
        ([(None, 100)], None, "not_applicable", "not_applicable"),
    ],
)
def test_raw_data_may_fill_a_disk_and_file_systems_may_not(
    stored: list[tuple[str | None, float]], share: float | None, advised: str, own: str
) -> None:
    parts = [(use, given(size, unit="MB")) for use, size in stored]
    found = file_system_share(parts, given(424, unit="MB"))
    assert (found and found.likely) == (share and pytest.approx(share))
    facts = {
        "file_system_share": found, "only_files": only_files(use for use, _ in stored),
        "stored_mb": sum(size for _, size in stored), "capacity_mb": 424,
    }  # fmt: skip
    subjects = {"system": blank("system", {}), "disk": blank("disk", facts)}
    assert (ADVISED.verdict(subjects), OWN.verdict(subjects)) == (advised, own)
