"""Plans that survive the failure of any one disk or controller."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given

from generated_workloads import ENGINE, planned, workloads
from settled import settled
from sizewright.api import plan
from sizewright.configuration.model import CONTROLLER, DISK
from sizewright.load.lines import SERVER_NETWORK
from sizewright.planner.failover import plan_components, plan_failure
from sizewright.planner.plan import Plan
from small import plain, read, volume

RULES = ENGINE.rule_set.judging("plan")
SURVIVES = {"survives": ["disk", "controller"]}


def files(ops_per_s: float, protection: str = "none", **more: Any) -> Plan:
    """The plan for 10 clients of one volume whose reads all reach the disks."""
    service = {
        "name": "files", "clients": 10, "load": {"ops_per_s_each": ops_per_s / 10},
        "mix": {"reads_percent": 90, "writes_percent": 5}, "uses": ["homes"],
    }  # fmt: skip
    return planned(plain(service, volumes=[volume("homes", 300, protection=protection)], **more))


def disks_of(found: Plan) -> set[str]:
    assert found.chosen is not None
    (homes,) = (v for v in found.chosen.system.volumes if v.name == "homes")
    return set(homes.disks)


def failures(found: Plan, *kinds: str) -> dict[str, bool]:
    """Whether the plan holds without each of its parts of some kinds."""
    parts = plan_components(found)
    return {
        name: plan_failure(found, name, RULES).holds
        for name, kind in parts.items()
        if kind in kinds
    }


def test_what_may_fail_is_there_twice() -> None:
    found = files(20, availability=SURVIVES)
    assert found.holds
    assert len(disks_of(found)) == 2
    lost = failures(found, DISK, CONTROLLER)
    assert len(lost) >= 4 and all(lost.values())


def test_terminal_servers_have_a_second_network() -> None:
    found = planned({"name": "lines", "availability": {"survives": ["network"]}, "services": [
        {"kind": "serial", "name": "lines", "lines": 60, "bits_per_s": 9600},
    ]})  # fmt: skip
    assert found.holds and found.chosen is not None
    assert [port.network for port in found.chosen.system.ports] == [SERVER_NETWORK] * 2


def test_backups_wait_for_the_controller_of_their_drive() -> None:
    """Each drive has one controller, and no service needs it: the failure stops backups only."""
    found = files(20, availability=SURVIVES, backup={"window": "8 h"})
    parts = plan_components(found)
    lost = [plan_failure(found, n, RULES) for n, kind in parts.items() if kind == CONTROLLER]
    assert found.holds and all(each.holds for each in lost)
    # Of two controllers one has the drive; each is listed with its system and without.
    assert [each.backups_wait for each in lost].count(True) * 2 == len(lost)


def test_copies_are_on_two_controllers_only_if_a_controller_may_fail() -> None:
    """Two built-in or other channels; advice alone keeps copies apart only where it is followed."""
    policy = {"follow_advice": "never"}
    found = files(20, availability={"survives": ["disk"]}, policy=policy)
    assert found.holds and all(failures(found, DISK).values())
    assert not all(failures(found, CONTROLLER).values())
    found = files(20, availability=SURVIVES, policy=policy)
    assert found.holds and all(failures(found, CONTROLLER).values())


def test_each_copy_has_the_disks_to_do_all_reads() -> None:
    """Mirrored, the reads of two disks are those of one each; after a failure they would be all."""
    mirrored = files(60, protection="mirror")
    lost = failures(mirrored, DISK)
    assert mirrored.holds and not all(lost.values())
    found = files(60, availability={"survives": ["disk"]})
    assert found.holds and all(failures(found, DISK).values())
    assert len(disks_of(found)) > len(disks_of(mirrored))
    assert found.chosen is not None
    assert not any(v.copies_alone for v in found.demand.volumes)


def test_a_machine_without_a_slot_for_a_second_controller_is_refused() -> None:
    """Three token rings use up the slots of a SPARCstation-2: a disk may fail, its adapter not."""
    names = ("a", "b", "c")
    networks = [{"name": name, "medium": "token-ring-4mb", "segments_at_most": 1} for name in names]
    services = [
        {"name": f"of-{name}", "clients": 5, "load": {"ops_per_s_each": 1}, "network": name,
         "uses": ["homes"]}
        for name in names
    ]  # fmt: skip

    def on_desktop(*kinds: str) -> Plan:
        return planned(
            plain(
                *services, networks=networks, volumes=[volume("homes", 300)],
                availability={"survives": list(kinds), "systems": 1},
                wishes={"platforms": ["sparcstation-2"]},
            )
        )  # fmt: skip

    assert on_desktop("disk").holds
    assert not on_desktop("disk", "controller").holds


@settled(10)
@given(workloads())
def test_a_plan_that_holds_survives_every_part_that_may_fail(plain: dict[str, Any]) -> None:
    plain["availability"] = SURVIVES
    found = planned(plain, explain=False)
    assume(found.holds)
    lost = failures(found, DISK, CONTROLLER)
    assert lost
    assert [name for name, holds in lost.items() if not holds] == []


@pytest.mark.parametrize("kinds", [["disk"], ["controller"], ["disk", "controller"]])
def test_data_is_mirrored_for_either(kinds: list[str]) -> None:
    found = files(20, availability={"survives": kinds})
    assert {v.protection for v in found.demand.volumes} == {"mirror"}


class TestANetworkThatMayFail:
    """60 clients with 6 op/s of legato: 360 op/s, and an Ethernet interface sustains 320."""

    def found(self, **availability: Any) -> Plan:
        service = {
            "name": "files", "clients": 60, "load": {"ops_per_s_each": 6}, "mix": "legato",
            "network": "desks", "uses": ["homes"],
        }  # fmt: skip
        stated = plain(
            service, networks=[{"name": "desks", "medium": "ethernet"}],
            volumes=[volume("homes", 900)],
            availability={"survives": ["network"], **availability},
        )  # fmt: skip
        return plan(read(stated), ENGINE)

    def test_is_the_reason_for_which_a_machine_is_refused(self) -> None:
        """320 of 360 op/s are 88.9%; with both networks at work no limit is exceeded."""
        found = self.found(systems=1)
        assert found.chosen is None
        assert {each.reasons for each in found.rejected} == {
            ("if one of 2 networks of desks fails, the other does not carry its load of 360 op/s",)
        }
        assert all(0.88 < each.load_share < 0.89 for each in found.rejected)

    def test_leaves_a_borderline_plan_if_the_other_is_nearly_full(self) -> None:
        """Two systems with 180 op/s each pass; 360 on one Ethernet exceed 80% of its 400."""
        found = self.found()
        assert found.holds and not found.unsurvived
        assert {each.borderline for each in found.borderline_failures} == {
            ("rule 1.1.1-shared-network, network desks-1",),
            ("rule 1.1.1-shared-network, network desks-2",),
        }
