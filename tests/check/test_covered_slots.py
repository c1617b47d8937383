"""Slots that a second processor module covers: fewer processors may be what frees them."""

from __future__ import annotations

import pytest

from check.test_first_step import disk, server
from generated_boxes import checked
from generated_workloads import Plain

ENOUGH = "With at most 2 processors it has enough"


def sbus_message(platform: str, processors: int, boards: int) -> str:
    """What rule 2.3-slots says of the Sbus of a server with so many boards."""
    adapters = [{"id": f"adapter-{n}", "board": "sbus-scsi"} for n in range(boards)]
    plain: Plain = server([disk("a")]) | {
        "platform": platform, "processors": processors, "boards": adapters,
    }  # fmt: skip
    (message,) = (
        f.message for f in checked(plain).findings
        if f.rule == "2.3-slots" and f.subject.endswith("/sbus")
    )  # fmt: skip
    return message


@pytest.mark.parametrize(
    ("platform", "processors", "boards", "told"),
    [
        # With four processors the 630MP has three slots, with two it has four.
        ("sparcserver-630mp", 4, 4, True),
        ("sparcserver-630mp", 4, 3, False),
        ("sparcserver-630mp", 4, 5, False),
        ("sparcserver-630mp", 2, 5, False),
        ("sparcstation-2", 1, 4, False),
    ],
)
def test_the_number_of_processors_that_leaves_enough_slots_is_told(
    platform: str, processors: int, boards: int, told: bool
) -> None:
    assert (ENOUGH in sbus_message(platform, processors, boards)) is told


@pytest.mark.parametrize(
    ("platform", "slots", "expected"),
    [
        # Figure 9: slots 8 to 16 of the 690MP take any board; 1 to 7 are of the memory bus.
        ("sparcserver-690mp", (8, 9), "holds"),
        (None, (8, 9), "unknown"),
        # Two boards in one slot fit on no platform.
        (None, (8, 8), "violated"),
    ],
)
def test_whether_slots_take_boards_is_unknown_without_a_platform(
    platform: str | None, slots: tuple[int, int], expected: str
) -> None:
    boards = [
        {"id": f"isp{n}", "board": "isp-80", "bus": "vme", "slots": [slot]}
        for n, slot in enumerate(slots)
    ]
    plain = {**server([]), "platform": platform, "boards": boards}
    found = checked({key: value for key, value in plain.items() if value is not None})
    verdicts = {f.verdict for f in found.findings if f.rule == "2.3.1-fitting-slots"}
    assert verdicts == {expected}
