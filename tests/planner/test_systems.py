"""Services and clients divided over several systems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from generated_workloads import ENGINE, Plain, read
from generated_workloads import planned as plan_of
from serving import demanded
from sizewright import api
from sizewright.demand.model import ClientDivision
from sizewright.demand.subset import divide_clients, restrict_demand, split_demand
from sizewright.evaluate.policy import Policy
from sizewright.planner.more_networks import own_networks, shared_networks
from sizewright.planner.partitions import inseparable, partitions
from sizewright.planner.plan import Plan
from sizewright.planner.planning import Planning
from sizewright.planner.systems import plan_for
from small import GUIDE, plain, unsaid

RULES = ENGINE.rule_set.judging("plan")
ROOT = Path(__file__).resolve().parents[2]


def busy(name: str, ms: float, **more: Any) -> Plain:
    return {"kind": "measured", "name": name, "kernel_ms_per_s": ms,
            "measured_on": "sparcserver-690mp", **more}  # fmt: skip


def planned(*services: Plain, systems: int = 0) -> Plan:
    wanted = demanded(*services, volumes=[], networks=[])._replace(systems=systems)
    return plan_for(wanted, Planning(GUIDE, RULES, Policy()))


def services(found: Plan) -> list[tuple[str, ...]]:
    """The services of each system."""
    return [member.services for member in found.group.members] if found.group else []


def test_what_one_system_carries_is_not_divided() -> None:
    found = planned(busy("a", 400), busy("b", 400))
    assert found.holds and found.group is None


def test_more_than_one_lock_allows_goes_to_two_systems() -> None:
    """1500 ms/s: 800 and 700 are nearer to each other than 900 and 600."""
    found = planned(busy("a", 700), busy("b", 600), busy("c", 200))
    assert found.group is not None
    assert services(found) == [("b", "c"), ("a",)]
    assert [plan.chosen.system.id for plan in found.plans if plan.chosen] == [
        "primary", "alternate",
    ]  # fmt: skip
    assert {b.resource.partition("/")[0] for p in found.plans if p.chosen
            for b in p.chosen.budgets} == {"primary", "alternate"}  # fmt: skip


def test_more_than_two_locks_allow_goes_to_the_fewest_systems_that_hold() -> None:
    """2,300 ms/s: three of 700 ms/s, and the smallest service with one of them."""
    found = planned(*(busy(name, 700) for name in "abc"), busy("d", 200))
    assert services(found) == [("a", "d"), ("b",), ("c",)]
    assert found.group is not None
    assert [member.name for member in found.group.members] == ["server-1", "server-2", "server-3"]


def test_many_services_are_divided_too() -> None:
    """Of 20 services of 80 ms/s two systems have ten each; of 20 of 180 ms/s four have five."""
    assert sorted(map(len, services(planned(*(busy(f"s{n}", 80) for n in range(20)))))) == [10, 10]
    four = services(planned(*(busy(f"s{n}", 180) for n in range(20))))
    assert list(map(len, four)) == [5, 5, 5, 5]
    assert sorted(name for names in four for name in names) == sorted(f"s{n}" for n in range(20))


def test_as_many_systems_as_are_wanted_divide_the_services() -> None:
    found = planned(busy("a", 100), busy("b", 50), busy("c", 50), busy("d", 40), systems=3)
    assert services(found) == [("a",), ("b", "d"), ("c",)]
    assert not planned(busy("a", 100), busy("b", 100), systems=3).holds


def test_what_runs_on_both_counts_on_each() -> None:
    found = planned(busy("a", 500), busy("b", 450), busy("both", 300, replicated=True))
    assert found.group is not None
    assert services(found) == [("a", "both"), ("b", "both")]


def test_two_systems_can_be_asked_for_and_one_insisted_on() -> None:
    assert planned(busy("a", 100), busy("b", 100), systems=2).group is not None
    assert not planned(busy("a", 700), busy("b", 600), systems=1).holds


def test_a_service_too_large_for_any_system_is_not_divided() -> None:
    found = planned(busy("a", 1200), busy("b", 100))
    assert not found.holds and found.group is None


def work(name: str, volume: str) -> Plain:
    return {"kind": "measured", "name": name,
            "work": [{"name": "w", "volume": volume, "ops_per_s": 5}]}  # fmt: skip


@pytest.mark.parametrize("dual_ported", [True, False])
def test_a_volume_has_one_system_that_writes_on_it(dual_ported: bool) -> None:
    volumes = [{"name": "shared", "size_mb": 100, "access": "random", "dual_ported": dual_ported}]
    found = demanded(work("a", "shared"), work("b", "shared"), busy("c", 1), volumes=volumes)
    assert inseparable(found) == (("a", "b"), ("c",))


def test_volumes_on_the_same_disks_keep_their_services_together() -> None:
    one = {"name": "one", "size_mb": 100, "access": "random"}
    volumes = [one, {**one, "name": "two", "shares_disks_with": "one"}]
    found = demanded(work("a", "one"), work("b", "two"), volumes=volumes)
    assert inseparable(found) == (("a", "b"),)


def test_the_most_even_deals_come_first_and_those_turned_round_last() -> None:
    """Of 1400 ms/s: 800 and 600, then 900 and 500; with c alone, 1100 are over one lock."""
    found = demanded(busy("a", 1), busy("b", 1), busy("c", 1), volumes=[], networks=[])
    lock = {"a": 600.0, "b": 500.0, "c": 300.0}
    assert [alternate for _, alternate in partitions(found, lock, limit=1000)] == [
        ("a",), ("b",), ("b", "c"), ("a", "c"),
    ]  # fmt: skip


def test_over_more_systems_any_kind_of_load_is_divided_evenly() -> None:
    """No time is known: the data is divided, 900 MB and 800 MB and 600 MB with 300 MB."""
    sizes = {"a": 900, "b": 800, "c": 600, "d": 300}
    volumes = [{"name": f"v{n}", "size_mb": mb, "access": "random"} for n, mb in sizes.items()]
    found = demanded(*(work(name, f"v{name}") for name in sizes), volumes=volumes, networks=[])
    ways = list(partitions(found, {}, 3))
    assert (("a",), ("b",), ("c", "d")) in ways
    assert all(sorted(name for names in way for name in names) == [*"abcd"] for way in ways)


def test_equal_services_are_dealt_evenly() -> None:
    """Two of 460 ms/s come to one each; four of 230 to two each, never to one and three."""
    assert services(planned(busy("a", 460), busy("b", 460), systems=2)) == [("a",), ("b",)]
    four = services(planned(*(busy(name, 230) for name in "abcd"), systems=2))
    assert [len(side) for side in four] == [2, 2]


def test_services_are_divided_by_what_two_systems_spend_not_one() -> None:
    """Two floors of 494 op/s, each with 30 clients of its own.

    The nearest single machine, a SPARCstation-2, would spend 1,130 ms/s on each; an SS670MP carries
    either, because it sustains 650 op/s (Table 1).
    """
    floors = [
        {
            "name": name, "network": name, "clients": 30, "diskless": True,
            "load": {"ops_per_s_each": 16.5}, "uses": {f"cad {name}": 40, f"swap {name}": 60},
        }
        for name in ("one", "two")
    ]  # fmt: skip
    networks = [{"name": f["name"], "medium": "ethernet", "segments_at_most": 3} for f in floors]
    volumes = [
        each for floor in floors for each in (
            unsaid(f"cad {floor['name']}", 4000, access="serial"),
            unsaid(f"swap {floor['name']}", 900, access="random"),
        )
    ]  # fmt: skip
    backup = {"during_working_hours": False, "window": "8 h"}
    wishes = {"system_elsewhere": False}
    found = plan_of(
        plain(*floors, networks=networks, volumes=volumes, backup=backup, wishes=wishes)
    )
    assert sorted(services(found)) == [("one",), ("two",)]


def test_what_can_be_divided_is_not_dealt_unevenly() -> None:
    """920 and 190 ms/s: of 500, 420 and 190, the 500 stand beside 420 + 190 = 610."""
    found = planned(busy("a", 500), busy("b", 420), busy("c", 190), systems=2)
    assert found.group is not None
    assert services(found) == [("b", "c"), ("a",)]


def test_a_restricted_demand_is_that_of_its_services_alone() -> None:
    both = demanded(work("a", "tables"), work("b", "scans"), busy("c", 1))
    alone = restrict_demand(both, ("a",))
    assert [s.name for s in alone.services] == ["a"]
    assert [o.service for o in alone.operations] == ["a"]
    assert alone.kernel == ()
    # What no service names belongs to the system and stays.
    assert [v.name for v in alone.volumes] == ["files", "operating system", "tables"]


def test_two_systems_that_are_asked_for_are_on_the_networks_of_all_that_they_take_over() -> None:
    """Files on dual-ported disks go on, and "other" does not; unused, a network has no load."""
    found = demanded(
        {"kind": "nfs", "name": "files", "clients": 10, "load": {"ops_per_s_each": 1},
         "network": "north", "uses": ["shared"]},
        {"kind": "nfs", "name": "other", "clients": 10, "load": {"ops_per_s_each": 1},
         "network": "south", "uses": ["own"]},
        busy("c", 1),
        volumes=[
            {"name": "shared", "size_mb": 100, "access": "random", "dual_ported": True},
            {"name": "own", "size_mb": 100, "access": "random"},
        ],
        networks=[{"name": name, "medium": "ethernet"} for name in ("north", "south")],
    )  # fmt: skip
    part = split_demand(found, ("c",), ("files",))
    assert [(network.name, network.ops) for network in part.networks] == [("north", ())]
    assert {each.service for each in part.elsewhere} == {"files"}
    assert split_demand(found, ("c",)).networks == ()


def files(rate: float, clients: int = 100) -> Plain:
    return {"kind": "nfs", "name": "files", "clients": clients,
     "load": {"ops_per_s_each": rate},
            "network": "north", "uses": ["homes"]}  # fmt: skip


def served(
    rate: float, systems: int = 0, clients: int = 100, segments: int = 12, **more: Any
) -> Plan:
    wanted = demanded(
        files(rate, clients),
        volumes=[{"name": "homes", "size_mb": 4000, "access": "random"}],
        networks=[{"name": "north", "medium": "ethernet", "segments_at_most": segments}],
    )  # fmt: skip
    return plan_for(wanted._replace(systems=systems, **more), Planning(GUIDE, RULES, Policy()))


def test_clients_of_a_file_service_are_divided_over_as_few_systems_as_do() -> None:
    """The largest machine sustains 650 op/s of NFS: 1,300 op/s need two, 1,900 three (Table 1)."""
    for rate, systems in ((6, 1), (13, 2), (19, 3)):
        found = served(rate)
        assert found.holds
        assert (found.number if found.group else 1) == systems


def test_networks_are_counted_over_all_systems_that_divide_clients() -> None:
    """Three systems with four networks each have twelve; all three are on each of eight or less."""
    found = served(19, segments=8)
    assert found.holds and found.group is not None and found.number == 3
    assert not own_networks(found) and found.group.shares_all_networks
    assert own_networks(served(19)) == {"north": 12}


def test_fewer_systems_are_tried_though_more_have_fewer_networks_each() -> None:
    """An interface sustains 320 op/s (Table 1). 3,400 op/s over 12 Ethernets are 283 on each.

    Six systems have two each; seven to eleven have one each and leave the rest.
    """
    found = served(34)
    assert found.holds and found.number == 6 and own_networks(found) == {"north": 12}


def test_most_systems_are_not_the_only_chance() -> None:
    """An interface sustains 320 op/s, and a server 650 (Table 1).

    Of 5,600 op/s, sixteen systems with one of twenty networks each have up to 392. Ten with two
    each have 280 on each.
    """
    found = served(56, segments=20)
    assert found.holds and found.number == 10


def test_systems_are_not_planned_on_networks_that_they_fill() -> None:
    """3,700 op/s are more than 400 on each of nine Ethernets (2.5.1), however they are divided."""
    assert not served(37, segments=9).holds


def test_the_clients_of_other_systems_on_a_network_are_no_more_than_there_are() -> None:
    """Three clients over two systems on one network: two on the largest, one on the other."""
    wanted = demanded(
        files(6, clients=3),
        volumes=[{"name": "homes", "size_mb": 4000, "access": "random"}],
        networks=[{"name": "north", "medium": "ethernet"}],
    )  # fmt: skip
    part = divide_clients(wanted, ClientDivision(2), ("files",))
    assert sum(t.kb_per_s.likely for t in part.elsewhere) == pytest.approx(
        sum(s.kb_per_s.likely for s in part.streams) / 2
    )


@pytest.mark.parametrize(("segments", "others"), [(1, 3), (2, 1), (3, 1), (4, 0), (9, 0)])
def test_systems_share_networks_if_there_are_fewer(segments: int, others: int) -> None:
    wanted = demanded(
        files(6),
        volumes=[{"name": "homes", "size_mb": 4000, "access": "random"}],
        networks=[{"name": "north", "medium": "ethernet", "segments_at_most": segments}],
    )  # fmt: skip
    part = divide_clients(wanted, ClientDivision(4), ("files",))
    assert part.networks[0].segments_at_most == max(1, segments // 4)
    assert sum(t.kb_per_s.likely for t in part.elsewhere) == pytest.approx(
        others * sum(s.kb_per_s.likely for s in part.streams)
    )
    assert part.networks[0].clients.likely == pytest.approx(100 * (1 + others) / 4)
    assert split_demand(part, ("files",)).elsewhere == part.elsewhere


def test_the_data_of_all_systems_is_on_a_network_that_they_share() -> None:
    """1,900 op/s of the guide's mix move 2,029 KB/s; an Ethernet runs at 1,221 KB/s (Table 10)."""
    assert not served(19, segments=1).holds


