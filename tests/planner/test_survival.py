"""Two systems, either of which carries everything (sections 1.3.1.2 and 2.4.3 of the guide)."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import generated_workloads as generated
from generated_workloads import ENGINE, Plain
from serving import demanded
from sizewright.configuration.model import System, components
from sizewright.demand.model import Degradation, Demand
from sizewright.evaluate.policy import Policy
from sizewright.failure import limits_broken
from sizewright.load.backup import backup_on
from sizewright.load.lines import SERVER_NETWORK
from sizewright.output.bill_of_materials import bill_of_materials
from sizewright.output.machine import contents_text
from sizewright.output.systems import planned_systems
from sizewright.planner.explanation import explained
from sizewright.planner.failover import plan_components, plan_failure
from sizewright.planner.plan import Group, Plan
from sizewright.planner.planning import Planning
from sizewright.planner.protection import plan_surviving
from sizewright.planner.systems import plan_for
from sizewright.quantity import as_quantity
from small import GUIDE
from written_plans import differences, reread, written

RULES = ENGINE.rule_set.judging("plan")
NETWORKS = [{"name": "office", "medium": "ethernet"}]


def service(name: str, ms: float, **more: Any) -> Plain:
    """A service with kernel time, and 5 op/s on a volume of its own."""
    work = {"name": "w", "volume": f"{name}-data", "ops_per_s": 5}
    return {"kind": "measured", "name": name, "kernel_ms_per_s": ms, "network": "office",
            "measured_on": "sparcserver-690mp", "work": [work], **more}  # fmt: skip


def working(name: str) -> Plain:
    """A service without kernel time, with 5 op/s on the volume of its name."""
    work = [{"name": "w", "volume": name, "ops_per_s": 5}]
    return {"kind": "measured", "name": name, "work": work}


def volumes(*names: str) -> list[Plain]:
    system = {"name": "system", "size_mb": 300, "access": "random"}
    return [
        system,
        *({"name": f"{name}-data", "size_mb": 900, "access": "random"} for name in names),
    ]


def wanted(*services: Plain, **more: Any) -> Demand:
    names = [each["name"] for each in services]
    found = demanded(*services, volumes=volumes(*names), networks=NETWORKS)
    return found._replace(survives=("system",), **more)


def planned(*services: Plain, **more: Any) -> Plan:
    planning = Planning(GUIDE, RULES, Policy())
    return explained(plan_for(wanted(*services, **more), planning), planning)


@cache
def two_services() -> Plan:
    """The plan of a pair that many tests look at."""
    return planned(service("a", 300), service("b", 200))


def systems(group: Group) -> list[System]:
    return [m.plan.chosen.system for m in group.members if m.plan.chosen is not None]


def test_what_must_survive_is_planned_on_two_systems_though_one_would_do() -> None:
    found = two_services()
    assert found.holds and found.group is not None and found.number == 2
    assert [m.services for m in found.group.members] == [("a",), ("b",)]
    # Only these have disks with two ports (1.1.3).
    assert {s.platform for s in systems(found.group)} == {"sparcserver-690mp"}
    for state in found.group.failover:
        lock = next(b for b in state.state.budgets if b.kind == "kernel_lock")
        assert lock.used is not None and lock.used.likely >= 500
        assert not list(limits_broken(state.state, RULES, Policy()))


def test_one_service_has_an_idle_standby() -> None:
    found = planned(service("a", 300))
    assert found.holds and found.group is not None
    assert found.group.idle == ("alternate",)
    assert [m.services for m in found.group.members] == [("a",), ()]
    asked = planned(service("a", 300), service("b", 200), standby=True)
    assert asked.group is not None and asked.group.idle == ("alternate",)


def test_every_volume_that_must_go_on_is_reached_through_parts_of_either_system() -> None:
    found = two_services()
    assert found.group is not None
    first, second = systems(found.group)
    for system in (first, second):
        boards = {board.id for board in system.boards} | {"builtin"}
        slots = [(b.bus, n) for b in system.boards for n in b.slots]
        assert len(slots) == len(set(slots))
        reached = {d.id for c in system.channels if c.provider in boards for d in c.devices}
        for volume in ("a-data", "b-data"):
            held = next(
                v.disks for s in found.group.failover for v in s.state.system.volumes
                if v.name == volume
            )  # fmt: skip
            assert held <= reached
    shared = [{c.id: [d.id for d in c.devices if d.dual_ported] for c in s.channels}
              for s in (first, second)]  # fmt: skip
    assert shared[0] == shared[1] and any(shared[0].values())


def test_disks_of_both_systems_are_ordered_once() -> None:
    found = two_services()
    assert found.group is not None
    ordered = 0
    for member, system in zip(found.group.members, systems(found.group), strict=True):
        lines = bill_of_materials(GUIDE, member.plan.demand, system)
        ordered += sum(line.quantity for line in lines if line.kind == "disk")
    ids = {d.id for s in systems(found.group) for d in s.disks() if d.dual_ported}
    own = sum(1 for s in systems(found.group) for d in s.disks() if not d.dual_ported)
    assert ordered == len(ids) + own
    media = sum(d.kind != "disk" for s in systems(found.group) for d in s.devices())
    assert sum(each.ordered for each in planned_systems(found)) == ordered + media


def test_a_shared_disk_is_named_by_its_data_in_either_system() -> None:
    """A disk that only the other system uses now is no spare."""
    found = two_services()
    assert found.group is not None
    first, second = systems(found.group)
    for system, other in ((first, "b-data"), (second, "a-data")):
        (volume,) = system.other_volumes
        assert volume.name == other
        told = {d.id: contents_text(d, system) for d in system.disks()}
        assert {told[disk] for disk in volume.disks} == {f"other system: {other}"}
        assert "spare" not in told.values()
    stored = next(line for line in bill_of_materials(GUIDE, found.demand, first)
                  if line.kind == "disk")  # fmt: skip
    assert {"a-data", "b-data"} <= set(stored.purpose.split(", "))


def test_a_shared_disk_fails_in_both_systems() -> None:
    """Its data is lost to the system that uses it, whichever of the two names it."""
    found = two_services()
    assert found.group is not None
    first, second = systems(found.group)
    shared = [d.id for d in second.disks() if d.owner == first.id]
    assert shared
    for disk in shared:
        one, other = (plan_failure(found, f"{each.id}/{disk}", RULES) for each in (first, second))
        assert one.down and (one.down, one.lost, one.system) == (
            other.down,
            other.lost,
            other.system,
        )


def test_owners_and_systems_have_disks_of_their_own() -> None:
    """A disk has one system that writes on it; root is on disks of each system."""
    found = two_services()
    assert found.group is not None
    (state, _) = found.group.failover
    disks = {v.name: v.disks for v in state.state.system.volumes}
    assert not disks["a-data"] & disks["b-data"]
    assert not disks["system"] & (disks["a-data"] | disks["b-data"])


def test_replicated_services_share_no_disks() -> None:
    found = planned(service("a", 100), service("both", 200, replicated=True))
    assert found.group is not None
    ported = [d for s in systems(found.group) for d in s.disks() if d.dual_ported]
    names = {v.name for s in systems(found.group) for v in s.volumes
             if v.disks & {d.id for d in ported}}  # fmt: skip
    assert names == {"a-data"}


def test_what_cannot_be_carried_alone_is_refused_unless_it_may_be_slower() -> None:
    """700 + 600 ms/s are over one lock; at 42 % of b (252) they are under it."""
    pair = service("a", 700), service("b", 600)
    assert not planned(*pair, systems=2).holds
    slower = planned(*pair, degraded=(Degradation("b"),))
    assert slower.holds and slower.group is not None
    (share,) = {each.share for state in slower.group.failover for each in state.served}
    used = 700 + 600 * share
    assert used < 1000 < used + 600 * 0.02 + 60
    too_much = Degradation("b", as_quantity(0.9))
    assert not planned(*pair, degraded=(too_much,), systems=2).holds
    stops = planned(*pair, degraded=(Degradation("b", as_quantity(0)),))
    assert stops.holds and stops.group is not None
    assert {each.share for state in stops.group.failover for each in state.served} == {0}


def test_services_that_no_pair_can_run_are_divided_over_two() -> None:
    """A disk has two ports, so that no third system shares it (2.4.3)."""
    found = planned(service("a", 700), service("b", 600), service("c", 200))
    assert found.holds and found.group is not None and found.number == 4
    states = {each.failed: each for each in found.group.failover}
    partner = {each.failed: each.survivor for each in states.values()}
    homes = {m.name: set(m.services) for m in found.group.members}
    assert set(partner) == set(homes) and all(partner[partner[name]] == name for name in homes)
    assert sorted(name for names in homes.values() for name in names) == ["a", "b", "c"]
    for name, state in states.items():
        carried = homes[name] | homes[state.survivor]
        assert {s.name for s in state.demand.services} == carried
        assert not list(limits_broken(state.state, RULES, Policy()))
        failure = plan_failure(found, name, RULES)
        assert failure.holds and failure.system == state.survivor
    assert not planned(service("a", 1100), service("b", 100)).holds


def divisible_clients(rate: float, segments: int) -> Demand:
    """A hundred clients of files with a rate each; they can be divided over pairs."""
    clients = {"kind": "nfs", "name": "files", "clients": 100,
     "load": {"ops_per_s_each": rate},
               "network": "office", "uses": ["homes"]}  # fmt: skip
    return demanded(
        clients,
        volumes=[{"name": "homes", "size_mb": 4000, "access": "random"}],
        networks=[{**NETWORKS[0], "segments_at_most": segments}],
    )._replace(survives=("system",))


@pytest.mark.parametrize(("rate", "systems"), [(6, 2), (12, 4), (19, 6)])
def test_clients_of_a_file_service_are_divided_over_as_few_pairs_as_do(
    rate: float, systems: int
) -> None:
    """The largest machine sustains 650 op/s of NFS, and each pair no more than one of its two."""
    demand = divisible_clients(rate, segments=12)
    found = plan_for(demand, Planning(GUIDE, RULES, Policy()))
    assert found.holds and found.group is not None and found.number == systems
    assert found.group.idle == ("alternate",)
    served = sum(m.quantity * m.plan.demand.clients.likely for m in found.group.members)
    assert 100 <= served < 100 + systems
    if systems == 6:
        fewer = demand._replace(systems=4)
        assert not plan_for(fewer, Planning(GUIDE, RULES, Policy())).holds


def test_services_that_need_three_pairs_are_divided_over_them() -> None:
    """Either system of a pair runs one of them alone, and two take 1,400 ms/s of one lock."""
    found = planned(*(service(name, 700) for name in "abc"))
    assert found.holds and found.group is not None and found.number == 6
    assert sorted(m.services for m in found.group.members) == [(), (), (), ("a",), ("b",), ("c",)]
    assert len(found.group.idle) == 3


def test_what_may_stop_is_bought_for_one_system() -> None:
    found = planned(service("a", 300), service("b", 200),
                    degraded=(Degradation("b", as_quantity(0)),))  # fmt: skip
    assert found.group is not None
    at = {s.id: {v.name for v in s.volumes} for s in systems(found.group)}
    assert "b-data" in at["alternate"] and "b-data" not in at["primary"]
    states = {each.failed: each for each in found.group.failover}
    assert "b-data" not in {v.name for v in states["alternate"].state.system.volumes}


def test_what_may_stop_goes_on_where_it_is_at_home() -> None:
    """It stops with its own system only, unless the other services need its part of the other."""
    degraded = (Degradation("b", as_quantity(0)),)
    for ms, share in ((300, 1), (900, 0)):
        found = planned(service("a", ms), service("b", 200), degraded=degraded)
        assert found.group is not None
        served = {state.failed: dict(state.served) for state in found.group.failover}
        assert served == {"primary": {"b": share}, "alternate": {"b": 0}}


def with_owned(*owned: tuple[str, int]) -> Plan:
    """A plan of a service with a standby and a backup, and with devices that exist."""
    files = {"kind": "nfs", "name": "files", "clients": 20, "load": {"ops_per_s_each": 3},
             "network": "office", "uses": ["files"]}  # fmt: skip
    return generated.planned({
        "name": "owner", "networks": NETWORKS, "services": [files],
        "volumes": [{"name": "files", "size_mb": 3000, "access": "random"}],
        "availability": {"survives": ["system"]}, "backup": {"window": "8 h"},
        "wishes": {"carry_forward": [{"device": name, "count": n} for name, n in owned]},
    })  # fmt: skip


def ordered(found: Plan) -> list[Counter[str]]:
    """The new devices of each system."""
    return [
        Counter({
            line.row: line.quantity - line.kept
            for line in bill_of_materials(GUIDE, each.demand, each.chosen.system)
            if line.table in ("disks", "removable-media") and line.quantity > line.kept
        })
        for each in found.plans if each.chosen is not None
    ]  # fmt: skip


def test_a_standby_has_no_drive_for_backups() -> None:
    first, second = ordered(with_owned())
    assert first["8mm-helical-scan-tape"] == 1
    assert set(second) == {"cd-rom", "1-3gb-ipi"} and second["cd-rom"] == 1


def planned_to_save(
    services: list[dict[str, object]], backup: dict[str, object], large_mb: int, small_mb: int
) -> Plan:
    """A plan for two services, each with a volume of its name, that a backup saves."""
    sizes = {"large": large_mb, "small": small_mb}
    return generated.planned({
        "name": "savers", "services": services, "backup": backup,
        "volumes": [{"name": n, "size_mb": mb, "access": "random"} for n, mb in sizes.items()],
        "availability": {"survives": ["system"]},
    })  # fmt: skip


def test_each_system_saves_its_own_data() -> None:
    """By hand: 7000 and 4000 MB of 1024 KB at 220 KB/s are 9.1 and 5.2 h: two drives, and one."""
    services = [
        {"kind": "measured", "name": name, "work": [{"name": "w", "volume": name, "ops_per_s": 5}],
         "kernel_ms_per_s": ms, "measured_on": "sparcserver-690mp"}
        for name, ms in (("large", 300), ("small", 200))
    ]  # fmt: skip
    found = planned_to_save(services, {"window": "8 h", "tapes_at_most": 3}, 7000, 4000)
    assert found.holds
    assert [each["8mm-helical-scan-tape"] for each in ordered(found)] == [2, 1]
    saved = [run.full_hours for each in found.plans if each.chosen is not None
             if (run := backup_on(each.chosen.load, each.chosen.system, GUIDE))]  # fmt: skip
    assert all(hours is not None and hours.high <= 8 for hours in saved) and len(saved) == 2


def test_if_two_need_too_many_drives_for_backups_one_runs_everything() -> None:
    """6000 and 600 MB take 8.7 h of 220 KB/s: three drives for one system, four for two."""
    services = [working("large"), working("small")]
    found = planned_to_save(services, {"window": "4 h", "tapes_at_most": 3}, 6000, 600)
    assert found.holds and found.group is not None and found.group.idle == ("alternate",)
    assert [each["8mm-helical-scan-tape"] for each in ordered(found)] == [3, 0]


def test_a_system_that_may_save_all_data_has_room_for_its_indexes() -> None:
    """2.5 GB of the primary ask for the software (1.1.7), which the other has after a failure."""
    services = [working("a"), working("b")]
    found = generated.planned({
        "name": "savers", "services": services, "backup": {},
        "volumes": [
            {"name": name, "size_mb": mb, "access": "random"}
            for name, mb in (("a", 2500), ("b", 9))
        ],
        "availability": {"survives": ["system"]},
    })  # fmt: skip
    assert found.group is not None and not found.group.idle
    kept = [{v.name for v in (*s.volumes, *s.other_volumes)} for s in systems(found.group)]
    assert all("backup indexes" in names for names in kept)
    assert all("online-backupcopilot" in s.software for s in systems(found.group))


def test_indexes_of_backups_stay_mirrored_if_a_service_stops() -> None:
    """Enough data for the software (1.1.7), so that a disk has its indexes."""
    services = [working("a"), working("b")]
    found = generated.planned({
        "name": "savers", "services": services, "backup": {},
        "volumes": [{"name": name, "size_mb": 3000, "access": "random"} for name in ("a", "b")],
        "availability": {"survives": ["disk", "system"],
                         "degraded": [{"service": "b", "at_least": "0 %"}]},
    })  # fmt: skip
    assert found.holds
    assert any(v.use == "backup_index" for v in found.demand.volumes)


def test_each_system_has_disks_of_its_own_that_can_be_ordered() -> None:
    """A 1.0 GB drive is no longer sold (1.1.3): what exists is for the data of both."""
    found = with_owned(("1-0gb-ipi", 6))
    assert [set(each) & {"1-0gb-ipi", "1-3gb-ipi"} for each in ordered(found)] == [
        {"1-3gb-ipi"}, {"1-3gb-ipi"},
    ]  # fmt: skip
    assert found.chosen is not None
    assert sum(d.model == "1-0gb-ipi" for d in found.chosen.system.disks()) == 6


def test_what_the_first_system_does_not_need_is_for_the_second() -> None:
    found = with_owned(("cd-rom", 2), ("424mb-scsi", 1))
    assert [each["cd-rom"] for each in ordered(found)] == [0, 0]
    assert found.group is not None
    attached = [[d.model for d in each.devices()] for each in systems(found.group)]
    assert [each.count("cd-rom") for each in attached] == [1, 1]
    # Data or not, it is attached: it is not optional.
    assert [each.count("424mb-scsi") for each in attached] == [1, 0]


def test_drives_that_may_be_used_never_make_the_order_of_a_pair_dearer() -> None:
    """Each system has a copy of 1150 MB: on one new drive of 1300 MB, or on three of 424 MB."""
    database = {"kind": "database", "name": "db", "product": "oracle", "clients": 5,
                "replicated": True,
                "work": [{"name": "q", "volume": "rows", "ops_per_s": 10}]}  # fmt: skip
    new = []
    for number in (0, 2, 3, 5, 6):
        owned = [{"device": "424mb-scsi", "count": number, "optional": True}] if number else []
        found = generated.planned({
            "name": "owner", "services": [database],
            "volumes": [{"name": "rows", "size_mb": 1150, "access": "random", "use": "raw"}],
            "availability": {"survives": ["system"]},
            "wishes": {"system_elsewhere": True, "carry_forward": owned},
        })  # fmt: skip
        disks = (n for each in ordered(found) for model, n in each.items() if model != "cd-rom")
        new.append(sum(disks))
    assert new == [2, 2, 2, 1, 0]


def terminals(lines: int, may_stop: bool = False, *survives: str) -> Plan:
    """A plan with lines on one of two systems."""
    degraded = (Degradation("lines", as_quantity(0, "%")),) if may_stop else ()
    serial: Plain = {"kind": "serial", "name": "lines", "lines": lines, "bits_per_s": 9600}
    wanted = demanded(serial, volumes=[])._replace(
        survives=("system", *survives), degraded=degraded
    )
    return plan_surviving(wanted, Planning(GUIDE, RULES, Policy()))


def test_both_systems_reach_a_terminal_server_that_is_ordered_once() -> None:
    """Rule XXI: 60 lines are for a terminal server, which is on a network (2.9)."""
    found = terminals(60)
    assert found.group is not None
    assert [[port.network for port in each.ports] for each in systems(found.group)] == [
        [SERVER_NETWORK], [SERVER_NETWORK],
    ]  # fmt: skip
    orders = [bill_of_materials(GUIDE, found.demand, each) for each in systems(found.group)]
    units = [line.quantity for lines in orders for line in lines if line.kind == "unit"]
    assert units == [1]


@pytest.mark.parametrize("may_stop", [False, True])
def test_a_second_network_to_terminal_servers_is_not_taken_away(may_stop: bool) -> None:
    assert terminals(60, may_stop, "network").holds


@pytest.mark.parametrize("lines", [8, 60])
def test_lines_that_may_stop_have_ports_on_their_own_system_only(lines: int) -> None:
    found = terminals(lines, may_stop=True)
    assert found.holds and found.group is not None
    ports = [
        sum(b.model == "sbus-serial-parallel" for b in each.boards) + len(each.beside)
        for each in systems(found.group)
    ]
    assert ports == [1, 0]


def test_a_system_has_no_part_that_only_what_stops_on_it_needs() -> None:
    """The standby takes over a, so it needs no memory and no network for b."""
    sends = {"traffic": {"kb_per_s": 20}}
    large = {**service("b", 200, memory_mb=150, **sends), "network": "lab"}
    demand = demanded(
        service("a", 300, **sends), large, volumes=volumes("a", "b"),
        networks=[*NETWORKS, {"name": "lab", "medium": "ethernet"}],
    )._replace(survives=("system",), standby=True)  # fmt: skip
    planning = Planning(GUIDE, RULES, Policy())
    memory = {}
    for stops in (False, True):
        degraded = (Degradation("b", as_quantity(0)),) if stops else ()
        found = plan_for(demand._replace(degraded=degraded), planning)
        assert found.holds and found.group is not None
        primary, standby = systems(found.group)
        memory[stops] = primary.memory_mb, standby.memory_mb
        assert {port.network for port in primary.ports} == {"office", "lab"}
        assert {port.network for port in standby.ports} == (
            {"office"} if stops else {"office", "lab"}
        )
        for state in found.group.failover:
            assert not list(limits_broken(state.state, RULES, Policy()))
    assert memory[False][0] == memory[False][1] == memory[True][0] > memory[True][1] == 64


@pytest.mark.parametrize(
    ("survives", "more"),
    [
        (("system",), {}),
        (("system",), {"standby": True}),
        (("disk", "system"), {}),
        (("network",), {}),
        (("network", "system"), {"standby": True}),
        (("controller", "disk", "system"), {"degraded": (Degradation("b", as_quantity(0)),)}),
    ],
)
def test_a_plan_without_any_one_part_passes_its_own_promise(
    survives: tuple[str, ...], more: dict[str, Any]
) -> None:
    sends = {"traffic": {"kb_per_s": 50}}
    services = (service("a", 200, **sends), service("b", 150, **sends))
    demand = wanted(*services, **more)._replace(survives=survives)
    found = plan_surviving(demand, Planning(GUIDE, RULES, Policy()))
    assert found.holds
    parts = {name: kind for name, kind in plan_components(found).items() if kind in survives}
    assert set(parts.values()) == set(survives)
    promised = {each.service for each in demand.degraded}
    for name in parts:
        failure = plan_failure(found, name, RULES)
        assert failure.holds, failure
        assert {each.service for each in failure.slower} <= promised


@pytest.mark.parametrize("names", [("a", "b", "c"), ("c", "a", "b")])
def test_order_and_names_do_not_matter(names: tuple[str, ...]) -> None:
    loads = (400, 150, 100)
    found = planned(*(service(n, ms) for n, ms in zip(names, loads, strict=True)))
    assert found.group is not None
    sizes = [(len(s.boards), len(s.disks()), s.memory_mb) for s in systems(found.group)]
    base = planned(*(service(n, ms) for n, ms in zip("xyz", loads, strict=True)))
    assert base.group is not None
    assert sizes == [(len(s.boards), len(s.disks()), s.memory_mb) for s in systems(base.group)]


def test_every_component_listed_has_a_kind() -> None:
    found = two_services()
    assert found.group is not None
    for system in systems(found.group):
        assert {d.id for d in system.disks()} <= set(components(system))


def test_a_refusal_names_what_a_system_lacks_after_a_failure() -> None:
    """The smallest machine carries the load, but takes no disks with two ports (2.4.3)."""
    found = planned(service("a", 100), platforms=("sparcstation-2", "sparcserver-670mp"))
    assert found.chosen is None and found.nearest is not None
    lacks = [{short.resource for short in each.lacks} for each in found.rejected]
    assert lacks == [{"disks with two ports"}, {"disks with two ports"}]


@pytest.mark.parametrize(
    ("loads", "more"),
    [
        ((200, 150), {}),
        ((200, 150), {"standby": True, "degraded": (Degradation("b", as_quantity(0)),)}),
        ((200, 150), {"survives": ("disk", "network", "system")}),
        ((700, 600), {}),
    ],
)
def test_what_is_written_of_each_system_reads_back_and_agrees(
    loads: tuple[float, float], more: dict[str, Any]
) -> None:
    names = ("a", "b")
    sends = {"traffic": {"kb_per_s": 50}}
    services = (service(n, ms, **sends) for n, ms in zip(names, loads, strict=True))
    found = plan_surviving(wanted(*services)._replace(**{"survives": ("system",), **more}),
                           Planning(GUIDE, RULES, Policy()))  # fmt: skip
    assert found.holds and found.group is not None
    for each in found.plans:
        assert differences(each, reread(written(each))) == []


def test_a_standby_is_written_without_the_database_that_it_does_not_run() -> None:
    database = {"kind": "database", "name": "db", "product": "oracle", "clients": 5,
                "work": [{"name": "q", "volume": "rows", "ops_per_s": 10}]}  # fmt: skip
    found = generated.planned({
        "name": "owner", "services": [database], "availability": {"survives": ["system"]},
        "volumes": [{"name": "rows", "size_mb": 900, "access": "random", "use": "raw"}],
    })  # fmt: skip
    assert [each.chosen.system.databases for each in found.plans if each.chosen] == [
        ("oracle",), (),
    ]  # fmt: skip
    for each in found.plans:
        assert differences(each, reread(written(each))) == []


def test_pairs_are_on_all_networks_where_a_part_of_them_is_too_few() -> None:
    """Two pairs with 375 op/s each need two networks each, and there are three: 250 on each."""
    demand = divisible_clients(7.5, segments=3)
    found = plan_for(demand, Planning(GUIDE, RULES, Policy()))
    assert found.holds and found.number == 4
    ports = [plan.chosen.system.ports for plan in found.plans if plan.chosen]
    assert {len({port.network for port in each}) for each in ports} == {1}
    assert all(len(each) == 3 for each in ports)


def test_services_are_divided_over_fewer_pairs_than_clients_need() -> None:
    """3.95 processors are busy with b, and 0.1 more with all of a: two pairs, each with one."""
    clients = {"kind": "nfs", "name": "a", "clients": 30, "load": {"ops_per_s_each": 4},
               "network": "office", "uses": ["a-data"]}  # fmt: skip
    found = planned(clients, service("b", 100, user_processors=3.85))
    assert found.holds and found.number == 4


@pytest.mark.deep
def test_a_pair_is_looked_for_without_advice_before_more_pairs_are() -> None:
    """600 of 650 op/s and 300 on each network; with advice the search of a pair stops early."""
    path = Path(__file__).resolve().parents[2] / "examples/customers/ticket-office-pair"
    stated = yaml.safe_load((path / "workload.yaml").read_text(encoding="utf-8"))
    stated["services"][0]["clients"] = 150
    stated["networks"][0]["segments_at_most"] = 2
    found = generated.planned(stated)
    assert found.holds and found.number == 2
    assert found.policy.follow_advice == "where_free"
