"""Boxes without one of their parts."""

from __future__ import annotations

import pytest

from sizewright.api import check, load_engine, policy_of
from sizewright.box.reading import read_box
from sizewright.check.failure import box_failure
from sizewright.demand.rates import sum_lines
from sizewright.documents import parse_document
from sizewright.failure import Failure

BOX = """\
name: primary
platform: sparcserver-690mp
processors: 4
memory: {total_mb: 64}
channels:
  - id: esp0
    kind: scsi-synchronous
    devices: [{id: sd0, device: 1-3gb-scsi}, {id: sd1, device: 1-3gb-scsi}]
  - id: esp1
    kind: scsi-synchronous
    devices: [{id: sd2, device: 1-3gb-scsi}, {id: sd3, device: 1-3gb-scsi}]
networks:
  - {name: net, segment: 1, interface: lance-ethernet}
  - {name: net, segment: 2, interface: lance-ethernet}
volumes:
  - {name: a, access: random, size_mb: 600, copies: [[sd0], [sd2]], manager: online-disksuite}
  - {name: b, access: random, size_mb: 600, copies: [[sd0], [sd3]], manager: online-disksuite}
  - {name: c, access: random, size_mb: 100, copies: [[sd1]]}
observed:
  networks: {net-1: {ops_per_s: 40, utilisation_percent: 20}, net-2: {ops_per_s: 60}}
  disks:
    sd0: {ops_per_s: 20, busy_percent: 30}
    sd1: {ops_per_s: 5, busy_percent: 10}
    sd2: {ops_per_s: 10, busy_percent: 30}
  channels: {esp0: {kb_per_s: 300}, esp1: {kb_per_s: 400}}
"""


def failure(part: str, *changes: tuple[str, str]) -> Failure:
    text = BOX
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    box, engine = read_box(parse_document(text, "box.yaml")), load_engine("sun-1992")
    policy = policy_of(box.policy, engine.guide)
    return box_failure(check(box, engine), part, engine.rule_set.judging("box"), policy)


def rate(found: Failure, disk: str) -> tuple[float, float] | None:
    lines = found.after.load.disks[disk]
    if lines is None:
        return None
    whole = sum_lines(lines, "op/s")
    return whole.low, whole.high


def test_what_a_disk_read_moves_to_the_other_copies() -> None:
    """Of 20 op/s nobody says which were reads, nor of which volume."""
    found = failure("sd0")
    assert found.lost == () and not found.untold
    assert rate(found, "sd2") == (10, 30)
    assert rate(found, "sd1") == (5, 5)
    assert rate(found, "sd3") is None


def test_what_was_not_measured_leaves_the_others_unknown() -> None:
    found = failure("sd0", ("    sd0: {ops_per_s: 20, busy_percent: 30}\n", ""))
    assert rate(found, "sd2") is None


def test_volumes_that_share_a_disk_do_not_count_its_rate_twice() -> None:
    found = failure("sd0", ("copies: [[sd0], [sd3]]", "copies: [[sd0], [sd2]]"))
    assert rate(found, "sd2") == (10, 30)


def test_what_was_seen_of_a_part_that_does_more_is_not_known_any_more() -> None:
    found = failure("sd0")
    busy = {disk.id: disk.busy_share for disk in found.after.facts.disks}
    assert busy["sd2"] is None
    busy = {disk.id: disk.busy_share for disk in failure("sd1").after.facts.disks}
    assert busy["sd2"] is not None
    shares = {n.id: n.utilisation_share for n in failure("net-2").after.facts.networks}
    assert shares == {"net-1": None}


def test_channels_whose_disks_changed_count_by_their_disks() -> None:
    found = failure("sd1")
    known = {
        name: None if lines is None else sum_lines(lines, "KB/s").likely
        for name, lines in found.after.load.channels.items()
    }
    assert known == {"esp0": pytest.approx(20 * 8), "esp1": 400}


def test_a_network_that_is_left_carries_what_the_other_did() -> None:
    found = failure("net-1")
    lines = found.after.load.networks["net-2"]
    assert lines is not None and sum_lines(lines, "op/s").high == 100
    assert found.cut_off == ()


