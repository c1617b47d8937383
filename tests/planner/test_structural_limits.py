"""What a machine cannot have at all, named by what the workload calls it."""

from __future__ import annotations

from typing import Any

import pytest

import functional
from functional import wanted
from generated_workloads import ENGINE, Plain, planned
from planner.test_lines import gateway, printing
from serving import demanded
from sizewright.evaluate.policy import Policy
from sizewright.guide.model import Table
from sizewright.planner.parts import Machine
from sizewright.planner.planning import Planning
from sizewright.planner.structural_limits import find_shortfalls
from small import GUIDE, demand, plain, row, volume

LIMITS = Planning(ENGINE.guide, ENGINE.rule_set, Policy())


def machine(platform: str) -> Machine:
    return Machine(GUIDE, row("platforms", platform), 2, "solaris-1.0.1")


def lacking(platform: str, service: Plain, **more: Any) -> tuple[str, ...]:
    return tuple(
        each.message for each in find_shortfalls(machine(platform), demand(service, **more), LIMITS)
    )


def test_most_workloads_find_all_that_they_need() -> None:
    volumes = [volume("data"), volume("twice", protection="mirror"), volume("old", activity="cold")]
    assert lacking("sparcstation-2", {"uses": ["data"]}, volumes=volumes) == ()


def test_a_volume_that_is_larger_than_all_disks_together() -> None:
    """A SPARCstation 2 has three Sbus slots and a built-in adapter with seven devices each.

    File systems fill 95 % of a disk of 1300 MB: 1235 MB.
    """
    huge = [volume("huge", 34581), volume("fits", 33300)]
    told = lacking("sparcstation-2", {"uses": ["huge"]}, volumes=huge[:1])
    assert told == (
        "huge: 34581 MB of data; the most disks of one model, 28 of 1.3 GB, hold 34580 MB",
    )
    assert lacking("sparcstation-2", {"uses": ["fits"]}, volumes=huge[1:]) == ()


def test_each_slot_has_the_adapter_with_most_places_for_a_disk() -> None:
    """An SS690MP has VME slots 8 to 16, four Sbus slots and a built-in SCSI bus.

    A string has eight disks (2.3.4), a SCSI bus seven.
    """
    found = machine("sparcserver-690mp")
    disks = (row("disks", "1-3gb-ipi"), row("disks", "1-3gb-scsi"))
    assert [found.most_of(disk) for disk in disks] == [9 * 8, (4 + 1) * 7]
    assert machine("sparcstation-2").most_of(disks[0]) == 0


def test_a_range_of_sizes_may_begin_where_it_fits() -> None:
    assert lacking("sparcstation-2", {"uses": ["v"]}, volumes=[volume("v", [30000, 90000])]) == ()


def test_a_network_of_any_medium_may_lack_an_interface_too() -> None:
    asked = wanted()
    (network,) = asked.networks
    without_slots = functional.machine("conventional-server")
    told = find_shortfalls(without_slots, asked, LIMITS)
    assert told[0].message == "it has no interface for network net0, Ethernet"
    nameless = asked._replace(networks=(network._replace(medium=""),))
    told = find_shortfalls(without_slots, nameless, LIMITS)
    assert told[0].message == "it has no interface for network net0"


def test_each_copy_needs_as_much() -> None:
    told = lacking(
        "sparcstation-2", {"uses": ["twice"]},
        volumes=[volume("twice", 17291, protection="mirror")],
    )  # fmt: skip
    assert told == (
        "twice: 17291 MB of data in each of 2 copies; the most disks of one model, "
        "28 of 1.3 GB, hold 17290 MB "
        "in each",
    )


def test_volumes_that_fit_alone_and_not_together() -> None:
    told = lacking(
        "sparcstation-2", {"uses": ["one", "other"]},
        volumes=[volume("one", 20000), volume("other", 20000)],
    )  # fmt: skip
    assert told == (
        "the data needs 34 disks and 1 other device; it can attach 28 devices in total",
    )
    (shortfall,) = find_shortfalls(
        machine("sparcstation-2"),
        demand({"uses": ["one", "other"]}, volumes=[volume("one", 20000), volume("other", 20000)]),
        LIMITS,
    )
    assert (shortfall.needed.likely, shortfall.available.likely) == (2 * 17 + 1, 28)


def test_all_data_together_needs_more_disks_than_there_is_room_for() -> None:
    """An SS690MP: 5 controllers for its trays with 8 disks, and 5 SCSI channels with 7."""
    two = [volume("one", 48000), volume("other", 48000)]
    asked = demand({"uses": ["one", "other"]}, volumes=two)
    (shortfall,) = find_shortfalls(machine("sparcserver-690mp"), asked, LIMITS)
    assert (shortfall.needed.likely, shortfall.available.likely) == (2 * 39, 5 * 8 + 5 * 7)
    waived = LIMITS._replace(policy=Policy(waived={"2.4.3-string-controllers": "known"}))
    assert find_shortfalls(machine("sparcserver-690mp"), asked, waived) == ()


def test_owned_disks_of_several_models_have_places_together() -> None:
    """5.2 GB on eight disks of 669 MB and eight of 207, all that exist: nine are not too many."""
    disks, names = GUIDE.tables["disks"], [f"v{n:02d}" for n in range(13)]
    exist = {name: disks.rows[name] for name in ("669mb-scsi", "207mb-scsi")}
    table = Table(disks.name, disks.title, disks.columns, exist)
    guide = GUIDE._replace(tables={**GUIDE.tables, "disks": table})
    owned = [{"device": name, "count": 8} for name in exist]
    asked = demand(
        {"uses": names}, volumes=[volume(name, 400) for name in names],
        wishes={"carry_forward": owned},
    )  # fmt: skip
    server = Machine(guide, row("platforms", "sparcserver-630mp"), 2, "solaris-1.0.1")
    assert find_shortfalls(server, asked, LIMITS) == ()


