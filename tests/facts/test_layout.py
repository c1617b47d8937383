"""How volumes are laid out where nobody says so, and which busses have room for any board."""

from __future__ import annotations

import pytest

from sizewright.configuration.model import Extent, System, Volume
from sizewright.demand.usage import UsageProfile, VolumeUse
from sizewright.facts.derive import derive_facts
from sizewright.facts.volumes import volume_facts
from sizewright.guide.model import UNKNOWN
from sizewright.load.measured import Measured, derive_measured
from small import GUIDE, board, channel, disk, laid, system

ON_TWO = laid("data", {"a": 10, "b": 10})
PARTS_OF_ONE_DISK = Volume("data", ((Extent("a", 10), Extent("a", 20)),))


def layout(volume: Volume) -> str | None:
    machine = system(
        channels=(channel("builtin-1", disk("a"), disk("b"), disk("c")),), volumes=(volume,)
    )
    (facts,) = volume_facts(UsageProfile(), machine, GUIDE)
    return facts.layout


@pytest.mark.parametrize(
    ("volume", "expected"),
    [
        (laid("data", {"a": 10}), "single"),
        (laid("data", {"a": 10}, {"b": 10}), "single"),
        (ON_TWO, None),
        (laid("data", {"a": 10}, {"b": 5, "c": 5}), None),
        (PARTS_OF_ONE_DISK, None),
        (laid("data"), None),
        (ON_TWO._replace(layout="stripe"), "stripe"),
        (laid("data", {"a": 10})._replace(layout="concatenation"), "concatenation"),
    ],
)
def test_one_part_a_copy_has_nothing_to_join(volume: Volume, expected: str | None) -> None:
    assert layout(volume) == expected


def free(machine: System) -> tuple[str, ...] | None:
    load = derive_measured(Measured(), UsageProfile(), machine, GUIDE)
    return derive_facts(machine, load, GUIDE).system.free_slot_busses


def test_slots_for_memory_alone_are_not_free_for_any_board() -> None:
    server = system(platform="sparcserver-690mp", processors=2)
    full = [board(f"b{n}", "network-coprocessor", "vme", n) for n in range(8, 17)]
    assert free(server) == ("sbus", "vme")
    assert free(server._replace(boards=tuple(full[1:]))) == ("sbus", "vme")
    assert free(server._replace(boards=tuple(full))) == ("sbus",)
    assert free(server._replace(unstated=frozenset({"boards"}))) is None
    assert free(server._replace(platform=UNKNOWN)) is None


@pytest.mark.parametrize(
    ("use", "database", "has_database"),
    [("raw", "oracle", True), ("log", "oracle", False), ("raw", "", False),
     (None, "oracle", None), ("raw", None, None)],
)  # fmt: skip
def test_a_log_beside_another_log_is_not_beside_a_database(
    use: str | None, database: str | None, has_database: bool | None
) -> None:
    """1.2.4: what the log must be apart from is the database itself."""
    machine = system(
        channels=(channel("builtin-1", disk("a")),),
        volumes=(laid("log", {"a": 100}), laid("other", {"a": 100})),
    )
    uses = {
        "log": VolumeUse(use="log", database="oracle"),
        "other": VolumeUse(use=use, database=database),
    }
    found, _ = volume_facts(UsageProfile(volumes=uses), machine, GUIDE)
    assert found.shares_disk_with_database is has_database
