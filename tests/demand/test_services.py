"""What services of every kind ask for, against sums made by hand from the guide's figures."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import Plain, read
from serving import demanded, measured, workload
from sizewright.demand.build import demand_of
from sizewright.demand.rates import Operations
from sizewright.errors import InputError
from small import GUIDE, three


def only(*services: Plain, **more: Any) -> Operations:
    (operations,) = demanded(*services, **more).operations
    return operations


def database(**more: Any) -> Plain:
    return {"kind": "database", "name": "db", "product": "oracle", "clients": 90,
            "network": "ring", **more}  # fmt: skip


def test_a_run_of_200_mb_is_25600_operations_of_8_kb() -> None:
    """1.2.9.2: 18 clients begin one four times an hour each, so that one begins every 50 s."""
    work = {"name": "q", "volume": "scans", "mb": 200, "block_kb": 8, "every_s": 900}
    found = only(database(clients=18, work=[work]))
    assert found.runs.run_ops is not None and found.runs.every_s is not None
    assert found.runs.run_ops.high == 25600
    assert found.runs.every_s.high == 50
    assert found.ops is not None and found.ops.high == 512
    assert (found.layer, found.pattern, found.operation) == ("raw", "sequential", "read")


def test_those_who_are_at_work_count_and_not_everybody() -> None:
    work = {"name": "q", "volume": "tables", "ops": 30, "every_s": 10}
    all_of_them = only(database(work=[work]))
    a_third = only(database(work=[work], active={"at_once": 1, "of": 3}))
    assert all_of_them.ops is not None and all_of_them.ops.high == 270
    assert a_third.ops is not None and a_third.ops.high == pytest.approx(90)


def test_rows_by_key_are_operations_and_rows_in_sequence_are_bytes() -> None:
    rows = {"name": "q", "rows": 1000, "row_byte": 512, "every_s": 10, "by": 1, "block_kb": 2}
    keyed = only(database(work=[{**rows, "volume": "tables"}]))
    scanned = only(database(work=[{**rows, "volume": "scans"}]))
    assert keyed.ops is not None and keyed.ops.high == 100
    assert scanned.ops is not None and scanned.ops.high == 25


def test_a_raw_operation_is_small_and_one_on_a_file_is_a_block() -> None:
    assert only(measured()).block_kb.high == 2
    assert only(measured(volume="files")).block_kb.high == 8
    assert (
        only(database(work=[{"name": "q", "volume": "scans", "ops_per_s": 1}])).block_kb.high == 8
    )


def test_a_serial_write_of_raw_oracle_data_is_as_small_as_others() -> None:
    """1.2.9.2 has 8 KB for serial reads; raw operations are usually of 2 KB (1.2.9.3)."""
    log = {"name": "log", "volume": "scans", "ops_per_s": 1, "operation": "write"}
    assert only(database(work=[log])).block_kb.high == 2


QUERY = {"name": "q", "volume": "scans", "mb": 200, "block_kb": 8}


@pytest.mark.parametrize(
    ("asked", "ops_per_s"),
    [
        # A run of 200 MB in 8 KB is 25,600 operations.
        ({"every_s": 900, "by": 18}, 25600 * 18 / 900),
        ({"within_s": 120}, 25600 / 120),
        # The larger counts (1.2.9.2: 512 by arrivals, 213 by one run in two minutes).
        ({"every_s": 900, "by": 18, "within_s": 120}, 512),
        ({"every_s": 900, "by": 18, "within_s": 40}, 640),
        # Ten runs of 200 MB within 300 s are 6.7 MB/s, 853 operations of 8 KB a second.
        ({"within_s": 300, "runs_at_once": 10}, 25600 * 10 / 300),
        # Arrivals count whether or not the work goes as fast as its disks.
        ({"every_s": 900, "by": 18, "as_fast_as_disks": True}, 512),
    ],
)
def test_the_demand_is_the_larger_of_arrivals_and_runs_in_the_wanted_time(
    asked: Plain, ops_per_s: float
) -> None:
    found = only(database(work=[{**QUERY, **asked}]))
    assert found.ops is not None and found.ops.high == pytest.approx(ops_per_s)


def test_the_active_clients_are_not_runs_at_once() -> None:
    """Clients say who begins runs at intervals; without intervals one run at once is taken."""
    found = only(database(clients=18, work=[{**QUERY, "within_s": 120}]))
    assert found.ops is not None and found.ops.high == pytest.approx(25600 / 120)
    assert found.runs.at_once is None


def test_work_with_neither_arrivals_nor_a_wanted_time_has_no_demand() -> None:
    found = only(database(work=[{**QUERY, "as_fast_as_disks": True, "runs_at_once": 3}]))
    assert found.open_ended and found.ops is None
    assert found.runs.at_once is not None and found.runs.at_once.high == 3


@pytest.mark.parametrize(("wanted", "low"), [({}, True), ({"within_s": 120}, False)])
def test_low_priority_yields_only_without_a_wanted_time(wanted: Plain, low: bool) -> None:
    work = {**QUERY, "every_s": 900, "by": 1, "priority": "low", "user_processors": 1, **wanted}
    found = demanded(database(work=[work]))
    assert [o.low for o in found.operations] == [low]
    assert [u.low for u in found.user] == [low]


def test_memory_of_a_product_is_by_table_3_and_of_the_manager_by_the_text() -> None:
    """1.3.1.2: (4 + 90 × 1.5) × 1.3 are 180.7; the 4 MB are the manager's own (1.2.7)."""
    found = demanded(database(per_client_mb=1.5, additional_percent=30)).memory
    assert [(i.name, i.figure.high) for i in found] == [("db: back end", pytest.approx(180.7))]
    plain = demanded(database(clients=10)).memory[0].figure
    assert three(plain) == (pytest.approx(14 * 1.3), pytest.approx(19 * 1.4), 24 * 1.5)
    # 570 KB and 1 to 80 MB of shared memory are not the manager itself: 4 MB are added.
    other = demanded(database(product="informix-online", clients=10)).memory[0].figure
    assert other.low == pytest.approx(570 / 1024 + 1 + 10 * 70 / 1024 + 4)


