"""Operations and megabytes on disks, channels and busses, reckoned by hand."""

from __future__ import annotations

import pytest

from sizewright.demand.model import Demand
from sizewright.demand.rates import Known, Lines
from sizewright.demand.usage import UsageProfile, usage_of
from sizewright.guide.loader import load_guide
from sizewright.load.derive import derive_load, memory_lines
from sizewright.load.model import Asked, DiskLimits
from sizewright.load.storage import (
    Stored,
    asked_of,
    bus_lines,
    disk_limits,
    operations_of,
    stored_lines,
)
from sizewright.quantity import Quantity, leaves
from small import (
    GUIDE,
    board,
    channel,
    demand,
    disk,
    given,
    laid,
    port,
    row,
    system,
    tape,
    three,
    volume,
)

EDIT = {"clients": 100, "uses": ["data"], "mix": {"reads_percent": 20, "writes_percent": 8}}


def told(figure: Quantity) -> set[str]:
    """Every name on the way to a figure."""
    return {figure.name or ""}.union(*(told(part) for part in figure.args))


def rates(lines: Known) -> dict[str, float]:
    assert lines is not None
    return {item.name: item.figure.high for item in lines}


def asked_of_disk(wanted: Demand, stored: list[Stored]) -> Lines:
    return operations_of(asked_of(wanted, stored), wanted.exclusive)


def test_reads_spread_over_both_halves_of_a_mirror_and_writes_go_to_each() -> None:
    """2.11.1: 20 reads are 10 on each half, 8 writes are 8 on each."""
    wanted = demand(EDIT, volumes=[volume("data", protection="mirror")])
    found = system(
        channels=(channel("builtin-1", disk("a"), disk("b")),),
        volumes=(laid("data", {"a": 100}, {"b": 100}),),
    )
    lines = derive_load(wanted, found, GUIDE).disks
    for name in ("a", "b"):
        assert sum(rates(lines[name]).values()) == 18


def test_a_mirror_of_three_disks_a_half_spreads_both() -> None:
    """20 reads over six disks; 8 writes twice over six disks."""
    wanted = demand(EDIT, volumes=[volume("data", protection="mirror")])
    (line,) = asked_of_disk(wanted, [Stored(wanted.volumes[0], 6, 2)])
    assert line.figure.high == pytest.approx(20 / 6 + 16 / 6)


def test_a_plain_volume_spreads_over_its_disks() -> None:
    wanted = demand(EDIT, volumes=[volume("data")])
    for disks, each in ((2, 14), (1, 28)):
        (line,) = asked_of_disk(wanted, [Stored(wanted.volumes[0], disks, 1)])
        assert line.figure.high == each


def test_a_range_stays_a_range_on_the_disks() -> None:
    wanted = demand({**EDIT, "clients": [50, 100]}, volumes=[volume("data")])
    (line,) = asked_of_disk(wanted, [Stored(wanted.volumes[0], 2, 1)])
    assert three(line.figure) == (7, 10.5, 14)


def test_a_volume_that_nobody_uses_asks_nothing_of_its_disk() -> None:
    wanted = demand({}, volumes=[volume("data")])
    found = system(channels=(channel("builtin-1", disk("a")),), volumes=(laid("data", {"a": 100}),))
    load = derive_load(wanted, found, GUIDE)
    assert load.disks == {"a": ()}
    assert rates(load.stored["a"]) == {"data": 100}
    assert load.channels["builtin-1"] == ()


def test_rivals_in_time_ask_of_a_disk_what_the_busier_asks() -> None:
    services = [{**EDIT, "name": "lab"}, {**EDIT, "name": "talk", "clients": 50}]
    wanted = demand(*services, volumes=[volume("data")], exclusive=[["lab", "talk"]])
    (line,) = asked_of_disk(wanted, [Stored(wanted.volumes[0], 1, 1)])
    assert (line.name, line.figure.high) == ("lab or talk", 28)


def test_rivals_in_time_on_two_volumes_of_one_disk_ask_what_the_busier_asks() -> None:
    services = [
        {**EDIT, "name": "lab"}, {**EDIT, "name": "talk", "clients": 50, "uses": ["slides"]},
    ]  # fmt: skip
    volumes = [volume("data"), volume("slides", shares_disks_with="data")]
    wanted = demand(*services, volumes=volumes, exclusive=[["lab", "talk"]])
    found = system(
        channels=(channel("builtin-1", disk("a")),),
        volumes=(laid("data", {"a": 100}), laid("slides", {"a": 100})),
    )
    load = derive_load(wanted, found, GUIDE)
    assert sum(rates(load.disks["a"]).values()) == pytest.approx(28)