def test_disks_that_a_second_system_reaches() -> None:
    """1.1.3: only a 690MP shares its disks; those without are named in one line."""
    shared = [volume("b", dual_ported=True), volume("a", dual_ported=True), volume("own")]
    more: Plain = {"volumes": shared}
    told = lacking("sparcserver-670mp", {"uses": ["a", "b", "own"]}, **more)
    assert told == ("it can attach no disks with two ports for a, b",)
    assert lacking("sparcserver-690mp", {"uses": ["a", "b", "own"]}, **more) == ()


@pytest.mark.parametrize("platform", ["sparcstation-2", "sparcserver-690mp"])
def test_a_line_faster_than_any_port(platform: str) -> None:
    (told,) = find_shortfalls(machine(platform), demanded(gateway(45000, 56)), LIMITS)
    assert told.message == "it has no port for l0 at 45000 Kb/s"


def test_a_printer_faster_than_any_port() -> None:
    printers = printing({"attached": "parallel", "kb_per_s": 9e6})
    (told,) = find_shortfalls(machine("sparcserver-690mp"), demanded(printers), LIMITS)
    assert told.message.startswith("it has no port for p0 at 9000000 KB/s")


def test_what_lacks_something_is_refused_with_it_and_the_largest_is_nearest() -> None:
    # Several systems could divide it.
    one = {"availability": {"systems": 1}}
    found = planned({**plain({"uses": ["huge"]}, volumes=[volume("huge", 900000)]), **one})
    assert not found.holds and found.proven
    assert found.nearest is found.rejected[-1]
    assert found.nearest.platform == "sparcserver-690mp"
    for rejection in found.rejected:
        (why,) = rejection.reasons
        assert why.startswith("huge: 900 GB of data")
        assert not rejection.load_share and not rejection.waive


def test_of_those_that_lack_something_the_nearest_lacks_least() -> None:
    volumes = [volume("shared", dual_ported=True)]
    both = plain({"uses": ["shared"]}, volumes=volumes)
    found = planned({**both, "services": [*both["services"], gateway(45000)]})
    assert {rejection.platform: len(rejection.lacks) for rejection in found.rejected} == {
        "sparcstation-2": 2, "sparcserver-630mp": 2, "sparcserver-670mp": 2,
        "sparcserver-690mp": 1,
    }  # fmt: skip
    assert found.nearest is not None and found.nearest.platform == "sparcserver-690mp"


def test_of_those_that_lack_the_same_the_nearest_lacks_the_least_part_of_it() -> None:
    """A second board of processors takes one of four Sbus slots: three page printers, not four."""
    pages = {"attached": "parallel", "count": 5, "kb_per_s": 1024}
    drawn = {"attached": "scsi", "rasterising": True, "raster_mb": 32, "raster_processors": 0.7}
    found = planned(
        plain(services=[printing(pages, drawn)], wishes={"platforms": ["sparcserver-690mp"]})
    )
    assert found.nearest is not None
    assert found.nearest.reasons == ("p0 needs 5 ports at 1024 KB/s; boards in its slots have 4",)


def test_kernel_time_for_which_there_is_no_lock_is_named_with_the_space() -> None:
    """2,500 raw reads a second on IPI disks: 0.95 ms at 22 MIPS (Table 7), 1,833 ms/s at 28.5."""
    work = [{"name": "read", "volume": "trades", "ops_per_s": 2500}]
    trades = {"kind": "database", "name": "trades", "product": "sybase", "clients": 5, "work": work}
    wanted = demand(
        services=[trades], volumes=[volume("trades", 60000, use="raw", protection="mirror")]
    )
    planning = Planning(ENGINE.guide, ENGINE.judging("plan"), Policy())
    space, time, *_ = find_shortfalls(machine("sparcserver-690mp"), wanted, planning)
    assert (time.resource, space.resource) == ("kernel time", "room for data")
    assert time.needed.low == pytest.approx(1833.3, abs=0.1)


@pytest.mark.parametrize(
    ("size_for", "told"), [("low", "800"), ("likely", "1000"), ("high", "1200")]
)
def test_the_load_is_that_of_the_end_that_is_sized_for(size_for: str, told: str) -> None:
    """100 clients of 8 to 12 op/s; a 690MP sustains 650 op/s (Table 1), and holds 49.4 GB."""
    service = {
        "uses": ["v"],
        "clients": 100,
        "load": {"ops_per_s_each": [8, 12]},
        "mix": "legato",
    }
    messages = lacking(
        "sparcserver-690mp", service, volumes=[volume("v", 90000)], policy={"size_for": size_for}
    )
    assert f"service-0: {told} op/s in the reference mix; it sustains 650 op/s" in messages


def test_a_load_that_is_sustained_at_the_end_that_is_sized_for_is_not_named() -> None:
    """100 clients of 5 to 12 op/s: 500 op/s at the low end are less than 650."""
    service = {
        "uses": ["v"],
        "clients": 100,
        "load": {"ops_per_s_each": [5, 12]},
        "mix": "legato",
    }
    (space,) = lacking(
        "sparcserver-690mp", service, volumes=[volume("v", 90000)], policy={"size_for": "low"}
    )
    assert space.startswith("v: 90 GB of data")
