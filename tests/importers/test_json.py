from __future__ import annotations

import json
from typing import Any

import pytest

from importers.outputs import KNOWN, text
from sizewright.errors import InputError
from sizewright.importers.nfs_counters import read_nfs_counters
from sizewright.importers.reports import Observation, read_observation

Json = dict[str, Any]


def output(*statistics: Json, hosts: int = 1) -> str:
    host = {"nodename": "a", "number-of-cpus": 2, "statistics": list(statistics)}
    return json.dumps({"sysstat": {"hosts": [host] * hosts}}, indent="\t")


def processor(user: float) -> Json:
    return {"user": user, "nice": 1.0, "system": 4.0, "iowait": 5.0, "steal": 0, "idle": 90 - user}


def seen(content: str, tool: str, **options: Any) -> Observation:
    return read_observation(text(content), tool, KNOWN, **options)


def fault(content: str, tool: str) -> str:
    with pytest.raises(InputError) as refused:
        seen(content, tool)
    return str(refused.value)


@pytest.mark.parametrize(
    ("columns", "figures"),
    [
        (
            {"tps": 30.0, "kB_read/s": 100.0, "kB_wrtn/s": 20.0},
            {"ops_per_s": 30, "read_kb_per_s": 100, "write_kb_per_s": 20},
        ),
        # 1 MB is 1024 KB.
        (
            {"tps": 30.0, "MB_read/s": 1.0, "MB_wrtn/s": 0.5},
            {"ops_per_s": 30, "read_kb_per_s": 1024, "write_kb_per_s": 512},
        ),
        (
            {"r/s": 10.0, "w/s": 5.0, "rkB/s": 80.0, "wkB/s": 40.0, "util": 12.5},
            {
                "reads_per_s": 10, "writes_per_s": 5, "read_kb_per_s": 80, "write_kb_per_s": 40,
                "busy_percent": 12.5,
            },
        ),
        (
            {"r/s": 10.0, "w/s": 5.0, "rMB/s": 2.0, "wMB/s": 1.0},
            {"reads_per_s": 10, "writes_per_s": 5, "read_kb_per_s": 2048, "write_kb_per_s": 1024},
        ),
    ],
)  # fmt: skip
def test_disks_in_every_unit(columns: Json, figures: Json) -> None:
    reports = [
        {"avg-cpu": processor(user), "disk": [{"disk_device": "sda", **columns}]}
        for user in (1, 10, 20)
    ]
    found = seen(output(*reports), "io")
    assert found.observed["reports"]["iostat"] == [
        {
            "cpu": {
                "user_percent": user + 1, "system_percent": 4, "wait_percent": 5,
                "idle_percent": 90 - user,
            },
            "disks": {"sda": figures},
        }
        for user in (10, 20)
    ]  # fmt: skip
    assert found.notes[0] == "the first report is an average since boot and was left out"


def interval(**parts: Any) -> Json:
    return {"timestamp": {"date": "2024-01-02", "time": "10:00:00", "interval": 600}, **parts}


def test_reports_of_an_interval_are_all_kept() -> None:
    disk = {"disk-device": "sda", "tps": 4.0, "util-percent": 10.0}
    load = [{"cpu": "all", **processor(10)}, {"cpu": "0", **processor(80)}]
    found = seen(
        output(
            interval(**{"cpu-load": load, "disk": [{**disk, "rkB": 8.0, "wkB": 2.0}]}),
            # Sectors of 512 bytes: 10 / 2 and 30 / 2 KB.
            interval(**{"cpu-load": load, "disk": [{**disk, "rd_sec": 10.0, "wr_sec": 30.0}]}),
        ),
        "io",
    )
    assert found.notes == ()
    reports = found.observed["reports"]["iostat"]
    assert [one["cpu"]["user_percent"] for one in reports] == [11, 11]
    assert [one["disks"]["sda"] for one in reports] == [
        {"ops_per_s": 4, "read_kb_per_s": read, "write_kb_per_s": written, "busy_percent": 10}
        for read, written in ((8, 2), (5, 15))
    ]
    assert {(one["at"], one["seconds"]) for one in reports} == {("2024-01-02 10:00:00", 600)}


def test_paging_of_an_interval() -> None:
    found = seen(
        output(
            interval(
                **{
                    "paging": {"pgpgin": 900.0, "pgscank": 3.0, "pgscand": 1.0},
                    "swap-pages": {"pswpin": 2.0, "pswpout": 5.0},
                }
            )
        ),
        "vm",
    )
    # What goes through the file cache is no shortage of memory.
    assert found.observed == {
        "paging": {"scans_per_s": 4, "page_ins_per_s": 2, "page_outs_per_s": 5}
    }


def test_calls_of_an_interval() -> None:
    calls = {"scall": 200.0, "sread": 50.0, "swrite": 20.0}
    quiet = {"scall": 0.0, "sread": 0.0, "swrite": 0.0}
    reports = [interval(network={"net-nfsd": one}) for one in (calls, quiet)]
    found = read_nfs_counters(text(output(*reports)), None, KNOWN, "server", None)
    # A quiet interval has a rate, and no mix.
    assert [one["nfs"] for one in found.observed["reports"]["nfsstat"]] == [
        {"ops_per_s": 200, "reads_percent": 25, "writes_percent": 10}, {"ops_per_s": 0},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('{"sysstat": {"hosts": [', "out.txt:1:24: is not valid JSON"),
        ('{"sysstat": {\n"hosts" 1}}', "out.txt:2:9: is not valid JSON"),
        ('{"other": 1}', "it has no reports at sysstat.hosts.statistics"),
        ("[1, 2]", "it describes 2 machines"),
        (output(hosts=2), "it describes 2 machines"),
        (output(), "it has no reports"),
        ("[" * 100_000, "is nested too deeply"),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a": 1' + "0" * 5000 + "}", "cannot be used"),
        (output({"disk": [{"tps": 1.0}]}), "statistics[0].disk[0] has no disk_device"),
        (output({"disk": [7]}), "statistics[0].disk[0] is 7"),
        (output({"disk": [{"disk_device": "a", "tps": "x"}]}), "disk[0].tps is 'x'"),
        (output({"disk": [{"disk_device": "a", "tps": -1}]}), "disk[0].tps is -1"),
        (output({"disk": [{"disk_device": "a", "tps": True}]}), "disk[0].tps is true"),
        (
            output(interval(network={"net-nfsd": {"scall": 1.0}})),
            "it has what these read: sizewright box from-nfsstat",
        ),
    ],
)
def test_what_is_wrong_with_json(content: str, what: str) -> None:
    assert what in fault(content, "io")


def test_all_faults_of_a_report_at_once() -> None:
    disk = {"disk_device": "a", "tps": "x", "kB_read/s": None}
    assert len(fault(output({"disk": [disk]}), "io").splitlines()) == 4
