"""Machines of several kinds of processor are planned to the limits that their paper prints."""

from __future__ import annotations

import pytest

from functional import KINDS, OF_KINDS, boards, files, machine, served, wanted
from generated_workloads import read
from sizewright.api import plan
from sizewright.evaluate.policy import Policy
from sizewright.planner.parts import memory_sizes
from sizewright.planner.plan import Plan
from sizewright.planner.planning import Planning
from sizewright.planner.single import smallest
from sizewright.planner.structural_limits import find_shortfalls
from written_plans import reread, written

SMALL, LARGE = machine("ns-3000"), machine("ns-5500")
LIMITS = Planning(OF_KINDS.guide, OF_KINDS.rule_set, Policy())
DISK_MB = 1902  # files may fill 95 % of 2.003 GB formatted (3.3)


def platform(plan: Plan) -> str:
    return plan.chosen.system.platform if plan.chosen else ""


def test_places_are_those_of_each_kind() -> None:
    """3.3: four Ethernet, one or two file, up to three storage processors; or two, one and one."""
    kinds = ("protocol", "file", "storage", "host")
    small = [SMALL.free_slots[f"vme {kind}_processor"] for kind in kinds]
    large = [LARGE.free_slots[f"vme {kind}_processor"] for kind in kinds]
    assert (small, large) == ([2, 1, 1, 1], [4, 2, 3, 1])
    assert SMALL.free_slots["vme"] == LARGE.free_slots["vme"] == 0


def test_what_can_be_attached_at_most() -> None:
    """Table 3: 4 networks and 5 channels; 8 and 30. 3.3: 10 and 60 devices."""
    found = [(m.networks_at_most, m.channels_at_most, m.devices_at_most) for m in (SMALL, LARGE)]
    assert found == [(4, 5, 10), (8, 30, 60)]


def test_the_cache_grows_in_steps() -> None:
    """3.3: from 16 to 96 MB in 16 MB increments."""
    assert [size.size_mb for size in memory_sizes(SMALL)] == [16, 32, 48, 64, 80, 96]


def test_the_least_server_is_the_base_configuration() -> None:
    """3.3: one each of the four processor types; the write cache is advised for the usual mix."""
    plan = served()
    assert plan.chosen is not None and plan.proven
    assert platform(plan) == "ns-3000"
    assert boards(plan.chosen.system) == {
        "ethernet-processor": 1, "file-processor": 1, "storage-processor": 1,
        "host-processor-sun-4": 1, "write-cache": 1,
    }  # fmt: skip
    assert plan.chosen.system.memory_mb == 16
    assert len(plan.chosen.system.channels) == 5


@pytest.mark.parametrize(("networks", "number"), [(1, 1), (2, 1), (3, 2), (5, 3), (8, 4)])
def test_two_networks_share_an_ethernet_processor(networks: int, number: int) -> None:
    plan = served(networks=networks)
    assert plan.chosen is not None
    system = plan.chosen.system
    assert boards(system)["ethernet-processor"] == number
    assert platform(plan) == ("ns-3000" if networks <= 4 else "ns-5500")
    providers = [port.provider for port in system.ports]
    assert max(map(providers.count, providers)) <= 2
    assert {*providers} == {b.id for b in system.boards if b.model == "ethernet-processor"}


def test_more_networks_than_either_machine_attaches() -> None:
    """Table 3: 8 Ethernets."""
    plan = served(networks=9)
    assert plan.chosen is None
    told = {rejected.platform: rejected.reasons for rejected in plan.rejected}
    assert told == {
        "ns-3000": ("the workload has 9 networks; it can attach 4",),
        "ns-5500": ("the workload has 9 networks; it can attach 8",),
    }


def test_as_many_networks_as_there_are_ports_lack_none() -> None:
    assert find_shortfalls(SMALL, wanted(networks=4), LIMITS) == ()
    assert len(find_shortfalls(SMALL, wanted(networks=5), LIMITS)) == 1


@pytest.mark.parametrize(
    ("ops_per_s", "found"), [(675, "ns-3000"), (676, "ns-5500"), (1125, "ns-5500"), (1126, "")]
)
def test_the_load_of_four_networks(ops_per_s: float, found: str) -> None:
    """Table 3: 675 over four; half of the networks of 2250 carry half of it."""
    assert platform(served(networks=4, ops_per_s=ops_per_s)) == found


@pytest.mark.parametrize(("ops_per_s", "found"), [(2250, "ns-5500"), (2251, "")])
def test_the_load_of_eight_networks(ops_per_s: float, found: str) -> None:
    """Table 3: 2250 over eight."""
    assert platform(served(networks=8, ops_per_s=ops_per_s)) == found


@pytest.mark.parametrize(
    ("disks", "adapters"), [(12, 2), (19, 2), (20, 2), (39, 2), (40, 3), (59, 3)]
)
def test_a_storage_processor_takes_two_devices_on_each_of_ten_channels(
    disks: int, adapters: int
) -> None:
    """3.3: 20 devices each, one of which is the drive that software is loaded from.

    The load of the NS 5500 was measured with two storage processors (4.2), so it has no fewer.
    """
    plan = served(size_mb=disks * DISK_MB)
    assert plan.chosen is not None
    system = plan.chosen.system
    counts = boards(system)
    assert (counts["storage-processor"], counts["write-cache"]) == (adapters, adapters)
    assert len(system.channels) == 10 * adapters
    assert sum(device.kind == "disk" for device in system.devices()) == disks
    assert max(len(channel.devices) for channel in system.channels) <= 2


