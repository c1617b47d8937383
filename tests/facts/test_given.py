"""What rules see of a hand-built system."""

from __future__ import annotations

from typing import Any

import pytest

from sizewright.facts.derive import Facts, derive_facts
from sizewright.facts.records import RECORDS, blank, facts_of
from sizewright.load.derive import derive_load
from sizewright.quantity import Quantity, leaves
from small import GUIDE, board, channel, demand, disk, laid, port, system, tape, three, volume

EDIT = {"clients": 100, "uses": ["data"]}
MIRROR = [volume("data", protection="mirror")]
PLAIN = [volume("data", protection="none")]


def facts(wanted: Any, **changes: Any) -> Facts:
    found = system(**changes)
    return derive_facts(found, derive_load(wanted, found, GUIDE), GUIDE)


def high(figure: Any) -> float:
    assert isinstance(figure, Quantity)
    return figure.high


def test_the_platform_speaks_for_the_system() -> None:
    """1.1.6: one processor of the one it is sold with, under one lock."""
    found = facts(demand({})).system
    assert (found.id, found.platform, found.desktop) == ("primary", "sparcstation-2", True)
    assert (high(found.processors), high(found.fewest_processors)) == (1, 1)
    assert high(found.kernel_locks) == 1
    assert high(found.onboard_memory_limit_mb) == 64


def test_a_multiprocessor_is_no_desktop_and_is_sold_with_two() -> None:
    found = facts(demand({}), platform="sparcserver-690mp", processors=4).system
    assert (found.desktop, high(found.processors), high(found.fewest_processors)) == (False, 4, 2)


def test_another_operating_system_has_many_locks() -> None:
    assert high(facts(demand({}), operating_system="solaris-2.0").system.kernel_locks) == 130


def test_the_load_is_counted_as_it_comes_and_in_the_reference_mix() -> None:
    found = facts(demand({"clients": 145, "mix": "brown"}, {"clients": 100})).system
    assert high(found.nfs_ops_per_s) == 245
    assert high(found.nfs_weighted_ops_per_s) == pytest.approx(145 / 1.75 + 100)
    assert (high(found.clients), high(found.diskless_clients)) == (245, 0)


def test_the_share_of_writes_is_that_of_the_mix() -> None:
    """2.12: about 15 % of the Legato mix; a range of clients makes no range of it."""
    found = facts(demand({"clients": [50, 100]})).system
    assert isinstance(found.nfs_write_share, Quantity)
    assert three(found.nfs_write_share) == (0.15, 0.15, 0.15)


def test_without_operations_the_share_of_writes_is_unknown() -> None:
    assert facts(demand({"clients": 0})).system.nfs_write_share is None


def test_the_share_of_writes_of_rivals_is_that_of_one_of_them() -> None:
    """Either 100 operations without a write or 50 that are all writes."""
    found = facts(
        demand(
            {"name": "lab", "clients": 100, "mix": {"reads_percent": 100, "writes_percent": 0}},
            {"name": "log", "clients": 50, "mix": {"reads_percent": 0, "writes_percent": 100}},
            exclusive=[["lab", "log"]],
        )
    ).system
    assert isinstance(found.nfs_write_share, Quantity)
    assert (found.nfs_write_share.low, found.nfs_write_share.high) == (0, 1)


def test_the_share_of_writes_of_two_services_spans_what_it_can_be() -> None:
    """1 to 10 clients that only write beside 1 to 10 that only read: 1/11 to 10/11."""
    found = facts(
        demand(
            {"clients": [1, 10], "mix": {"reads_percent": 100, "writes_percent": 0}},
            {"clients": [1, 10], "mix": {"reads_percent": 0, "writes_percent": 100}},
        )
    ).system
    assert isinstance(found.nfs_write_share, Quantity)
    assert found.nfs_write_share.low == pytest.approx(1 / 11)
    assert found.nfs_write_share.high == pytest.approx(10 / 11)


def test_shares_of_lock_and_processors_by_table_1() -> None:
    """270 of 540 operations take half of the lock and a quarter of two processors."""
    ports = (port("north"), port("south"))
    found = facts(
        demand({"clients": 270}), platform="sparcserver-630mp", processors=2, ports=ports
    ).system
    assert high(found.kernel_lock_share) == pytest.approx(0.5)
    assert high(found.processor_share) == pytest.approx(0.25)
    assert (high(found.networks), high(found.required_networks)) == (2, 2)
    assert (high(found.nfs_maximum_ops_per_s), high(found.nfs_sustained_ops_per_s)) == (540, 440)


def test_a_platform_outside_table_1_has_unknown_shares() -> None:
    found = facts(demand({}), platform="sun-4-260").system
    assert found.kernel_lock_share is None
    assert found.processor_share is None
    assert found.nfs_maximum_ops_per_s is None
    assert found.required_networks is None


