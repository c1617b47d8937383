from __future__ import annotations

from typing import Any

import pytest

from importers.outputs import (
    COUNTERS,
    KNOWN,
    NAME_LAST,
    ONE_A_LINE,
    PAGING,
    SIDE_BY_SIDE,
    SUMS,
    SWAPPING,
    TWO_KINDS,
    UTILISATION,
    text,
)
from sizewright.errors import InputError
from sizewright.importers.reports import Observation, read_observation

ONE_BY_ONE = "reports count one by one; --seconds, the length of each, forms hourly means"
SINCE_BOOT = "the first report is an average since boot and was left out"


def seen(content: str, tool: str, **options: Any) -> Observation:
    return read_observation(text(content), tool, KNOWN, **options)


def each(found: Observation, *path: str) -> list[Any]:
    """The value at a path in each report; None where a report has none."""
    (reports,) = found.observed["reports"].values()
    values: list[Any] = reports
    for step in path:
        values = [one and one.get(step) for one in values]
    return values


def faults(content: str, tool: str) -> list[str]:
    with pytest.raises(InputError) as refused:
        seen(content, tool)
    return [fault.text() for fault in refused.value.faults]


# --- disks ----------------------------------------------------------------------------------------


def test_disks_side_by_side() -> None:
    found = seen(SIDE_BY_SIDE, "io")
    # The second and the third report; user time with niced.
    assert found.observed == {
        "reports": {
            "iostat": [
                {
                    "disks": {
                        "sd0": {"ops_per_s": 20, "kb_per_s": 120},
                        "sd1": {"ops_per_s": 10, "kb_per_s": 40},
                    },
                    "cpu": {"user_percent": 15, "system_percent": 25, "idle_percent": 60},
                },
                {
                    "disks": {
                        "sd0": {"ops_per_s": 40, "kb_per_s": 240},
                        "sd1": {"ops_per_s": 10, "kb_per_s": 40},
                    },
                    "cpu": {"user_percent": 25, "system_percent": 35, "idle_percent": 40},
                },
            ]
        }
    }
    assert found.notes == (SINCE_BOOT, ONE_BY_ONE)


def test_reports_have_the_length_that_is_stated_and_the_time_that_is_printed() -> None:
    dated = "Thu Nov  5 10:00:00 1992\n" + SIDE_BY_SIDE + "Thu Nov  5 10:01:30 GMT 1992\n"
    last = SIDE_BY_SIDE.splitlines()[-1]
    found = seen(dated + last + "\n", "io", seconds=90)
    assert each(found, "seconds") == [90, 90, 90]
    assert each(found, "at") == [*["1992-11-05 10:00:00"] * 2, "1992-11-05 10:01:30"]
    assert found.notes == (SINCE_BOOT,)


def test_the_first_report_is_kept_where_it_is_no_average() -> None:
    found = seen(SIDE_BY_SIDE, "io", keep_first=True)
    assert each(found, "disks", "sd0", "ops_per_s") == [1, 20, 40]
    assert found.notes == (ONE_BY_ONE,)


def test_a_single_report_is_kept_with_a_warning() -> None:
    found = seen("".join(SIDE_BY_SIDE.splitlines(keepends=True)[:3]), "io")
    assert found.observed["disks"]["sd0"] == {"ops_per_s": 1, "kb_per_s": 3}
    assert found.notes == ("the only report is an average since boot, which hides the busy hours",)


def test_reads_writes_and_utilisation() -> None:
    assert seen(UTILISATION, "io").observed == {
        "disks": {
            "sd0": {"reads_per_s": 20, "writes_per_s": 11, "busy_percent": 60},
            "sd1": {"reads_per_s": 3, "writes_per_s": 1, "busy_percent": 8.5},
        }
    }


