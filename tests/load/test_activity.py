"""What is in frequent use: what is said, else a quarter of what the disk sustains (Rule XXIII)."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import Plain
from serving import demanded
from sizewright.demand.model import Demand
from sizewright.load.derive import busy_share, is_hot
from small import GUIDE, demand, row, unsaid, volume

READS: Plain = {"mix": {"reads_percent": 100, "writes_percent": 0}}


def hot_on(wanted: Demand, disk: str = "424mb-scsi", copies: int = 1) -> bool:
    """Whether the first volume of a demand is hot on a disk."""
    first = wanted.volumes[0]
    return is_hot(first, busy_share(first, row("disks", disk), copies, wanted, GUIDE), wanted)


def hot(disk: str, ops_per_s: float, copies: int = 1, **more: Any) -> bool:
    """Whether data that one client reads at a rate is hot on a disk."""
    service = {"uses": ["data"], "clients": 1, "load": {"ops_per_s_each": ops_per_s}, **READS}
    data = more.pop("data", unsaid("data", **more))
    wanted = demand(service, volumes=[data])
    return hot_on(wanted, disk, copies)


def test_a_volume_is_hot_above_a_quarter_of_what_its_disk_sustains() -> None:
    """Table 8 at 65 %: 50 op/s of the 424 MB disk, so 12.5; 60 of the 1.3 GB disk, so 15."""
    assert not hot("424mb-scsi", 12.4)
    assert hot("424mb-scsi", 12.6)
    assert not hot("1-3gb-scsi", 14.9)
    assert hot("1-3gb-scsi", 15.1)


def test_reads_of_a_mirror_are_of_both_copies() -> None:
    """Each copy has half of them: 12 op/s of 24."""
    assert not hot("424mb-scsi", 24, copies=2, protection="mirror")
    assert hot("424mb-scsi", 26, copies=2, protection="mirror")


@pytest.mark.parametrize("said", ["hot", "cold"])
@pytest.mark.parametrize("ops_per_s", [0.1, 40])
def test_what_is_said_counts(said: str, ops_per_s: float) -> None:
    data = unsaid("data") | {"activity": said}
    assert hot("424mb-scsi", ops_per_s, data=data) == (said == "hot")


def test_the_user_can_set_the_share() -> None:
    """5 op/s of 50 are more than 5 %."""
    service = {"uses": ["data"], "clients": 1, "load": {"ops_per_s_each": 5}, **READS}
    policy = {"parameters": {"XXIII": {"hot_share": 0.05}}}
    wanted = demand(service, volumes=[unsaid("data")], policy=policy)
    assert wanted.hot_share == 0.05
    assert hot_on(wanted)
    assert not hot("424mb-scsi", 5)


def test_work_without_a_rate_keeps_its_disks_busy() -> None:
    """It goes as fast as they do; work that has a rate counts by it."""

    def of(**work: Any) -> bool:
        item = {"name": "work", "volume": "data", **work}
        service = {"kind": "measured", "name": "program", "work": [item]}
        wanted = demanded(service, volumes=[unsaid("data")])
        return hot_on(wanted)

    assert of(ops=100, as_fast_as_disks=True)
    assert not of(ops_per_s=1)


def test_data_of_which_nobody_asks_anything_is_not_hot() -> None:
    wanted = demand({"uses": ["other"]}, volumes=[unsaid("data"), volume("other")])
    assert not hot_on(wanted)