@pytest.mark.parametrize(
    ("clients", "segments", "holds"), [(64, 1, True), (80, 1, True), (82, 1, False), (82, 2, True)]
)
def test_several_systems_have_no_more_operations_on_a_network_than_one(
    clients: int, segments: int, holds: bool
) -> None:
    """5 op/s each: 400 fill an Ethernet (2.5.1), which sustains 320 of them (1.1.1, Table 1)."""
    found = served(5, segments=segments, clients=clients, systems=2)
    assert found.holds is holds
    borderline = {f.rule for plan in found.plans if plan.chosen for f in plan.chosen.findings
                  if f.verdict == "tight"}  # fmt: skip
    assert ("1.1.1-shared-network" in borderline) is (holds and clients > 64 and segments == 1)


def test_all_systems_are_on_all_networks_if_parts_of_them_are_too_few() -> None:
    """700 op/s are 350 on each of two SPARCstation-2, which serve 360.

    On one of three Ethernets each these are more than the 320 that it sustains (1.1.1, Table 1). On
    all three together they are 233 on each.
    """
    found = served(7, segments=3, platforms=("sparcstation-2",))
    assert found.holds and found.number == 2
    assert found.chosen is not None and len(found.chosen.system.ports) == 3
    (on_each,) = {b.used.high for b in found.chosen.budgets if b.kind == "shared" and b.used}
    assert on_each == pytest.approx(700 / 3)
    assert shared_networks(found) == {"north": 3}