def test_one_disk_a_line_with_the_processor_in_the_first() -> None:
    assert seen(ONE_A_LINE, "io").observed == {
        "disks": {
            "sd0": {
                "reads_per_s": 2.5, "writes_per_s": 3, "read_kb_per_s": 20, "write_kb_per_s": 24.5,
                "busy_percent": 10,
            },
            "sd1": {
                "reads_per_s": 4, "writes_per_s": 1, "read_kb_per_s": 32, "write_kb_per_s": 8,
                "busy_percent": 8,
            },
        },
        "cpu": {"user_percent": 4, "system_percent": 16, "wait_percent": 20, "idle_percent": 60},
    }  # fmt: skip


def test_the_name_of_the_disk_in_the_last_column() -> None:
    assert seen(NAME_LAST, "io").observed == {
        "disks": {
            "c0t3d0": {
                "reads_per_s": 1, "writes_per_s": 2, "read_kb_per_s": 8, "write_kb_per_s": 16,
                "busy_percent": 3,
            }
        }
    }  # fmt: skip


def test_the_average_since_boot_is_left_out_of_each_kind_of_block() -> None:
    """`iostat -xnc` prints processors and then disks at each moment."""
    found = seen(TWO_KINDS, "io")
    # The second and the third block of each kind.
    assert each(found, "cpu", "user_percent") == [20, 40]
    assert each(found, "disks", "c0t3d0") == [
        {
            "reads_per_s": 30, "writes_per_s": 10, "read_kb_per_s": 240, "write_kb_per_s": 80,
            "busy_percent": 70,
        },
        {
            "reads_per_s": 40, "writes_per_s": 20, "read_kb_per_s": 320, "write_kb_per_s": 160,
            "busy_percent": 90,
        },
    ]  # fmt: skip
    assert found.notes == (SINCE_BOOT, ONE_BY_ONE)


def test_two_kinds_of_blocks_without_an_average_since_boot() -> None:
    """The first report of `iostat -y` is not since boot."""
    found = seen(TWO_KINDS, "io", keep_first=True)
    assert each(found, "disks", "c0t3d0", "busy_percent") == [1, 70, 90]
    assert each(found, "cpu", "system_percent") == [1, 30, 30]


def test_processors_alone() -> None:
    found = seen("      cpu\n us sy wt id\n  1  2  3 94\n 10 20 30 40\n", "io")
    assert found.observed == {
        "cpu": {"user_percent": 10, "system_percent": 20, "wait_percent": 30, "idle_percent": 40}
    }


def test_the_heading_comes_again() -> None:
    lines = SIDE_BY_SIDE.splitlines(keepends=True)
    again = "".join([*lines[:4], *lines[:2], lines[4]])
    assert seen(again, "io").observed == seen(SIDE_BY_SIDE, "io").observed


# --- memory and processors ------------------------------------------------------------------------


def test_paging_in_pages_where_the_size_of_a_page_is_known() -> None:
    found = seen(PAGING, "vm", page_kb=4)
    # 8 and 16 KB in, 4 and 0 KB out, by pages of 4 KB.
    assert each(found, "paging", "page_ins_per_s") == [2, 4]
    assert each(found, "paging", "page_outs_per_s") == [1, 0]
    assert each(found, "paging", "scans_per_s") == [2, 0]
    assert each(found, "cpu", "user_percent") == [20, 10]
    assert each(found, "swapping", "processes") == [0, 0]
    assert SINCE_BOOT in found.notes


def test_without_the_size_of_a_page_nothing_is_said_in_pages() -> None:
    found = seen(PAGING, "vm")
    assert each(found, "paging") == [{"scans_per_s": 2}, {"scans_per_s": 0}]
    assert any("--page-kb" in note for note in found.notes)


def test_no_paging_needs_no_size() -> None:
    quiet = SWAPPING.replace("  16    8", "   0    0")
    found = seen(quiet, "vm")
    assert found.observed["paging"] == {"page_ins_per_s": 0, "page_outs_per_s": 0}
    assert not any("--page-kb" in note for note in found.notes)


def test_swapping_and_waiting() -> None:
    assert seen(SWAPPING, "vm", page_kb=4).observed == {
        "cpu": {"user_percent": 30, "system_percent": 20, "wait_percent": 10, "idle_percent": 40},
        "paging": {"page_ins_per_s": 4, "page_outs_per_s": 2},
    }