def test_front_ends_here_take_memory_and_elsewhere_none() -> None:
    here = demanded(database(front_ends="here")).memory
    assert [(i.name, i.figure.high) for i in here[1:]] == [("db: front ends", 90)]
    assert len(demanded(database()).memory) == 1


def test_what_was_measured_stands_in_place_of_the_table() -> None:
    (line,) = demanded(database(product="sybase", memory_mb=300)).memory
    assert line.figure.high == 300


def test_a_product_without_memory_figures_is_told_with_what_to_measure() -> None:
    with pytest.raises(InputError) as told:
        demanded(database(product="ingres"))
    (fault,) = told.value.faults
    assert "Ingres" in fault.what and "memory_mb" in fault.expected and "1.2.7" in fault.hint


def test_sessions_share_a_part_of_their_memory() -> None:
    service = {"kind": "timesharing", "name": "gis", "sessions": 20, "private_mb": 8,
               "shared_mb": 2}  # fmt: skip
    (line,) = demanded(service).memory
    assert line.figure.high == 162


def mail(**more: Any) -> Plain:
    return {"kind": "mail", "name": "post", "volume": "files", "messages_a_day": 70000,
            "prime_messages": 50000, "prime_s": 28800, "temporary_files": 2, **more}  # fmt: skip


def test_a_message_writes_twice_for_each_file_and_twice_for_its_mailbox() -> None:
    found = only(mail())
    assert found.ops is not None and found.ops.high == pytest.approx(50000 / 28800 * 6)
    assert (found.operation, found.layer) == ("update", "file_system")


def test_messages_that_are_kept_must_fit_their_volume() -> None:
    with pytest.raises(InputError, match="keeps at least 1230 MB, and files holds 1000"):
        demanded(mail(message_kb=6, retention_days=3))
    assert demanded(mail(message_kb=2, retention_days=3)).operations


def test_a_page_fault_takes_a_tenth_of_a_millisecond() -> None:
    (kernel,) = demanded({"kind": "paging", "name": "vm", "faults_per_s": [20, 40]}).kernel
    assert three(kernel.ms_per_s) == (2, 3, 4)


