"""Whole plans: what is chosen, what decided, what is refused and why."""

from __future__ import annotations

import copy
from math import ceil, floor
from pathlib import Path
from typing import Any

import pytest
import yaml

from generated_workloads import Plain, planned
from sizewright.errors import InputError
from sizewright.planner.plan import Plan, coverage, determinant
from small import plain, volume

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples" / "sun-1992"


def example(name: str) -> Any:
    return yaml.safe_load((EXAMPLES / name).read_text(encoding="utf-8"))


CASE_1: Plain = example("case-1-departmental-nfs/workload.yaml")


def platform(plan: Plan) -> str:
    assert plan.chosen is not None
    return plan.chosen.system.platform


def used(plan: Plan, kind: str, name: str = "") -> float:
    assert plan.chosen is not None
    (found,) = [b for b in plan.chosen.budgets if (b.kind, b.name) == (kind, name)]
    return found.used.high


def test_case_study_1_adds_up_to_208_operations() -> None:
    """1.1.8: 170 of the technical staff, 30 of the PCs, 8 of the administration."""
    found = planned(CASE_1)
    assert platform(found) == "sparcstation-2"
    networks = {
        name: used(found, "network", name) for name in ("technical", "pcs", "administrative")
    }
    assert networks == {"technical": 170, "pcs": pytest.approx(30), "administrative": 8}
    assert used(found, "nfs") == pytest.approx(208)
    assert used(found, "slots", "sbus") == 3


def test_case_study_1_takes_the_disks_and_software_of_the_guide() -> None:
    """The guide's case has no backup software, so nothing is stored for it (1.2.9.3).

    It has root, /usr and swap on one of three disks. Beside 1,033 MB of a stripe there are 267 MB
    for 300, so that the plan has a disk of 424 MB more.
    """
    backups = "1.1.7-online-backup"
    found = planned({**CASE_1, "policy": {"waive": [{"rule": backups, "reason": "as the guide"}]}})
    assert found.chosen is not None
    system = found.chosen.system
    disks = sorted(d.model for d in system.devices() if d.kind == "disk")
    assert disks == ["1-3gb-scsi"] * 3 + ["424mb-scsi"] * 3
    assert {"enfs", "online-disksuite"} <= set(system.software)
    assert system.accelerator == ""
    assert {d.model for d in system.devices() if d.kind != "disk"} == {
        "cd-rom", "quarter-inch-tape", "8mm-helical-scan-tape",
    }  # fmt: skip


def test_twice_the_clients_double_their_figures_and_nothing_else() -> None:
    doubled = copy.deepcopy(CASE_1)
    ecad = next(s for s in doubled["services"] if s["name"] == "ecad")
    ecad["clients"] *= 2
    before, after = planned(CASE_1), planned(doubled)
    assert used(after, "network", "technical") - used(before, "network", "technical") == 150
    assert used(after, "network", "pcs") == used(before, "network", "pcs")
    assert used(after, "nfs") == pytest.approx(used(before, "nfs") + 150)
    (old,) = [s for s in before.demand.streams if s.service == "ecad"]
    (new,) = [s for s in after.demand.streams if s.service == "ecad"]
    assert (new.clients.high, new.ops.high) == (2 * old.clients.high, 2 * old.ops.high)


def test_more_than_one_interface_sustains_needs_a_second_network() -> None:
    """1.1.1, Table 2: a Lance interface sustains 320 of its 400 operations."""
    assert planned(plain({"clients": 320})).holds
    assert not planned(plain({"clients": 321})).holds
    networks = [{"name": "north", "medium": "ethernet", "segments_at_most": 2}]
    two = planned(plain({"clients": 321}, networks=networks))
    assert platform(two) == "sparcstation-2"
    assert two.chosen is not None
    assert len(two.chosen.system.ports) == 2


