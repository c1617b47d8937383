"""What moves to another part that is there: the device or the data that is the best to move."""

from __future__ import annotations

import pytest

from check.test_first_step import busy, disk, server, step_of, text_for
from generated_workloads import Plain, text_of
from sizewright.api import load_engine, report_check
from sizewright.box.reading import read_box
from sizewright.documents import parse_document

TAPE = {"id": "t", "device": "8mm-helical-scan-tape"}
# Three disks with 25 op/s, 200 KB/s each, beside the tape.
BESIDE = [disk("a"), disk("b"), disk("c"), TAPE]
BY_DAY = {"backup": {"during_working_hours": True}, "observed": busy(a=25, b=25, c=25)}


@pytest.mark.parametrize(
    "other", [[disk("d", activity="cold")], []], ids=["beside a cold disk", "alone"]
)
def test_a_tape_leaves_the_channel_of_busy_disks(other: list[Plain]) -> None:
    """220 KB/s at 1.2 MB/s use 179 ms/s of the bus (2.4.2); 600 KB/s of disks alone 117 to 143."""
    seen = busy(a=25, b=25, c=25, **({"d": 0} if other else {}))
    plain = server(BESIDE, other, **{**BY_DAY, "observed": seen})
    step = step_of(plain)
    assert step is not None
    assert step.change == ("tape", "t", "esp1")
    assert step.figures is not None
    before, after = step.figures
    disks = 600 / 5.12, 600 / 4.1984
    assert (after.low, after.high) == pytest.approx(disks)
    assert before.high - after.high == pytest.approx(220 / 1.2288)
    assert "Do this first: Move tape t to channel esp1." in " ".join(text_for(plain).split())


def test_a_tape_goes_to_an_added_controller_if_no_channel_is_there() -> None:
    step = step_of(server(BESIDE, **BY_DAY))
    assert step is not None and step.change is not None
    assert step.change[:2] == ("controller", "t")


@pytest.mark.parametrize("tapes", [2, 3])
def test_no_disk_is_moved_if_the_tapes_alone_exceed_the_limit(tapes: int) -> None:
    """Two tapes use 2 × 220 KB/s ÷ 1.2 MB/s = 358 ms/s of a bus that has 200 ms/s (2.4.2).

    The other channel has a busy disk, which no tape may be beside (VIII), but room for a disk.
    """
    more = [{**TAPE, "id": f"t{n}"} for n in range(tapes)]
    plain = server([disk("a"), disk("b"), *more], [disk("d")], **BY_DAY)
    step = step_of({**plain, "observed": busy(a=25, b=25, d=3)})
    assert step is not None and step.change is not None
    assert step.change == ("controller", "t0", "sbus-scsi")


def test_a_tape_of_backups_at_night_does_not_move() -> None:
    """It uses nothing of the bus while the disks are at work: 4 × 40 op/s exceed it alone."""
    disks = [disk("a"), disk("b"), disk("c"), disk("e"), TAPE]
    plain = server(disks, [disk("d")], observed=busy(a=40, b=40, c=40, e=40, d=3))
    step = step_of(plain | {"backup": {"wanted": True, "during_working_hours": False}})
    assert step is not None
    assert step.change == ("disk", "a", "esp1")


def test_of_devices_that_are_too_many_the_idlest_moves() -> None:
    """Eight disks are on a bus for seven devices (2.3.3): any of them is one too many."""
    seen = busy(a=20, b=3, c=2, d=3, e=3, f=3, g=3, h=3, i=1)
    step = step_of(server([disk(name) for name in "abcdefgh"], [disk("i")], observed=seen))
    assert step is not None
    assert step.change == ("disk", "c", "esp1")


def array_step(raid: int | None, *arrays: str) -> tuple[str, str, str] | None:
    """Return the change for three disks on a bus that fell back to 10 MHz, 20,480 KB/s (SCSI-3).

    Each moves 7680 KB/s. They are on the first of these array controllers.
    """
    disks = {name: {"ops_per_s": 120, "kb_per_s": 7680} for name in "abc"}
    drive = {"device": "4gb-drive", "bus_kind": "scsi-fast-wide"}
    devices = [{"id": name, **drive} for name in disks]
    volume = {"name": "archive", "copies": [list(disks)], "access": "serial"}
    plain = {
        "name": "pc", "guide": "compaq-1999", "platform": "proliant-1600",
        "boards": [{"id": f"arr{n}", "board": name} for n, name in enumerate(arrays)],
        "channels": [
            {
                "id": f"s{n}", "kind": "scsi-wide-ultra", "provider": f"arr{n and 1}",
                "adapter_in_middle": False, "devices": [] if n else devices,
            }
            for n in range(len(arrays))
        ],
        "volumes": [volume | ({} if raid is None else {"raid": raid})],
        "observed": {"disks": disks},
    }  # fmt: skip
    document = parse_document(text_of(plain), "box.yaml")
    step = report_check(read_box(document), document, load_engine("compaq-1999")).first_step
    return step.change if step is not None else None


def test_a_free_channel_of_a_controller_is_used_before_another_controller() -> None:
    """A Smart-2DH has two channels (Table 3); with one disk less 15,360 KB/s are left."""
    assert array_step(0, "smart-2dh") == ("channel", "a", "arr0")


def test_a_disk_does_not_leave_the_controller_of_its_array() -> None:
    """Without an array it may go to the empty bus of the other controller."""
    assert array_step(None, "smart-2dh", "smart-2dh") == ("disk", "a", "s1")
    assert array_step(0, "smart-2dh", "smart-2dh") == ("channel", "a", "arr0")