def test_disks_of_two_models_with_one_volume_have_limits_of_their_own() -> None:
    """Table 8: 50 operations a second at 65 % of a 424 MB disk, 60 of a 1.3 GB disk."""
    found = system(
        channels=(channel("builtin-1", disk("a"), disk("b", "1-3gb-scsi"), disk("c")),),
        volumes=(laid("data", {"a": 50, "b": 50, "c": 50}),),
    )
    load = derive_load(demand(EDIT, volumes=[volume("data")]), found, GUIDE)
    sustained = {name: each.sustained_ops for name, each in load.limits.items()}
    assert {name: rate and rate.high for name, rate in sustained.items()} == {
        "a": 50, "b": 60, "c": 50,
    }  # fmt: skip
    assert load.limits["a"] is load.limits["c"]
    (one, other, _) = load.active["builtin-1"].lines or ()
    assert one.figure.high == pytest.approx(28 / 3 / 50)
    assert other.figure.high == pytest.approx(28 / 3 / 60)


def limits(model: str, access: str, *asked: Asked) -> DiskLimits:
    return disk_limits(row("disks", model), access, asked, demand({}).transfer_kb, GUIDE)


def asked(rate: float, kb: float, layer: str = "file_system", operation: str = "read") -> Asked:
    return Asked("service", given(rate, unit="op/s"), given(kb, unit="KB/op"), layer, operation)


def ends(figure: Quantity | None) -> tuple[float, float]:
    assert figure is not None
    return figure.low, figure.high


def test_a_random_disk_is_held_to_its_printed_rates() -> None:
    """Table 8: 78 operations at most and 50 at 65 % for the 424 MB disk."""
    found = limits("424mb-scsi", "random")
    assert (ends(found.maximum_ops), ends(found.sustained_ops)) == ((78, 78), (50, 50))


@pytest.mark.parametrize("more", [(), (asked(30, 8),), (asked(30, 8), asked(10, 128))])
def test_a_random_disk_transfers_at_most_what_its_media_do(more: tuple[Asked, ...]) -> None:
    """Table 8: 2.2 to 3.0 MB/s of the 424 MB disk. Its operations are limited by their number."""
    found = limits("424mb-scsi", "random", *more)
    assert ends(found.maximum_kb) == (pytest.approx(2252.8), pytest.approx(3072))
    assert found.sustained_kb is None


def test_a_rate_of_operations_is_no_rate_of_transfers() -> None:
    """A Fireball reads 66 small files a second (5), and its media 14 MB/s (3)."""
    guide = load_guide("solaris-x86-1998")
    disk = guide.row("disks", "fireball-st-6-4gb-ide")
    found = disk_limits(disk, "random", None, None, guide)
    assert ends(found.maximum_ops) == (66, 66)
    assert ends(found.maximum_kb) == (14 * 1024, 14 * 1024)


def test_a_serial_disk_is_held_to_its_transfer_speed() -> None:
    """Table 8: 2.2 to 3.0 MB/s of the 424 MB disk are 2252.8 to 3072 KB/s; 65 % is sustained."""
    found = limits("424mb-scsi", "serial", asked(60, 56))
    assert ends(found.maximum_kb) == (pytest.approx(2252.8), pytest.approx(3072))
    assert ends(found.sustained_kb) == (pytest.approx(0.65 * 2252.8), pytest.approx(0.65 * 3072))


def test_a_serial_disk_is_held_to_what_was_measured_on_its_layer() -> None:
    """Table 7: 259 writes of 8 KB through the file system, 2072 KB/s of 3072 to 4608."""
    found = limits("1-3gb-scsi", "serial", asked(100, 8, operation="write"))
    assert ends(found.maximum_kb) == (pytest.approx(2072), pytest.approx(2072))


def test_operations_of_two_sizes_take_the_mean_of_their_times() -> None:
    """424 MB: 12.7 ms for 8 KB, and 120 KB at 2252.8 KB/s more for 128 KB."""
    found = limits("424mb-scsi", "random", asked(30, 8), asked(10, 128))
    large = 12.7 + 120 / 2.2528
    assert ends(found.maximum_ops)[0] == pytest.approx(78 * 12.7 / (0.75 * 12.7 + 0.25 * large))


def test_services_that_exclude_each_other_leave_the_lesser_of_their_rates() -> None:
    """By day 8 KB at 50 a second sustained, by night 128 KB: 50 × 12.7 ÷ (12.7 + 53.27)."""
    night = asked(5, 128)._replace(service="night")
    day = asked(30, 8)._replace(service="day")
    transfer, disk_row = demand({}).transfer_kb, row("disks", "424mb-scsi")
    found = disk_limits(disk_row, "random", (day, night), transfer, GUIDE, (("day", "night"),))
    assert ends(found.sustained_ops)[0] == pytest.approx(50 * 12.7 / (12.7 + 120 / 2.2528))


