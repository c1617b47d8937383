"""What `vmstat -S` prints of swapping, and the processes that any vmstat shows as swapped out."""

from __future__ import annotations

from sizewright.importers.formats import Text, load_formats
from sizewright.importers.reports import read_observation

SWAPPING = """\
 procs     memory            page               disk       faults     cpu
 r b w   avm   fre  si so  pi  po  fr  de  sr s0 s1 d2 d3  in  sy  cs us sy id
 0 0 0     0  1000   0  0   0   0   0   0   0  0  0  0  0   9   9   9  5  5 90
 1 0 2     0   500   0  1   0   0   0   0  50  0  0  0  0   9   9   9 20 30 50
 1 0 4     0   500   2  3   0   0   0   0  50  0  0  0  0   9   9   9 20 30 50
"""


def test_swap_outs_and_swapped_processes_are_read() -> None:
    text = Text("vm.txt", tuple(SWAPPING.splitlines()))
    found = read_observation(text, "vm", load_formats()).observed["reports"]["vmstat"]
    assert [one["swapping"] for one in found] == [
        {"processes": 2, "outs_per_s": 1}, {"processes": 4, "outs_per_s": 3},
    ]  # fmt: skip
    assert [one["paging"]["scans_per_s"] for one in found] == [50, 50]