def test_data_without_a_copy_are_lost() -> None:
    found = failure("esp0")
    assert found.lost == ("c",) and not found.holds


def test_a_disk_of_which_nothing_is_said_may_hold_anything() -> None:
    assert not failure(
        "sd1", ("  - {name: c, access: random, size_mb: 100, copies: [[sd1]]}\n", "")
    ).untold
    vague = failure("sd1", ("size_mb: 100, copies: [[sd1]]}", "size_mb: 100}"))
    assert vague.untold and not vague.holds and vague.lost == ()


def test_a_channel_whose_disks_do_more_is_not_as_it_was_measured() -> None:
    """Of sd3 nothing was measured."""
    assert failure("sd0").after.load.channels["esp1"] is None


# sd0 and sd2 have a copy each of the same data, and nobody says which operations were reads.
MOVED = (
    ("sd0: {ops_per_s: 20", "sd0: {ops_per_s: 40"),
    ("sd2: {ops_per_s: 10", "sd2: {ops_per_s: 40"),
)


def test_what_becomes_borderline_is_counted_apart_from_what_fails() -> None:
    """A disk has 40 to 80 op/s of its 60 at random (Table 8): it passes only in the best case."""
    found = failure("sd0", *MOVED)
    assert rate(found, "sd2") == (40, 80)
    assert found.broken == () and found.holds
    assert "rule 2.4.4-random, disk sd2" in found.borderline


def test_a_limit_is_named_once_for_its_rule_and_its_resource() -> None:
    """A disk has 40 to 160 op/s of its 60 at random (Table 8), and of 104 to 112 at most."""
    found = failure("sd0", MOVED[1], ("sd0: {ops_per_s: 20", "sd0: {ops_per_s: 120"))
    named = [each for each in found.borderline if "sd2" in each]
    assert named == ["rule 2.4.4-random, disk sd2"]


def test_what_fails_in_the_best_case_too_is_not_borderline() -> None:
    """A Lance Ethernet passes 320 op/s, 80 % of 400 (1.1.1); the one that is left has 400."""
    found = failure(
        "net-1",
        ("net-1: {ops_per_s: 40", "net-1: {ops_per_s: 200"),
        ("{ops_per_s: 60}", "{ops_per_s: 200}"),
    )
    assert found.broken and not found.holds
    assert set(found.broken).isdisjoint(found.borderline)


def test_what_was_borderline_before_does_not_become_so() -> None:
    """sd2 has 50 to 70 op/s before, of 60."""
    found = failure("sd0", MOVED[0], ("sd2: {ops_per_s: 10", "sd2: {ops_per_s: [50, 70]"))
    assert "rule 2.4.4-random, disk sd2" not in (*found.broken, *found.borderline)


def test_only_reads_move_if_they_were_measured_apart() -> None:
    apart = ("sd0: {ops_per_s: 20,", "sd0: {reads_per_s: 15, writes_per_s: 5,")
    assert rate(failure("sd0", apart), "sd2") == (10, 25)


def test_of_two_volumes_the_copy_with_the_fewest_disks_takes_most() -> None:
    """The copy of b is on two disks, each with half of 20 op/s; that of a is on one with all."""
    spread = ("copies: [[sd0], [sd3]]", "copies: [[sd0], [sd2, sd3]]")
    assert rate(failure("sd0", spread), "sd2") == (10, 30)


ONE_DISK = """\
name: primary
platform: sparcstation-2
boards: [{id: scsi-1, board: sbus-scsi, bus: sbus, slots: [1]}]
channels:
  - {id: esp0, kind: scsi-synchronous, provider: builtin, devices: [{id: sd0, device: 424mb-scsi}]}
  - id: esp1
    kind: scsi-synchronous
    provider: scsi-1
    devices: [{id: sd2, device: 207mb-scsi, partitions: [{name: b, use: swap}]}]
volumes: [{name: a, access: random, size_mb: 100, copies: [[sd0]]}]
observed: {disks: {sd0: {ops_per_s: 2}, sd2: {ops_per_s: 36, kb_per_s: 144}}}
"""