def test_a_disk_without_printed_rates_has_no_limits() -> None:
    assert limits("327mb-scsi", "serial") == DiskLimits()
    assert limits("327mb-scsi", "random") == DiskLimits()
    transfer = demand({}).transfer_kb
    assert disk_limits(row("disks", "424mb-scsi"), None, (), transfer, GUIDE) == DiskLimits()


def test_a_volume_over_three_disks_is_stored_in_parts() -> None:
    wanted = demand({}, volumes=[volume("data", [3000, 3100])])
    found = system(
        channels=(channel("builtin-1", disk("a"), disk("b"), disk("c")),),
        volumes=(laid("data", {"a": 1240, "b": 1240, "c": 620}),),
    )
    lines = stored_lines({v.name: v.size_mb for v in wanted.volumes}, found)
    assert {name: rates(items)["data"] for name, items in lines.items()} == {
        "a": pytest.approx(1240), "b": pytest.approx(1240), "c": pytest.approx(620),
    }  # fmt: skip
    assert lines["a"][0].figure.low == pytest.approx(1200)


def test_a_volume_that_the_workload_does_not_know_is_stored_as_laid_out() -> None:
    found = system(channels=(channel("builtin-1", disk("a")),), volumes=(laid("old", {"a": 70}),))
    assert rates(stored_lines({}, found)["a"]) == {"old": 70}


def test_a_channel_carries_8_kb_for_each_operation_of_its_disks() -> None:
    """28 operations of 8 KB are 224 KB a second."""
    wanted = demand(EDIT, volumes=[volume("data")])
    found = system(
        channels=(channel("builtin-1", disk("a"), tape()), channel("scsi-1", disk("b"))),
        volumes=(laid("data", {"a": 50}, manager=""),),
    )
    lines = derive_load(wanted, found, GUIDE).channels
    assert rates(lines["builtin-1"]) == {"a": 224}
    assert lines["scsi-1"] == ()


@pytest.mark.parametrize(
    ("backup", "counted"),
    [
        (None, False),
        ({"during_working_hours": False}, False),
        ({"at_night_in_use": True}, True),
        ({"during_working_hours": True}, True),
    ],
)
def test_a_backup_device_asks_of_its_channel_while_the_server_works(
    backup: dict[str, bool] | None, counted: bool
) -> None:
    wanted = demand({}, **({"backup": backup} if backup else {}))
    found = system(channels=(channel("builtin-1", tape()),))
    rate = row("removable-media", "8mm-helical-scan-tape").require("transfer_kb_per_s").high
    expected = {"tape-1": rate} if counted else {}
    assert rates(derive_load(wanted, found, GUIDE).channels["builtin-1"]) == expected


def test_boards_ask_of_their_bus_what_they_typically_need() -> None:
    """Tables 5 and 6: 0.9 MB/s for a coprocessor, 2.5 for an Sbus SCSI adapter."""
    found = system(
        boards=(
            board("nc-1", "network-coprocessor", "vme", 8),
            board("nc-2", "network-coprocessor", "vme", 9),
            board("scsi-1", "sbus-scsi", "sbus", 1),
            board("m", "sparcserver-600mp-memory-board", "vme", 1, 2, table="memory-boards"),
        )
    )
    vme = {"nc-1": 0.9, "nc-2": 0.9}
    # An adapter without channels transfers nothing, unless its channels are not stated.
    for unstated, asked in ((frozenset({"channels"}), 2.5), (frozenset[str](), 0)):
        lines = bus_lines(found._replace(unstated=unstated), GUIDE, {})
        assert {bus: rates(items) for bus, items in lines.items()} == {
            "sbus": {"scsi-1": asked}, "vme": vme,
        }  # fmt: skip


def test_a_board_without_a_typical_demand_asks_for_its_greatest() -> None:
    blank = row("boards", "mvx")
    assert blank.cell("typical_bandwidth_mb_per_s") is None
    lines = bus_lines(system(boards=(board("mvx-1", "mvx", "vme", 3),)), GUIDE, {})
    assert rates(lines["vme"]) == {"mvx-1": 0}


def test_segments_share_a_community_evenly() -> None:
    """1.1.9: 787 operations over four networks."""
    wanted = demand({"clients": 787}, networks=[{"name": "north", "segments_at_most": 4}])
    found = system(ports=tuple(port("north", n) for n in (1, 2, 3, 4)))
    lines = derive_load(wanted, found, GUIDE).networks
    assert {name: rates(items)["service-0"] for name, items in lines.items()} == {
        f"north-{n}": 196.75 for n in (1, 2, 3, 4)
    }


