"""What is told to flip a verdict of an existing server does flip it, in the server's file."""

from __future__ import annotations

import re

import pytest

from generated_boxes import check_text
from generated_workloads import ENGINE
from sizewright.api import break_even_of, rules_for
from sizewright.schema.policy import Policy
from sizewright.sensitivity.thresholds import Threshold

# Operations of 8 KB on sd0, as those that the guide prints rates of; data that two disks share.
BOX = """\
name: primary
platform: sparcstation-2
channels:
  - id: esp0
    kind: scsi-synchronous
    provider: builtin
    devices:
      - {id: sd0, device: 1-3gb-scsi, access: random}
      - {id: sd1, device: 424mb-scsi, access: random}
      - {id: sd2, device: 424mb-scsi, access: random}
volumes: [{name: homes, size_mb: 600, access: random, copies: [[sd1, sd2]]}]
observed:
  disks: {sd0: {reads_per_s: 18, writes_per_s: 6, kb_per_s: 192}}
"""
A_HAIR = 1e-6


def thresholds(text: str, name: str) -> list[Threshold]:
    """Every value at which a verdict of a server changes, of one value of its file."""
    rule_set = rules_for(Policy(), ENGINE, "box")
    found = break_even_of(check_text(text), rule_set, "high").flips
    return [flip for flip in found if flip.leaf.name.endswith(name)]


def assert_changes(text: str, flip: Threshold, old: str, new: str) -> None:
    """The verdict changes in the file, where `old` is written as `new` with another value."""
    assert text.count(old) == 1
    for factor, passes in ((1 - A_HAIR, flip.at_most), (1 + A_HAIR, not flip.at_most)):
        budgets = check_text(text.replace(old, new.format(flip.value * factor))).limited
        assert (budgets[flip.resource].verdict == "holds") is passes


@pytest.mark.parametrize(
    ("key", "resource"), [("reads_per_s", "disk/sd0"), ("size_mb", "space/sd1")]
)
def test_a_value_of_the_file_flips_where_it_is_told(key: str, resource: str) -> None:
    (flip,) = (each for each in thresholds(BOX, key) if each.at_most and each.holds_now)
    assert flip.resource == f"primary/{resource}"
    (old,) = re.findall(f"{key}: [0-9]+", BOX)
    assert_changes(BOX, flip, old, f"{key}: {{!r}}")


# Two works with operations of one size on one disk, as a plan writes them.
WORKS = """\
name: primary
platform: sparcstation-2
channels:
  - id: esp0
    kind: scsi-synchronous
    provider: builtin
    devices: [{id: sd0, device: 1-3gb-scsi, access: ACCESS}]
load:
  disks: {sd0: {homes: 20, mail: 10}}
  work:
    sd0:
      - {service: homes, operation: read, ops_per_s: 20, block_kb: 8, layer: LAYER}
      - {service: mail, operation: OPERATION, ops_per_s: 10, block_kb: 8.0, layer: LAYER}
"""


@pytest.mark.parametrize(
    ("access", "layer", "operation"),
    [
        ("random", "file_system", "read"),
        ("serial", "file_system", "write"),
        ("serial", "raw", "read"),
    ],
)
@pytest.mark.parametrize(("index", "size"), [(0, "8"), (1, "8.0")])
def test_the_sizes_of_works_change_apart(
    access: str, layer: str, operation: str, index: int, size: str
) -> None:
    """The size of one work was told to change with that of the other, which was equal."""
    text = WORKS.replace("ACCESS", access).replace("LAYER", layer).replace("OPERATION", operation)
    found = thresholds(text, f"work.sd0.{index}.block_kb")
    assert found
    for flip in found:
        assert_changes(text, flip, f"block_kb: {size},", "block_kb: {!r},")


def test_each_size_has_its_own_threshold() -> None:
    text = WORKS.replace("ACCESS", "random").replace("LAYER", "raw").replace("OPERATION", "read")
    first, second = (
        min(each.value for each in thresholds(text, f"work.sd0.{index}.block_kb"))
        for index in (0, 1)
    )
    # The work with half of the operations may have twice the further data.
    assert second - 8 == pytest.approx(2 * (first - 8))


# The guide prints how many operations of 8 KB a file system does on this disk (Table 7). They limit
# larger ones too; smaller ones are limited by the media rate alone.
COLD = """\
name: primary
platform: sparcstation-2
channels:
  - id: esp0
    kind: scsi-synchronous
    provider: builtin
    devices: [{id: sd0, device: 1-3gb-scsi, access: serial}]
volumes: [{name: homes, size_mb: 600, access: serial, use: file_system, copies: [[sd0]]}]
observed:
  disks: {sd0: {reads_per_s: READS, writes_per_s: 0, kb_per_s: DATA}}
"""


def test_the_size_from_which_a_measured_rate_counts() -> None:
    """Fewer reads of the same data are larger: the rate of those of 8 KB does not matter."""
    text = COLD.replace("READS", "200").replace("DATA", "1800")
    assert thresholds(text, ".reads_per_s") == []
    for reads in (20, 100, 224, 226, 400):
        budgets = check_text(text.replace("reads_per_s: 200", f"reads_per_s: {reads}")).limited
        assert budgets["primary/disk/sd0"].verdict == "holds"
    (flip,) = thresholds(text, ".kb_per_s")
    assert_changes(text, flip, " kb_per_s: 1800", " kb_per_s: {!r}")


# A disk that reads 64 KB at a time, and writes 8 KB.
APART = BOX.replace("kb_per_s: 192", "read_kb_per_s: 1152, write_kb_per_s: 48")


@pytest.mark.parametrize(
    ("name", "old"),
    [("reads_per_s", "reads_per_s: 18"), ("writes_per_s", "writes_per_s: 6"),
     ("read_kb_per_s", "read_kb_per_s: 1152"), ("write_kb_per_s", "write_kb_per_s: 48")],
)  # fmt: skip
def test_the_data_of_reads_and_of_writes_change_apart(name: str, old: str) -> None:
    found = thresholds(APART, f".{name}")
    assert found
    for flip in found:
        assert_changes(APART, flip, old, f"{name}: {{!r}}")


# No operation moves less than a block of 512 bytes: more reads of the same data are not believed.
IDLE = BOX.replace("reads_per_s: 18, writes_per_s: 6, kb_per_s: 192", "SEEN").replace(
    "SEEN", "reads_per_s: 3, writes_per_s: 1, kb_per_s: 12"
)


@pytest.mark.parametrize("name", ["reads_per_s", "writes_per_s"])
def test_no_threshold_is_where_measurements_contradict_each_other(name: str) -> None:
    """The load was told to exceed its limit at 64 op/s, which are left out as a contradiction."""
    assert thresholds(IDLE, f".{name}") == []
    much = IDLE.replace("reads_per_s: 3", "reads_per_s: 80")
    found = check_text(much)
    assert "plausible-disk-size" in {f.rule for f in found.findings if f.verdict == "violated"}
    assert found.limited["primary/disk/sd0"].verdict == "unknown"
