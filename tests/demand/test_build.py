"""A whole workload as demand: networks, communities, volumes, and the worst moment."""

from __future__ import annotations

from typing import Any

import pytest

from sizewright.demand.model import Backup, Owned
from sizewright.demand.rates import LineItem, peak
from sizewright.demand.usage import active_processes, usage_of
from sizewright.errors import InputError
from small import demand, given, three, volume

TWO_NETWORKS = [{"name": "south"}, {"name": "north", "medium": "ethernet", "keep_medium": True}]


def test_lists_come_sorted_by_name() -> None:
    found = demand(
        {"name": "zeta"}, {"name": "alpha", "network": "south"},
        networks=TWO_NETWORKS, volumes=[volume("two"), volume("one")],
    )  # fmt: skip
    assert [s.service for s in found.streams] == ["alpha", "zeta"]
    assert [n.name for n in found.networks] == ["north", "south"]
    assert [v.name for v in found.volumes] == ["one", "two"]


def test_a_network_carries_its_services_and_says_what_is_wished_of_it() -> None:
    found = demand(
        {"name": "edit", "clients": 20}, {"name": "mail", "clients": 5,
         "load": {"ops_per_s_each": 4}},
        {"name": "lab", "network": "south"}, networks=TWO_NETWORKS,
    )  # fmt: skip
    north, south = found.networks
    assert [(item.name, item.figure.high) for item in north.ops] == [("edit", 20), ("mail", 20)]
    assert (north.medium, north.keep_medium, south.medium) == ("ethernet", True, "")
    assert (north.clients.high, south.clients.high, found.clients.high) == (25, 10, 35)


def test_a_network_without_services_is_attached_without_load() -> None:
    found = demand({}, networks=[{"name": "north"}, {"name": "spare"}])
    assert [(n.name, len(n.ops)) for n in found.networks] == [("north", 1), ("spare", 0)]


def test_clients_of_two_services_count_once() -> None:
    found = demand({"name": "edit", "clients": 80}, {"name": "paging", "same_clients_as": "edit"})
    assert found.clients.high == 80
    assert [s.clients.high for s in found.streams] == [80, 0]
    assert [s.ops.high for s in found.streams] == [80, 10]


def test_diskless_clients_count_where_any_of_their_services_pages() -> None:
    """1.1.9: the eighty stations page whatever else they do."""
    found = demand(
        {"name": "edit", "clients": 80},
        {"name": "paging", "clients": 80, "same_clients_as": "edit", "diskless": True},
        {"name": "others", "clients": 7},
    )
    assert (found.clients.high, found.diskless_clients.high) == (87, 80)
    assert found.networks[0].diskless_clients.high == 80


def test_a_volume_is_read_and_written_by_those_who_use_it() -> None:
    """All writes are on the volumes that may be written: 100 op/s × 15 %."""
    found = demand(
        {"name": "edit", "clients": 100, "uses": {"data": 3, "tools": 1}},
        {"name": "mail", "clients": 40, "uses": ["data"]},
        {"name": "others", "clients": 1000},
        volumes=[volume("data"), volume("tools", read_only=True), volume("unused")],
    )
    data, tools, unused = found.volumes
    assert [(i.name, i.figure.high) for i in data.writes] == [("edit", 15), ("mail", 6)]
    assert [(i.name, i.figure.high) for i in data.reads] == [("edit", 11.25), ("mail", 6)]
    assert tools.writes == ()
    assert [i.figure.high for i in tools.reads] == [3.75]
    assert (unused.reads, unused.writes) == ((), ())


def test_nothing_in_memory_leaves_all_reads_to_the_disks() -> None:
    (data,) = demand(
        {"clients": 100, "uses": ["data"]}, volumes=[volume("data", cached_mb=0)]
    ).volumes
    assert data.reads[0].figure.high == 15


def test_what_is_held_in_memory_is_not_read_from_disks() -> None:
    (data,) = demand(
        {"clients": 100, "uses": ["data"]}, volumes=[volume("data", cached_mb=[40, 50])]
    ).volumes
    assert data.reads == ()
    assert data.writes[0].figure.high == 15
    assert data.cached_mb is not None
    assert three(data.cached_mb) == (40, 45, 50)


