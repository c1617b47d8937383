"""Boxes that can exist, however odd, are judged and not refused; the others are in tests/bad."""

from __future__ import annotations

from pathlib import Path

import pytest

from generated_workloads import ENGINE
from sizewright.api import check, load_engine
from sizewright.box.reading import read_box
from sizewright.check.check import Check
from sizewright.documents import parse_document, read_document
from sizewright.errors import InputError
from sizewright.guide.loader import default_guide

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BOXES = sorted(p for p in EXAMPLES.rglob("box*.yaml") if not p.stem.endswith("expected"))


def checked(platform: str, text: str) -> Check:
    document = parse_document(f"name: a\nplatform: {platform}\n{text}\n", "box.yaml")
    return check(read_box(document), ENGINE)


def verdict(found: Check, rule: str) -> set[str]:
    return {finding.verdict for finding in found.findings if finding.rule == rule}


@pytest.mark.parametrize("path", BOXES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_box_of_the_examples_can_exist(path: Path) -> None:
    box = read_box(read_document(path))
    assert check(box, load_engine(str(box.guide or default_guide()))).findings


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_as_many_processors_as_the_largest_of_the_counts_or_fewer(number: int) -> None:
    """A processor may be down; it is measured all the same."""
    assert checked("sparcserver-690mp", f"processors: {number}").findings


@pytest.mark.parametrize("slots", ["[0]", "[1]", "[3]", "[0, 1, 2]"])
def test_slots_are_counted_from_0_or_from_1(slots: str) -> None:
    assert checked("sparcstation-2", f"boards: [{{id: b, board: sbus-scsi, slots: {slots}}}]")


@pytest.mark.parametrize(("processors", "exists"), [(2, True), (4, False)])
def test_the_slot_that_a_second_module_covers(processors: int, exists: bool) -> None:
    text = f"processors: {processors}\nboards: [{{id: b, board: sbus-scsi, slots: [4]}}]"
    if exists:
        assert checked("sparcserver-690mp", text).findings
        return
    with pytest.raises(InputError, match=r"box\.yaml:4:44: .*no sbus slot 4\n  expected at most 3"):
        checked("sparcserver-690mp", text)


def test_a_slot_that_one_board_names_twice_is_refused() -> None:
    with pytest.raises(InputError, match=r"box\.yaml:3:47: .*slot 1 is that of board 'b'"):
        checked("sparcstation-2", "boards: [{id: b, board: sbus-scsi, slots: [1, 1]}]")


@pytest.mark.parametrize("second", [8, 99])
def test_where_a_bus_keeps_slots_for_some_boards_a_rule_judges_them(second: int) -> None:
    """VME: a slot that is taken already, and one that the cage does not have."""
    boards = [f"{{id: b{slot}-{n}, board: isp-80, slots: [{slot}]}}"
              for n, slot in enumerate((8, second))]  # fmt: skip
    found = checked("sparcserver-690mp", f"boards: [{', '.join(boards)}]")
    assert {finding.message for finding in found.findings if finding.verdict == "violated"} >= {
        f"b{second}-1 (string_controller) is in the VME cage from slot {second}. The cage takes "
        "such a board in slots 8 to 16, and has b8-0 there"
    }
    assert "violated" in verdict(found, "2.3.1-fitting-slots")


def test_of_devices_at_one_target_where_each_may_have_units_a_rule_judges() -> None:
    disks = "{id: a, device: 424mb-scsi, target: 3}, {id: b, device: 424mb-scsi, target: 3}"
    found = checked(
        "sparcstation-2", f"channels: [{{id: c, kind: scsi-synchronous, devices: [{disks}]}}]"
    )
    assert verdict(found, "2.3.3-same-target") == {"violated"}


@pytest.mark.parametrize(
    ("kind", "device"),
    [
        ("scsi-synchronous", "424mb-scsi, target: 7"),
        ("scsi-differential", "424mb-scsi"),
        ("scsi-synchronous", "71mb-esdi"),
        ("ipi-2", "911mb-ipi, target: 8"),
        ("ipi-3", "911mb-ipi, target: 100"),
    ],
)
def test_devices_of_which_it_cannot_be_said_that_they_are_not_there(kind: str, device: str) -> None:
    """Another may have the adapter's target; a controller may bring an interface of its own."""
    text = f"channels: [{{id: c, kind: {kind}, devices: [{{id: d, device: {device}}}]}}]"
    assert checked("sparcserver-690mp", text).findings


def test_the_bus_that_the_file_states_is_the_one_that_counts() -> None:
    with pytest.raises(InputError, match="no sbus slot 9"):
        checked("sparcstation-2", "boards: [{id: b, board: isp-80, bus: sbus, slots: [9]}]")


@pytest.mark.parametrize(
    "text",
    [
        "clients: [20, 40]\nnetworks: [{name: a, interface: ie, clients: [15, 30]},"
        " {name: b, interface: ie, clients: [15, 30]}]",
        "observed: {nfs: {ops_per_s: 100}, networks: {a: {ops_per_s: 51}, b: {ops_per_s: 50}}}",
    ],
)
def test_parts_that_vary_or_are_rounded_may_seem_more_than_the_whole(text: str) -> None:
    """15 + 15 of at most 40 clients; 50.5 + 49.5 are 100, and print as 51 + 50."""
    nets = "networks: [{name: a, interface: ie}, {name: b, interface: ie}]\n"
    whole = text if "networks: [" in text else nets + text
    assert read_box(parse_document(f"name: a\nplatform: p\n{whole}\n", "box.yaml"))
