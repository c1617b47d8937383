"""What a workload does not state is listed; what it states is not."""

from __future__ import annotations

from typing import Any

import pytest

import small
from generated_workloads import Plain, read
from sizewright.cli.files import starting_file
from sizewright.demand.build import demand_of
from sizewright.documents import parse_document
from sizewright.guide.loader import load_guide
from sizewright.workload.not_counted import find_omissions
from sizewright.workload.reading import read_workload

VOLUMES = [
    {"name": "data", "size_mb": 100, "access": "random"},
    {"name": "log", "size_mb": 10, "access": "serial", "use": "log"},
]
READS = {"name": "reads", "volume": "data", "ops_per_s": 5}
UPDATES = {"name": "updates", "volume": "data", "operation": "update", "ops_per_s": 5}
LOG_WRITES = {"name": "log", "volume": "log", "operation": "write", "ops_per_s": 5}
TRAFFIC = {"kb_per_s": 5}
DRAWN = {
    "name": "colour", "attached": "video", "rasterising": True, "raster_mb": 8,
    "raster_processors": 0.2,
}  # fmt: skip
IN_KERNEL = {"kernel_ms_per_s": 3, "measured_on": "sparcstation-2"}

# A whole service of each kind, and for each key that may be left out what is said then.
WHOLE: dict[str, Plain] = {
    "nfs": {"clients": 5, "network": "lan", "load": {"ops_per_s_each": 1}, "uses": ["data",
     "log"]},
    "database": {
        "product": "oracle", "clients": 5, "network": "lan", "traffic": TRAFFIC, "log": "log",
        "user_processors": 0.2, "work": [READS, UPDATES, LOG_WRITES],
    },
    "timesharing": {
        "sessions": 5, "network": "lan", "traffic": TRAFFIC, "private_mb": 1,
        "user_processors": 0.2, "work": [READS, LOG_WRITES],
    },
    "mail": {
        "volume": "data", "messages_a_day": 100, "prime_messages": 50, "prime_s": 3600,
        "temporary_files": 2, "message_kb": 4, "retention_days": 5, "network": "lan",
        "traffic": TRAFFIC, "user_processors": 0.1, "work": [LOG_WRITES],
    },
    "batch": {"jobs": 1, "job_mb": 4, "work": [READS, LOG_WRITES]},
    "paging": {"faults_per_s": 2, "volume": "data", "work": [LOG_WRITES]},
    "serial": {
        "lines": 4, "bits_per_s": 9600, "memory_mb": 0, "work": [READS, LOG_WRITES], **IN_KERNEL,
    },
    "print": {
        "printers": [{"name": "laser", "attached": "serial"}, DRAWN], "spool": "data",
        "work": [READS, LOG_WRITES], "network": "lan", "traffic": TRAFFIC, **IN_KERNEL,
    },
    "measured": {
        "work": [READS, LOG_WRITES], "network": "lan", "traffic": TRAFFIC, "user_processors": 0,
    },
}  # fmt: skip
LEFT_OUT = [
    ("nfs", {"uses": None}, "its operations on disks"),
    ("database", {"user_processors": None}, "processor time of its own programs"),
    ("database", {"work": None}, "its operations on disks"),
    ("database", {"network": None, "traffic": None}, "data over its network"),
    ("database", {"traffic": None}, "data over network lan"),
    ("database", {"log": None}, "its log"),
    ("database", {"work": [READS]}, "writes on its log (volume log)"),
    ("timesharing", {"user_processors": None}, "processor time of its own programs"),
    ("timesharing", {"private_mb": None}, "memory of its sessions"),
    ("timesharing", {"private_mb": None, "shared_mb": 4}, "memory of its sessions"),
    ("timesharing", {"work": None}, "its operations on disks"),
    ("timesharing", {"network": None, "traffic": None}, "data over its network"),
    ("mail", {"network": None, "traffic": None}, "data over its network"),
    ("mail", {"message_kb": None, "retention_days": None}, "room for kept messages"),
    ("mail", {"user_processors": None}, "processor time of its own programs"),
    ("serial", {"kernel_ms_per_s": None, "measured_on": None}, "processor time of lines on boards"),
    ("print", {"kernel_ms_per_s": None, "measured_on": None}, "processor time of lines on boards"),
    ("batch", {"job_mb": None}, "memory of its jobs"),
    ("batch", {"work": None}, "its operations on disks"),
    ("paging", {"volume": None}, "page faults on disks"),
    ("serial", {"bits_per_s": None}, "data of lines on a terminal server"),
    ("serial", {"memory_mb": None}, "sessions of people at its lines"),
    ("print", {"work": None}, "waiting jobs on disks"),
    ("print", {"network": None, "traffic": None}, "data over its network"),
    (
        "print",
        {"printers": [{**DRAWN, "raster_mb": None}]},
        "memory for pages that the server draws",
    ),
    (
        "print",
        {"printers": [{**DRAWN, "raster_processors": None}]},
        "processor time for pages that the server draws",
    ),
    (
        "print",
        {"printers": [{"name": "plotter", "attached": "scsi"}]},
        "targets and data of SCSI printers",
    ),
    ("measured", {"traffic": None}, "data over network lan"),
    ("measured", {"user_processors": None}, "processor time of its own programs"),
]