def test_faults_on_a_volume_are_raw_operations_that_bring_pages_in_and_write_them_out() -> None:
    found = demanded(
        {"kind": "paging", "name": "vm", "faults_per_s": 30, "volume": "mail",
         "reads_percent": 60},
        volumes=[{"name": "mail", "size_mb": 100, "access": "random"}],
    )  # fmt: skip
    assert found.kernel == ()
    assert [(o.operation, o.layer, o.pattern, three(o.ops)) for o in found.operations if o.ops] == [
        ("read", "raw", "random", (18, 18, 18)), ("update", "raw", "random", (12, 12, 12)),
    ]  # fmt: skip
    (alone,) = demanded(
        {"kind": "paging", "name": "vm", "faults_per_s": 30, "volume": "mail"},
        volumes=[{"name": "mail", "size_mb": 100, "access": "random"}],
    ).operations
    assert alone.operation == "read" and alone.ops is not None and alone.ops.high == 30


def test_jobs_keep_a_processor_each_and_yield() -> None:
    (user,) = demanded({"kind": "batch", "name": "sas", "jobs": 3}).user
    assert user.low and user.processors is not None and user.processors.high == 3


def test_lines_and_printers_go_by_their_kind() -> None:
    found = demanded(
        {"kind": "gateway", "name": "sna",
         "lines": [{"name": "t1", "protocol": "sna", "kbit_per_s": 1500, "count": 2}]},
        {"kind": "serial", "name": "modems", "lines": 75, "bits_per_s": 2400},
        {"kind": "print", "name": "paper", "printers": [
            {"name": "laser", "attached": "parallel", "count": 2},
            {"name": "colour", "attached": "scsi", "rasterising": True, "raster_mb": 16},
        ]},
    )  # fmt: skip
    assert sorted((n.name, n.kind, n.number.high) for n in found.lines) == [
        ("colour", "scsi", 1), ("laser", "parallel", 2), ("lines", "serial", 75), ("t1", "wide", 2),
    ]  # fmt: skip
    assert [item.figure.high for item in found.memory] == [16]


@pytest.mark.parametrize(
    "service",
    [
        {"kind": "gateway", "lines": [
            {"name": "t1", "protocol": "sna", "kbit_per_s": 1500, "count": 2}
        ]},
        {"kind": "serial", "lines": 75},
        {"kind": "paging", "faults_per_s": 10},
        {"kind": "measured"},
    ],
)  # fmt: skip
def test_memory_that_is_stated_counts_whatever_the_kind_of_service(service: Plain) -> None:
    found = demanded({**service, "name": "it", "memory_mb": 12}).memory
    assert [(item.name, item.figure.high) for item in found] == [("it", 12)]


def test_traffic_of_some_clients_is_told_for_all() -> None:
    """1.2.9.1: 400 packets of 1500 bytes for 15 clients are five times as much for 75."""
    traffic = {"packets_per_s": 400, "packet_byte": 1500, "of": 15}
    (found,) = demanded(database(clients=75, traffic=traffic)).traffic
    assert found.kb_per_s.high == pytest.approx(400 * 1500 / 1024 * 5)


def test_how_often_runs_begin_does_not_depend_on_their_size() -> None:
    """1.2.9.3: ten loads of 8 to 9 MB a minute return 5 to 10 MB each: 853 to 1707 KB/s."""
    load = {"name": "load", "volume": "tables", "mb": [8, 9], "every_s": 60, "by": 10,
            "returns_mb": [5, 10]}  # fmt: skip
    (found,) = demanded(database(work=[load])).traffic
    assert (found.kb_per_s.low, found.kb_per_s.high) == pytest.approx(
        (10 * 5 * 1024 / 60, 10 * 10 * 1024 / 60)
    )


RETURNING = {"name": "q", "volume": "tables", "returns_mb": 3}