@pytest.mark.parametrize("part", ["sd2", "esp1", "scsi-1"])
def test_swap_space_is_lost_with_its_disk(part: str) -> None:
    found = failure(part, (BOX, ONE_DISK))
    assert found.lost == ("swap on sd2",) and not found.holds
    assert failure("sd0", (BOX, ONE_DISK)).lost == ("a",)


def test_a_board_whose_channel_has_failed_transfers_nothing() -> None:
    """A board without channels is not one of whose channels nothing is known."""
    found = failure("esp1", (BOX, ONE_DISK))
    (before,), (after,) = (each.load.busses["sbus"] or () for each in (found.before, found.after))
    assert before.figure.high == 144 / 1024
    assert after.figure.high == 0


def test_a_failed_board_keeps_its_slot() -> None:
    """A slot with a broken board takes no other board until that is removed."""
    found = failure(
        "adapter",
        ("memory: {total_mb: 64}", "memory: {total_mb: 64}\nboards: "
         "[{id: adapter, board: sbus-scsi, bus: sbus, slots: [1]}]"),
        ("id: esp1\n    kind: scsi-synchronous",
         "id: esp1\n    kind: scsi-synchronous\n    provider: adapter"),
    )  # fmt: skip
    (sbus,) = (slots for slots in found.after.facts.slots if slots.id == "sbus")
    assert sbus.used is not None and sbus.used.high == 1
    assert "adapter" in found.gone


APART = ("sd0: {ops_per_s: 20,", "sd0: {reads_per_s: 14, writes_per_s: 6,")
SD0_ALONE = ("copies: [[sd0], [sd3]]", "copies: [[sd1], [sd3]]")


def test_reads_of_a_disk_with_one_volume_surely_move_to_its_copy() -> None:
    """From none to all of them was told, and a failure that the server does not survive passed."""
    assert rate(failure("sd0", APART, SD0_ALONE), "sd2") == (10 + 14, 10 + 14)


SWAP = ("{id: sd0, device: 1-3gb-scsi}",
        "{id: sd0, device: 1-3gb-scsi, partitions: [{name: b, use: swap}]}")  # fmt: skip


@pytest.mark.parametrize("changes", [[SD0_ALONE], [APART], [APART, SD0_ALONE, SWAP]])
def test_reads_that_may_be_of_something_else_may_move(changes: list[tuple[str, str]]) -> None:
    low, high = rate(failure("sd0", *changes), "sd2") or (0, 0)
    assert low == 10
    assert high > low


def test_reads_that_move_keep_their_measured_size() -> None:
    """Of 14 reads and 6 writes of 2 KB, 14 × 2 KB move; sd1 and sd2 keep their 4 KB.

    esp1 has 10 op/s × 16 KB + 14 op/s × 2 KB = 188 KB/s then, and esp0 the 5 op/s × 4 KB of sd1.
    sd2 does 60 op/s of 2 KB, as of 8 KB (Table 8), and those of 16 KB take 8 KB at 3.0 to 4.5 MB/s
    more than the 10.9 ms of 8 KB; the limit is of 24 operations in the time of 10 and 14.
    """
    found = failure(
        "sd0",
        ("sd0: {ops_per_s: 20,", "sd0: {reads_per_s: 14, writes_per_s: 6, kb_per_s: 40,"),
        ("sd1: {ops_per_s: 5,", "sd1: {ops_per_s: 5, kb_per_s: 20,"),
        ("sd2: {ops_per_s: 10,", "sd2: {ops_per_s: 10, kb_per_s: 160,"),
        ("copies: [[sd0], [sd3]]", "copies: [[sd1], [sd3]]"),
        ("busy_percent: 30}\n  channels", "busy_percent: 30}\n    sd3: {ops_per_s: 0}\n  channels"),
        ("  channels: {esp0: {kb_per_s: 300}, esp1: {kb_per_s: 400}}\n", ""),
    )
    load = found.after.load
    data = {name: sum_lines(lines, "KB/s") for name, lines in load.channels.items() if lines}
    assert {name: (kb.low, kb.high) for name, kb in data.items()} == {
        "esp0": pytest.approx((20, 20)),
        "esp1": pytest.approx((188, 188)),
    }
    sustained = load.limits["sd2"].sustained_ops
    larger = [60 * 10.9 / (10.9 + 8 / rate) for rate in (3.072, 4.608)]
    expected = [24 / (10 / each + 14 / 60) for each in larger]
    assert sustained is not None and (sustained.low, sustained.high) == pytest.approx(expected)


