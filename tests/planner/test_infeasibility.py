"""A part of a load: what is multiplied, what stays, and how much of it a machine carries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generated_workloads import ENGINE, planned, read
from hand_plans import EVERY
from planner.tiny_guides import tiny_case
from serving import demanded
from settled import settled
from sizewright.api import load_engine, plan, policy_of
from sizewright.demand.build import demand_of
from sizewright.demand.model import Demand
from sizewright.demand.subset import scale_rates
from sizewright.evaluate.policy import Policy
from sizewright.limits import (
    LOAD_SHARE_BISECTIONS,
    MISS_STEPS,
    PATTERNS_A_STEP,
    PLACEMENT_STEPS,
)
from sizewright.planner.closest import without_spare_parts
from sizewright.planner.explanation import explained
from sizewright.planner.plan import Plan
from sizewright.planner.planning import Planning
from sizewright.planner.search import Incumbent, Search, steps_of_whole
from sizewright.planner.single import plan_single
from sizewright.planner.stages import parts_of
from sizewright.planner.systems import plan_for
from sizewright.quantity import Quantity
from small import GUIDE, demand, volume

ROOT = Path(__file__).resolve().parents[2]
WHOLE: Demand = demand_of(read(EVERY), GUIDE)
RATES = frozenset(
    (
        "streams.ops", "streams.reads", "streams.writes", "streams.weighted",
        "streams.kb_per_s",
        "networks.ops.figure", "volumes.reads.figure", "volumes.writes.figure",
        *(f"{of}.{what}" for of in ("volumes.work", "operations")
          for what in ("ops", "runs.run_ops", "runs.returns_kb")),
        "traffic.kb_per_s", "traffic.packets_per_s", "kernel.ms_per_s", "user.processors",
        "lines.kbit_per_s",
    )
)  # fmt: skip


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every figure and text of a demand, with the names of the fields that lead to it."""
    if isinstance(value, tuple) and not isinstance(value, Quantity):
        names = getattr(value, "_fields", ("",) * len(value))
        for name, each in zip(names, value, strict=True):
            yield from leaves(each, f"{path}.{name}".strip("."))
    else:
        yield path, value


def ends(figure: Quantity) -> tuple[float, float, float]:
    return figure.low, figure.likely, figure.high


@pytest.fixture(scope="module")
def stated() -> set[str]:
    """What of the demand is a figure above zero."""
    return {path for path, leaf in leaves(WHOLE) if isinstance(leaf, Quantity) and leaf.high > 0}


def test_the_demand_has_every_rate_and_more(stated: set[str]) -> None:
    assert stated >= RATES
    assert stated >= {
        "clients", "volumes.size_mb", "lines.number", "memory.figure",
        "operations.runs.within_s", "operations.runs.every_s", "operations.block_kb",
        "streams.clients", "streams.read_share", "streams.write_share", "streams.uses.share",
    }  # fmt: skip


@settled(30)
@given(share=st.floats(0.001, 50))
def test_every_rate_is_multiplied_and_nothing_else(share: float) -> None:
    before, after = list(leaves(WHOLE)), list(leaves(scale_rates(WHOLE, share)))
    assert [path for path, _ in before] == [path for path, _ in after]
    for (path, old), (_, new) in zip(before, after, strict=True):
        if path in RATES and old is not None:
            assert ends(new) == pytest.approx([end * share for end in ends(old)]), path
            assert new.unit == old.unit
        else:
            assert new == old, path


def test_the_whole_of_a_load_is_that_load() -> None:
    for (path, old), (_, new) in zip(leaves(WHOLE), leaves(scale_rates(WHOLE, 1)), strict=True):
        assert (ends(new), new.unit) == (ends(old), old.unit) if path in RATES and old else True


def test_what_has_no_rate_gets_none() -> None:
    open_ended = {"name": "scan", "volume": "tables", "as_fast_as_disks": True}
    wanted = demanded({"kind": "measured", "name": "reading", "work": [open_ended]})
    (found,) = scale_rates(wanted, 0.5).operations
    assert found.ops is None
    assert [u.processors is None for u in scale_rates(WHOLE, 0.5).user] == [
        u.processors is None for u in WHOLE.user
    ]
    assert any(u.processors is None for u in WHOLE.user)


