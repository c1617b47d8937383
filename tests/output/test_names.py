"""How reports call several parts in a row."""

from __future__ import annotations

import pytest

from sizewright.output.names import by_name, listing


def disks(*numbers: int) -> list[str]:
    return [f"1.3 GB disk #{number}" for number in numbers]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], ""),
        (["a", "b"], "a, b"),
        (disks(1, 2, 3, 4), "1.3 GB disk #1 to #4"),
        (disks(9, 10), "1.3 GB disk #9 and #10"),
        # The number that is missing is not one of them.
        (disks(1, 2, 4), "1.3 GB disk #1 and #2, #4"),
        ([*disks(1, 2), "424 MB disk"], "1.3 GB disk #1 and #2, 424 MB disk"),
        (["built-in SCSI", "Sbus SCSI #1", "Sbus SCSI #2"], "built-in SCSI, Sbus SCSI #1 and #2"),
        (["rooms-1", "rooms-2", "rooms-3"], "rooms-1 to -3"),
        (["net0", "net1", "net2", "net4"], "net0 to net2, net4"),
        (["a-1", "a-b-2"], "a-1, a-b-2"),
        (["mail", "news", "print", "web"], "mail, news, print, web"),
        (["mail", "news", "print", "rooms-1", "rooms-2"], "mail, news, print, and 2 more"),
    ],
)
def test_numbered_parts_share_their_name(names: list[str], words: str) -> None:
    assert listing(names) == words


def test_names_are_in_natural_order() -> None:
    names = ["s10", "s2", "mail", "s1", "s3", "v1.10", "v1.9"]
    assert by_name(names) == "mail, s1 to s3, s10, v1.9 and v1.10"
    assert by_name(["n2", "n1"]) == "n1 and n2"
    assert listing(["n10", "n9", "n11", "n2"]) == "n2, n9 to n11"