def workload(kind: str, changes: Plain | None = None, **more: Any) -> Plain:
    service = {"kind": kind, "name": "service", **WHOLE[kind], **(changes or {})}
    return {
        "name": "w", "networks": [{"name": "lan"}] if service.get("network") else [],
        "volumes": VOLUMES, "backup": {},
        "services": [{key: value for key, value in service.items() if value is not None}], **more,
    }  # fmt: skip


def omitted(plain: Plain) -> list[tuple[str, str]]:
    return [(each.subject, each.what) for each in find_omissions(read(plain))]


@pytest.mark.parametrize("kind", WHOLE)
def test_nothing_is_said_of_a_service_that_states_everything(kind: str) -> None:
    assert omitted(workload(kind)) == []


@pytest.mark.parametrize(("kind", "changes", "what"), LEFT_OUT)
def test_what_a_service_does_not_state_is_listed(kind: str, changes: Plain, what: str) -> None:
    assert ("service", what) in omitted(workload(kind, changes))


EACH = small.given(24, unit="MB/client")
FOR_CLIENTS = "240 MB for roots and swap space of its diskless clients"


@pytest.mark.parametrize(
    ("size_mb", "changes", "listed"),
    [
        (200, {}, [f"40 MB of {FOR_CLIENTS}"]),
        (250, {}, []),
        (250, {"read_only": True}, [FOR_CLIENTS]),
        # Data that is not stated gets a volume; so do clients without one.
        (200, {"uses": None}, []),
        (200, {"diskless": False}, []),
        # As many as there are at least.
        (230, {"clients": [9, 12], "active": 5}, []),
    ],
)
def test_diskless_clients_without_room_for_their_roots_are_listed(
    size_mb: float, changes: Plain, listed: list[str]
) -> None:
    data = {"name": "data", "size_mb": size_mb, "access": "random"}
    of_volume = {key: changes[key] for key in changes.keys() & {"read_only"}}
    of_service = {key: changes[key] for key in changes.keys() - {"read_only"}}
    clients = {"clients": 10, "active": 5, "diskless": True, "uses": ["data"], **of_service}
    stated = workload("nfs", clients, volumes=[data | of_volume, VOLUMES[1]])
    found = find_omissions(read(stated), True, EACH)
    assert [o.what for o in found if FOR_CLIENTS in o.what] == listed


def test_diskless_clients_of_two_services_have_their_roots_once() -> None:
    stated = workload("nfs", {"clients": 10, "active": 5, "diskless": True, "uses": ["data"]})
    roots = {**stated["services"][0], "name": "roots", "same_clients_as": "service"}
    del roots["uses"]
    stated["volumes"] = [VOLUMES[0] | {"size_mb": 10}, VOLUMES[1]]
    both = read({**stated, "services": [*stated["services"], roots]})
    assert not [o for o in find_omissions(both, True, EACH) if "diskless" in o.what]
    names = [volume.name for volume in demand_of(both, load_guide("sun-1992")).volumes]
    assert names.count("diskless clients of roots") == 1