@pytest.mark.parametrize(("memory", "beyond"), [(32, 0), (64, 0), (96, 32), (128, 64)])
def test_memory_beyond_the_board_is_on_expansion_boards(memory: float, beyond: float) -> None:
    found = facts(demand({}), memory_mb=memory).system
    assert (high(found.memory_mb), high(found.expansion_memory_mb)) == (memory, beyond)


def test_software_and_accelerator_are_known_by_what_they_do() -> None:
    bare = facts(demand({})).system
    assert (bare.volume_manager, bare.online_backup, bare.write_gathering) == (False,) * 3
    assert (bare.nvram_accelerator, bare.nvram_bus, bare.protocol_offload) == (False, "", False)
    full = facts(
        demand({}), software=("online-disksuite", "online-backupcopilot", "enfs"),
        accelerator="sbus-prestoserve", ports=(port("north", 0, "network-coprocessor"),),
    ).system  # fmt: skip
    assert (full.volume_manager, full.online_backup, full.write_gathering) == (True,) * 3
    assert (full.nvram_accelerator, full.nvram_bus, full.protocol_offload) == (True, "sbus", True)


def test_a_backup_device_is_one_that_is_fit_for_backups() -> None:
    reader = disk("cd")._replace(kind="cd_rom", table="removable-media", model="cd-rom")
    assert not facts(demand({}), channels=(channel("builtin-1", reader),)).system.backup_device
    assert facts(demand({}), channels=(channel("builtin-1", tape()),)).system.backup_device


@pytest.mark.parametrize(
    ("model", "purpose", "expected"),
    [
        ("half-inch-tape", "backup", True),
        ("half-inch-tape", "interchange", False),
        ("8mm-helical-scan-tape", "interchange", False),
    ],
)
def test_a_drive_is_for_backups_if_its_purpose_says_so(
    model: str, purpose: str, expected: bool
) -> None:
    """1.1.7 asks for a device of which VIII and the bus time know that backups go to it."""
    drive = tape(model=model)._replace(purpose=purpose)
    known = facts(demand({}, backup={"during_working_hours": True}), channels=(
        channel("builtin-1", drive),
    ))  # fmt: skip
    assert known.system.backup_device is expected
    assert known.channels[0].backup_while_in_use is expected


@pytest.mark.parametrize(
    ("backup", "wanted", "in_use"),
    [
        (None, False, False),
        ({"during_working_hours": False}, True, False),
        ({"during_working_hours": True}, True, True),
        ({"at_night_in_use": True}, True, True),
    ],
)
def test_backups_while_in_use_by_day_or_night(
    backup: dict[str, bool] | None, wanted: bool, in_use: bool
) -> None:
    found = facts(demand({}, **({"backup": backup} if backup else {}))).system
    assert (found.backup_wanted, found.backup_while_in_use) == (wanted, in_use)


def test_busses_of_disk_adapters() -> None:
    boards = (board("isp-1", "isp-80", "vme", 8), board("scsi-1", "sbus-scsi", "sbus", 1))
    drive = disk("d", "1-3gb-ipi")
    found = facts(
        demand({}), platform="sparcserver-690mp", processors=2, boards=boards,
        channels=(
            channel("builtin-1", tape()), channel("isp-1", drive, kind="ipi-2"),
            channel("scsi-1", disk("e")),
        ),
    ).system  # fmt: skip
    assert found.disk_adapter_busses == ("sbus", "vme")


def test_a_network_and_its_interface_by_table_2() -> None:
    wanted = demand(
        {"clients": 80, "diskless": True},
        networks=[{"name": "north", "segments_at_most": 4, "fastest_response": True}],
    )
    ports = tuple(port("north", n, "network-coprocessor") for n in (1, 2, 3, 4))
    one = facts(wanted, ports=ports).networks[0]
    assert (one.id, one.medium, one.interface_kind) == (
        "north-1", "ethernet", "protocol_offload_nic",
    )  # fmt: skip
    assert (high(one.clients), high(one.diskless_clients), high(one.nfs_ops_per_s)) == (20, 20, 20)
    assert (high(one.interface_ops_per_s), one.capacity_ops_per_s) == (290, None)
    assert (one.latency_ms.likely, one.least_latency_ms.likely) == (23, 23)
    assert (one.fastest_response, one.keep_medium) == (True, False)


def test_the_least_latency_is_that_of_the_medium_where_one_is_named() -> None:
    wanted = demand({}, networks=[{"name": "north", "medium": "token-ring-4mb"}])
    found = facts(wanted, ports=(port("north", 0, "token-ring-4mb"),)).networks[0]
    assert (found.latency_ms.likely, found.least_latency_ms.likely) == (29, 29)