def test_a_load_that_no_platform_carries_is_refused_with_every_platforms_reasons() -> None:
    found = planned(plain({"clients": 3000}, networks=[{"name": "north", "segments_at_most": 8}]))
    assert not found.holds
    assert [r.platform for r in found.rejected] == [
        "sparcstation-2", "sparcserver-630mp", "sparcserver-670mp", "sparcserver-690mp",
    ]  # fmt: skip
    for rejection in found.rejected:
        assert rejection.findings
        assert all(f.severity == "violation" for f in rejection.findings)
        assert any(character.isdigit() for why in rejection.reasons for character in why)
    assert found.nearest in found.rejected
    assert found.nearest is not None
    assert found.nearest.load_share == max(r.load_share for r in found.rejected)
    assert found.shown is found.nearest.judgement


def test_of_equal_refusals_the_nearest_exceeds_its_limit_least() -> None:
    """Sessions need 1,012 MB; a SPARCstation-2 takes 128 MB, an SS670MP 640 (1.1.5)."""
    sessions = {"kind": "timesharing", "name": "users", "sessions": 100, "private_mb": 10}
    found = planned(plain(services=[sessions], volumes=[]))
    assert found.chosen is None and found.nearest is not None
    assert found.nearest.platform == "sparcserver-670mp"


@pytest.mark.no_cover
def test_the_part_of_the_load_that_a_refused_platform_carries_really_fits() -> None:
    def at(clients: int) -> Plan:
        one = [{"name": "north", "segments_at_most": 8}]
        return planned(plain({"clients": clients}, networks=one))

    refused = at(1000)
    assert not refused.holds
    assert refused.nearest is not None
    share = refused.nearest.load_share
    assert 0 < share < 1
    assert at(floor(1000 * share)).holds
    assert not at(ceil(1000 * (share + 2 / 2**8))).holds


def test_a_wish_for_a_platform_that_is_not_on_offer_is_an_input_fault() -> None:
    with pytest.raises(InputError, match="sun-4-260 can be checked, not planned"):
        planned(plain({}, wishes={"platforms": ["sun-4-260"]}))


def test_a_wish_for_a_larger_platform_is_granted() -> None:
    found = planned(plain({}, wishes={"platforms": ["sparcserver-670mp"]}))
    assert platform(found) == "sparcserver-670mp"
    assert found.rejected == ()


def test_disks_that_are_carried_forward_come_from_the_customer() -> None:
    """1.2.9.1: IPI disks to carry forward force the one platform that takes them."""
    found = planned(
        plain(
            {"uses": ["data"]}, volumes=[volume("data", 900)],
            wishes={
                "platforms": ["sparcserver-690mp"],
                "carry_forward": [{"device": "1-0gb-ipi", "count": 1}],
            },
        )
    )  # fmt: skip
    assert found.holds


def test_a_mirror_keeps_its_halves_on_disks_of_their_own() -> None:
    found = planned(
        plain({"uses": ["data"]}, volumes=[volume("data", 400, protection="mirror")])
    )  # fmt: skip
    assert found.chosen is not None
    (laid,) = found.chosen.system.volumes
    first, second = ({part.disk for part in copy} for copy in laid.copies)
    assert first.isdisjoint(second)
    assert "online-disksuite" in found.chosen.system.software
    assert laid.manager == "online-disksuite"


def disks_of(found: Plan) -> dict[str, dict[str, float]]:
    assert found.chosen is not None
    return {
        laid.name: {part.disk: part.size_mb for copy in laid.copies for part in copy}
        for laid in found.chosen.system.volumes
    }


def test_hot_volumes_have_disks_of_their_own_and_cold_ones_are_their_guests() -> None:
    """1.1.8: root, /usr and swap go to one of the disks that hold something else."""
    disks = disks_of(
        planned(
            plain(
                {"uses": ["hot", "warm"]},
                volumes=[volume("hot"), volume("warm"), volume("cold", activity="cold")],
            )
        )
    )
    assert disks["hot"].keys().isdisjoint(disks["warm"])
    assert disks["cold"].keys() <= disks["hot"].keys() | disks["warm"].keys()


