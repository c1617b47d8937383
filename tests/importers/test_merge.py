from __future__ import annotations

from typing import Any

import pytest

from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.importers.box_file import Merged, Replaced, merge_observed, observed_block
from sizewright.importers.formats import load_formats

Plain = dict[str, Any]
NEW: Plain = {"nfs": {"ops_per_s": [1, 2.5, 4]}, "cpu": {"user_percent": 7}}


REPLACED = Replaced.of(load_formats().data)


def laid(text: str) -> Merged:
    return merge_observed(parse_document(text, "box.yaml"), text, NEW, REPLACED)


def test_the_block_alone() -> None:
    assert observed_block(NEW) == (
        "observed:\n  nfs: {ops_per_s: [1, 2.5, 4]}\n  cpu: {user_percent: 7}\n"
    )  # fmt: skip


@pytest.mark.parametrize("ending", ["\n", ""])
def test_a_file_without_one_gets_it_at_its_end(ending: str) -> None:
    text = "# ours\nname: a   # the only one\n\nplatform: x" + ending
    found = laid(text)
    assert found.text == "# ours\nname: a   # the only one\n\nplatform: x\n" + observed_block(NEW)
    assert found.notes == ()


def test_a_file_keeps_its_way_to_end_a_line() -> None:
    text = "name: a\r\nobserved: {nfs: {ops_per_s: 3}}\r\nplatform: x\r\n"
    lines = ("name: a", *observed_block(NEW).splitlines(), "platform: x")
    assert laid(text).text == "".join(f"{line}\r\n" for line in lines)
    assert (
        laid("name: a\r\nplatform: x").text.count("\r\n")
        == len(observed_block(NEW).splitlines()) + 2
    )


def test_the_rest_of_the_file_stays_as_it_is() -> None:
    text = """\
name: a
observed:
  cpu: {user_percent: 1, wait_percent: 50}
  nfs: {mix: legato, ops_per_s: 9}
  disks:
    sd0: {ops_per_s: 3}

# about tunables
tunables: {maxusers: 8}  # set by hand
"""
    found = laid(text)
    # The old share of waiting does not belong to the new share of users; the mix still holds.
    assert (
        found.text
        == """\
name: a
observed:
  cpu: {user_percent: 7}
  nfs: {mix: legato, ops_per_s: [1, 2.5, 4]}
  disks:
    sd0: {ops_per_s: 3}

# about tunables
tunables: {maxusers: 8}  # set by hand
"""
    )
    assert parse_document(found.text, "x").data == found.data
    assert found.notes == (
        "'observed' of box.yaml had other values of cpu, nfs; they were replaced",
    )  # fmt: skip


def test_putting_it_in_twice_changes_nothing() -> None:
    once = laid("name: a\ntunables: {maxusers: 8}\n").text
    assert laid(once).text == once


def test_lost_remarks_are_told() -> None:
    found = laid("observed:\n  # by hand\n  serial_lines: 4\nname: a\n")
    assert found.notes == ("remarks inside 'observed' of box.yaml were not kept",)
    assert found.data["observed"]["serial_lines"] == 4


@pytest.mark.parametrize(
    "text",
    [
        "{name: a, observed: {serial_lines: 4}, platform: b}\n",
        "{name: a}\n",
        "name: a\n...\n",
        "name: a\nobserved: {serial_lines: 4\n} \n",
    ],
)
def test_a_file_that_cannot_be_changed_by_lines(text: str) -> None:
    try:
        found = laid(text)
    except InputError as refused:
        assert "by hand" in str(refused)
    else:
        assert parse_document(found.text, "x").data == found.data


def test_a_file_in_braces_is_refused() -> None:
    with pytest.raises(InputError, match="cannot be put in by lines"):
        laid("{name: a}\n")


@pytest.mark.parametrize("text", ["- a\n", "a\n"])
def test_a_file_that_is_no_box(text: str) -> None:
    with pytest.raises(InputError, match="not a mapping"):
        laid(text)


def test_an_observed_that_is_no_mapping() -> None:
    with pytest.raises(InputError, match="'observed' is not a mapping"):
        laid("name: a\nobserved: 7\n")


def merged(text: str, observed: dict[str, object]) -> dict[str, object]:
    found = merge_observed(parse_document(text, "box.yaml"), text, observed, REPLACED)
    return dict(found.data["observed"])


def test_new_reports_replace_values_and_reports_with_the_same_values() -> None:
    before = """\
observed:
  cpu: {user_percent: 1, spin_percent: 2}
  disks: {a: {busy_percent: 3, kb_per_s: 4}}
  reports:
    vmstat: [{cpu: {user_percent: 5}, swapping: {processes: 0}}]
    iostat:
      - {seconds: 60, disks: {a: {busy_percent: 6, ops_per_s: 7}}}
      - {disks: {a: {ops_per_s: 8}}}
"""
    new = {"reports": {"iostat": [{"cpu": {"user_percent": 9}, "disks": {"a": {"ops_per_s": 10}}}]}}
    assert merged(before, new) == {
        "disks": {"a": {"busy_percent": 3, "kb_per_s": 4}},
        "reports": {
            "vmstat": [{"swapping": {"processes": 0}}],
            "iostat-2": [{"seconds": 60, "disks": {"a": {"busy_percent": 6}}}, {}],
            **new["reports"],
        },
    }


def test_values_that_two_tools_report_are_said_to_be_replaced() -> None:
    """Both iostat and vmstat report processor time; the last of them counts, whatever the form."""

    def notes(before: Plain, new: Plain) -> tuple[str, ...]:
        text = observed_block(before)
        return merge_observed(parse_document(text, "b.yaml"), text, new, REPLACED).notes

    iostat: Plain = {"cpu": {"user_percent": 4}, "disks": {"a": {"ops_per_s": 1}}}
    report: Plain = {"cpu": {"user_percent": 30}, "swapping": {"processes": 1}}
    vmstat: Plain = {"reports": {"vmstat": [report]}}
    said = ("'observed' of b.yaml had other values of cpu; they were replaced",)
    assert notes(iostat, vmstat) == said
    assert notes(vmstat, iostat) == said
    # Nothing is lost if values are the same, or of another disk.
    assert notes(vmstat, vmstat) == ()
    assert notes(iostat, {"disks": {"b": {"ops_per_s": 2}}}) == ()


def test_a_single_value_replaces_that_of_reports() -> None:
    before = "observed:\n  reports:\n    iostat: [{disks: {a: {ops_per_s: 7}}}]\n"
    assert merged(before, {"disks": {"a": {"ops_per_s": 1}}}) == {"disks": {"a": {"ops_per_s": 1}}}


def test_reads_and_writes_replace_their_sums() -> None:
    """A box with both is refused, because they say the same in two ways."""
    sums = {"ops_per_s": 1, "kb_per_s": 2, "busy_percent": 3}
    apart = {"reads_per_s": 4, "writes_per_s": 5, "read_kb_per_s": 6, "write_kb_per_s": 7}
    text = observed_block({"disks": {"a": sums}})
    assert merged(text, {"disks": {"a": apart}}) == {"disks": {"a": {"busy_percent": 3, **apart}}}
    text = observed_block({"disks": {"a": apart}})
    assert merged(text, {"disks": {"a": sums}}) == {"disks": {"a": sums}}
    reports = {"reports": {"iostat": [{"disks": {"a": apart}}]}}
    assert merged(observed_block({"disks": {"a": sums}}), reports) == {
        "disks": {"a": {"busy_percent": 3}}, **reports,
    }  # fmt: skip