def test_each_of_several_systems_has_a_part_of_the_clients_and_of_their_data() -> None:
    found = served(6, systems=2)
    assert found.group is not None and [m.quantity for m in found.group.members] == [2]
    (part,) = found.plans
    assert part.demand.clients.likely == 50
    assert part.demand.streams[0].ops.likely == pytest.approx(300)
    assert part.demand.volumes[0].size_mb.likely == pytest.approx(2000)


def test_clients_are_whole() -> None:
    """Ten clients over three systems are four on the largest."""
    (part,) = served(1, systems=3, clients=10).plans
    assert part.demand.clients.likely == pytest.approx(4)


def test_data_that_is_only_read_is_on_every_system() -> None:
    wanted = demanded(
        {**files(6), "mix": {"reads_percent": 30, "writes_percent": 0}},
        volumes=[{"name": "homes", "size_mb": 4000, "access": "random", "read_only": True}],
        networks=[{"name": "north", "medium": "ethernet"}],
    )  # fmt: skip
    part = divide_clients(wanted, ClientDivision(4), ("files",))
    assert part.volumes[0].size_mb.likely == 4000
    assert part.volumes[0].reads[0].figure.likely == pytest.approx(
        wanted.volumes[0].reads[0].figure.likely / 4
    )
    assert sum(t.kb_per_s.likely for t in part.elsewhere) == pytest.approx(
        3 * sum(s.kb_per_s.likely for s in part.streams)
    )


