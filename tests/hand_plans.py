"""Plans of hand-built systems: what a search would find is put in by hand, so that none is run."""

from __future__ import annotations

from typing import NamedTuple

import small
from generated_workloads import ENGINE, Plain, read
from sizewright.configuration.model import System
from sizewright.demand.build import demand_of
from sizewright.demand.model import Demand
from sizewright.demand.subset import restrict_demand, scale_rates
from sizewright.evaluate.policy import Policy
from sizewright.evaluate.system import evaluate
from sizewright.failure import Served
from sizewright.output.reports import PlanReport
from sizewright.planner.infeasibility import Rejection
from sizewright.planner.plan import Failover, Group, Member, Plan

RULES = ENGINE.rule_set.judging("plan")
USUAL = Policy()


def demand(plain: Plain) -> Demand:
    """The demand of a workload, read as a user's file is."""
    return demand_of(read(plain), small.GUIDE)


def holding(plain: Plain, system: System, policy: Policy = USUAL) -> Plan:
    """The plan that would have chosen a system, whether it holds or not."""
    asked = demand(plain)
    judged = evaluate(asked, system, small.GUIDE, RULES, policy)
    return Plan(small.GUIDE, asked, policy, judged, RULES.rules)


def missing(plain: Plain, system: System, policy: Policy = USUAL) -> Plan:
    """The plan whose nearest miss is a system."""
    asked = demand(plain)
    judged = evaluate(asked, system, small.GUIDE, RULES, policy)
    name = small.row("platforms", system.platform).text("name")
    broken = tuple(f for f in judged.findings if f.severity == "violation")
    broken = tuple(f for f in broken if f.verdict in ("violated", "tight"))
    nearest = Rejection(system.platform, name, system.processors or 1, broken, judged, 0, ())
    plan = Plan(small.GUIDE, asked, policy, None, RULES.rules)
    return refusing(plan, (nearest,), nearest)


class ByHand(NamedTuple):
    """Reasons that need no search."""

    rejected: tuple[Rejection, ...]
    nearest: Rejection | None

    @property
    def passed_over(self) -> tuple[Rejection, ...]:
        return self.rejected


def refusing(plan: Plan, rejected: tuple[Rejection, ...], nearest: Rejection | None = None) -> Plan:
    """A plan for which these machines do not pass."""
    return plan._replace(reasons=ByHand(rejected, nearest))


def paired(plain: Plain, whole: System, *systems: tuple[System, tuple[str, ...]]) -> Plan:
    """The plan of two systems and their services, where a single one does not do."""
    single = missing(plain, whole)
    parts = []
    for system, services in systems:
        part = restrict_demand(single.demand, services)
        judged = evaluate(part, system, small.GUIDE, RULES, single.policy)
        parts.append(Plan(small.GUIDE, part, single.policy, judged, RULES.rules))
    members = tuple(
        Member(system.id, services, part)
        for (system, services), part in zip(systems, parts, strict=True)
    )
    single = refusing(single, single.rejected)
    return single._replace(chosen=parts[0].chosen, group=Group(members))


def surviving(plan: Plan, share: float = 0.5) -> Plan:
    """The same two systems, each of which carries everything if the other fails.

    What is at home on the other one is slower then, by a share of its rates.
    """
    assert plan.group is not None
    first, second = plan.group.members
    failover = []
    for gone, left in ((first, second), (second, first)):
        assert left.plan.chosen is not None
        wanted = scale_rates(plan.demand, share, gone.services)
        whole = [part.chosen.system for part in plan.plans if part.chosen]
        system = left.plan.chosen.system._replace(
            channels=next(system.channels for system in whole if system.volumes),
            ports=next(system.ports for system in whole if system.ports),
            volumes=tuple(volume for system in whole for volume in system.volumes),
        )
        state = evaluate(wanted, system, small.GUIDE, RULES, plan.policy)
        served = tuple(Served(name, share) for name in gone.services)
        failover.append(Failover(gone.name, left.name, wanted, state, served))
    return plan._replace(group=plan.group._replace(failover=tuple(failover)))


def report_on(plan: Plan) -> PlanReport:
    """A report on a plan, of a workload named `hand`."""
    return PlanReport(plan, "hand", "", "hand.yaml", "0" * 64)


OFFICE: Plain = {"networks": [{"name": "office", "medium": "ethernet"}]}