@pytest.mark.parametrize(
    ("kind", "source"), [("timesharing", "serial"), ("print", "serial"), ("print", "timesharing")]
)
def test_sessions_on_lines_and_jobs_of_sessions_need_no_network(kind: str, source: str) -> None:
    plain = workload(kind, {"network": None, "traffic": None})
    other = {"kind": source, "name": "source", **WHOLE[source]}
    both = {**plain, "networks": [{"name": "lan"}], "services": [*plain["services"], other]}
    assert ("service", "data over its network") not in omitted(both)


def test_a_volume_that_nobody_uses_is_listed_unless_it_is_cold() -> None:
    idle = {"name": "idle", "size_mb": 10, "access": "random"}
    assert omitted(workload("nfs", volumes=[*VOLUMES, idle])) == [("idle", "any reads and writes")]
    cold = {**idle, "activity": "cold"}
    assert omitted(workload("nfs", volumes=[*VOLUMES, cold])) == []


@pytest.mark.parametrize("more", [{"read_only": True}, {"growth_mb_per_year": 5}])
def test_data_that_stays_as_it_is_while_rates_grow_is_listed(more: Plain) -> None:
    growth = {"percent": 10, "years": 2}
    constant = omitted(workload("nfs", growth=growth))
    assert constant == [("data", "growth of its data"), ("log", "growth of its data")]
    other = workload("nfs", growth=growth, volumes=[VOLUMES[0] | more, VOLUMES[1]])
    assert omitted(other) == [("log", "growth of its data")]
    assert omitted(workload("nfs", growth={"percent": 0, "years": 2})) == []


def test_a_workload_without_a_word_on_backups_is_told_so() -> None:
    plain = workload("nfs")
    del plain["backup"]
    assert [subject for subject, _ in omitted(plain)] == ["backups"]


@pytest.mark.parametrize("when", ["during_working_hours", "at_night_in_use"])
def test_reads_of_a_backup_while_the_system_is_in_use_are_said_to_be_left_out(when: str) -> None:
    """The guide states the load of its tapes (2.4.2), and none of what it reads."""
    plain = workload("measured", backup={when: True})
    assert omitted(plain) == [("backups", "reads of disks while the system is in use")]
    own = {"work": [READS | {"name": "backup"}, LOG_WRITES]}
    assert omitted(workload("measured", own, backup={when: True})) == []


@pytest.mark.parametrize("kind", ["nfs", "database", "mixed"])
def test_files_to_start_from_state_everything(kind: str) -> None:
    document = parse_document(starting_file(kind), "start.yaml")
    assert not list(find_omissions(read_workload(document)))


def test_a_network_that_no_service_uses_is_listed() -> None:
    networks = [{"name": name, "medium": "ethernet"} for name in ("lan", "spare")]
    assert omitted(workload("nfs", networks=networks)) == [("spare", "any data")]


def test_swap_space_does_not_grow_with_rates() -> None:
    swap = {"name": "swap", "size_mb": 100, "access": "random", "use": "swap"}
    found = omitted(workload("nfs", volumes=[*VOLUMES, swap], growth={"percent": 10, "years": 1}))
    assert found == [(name, "growth of its data") for name in ("data", "log")]


def test_sessions_are_stated_by_the_service_that_people_at_lines_use() -> None:
    found = workload("timesharing")
    lines = {"kind": "serial", "name": "lines", **WHOLE["serial"]}
    del lines["memory_mb"]
    assert omitted({**found, "services": [*found["services"], lines]}) == []


def test_lines_on_terminal_servers_and_printers_with_interfaces_of_their_own_are_timed() -> None:
    untimed = {"kernel_ms_per_s": None, "measured_on": None}
    lines = read(workload("serial", untimed))
    assert not [o for o in find_omissions(lines, on_boards=False) if "lines on" in o.what]
    drawn = read(workload("print", {**untimed, "printers": [DRAWN]}))
    assert not [o for o in find_omissions(drawn) if "lines on" in o.what]
