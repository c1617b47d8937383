"""Devices that are owned: used first, never ordered, and all accounted for."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import Plain
from generated_workloads import planned as plan_of
from planner.proof import key_of
from planner.tiny_guides import tiny_case
from sizewright.demand.model import Owned
from sizewright.output.bill_of_materials import OwnedLine, owned_lines
from sizewright.planner.plan import Plan
from small import demand, plain, unsaid, volume

Wish = dict[str, Any]


def owned(device: str, count: int = 1, **more: Any) -> Wish:
    return {"carry_forward": [{"device": device, "count": count, **more}]}


def planned(*volumes: Any, **wishes: Any) -> Plan:
    names = [each["name"] for each in volumes]
    return plan_of(plain({"uses": names}, volumes=list(volumes), wishes=wishes))


def lines(plan: Plan) -> tuple[OwnedLine, ...]:
    assert plan.chosen is not None
    return owned_lines(plan.guide, plan.demand, plan.chosen.system)


def disks(plan: Plan) -> list[str]:
    assert plan.chosen is not None
    return sorted(each.model for each in plan.chosen.system.disks())


def test_two_owned_drives_hold_what_needs_both() -> None:
    """2 × 424 MB hold 650 MB, so that no drive is ordered."""
    for more in ({}, {"optional": True}):
        found = planned(volume("homes", 650), **owned("424mb-scsi", 2, **more))
        assert disks(found) == ["424mb-scsi"] * 2
        (line,) = lines(found)
        assert (line.with_data, line.without_data, line.unused) == (2, 0, 0)


def test_data_on_an_owned_drive_leaves_less_for_new_ones() -> None:
    """1,450 MB: 1.3 GB is too small, and with the owned 424 MB one such drive is enough."""
    found = planned(unsaid("a", 1100), unsaid("b", 350), **owned("424mb-scsi", optional=True))
    assert disks(found) == ["1-3gb-scsi", "424mb-scsi"]


@pytest.mark.parametrize("number", [6, 20])
def test_the_operating_system_is_not_spread_over_owned_drives(number: int) -> None:
    """450 MB fit on none of 424 MB, and a machine starts from one disk: one drive is new.

    A SCSI bus has seven targets (2.3.3), so the built-in one is full.
    """
    found = planned(volume("data", 350), system_elsewhere=False, **owned("424mb-scsi", number))
    assert disks(found) == ["1-3gb-scsi", *["424mb-scsi"] * number]
    assert found.group is None and found.proven


def test_a_drive_without_data_is_attached_unless_it_is_optional() -> None:
    """Two drives of 207 MB hold less than the 1,000 MB that need a drive of 1.3 GB."""
    found = planned(volume("data", 1000), **owned("207mb-scsi", 2))
    assert disks(found) == ["1-3gb-scsi", "207mb-scsi", "207mb-scsi"]
    (line,) = lines(found)
    assert (line.with_data, line.without_data, line.unused) == (0, 2, 0)
    found = planned(volume("data", 1000), **owned("207mb-scsi", 2, optional=True))
    assert disks(found) == ["1-3gb-scsi"]
    (line,) = lines(found)
    assert (line.with_data, line.without_data, line.unused) == (0, 0, 2)
    assert line.why == "the order would not be smaller with them"


def test_owned_drives_decide_the_platform_unless_they_are_optional() -> None:
    """1.2.9.1: IPI drives to carry forward force an SS690MP."""
    found = planned(volume("data", 100), **owned("1-0gb-ipi", 2))
    assert found.chosen is not None
    assert found.chosen.system.platform == "sparcserver-690mp"
    assert found.rejected[0].reasons == (
        "2 owned 1.0 GB IPI disks are to be used; it can attach none",
    )
    found = planned(volume("data", 100), **owned("1-0gb-ipi", 2, optional=True))
    assert found.chosen is not None
    assert found.chosen.system.platform == "sparcstation-2"
    (line,) = lines(found)
    assert line.why == "SPARCstation-2 has no channel for them"


def test_owned_tapes_are_attached() -> None:
    """A wish for one such tape is met by one of two that exist."""
    found = planned(
        volume("data", 100), removable_media=["quarter-inch-tape"],
        **owned("quarter-inch-tape", 2),
    )  # fmt: skip
    assert found.chosen is not None
    models = [device.model for device in found.chosen.system.devices()]
    assert models.count("quarter-inch-tape") == 2


def test_entries_of_one_model_add_up() -> None:
    entries = [
        {"device": "1-0gb-ipi", "count": 2}, {"device": "1-0gb-ipi", "count": 3, "optional": True},
        {"device": "1-0gb-ipi"},
    ]  # fmt: skip
    for each in (entries, entries[::-1]):
        found = demand({}, wishes={"carry_forward": each}).carry_forward
        assert found == (Owned("1-0gb-ipi", 3, 3),)


@pytest.mark.parametrize("number", range(0, 240, 4))
def test_what_may_be_used_never_costs_and_what_must_be_used_never_saves(number: int) -> None:
    case = tiny_case(number)
    own = tuple(Owned(o.device, 0, o.number) for o in case.demand.carry_forward)
    must = tuple(Owned(o.device, o.number) for o in own)

    def key(carried: tuple[Owned, ...]) -> tuple[float, ...] | None:
        return key_of(case, case.demand._replace(carry_forward=carried))

    none, may, all_used = (key(each) for each in ((), own, must))
    if none is not None:
        assert may is not None and may <= none
    if all_used is not None:
        assert may is not None and may <= all_used
    assert key(own[::-1]) == may


def test_devices_that_exist_are_divided_over_several_systems() -> None:
    """Of three drives two are on the first system and one on the second: none is used twice."""
    asked = plain(
        {"uses": ["data"]}, volumes=[volume("data", 100)], wishes=owned("207mb-scsi", 3),
        availability={"systems": 2},
    )  # fmt: skip
    found = plan_of(asked)
    assert found.group is not None
    there = [(member.quantity, disks(member.plan)) for member in found.group.members]
    assert there == [(1, ["207mb-scsi"] * 2), (1, ["207mb-scsi"])]
    assert [line.quantity for each in found.plans for line in lines(each)] == [2, 1]


def test_drives_that_must_be_used_are_attached_where_there_is_no_data() -> None:
    found = plan_of(plain({}, wishes=owned("1-0gb-ipi", 2)))
    assert found.chosen is not None
    assert found.chosen.system.platform == "sparcserver-690mp"
    assert disks(found) == ["1-0gb-ipi"] * 2


def test_of_optional_drives_only_those_with_data_are_attached() -> None:
    """One of two drives of 669 MB holds the operating system (450 MB, 1.2.9.3); no data is left."""
    required, optional = (
        {"device": "1-0gb-ipi", "count": 6}, {"device": "669mb-scsi", "count": 2, "optional": True}
    )  # fmt: skip
    found = planned(
        unsaid("lines", 3600), unsaid("homes", 1500), system_elsewhere=False,
        carry_forward=[required, optional],
    )  # fmt: skip
    assert disks(found) == ["1-0gb-ipi"] * 6 + ["669mb-scsi"]


@pytest.mark.parametrize("copies", [{}, {"protection": "mirror"}])
def test_an_owned_drive_of_unknown_speed_stays_without_data(copies: Plain) -> None:
    """No table says what a 327 MB drive sustains. One drive cannot hold both copies of a mirror."""
    volumes = [volume(name, 30, **copies) for name in "abcd"]
    found = planned(*volumes, **owned("327mb-scsi"))
    (line,) = lines(found)
    assert (line.with_data, line.without_data) == (0, 1)
    assert found.chosen is not None and found.chosen.system.platform == "sparcstation-2"


_STRINGS = [
    unsaid("v0", 469, access="serial"), unsaid("v1", 3787, protection="mirror", own_disks=True),
    unsaid("v2", 4150), unsaid("v3", 235, access="serial", use="log"),
]  # fmt: skip
_ORDERS = {
    "kind": "database", "name": "orders", "product": "sybase", "network": "lan", "clients": 29,
    "log": "v3", "front_ends": "here", "traffic": {"packets_per_s": 80, "packet_byte": 512},
    "work": [
        {"name": "a", "volume": "v1", "ops_per_s": 8},
        {"name": "b", "volume": "v0", "mb": 5, "every_s": 60},
        {"name": "c", "volume": "v3", "operation": "write", "access": "serial", "ops_per_s": 7},
    ],
}  # fmt: skip


@pytest.mark.deep
@pytest.mark.parametrize("optional", [True, False])
def test_owned_drives_never_cost_the_plan(optional: bool) -> None:
    """There is one on IPI strings without them, and the built-in bus takes three SCSI drives.

    No NVRAM board can stand beside those: it serves no disks on Sbus (2.8).
    """
    workload = {
        "name": "owned", "networks": [{"name": "lan", "medium": "fddi"}], "volumes": _STRINGS,
        "services": [_ORDERS], "wishes": owned("424mb-scsi", 3, optional=optional),
    }  # fmt: skip
    assert plan_of(workload).chosen is not None


def test_owned_strings_are_part_of_what_an_accelerator_counts() -> None:
    """Six IPI drives fill a string: with all the data on them the VME board serves all disks.

    An accelerator on Sbus is advised against beside them (2.8), whatever the data is on.
    """
    networks = [{"name": name, "medium": "ethernet"} for name in ("east", "west", "north")]
    work = {"clients": 20, "active": 8, "load": {"ops_per_s_each": 20}, "mix": "legato"}
    uses = {"uses": {"lines": 70, "homes": 30}}
    services = [
        {**work, **uses, "name": each["name"], "network": each["name"]} for each in networks
    ]
    tape = {"device": "half-inch-tape"}
    kept = {"carry_forward": [{"device": "1-0gb-ipi", "count": 6}, tape]}
    found = plan_of(
        plain(
            *services, volumes=[unsaid("lines", 3600), unsaid("homes", 1500)], networks=networks,
            wishes={**kept, "removable_media": ["half-inch-tape"]}, backup={"window": "8 h"},
        )
    )  # fmt: skip
    assert found.holds and found.proven
    assert found.chosen is not None
    assert not [f for f in found.chosen.findings if f.rule == "2.8-nearer-bus" and f.remedy]


def test_nothing_is_spread_over_owned_drives_that_one_of_them_holds() -> None:
    """300 MB at 10 op/s are on one of two drives, which takes no software that joins disks."""
    found = planned(volume("homes", 300), system_elsewhere=True, **owned("424mb-scsi", 2))
    (line,) = lines(found)
    assert (line.with_data, line.without_data) == (1, 1)
