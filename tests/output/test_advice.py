"""The parts that a plan has to follow advice."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import ENGINE, read
from sizewright.api import report_plan
from sizewright.documents import parse_document
from small import plain, volume


def told(**more: Any) -> str:
    """What is said of a server with a mirror whose disks one host adapter would take."""
    mirror = {**volume("homes", size_mb=300), "protection": "mirror"}
    workload = plain({"uses": ["homes"], "clients": 5}, volumes=[mirror], **more)
    document = parse_document("name: small", "small.yaml")
    return report_plan(read(workload), document, ENGINE).advice.parts


def test_a_second_adapter_is_for_the_copies_of_a_mirror() -> None:
    """Copies are to be on different host adapters (1.1.8); no limit asks for it."""
    text = told()
    assert "2.11.1-halves-apart" in text and "1 × Sbus SCSI" in text


@pytest.mark.parametrize(
    "policy",
    [
        {"follow_advice": "never"},
        {"waive": [{"rule": "2.11.1-halves-apart", "reason": "one adapter is enough"}]},
    ],
)
def test_no_adapter_is_for_advice_that_is_not_followed(policy: dict[str, Any]) -> None:
    assert "Sbus SCSI" not in told(policy=policy)