def measured(name: str, ms_per_s: float | list[float], **more: object) -> Plain:
    """A service of which nothing but kernel time was measured, on a desktop of 28.5 MIPS."""
    time = {"kernel_ms_per_s": ms_per_s, "measured_on": "sparcstation-2"}
    return {"kind": "measured", "name": name, **time, **more}


# 300 ms/s, reads at random through the file system, 100 a second, and 250 KB/s in packets.
BUSY: Plain = {
    "name": "busy",
    **OFFICE,
    "volumes": [
        {"name": "rows", "size_mb": 300, "access": "random"},
    ],
    "services": [
        measured(
            "orders", 300, network="office",
            traffic={"packets_per_s": 500, "packet_byte": 512},
            work=[{"name": "lookup", "volume": "rows", "ops_per_s": 100, "block_kb": 8}],
        ),
        measured("reports", [300, 400]),
    ],
    "wishes": {"platforms": ["sparcstation-2"]},
}  # fmt: skip

DESKTOP = small.system(
    platform="sparcstation-2",
    ports=(small.port("office"),),
    channels=(small.channel("builtin-1", small.disk("disk-1"), small.disk("disk-2")),),
    volumes=(small.laid("rows", {"disk-1": 150, "disk-2": 150}),),
    serial_lines=0,
)
PAIR = (
    (DESKTOP, ("orders",)),
    (small.system(id="alternate", serial_lines=0, ports=()), ("reports",)),
)

# Every kind of service on one machine.
EVERY: Plain = {
    "name": "every",
    "networks": [{"name": "ring", "medium": "fddi"}, *OFFICE["networks"]],
    "volumes": [
        {"name": "home", "size_mb": 300, "access": "random"},
        {"name": "table", "size_mb": 900, "access": "serial", "use": "raw"},
        {"name": "letters", "size_mb": 200, "access": "random"},
    ],
    "services": [
        {"kind": "nfs", "name": "files", "clients": 10, "load": {"ops_per_s_each": 2},
         "network": "office", "uses": ["home"]},
        {"kind": "database", "name": "books", "product": "oracle", "clients": 18,
         "network": "ring",
         "work": [{"name": "sum", "volume": "table", "mb": 100, "block_kb": 8, "every_s": 900,
                   "as_fast_as_disks": True, "within_s": 60, "returns_mb": 20,
                   "user_processors": 0.5}]},
        {"kind": "timesharing", "name": "desk", "sessions": 20, "private_mb": 2,
         "shared_mb": 5, "network": "office", "takes_all_processors": True,
         "traffic": {"packets_per_s": 40, "packet_byte": 512}},
        {"kind": "mail", "name": "post", "volume": "letters", "messages_a_day": 9000,
         "prime_messages": 7200, "prime_s": 7200, "temporary_files": 4},
        {"kind": "gateway", "name": "far",
         "lines": [{"name": "t1", "protocol": "sna", "kbit_per_s": 1500}]},
        {"kind": "serial", "name": "modems", "lines": 4, "bits_per_s": 2400},
        {"kind": "print", "name": "paper",
         "printers": [{"name": "line", "attached": "parallel", "count": 1}]},
        {"kind": "batch", "name": "night", "jobs": 2, "job_mb": 4,
         "work": [{"name": "scan", "volume": "home", "ops_per_s": 10, "block_kb": 8}]},
        {"kind": "paging", "name": "memory", "faults_per_s": 30},
        measured("rest", 50, single_threaded=True, user_processors=[1, 2]),
    ],
}  # fmt: skip

SERVER = small.system(
    platform="sparcserver-690mp", processors=2, memory_mb=128,
    boards=(
        small.board("fddi-dx-1", "fddi-dx", "vme", 8), small.board("isp-80-1", "isp-80", "vme", 9),
        small.board("hsi-s-1", "hsi-s", "sbus", 1),
        small.board("alm-2-1", "alm-2", "vme", 10),
    ),
    ports=(
        small.port("ring", interface="fddi-dx")._replace(provider="fddi-dx-1"),
        small.port("office"),
    ),
    channels=(
        small.channel("isp-80-1", *(small.disk(f"disk-{n}", "1-3gb-ipi") for n in (1, 2, 3)),
                      kind="ipi-2"),
    ),
    volumes=(
        small.laid("home", {"disk-1": 300}), small.laid("table", {"disk-2": 900}),
        small.laid("letters", {"disk-3": 200}),
    ),
    databases=("oracle",), beside=("terminal-server",), serial_lines=4,
)  # fmt: skip