def test_cache_hits_among_the_sums() -> None:
    found = seen(SUMS, "vm")
    assert found.observed == {"caches": {"dnlc_hit_percent": 85}}
    assert found.notes == ("counted since boot: quiet hours weigh as much as busy ones",)


# --- what is wrong --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "tool", "line", "looks", "command"),
    [
        (PAGING, "io", 1, "vmstat", "from-vmstat"),
        (SUMS, "io", 1, "vmstat", "from-vmstat"),
        (COUNTERS, "io", 2, "nfsstat", "from-nfsstat"),
        (SIDE_BY_SIDE, "vm", 1, "iostat", "from-iostat"),
        ("\n\n" + ONE_A_LINE, "vm", 3, "iostat", "from-iostat"),
        ("sd0 at esp0 target 3 lun 0\n", "vm", 1, "the messages of a kernel", "from-probe"),
    ],
)
def test_the_output_of_another_tool(
    content: str, tool: str, line: int, looks: str, command: str
) -> None:
    (fault,) = faults(content, tool)
    assert fault.startswith(f"out.txt:{line}: no line is a heading")
    assert looks in fault.splitlines()[0]
    assert fault.splitlines()[1] == f"  try sizewright box {command}"


def test_a_form_that_is_better_had_in_another() -> None:
    (fault,) = faults("Device  r/s  rkB/s  rrqm/s\nsda  1 2 3\n", "io")
    assert fault.endswith("try iostat -o JSON")
    (fault,) = faults("  16000000 K total memory\n", "vm")
    assert "try vmstat with an interval" in fault


def test_all_faults_of_an_output_at_once() -> None:
    broken = SIDE_BY_SIDE.replace("   1   20 120", "   1   20 12O").replace(" 35 40\n", " 35\n")
    broken += "      cpu\n us sy wt id\n"
    assert faults(broken, "io") == [
        "out.txt:4: '12O' in column bps is not a number\n  expected a number of 0 or more",
        "out.txt:5: the row has 11 columns, its heading (line 2) has 12\n"
        "  the line is cut off, or two numbers have run together",
        "out.txt:7: there is no row below this heading\n  expected numbers",
    ]


@pytest.mark.parametrize("number", ["-1", "nan", "inf", "1e5", "0x1", "--", "1,5", "٣", "9" * 31])
def test_what_is_no_number(number: str) -> None:
    (fault,) = faults(f"cpu\nus sy wt id\n{number} 1 1 1\n", "io")
    assert fault.startswith("out.txt:3: ")
    assert "in column us is not a number" in fault
    assert ("LC_ALL=C" in fault) is ("," in number)


def test_a_heading_that_does_not_fit_the_names_above_it() -> None:
    (fault,) = faults(" sd0\n bps tps msps bps tps msps\n 1 1 1 1 1 1\n", "io")
    expected = "out.txt:2: the heading has 6 columns, which do not fit the names above it"
    assert fault == expected


def test_a_heading_without_rows() -> None:
    (fault,) = faults(PAGING.splitlines(keepends=True)[1], "vm")
    assert fault.startswith("out.txt:1: there is no row below this heading")


def test_lines_before_the_heading_are_told() -> None:
    found = seen("$ iostat 5\n" + SIDE_BY_SIDE, "io")
    assert "line 1 is before any heading and was left out: $ iostat 5" in found.notes


def test_a_hit_rate_above_all() -> None:
    (fault,) = faults(SUMS.replace("85%", "185%"), "vm")
    assert fault.startswith("out.txt:4: a share of 185 % is more than all")


def test_sums_without_cache_hits() -> None:
    (fault,) = faults(SUMS.replace("name lookups", "lookups"), "vm")
    assert "no sentence of this output has a value" in fault


def test_later_headings_say_kernel_threads_instead_of_processes() -> None:
    later = PAGING.replace(" procs", " kthr ")
    assert seen(later, "vm", page_kb=4) == seen(PAGING, "vm", page_kb=4)