def test_one_network_carries_its_community_whole() -> None:
    found = system(ports=(port("north"), port("idle")))
    lines = derive_load(demand({"clients": 170}), found, GUIDE).networks
    assert rates(lines["north"]) == {"service-0": 170}
    assert lines["idle"] == ()


def test_memory_for_the_system_and_for_what_is_held() -> None:
    """1.1.5: 8 to 12 MB of working space, and what is read often; 1.1.9: 50 MB of a day."""
    wanted = demand({}, volumes=[volume("data", cached_mb=50), volume("other")])
    lines = memory_lines(usage_of(wanted), "solaris-1.0.1", GUIDE)
    assert [(item.name, three(item.figure)) for item in lines] == [
        ("operating system", (8, 10, 12)), ("data kept in memory", (50, 50, 50)),
    ]  # fmt: skip


def test_an_operating_system_without_a_printed_working_space_adds_no_line() -> None:
    usage = UsageProfile(services=("nfs",), cached=())
    assert memory_lines(usage, "solaris-2.0", GUIDE) == ()


def test_two_segments_share_a_community_evenly() -> None:
    wanted = demand({"clients": 90}, networks=[{"name": "north", "segments_at_most": 2}])
    found = system(ports=(port("north", 1), port("north", 2)))
    lines = derive_load(wanted, found, GUIDE).networks
    assert {name: rates(items)["service-0"] for name, items in lines.items()} == {
        "north-1": 45, "north-2": 45,
    }  # fmt: skip
    assert "networks of north" in told(lines["north-1"][0].figure)


def test_a_community_that_is_not_split_is_not_divided() -> None:
    found = system(ports=(port("north"),))
    (line,) = derive_load(demand({"clients": 90}), found, GUIDE).networks["north"]
    assert "networks of north" not in told(line.figure)


def test_a_volume_that_the_workload_does_not_know_is_skipped_not_the_last() -> None:
    """28 operations go to `data`, however many volumes of others stand before it."""
    wanted = demand(EDIT, volumes=[volume("data")])
    found = system(
        channels=(channel("builtin-1", disk("a")),),
        volumes=(laid("old", {"a": 70}), laid("data", {"a": 100})),
    )
    assert sum(rates(derive_load(wanted, found, GUIDE).disks["a"]).values()) == 28


def test_operations_on_a_disk_say_how_they_were_spread() -> None:
    wanted = demand(EDIT, volumes=[volume("data", protection="mirror")])
    (line,) = asked_of_disk(wanted, [Stored(wanted.volumes[0], 6, 2)])
    assert {"data reads", "data writes", "copies", "disks of data"} <= told(line.figure)
    (line,) = asked_of_disk(wanted, [Stored(wanted.volumes[0], 1, 1)])
    assert not {"copies", "disks of data"} & told(line.figure)


def test_megabytes_as_laid_out_say_so() -> None:
    found = system(channels=(channel("builtin-1", disk("a")),), volumes=(laid("old", {"a": 70}),))
    (line,) = stored_lines({}, found)["a"]
    assert (line.figure.name, line.figure.unit) == ("MB as laid out", "MB")


def test_a_part_of_a_volume_is_its_size_times_its_share_of_the_layout() -> None:
    found = system(
        channels=(channel("builtin-1", disk("a"), disk("b")),),
        volumes=(laid("data", {"a": 1, "b": 3}), laid("none", {"a": 0}), laid("one", {"a": 1})),
    )
    sizes = {name: given(8, unit="MB") for name in ("data", "none", "one")}
    lines = stored_lines(sizes, found)
    assert rates(lines["a"]) == {"data": 2, "none": 8, "one": 8}
    assert rates(lines["b"]) == {"data": 6}
    share = next(leaf for leaf in leaves(lines["a"][0].figure) if leaf.unit == "1")
    assert (share.name, share.high) == ("part of the volume laid out here", 0.25)
    assert share.source == ("count", "layout", "", "")
    half = system(
        channels=(channel("builtin-1", disk("a"), disk("b")),),
        volumes=(laid("data", {"a": 0.5, "b": 0.5}),),
    )
    assert rates(stored_lines(sizes, half)["a"]) == {"data": 4}


def test_boards_after_one_of_another_table_count() -> None:
    found = system(
        boards=(
            board("m", "sparcserver-600mp-memory-board", "vme", 1, 2, table="memory-boards"),
            board("nc-1", "network-coprocessor", "vme", 8),
        )
    )
    assert rates(bus_lines(found, GUIDE, {})["vme"]) == {"nc-1": 0.9}
