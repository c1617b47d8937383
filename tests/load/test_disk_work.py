"""Kernel time of work, packets, faults and lines, against sums by hand from the guide's figures."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import Plain
from serving import demanded, measured, server
from sizewright.configuration.model import Port, System
from sizewright.load.derive import derive_load
from sizewright.load.model import Load
from sizewright.quantity import Quantity
from small import GUIDE, board, channel, disk, laid, system, three

NORMAL = 22 / 28.5


def lines(found: Load) -> dict[str, Quantity]:
    assert found.kernel_lock is not None
    return {line.name: line.figure for line in found.kernel_lock}


def kernel(*services: Plain, on: System | None = None, **more: Any) -> dict[str, Quantity]:
    return lines(derive_load(demanded(*services, **more), on or server(), GUIDE))


def test_an_operation_costs_what_table_7_says_at_the_ratio_of_the_speeds() -> None:
    """0.95 ms on a 4/490 of 22 MIPS is 0.73 on 28.5 MIPS (1.2.9.2)."""
    assert kernel(measured())["program: work"].high == pytest.approx(100 * 0.95 * NORMAL)


@pytest.mark.parametrize(
    ("work", "cost"),
    [
        ({"operation": "update"}, 0.84),
        ({"operation": "write"}, 0.84),
        ({"volume": "scans"}, 0.67),
        ({"volume": "scans", "operation": "update"}, 0.71),
        ({"volume": "files"}, 4.21),
        ({"volume": "files", "operation": "write"}, 5.71),
        ({"volume": "files", "access": "serial"}, 1.52),
    ],
)
def test_each_kind_of_operation_has_its_cost(work: Plain, cost: float) -> None:
    """Table 7 has no random raw write and no raw update in sequence: the other one stands in."""
    found = kernel(measured(**work))["program: work"]
    assert found.high == pytest.approx(100 * cost * NORMAL)


def scsi(**changes: Any) -> System:
    base = system(
        platform="sparcstation-2", ports=(),
        channels=(channel("builtin-1", disk("a", "1-3gb-scsi"), disk("b", "424mb-scsi")),),
        volumes=(laid("tables", {"a": 1000}), laid("files", {"a": 250}), laid("scans", {"b": 400})),
    )  # fmt: skip
    return base._replace(**changes)


def test_a_raw_operation_on_scsi_costs_40_to_120_percent_more_than_on_ipi() -> None:
    """Table 7 has none; 2.4 compares the interfaces."""
    found = kernel(measured(), on=scsi())["program: work"]
    plain = 100 * 0.95 * NORMAL
    assert three(found) == (pytest.approx(plain * 1.4), pytest.approx(plain * 1.8),
                            pytest.approx(plain * 2.2))  # fmt: skip


def test_a_machine_of_the_speed_that_was_measured_pays_what_was_measured() -> None:
    found = kernel(measured(volume="files"), on=scsi())["program: work"]
    assert found.high == pytest.approx(100 * 5.91)


def test_an_operation_on_several_models_of_disk_costs_the_mean_of_its_disks() -> None:
    """Two IPI disks and one SCSI disk, which costs 1.4 to 2.2 times as much (2.4)."""
    on = server(volumes=(laid("tables", {"a": 500, "b": 500, "s": 1000}),))
    mixed = on._replace(channels=(*on.channels, channel("builtin-1", disk("s", "1-3gb-scsi"))))
    found, plain = kernel(measured(), on=mixed)["program: work"], 100 * 0.95 * NORMAL
    assert (found.low, found.high) == (
        pytest.approx(plain * (2 + 1.4) / 3), pytest.approx(plain * (2 + 2.2) / 3)
    )  # fmt: skip


def test_where_nobody_measured_the_time_of_the_kernel_is_unknown() -> None:
    lost = scsi(channels=(channel("builtin-1", disk("a", "688mb-smd"), disk("b", "688mb-smd")),))
    assert derive_load(demanded(measured()), lost, GUIDE).kernel_lock is None


def test_a_mirror_costs_by_table_11_or_by_the_text() -> None:
    """Random reads: 30 % by the table, 2 to 8 % by 1.1.7."""
    mirror = laid("tables", {"a": 1000}, {"d": 1000}, manager="online-disksuite")
    found = kernel(measured(), on=server(volumes=(mirror,)))["program: work"]
    plain = 100 * 0.95 * NORMAL
    assert (found.low, found.high) == (pytest.approx(plain * 1.02), pytest.approx(plain * 1.3))


def test_layouts_add_their_overheads_each_to_the_plain_operation() -> None:
    """2.11: 33 % for the stripe and 30 % for the mirror are 63 %, not 73; 5 and 2 % by 1.1.7."""
    both = laid("tables", {"a": 500, "b": 500}, {"d": 500, "e": 500}, manager="online-disksuite")
    on = server(volumes=(both._replace(layout="stripe"),))
    found, plain = kernel(measured(), on=on)["program: work"], 100 * 0.95 * NORMAL
    assert (found.low, found.high) == (pytest.approx(plain * 1.07), pytest.approx(plain * 1.63))


@pytest.mark.parametrize(
    ("operation", "cost"), [("read", 0.95), ("write", 2 * 0.84), ("update", 2 * 0.84)]
)
def test_a_program_that_mirrors_raw_data_writes_each_copy(operation: str, cost: float) -> None:
    """Table 7 is of single operations; a manager that mirrors itself issues two writes (2.11.1)."""
    twice = laid("tables", {"a": 1000}, {"d": 1000})
    found = kernel(measured(operation=operation), on=server(volumes=(twice,)))["program: work"]
    assert three(found) == (pytest.approx(100 * cost * NORMAL),) * 3


def test_only_raw_data_is_mirrored_by_its_program() -> None:
    twice = laid("files", {"a": 250}, {"d": 250})
    found = kernel(measured(volume="files", operation="write"), on=server(volumes=(twice,)))
    assert found["program: work"].high == pytest.approx(100 * 5.71 * NORMAL)


def test_an_unknown_manager_is_no_reason_to_count_twice() -> None:
    twice = laid("tables", {"a": 1000}, {"d": 1000})
    told = server(volumes=(twice,), unstated=frozenset({"managers"}))
    found = kernel(measured(operation="write"), on=told)["program: work"]
    assert found.high == pytest.approx(100 * 0.84 * NORMAL)


def talking(network: str = "ring", **traffic: Any) -> Plain:
    given = {"packets_per_s": 100, "packet_byte": 4500, **traffic}
    return {"kind": "timesharing", "name": "people", "sessions": 10, "network": network,
            "traffic": given}  # fmt: skip


def test_a_packet_costs_a_fifth_of_a_millisecond() -> None:
    assert kernel(talking())["people: traffic: packets"].high == pytest.approx(20)


def test_packets_go_by_the_largest_that_the_medium_takes() -> None:
    """100 packets of 4500 bytes are 300 of 1500 on an Ethernet."""
    networks = [{"name": "ring", "medium": "ethernet"}]
    found = kernel(talking(), on=server(ports=(Port("ring", 0, "lance-ethernet", "builtin"),)),
                   networks=networks)  # fmt: skip
    assert found["people: traffic: packets"].high == pytest.approx(60)


@pytest.mark.parametrize("medium", ["ethernet", "fddi"])
@pytest.mark.parametrize("byte", [64, 1499])
def test_stated_packets_count_as_stated(medium: str, byte: float) -> None:
    """1000 small packets a second cost 1000 × 0.2 ms on any medium (1.2.5)."""
    interface = {"ethernet": "lance-ethernet", "fddi": "fddi-dx"}[medium]
    networks = [{"name": "ring", "medium": medium}]
    found = kernel(talking(packets_per_s=1000, packet_byte=byte), networks=networks,
                   on=server(ports=(Port("ring", 0, interface, "builtin"),)))  # fmt: skip
    assert found["people: traffic: packets"].high == pytest.approx(1000 * 0.2)


def test_full_packets_of_an_ethernet_are_a_third_as_many_on_fddi() -> None:
    """1.2.9.1: 75 × 25 ÷ 3 = 625 packets of 0.2 ms are 125 ms a second."""
    found = kernel(talking(packets_per_s=75 * 25, packet_byte=1500))
    assert found["people: traffic: packets"].high == pytest.approx(625 * 0.2)


def test_a_packet_too_large_for_the_medium_is_cut() -> None:
    """3200 bytes are 3 packets of at most 1500 bytes."""
    networks = [{"name": "ring", "medium": "ethernet"}]
    found = kernel(talking(packets_per_s=100, packet_byte=3200), networks=networks,
                   on=server(ports=(Port("ring", 0, "lance-ethernet", "builtin"),)))  # fmt: skip
    assert found["people: traffic: packets"].high == pytest.approx(100 * 3 * 0.2)


def test_stated_packets_grow_with_their_clients() -> None:
    """400 packets of 200 bytes for 5 clients are 800 for 10, and 1200 after growth of 50 %."""
    given = talking(packets_per_s=400, packet_byte=200, of=5)
    found = kernel(given, growth={"percent": 50})
    assert found["people: traffic: packets"].high == pytest.approx(400 * 10 / 5 * 1.5 * 0.2)


def test_packets_of_nfs_are_part_of_its_cost() -> None:
    """Table 1 was measured with its packets, so that other traffic adds only its own."""
    files = {"kind": "nfs", "name": "files", "clients": 100, "network": "ring",
             "load": {"ops_per_s_each": 1}}  # fmt: skip
    found = kernel(talking(), files)
    assert {name for name in found if "packets" in name} == {"people: traffic: packets"}


OFFLOAD = Port("ring", 0, "network-coprocessor", "nc-1")


def test_an_interface_that_processes_protocols_spares_the_packets() -> None:
    networks = [{"name": "ring", "medium": "ethernet"}]
    assert kernel(talking(), on=server(ports=(OFFLOAD,)), networks=networks) == {}


def test_it_spares_those_of_its_network_among_several() -> None:
    """One of two networks of the community has it: half of the packets cost time."""
    networks = [{"name": "ring", "medium": "ethernet", "segments_at_most": 2}]
    plain = (Port("ring", 1, "lance-ethernet", "builtin"), Port("ring", 2, "lance-ethernet", "x"))
    (whole,) = kernel(talking(), on=server(ports=plain), networks=networks).values()
    for ports in ((plain[0], OFFLOAD), (OFFLOAD, plain[1])):
        (half,) = kernel(talking(), on=server(ports=ports), networks=networks).values()
        assert half.high == pytest.approx(whole.high / 2)


def test_whether_a_token_ring_board_spares_them_can_be_read_both_ways() -> None:
    """1.2.5 says to a lesser degree, 2.5.3 finds no saving."""
    networks = [{"name": "ring", "medium": "token-ring-16mb"}]
    ring = Port("ring", 0, "token-ring-16mb", "tri-s-1")
    (found,) = kernel(talking(), on=server(ports=(ring,)), networks=networks).values()
    assert (found.low, found.high) == (0, pytest.approx(450000 / 2048 * 0.2))


def test_a_full_line_costs_its_mips() -> None:
    """2.6: 2 MIPS a T1 line on the Sbus board; 256 Kb/s are a share of it."""
    lines_ = [{"name": "t1", "protocol": "sna", "kbit_per_s": 1500},
              {"name": "slow", "protocol": "sna", "kbit_per_s": 256}]  # fmt: skip
    boards = (*server().boards, board("hsi-s-1", "hsi-s", "sbus", 1))
    found = kernel({"kind": "gateway", "name": "sna", "lines": lines_}, on=server(boards=boards))
    assert found["sna: t1"].high == pytest.approx(2 / 28.5 * 1000)
    assert found["sna: slow"].high == pytest.approx(2 / 28.5 * 1000 * 256 / 1500)


@pytest.mark.parametrize(
    "more",
    [
        {"kind": "measured"},
        {"kind": "serial", "lines": 4},
        {"kind": "print", "printers": [{"name": "laser", "attached": "serial"}]},
    ],
)
def test_kernel_time_measured_elsewhere_goes_by_the_ratio_of_the_speeds(more: Plain) -> None:
    service = {"name": "program", "kernel_ms_per_s": 100, "measured_on": "sun-4-490", **more}
    assert kernel(service)["program: kernel time"].high == pytest.approx(100 * NORMAL)


@pytest.mark.parametrize("kind", ["database", "timesharing", "mail", "measured"])
def test_processors_measured_elsewhere_go_by_the_ratio_of_the_speeds(kind: str) -> None:
    """1.2.8: "normalize from the speed of the cited processor"; 22 ÷ 28.5 of those of a 4/490."""
    whole: Plain = {
        "database": {"product": "oracle", "clients": 1}, "timesharing": {"sessions": 1},
        "mail": {"volume": "tables", "messages_a_day": 10, "prime_messages": 10, "prime_s": 3600,
                 "temporary_files": 1},
    }.get(kind, {})  # fmt: skip
    work = {"name": "work", "volume": "tables", "ops_per_s": 1, "user_processors": 0.5}
    service = {
        "kind": kind, "name": "own", **whole, "user_processors": 1, "work": [work],
        "measured_on": "SPARCserver 490",
    }  # fmt: skip
    found = derive_load(demanded(service), server(), GUIDE).processors
    assert found is not None
    busy = [line.figure.high for line in found if line.name == "own: its own work"]
    assert busy == [pytest.approx(500 * NORMAL), pytest.approx(1000 * NORMAL)]


def test_work_of_low_priority_yields() -> None:
    found = derive_load(demanded(measured(priority="low")), server(), GUIDE)
    assert found.kernel_lock == ()
    assert [line.name for line in found.low_priority] == ["program: work"]


def test_one_thread_uses_one_processor() -> None:
    service = {**measured(), "user_processors": [1, 3]}
    free = derive_load(demanded(service), server(), GUIDE).processors
    bound = derive_load(demanded({**service, "single_threaded": True}), server(), GUIDE).processors
    assert free is not None and bound is not None
    assert (free[-1].figure.high, bound[-1].figure.high) == (3000, 1000)


def test_day_and_night_are_budgeted_apart_on_the_processors_too() -> None:
    """By day 300 ms/s in the kernel and one processor, by night 600 and half of one: 1300."""

    def service(name: str, kernel_ms: float, processors: float) -> Plain:
        return {"kind": "measured", "name": name, "kernel_ms_per_s": kernel_ms,
                "measured_on": "sparcserver-690mp", "user_processors": processors}  # fmt: skip

    both = service("day", 300, 1), service("night", 600, 0.5)
    found = derive_load(demanded(*both, exclusive=[["day", "night"]]), server(), GUIDE)
    assert found.kernel_lock is not None and found.processors is not None
    assert sum(line.figure.high for line in found.kernel_lock) == pytest.approx(600)
    assert sum(line.figure.high for line in found.processors) == pytest.approx(1300)


def test_services_that_exclude_each_other_count_once_with_all_their_lines() -> None:
    one = {"kind": "measured", "name": "one", "work": [
        {"name": "a", "volume": "tables", "ops_per_s": 100},
        {"name": "b", "volume": "tables", "ops_per_s": 50}]}  # fmt: skip
    two = {"kind": "measured", "name": "two", "work": [
        {"name": "c", "volume": "tables", "ops_per_s": 120}]}  # fmt: skip
    found = kernel(one, two, exclusive=[["one", "two"]])
    assert {name: figure.high for name, figure in found.items()} == {
        "one or two": pytest.approx(150 * 0.95 * NORMAL)
    }


def test_memory_of_a_database_server_takes_8_mb_for_the_system() -> None:
    """1.2.7 reserves 8 MB; 1.1.5 speaks of 8 to 12 on an NFS server."""
    service = {"kind": "database", "name": "db", "product": "oracle", "clients": 1}
    found = derive_load(demanded(service), server(), GUIDE).memory
    assert found is not None
    assert three(found[0].figure) == (8, 8, 8)


def test_a_disk_moves_the_bytes_of_its_operations() -> None:
    found = derive_load(demanded(measured(block_kb=16)), server(), GUIDE)
    channels = found.channels["isp-80-1"]
    assert channels is not None
    assert sum(line.figure.high for line in channels) == pytest.approx(100 * 16 / 2)


def test_a_string_asks_of_its_bus_what_its_disks_move() -> None:
    """100 reads of 16 KB over two strings; of 512 KB they are 25 MB/s on each, and do not pass."""
    light = derive_load(demanded(measured(block_kb=16)), server(), GUIDE).busses["vme"]
    heavy = derive_load(demanded(measured(block_kb=512)), server(), GUIDE).busses["vme"]
    assert {i.name: i.figure.high for i in light}["isp-80-1"] == pytest.approx(800 / 1024)
    assert {i.name: i.figure.high for i in heavy}["isp-80-1"] == pytest.approx(25)
