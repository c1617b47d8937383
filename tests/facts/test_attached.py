"""What is attached over all channels together, and memory in steps of the platform."""

from __future__ import annotations

from typing import Any

import pytest

from sizewright.api import check, load_engine
from sizewright.box.reading import read_box
from sizewright.check.check import Check
from sizewright.documents import parse_document
from sizewright.facts.records import SystemFacts
from sizewright.quantity import Quantity
from small import three

GUIDE = "solaris-x86-1998"
PC = f"name: pc\nguide: {GUIDE}\nplatform: pc-file-server\noperating_system: solaris-x86-2.5.1\n"
DISK = "fireball-st-6-4gb-ide"


def checked(text: str) -> Check:
    return check(read_box(parse_document(PC + text, "box.yaml")), load_engine(GUIDE))


def known(text: str) -> SystemFacts:
    return checked(text).judged.facts.system


def ide(name: str, *devices: str) -> str:
    parts = ", ".join(f"{{id: {name}-{n}, device: {d}}}" for n, d in enumerate(devices))
    return f"  - {{id: {name}, kind: ide-ultra-ata, devices: [{parts}]}}\n"


def likely(figure: Any) -> float | None:
    return figure.likely if isinstance(figure, Quantity) else None


def verdicts(text: str, *rules: str) -> dict[str, set[str]]:
    found = checked(text).findings
    return {rule: {f.verdict for f in found if f.rule == rule} for rule in rules}


SCSI = "  - {id: fast, kind: scsi-wide-ultra, devices: [{id: s-0, device: 9-1gb-scsi}]}\n"


def test_devices_of_all_ide_channels_are_counted_and_others_are_not() -> None:
    found = known("channels:\n" + ide("a", DISK, DISK) + ide("b", DISK, "cd-rom") + SCSI)
    counts = (found.drives, found.ide_devices, found.ide_disks)
    assert [likely(count) for count in counts] == [5, 4, 3]


def test_a_machine_without_ide_has_none() -> None:
    found = known("channels:\n" + SCSI)
    assert (likely(found.ide_devices), likely(found.ide_disks)) == (0, 0)
    assert likely(found.ide_kb_per_s) == 0


@pytest.mark.parametrize(
    "text", ["", "channels:\n" + ide("a", DISK) + "  - {id: b, kind: ide-ultra-ata}\n"]
)
def test_where_channels_or_their_devices_are_not_stated_nothing_is_counted(text: str) -> None:
    found = known(text)
    assert (found.drives, found.ide_devices, found.ide_disks, found.ide_kb_per_s) == (None,) * 4


def test_transfers_of_all_ide_channels_are_added_up() -> None:
    """1500, and 1200 at the peak of the other; what goes over SCSI is not among them."""
    seen = "observed: {channels: {a: {kb_per_s: 1500}, b: {kb_per_s: [600, 1200]}%s}}\n"
    channels = "channels:\n" + ide("a", DISK) + ide("b", DISK) + SCSI
    rate = known(channels + seen % ", fast: {kb_per_s: 9000}").ide_kb_per_s
    assert isinstance(rate, Quantity)
    assert three(rate) == (2700, 2700, 2700)
    assert known(channels + "observed: {channels: {a: {kb_per_s: 1500}}}\n").ide_kb_per_s is None


@pytest.mark.parametrize(
    ("controllers", "devices", "disks"),
    [(1, "holds", "holds"), (2, "holds", "violated"), (4, "holds", "violated"),
     (5, "violated", "violated")],
)  # fmt: skip
def test_the_machine_takes_eight_devices_and_three_disks_are_advised(
    controllers: int, devices: str, disks: str
) -> None:
    """Two disks a controller: 2, 4, 8 and 10 of them."""
    channels = "channels:\n" + "".join(ide(f"c{n}", DISK, DISK) for n in range(controllers))
    rules = ("3-hard-drives-ide-devices", "3-hard-drives-ide-disks")
    assert verdicts(channels, *rules) == {rules[0]: {devices}, rules[1]: {disks}}


@pytest.mark.parametrize(("drives", "verdict"), [(11, "holds"), (12, "violated")])
def test_the_power_supply_bears_the_drives_on_the_channels(drives: int, verdict: str) -> None:
    """11 × 20 W and 40 W are 260 W, 12 are 280 W; 110 % of 250 W are 275 W."""
    parts = ", ".join(f"{{id: s-{n}, device: 9-1gb-scsi}}" for n in range(drives))
    text = f"channels:\n  - {{id: fast, kind: scsi-wide-ultra, devices: [{parts}]}}\n"
    rule = "3-power-supply"
    assert verdicts(text + "reported: {power_supply_w: 250}\n", rule)[rule] == {verdict}
    counted = text + "reported: {power_supply_w: 250, drives: 13}\n"
    assert verdicts(counted, rule)[rule] == {"violated"}


@pytest.mark.parametrize(
    ("memory", "whole"), [("128", True), ("64", True), ("96", False), ("[64, 128]", None)]
)
def test_memory_comes_in_steps_of_64_mb(memory: str, whole: bool | None) -> None:
    found = known(f"memory: {{total_mb: {memory}}}\n")
    assert found.memory_in_steps is whole
    assert likely(found.memory_increment_mb) == 64


def test_a_platform_without_a_step_has_none() -> None:
    text = f"name: a\nguide: {GUIDE}\nplatform: sparc-six-50\nmemory: {{total_mb: 192}}\n"
    found = check(
        read_box(parse_document(text, "box.yaml")), load_engine(GUIDE)
    ).judged.facts.system
    assert (found.memory_in_steps, found.memory_increment_mb) == (None, None)