def test_systems_with_known_limits_are_preferred_to_those_with_unknown_ones() -> None:
    """No latency of FDDI is printed (Table 2); two machines on Ethernets keep all limits."""
    path = ROOT / "examples/customers/language-school/workload.yaml"
    plain = yaml.safe_load(path.read_text(encoding="utf-8"))
    plain["networks"][0]["segments_at_most"] = 8
    found = api.plan(read(plain), ENGINE)
    assert found.holds and found.number == 2 and not found.unknown_limits
    systems = [plan.chosen.system for plan in found.plans if plan.chosen]
    assert {port.interface for each in systems for port in each.ports} == {"network-coprocessor"}


def test_smaller_machines_are_not_refused_for_what_is_unknown_of_the_chosen_one_too() -> None:
    """The latency of no FDDI interface is printed, and four Ethernets are too few."""
    path = ROOT / "examples/customers/language-school/forty.yaml"
    plain = yaml.safe_load(path.read_text(encoding="utf-8"))
    plain["networks"][0]["segments_at_most"] = 4
    found = api.plan(read(plain), ENGINE)
    assert found.unknown_limits == {"1.1.2-response"} and found.rejected
    refused_for = {finding.rule for each in found.rejected for finding in each.findings}
    assert refused_for and not refused_for & found.unknown_limits


def test_sessions_without_a_network_are_where_their_serial_lines_end() -> None:
    """1.3.1.1: the lines of a front-end system are those of its users."""
    desks: Plain = {"kind": "timesharing", "name": "desks", "sessions": 40, "private_mb": 0.3}
    lines = {"kind": "serial", "name": "terminals", "lines": 40, "bits_per_s": 2400}
    found = demanded(desks, lines, busy("other", 100), volumes=[], networks=[])
    assert inseparable(found) == (("desks", "terminals"), ("other",))
    assert not plan_for(
        demanded(desks, lines, volumes=[], networks=[])._replace(systems=2),
        Planning(GUIDE, RULES, Policy()),
    ).holds
    networked = demanded(
        {**desks, "network": "lab"}, lines, volumes=[],
        networks=[{"name": "lab", "medium": "ethernet"}],
    )  # fmt: skip
    assert inseparable(networked) == (("desks",), ("terminals",))