@pytest.mark.parametrize(
    "work",
    [
        {"ops": 100, "every_s": 60},
        {"ops": 0, "every_s": 60},
        {"ops_per_s": 40, "every_s": 60},
        {"as_fast_as_disks": True, "every_s": 60},
    ],
)
def test_what_runs_return_crosses_the_network_wherever_runs_are_known(work: Plain) -> None:
    """Twenty clients who begin one every minute each send 3 MB every three seconds."""
    given = {**RETURNING, **work}
    (found,) = demanded(database(clients=20, work=[given])).traffic
    assert three(found.kb_per_s) == (1024, 1024, 1024)
    (grown,) = demanded(database(clients=20, work=[given]), growth={"percent": 25}).traffic
    assert three(grown.kb_per_s) == (1280, 1280, 1280)


def test_what_open_ended_runs_return_is_no_demand() -> None:
    found = demanded(database(work=[{**RETURNING, "as_fast_as_disks": True, "mb": 50}]))
    assert found.traffic == ()
    (operations,) = found.operations
    assert operations.runs.returns_kb is not None and operations.runs.returns_kb.high == 3072


def test_runs_in_a_wanted_time_send_their_results_in_it() -> None:
    """3 MB in 30 s are 102.4 KB/s."""
    (found,) = demanded(database(work=[{**RETURNING, "mb": 50, "within_s": 30}])).traffic
    assert found.kb_per_s.high == pytest.approx(3 * 1024 / 30)


def test_work_at_intervals_is_begun_by_somebody() -> None:
    work = {"name": "q", "volume": "tables", "ops": 30, "every_s": 10}
    with pytest.raises(InputError, match="number of users may be 0"):
        demanded(database(active=[0, 3], work=[work]))


def test_memory_and_processors_for_drawing_are_those_of_all_printers_of_a_kind() -> None:
    printer = {"name": "laser", "attached": "video", "count": 3, "rasterising": True,
               "raster_mb": 8, "raster_processors": 2}  # fmt: skip
    found = demanded({"kind": "print", "name": "paper", "printers": [printer]})
    assert [item.figure.high for item in found.memory] == [8]
    assert [user.processors.high for user in found.user if user.processors] == [2]


def test_growth_raises_rates_and_not_sizes() -> None:
    plain, grown = only(measured()), only(measured(), growth={"percent": 50})
    assert plain.ops is not None and grown.ops is not None
    assert (plain.ops.high, grown.ops.high) == (100, 150)


@pytest.mark.parametrize(
    ("work", "told"),
    [
        ({"ops_per_s": None}, "states no amount of work"),
        ({"ops_per_s": None, "mb": 5}, "states neither an interval"),
        ({"as_fast_as_disks": True}, "goes as fast as its disks"),
        ({"within_s": 5}, "needs runs with a size"),
        ({"ops_per_s": None, "every_s": 5, "mb": 1, "ops": 900, "block_kb": 8, "by": 1},
         "are not 1 MB"),
        ({"ops_per_s": 5, "every_s": 1, "by": 1, "ops": 100}, "are not 5 op/s"),
        ({"rows": 5, "every_s": 5}, "is stated without row_byte"),
        ({"volume": "tabels"}, "there is no volume"),
        ({"ops_per_s": None, "mb": 1, "every_s": 5}, "has an interval, but the number"),
    ],
)  # fmt: skip
def test_work_that_does_not_add_up_is_told(work: Plain, told: str) -> None:
    given = {key: value for key, value in {**measured()["work"][0], **work}.items()
             if value is not None}  # fmt: skip
    with pytest.raises(InputError, match=told):
        demanded({"kind": "measured", "name": "program", "work": [given]})


@pytest.mark.parametrize(
    ("default", "service", "told"),
    [
        ("nfs_transfer", measured(volume="files"), "the data per NFS operation"),
        ("nfs_transfer", mail(), "the data per NFS operation"),
        ("page_fault", {"kind": "paging", "name": "vm", "faults_per_s": 20},
         "the time of a page fault"),
    ],
)  # fmt: skip
def test_a_guide_that_does_not_state_a_usual_cost_is_told_so(
    default: str, service: Plain, told: str
) -> None:
    defaults = {name: row for name, row in GUIDE.defaults.items() if name != default}
    with pytest.raises(InputError) as caught:
        demand_of(read(workload(service)), GUIDE._replace(defaults=defaults))
    assert [fault.what for fault in caught.value.faults] == [f"does not state {told}"]
