"""What part of a channel a device takes by the rules, whatever else hangs on it."""

from __future__ import annotations

import pytest

from serving import demanded, measured
from sizewright.evaluate.policy import Policy
from sizewright.facts.records import blank
from sizewright.facts.storage import channel_facts
from sizewright.load.channels import Attached, active_disks, bus_time
from sizewright.planner.channel_rules import ChannelPenalties, ChannelUse, RateLimits
from sizewright.planner.devices import Use
from sizewright.planner.parts import Machine
from sizewright.planner.planning import Planning
from sizewright.planner.search import Search
from sizewright.quantity import Quantity, count
from sizewright.rules.compiler import compile_rules
from small import GUIDE, given, row

KB = 1024


def parts(channel: str, attached: Attached, policy: Policy) -> dict[str, float]:
    """The parts that one device takes of a channel of a kind."""
    kind = row("disk-busses", channel)
    moved = Quantity(1000, 1000, 1000, "KB/s")
    facts = channel_facts(
        "", kind, 1, None, moved, None, active_disks(kind, [attached]),
        bus_time(kind, [attached], GUIDE),
    )  # fmt: skip
    limits = RateLimits(compile_rules(GUIDE).judging("plan"), policy, blank("system", {}))
    found = limits.parts(facts)
    return {name.removeprefix("channel."): part for name, part in found.items()}


RANDOM = Attached(
    "disk", "random", count(0.5, "active", "disk"), given(0, unit="KB/s"),
    given(1000, unit="KB/s"), disk=True,
)  # fmt: skip


@pytest.mark.parametrize(("size_for", "rate_mb"), [("high", 4.1), ("low", 5.0)])
def test_a_random_disk_takes_its_part_of_a_scsi_adapter(size_for: str, rate_mb: float) -> None:
    """Half a disk of two (VII), 1000 KB/s of a fifth of 4.1 to 5.0 MB/s, one of seven addresses."""
    assert parts("scsi-synchronous", RANDOM, Policy(size_for)) == {
        "devices": pytest.approx(1 / 7), "active_disks": pytest.approx(0.25),
        "bus_ms_per_s": pytest.approx(1000 / (rate_mb * KB) / 0.2),
        "demanded_kb_per_s": pytest.approx(1000 / (rate_mb * KB)),
    }  # fmt: skip


def test_a_disk_takes_its_part_of_a_string() -> None:
    """Half a disk of three (IX), 1000 of 6144 KB/s (2.4.3), one of eight drives (2.3.4)."""
    assert parts("ipi-2", RANDOM, Policy()) == {
        "devices": pytest.approx(1 / 8), "active_disks": pytest.approx(0.5 / 3),
        "demanded_kb_per_s": pytest.approx(1000 / 6144),
    }  # fmt: skip


def test_a_serial_disk_counts_less_beside_random_ones_than_alone() -> None:
    """VII: two random disks or four serial ones are active; beside random ones a serial is half.

    Three serial ones of 0.9 are 2.7 of 4. With two random ones of 0.7 they are 1.4 + 1.35 of 2, one
    is 1.4 + 0.45.
    """
    machine = Machine(GUIDE, row("platforms", "sparcstation-2"), 1, "solaris-1.0.1")
    rules = compile_rules(GUIDE).judging("plan")
    devices = Search(
        machine, demanded(measured()), Planning(machine.guide, rules, Policy())
    ).space.devices
    nothing = given(0, unit="KB/s")
    for kind, access, active in (("random", "random", 0.7), ("serial", "serial", 0.9)):
        disk = Attached("", access, count(active, "active", "disk"), nothing, nothing, disk=True)
        devices.add_kind(kind, Use(disk, random=access == "random"))

    def breaks(**numbers: int) -> bool:
        return bool(devices.cost("scsi-synchronous", tuple(sorted(numbers.items()))).broken)

    assert not breaks(serial=3)
    assert breaks(random=2, serial=3)
    assert not breaks(random=2, serial=1)
    assert breaks(serial=5)


def test_rules_that_are_waived_limit_nothing() -> None:
    found = parts("scsi-synchronous", RANDOM, Policy(waived={"VII": "so agreed"}))
    assert "active_disks" not in found


def test_a_penalty_that_is_remembered_is_that_of_the_same_transfers() -> None:
    """2.4.3: a string transfers 6 MB/s, 6144 KB/s, whatever is on it."""
    rules = compile_rules(GUIDE).judging("plan")
    penalties = ChannelPenalties(GUIDE, rules, Policy(), blank("system", {}))

    def breaks(kb_per_s: float) -> bool:
        active = (1, 1, 1), (3, 3, 3)
        used = ChannelUse(1, 1, 0, (kb_per_s, kb_per_s, kb_per_s), False, active)
        return bool(penalties.cost("ipi-2", used).broken)

    assert [breaks(6000), breaks(6200), breaks(6000)] == [False, True, False]
