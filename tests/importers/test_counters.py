from __future__ import annotations

import pytest

from importers.outputs import COUNTERS, KNOWN, PAGING, VERSIONS, text
from sizewright.errors import InputError
from sizewright.importers.nfs_counters import read_nfs_counters
from sizewright.importers.reports import Observation

LATER = COUNTERS.replace("400 40%", "640 40%").replace("200 20%", "500 20%").replace(
    "50  5%", "110 5%")  # fmt: skip


def seen(
    content: str, later: str | None = None, side: str = "server", seconds: float | None = None
) -> Observation:
    second = None if later is None else text(later, "later.txt")
    return read_nfs_counters(text(content), second, KNOWN, side, seconds)


def faults(content: str, later: str | None = None, side: str = "server") -> list[str]:
    with pytest.raises(InputError) as refused:
        seen(content, later, side)
    return [fault.text() for fault in refused.value.faults]


def test_the_mix_alone_without_a_time() -> None:
    found = seen(COUNTERS)
    # 400 + 10 + 300 + 20 + 200 + 50 + 10 + 10 = 1000 calls.
    assert found.observed == {"nfs": {"reads_percent": 20, "writes_percent": 5}}
    assert any("--seconds" in note for note in found.notes)
    assert any("since boot" in note for note in found.notes)


def test_the_rate_with_a_time() -> None:
    found = seen(COUNTERS, seconds=250)
    assert found.observed["nfs"] == {"ops_per_s": 4, "reads_percent": 20, "writes_percent": 5}


def test_between_two_readings() -> None:
    found = seen(COUNTERS, LATER, seconds=60)
    # 240 + 300 + 60 = 600 calls, 300 of them reads, 60 writes.
    assert found.observed["nfs"] == {"ops_per_s": 10, "reads_percent": 50, "writes_percent": 10}
    assert found.notes == ()


def test_a_clients_calls_are_taken_when_asked_for_only() -> None:
    assert seen(COUNTERS, side="client").observed["nfs"]["reads_percent"] == 50
    alone = COUNTERS[COUNTERS.index("Client rpc") :]
    assert faults(alone) == [
        "out.txt:1: no calls of a server are counted here\n"
        "  try --side client, where a client's counters are meant"
    ]


def test_versions_and_compound_calls() -> None:
    found = seen(VERSIONS, seconds=10)
    # 100 calls of one version and 100 compounds; 30 + 20 reads, 10 + 10 writes; no callbacks.
    assert found.observed["nfs"] == {"ops_per_s": 20, "reads_percent": 25, "writes_percent": 10}
    assert any("compound calls" in note for note in found.notes)


def test_versions_below_the_heading_of_their_side() -> None:
    output = """\
Server nfs:
calls      badcalls
150        0
Version 2: (50 calls)
null       read       write
10 20%     30 60%     10 20%
Version 4: (100 calls)
null       compound
0 0%       100 100%
Version 4: (200 operations)
reserved   read       write
0 0%       45 22%     5 2%

Server nfs_acl:
Version 2: (900 calls)
null       getacl
0 0%       900 100%
"""
    assert seen(output).observed["nfs"] == {"reads_percent": 50, "writes_percent": 10}


def test_counters_of_another_program() -> None:
    output = "Server nfs_acl:\nVersion 2: (9 calls)\nnull       getacl\n0 0%       9 100%\n"
    assert faults(output) == ["out.txt:1: no line is a heading that nfsstat prints"]


def test_every_counter_that_runs_backwards() -> None:
    assert faults(LATER, COUNTERS) == [
        "later.txt:10: server getattr runs backwards: 400 after 640\n"
        "  the machine was restarted in between, or the files are in the wrong order",
        "later.txt:10: server read runs backwards: 200 after 500\n"
        "  the machine was restarted in between, or the files are in the wrong order",
        "later.txt:12: server write runs backwards: 50 after 110\n"
        "  the machine was restarted in between, or the files are in the wrong order",
    ]


def test_readings_that_do_not_count_the_same() -> None:
    (fault,) = faults(COUNTERS, LATER.replace("fsstat", "statfs"))[:1]
    assert fault == "later.txt:14: server statfs is counted here, and not in out.txt"


def test_nothing_was_counted_in_between() -> None:
    assert faults(COUNTERS, COUNTERS) == [
        "later.txt:1: the server counted no calls\n  expected some calls"
    ]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("    200 20%", "", "10: 6 counts are below 7 names (line 9)"),
        ("400 40%", "4OO 40%", "10: '4OO' is not a count with its share"),
        ("400 40%", "-40 40%", "10: '-' is not a count with its share"),
        ("400 40%", "9" * 31 + " 40%", "10: a count is too long"),
        ("0  0%      50  5%     10  1%     10  1%     0  0%      0  0%      0  0%\n", "",
         "11: there are no counts below these names"),
        ("wrcache    write      create     remove     rename     link       symlink\n", "",
         "11: there are no names of procedures above these counts"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_counters(old: str, new: str, fault: str) -> None:
    assert faults(COUNTERS.replace(old, new))[0].splitlines()[0] == f"out.txt:{fault}"


def test_an_output_that_is_cut_off() -> None:
    cut = COUNTERS[: COUNTERS.index("0  0%      400")]
    assert faults(cut)[0].startswith("out.txt:9: there are no counts below these names")


def test_the_output_of_another_tool() -> None:
    (fault,) = faults(PAGING)
    assert "no line is a heading that nfsstat prints; it looks like the output of vmstat" in fault


def test_both_readings_are_looked_at() -> None:
    found = faults(PAGING, COUNTERS.replace("400 40%", "x"))
    assert [one.partition(":")[0] for one in found] == ["later.txt", "out.txt"]
