"""What a platform offers to build with."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

import pytest

from sizewright.guide.model import Row
from sizewright.planner.parts import (
    Machine,
    accelerators_for,
    adapters_for,
    disks_for,
    interfaces_for,
    join_overlapping,
    machines,
    memory_sizes,
    software_of,
)
from small import GUIDE, demand, row


def machine(platform: str, processors: int = 2) -> Machine:
    return Machine(GUIDE, row("platforms", platform), processors, "solaris-1.0.1")


DESKTOP = machine("sparcstation-2", 1)
LARGE = machine("sparcserver-690mp")


def test_machines_come_smallest_first_with_the_fewest_processors() -> None:
    """Table 1, and 1.1.6: take the minimum."""
    found = [(m.platform.id, m.processors) for m in machines(GUIDE, demand({}))]
    assert found == [
        ("sparcstation-2", 1), ("sparcserver-630mp", 2), ("sparcserver-670mp", 2),
        ("sparcserver-690mp", 2),
    ]  # fmt: skip


def test_only_platforms_that_are_wished_for_are_tried() -> None:
    wishes = {"platforms": ["sparcserver-690mp", "sparcserver-630mp"]}
    found = [m.platform.id for m in machines(GUIDE, demand({}, wishes=wishes))]
    assert found == ["sparcserver-630mp", "sparcserver-690mp"]


def test_a_platform_that_is_not_on_offer_is_never_tried() -> None:
    assert machines(GUIDE, demand({}, wishes={"platforms": ["sun-4-260"]})) == ()


def test_boards_need_a_bus_with_a_slot_and_must_be_supported() -> None:
    assert "sbus-scsi" in DESKTOP.boards
    assert not any(board.text("bus") == "vme" for board in DESKTOP.boards.values())
    assert "isp-80" in LARGE.boards
    assert "isp-80" not in machine("sparcserver-670mp").boards
    assert all(board.flag("orderable") for board in LARGE.boards.values())


@pytest.mark.parametrize(
    ("platform", "slots"),
    [
        ("sparcstation-2", {"sbus": 3}),
        ("sparcserver-630mp", {"sbus": 4, "vme": 1}),
        ("sparcserver-670mp", {"sbus": 4, "vme": 5}),
    ],
)
def test_free_slots_are_those_for_any_board(platform: str, slots: dict[str, int]) -> None:
    assert dict(machine(platform).free_slots) == slots


def test_spare_slots_are_more_of_each_bus() -> None:
    more = machine("sparcserver-630mp").with_spare_slots(3)
    assert dict(more.free_slots) == {"sbus": 7, "vme": 4}


def test_memory_of_the_desktop() -> None:
    """2.2.5: 16 MB at a time; 64 MB on the board and as much on a card."""
    sizes = memory_sizes(DESKTOP)
    assert [m.size_mb for m in sizes][:4] == [16, 32, 48, 64]
    assert all(not m.boards for m in sizes if m.size_mb <= 64)
    assert all(m.boards == ("sparcstation-2-memory-card",) for m in sizes if m.size_mb > 64)
    assert sizes[-1].size_mb == 128


def test_memory_of_a_large_server() -> None:
    """1.3.1.2: 128 MB on the processor board, 256 MB on each of two others."""
    sizes = {m.size_mb: len(m.boards) for m in memory_sizes(LARGE)}
    assert sizes[64] == sizes[128] == 0
    assert sizes[192] == sizes[384] == 1
    assert sizes[448] == sizes[640] == 2
    assert max(sizes) == 640


def test_memory_without_a_board_that_fits_ends_on_the_processor_board() -> None:
    assert [m.size_mb for m in memory_sizes(machine("sparcserver-630mp"))] == [64, 128]


def names(rows: Iterable[Row]) -> set[str]:
    return {each.id for each in rows}


def test_interfaces_for_a_medium_or_for_any() -> None:
    (ethernet,) = demand({}).networks
    assert names(interfaces_for(DESKTOP, ethernet)) == {"lance-ethernet"}
    assert names(interfaces_for(LARGE, ethernet)) == {
        "lance-ethernet", "intel-ethernet-vme", "network-coprocessor",
    }  # fmt: skip
    (any_medium,) = demand({}, networks=[{"name": "north"}]).networks
    assert {"token-ring-4mb", "token-ring-16mb", "fddi-s"} <= names(
        interfaces_for(DESKTOP, any_medium)
    )


def test_disks_that_can_be_attached() -> None:
    """1.1.3: one size of IPI disk is offered; 2.11: the SCSI disks that are current."""
    assert names(disks_for(DESKTOP)) == {"424mb-scsi", "1-3gb-scsi"}
    assert names(disks_for(LARGE)) == {"424mb-scsi", "1-3gb-scsi", "1-3gb-ipi"}
    assert "1-0gb-ipi" in names(disks_for(LARGE, ("1-0gb-ipi",)))
    assert "1-0gb-ipi" not in names(disks_for(DESKTOP, ("1-0gb-ipi",)))
    # 1.3.1.2: a customer who accepts other makers' drives.
    assert "st83200k" in names(disks_for(LARGE, third_party=True))
    assert "st83200k" not in names(disks_for(DESKTOP, third_party=True))


def test_channels_and_what_brings_them() -> None:
    assert DESKTOP.channel_kinds >= {"scsi-synchronous"}
    assert "ipi-2" not in DESKTOP.channel_kinds
    assert "ipi-2" in LARGE.channel_kinds
    assert names(adapters_for(LARGE, frozenset(("ipi-2",)))) == {"isp-80"}
    assert "sbus-scsi" in names(adapters_for(DESKTOP, frozenset(("scsi-synchronous",))))
    buffered = "scsi-buffered-ethernet"
    assert buffered not in names(adapters_for(DESKTOP, frozenset(("scsi-synchronous",))))


def test_accelerators_that_fit() -> None:
    """2.8: the Sbus board for the desktop; both for machines with both busses."""
    assert names(accelerators_for(DESKTOP)) == {"sbus-prestoserve"}
    assert names(accelerators_for(LARGE)) == {"sbus-prestoserve", "vme-prestoserve"}


def test_software_is_found_by_what_it_does() -> None:
    assert names(software_of(GUIDE, "write_gathering_nfs")) == {"enfs"}
    assert names(software_of(GUIDE, "volume_manager")) == {"online-disksuite"}
    assert names(software_of(GUIDE, "online_backup")) == {"online-backupcopilot"}


def test_items_are_joined_if_they_share_a_name_also_through_others() -> None:
    """b shares 2 with a, and c shares 1 with a only; d shares nothing, and e has no names."""
    used = {"a": {1, 2}, "b": {2, 3}, "c": {1}, "d": {4}, "e": set()}
    items = [(name, frozenset(map(str, numbers))) for name, numbers in used.items()]
    for order in permutations(items):
        groups = join_overlapping(order)
        assert {frozenset(joined): set(names) for joined, names in groups} == {
            frozenset("abc"): {"1", "2", "3"}, frozenset("d"): {"4"}, frozenset("e"): set(),
        }  # fmt: skip