RULES = ENGINE.rule_set.judging("plan")


@pytest.mark.parametrize("number", [3, 40])
def test_explaining_a_refusal_takes_a_bounded_number_of_steps(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many volumes there are: a few searches a machine, each with a limit on its steps."""
    searched: list[int] = []

    class Counted(Search):
        def run(self, bound: Incumbent | None = None) -> Incumbent | None:
            searched.append(self.steps)
            return super().run(bound)

    for name in ("infeasibility", "load_share"):
        monkeypatch.setattr(f"sizewright.planner.{name}.Search", Counted)
    volumes = [volume(f"v{n}", 20 + n) for n in range(number)]
    wanted = demand({"uses": ["v0"], "clients": 3000}, volumes=volumes)
    found = shown(wanted, Planning(GUIDE, RULES, Policy()))
    assert not found.holds and len(found.rejected) > 1
    assert max(searched) == MISS_STEPS
    # Two for the nearest configuration, by halves of the load if there is none; then the largest
    # part of the load, by bisection.
    halves = LOAD_SHARE_BISECTIONS + 3
    assert len(searched) <= len(found.rejected) * (halves + LOAD_SHARE_BISECTIONS + 4)


def test_a_machine_without_a_channel_for_a_drive_is_refused_with_its_name() -> None:
    """In case 8 only a string takes the CD drive, and no machine has one."""
    case = tiny_case(8)
    rejected = shown(case.demand, Planning(case.guide, case.rule_set, case.policy)).rejected
    assert ("it has no channel for cd",) in {rejection.reasons for rejection in rejected}


def shown(wanted: Demand, planning: Planning) -> Plan:
    """The plan of one system with why machines are refused."""
    return explained(plan_single(wanted, planning, at_length=True), planning)


@pytest.fixture(scope="module")
def complex_() -> tuple[Demand, Policy]:
    """Case study 7, whose kernel time is more than one lock allows (2.10.1)."""
    path = ROOT / "examples/sun-1992/case-7-enterprise-complex/workload.yaml"
    workload = read(yaml.safe_load(path.read_text(encoding="utf-8")))
    return demand_of(workload, GUIDE), policy_of(workload.policy, GUIDE)


def test_a_machine_is_refused_for_the_limit_that_its_nearest_configuration_misses(
    complex_: tuple[Demand, Policy],
) -> None:
    """No configuration keeps the limit of the one lock; with enough channels it breaks no other."""
    wanted, policy = complex_
    rejected = shown(wanted, Planning(GUIDE, RULES, policy)).rejected
    missed = [{f.rule for f in r.findings} for r in rejected if not r.lacks]
    assert missed == [{"2.10.1-kernel-lock"}] * 2
    printed = {row.id: row.text("name") for row in GUIDE.table("platforms")}
    assert all(each.name == printed[each.platform] for each in rejected)


@pytest.mark.parametrize(
    ("platform", "simms"),
    [("sparcstation-2", ""), ("sparcserver-630mp", " with the usual SIMMs (dense SIMMs: 512 MB)")],
)
def test_too_much_memory_is_refused_with_the_most_that_a_machine_takes(
    platform: str, simms: str
) -> None:
    """64 MB on board and 64 MB on the card of a SPARCstation-2; 128 MB in an SS630MP (2.2.5)."""
    desks = {"kind": "timesharing", "name": "desks", "sessions": 100, "private_mb": 1.2}
    wanted = demand(services=[desks], wishes={"platforms": [platform]})
    rejected = shown(wanted, Planning(GUIDE, RULES, Policy())).rejected
    reasons = [reason for each in rejected for reason in each.reasons if " needed, " in reason]
    assert reasons
    assert all(
        f", 128 MB installed, the most that it takes{simms} (rule 1.1.5-memory)" in reason
        for reason in reasons
    )


@pytest.mark.parametrize("platform", ["sparcstation-2", "sparcserver-630mp"])
def test_a_machine_that_never_has_enough_memory_is_shown_with_the_most(platform: str) -> None:
    desks = {"kind": "timesharing", "name": "desks", "sessions": 100, "private_mb": 1.2}
    wanted = demand(services=[desks], wishes={"platforms": [platform]})
    nearest = shown(wanted, Planning(GUIDE, RULES, Policy())).nearest
    assert nearest is not None and nearest.judgement is not None
    assert nearest.judgement.system.memory_mb == 128


def test_a_refusal_has_the_memory_of_the_configuration_that_is_shown() -> None:
    """Three boards for networks take the Sbus slots that a second 64 MB need (2.2.5)."""
    path = ROOT / "examples" / "customers" / "language-school" / "workload.yaml"
    school = yaml.safe_load(path.read_text(encoding="utf-8"))
    wanted = read({**school, "wishes": {"platforms": ["sparcstation-2"]}})
    nearest = plan(wanted, ENGINE, systems=1).nearest
    assert nearest is not None and nearest.judgement is not None
    assert nearest.judgement.system.memory_mb == 64
    (memory,) = [reason for reason in nearest.reasons if " needed, " in reason]
    assert memory.endswith(
        " MB needed, 64 MB installed; it takes 128 MB at most (rule 1.1.5-memory)"
    )


def test_a_missing_drive_for_backups_is_explained_by_full_channels() -> None:
    """Four SCSI channels of 7 targets: 27 disks of 1.3 GB and a CD drive."""
    wanted = demand(
        {"uses": ["data"]}, volumes=[volume("data", 28500, activity="cold")],
        backup={"during_working_hours": False}, wishes={"platforms": ["sparcstation-2"]},
    )  # fmt: skip
    (rejected,) = shown(wanted, Planning(GUIDE, RULES, Policy())).rejected
    assert rejected.reasons == (
        "Backups are wanted, and no suitable device is attached, because no channel has a place "
        "left for a drive (rule 1.1.7-backup-device)",
    )


def test_a_machine_is_not_refused_for_data_that_fits_on_another_disk() -> None:
    """An operating system of 546 MB fits on one drive of 1.3 GB; a machine starts from one disk."""
    files = {"kind": "nfs", "name": "files", "clients": 40, "load": {"ops_per_s_each": 4},
             "network": "north", "uses": ["charts", "orders"]}  # fmt: skip
    programs = {"kind": "measured", "name": "programs", "network": "north", "memory_mb": 160}
    wanted = demand(
        services=[files, programs],
        networks=[{"name": name, "medium": "ethernet"} for name in ("south", "north")],
        volumes=[
            {"name": "orders", "size_mb": 1000, "access": "random", "protection": "mirror"},
            {"name": "charts", "size_mb": 3000, "access": "random"},
        ],
        wishes={"platforms": ["sparcserver-630mp"], "system_elsewhere": False},
    )
    (rejected,) = shown(wanted, Planning(GUIDE, RULES, Policy())).rejected
    assert {each.rule for each in rejected.findings} == {"1.1.5-memory"}


def test_no_reason_is_one_that_other_parts_of_the_machine_end() -> None:
    """1000 op/s are too many for its lock, but four Ethernets pass them, and channels the disks."""
    quotes = {"name": "quotes", "network": "floor", "clients": 200,
     "load": {"ops_per_s_each": 5},
              "uses": ["quotes"]}  # fmt: skip
    wanted = demand(
        quotes,
        networks=[{"name": "floor", "medium": "ethernet", "segments_at_most": 9}],
        volumes=[volume("quotes", size_mb=4000, protection="mirror")],
        wishes={"platforms": ["sparcserver-670mp"]},
    )
    (rejected,) = shown(wanted, Planning(GUIDE, RULES, Policy())).rejected
    assert {each.rule for each in rejected.findings} == {"1.1.1-sustained", "2.10.1-kernel-lock"}


def test_a_platform_with_more_processors_is_explained_by_what_was_tried_with_fewer(
    complex_: tuple[Demand, Policy], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first search of a platform takes steps; the second finds that fewer cannot be missed."""
    taken: list[int] = []

    class Counted(Search):
        def run(self, bound: Incumbent | None = None) -> Incumbent | None:
            found = super().run(bound)
            if self.refused and not self.policy.weighs_over:
                taken.append(MISS_STEPS - self.steps)
            return found

    for name in ("infeasibility", "load_share"):
        monkeypatch.setattr(f"sizewright.planner.{name}.Search", Counted)
    wanted, policy = complex_
    found = shown(wanted, Planning(GUIDE, RULES, policy))
    assert not taken and found.rejected
    first, second = taken
    assert 0 < first < MISS_STEPS
    assert second <= steps_of_whole(wanted) + PLACEMENT_STEPS // PATTERNS_A_STEP


def test_a_rejected_machine_has_no_parts_that_its_reasons_do_not_need() -> None:
    """As a search that ends early leaves them: software for writes over NFS beside sessions."""
    work = [{"name": "edit", "volume": "homes", "block_kb": 8, "ops_per_s": 100}]
    desks = {"kind": "timesharing", "name": "desks", "sessions": 600, "private_mb": 4,
             "network": "north", "work": work}  # fmt: skip
    wanted = demand(services=[desks], volumes=[volume("homes", size_mb=800)])
    planning = Planning(GUIDE, ENGINE.rule_set, Policy())
    found = shown(wanted, planning).nearest
    assert found is not None and found.judgement is not None
    system = found.judgement.system
    more = system._replace(software=(*system.software, "enfs"))
    left = without_spare_parts(
        found._replace(judgement=planning.evaluate(wanted, more)), wanted, planning
    )
    assert left.judgement is not None
    assert parts_of(left.judgement.system) == parts_of(system) != parts_of(more)
    assert left.reasons == found.reasons


@pytest.mark.deep
def test_the_closest_machine_is_named_with_a_part_of_the_load_that_it_nearly_carries() -> None:
    """78 % of the load have a plan; reasons for six other machines come before its own share.

    They are 1092 op/s of 2 KB or less on the data, of which five string controllers pass 900.
    """
    work = [
        {"name": "look", "volume": "rows", "ops_per_s": 900, "block_kb": 2},
        {"name": "up", "volume": "rows", "operation": "update", "ops_per_s": 250, "block_kb": 2},
        {"name": "logw", "volume": "log", "operation": "write", "ops_per_s": 80, "block_kb": 2},
    ]
    service = {
        "kind": "database", "name": "oltp", "product": "sybase", "clients": 400, "active": 300,
        "network": "lan", "log": "log", "traffic": {"packets_per_s": 2500, "packet_byte": 256},
        "user_processors": 2.5, "work": work,
    }  # fmt: skip
    workload = {
        "name": "over", "networks": [{"name": "lan", "medium": "ethernet", "segments_at_most": 4}],
        "volumes": [
            {"name": "rows", "size_mb": 8000, "access": "random", "use": "raw"},
            {"name": "log", "size_mb": 400, "access": "serial", "use": "log"},
        ],
        "services": [service],
    }  # fmt: skip
    found = planned(workload)
    assert found.nearest is not None and found.nearest.load_share >= 0.78
    less = scale_rates(found.demand, 0.78)
    assert plan_for(less, Planning(ENGINE.guide, ENGINE.judging("plan"), Policy())).holds


def _calls(
    *, size_mb: float, clients: int, user: float, active: int | None = None, **wishes: Any
) -> Any:
    """The plan of one database with 900 look-ups a second, updates, and their log."""
    work = [
        {"name": "look", "volume": "rows", "ops_per_s": 900, "block_kb": 2},
        {"name": "up", "volume": "rows", "operation": "update", "ops_per_s": 150, "block_kb": 2},
        {"name": "log", "volume": "log", "operation": "write", "ops_per_s": 50},
    ]
    service = {
        "kind": "database", "name": "calls", "product": "oracle", "clients": clients,
        "network": "ring", "log": "log", "traffic": {"packets_per_s": 1200, "packet_byte": 1000},
        "user_processors": user, "work": work, "active": active or clients,
    }  # fmt: skip
    workload = {
        "name": "telephone", "networks": [{"name": "ring", "medium": "fddi"}],
        "volumes": [
            {"name": "rows", "size_mb": size_mb, "access": "random", "use": "raw"},
            {"name": "log", "size_mb": 800, "access": "serial", "use": "log",
             "apart_from": ["rows"]},
        ],
        "services": [service], "wishes": wishes,
    }  # fmt: skip
    return planned(workload)


@pytest.mark.deep
def test_fewer_platforms_never_support_more_of_a_load() -> None:
    """Five string controllers pass 900 of 1200 op/s (IX); with one of SCSI more than 85 % pass."""
    asked = {"size_mb": 14000, "clients": 150, "active": 100, "user": 2.5}
    every = _calls(**asked).nearest
    alone = _calls(**asked, platforms=["sparcserver-690mp"]).nearest
    assert every.load_share == alone.load_share > 0.85


def test_a_load_that_no_machine_supports_a_part_of_is_shown_on_the_largest() -> None:
    """300 clients need more memory than any machine takes, at whatever rate they work."""
    nearest = _calls(size_mb=30000, clients=300, user=5).nearest
    assert nearest.platform == "sparcserver-690mp" and not nearest.load_share
    assert "1.1.5-memory" in {finding.rule for finding in nearest.findings}
    channels = {c.kind for c in nearest.judgement.system.channels if len(c.devices) > 7}
    assert channels <= {"ipi"}


def test_the_closest_alternative_has_the_networks_of_the_largest_part_of_the_load() -> None:
    """An NS 5500 serves 2250 op/s over 8 networks (auspex-1992, 4.2); 6 networks serve 1688."""
    engine = load_engine("auspex-1992")
    workload = read({
        "name": "slices", "guide": "auspex-1992",
        "networks": [{"name": "scan", "medium": "ethernet", "segments_at_most": 8}],
        "volumes": [volume("data", 9000, protection="mirror")],
        "services": [{
            "kind": "nfs", "name": "slices", "network": "scan", "uses": ["data"],
            "clients": 270, "load": {"ops_per_s_each": [6, 9]},
        }],
    })  # fmt: skip
    nearest = plan(workload, engine, systems=1).nearest
    assert nearest is not None and nearest.judgement is not None
    assert len(nearest.judgement.system.ports) == 8
    (finding,) = nearest.findings
    assert finding.rule == "4.2-nfs" and "2250 op/s over 8 networks" in finding.message


def test_the_closest_alternative_spreads_its_clients_though_each_network_has_too_many() -> None:
    """1900 op/s on one Ethernet are six times the 320 that it sustains; on four, 1.5 times."""
    found = plan(
        read({
            "name": "readers", "guide": "sun-1992",
            "networks": [{"name": "campus", "medium": "ethernet", "segments_at_most": 4}],
            "volumes": [{**volume("catalogue", 100), "read_only": True, "cached_mb": 100}],
            "services": [{
                "kind": "nfs", "name": "readers", "network": "campus", "uses": ["catalogue"],
                "clients": 380, "load": {"ops_per_s_each": 5},
                "mix": {"reads_percent": 20, "writes_percent": 0},
            }],
        }),
        load_engine("sun-1992"), systems=1,
    )  # fmt: skip
    assert found.nearest is not None and found.nearest.judgement is not None
    assert len(found.nearest.judgement.system.ports) > 1


def test_the_closest_alternative_has_the_disks_that_exceed_processor_time_least() -> None:
    """Without its 3.88 processors of programs 100 sessions have 560 op/s: on IPI they take less."""
    path = ROOT / "examples/customers/university-terminals/workload.yaml"
    plain = yaml.safe_load(path.read_text(encoding="utf-8"))
    (students, _) = plain["services"]
    students["user_processors"] = 3.88
    nearest = planned(plain).nearest
    assert nearest is not None and nearest.judgement is not None
    assert {finding.rule for finding in nearest.findings} == {"1.2.8-processors"}
    disks = [d for d in nearest.judgement.system.devices() if d.kind == "disk"]
    assert {GUIDE.row("disks", disk.model).text("interface") for disk in disks} == {"ipi"}
