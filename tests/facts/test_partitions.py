"""What is known of the partitions of a disk if the heat or the use of some is not stated."""

from __future__ import annotations

import pytest

from check.test_first_step import disk, server
from generated_boxes import checked
from generated_workloads import Plain

ROOT: Plain = {"name": "a", "use": "root"}
SWAP: Plain = {"name": "b", "use": "swap", "heat": "hot"}
FILES: Plain = {"name": "h", "use": "file_system", "heat": "hot"}
COLD = {"heat": "cold"}


@pytest.mark.parametrize(
    ("partitions", "hot", "swap"),
    [
        # Two or three hot partitions are more than one, and a file system among them is hot.
        ([ROOT, SWAP, FILES], "violated", "violated"),
        # One or two are hot.
        ([ROOT, SWAP | COLD, FILES], "tight", "violated"),
        # None or one is hot, perhaps the file system.
        ([ROOT, SWAP | COLD, FILES | COLD], "unknown", "unknown"),
        ([ROOT | COLD, SWAP, FILES | COLD], "holds", "holds"),
        # However hot the third is, nothing on the disk is a file system in use.
        ([{"name": "g", "use": "raw"}, SWAP, FILES | COLD], "tight", "holds"),
        # One or two partitions are for swap.
        ([{"name": "g", "heat": "hot"}, SWAP, FILES], "violated", "violated"),
        # The use of the hot partition decides.
        ([{"name": "g", "heat": "hot"}, SWAP | COLD, FILES | COLD], "holds", "unknown"),
    ],
)
def test_verdicts_that_no_missing_value_can_change_are_given(
    partitions: list[Plain], hot: str, swap: str
) -> None:
    found = checked(server([disk("a", partitions=partitions)])).findings
    verdicts = {f.rule: f.verdict for f in found if f.rule in ("XXIII", "XXIV")}
    assert verdicts == {"XXIII": hot, "XXIV": swap}
