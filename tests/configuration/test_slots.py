"""Slots of machines, and boards in runs of them."""

from __future__ import annotations

import pytest

from functional import KINDS
from sizewright.configuration.model import Board, Port
from sizewright.configuration.slots import (
    Slot,
    free_for,
    group_for,
    runs,
    slot_groups,
    slot_need,
    slots_of,
    spans,
)
from small import GUIDE, board, channel, disk, row, system, tape


def numbers(platform: str, processors: int, bus: str, *roles: str) -> tuple[int, ...]:
    return free_for(slots_of(GUIDE, platform, processors), bus, roles)


def test_the_desktop_has_three_sbus_slots_and_no_vme() -> None:
    """1.1.8 fills all three."""
    assert numbers("sparcstation-2", 1, "sbus") == (1, 2, 3)
    assert numbers("sparcstation-2", 1, "vme") == ()


@pytest.mark.parametrize(("processors", "slots"), [(2, (1, 2, 3, 4)), (4, (1, 2, 3))])
def test_four_processors_cover_an_sbus_slot(processors: int, slots: tuple[int, ...]) -> None:
    """1.3.1.2: a 600MP with four processors has three."""
    for platform in ("sparcserver-630mp", "sparcserver-670mp", "sparcserver-690mp"):
        assert numbers(platform, processors, "sbus") == slots


def test_memory_has_slots_of_its_own_beside_those_for_any_board() -> None:
    """1.3.1.2: memory in slots 1-2 and 6-7, the processors between them."""
    anything = numbers("sparcserver-670mp", 2, "vme")
    assert anything == (8, 9, 10, 11, 12)
    memory = numbers("sparcserver-670mp", 2, "vme", "memory")
    assert {1, 2, 6, 7} <= set(memory)
    assert not {3, 4, 5} & set(memory)


@pytest.mark.parametrize(
    ("given", "length", "found"),
    [
        ((1, 2, 3), 1, ((1,), (2,), (3,))),
        ((1, 2, 3), 2, ((1, 2), (2, 3))),
        ((1, 3, 4), 2, ((3, 4),)),
        ((1, 3, 5), 2, ()),
        ((), 1, ()),
        ((1, 2), 3, ()),
    ],
)
def test_runs_are_adjacent(
    given: tuple[int, ...], length: int, found: tuple[tuple[int, ...], ...]
) -> None:
    assert runs(given, length) == found


def test_a_role_takes_its_own_slots_and_those_for_any() -> None:
    slots = (
        Slot("vme", 1, ("memory",)), Slot("vme", 2, ("any",)), Slot("vme", 3, ("nothing",)),
        Slot("sbus", 1, ("any",)),
    )  # fmt: skip
    assert free_for(slots, "vme", ("memory",)) == (1, 2)
    assert free_for(slots, "vme", ()) == (2,)
    assert free_for(slots, "sbus", ("memory",)) == (1,)


@pytest.mark.parametrize(
    ("table", "name", "slots"),
    [
        ("boards", "sbus-scsi", 1),
        ("boards", "ibm-channel-attach", 2),
        ("boards", "mcp", 1),
        ("memory-boards", "sparcserver-600mp-memory-board", 2),
    ],
)
def test_a_board_takes_the_slots_that_the_guide_says_or_one(
    table: str, name: str, slots: int
) -> None:
    assert slot_need(row(table, name)) == slots


def test_a_daughter_board_takes_one_place_of_its_own_bus() -> None:
    """3.3: a write cache uses no VME slot."""
    cache = KINDS.row("boards", "write-cache")
    assert cache.number("slots_used", otherwise=1) == 0
    assert slot_need(cache) == 1


def test_slots_are_grouped_by_what_they_take() -> None:
    found = system(
        platform="sparcserver-670mp", processors=2,
        boards=(
            board("m", "sparcserver-600mp-memory-board", "vme", 1, 2, table="memory-boards"),
            board("nc", "network-coprocessor", "vme", 8),
        ),
    )  # fmt: skip
    groups = {g.name: (g.available, dict(g.taken)) for g in slot_groups(GUIDE, found)}
    assert groups == {
        "sbus": (4, {}), "vme": (5, {"nc": 1}), "vme memory": (4, {"m": 2}),
    }  # fmt: skip