def test_volumes_that_share_disks_are_one_pool_however_they_are_joined() -> None:
    found = demand(
        {},
        volumes=[
            volume("d", shares_disks_with="c"), volume("b", shares_disks_with="a"), volume("a"),
            volume("c", shares_disks_with="b"), volume("alone"),
        ],
    )  # fmt: skip
    assert {v.name: v.pool for v in found.volumes} == {
        "a": "a", "b": "a", "c": "a", "d": "a", "alone": "alone",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("backup", "flags"),
    [
        (None, (False, False, False)),
        ({"during_working_hours": False}, (True, False, False)),
        ({"during_working_hours": True}, (True, True, False)),
        ({"at_night_in_use": True}, (True, False, True)),
    ],
)
def test_when_backups_run(backup: dict[str, Any] | None, flags: tuple[bool, ...]) -> None:
    asked = demand({}, **({"backup": backup} if backup else {})).backup
    assert asked == Backup(*flags)


def test_wishes_are_kept() -> None:
    found = demand(
        {},
        wishes={
            "platforms": ["sparcserver-690mp", "sparcserver-670mp"],
            "removable_media": ["quarter-inch-tape"],
            "carry_forward": [{"device": "1-0gb-ipi", "count": 8}],
            "third_party_disks": True,
        },
        policy={"size_for": "likely"},
    )
    assert found.platforms == ("sparcserver-670mp", "sparcserver-690mp")
    assert found.removable_media == ("quarter-inch-tape",)
    assert found.carry_forward == (Owned("1-0gb-ipi", required=8),)
    assert found.third_party_disks and not demand({}).third_party_disks
    assert found.size_for == "likely"


def test_a_block_of_8_kb_is_carried_by_an_operation() -> None:
    """1.1.9: each read obtains 8 KB."""
    carried = demand({}).transfer_kb
    assert (three(carried), carried.unit) == ((8, 8, 8), "KB/op")


def item(name: str, low: float, high: float) -> LineItem:
    return LineItem(name, given(low, high, "op/s"))


def test_rivals_in_time_are_folded_into_the_larger_end_by_end() -> None:
    lines = (item("lab", 10, 90), item("mail", 1, 2), item("lecture", 30, 40))
    folded = peak(lines, (("lab", "lecture"),))
    assert [(i.name, i.figure.low, i.figure.high) for i in folded] == [
        ("lab or lecture", 30, 90), ("mail", 1, 2),
    ]  # fmt: skip


def test_without_rivals_every_line_stays() -> None:
    lines = (item("lab", 1, 2), item("mail", 1, 2))
    assert peak(lines, ()) == lines
    assert peak(lines, (("lab", "absent"),)) == lines


def test_sets_of_rivals_are_folded_one_by_one() -> None:
    lines = tuple(item(name, n, n) for n, name in enumerate("abcde", start=1))
    folded = peak(lines, (("a", "e"), ("b", "c", "d")))
    assert [(i.name, i.figure.high) for i in folded] == [("a or e", 5), ("b or c or d", 4)]


def test_courseware_or_lab_by_1_1_9() -> None:
    """707 or 20 operations beside 80 of paging are 787, not 807."""
    found = demand(
        {"name": "courseware", "load": {"ops_per_s_each": 70.7}},
        {"name": "lab", "load": {"ops_per_s_each": 2}},
        {"name": "paging", "load": {"ops_per_s_each": 8}},
        exclusive=[["lab", "courseware"]],
    )
    worst = found.at_peak(found.networks[0].ops)
    assert sum(i.figure.high for i in worst) == pytest.approx(787)


def test_all_names_that_a_service_has_wrong_are_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        demand({"load": {"activity": "286-pc-load-mail"}, "mix": "leagto"})
    assert [fault.what.split("'")[1] for fault in caught.value.faults] == [
        "286-pc-load-mail", "leagto",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("in_use", "ops", "segments", "window", "rate"),
    [
        (False, 5, 1, 0, 440), (True, 5, 1, 0, 226.4), (True, 10, 1, 0, 12.8), (True, 11, 1, 0, 1),
        (True, 5, 2, 0, 226.4), (True, 11, 2, 0, 205), (True, 10, 3, 0, 12.8),
        (True, 10, 3, 2, 226.4), (True, 10, 3, 1, 297.6), (True, 10, 2, 0.5, 226.4),
    ],
)  # fmt: skip
def test_a_backup_sends_what_other_data_leaves_of_a_network(
    in_use: bool, ops: float, segments: int, window: float, rate: float
) -> None:
    """Users see 440 KB/s of an Ethernet (Table 10); an operation moves 1.068 KB (2.5.1).

    If the clients may be divided, there are as many Ethernets as the window asks for, or as are not
    full: 886 MB take 1.1 hours at 226 KB/s.
    """
    backup = demand(
        {"clients": 40, "load": {"ops_per_s_each": ops}, "mix": "legato"},
        networks=[{"name": "north", "medium": "ethernet", "segments_at_most": segments}],
        volumes=[volume("files", 886)], wishes={"system_elsewhere": True},
        backup={"over": "north", "tapes_at_most": 2, "at_night_in_use": in_use}
        | ({"window": window} if window else {}),
    ).backup  # fmt: skip
    assert backup.over_kb_per_s is not None
    assert backup.over_kb_per_s.low == pytest.approx(rate, abs=0.5)


