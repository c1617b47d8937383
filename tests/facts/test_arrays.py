"""What RAID levels make of the disks of a volume."""

from __future__ import annotations

from typing import Any

import pytest

from server_boxes import OLD, WIDE, chain, checked, controller, drives, ends, record, server
from sizewright.check.failure import box_failure
from sizewright.evaluate.policy import Policy


def array(disks: int = 4, **said: Any) -> dict[str, Any]:
    """A volume of 6 GB over some drives of 4 GB."""
    names = [f"d{n}" for n in range(1, disks + 1)]
    volume = {"name": "data", "size_mb": 6000, "copies": [names], **said}
    channel = chain(*drives(*(WIDE,) * disks))
    return server(boards=controller(), channels=[channel], volumes=[volume])


def facts(disks: int = 4, **said: Any) -> Any:
    return record(array(disks, **said), "volume", "data")


@pytest.mark.parametrize(
    ("raid", "usable", "survives", "parity"),
    [
        (0, 16000, False, False),
        (1, 8000, True, False),
        (4, 12000, True, True),
        (5, 12000, True, True),
        ("raid-5", 12000, True, True),
        ("none", None, False, False),
        (None, None, None, None),
    ],
)
def test_a_level_leaves_all_half_or_all_but_one_disk(
    raid: Any, usable: float | None, survives: bool | None, parity: bool | None
) -> None:
    """Four drives of 4 GB."""
    found = facts(**({} if raid is None else {"raid": raid}))
    assert (ends(found.usable_mb), found.survives_disk, found.parity) == (usable, survives, parity)


@pytest.mark.parametrize(
    ("raid", "stored"), [(0, 1500), (1, 3000), (4, 2000), (5, 2000), ("none", 1500)]
)
def test_what_guards_the_data_lies_on_the_disks_too(raid: Any, stored: float) -> None:
    """6 GB over four disks: 6 / 4, twice that for a mirror, 6 / 3 with parity."""
    found = checked(array(raid=raid, layout="stripe")).judged.facts.disks
    assert [ends(disk.stored_mb) for disk in found] == [pytest.approx(stored)] * 4


def test_a_single_disk_is_no_array_and_a_mirror_by_software_survives() -> None:
    assert facts(1, layout="single").raid_level == ""
    assert facts(2).raid_level is None
    assert facts(2, copies=[["d1"], ["d2"]]).survives_disk is True
    assert facts(2, copies=[["d1"], ["d1"]]).survives_disk is None


def test_a_mirror_by_the_controller_is_two_copies_on_disks_of_their_own() -> None:
    """RAID 1: half of the drives duplicate the other half."""
    found = facts(2, raid=1, protection="mirror")
    assert (ends(found.copies), found.copies_share_disk) == (2, False)


def test_with_disks_of_two_sizes_what_parity_leaves_is_not_told() -> None:
    box = array(raid=5)
    box["channels"][0]["devices"][0]["device"] = "2gb-drive"
    assert record(box, "volume", "data").usable_mb is None
    box["volumes"][0]["raid"] = 0
    assert ends(record(box, "volume", "data").usable_mb) == 14000


def test_kinds_of_bus_and_controllers_of_an_array() -> None:
    box = array(raid=5)
    assert record(box, "volume", "data").bus_kinds == (WIDE,)
    del box["channels"][0]["devices"][0]["bus_kind"]
    assert record(box, "volume", "data").bus_kinds is None
    box["channels"][0]["devices"][1]["bus_kind"] = OLD
    assert record(box, "volume", "data").bus_kinds == (OLD, WIDE)
    assert ends(record(box, "volume", "data").controllers) == 1
    first, *others = box["channels"][0]["devices"]
    box["channels"] = [chain(*others), {**chain(first), "id": "own", "provider": "builtin"}]
    assert ends(record(box, "volume", "data").controllers) == 2


@pytest.mark.parametrize(("raid", "gain"), [(0, 3), (1, 3), (4, None), (5, 57)])
def test_what_a_second_controller_gains(raid: int, gain: float | None) -> None:
    assert ends(facts(raid=raid).second_controller_gain_percent) == gain


@pytest.mark.parametrize(("raid", "lost"), [(0, ("data",)), (1, ()), (5, ())])
def test_an_array_outlives_a_disk_by_its_level(raid: int, lost: tuple[str, ...]) -> None:
    box = {**array(raid=raid), "observed": {"disks": {"d2": {"ops_per_s": 9, "busy_percent": 40}}}}
    check = checked(box)
    failure = box_failure(check, "d1", check.rule_set, Policy())
    assert failure.lost == lost
    if not lost:
        (volume,) = failure.after.facts.volumes
        assert (volume.raid_level, volume.survives_disk) == ("", False)
        (second,) = [disk for disk in failure.after.facts.disks if disk.id == "d2"]
        assert (second.operations_per_s, second.busy_share) == (None, None)
        before = ends(check.judged.facts.disks[0].stored_mb)
        laid = [ends(disk.stored_mb) for disk in failure.after.facts.disks]
        assert laid == [pytest.approx(before)] * 3


@pytest.mark.parametrize(
    ("database", "raid", "verdict"),
    [
        ("orders", 4, "violated"),
        ("orders", 5, "holds"),
        ("none", 4, "holds"),
        (None, 4, "unknown"),
    ],
)
def test_a_guide_without_database_managers_takes_any_for_one(
    database: str | None, raid: int, verdict: str
) -> None:
    """RAID 4 is not commonly used for databases."""
    said = {} if database is None else {"database": database}
    found = checked(array(raid=raid, **said)).findings
    assert [f.verdict for f in found if f.rule == "raid-levels-database"] == [verdict]