def test_a_guest_may_be_larger_than_one_disk() -> None:
    """3,500 MB on three disks of 1,300: each is 3,500 / 3,900 = 90 % full, which 1.2.4 allows.

    Laid on the last disks first, the guest would fill one of them wholly.
    """
    volumes = [volume("files", 2000, access="serial"), volume("old", 1500, activity="cold")]
    disks = disks_of(planned(plain({"uses": ["files"]}, volumes=volumes)))
    assert disks["files"].keys() == disks["old"].keys()
    assert list(disks["files"].values()) == pytest.approx([2000 / 3] * 3)
    assert list(disks["old"].values()) == pytest.approx([1500 / 3] * 3)


def test_backups_bring_a_device_that_is_fit_for_them() -> None:
    without = planned(plain({}))
    found = planned(plain({}, backup={"during_working_hours": False}))
    assert without.chosen is not None
    assert found.chosen is not None
    assert not any(d.purpose == "backup" for d in without.chosen.system.devices())
    assert any(d.purpose == "backup" for d in found.chosen.system.devices())


def test_more_than_2_gb_call_for_software_that_backs_up_a_running_system() -> None:
    """1.1.7: less than 2 GB of data make do with a nightly dump, beside 450 MB of the system."""
    for size, wanted in ((1900, False), (2100, True)):
        found = planned(
            plain(
                {}, volumes=[volume("data", size)], backup={"during_working_hours": False},
                wishes={"system_elsewhere": False},
            )
        )  # fmt: skip
        assert found.chosen is not None
        assert ("online-backupcopilot" in found.chosen.system.software) is wanted


def test_backups_by_day_are_kept_off_the_hot_disks_bus() -> None:
    """2.4.2, Rule VIII."""
    found = planned(
        plain({"uses": ["data"]}, volumes=[volume("data")], backup={"during_working_hours": True})
    )
    assert found.chosen is not None
    for channel in found.chosen.system.channels:
        kinds = {"backup" if d.purpose == "backup" else d.kind for d in channel.devices}
        assert not {"backup", "disk"} <= kinds


def test_memory_holds_what_is_in_use() -> None:
    """1.1.5: 12 MB of working space and 50 MB of data need more than 48 MB."""
    found = planned(plain({}, volumes=[volume("data", cached_mb=50)]))
    assert found.chosen is not None
    assert found.chosen.system.memory_mb == 64


def test_what_decided_is_the_resource_nearest_its_limit() -> None:
    found = planned(plain({"clients": 319}))
    assert found.chosen is not None
    decided = determinant(found.chosen.budgets, "high")
    assert decided is not None
    assert decided.resource in ("primary/network/north", "primary/nfs")
    assert decided.share == pytest.approx(319 / 320)
    assert determinant((), "high") is None


def test_coverage_counts_every_verdict() -> None:
    found = planned(CASE_1)
    assert found.chosen is not None
    counts = coverage(found.chosen.findings)
    assert set(counts) == {"holds", "tight", "violated", "unknown", "waived", "not_applicable"}
    assert sum(counts.values()) == len(found.chosen.findings)
    assert counts["waived"] == 0


def test_disks_that_a_second_system_reaches_have_two_ports() -> None:
    """2.4.3: only IPI disks have a second port, and 1.1.3: only a 690MP shares them."""

    def chosen(dual_ported: bool) -> tuple[str, set[str]]:
        data = volume("data", 100, dual_ported=dual_ported)
        found = planned(plain({"uses": ["data"]}, volumes=[data]))
        assert found.chosen is not None
        devices = found.chosen.system.devices()
        return platform(found), {d.model for d in devices if d.kind == "disk"}

    assert chosen(True) == ("sparcserver-690mp", {"1-3gb-ipi"})
    assert chosen(False) == ("sparcstation-2", {"424mb-scsi"})
