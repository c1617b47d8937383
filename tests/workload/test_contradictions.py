"""What a workload states twice is refused where it differs, and taken where it agrees."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from generated_workloads import Plain, text_of
from sizewright.documents import parse_document
from sizewright.errors import Diagnostic, InputError
from sizewright.limits import CONTRADICTION_SHARE
from sizewright.workload.reading import read_workload

Path = tuple[str | int, ...]

ORDERS: Plain = {"kind": "database", "name": "orders", "product": "oracle", "clients": 20}
DESKS: Plain = {"kind": "timesharing", "name": "desks", "sessions": 20}
NIGHT: Plain = {"kind": "batch", "name": "night", "jobs": 2}
FILES: Plain = {"kind": "nfs", "name": "files", "clients": 20, "load": {"ops_per_s_each": 1},
                "network": "office", "uses": ["rows", "roots"]}  # fmt: skip
REST: Plain = {"kind": "measured", "name": "rest", "memory_mb": 1}
POST: Plain = {"kind": "mail", "name": "post", "volume": "rows", "messages_a_day": 6000,
               "prime_messages": 4000, "prime_s": 7200, "temporary_files": 2}  # fmt: skip


def workload(*services: Plain, volumes: list[Plain] | None = None, **more: Any) -> Plain:
    """Such services over a volume of each pattern and one network."""
    both = [
        {"name": "rows", "size_mb": 500, "access": "random"},
        {"name": "scans", "size_mb": 500, "access": "serial"},
    ]
    named = [{"name": "office"}]
    found = {"name": "w", "networks": named, "volumes": volumes or both, "services": services}
    return copy.deepcopy({**found, "services": list(services), **more})


def faults(plain: Plain) -> list[Diagnostic]:
    """What is wrong with the workload as a file."""
    try:
        read_workload(parse_document(text_of(plain), "w.yaml"))
    except InputError as error:
        return list(error.faults)
    return []


def place(plain: Plain, path: Path) -> str:
    return str(parse_document(text_of(plain), "w.yaml").place(path))


def work(volume: str = "rows", service: Plain = ORDERS, **figures: Any) -> Plain:
    """A service with one piece of work."""
    return workload({**service, "work": [{"name": "one", "volume": volume, **figures}]})


WORK: Path = ("services", 0, "work", 0)
RUN = {"ops": 60, "every_s": 60}
GROWN = {"name": "home", "size_mb": 100, "access": "random", "growth_mb_per_year": 20}

# What states one quantity twice or a part with its whole, where it differs, the fault with its
# figures, and a value in the same place that agrees.
CASES: dict[str, tuple[Plain, Path, str, Any]] = {
    "a rate and runs of all clients": (
        work(ops_per_s=100, **RUN), (*WORK, "ops_per_s"), "are not 100 op/s, but 20 op/s", 20),
    "a rate and runs of those at work": (
        work(service={**ORDERS, "active": 5}, ops_per_s=20, **RUN), (*WORK, "ops_per_s"),
        "are not 20 op/s, but 5 op/s", 5),
    "a rate and runs of a share of the clients": (
        work(service={**ORDERS, "active": {"of": 10, "at_once": 3}}, ops_per_s=20, **RUN),
        (*WORK, "ops_per_s"), "are not 20 op/s, but 6 op/s", 6),
    "a rate and runs of sessions": (
        work(service={**DESKS, "active": 10}, ops_per_s=20, **RUN), (*WORK, "ops_per_s"),
        "are not 20 op/s, but 10 op/s", 10),
    "a rate and runs of clients that were measured": (
        work(service={**REST, "clients": 4}, ops_per_s=20, **RUN), (*WORK, "ops_per_s"),
        "are not 20 op/s, but 4 op/s", 4),
    "a rate and runs of a number": (
        work(ops_per_s=20, by=3, **RUN), (*WORK, "ops_per_s"), "are not 20 op/s, but 3 op/s", 3),
    "a rate and runs in bytes": (
        work(ops_per_s=20, by=1, mb=1, block_kb=8, every_s=64), (*WORK, "ops_per_s"),
        "are not 20 op/s, but 2 op/s", 2),
    "a rate and runs of rows by key": (
        work(ops_per_s=20, by=1, rows=120, row_byte=100, every_s=60), (*WORK, "ops_per_s"),
        "are not 20 op/s, but 2 op/s", 2),
    "a rate and runs of rows in sequence": (
        work("scans", ops_per_s=20, by=1, rows=1024, row_byte=80, block_kb=8, every_s=5),
        (*WORK, "ops_per_s"), "are not 20 op/s, but 2 op/s", 2),
    "bytes and operations": (
        work(mb=1, ops=900, block_kb=8, every_s=60), (*WORK, "ops"), "not 1 MB, but 7.031 MB", 128),
    "bytes and rows in sequence": (
        work("scans", mb=1, rows=50, row_byte=1024, every_s=60), (*WORK, "rows"),
        "not 1 MB, but 0.04883 MB", 1024),
    "bytes and rows by key": (
        work(mb=1, rows=50, row_byte=100, block_kb=8, every_s=60), (*WORK, "rows"),
        "not 1 MB, but 0.3906 MB", 128),
    "operations and rows by key": (
        work(ops=60, rows=50, row_byte=100, every_s=60), (*WORK, "rows"),
        "not 60 op, but 50 op", 60),
    "operations and rows in sequence": (
        work("scans", ops=60, rows=512, row_byte=80, block_kb=8, every_s=60), (*WORK, "rows"),
        "not 60 op, but 5 op", 6144),
    "bytes and packets": (
        workload({**REST, "network": "office",
                  "traffic": {"kb_per_s": 20, "packets_per_s": 100, "packet_byte": 512}}),
        ("services", 0, "traffic", "kb_per_s"), "are not 20 KB/s, but 50 KB/s", 50),
    "memory as a whole and of sessions": (
        workload({**DESKS, "memory_mb": 100, "private_mb": 8, "shared_mb": 2}),
        ("services", 0, "memory_mb"), "are not 100 MB, but 162 MB", 162),
    "memory as a whole and what each session keeps": (
        workload({**DESKS, "memory_mb": 100, "private_mb": 8}),
        ("services", 0, "private_mb"), "160 MB are more than memory_mb: 100 MB", 2),
    "memory as a whole and what sessions share": (
        workload({**DESKS, "memory_mb": 100, "shared_mb": 101}),
        ("services", 0, "shared_mb"), "101 MB are more than memory_mb: 100 MB", 100),
    "memory as a whole and of jobs": (
        workload({**NIGHT, "memory_mb": 40, "job_mb": 12}),
        ("services", 0, "memory_mb"), "are not 40 MB, but 24 MB", 24),
    "memory as a whole and of connections": (
        workload({**ORDERS, "memory_mb": 30, "per_client_mb": 2}),
        ("services", 0, "per_client_mb"), "40 MB are more than memory_mb: 30 MB", 1),
    "messages of busy hours and of the day": (
        workload({**POST, "prime_messages": 7000}), ("services", 0, "prime_messages"),
        "7000 op are more than those of the whole day: 6000 op", 6000),
    "messages a second in busy hours and over the day": (
        workload({**POST, "messages_a_day": 86400}), ("services", 0, "messages_a_day"),
        "1 op/s are more than those of the busy hours: 0.5556 op/s", 48000),
    "clients and the service that counts them": (
        workload(ORDERS, {**ORDERS, "name": "more", "clients": 21, "same_clients_as": "orders"}),
        ("services", 1, "clients"), "21 clients are more than those of orders: 20 clients", 20),
    "clients and the sessions that count them": (
        workload(DESKS, {**ORDERS, "clients": 21, "same_clients_as": "desks"}),
        ("services", 1, "clients"), "21 clients are more than those of desks: 20 clients", 3),
    "data in memory and the whole": (
        workload(REST, volumes=[{"name": "home", "size_mb": 48, "access": "random",
                                 "cached_mb": 50}]),
        ("volumes", 0, "cached_mb"), "50 MB are more than the whole of home: 48 MB", 48),
    "data in memory and the whole after growth": (
        workload(REST, volumes=[{**GROWN, "cached_mb": 150}], growth={"percent": 0, "years": 2}),
        ("volumes", 0, "cached_mb"), "150 MB are more than the whole of home: 140 MB", 140),
    "a layer and the use of its volume": (
        workload({**ORDERS, "layer": "raw", "work": [
            {"name": each, "volume": "home", "ops_per_s": 1} for each in ("one", "two")]},
            volumes=[{"name": "home", "size_mb": 48, "access": "random", "use": "file_system"}]),
        ("services", 0, "layer"), "raw contradicts use: file_system of volume home", "file_system"),
    "a layer of work and the use of its volume": (
        work("home", layer="file_system", ops_per_s=1) | {
            "volumes": [{"name": "home", "size_mb": 48, "access": "random", "use": "raw"}]},
        (*WORK, "layer"), "file_system contradicts use: raw of volume home", "raw"),
    "files for clients and the server's own system": (
        workload(FILES, volumes=[
            {"name": "rows", "size_mb": 48, "access": "random"},
            {"name": "roots", "size_mb": 48, "access": "random", "use": "root"}]),
        ("services", 0, "uses"), "volume roots has use: root, the operating system", ["rows"]),
    "one thread and all processors": (
        workload({**REST, "takes_all_processors": True, "single_threaded": True}),
        ("services", 0, "takes_all_processors"), "never more than one", False),
    "one thread and processors kept busy": (
        workload({**REST, "user_processors": 2, "single_threaded": True}),
        ("services", 0, "user_processors"), "2 are more than single_threaded takes: 1", [1, 2]),
    "one thread and processors kept busy by work": (
        work(service={**REST, "single_threaded": True}, ops_per_s=1, user_processors=1.5),
        (*WORK, "user_processors"), "1.5 are more than single_threaded takes: 1", 1),
    "one thread and jobs in a process each": (
        workload({**NIGHT, "single_threaded": True}), ("services", 0, "jobs"),
        "2 are more than single_threaded takes: 1", 1),
}  # fmt: skip


def changed(plain: Plain, path: Path, value: Any) -> Plain:
    plain = copy.deepcopy(plain)
    below: Any = plain
    for step in path[:-1]:
        below = below[step]
    below[path[-1]] = value
    return plain


@pytest.mark.parametrize("name", CASES)
def test_what_contradicts_itself_is_refused_once_where_it_stands(name: str) -> None:
    plain, path, told, _ = CASES[name]
    (fault,) = faults(plain)
    assert str(fault.place) == place(plain, path)
    assert told in fault.what
    assert fault.expected


@pytest.mark.parametrize("name", CASES)
def test_what_agrees_is_taken(name: str) -> None:
    plain, path, _, right = CASES[name]
    assert faults(changed(plain, path, right)) == []


@pytest.mark.parametrize(
    ("figures", "field"),
    [
        ({"mb": 1, "ops": 128, "every_s": 60}, "ops"),
        ({"mb": 1, "rows": 128, "row_byte": 8192, "every_s": 60}, "rows"),
        ({"volume": "scans", "ops": 1, "rows": 128, "row_byte": 64, "every_s": 60}, "rows"),
        ({"ops_per_s": 5, "mb": 1, "every_s": 60}, "ops_per_s"),
        ({"volume": "scans", "ops_per_s": 5, "rows": 128, "row_byte": 64, "every_s": 60},
         "ops_per_s"),
    ],
)  # fmt: skip
def test_what_is_told_by_bytes_and_by_operations_needs_their_size(
    figures: Plain, field: str
) -> None:
    plain = work(**figures)
    (fault,) = faults(plain)
    assert "the size of an operation is unknown" in fault.what
    assert fault.expected == "one of the two, or block_kb"
    assert str(fault.place) == place(plain, (*WORK, field))


def test_an_access_of_its_own_goes_before_that_of_the_volume() -> None:
    rows = {"ops": 50, "rows": 50, "row_byte": 100, "every_s": 60}
    assert faults(work("scans", access="random", **rows)) == []
    assert len(faults(work(access="serial", block_kb=8, **rows))) == 1


def test_work_that_goes_as_fast_as_its_disks_has_no_second_rate() -> None:
    plain = work(ops_per_s=100, as_fast_as_disks=True, by=1, **RUN)
    (fault,) = faults(plain)
    assert "as fast as its disks" in fault.what


def _writers() -> list[tuple[Plain, Path]]:
    update = [{"name": "one", "volume": "rows", "operation": "update", "ops_per_s": 3}]
    write = [{"name": "one", "volume": "rows", "operation": "write", "ops_per_s": 0}]
    paging = {"kind": "paging", "name": "memory", "faults_per_s": 5, "volume": "rows"}
    return [
        ({**ORDERS, "work": update}, ("work", 0, "operation")),
        ({**REST, "work": write}, ("work", 0, "operation")),
        ({**ORDERS, "log": "rows"}, ("log",)),
        (POST, ("volume",)),
        ({"kind": "print", "name": "paper", "spool": "rows"}, ("spool",)),
        ({**paging, "reads_percent": [20, 90]}, ("reads_percent",)),
    ]


@pytest.mark.parametrize(("service", "path"), _writers(), ids=lambda value: str(value)[:40])
def test_what_takes_no_writes_is_not_written(service: Plain, path: Path) -> None:
    plain = workload(service)
    assert faults(plain) == []
    plain["volumes"][0]["read_only"] = True
    (fault,) = faults(plain)
    assert fault.what.endswith("writes on rows, which is read_only")
    assert fault.expected == "a volume that takes writes"
    assert str(fault.place) == place(plain, ("services", 0, *path))


def test_what_takes_no_writes_is_read() -> None:
    paging = {"kind": "paging", "name": "memory", "faults_per_s": 5, "volume": "rows"}
    services = (
        {**ORDERS, "work": [{"name": "one", "volume": "rows", "ops_per_s": 3}]},
        paging,
        {**paging, "name": "other", "reads_percent": [90, 100]},
    )
    plain = workload(*services)
    plain["volumes"][0]["read_only"] = True
    assert faults(plain) == []


def test_growth_for_no_years_is_the_only_fault_of_data_in_memory() -> None:
    plain = workload(REST, volumes=[{**GROWN, "cached_mb": 150}])
    (fault,) = faults(plain)
    assert "no horizon" in fault.what


AMOUNTS = st.integers(1, 10_000)


@given(AMOUNTS, AMOUNTS, st.integers(1, 500), st.floats(0.5, 2), st.booleans())
@example(60, 60, 20, 1 + CONTRADICTION_SHARE - 0.001, False)
@example(60, 60, 20, 1 + CONTRADICTION_SHARE + 0.001, False)
@example(60, 60, 20, 1 / (1 + CONTRADICTION_SHARE) - 0.001, True)
@example(60, 60, 20, 1 / (1 + CONTRADICTION_SHARE) + 0.001, True)
def test_a_rate_is_refused_just_where_it_is_a_tenth_off(
    ops: int, every_s: int, clients: int, factor: float, stated: bool
) -> None:
    spare = 1 + CONTRADICTION_SHARE
    assume(abs(factor / spare - 1) > 1e-6 and abs(factor * spare - 1) > 1e-6)
    figures: Plain = {"ops": ops, "every_s": every_s, "ops_per_s": ops / every_s * clients * factor}
    if stated:
        plain = work(by=clients, **figures)
    else:
        plain = work(service={**ORDERS, "clients": clients}, **figures)
    assert len(faults(plain)) == (not 1 / spare < factor < spare)


@given(st.tuples(AMOUNTS, AMOUNTS).map(sorted), st.tuples(AMOUNTS, AMOUNTS).map(sorted))
@example([90, 105], [115, 200])
@example([90, 105], [116, 200])
def test_ranges_contradict_each_other_where_they_lie_apart(
    one: list[int], other: list[int]
) -> None:
    plain = workload({**NIGHT, "jobs": 1, "job_mb": one, "memory_mb": other})
    apart = 10 * max(one[0], other[0]) > 11 * min(one[1], other[1])
    assert len(faults(plain)) == apart


@given(st.tuples(AMOUNTS, AMOUNTS).map(sorted), st.tuples(AMOUNTS, AMOUNTS).map(sorted))
def test_a_part_may_be_as_large_as_its_whole_and_no_larger(
    part: list[int], size: list[int]
) -> None:
    volume = {"name": "home", "size_mb": size, "access": "random", "cached_mb": part}
    assert len(faults(workload(REST, volumes=[volume]))) == (part[0] > size[1])