@pytest.mark.parametrize(("disks", "found"), [(9, "ns-3000"), (10, "ns-5500")])
def test_the_small_machine_takes_ten_devices(disks: int, found: str) -> None:
    """3.3: nine disks and the drive that software is loaded from."""
    assert platform(served(size_mb=disks * DISK_MB)) == found


def test_disks_are_as_many_as_lend_all_others_room() -> None:
    """1 GB in use and 12 GB that lie idle fill seven disks together, and eight apart."""
    asked = files(size_mb=1000)
    asked["volumes"].append(
        {"name": "old", "size_mb": 12000, "access": "random", "activity": "cold"}
    )
    found = plan(read(asked), OF_KINDS)
    assert found.chosen is not None
    assert platform(found) == "ns-3000"
    assert sum(device.kind == "disk" for device in found.chosen.system.devices()) == 7


def test_more_data_than_all_disks_hold() -> None:
    """3.3: 60 devices, one of them the CD-ROM."""
    plan = served(size_mb=60 * DISK_MB)
    assert plan.chosen is None
    assert plan.rejected[-1].reasons == (
        "the data needs 60 disks and 1 other device; it can attach 60 devices in total",
    )
    (told,) = find_shortfalls(LARGE, wanted(size_mb=61 * DISK_MB), LIMITS)
    assert told.message.startswith("data: 116 GB of data; the most disks of one model, 60")
    assert served(size_mb=61 * DISK_MB).chosen is None


@pytest.mark.parametrize(
    "asked",
    [
        {}, {"networks": 5, "ops_per_s": 400, "size_mb": 20000}, {"size_mb": 59 * DISK_MB},
        {"networks": 8, "ops_per_s": 2250, "size_mb": 30000},
        {"networks": 3, "size_mb": 8000, "protection": "mirror"},
    ],
)  # fmt: skip
def test_a_plan_passes_the_check(asked: dict[str, float]) -> None:
    plan = served(**asked)
    assert plan.chosen is not None
    found = reread(written(plan), OF_KINDS)
    assert found.holds
    assert found.judged.system.boards == plan.chosen.system.boards


def test_every_processor_and_every_cache_stands_in_a_place_of_its_own() -> None:
    plan = served(networks=8, ops_per_s=2250, size_mb=50 * DISK_MB)
    assert plan.chosen is not None
    system = plan.chosen.system
    slots = [(board.bus, slot) for board in system.boards for slot in board.slots]
    assert len(slots) == len({*slots}) == len(system.boards)
    assert all(board.in_fitting_slots for board in plan.chosen.facts.boards)
    assert {b.verdict for b in plan.chosen.budgets if b.kind == "slots"} == {"holds"}
    # A write cache sits on each storage processor.
    assert {b.bus for b in system.boards if b.model == "write-cache"} == {"storage-processor"}


def test_every_board_counts_in_the_key_by_which_the_smallest_is_found() -> None:
    """Those of the base and the caches that come with adapters too."""
    demand = wanted(networks=5, size_mb=25 * DISK_MB)
    best, _ = smallest((LARGE,), demand, LIMITS._replace(rule_set=OF_KINDS.judging("plan")))
    assert best is not None
    assert best.key.size.boards == len(best.system.boards) == 3 + 2 + 2 + 1 + 2
    assert best.key.size.devices == len(best.system.devices()) == 26


def test_no_time_of_the_host_goes_into_files() -> None:
    plan = served()
    assert plan.chosen is not None
    assert KINDS.row("platforms", "ns-3000").get_flag("host_serves_nfs") is False
    assert not {b.kind for b in plan.chosen.budgets} & {"kernel_lock", "processors"}


def test_the_larger_server_has_what_its_load_was_measured_with() -> None:
    """Figure 12: two file processors, two storage processors with write caches, 32 MB of cache."""
    plan = served(networks=5)
    assert plan.chosen is not None
    assert platform(plan) == "ns-5500"
    system = plan.chosen.system
    found = boards(system)
    assert (found["file-processor"], found["storage-processor"], found["write-cache"]) == (2, 2, 2)
    assert system.memory_mb == 32
    said = {finding.rule: finding.verdict for finding in plan.chosen.findings}
    assert said["4.2-measured-with"] == "holds"


@pytest.mark.parametrize(
    ("ops_per_s", "verdict"), [(2025, "holds"), (2026, "tight"), (2250, "tight")]
)
def test_a_load_above_nine_tenths_overloads_the_file_processors(
    ops_per_s: float, verdict: str
) -> None:
    """4.1: utilisation above 90 % is overload; 90 % of 2250 are 2025."""
    plan = served(networks=8, ops_per_s=ops_per_s)
    assert plan.chosen is not None
    said = {finding.rule: finding.verdict for finding in plan.chosen.findings}
    assert said["4.1-planned-overload"] == verdict


@pytest.mark.parametrize(("size_mb", "disks"), [(1902, 1), (1904, 2)])
def test_file_systems_fill_95_percent_of_a_disk(size_mb: float, disks: int) -> None:
    """The limit is sizewright's own: 0.95 × 2003 MB = 1902.9 MB."""
    plan = served(ops_per_s=5, size_mb=size_mb)
    assert plan.chosen is not None
    (laid,) = plan.chosen.system.volumes
    assert [len(copy) for copy in laid.copies] == [disks]


def test_backups_have_one_drive_of_those_that_the_guide_names() -> None:
    """Section 3.3: 4 and 8 mm, 1/2 inch and 1/4 inch; it gives no rate, so one drive is planned."""
    for backup, number in (({}, 1), (None, 0)):
        found = plan(read(files() | ({} if backup is None else {"backup": backup})), OF_KINDS)
        assert found.chosen is not None
        assert sum(d.purpose == "backup" for d in found.chosen.system.devices()) == number
