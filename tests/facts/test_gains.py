"""What joining disks gains, by Tables 12 and 13."""

from __future__ import annotations

from typing import Any

import pytest

from sizewright.demand.usage import UsageProfile, VolumeUse
from sizewright.facts.derive import Facts, derive_facts
from sizewright.load.measured import Measured, derive_measured
from sizewright.quantity import Quantity
from small import GUIDE, channel, disk, laid, system, three


def facts(access: str | None = "random", **changes: Any) -> Facts:
    found = system(**changes)
    usage = UsageProfile(volumes={"data": VolumeUse(access)})
    return derive_facts(found, derive_measured(Measured(), usage, found, GUIDE), GUIDE)


def on(model: str, *copies: dict[str, float], kind: str = "scsi-synchronous") -> dict[str, Any]:
    """Volume `data` laid out over disks of one model."""
    names = sorted({name for copy in copies for name in copy})
    devices = (disk(name, model) for name in names)
    return {"channels": (channel("c", *devices, kind=kind),), "volumes": (laid("data", *copies),)}


PAIR = {"a": 50.0, "b": 50.0}


@pytest.mark.parametrize(
    ("platform", "model", "access", "reads", "writes"),
    [
        ("sparcstation-2", "1-3gb-scsi", "random", 0, 0.45),
        ("sparcstation-2", "669mb-scsi", "random", 0.10, 0.17),
        ("sparcstation-2", "669mb-scsi", "serial", 0.15, 0.55),
        ("sparcserver-630mp", "424mb-scsi", "random", -0.03, 0.02),
        ("sparcserver-670mp", "1-3gb-scsi", "serial", -0.40, -0.55),
        ("sparcserver-690mp", "1-3gb-ipi", "random", 0.28, 0.30),
        ("sparcserver-690mp", "1-3gb-ipi", "serial", -0.32, -0.30),
    ],
)
def test_striping_gains_what_table_13_prints(
    platform: str, model: str, access: str, reads: float, writes: float
) -> None:
    kind = "ipi-2" if model.endswith("ipi") else "scsi-synchronous"
    gain = facts(access, platform=platform, **on(model, PAIR, kind=kind)).volumes[0].stripe_gain
    assert isinstance(gain, Quantity)
    assert three(gain) == (min(reads, writes), reads, max(reads, writes))


@pytest.mark.parametrize(
    ("platform", "model", "access", "copy"),
    [
        ("sparcstation-2", "424mb-scsi", "random", PAIR),
        ("sparcserver-690mp", "911mb-ipi", "random", PAIR),
        ("sun-4-490", "1-3gb-ipi", "random", PAIR),
        ("sparcserver-690mp", "1-3gb-ipi", None, PAIR),
        ("sparcserver-690mp", "1-3gb-ipi", "random", {"a": 100.0}),
    ],
    ids=["disk not measured", "other disk", "platform not measured", "access unknown", "one disk"],
)
def test_what_was_not_measured_has_no_gain(
    platform: str, model: str, access: str | None, copy: dict[str, float]
) -> None:
    kind = "ipi-2" if model.endswith("ipi") else "scsi-synchronous"
    found = facts(access, platform=platform, **on(model, copy, kind=kind)).volumes[0]
    assert found.stripe_gain is None


def test_a_stripe_over_two_kinds_of_disk_has_no_gain() -> None:
    channels = (channel("c", disk("a", "669mb-scsi"), disk("b", "1-3gb-scsi")),)
    found = facts(platform="sparcstation-2", channels=channels, volumes=(laid("data", PAIR),))
    assert found.volumes[0].stripe_gain is None


@pytest.mark.parametrize(
    ("access", "reads", "writes"), [("random", 0.10, 0.15), ("serial", -0.01, -0.22)]
)
def test_mirroring_gains_what_table_12_prints(access: str, reads: float, writes: float) -> None:
    mirror = on("1-3gb-scsi", {"a": 100.0}, {"b": 100.0})
    found = facts(access, platform="sparcstation-2", **mirror).volumes[0]
    assert isinstance(found.mirror_gain, Quantity)
    assert three(found.mirror_gain) == (min(reads, writes), reads, max(reads, writes))
    assert found.stripe_gain is None


def test_without_a_second_copy_nothing_is_gained_by_mirroring() -> None:
    found = facts(platform="sparcstation-2", **on("1-3gb-scsi", PAIR)).volumes[0]
    assert found.mirror_gain is None