@pytest.mark.parametrize(
    ("stated", "lookups", "access"),
    [
        # A scan of 400 MB in 600 s reads 341 blocks of 2 KB a second.
        ("random", 5, "serial"), ("serial", 5, "serial"),
        ("random", 400, "random"), ("serial", 400, "random"),
        ("random", 0, "serial"),
    ],
)  # fmt: skip
def test_a_volume_is_read_as_most_of_its_work_is(stated: str, lookups: int, access: str) -> None:
    scan = {"name": "scan", "volume": "rows", "mb": 400, "within_s": 600, "runs_at_once": 1,
            "access": "serial", "block_kb": 2}  # fmt: skip
    look = {"name": "look", "volume": "rows", "ops_per_s": lookups, "access": "random",
            "block_kb": 2}  # fmt: skip
    service = {"kind": "database", "name": "db", "product": "sybase", "clients": 5,
               "work": [scan, *([look] if lookups else [])]}  # fmt: skip
    rows = {"name": "rows", "size_mb": 1000, "access": stated, "use": "raw"}
    (found,) = demand(services=[service], volumes=[rows]).volumes
    assert found.access == access


def test_files_that_a_database_only_reads_are_no_data_of_it_in_file_systems() -> None:
    """Rule XV is about synchronous writes of a database through the file system."""
    volumes = [volume("rows", use="raw"), volume("programs", read_only=True)]
    work = [
        {"name": "look", "volume": "rows", "ops_per_s": 2},
        {"name": "load", "volume": "programs", "ops_per_s": 1, "layer": "file_system"},
    ]
    service = {"kind": "database", "name": "db", "product": "oracle", "clients": 5, "work": work}
    found = demand(services=[service], volumes=volumes)
    assert usage_of(found).database_on_file_system is False
    del volumes[1]["read_only"]
    assert usage_of(demand(services=[service], volumes=volumes)).database_on_file_system is True


@pytest.mark.parametrize(("clients", "most"), [(2, 2), (5, 5), (40, 9)])
def test_no_more_processes_of_a_back_end_are_active_than_clients(clients: int, most: int) -> None:
    """Rule II: back ends start fewer than ten."""
    services = [
        {"kind": "database", "name": name, "product": "sybase", "clients": part}
        for name, part in (("one", clients // 2), ("other", clients - clients // 2))
    ]
    (line,) = active_processes(demand(services=services))
    assert line.figure.high == most


@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [
        ({"kind": "measured", "user_processors": [0.5, 1.2]}, 1, 2),
        ({"kind": "measured", "memory_mb": 4, "takes_all_processors": True}, 1, 1),
        ({"kind": "timesharing", "sessions": 3, "private_mb": 1, "user_processors": 0.4}, 3, 3),
        (
            {"kind": "print", "spool": "homes", "printers": [
                {"name": "colour", "attached": "scsi", "rasterising": True, "raster_mb": 9,
                 "raster_processors": 0.7}
            ]},
            1, 1,
        ),
    ],
)  # fmt: skip
def test_programs_are_as_many_as_the_processors_that_they_keep_busy(
    kind: dict[str, Any], least: int, most: int
) -> None:
    """Rule II counts every active process, not only those of NFS and databases."""
    (line,) = active_processes(
        demand(services=[{"name": "own", **kind}], volumes=[volume("homes")])
    )
    assert (line.figure.low, line.figure.high) == (least, most)


def test_services_without_programs_of_their_own_have_no_processes() -> None:
    assert (
        active_processes(demand(services=[{"kind": "measured", "name": "m", "memory_mb": 4}])) == ()
    )
