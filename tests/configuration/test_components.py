"""Systems without one of their parts."""

from __future__ import annotations

import pytest

from sizewright.configuration.model import (
    System,
    components,
    disconnected,
    lost_volumes,
    remove_component,
    removed_parts,
)
from small import board, channel, disk, laid, port, system, tape

WHOLE = system(
    boards=(
        board("scsi-1", "sbus-scsi", "sbus", 1), board("net-1", "sbus-ethernet", "sbus", 2),
        board("memory-1", "a-board", "vme", 1, table="memory-boards"),
    ),
    channels=(channel("builtin-1", disk("d1"), tape()), channel("scsi-1", disk("d2"), disk("d3"))),
    ports=(port("north", 1), port("north", 2)._replace(provider="net-1"), port("south")),
    volumes=(
        laid("mirror", {"d1": 50}, {"d2": 50}), laid("plain", {"d3": 70}),
        laid("wide", {"d1": 5, "d3": 5}), laid("three", {"d1": 1}, {"d2": 1}, {"d3": 1}),
    ),
)  # fmt: skip


def copies(left: System) -> dict[str, list[set[str]]]:
    return {v.name: [{part.disk for part in copy} for copy in v.copies] for v in left.volumes}


def test_disks_controllers_and_networks_are_parts() -> None:
    assert components(WHOLE) == {
        "d1": "disk", "d2": "disk", "d3": "disk", "builtin-1": "controller",
        "scsi-1": "controller", "north-1": "network", "north-2": "network", "net-1": "network",
        "south": "network",
    }  # fmt: skip


def test_a_disk_takes_its_parts_of_volumes_with_it() -> None:
    left = remove_component(WHOLE, "d3")
    assert copies(left) == {"mirror": [{"d1"}, {"d2"}], "three": [{"d1"}, {"d2"}]}
    assert lost_volumes(WHOLE, left) == ("plain", "wide")
    assert removed_parts(WHOLE, left) == ("d3",)
    assert left.boards == WHOLE.boards and left.ports == WHOLE.ports


def test_a_controller_takes_its_board_and_its_disks_with_it() -> None:
    left = remove_component(WHOLE, "scsi-1")
    assert removed_parts(WHOLE, left) == ("scsi-1", "d2", "d3")
    assert copies(left) == {"mirror": [{"d1"}], "three": [{"d1"}]}
    assert [b.id for b in left.boards] == ["net-1", "memory-1"]


def test_a_channel_of_the_machine_itself_goes_alone() -> None:
    left = remove_component(WHOLE, "builtin-1")
    assert removed_parts(WHOLE, left) == ("builtin-1", "d1", "tape-1")
    assert left.boards == WHOLE.boards


def test_a_disk_on_a_second_channel_stays() -> None:
    both = WHOLE._replace(channels=(*WHOLE.channels, channel("builtin-2", disk("d2"))))
    left = remove_component(both, "scsi-1")
    assert removed_parts(both, left) == ("scsi-1", "d3")
    assert copies(left)["mirror"] == [{"d1"}, {"d2"}]
    assert "d2" not in {d.id for d in remove_component(both, "d2").devices()}


@pytest.mark.parametrize(
    ("part", "left", "cut"),
    [
        ("north-1", ["north-2", "south"], ()), ("north-2", ["north-1", "south"], ()),
        ("net-1", ["north-1", "south"], ()), ("south", ["north-1", "north-2"], ("south",)),
    ],
)  # fmt: skip
def test_a_community_is_cut_off_with_its_last_network(
    part: str, left: list[str], cut: tuple[str, ...]
) -> None:
    after = remove_component(WHOLE, part)
    assert [p.id for p in after.ports] == left
    assert disconnected(WHOLE, after) == cut
    assert after.channels == WHOLE.channels and after.volumes == WHOLE.volumes


def test_a_volume_that_is_not_placed_stays_as_it_is() -> None:
    vague = WHOLE._replace(volumes=(laid("vague"),))
    assert remove_component(vague, "d1").volumes == vague.volumes


@pytest.mark.parametrize("name", ["memory-1", "tape-1", "d4", "primary", ""])
def test_nothing_else_is_a_part(name: str) -> None:
    with pytest.raises(KeyError):
        remove_component(WHOLE, name)