def test_memory_of_which_nobody_said_where_it_is_stands_in_slots_for_memory() -> None:
    """1.3.1.2: two boards of two slots each; a third one finds ordinary slots alone."""
    boards = tuple(
        board(name, "sparcserver-600mp-memory-board", "vme", table="memory-boards")
        for name in ("m1", "m2", "m3")
    )
    placed = board("m0", "sparcserver-600mp-memory-board", "vme", 6, 7, table="memory-boards")
    other = board("nc", "network-coprocessor", "vme")

    def taken(*there: Board) -> dict[str, dict[str, int]]:
        found = system(platform="sparcserver-670mp", processors=2, boards=there)
        return {g.name: dict(g.taken) for g in slot_groups(GUIDE, found) if g.name != "sbus"}

    assert taken(boards[0], other) == {"vme": {"nc": 1}, "vme memory": {"m1": 2}}
    assert taken(*boards) == {"vme": {"m3": 2}, "vme memory": {"m1": 2, "m2": 2}}
    assert taken(boards[0], boards[1], placed) == {
        "vme": {"m2": 2}, "vme memory": {"m0": 2, "m1": 2},
    }  # fmt: skip
    assert taken(boards[0], boards[1], placed._replace(slots=(6,))) == {
        "vme": {"m2": 2}, "vme memory": {"m0": 1, "m1": 2},
    }  # fmt: skip
    desktop = system(boards=(board("m", "sbus-scsi", "sbus", table="boards"), boards[0]))
    assert {g.name: dict(g.taken) for g in slot_groups(GUIDE, desktop)} == {
        "sbus": {"m": 1}, "vme": {"m1": 2},
    }  # fmt: skip


def test_a_board_in_a_slot_that_is_not_there_counts_as_taken() -> None:
    found = system(boards=(board("a", "sbus-scsi", "sbus", 9), board("b", "isp-80", "vme", 1)))
    groups = {g.name: (g.available, dict(g.taken)) for g in slot_groups(GUIDE, found)}
    assert groups == {"sbus": (3, {"a": 1}), "vme": (0, {"b": 1})}


def test_a_port_is_named_after_its_network_and_segment() -> None:
    assert Port("north", 0, "lance-ethernet", "builtin").id == "north"
    assert Port("north", 2, "lance-ethernet", "builtin").id == "north-2"


def test_devices_come_channel_by_channel() -> None:
    found = system(channels=(channel("builtin-1", tape(), disk("a")), channel("scsi-1", disk("b"))))
    assert [device.id for device in found.devices()] == ["tape-1", "a", "b"]


def test_slots_kept_for_kinds_of_board_are_groups_of_their_own() -> None:
    """3.3: two Ethernet processors and one of each other kind; too many are told as such."""
    models = [*["ethernet-processor"] * 3, "file-processor", "storage-processor", "isp-80"]
    boards = tuple(board(f"{m}-{n}", m, "vme") for n, m in enumerate(models))
    found = system(platform="ns-3000", processors=1, boards=boards)
    groups = {g.name: (g.available, len(g.taken)) for g in slot_groups(KINDS, found)}
    assert groups == {
        "vme protocol_processor": (2, 3), "vme file_processor": (1, 1),
        "vme storage_processor": (1, 1), "vme host_processor": (1, 0),
        "storage-processor nvram_accelerator": (1, 0), "vme": (0, 1),
    }  # fmt: skip


def test_a_group_goes_by_its_bus_and_by_what_is_kept_for_the_roles() -> None:
    slots = (
        Slot("vme", 1, ("any",)), Slot("vme", 2, ("disks",)), Slot("vme", 3, ("tapes", "disks")),
        Slot("sbus", 1, ("disks",)),
    )  # fmt: skip
    assert group_for(slots, "vme", ("nets",)) == group_for(slots, "vme", ()) == "vme"
    assert group_for(slots, "vme", ("tapes",)) == "vme tapes disks"
    assert group_for(slots, "vme", ("disks",)) == "vme disks tapes disks"
    assert group_for(slots, "sbus", ("disks",)) == "sbus disks"


@pytest.mark.parametrize(
    ("given", "said"),
    [((), ()), ((3,), ("slot 3",)), ((9, 8, 3, 2, 6), ("slots 2 to 3", "slot 6", "slots 8 to 9"))],
)
def test_slots_are_named_by_runs_of_numbers(given: tuple[int, ...], said: tuple[str, ...]) -> None:
    assert spans(given) == said
