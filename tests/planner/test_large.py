"""Servers with many disks: planned soon, and no worse than a person would do."""

from __future__ import annotations

from collections import Counter
from math import ceil

import pytest

from generated_workloads import Plain, planned
from planner.enumerator import Size, size_of
from sizewright.evaluate.policy import Policy
from sizewright.planner.plan import Plan
from sizewright.rules.compiler import compile_rules
from small import GUIDE, plain, volume

pytestmark = pytest.mark.no_cover


def large(records_mb: float, *platforms: str) -> Plain:
    """Files for workstations, beside records that little is asked of."""
    return plain(
        {"clients": 100, "uses": ["home"]},
        volumes=[
            volume("records", records_mb), volume("maps", 4000), volume("home", 2500),
            volume("mail", 2600, access="serial"), volume("system", 400, protection="mirror"),
            volume("programs", 400, protection="mirror"),
        ],
        wishes={"platforms": list(platforms)},
    )  # fmt: skip


def size(plan: Plan) -> Size:
    assert plan.chosen is not None
    rule_set = compile_rules(GUIDE).judging("plan")
    found = size_of(plan.chosen.system, plan.demand, GUIDE, rule_set, Policy())
    assert found is not None, "it breaks a limit"
    return found


def models(plan: Plan) -> Counter[str]:
    assert plan.chosen is not None
    return Counter(d.model for d in plan.chosen.system.devices() if d.kind == "disk")


def test_a_large_server_takes_the_fewest_disks_and_crowds_no_adapter() -> None:
    """Little is asked of the disks, so that seven may share an adapter (2.4.2).

    Of 1,300 MB file systems may fill 95 %, 1,235 MB: 22,000 MB need 18 disks (17.8), 4,000 MB four,
    2,500 and 2,600 MB three each, and two mirrors of 400 MB four disks of 424 MB.
    """
    found = planned(large(22000, "sparcserver-630mp"))
    assert sum(models(found).values()) == 18 + 4 + 3 + 3 + 4
    assert size(found).devices == sum(models(found).values()) + 1
    assert found.chosen is not None
    active = [b for b in found.chosen.budgets if b.kind == "active"]
    assert {budget.verdict for budget in active} == {"holds"}


@pytest.mark.parametrize("records_mb", [22000, 36000])
def test_strings_come_in_numbers(records_mb: float) -> None:
    """2.3.4: eight drives to a string; little is asked of these, so that no more are needed."""
    found = planned(large(records_mb, "sparcserver-690mp"))
    size(found)
    assert found.chosen is not None
    strings = [c for c in found.chosen.system.channels if c.kind == "ipi-2"]
    assert len(strings) == ceil(models(found)["1-3gb-ipi"] / 8)
    assert all(0 < len(string.devices) <= 8 for string in strings)
    assert models(found)["1-3gb-ipi"] * 1300 >= records_mb


def test_more_disks_than_strings_or_adapters_take_are_refused() -> None:
    """1.2.9.1: five controllers of eight drives take 40; 60,000 MB fill 49 of 1,235 MB (48.6).

    The built-in SCSI channel and four Sbus adapters take 35 devices.
    """
    assert not planned(large(60000, "sparcserver-690mp")).holds


def test_sets_of_more_controllers_than_trays_are_not_tried() -> None:
    """20,000 MB fill 16 of 1,300 MB (15.4), and as many in the other copy.

    Five string controllers are the most (1.2.9.1). With more of them tried the search ended early.
    """
    found = planned(
        plain(
            {"clients": 10, "uses": ["drawings"]},
            volumes=[
                volume("drawings", 20000, access="serial", protection="mirror", activity="hot")
            ],
            wishes={"platforms": ["sparcserver-690mp"]},
        )
    )
    assert found.chosen is not None
    assert not found.gaps
    kinds = Counter(channel.kind for channel in found.chosen.system.channels)
    assert kinds["ipi-2"] <= 5
    assert sum(models(found).values()) >= 32


def test_more_than_all_channels_can_address_is_refused_on_every_platform() -> None:
    found = planned(large(400_000))
    assert not found.holds
    assert [r.load_share for r in found.rejected] == [0] * 4


def test_no_more_networks_are_tried_than_a_machine_attaches() -> None:
    """A community that may be divided ten thousand times is planned as one divided forty times."""

    def divided(times: int) -> Plan:
        return planned(
            plain({"clients": 100}, networks=[{"name": "north", "segments_at_most": times}])
        )

    few, many = divided(40), divided(10_000)
    assert many.chosen is not None and few.chosen is not None
    # Figures of two plans are equal only in what they say.
    assert repr(many.chosen.system) == repr(few.chosen.system)
