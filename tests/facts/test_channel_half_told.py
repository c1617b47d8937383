"""What a channel is found to have wrong stays found where other devices are not told whole."""

from __future__ import annotations

import pytest

from generated_workloads import ENGINE
from sizewright import api
from sizewright.box.reading import read_box
from sizewright.documents import parse_document
from sizewright.facts.storage_records import ChannelFacts
from sizewright.quantity import Quantity

DISK, TAPE, OPTICAL = "424mb-scsi", "8mm-helical-scan-tape", "optical-jukebox"


def channel(*devices: str) -> ChannelFacts:
    """The facts of a channel with these devices, each a row and what more is said of it."""
    told = "\n".join(f"      - {{id: d{n}, device: {device}}}" for n, device in enumerate(devices))
    box = f"""\
name: primary
platform: sparcstation-2
channels:
  - id: c
    kind: scsi-synchronous
    devices:
{told}
"""
    checked = api.check(read_box(parse_document(box, "box.yaml")), ENGINE)
    (found,) = checked.judged.facts.by_subject()["channel"]
    assert isinstance(found, ChannelFacts)
    return found


def ends(figure: object) -> tuple[float, float] | None:
    return (figure.low, figure.high) if isinstance(figure, Quantity) else None


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        ((3, 3, None), (1, 2)),
        ((3, 3, None, None), (1, 3)),
        ((3, 3, 3), (2, 2)),
        ((3, 1, None), None),
        ((3, 1), (0, 0)),
        ((None,), (0, 0)),
    ],
)
def test_two_devices_at_one_target(
    targets: tuple[int | None, ...], expected: tuple[float, float] | None
) -> None:
    found = channel(*(DISK if t is None else f"{DISK}, target: {t}" for t in targets))
    assert ends(found.same_targets) == expected


@pytest.mark.parametrize(
    ("devices", "expected"),
    [
        ((f"{DISK}, target: 5", DISK), (1, 2)),
        ((f"{DISK}, target: 5", f"{TAPE}, target: 4"), (1, 1)),
        ((f"{DISK}, target: 3", TAPE), None),
        ((f"{DISK}, target: 3", OPTICAL), (0, 0)),
    ],
)
def test_a_device_where_the_kernel_expects_none_of_its_kind(
    devices: tuple[str, ...], expected: tuple[float, float] | None
) -> None:
    """2.3.3: of other devices than disks, tapes and CD-ROM drives no target is customary."""
    assert ends(channel(*devices).unusual_targets) == expected


@pytest.mark.parametrize(
    ("devices", "expected"),
    [
        ((f"{DISK}, rate_mb_per_s: 0", DISK), (1, 2)),
        ((f"{DISK}, rate_mb_per_s: 0", f"{DISK}, rate_mb_per_s: 4.1"), (1, 1)),
        ((f"{DISK}, rate_mb_per_s: 4.1", DISK), None),
        ((f"{DISK}, rate_mb_per_s: 4.1", TAPE), (0, 0)),
    ],
)
def test_a_disk_without_synchronous_transfers(
    devices: tuple[str, ...], expected: tuple[float, float] | None
) -> None:
    assert ends(channel(*devices).asynchronous_disks) == expected
