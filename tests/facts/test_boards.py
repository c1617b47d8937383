"""How boards are spread over two busses of one kind, by Table 1 of their slots."""

from __future__ import annotations

from typing import Any

import pytest

from server_boxes import ends, record, server

PEERS, BRIDGED = "proliant-1600", "proliant-2500"
NIC, DUAL, ARRAY = "single-port-nic", "dual-port-nic", "array-controller"


def slots(*boards: tuple[str, int], platform: str = PEERS, **more: Any) -> Any:
    """The PCI slots of a server with these boards; of both 1 to 3 are secondary, 4 to 6 primary."""
    told = [
        {"id": f"b{slot}", "board": board, **({"slots": [slot]} if slot else {})}
        for board, slot in boards
    ]
    return record(server(platform=platform, boards=told, **more), "slots", "pci")


def carrying(**rates: int) -> dict[str, Any]:
    """Networks of boards, each with what it carries."""
    named = [
        {"name": f"n-{board}", "interface": "fast-ethernet-nic", "provider": board}
        for board in rates
    ]
    seen = {f"n-{board}": {"data_kb_per_s": rate} for board, rate in rates.items()}
    return {"channels": [], "networks": named, "observed": {"networks": seen}}


@pytest.mark.parametrize(
    ("boards", "every", "networks", "arrays"),
    [
        (((NIC, 1), (ARRAY, 2), (NIC, 4), (ARRAY, 5)), 0, 0, 0),
        (((NIC, 1), (NIC, 4), (ARRAY, 5)), 1, 0, 1),
        (((NIC, 1), (NIC, 2), (ARRAY, 4)), 1, 2, 1),
        (((NIC, 1), (ARRAY, 2)), 2, 1, 1),
        ((), 0, 0, 0),
    ],
)
def test_boards_that_the_fullest_bus_has_more(
    boards: tuple[tuple[str, int], ...], every: int, networks: int, arrays: int
) -> None:
    found = slots(*boards)
    uneven = (found.uneven_boards, found.uneven_network_boards, found.uneven_array_boards)
    assert tuple(map(ends, uneven)) == (every, networks, arrays)
    assert found.shares_path is False


def test_a_board_of_which_no_slot_is_told_leaves_all_open() -> None:
    found = slots((NIC, 1), (NIC, 0))
    assert (found.uneven_boards, found.shares_path) == (None, False)


@pytest.mark.parametrize(
    ("boards", "single"),
    [
        (((NIC, 1), (NIC, 2), (NIC, 4), (NIC, 5)), 2),
        (((NIC, 1), (NIC, 2), (NIC, 4)), 1),
        (((DUAL, 1), (DUAL, 4)), 0),
    ],
)
def test_two_boards_of_one_port_on_either_bus(
    boards: tuple[tuple[str, int], ...], single: int
) -> None:
    assert ends(slots(*boards).single_port_boards) == single


@pytest.mark.parametrize(("slot", "split"), [(2, 0), (4, 1)])
def test_a_board_that_stands_by_is_with_its_own_and_is_not_counted(slot: int, split: int) -> None:
    told = [
        {"id": "works", "board": NIC, "slots": [1]},
        {"id": "waits", "board": NIC, "slots": [slot], "redundant_with": "works"},
    ]
    found = record(server(platform=PEERS, boards=told), "slots", "pci")
    assert (ends(found.split_pairs), ends(found.uneven_network_boards)) == (split, 1)


def test_a_busy_board_is_balanced_by_the_idle_ones() -> None:
    """10 against 3, then 10 and 1 against 2: moving the 1 back gains 1."""
    boards = ((NIC, 4), (NIC, 1), (NIC, 2), (NIC, 3))
    alone = slots(*boards, **carrying(b4=10, b1=1, b2=1, b3=1))
    assert ends(alone.movable_kb_per_s) == 0
    boards = ((NIC, 4), (NIC, 5), (NIC, 2), (NIC, 3))
    together = slots(*boards, **carrying(b4=10, b5=1, b2=1, b3=1))
    assert ends(together.movable_kb_per_s) == 1


def test_boards_behind_a_bridge() -> None:
    """Three primary slots, two of them taken; of the boards behind one is busier than the 5."""
    boards = ((NIC, 1), (NIC, 2), (NIC, 4), (NIC, 5))
    found = slots(*boards, platform=BRIDGED, **carrying(b1=10, b2=1, b4=5, b5=6))
    assert found.shares_path is True
    assert (ends(found.boards_behind), ends(found.free_slots_ahead)) == (2, 1)
    assert ends(found.heavier_behind) == 1
    alike = slots(*boards, platform=BRIDGED, **carrying(b1=5, b2=1, b4=5, b5=6))
    assert ends(alike.heavier_behind) == 0
    assert slots(*boards, platform=BRIDGED).heavier_behind is None


def test_before_an_empty_bus_every_board_behind_is_too_heavy() -> None:
    found = slots((NIC, 1), platform=BRIDGED, **carrying(b1=1))
    assert (ends(found.heavier_behind), ends(found.free_slots_ahead)) == (1, 3)
