"""Rules XIV and XXVIII exclude each other: a board for NFS writes, or software if none fits."""

from __future__ import annotations

import pytest

from check.test_first_step import disk, server
from generated_boxes import checked
from generated_workloads import Plain

NFS = {"nfs": {"ops_per_s": 200, "reads_percent": 20, "writes_percent": 15}}
FULL = [{"id": f"ethernet-{slot}", "board": "sbus-ethernet", "slots": [slot]} for slot in (1, 2, 3)]


def advised(boards: list[Plain] | None, percent: int | None) -> set[str]:
    """Which of the two rules an SS2 does not follow that has no board and no software."""
    seen = (
        NFS if percent is None else {**NFS, "cpu": {"user_percent": 0, "system_percent": percent}}
    )
    plain = server(
        [disk("a")], services=["nfs"], software=[], accelerator="none", boards=boards,
        observed=seen,
    ) | {"platform": "sparcstation-2", "processors": 1}  # fmt: skip
    found = checked({key: value for key, value in plain.items() if value is not None}).findings
    return {f.rule for f in found if f.rule in ("XIV", "XXVIII") and f.verdict == "violated"}


@pytest.mark.parametrize("percent", [None, 60])
@pytest.mark.parametrize(
    ("boards", "rules"), [([], {"XIV"}), (FULL, {"XXVIII"}), (None, {"XIV"})],
    ids=["slots are free", "no slot is free", "boards are unknown"],
)  # fmt: skip
def test_a_board_is_advised_or_software(
    boards: list[Plain] | None, rules: set[str], percent: int | None
) -> None:
    assert advised(boards, percent) == rules


@pytest.mark.parametrize("boards", [[], FULL], ids=["slots are free", "no slot is free"])
def test_a_single_processor_above_85_percent_gets_neither(boards: list[Plain]) -> None:
    assert advised(boards, 86) == set()