def test_other_disks_of_a_channel_keep_their_measured_size() -> None:
    """sd3 has 30 op/s × 4 KB, sd2 the size that is assumed: 10 to 30 op/s × 8 KB."""
    found = failure(
        "sd0",
        ("copies: [[sd0], [sd3]]", "copies: [[sd0], [sd2]]"),
        ("busy_percent: 30}\n  channels",
         "busy_percent: 30}\n    sd3: {ops_per_s: 30, kb_per_s: 120}\n  channels"),
        ("  channels: {esp0: {kb_per_s: 300}, esp1: {kb_per_s: 400}}\n", ""),
    )  # fmt: skip
    lines = found.after.load.channels["esp1"]
    assert lines is not None
    data = sum_lines(lines, "KB/s")
    assert (data.low, data.high) == (120 + 80, 120 + 240)


STRIPED = """\
name: primary
platform: sparcserver-690mp
channels:
  - id: esp0
    kind: scsi-synchronous
    devices: [{id: sd0, device: 1-3gb-scsi}, {id: sd1, device: 1-3gb-scsi}]
  - id: esp1
    kind: scsi-synchronous
    devices: [{id: sd2, device: 1-3gb-scsi}, {id: sd3, device: 1-3gb-scsi}]
volumes:
  - {name: a, access: random, size_mb: 600, copies: [[sd0, sd1], [sd2, sd3]]}
observed:
  disks:
    sd0: {reads_per_s: 10, writes_per_s: 4, kb_per_s: 112}
    sd1: {reads_per_s: 10, writes_per_s: 4, kb_per_s: 112, busy_percent: 30}
    sd2: {reads_per_s: 10, writes_per_s: 4, kb_per_s: 112}
    sd3: {reads_per_s: 10, writes_per_s: 4, kb_per_s: 112}
"""
UNMIRRORED = ("copies: [[sd0, sd1], [sd2, sd3]]", "copies: [[sd0, sd1]]")
SHARED = (
    "\nobserved:",
    "\n  - {name: c, access: random, size_mb: 100, copies: [[sd1]]}\nobserved:",
)


def test_the_other_disks_of_a_copy_that_stops_do_nothing() -> None:
    """Up to 10 reads of sd0 and 10 of sd1 are divided over sd2 and sd3, which have 14 op/s."""
    found = failure("sd0", (BOX, STRIPED))
    assert rate(found, "sd1") == (0, 0)
    assert rate(found, "sd2") == rate(found, "sd3") == (14, 14 + 10)
    lines = found.after.load.channels["esp0"]
    assert lines is not None and sum_lines(lines, "KB/s").high == 0
    assert rate(failure("sd0", (BOX, STRIPED), UNMIRRORED), "sd1") == (0, 0)


@pytest.mark.parametrize("other", [(), (UNMIRRORED,)])
def test_what_a_disk_does_for_other_data_may_be_all_of_its_work(
    other: tuple[tuple[str, str], ...],
) -> None:
    found = failure("sd0", (BOX, STRIPED), SHARED, *other)
    assert rate(found, "sd1") == (0, 14)
    lines = found.after.load.channels["esp0"]
    assert lines is not None
    moved = sum_lines(lines, "KB/s")
    assert (moved.low, moved.high) == (0, 112)
    assert {each.id: each.busy_share for each in found.after.facts.disks}["sd1"] is None
