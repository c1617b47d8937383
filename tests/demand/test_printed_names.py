"""Names as reports print them are accepted in a workload, beside ids."""

from __future__ import annotations

import pytest

import small
from sizewright.errors import InputError
from sizewright.guide.model import row_id


@pytest.mark.parametrize(
    ("table", "name", "row"),
    [
        ("platforms", "SS630MP", "sparcserver-630mp"),
        ("platforms", "ss630mp", "sparcserver-630mp"),
        ("platforms", "sparcserver-630mp", "sparcserver-630mp"),
        ("disks", "424 MB SCSI disk", "424mb-scsi"),
        ("removable-media", "8mm helical scan tape", "8mm-helical-scan-tape"),
        ("network-media", "Ethernet", "ethernet"),
        ("platforms", "nothing", "nothing"),
    ],
)
def test_a_printed_name_is_that_of_its_row(table: str, name: str, row: str) -> None:
    assert row_id(small.GUIDE, table, name) == row


def test_a_workload_may_name_parts_as_reports_do() -> None:
    wishes = {
        "platforms": ["SS630MP"], "removable_media": ["CD-ROM"],
        "carry_forward": [{"device": "424 MB SCSI disk", "count": 2}],
    }  # fmt: skip
    network = {"name": "north", "medium": "Ethernet"}
    found = small.demand({}, wishes=wishes, networks=[network])
    assert found.platforms == ("sparcserver-630mp",)
    assert found.removable_media == ("cd-rom",)
    assert found.owned == {"424mb-scsi": 2}
    assert [each.medium for each in found.networks] == ["ethernet"]


def test_the_nearest_name_may_be_a_printed_one() -> None:
    with pytest.raises(InputError, match="did you mean 'SS630MP'"):
        small.demand({}, wishes={"platforms": ["SS63OMP"]})