def test_an_interface_that_table_2_leaves_blank_passes_what_fits_into_table_10() -> None:
    """900 (or 1024) KB/s at the 1.07 KB of an operation of the mix of Table 2."""
    found = facts(demand({}), ports=(port("north", 0, "fddi-s"),)).networks[0]
    assert isinstance(found.interface_ops_per_s, Quantity)
    each = 0.35 * 10e6 / 8 / 1024 / 400
    assert found.interface_ops_per_s.low == pytest.approx(900 / each)
    assert found.interface_ops_per_s.high == pytest.approx(1024 / each)
    statuses = {leaf.source.status for leaf in leaves(found.interface_ops_per_s) if leaf.source}
    assert "inferred" in statuses
    assert found.latency_ms is None


def test_a_channel_counts_its_hot_disks_by_access() -> None:
    volumes = [
        volume("hot"), volume("slow", access="serial"), volume("cold", activity="cold"),
        volume("held", cached_mb=10),
    ]  # fmt: skip
    devices = (disk("a"), disk("b"), disk("c"), disk("d"), tape())
    found = facts(
        demand({}, volumes=volumes),
        channels=(channel("builtin-1", *devices),),
        volumes=(
            laid("hot", {"a": 100}), laid("slow", {"b": 100}), laid("cold", {"c": 100}),
            laid("held", {"d": 100}),
        ),
    ).channels[0]  # fmt: skip
    assert (found.kind, found.family) == ("scsi-synchronous", "scsi")
    assert (high(found.devices), high(found.device_limit)) == (5, 7)
    assert (high(found.random_disks), high(found.serial_disks)) == (1, 1)
    assert isinstance(found.rate_kb_per_s, Quantity)
    assert three(found.rate_kb_per_s) == pytest.approx((4.1 * 1024, 4.55 * 1024, 5 * 1024))


def test_a_disk_with_serial_and_random_hot_data_is_random() -> None:
    volumes = [volume("a", access="serial"), volume("b", shares_disks_with="a")]
    laid_out = (laid("a", {"d": 100}), laid("b", {"d": 100}))
    found = facts(
        demand({}, volumes=volumes), channels=(channel("builtin-1", disk("d")),), volumes=laid_out
    )
    assert found.disks[0].access == "random"
    assert high(found.channels[0].random_disks) == 1


def test_cold_data_beside_hot_do_not_change_how_a_disk_is_read() -> None:
    volumes = [volume("a", access="serial"), volume("b", activity="cold", shares_disks_with="a")]
    laid_out = (laid("a", {"d": 100}), laid("b", {"d": 100}))
    found = facts(
        demand({}, volumes=volumes), channels=(channel("builtin-1", disk("d")),), volumes=laid_out
    )
    assert found.disks[0].access == "serial"


@pytest.mark.parametrize(("beside", "access"), [("root", "serial"), ("file_system", "random")])
def test_a_disk_is_read_like_its_data_not_like_the_operating_system(
    beside: str, access: str
) -> None:
    volumes = [
        volume("a", access="serial", activity="cold"), volume("b", activity="cold", use=beside),
    ]  # fmt: skip
    laid_out = (laid("a", {"d": 100}), laid("b", {"d": 100}))
    found = facts(
        demand({}, volumes=volumes),
        channels=(channel("builtin-1", disk("d"), disk("e")),),
        volumes=(*laid_out, laid("c", {"e": 100})),
    )
    assert found.disks[0].access == access


@pytest.mark.parametrize(
    ("during", "in_use"), [(True, True), (False, False)], ids=["by day", "not by day"]
)
def test_a_backup_device_disturbs_its_channel_by_day(during: bool, in_use: bool) -> None:
    wanted = demand({}, backup={"during_working_hours": during})
    channels = (channel("builtin-1", tape()), channel("scsi-1", disk("a")))
    found = facts(wanted, channels=channels).channels
    assert [c.backup_while_in_use for c in found] == [in_use, False]


@pytest.mark.parametrize(
    ("second", "channel_shared", "disk_shared"),
    [("b", True, False), ("c", False, False), ("a", True, True)],
)
def test_halves_of_a_mirror_may_share_a_channel_or_a_disk(
    second: str, channel_shared: bool, disk_shared: bool
) -> None:
    found = facts(
        demand(EDIT, volumes=MIRROR),
        channels=(channel("builtin-1", disk("a"), disk("b")), channel("scsi-1", disk("c"))),
        volumes=(laid("data", {"a": 100}, {second: 100}),),
    ).volumes[0]
    assert (found.protection, high(found.copies)) == ("mirror", 2)
    assert (found.copies_share_channel, found.copies_share_disk) == (channel_shared, disk_shared)


