"""What boards bring to a platform, and which are there from the start."""

from __future__ import annotations

from functional import KINDS
from sizewright.configuration.slots import base_boards, channels_of, ports_of
from small import GUIDE, row


def test_a_board_brings_as_many_channels_as_the_platform_uses() -> None:
    """Table 3: five of ten on the smaller machine; of one without a limit all that it has."""
    board = KINDS.row("boards", "storage-processor")
    assert channels_of(KINDS, "ns-3000", board) == ("scsi-1",) * 5
    assert channels_of(KINDS, "ns-5500", board) == ("scsi-1",) * 10
    assert channels_of(KINDS, "ns-5000", board) == ("scsi-1",) * 10


def test_a_board_of_which_nobody_says_how_many_brings_one_of_each_kind() -> None:
    assert channels_of(GUIDE, "sparcserver-690mp", row("boards", "isp-80")) == ("ipi-2",)
    assert channels_of(GUIDE, "sparcstation-2", row("boards", "mcp")) == ()


def test_a_board_has_ports_for_as_many_networks_as_are_printed_else_for_one() -> None:
    """3.3: two parallel Ethernets on each Ethernet processor."""
    board = KINDS.row("boards", "ethernet-processor")
    assert ports_of(KINDS.row("network-interfaces", "ethernet-processor"), board) == 2
    # What the board says stands where the interface says nothing.
    assert ports_of(KINDS.row("network-interfaces", "plain-ethernet"), board) == 2
    alone = row("network-interfaces", "network-coprocessor")
    assert ports_of(alone, row("boards", "network-coprocessor")) == 1


def test_the_base_has_one_processor_of_each_kind() -> None:
    """3.3: one each of the four types; the write cache is an option."""
    assert set(base_boards(KINDS, "ns-3000")) == {
        "ethernet-processor", "file-processor", "storage-processor", "host-processor-sun-4",
    }  # fmt: skip
    assert len(base_boards(KINDS, "ns-3000")) == 4
    assert base_boards(GUIDE, "sparcstation-2") == ()
