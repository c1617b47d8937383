"""Removable media that the customer has: as many devices as are wished for."""

from __future__ import annotations

from typing import Any

from generated_workloads import planned
from small import plain, volume


def attached(*media: str, **more: Any) -> list[str]:
    """The devices beside disks of the plan of a small server with these wishes."""
    wishes = {"removable_media": list(media)}
    found = planned(plain({}, volumes=[volume("files")], wishes=wishes, **more))
    assert found.chosen is not None
    return sorted(d.model for d in found.chosen.system.devices() if d.kind != "disk")


def test_what_stands_there_twice_is_two_devices() -> None:
    found = attached("optical-jukebox", "half-inch-tape", "optical-jukebox")
    assert found == ["cd-rom", "half-inch-tape", "optical-jukebox", "optical-jukebox"]


def test_what_the_operating_system_needs_anyway_is_not_added_to_what_is_wished_for() -> None:
    assert attached("cd-rom") == ["cd-rom"]
    assert attached("cd-rom", "cd-rom") == ["cd-rom", "cd-rom"]


def test_a_tape_that_is_wished_for_serves_backups_too() -> None:
    found = attached("8mm-helical-scan-tape", "8mm-helical-scan-tape", backup={})
    assert found == ["8mm-helical-scan-tape", "8mm-helical-scan-tape", "cd-rom"]


def test_each_device_has_an_address_of_its_own() -> None:
    """Eight devices and a disk are more than the seven that the built-in adapter addresses."""
    jukeboxes = ["optical-jukebox"] * 7
    found = planned(plain({}, volumes=[volume("files")], wishes={"removable_media": jukeboxes}))
    assert found.chosen is not None
    assert [len(c.devices) <= 7 for c in found.chosen.system.channels] == [True, True]