def test_slots_taken_and_slots_there_are() -> None:
    """2.3.2, 1.1.8: three Sbus slots of the desktop."""
    boards = (board("scsi-1", "sbus-scsi", "sbus", 3), board("net-1", "sbus-ethernet", "sbus", 1))
    (found,) = facts(demand({}), boards=boards).slots
    assert (found.id, high(found.used), high(found.available)) == ("sbus", 2, 3)


def test_the_demand_on_a_bus_and_what_it_sustains() -> None:
    boards = (board("scsi-1", "sbus-scsi", "sbus", 1), board("net-1", "sbus-ethernet", "sbus", 2))
    (found,) = facts(demand({}), boards=boards, unstated=frozenset({"channels"})).busses
    assert (found.id, high(found.sustained_mb_per_s)) == ("sbus", 20)
    assert high(found.demanded_mb_per_s) == pytest.approx(3.4)


@pytest.mark.parametrize("subject", RECORDS)
def test_every_fact_has_a_meaning_and_a_kind(subject: str) -> None:
    for name, fact in facts_of(subject).items():
        assert fact.doc, name
        assert fact.kind in ("number", "text", "flag", "names"), name
        assert bool(fact.unit) == (fact.kind == "number"), name
        if fact.unit not in ("", "1"):
            assert "_" in name or fact.unit in ("client", "disk", "slot"), name


@pytest.mark.parametrize("subject", RECORDS)
def test_a_blank_record_knows_only_what_is_given(subject: str) -> None:
    first = next(iter(facts_of(subject)))
    record = blank(subject, {first: "x"})
    assert record[0] == "x"
    assert all(value is None for value in record[1:])


def test_every_number_of_a_record_is_in_the_unit_of_its_fact() -> None:
    found = facts(
        demand(EDIT, volumes=MIRROR), boards=(board("scsi-1", "sbus-scsi", "sbus", 3),),
        channels=(channel("builtin-1", disk("a")), channel("scsi-1", disk("b"))),
        volumes=(laid("data", {"a": 100}, {"b": 100}),),
    )  # fmt: skip
    seen = 0
    for subject, records in found.by_subject().items():
        known = facts_of(subject)
        for record in records:
            for name, value in zip(record._fields, record, strict=True):
                if isinstance(value, Quantity):
                    seen += 1
                    assert value.unit == known[name].unit, (subject, name)
    assert seen > 30


def test_what_is_written_is_hot_though_its_reads_are_held_in_memory() -> None:
    found = facts(
        demand(EDIT, volumes=[volume("data", cached_mb=50)]),
        channels=(channel("builtin-1", disk("a")),), volumes=(laid("data", {"a": 100}),),
    )  # fmt: skip
    assert high(found.disks[0].operations_per_s) == 15
    assert high(found.channels[0].random_disks) == 1


def test_what_a_built_in_adapter_sits_on_may_not_be_known() -> None:
    """The tables leave the built-in bus of a 4/490 blank."""
    disks = (channel("builtin-1", disk("a")),)
    assert facts(demand({}), channels=disks).system.disk_adapter_busses == ("sbus",)
    older = facts(demand({}), platform="sun-4-490", channels=disks).system
    assert older.disk_adapter_busses is None


@pytest.mark.parametrize(
    ("ports", "shared"), [((True, None), True), ((False, None), None), ((False, False), False)]
)
def test_a_system_shares_disks_if_a_second_one_reaches_any(
    ports: tuple[bool | None, ...], shared: bool | None
) -> None:
    disks = [disk(f"a-{n}")._replace(dual_ported=port) for n, port in enumerate(ports)]
    found = facts(demand({}), channels=(channel("builtin-1", *disks),)).system
    assert found.shares_disks is shared


def test_without_a_suspect_no_software_prevents_clusters_whatever_the_system() -> None:
    """2.4, footnote: only some products switch clustering off, on some releases."""
    load = derive_load(demand({}), system(), GUIDE)
    found = system(operating_system="", software=("enfs",))
    assert derive_facts(found, load, GUIDE).system.clustering_prevented_by == ()


def test_the_operating_system_and_swap_space_are_no_data() -> None:
    volumes = [volume("own", 400, use="root"), volume("swap", 60, use="swap"), volume("data", 900)]
    found = facts(demand({}, volumes=volumes)).system
    assert (high(found.stored_mb), high(found.saved_files_mb)) == (1360, 900)
    more = [volume("raw", 500, use="raw"), volume("spool", 200, saved_mb=50)]
    assert high(facts(demand({}, volumes=[*volumes, *more])).system.saved_files_mb) == 950


def test_a_system_in_frequent_use_counts_beside_other_data() -> None:
    volumes = [volume("a", access="serial", activity="cold"), volume("b", use="root")]
    found = facts(
        demand({}, volumes=volumes), channels=(channel("builtin-1", disk("d")),),
        volumes=(laid("a", {"d": 100}), laid("b", {"d": 100})),
    )  # fmt: skip
    assert found.disks[0].access == "random"
