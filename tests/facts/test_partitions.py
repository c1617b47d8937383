"""What is known of the partitions of a disk if the heat or the use of some is not stated."""

from __future__ import annotations

from pathlib import Path

import pytest

from check.test_first_step import disk, server
from generated_boxes import checked
from generated_workloads import Plain
from guide.overlays import cell, overlay
from sizewright.configuration.model import Partition
from sizewright.facts.storage import zone_inversions
from sizewright.guide.loader import load_guide
from small import disk as disk_of
from small import given

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


def test_a_partition_before_the_first_known_zone_is_in_an_unknown_one(tmp_path: Path) -> None:
    """An overlay has the zones of a drive from cylinder 10 on; the cold partition begins at 5."""
    later = overlay(tmp_path, "site", zones=cell("disk-zones", "zone-0", "start_cylinder", 10))
    parts = [(False, 5), (True, 1601)]
    device = disk_of("a", "1-3gb-scsi")._replace(partitions=tuple(
        Partition(f"at {start}", start_cylinder=given(start, unit="cylinder"), hot=hot)
        for hot, start in parts
    ))  # fmt: skip
    known = zone_inversions(device, load_guide("sun-1992"))
    assert known is not None and known.high == 1
    assert zone_inversions(device, load_guide("sun-1992", (later,))) is None
