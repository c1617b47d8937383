"""The record of a plan, `sizewright.plan/1`: what `sizewright plan --format json` prints."""

from __future__ import annotations

from typing import Literal

from sizewright.evaluate.findings import how_to_measure
from sizewright.evaluate.system import Evaluation
from sizewright.output.findings import rejection_reasons
from sizewright.output.json import alternatives, common, other_plans
from sizewright.output.json.common import Count, End, JsonData, Number, Quantity, Record, doc
from sizewright.output.json.configuration import (
    BackupRun,
    Run,
    System,
    YieldingWork,
    run_record,
    yielding_records,
)
from sizewright.output.json.demand import Demand, demand_record
from sizewright.output.json.order import (
    OrderLine,
    OwnedUse,
    Price,
    PurchaseStage,
    price_record,
    stage_records,
)
from sizewright.output.provenance import overlay_uses
from sizewright.output.reports import PlanReport
from sizewright.output.systems import joins_unlike_disks
from sizewright.planner.plan import coverage
from sizewright.setup.settings import list_settings

SCHEMA = "sizewright.plan/1"


class Workload(common.InputFile):
    """The workload that was planned."""

    changes: list[str] = doc("Values that `--set` changed for this run, as `key=value`.")


class Policy(Record):
    """How the plan was made."""

    size_for: End = doc("End of every range that the plan is sized for.")
    follow_advice: Literal["where_free", "always", "never"] = doc(
        "Whether advice is followed if it needs no larger platform, always, or never."
    )
    reserve_percent: common.Reserve
    waived: list[common.Waived] = doc("Rules that are waived by name.")


class AttachedNetwork(Record):
    """A network attached to a system."""

    system: str = doc("Id of the system.")
    id: str = doc("Id of the network, numbered if its clients are split.")
    network: str = doc("Network of the workload.")
    medium: str = doc("Row of `network-media`.")
    interface: str = doc("Row of `network-interfaces`.")
    provider: str = doc("Id of a board, or `builtin`.")
    unit: Literal["op/s", "KB/s"] = doc(
        "NFS operations per second (op/s), or all data (KB/s); a network may have both."
    )
    used: Quantity | None = doc("Its load, in `unit`; null if unknown.")
    limit: Quantity | None = doc("Its limit; null if unknown.")
    share: Number | None = doc("Used ÷ limit; null if unknown.")


class Setting(Record):
    """A value to set at installation."""

    system: str = doc("Id of the system.")
    name: str = doc("What to set.")
    part: str = doc("Ids of the parts that it is set for; empty for the whole system.")
    value: Quantity | None = doc("The value; null if only the text states it.")
    text: str = doc("The value in words, or how to set it.")
    why: str = doc("Why this value.")
    source: str = doc("Section of the guide.")


class Unchecked(Record):
    """A rule that could not be checked."""

    rule: str = doc("Id of the rule.")
    subject: str = doc("As in findings.")
    message: str = doc("What is known.")
    measure: str = doc("How to measure what is missing; empty if the rule does not state it.")


class Coverage(Record):
    """How much was checked."""

    rules: Count = doc("Rules of the guide.")
    judgements: common.Verdicts = doc("Results by verdict.")


class ScenarioUse(Record):
    """The use of a resource in one scenario."""

    active: list[str] = doc("The services of `demand.exclusive` that are active, one of each set.")
    used: Quantity = doc("What is used while they are active and their rivals rest.")


class Scenario(Record):
    """A resource whose use differs between scenarios."""

    resource: str = doc("Id of its budget.")
    active: list[str] = doc("The services of the scenario that decides: its use is the largest.")
    uses: list[ScenarioUse] = doc("The use in each scenario.")


class Growth(Record):
    """A resource whose use grows."""

    resource: str = doc("Id of its budget.")
    years: Number | None = doc(
        "Years until it reaches its limit, at the end that the plan is sized for; 0 if it is over "
        "its limit already, null if it does not reach it within a hundred years."
    )
    horizon_years: Number = doc("Years of growth that the plan includes.")


class Plan(Record):
    """What `sizewright plan --format json` prints.

    Budgets, findings, networks, work and unknowns are those of the systems that were found, or of
    the closest alternative if there is none.
    """

    schema_: Literal["sizewright.plan/1"] = doc("The format with its version.", alias="schema")
    guide: common.Guide = doc("The planning guide.")
    workload: Workload = doc("The workload that was planned.")
    not_counted: list[common.NotCounted] = doc(
        "What the workload does not state though its services normally have it; it counts as zero."
    )
    policy: Policy = doc("How the plan was made.")
    verdict: common.PlanVerdict = doc(
        "The worst verdict on a limit, or on anything waived; `violated` if no configuration was "
        "found."
    )
    proven: bool = doc(
        "Whether every search was completed, so that nothing smaller passes but what `not_tried` "
        "names."
    )
    cut_short: list[str] = doc("Platforms whose search stopped early; empty if `proven`.")
    not_tried: list[Literal["disks_of_different_models"]] = doc(
        "What no search tries and may need fewer parts: one volume on disks of different models. "
        "The key is present only if it applies.", default_factory=list
    )  # fmt: skip
    gaps: list[alternatives.Gap] = doc("What these searches leave open; empty if `proven`.")
    determinant: common.Bottleneck | None = doc("The bottleneck; null if no budget has a limit.")
    relief: other_plans.Relief = doc(
        "The next larger plan. The key is present only if less than `least_free` is free of the "
        "limit of the bottleneck, or if a recommended limit on a load is exceeded.", default=None
    )  # fmt: skip
    divided_volumes: other_plans.DividedVolumes = doc(
        "The same machines with volumes divided. The key is present only if a recommended limit on "
        "a load is exceeded, and is met then.", default=None
    )  # fmt: skip
    fewer_systems: other_plans.FewerSystems = doc(
        "A plan with fewer systems and more networks than the workload permits. The key is present "
        "only if the load was divided over systems, and there is such a plan.", default=None
    )  # fmt: skip
    without_owned: other_plans.Relaxation = doc(
        "A plan of smaller machines without devices that are already owned. The key is present "
        "only if there is one.", default=None
    )  # fmt: skip
    overlays: list[common.Overlay] = doc("What overlays changed.")
    demand: Demand = doc("What the workload asks for, before any hardware is chosen.")
    order: list[OrderLine] = doc("What to order; empty if no configuration was found.")
    price: Price = doc(
        "What the order costs. The key is present only if there are prices.", default=None
    )
    owned: list[OwnedUse] = doc(
        "What becomes of devices that exist, in the systems found or in the closest alternative. "
        "The key is present only if the workload has `carry_forward`.", default_factory=list,
    )  # fmt: skip
    systems: list[System] = doc(
        "The systems found: one, `primary` and `alternate`, or more, such as `server-1`; empty if "
        "none was found."
    )
    group: alternatives.Group | None = doc(
        "What each of several systems runs; null if there is one."
    )
    kernel_lock: alternatives.KernelLock | None = doc(
        "By how much the closest single system exceeds its kernel lock; null if a single system "
        "passes, or if another limit prevents it."
    )
    networks: list[AttachedNetwork] = doc("Networks attached.")
    work: list[Run] = doc("Work on disks.")
    yielding: list[YieldingWork] = doc("Kernel time of work with low priority, in no budget.")
    backups: list[BackupRun] = doc("Duration of a backup on each system; empty if none is wanted.")
    setup: list[Setting] = doc("What to set when the systems are installed.")
    unknown: list[Unchecked] = doc("Rules that could not be checked, with missing facts.")
    coverage: Coverage = doc("How much was checked.")
    budgets: list[common.TracedBudget] = doc("Resources and their limits.")
    no_kernel_lock: common.NoKernelLocks
    sources: list[common.Origin] = doc(
        "Every table cell, rule parameter and input line behind budgets and findings, sorted by "
        "key, each once."
    )
    scenarios: list[Scenario] = doc(
        "The scenario that decides each resource, by its use at the end that the plan is sized "
        "for; empty if no services exclude each other. Resources whose use is the same in all "
        "scenarios are left out."
    )
    growth: list[Growth] = doc(
        "When each resource reaches its limit if growth continues, the first one first; empty if "
        "the workload states no growth with years."
    )
    stages: list[PurchaseStage] = doc(
        "What to buy today and in each year of growth. The key is present only with `--stages`.",
        default_factory=list,
    )
    break_even: alternatives.Thresholds
    borderline_from: alternatives.BorderlineFrom
    steady: alternatives.Steady | None = doc(
        "Inputs that change no verdict; null without `--break-even`."
    )
    failed: list[alternatives.Failure] = doc(
        "The effect of each failure that `--failed` names; empty if there is none, or if no "
        "configuration was found."
    )
    unsurvived: list[alternatives.Failure] = doc(
        "Failures that the workload must survive (`availability.survives`) and the plan does not. "
        "If there are any, the verdict is `violated`."
    )
    borderline_failures: list[alternatives.Failure] = doc(
        "Failures that the workload must survive, and after which the plan exceeds a recommended "
        "limit that it does not exceed before."
    )
    tightest_failure: alternatives.Failure | None = doc(
        "Of the failures of parts that the workload must survive, the one after which a resource "
        "is nearest to its limit; null if it need not survive any."
    )
    findings: list[common.Finding] = doc(
        "The result of every rule for every subject, as far as `--rule`, `--ignore` and "
        "`--severity` select them."
    )
    rejected: list[alternatives.Rejected] = doc(
        "Platforms tried and rejected, smallest first: those tried for all services, then those "
        "tried for each of several systems."
    )
    nearest: alternatives.Nearest | None = doc(
        "The closest alternative; null if a configuration was found."
    )
    change: alternatives.Change | None = doc(
        "The smallest change; null if a configuration was found."
    )
    reduced_load: other_plans.ReducedLoad = doc(
        "A plan of a part of the load. The key is present only if no plan of all of it passes, and "
        "one of a part was found.", default=None
    )  # fmt: skip
    fewer_lines: other_plans.FewerLines = doc(
        "A plan of fewer lines. The key is present only if no plan of all of them passes, and one "
        "of fewer was found.", default=None
    )  # fmt: skip
    fewer_users: other_plans.FewerUsers = doc(
        "A plan for fewer clients or sessions. The key is present only if no plan of any part of "
        "all rates passes, and one for fewer was found.", default=None
    )  # fmt: skip
    fewer_years: other_plans.FewerYears = doc(
        "A plan for fewer years of growth. The key is present only if no plan for all of them "
        "passes, and one for fewer was found.", default=None
    )  # fmt: skip
    less_memory: other_plans.LessMemory = doc(
        "A plan of less memory. The key is present only if no plan of all of it passes, and one of "
        "less was found.", default=None
    )  # fmt: skip
    conflicts: other_plans.WishConflicts = doc(
        "Wishes that conflict. The key is present only if no plan passes and the workload has "
        "wishes.", default_factory=dict,
    )  # fmt: skip


def plan_data(report: PlanReport) -> JsonData:
    """Return the JSON of a plan as plain data."""
    plan, parts = report.plan, report.parts
    guide, policy, end = report.guide, plan.policy, report.end
    shown = [(part, part.shown) for part in parts if part.shown is not None]
    chosen = [(each.chosen.system, each.demand) for each in plan.plans if each.chosen]
    findings = tuple(finding for _, judged in shown for finding in judged.findings)
    record = Plan.make(
        report,
        **alternatives.shared_keys(report, overlay_uses(plan)),
        schema=SCHEMA,
        workload=report,
        policy=Policy.make(policy, waived=policy.waivers),
        proven=plan.proven,
        cut_short=sorted({name for each in (plan, *plan.plans) for name in each.cut_short}),
        not_tried=["disks_of_different_models"] if joins_unlike_disks(plan) else [],
        gaps=[
            alternatives.Gap.make(gap, system=part.chosen.system.id if part.chosen else "")
            for part in (plan, *(plan.plans if plan.group else ())) for gap in part.gaps
        ],
        determinant=other_plans.bottleneck_record(report),
        relief=other_plans.relief_record(report),
        divided_volumes=other_plans.divided_record(report),
        fewer_systems=other_plans.fewer_systems_record(report),
        without_owned=other_plans.relaxation_record(report.alternatives.without_owned, report),
        demand=demand_record(plan.demand),
        price=price_record(report),
        owned=report.owned,
        systems=[System.make(system, configuration=system) for system, _ in chosen],
        group=plan.group and alternatives.group_record(plan.group, end),
        kernel_lock=alternatives.kernel_lock_record(report),
        networks=[line for part, judged in shown for line in _networks(part, judged)],
        work=[
            run_record(work, judged.system.id) for _, judged in shown for work in judged.load.works
        ],
        yielding=[line for _, judged in shown for line in yielding_records(judged, end)],
        setup=[
            Setting.make(each, system=system.id, source=each.cite)
            for system, demand in chosen for each in list_settings(system, demand, guide)
        ],
        unknown=[
            Unchecked.make(finding, measure=how_to_measure(guide, finding))
            for finding in findings if finding.verdict == "unknown"
        ],
        coverage=Coverage.make(rules=len(plan.rules), judgements=dict(coverage(report.findings))),
        scenarios=[
            Scenario.make(
                each, uses=[ScenarioUse.make(active=a, used=used) for a, used in each.uses]
            )
            for each in report.scenarios
        ],
        stages=stage_records(report),
        unsurvived=alternatives.failure_records(plan.unsurvived, report.selection),
        borderline_failures=alternatives.failure_records(
            plan.borderline_failures, report.selection
        ),
        tightest_failure=plan.tightest_failure
        and alternatives.failure_records((plan.tightest_failure,), report.selection)[0],
        findings=findings,
        rejected=[
            *(alternatives.rejected_record(r, "", plan.guide) for r in plan.rejected),
            *(alternatives.rejected_record(r, judged.system.id, plan.guide)
              for part, judged in shown if plan.group for r in part.plan.rejected),
        ],
        nearest=plan.nearest and alternatives.Nearest.make(
            plan.nearest, configuration=plan.nearest.judgement and plan.nearest.judgement.system,
            reasons=rejection_reasons(guide, plan.nearest),
        ),
        change=plan.nearest and alternatives.Change.make(plan.nearest),
        reduced_load=other_plans.reduced_load_record(report),
        fewer_lines=other_plans.fewer_lines_record(report),
        fewer_users=other_plans.fewer_users_record(report),
        fewer_years=other_plans.fewer_years_record(report),
        less_memory=other_plans.less_memory_record(report),
        conflicts=other_plans.conflict_record(report),
    )  # fmt: skip
    return record.as_data()


def _networks(report: PlanReport, shown: Evaluation) -> list[AttachedNetwork]:
    guide, end = report.guide, report.end
    return [
        AttachedNetwork.make(
            port, system=shown.system.id, unit=budget.unit, used=budget.used, limit=budget.limit,
            medium=guide.row("network-interfaces", port.interface).text("medium"),
            share=budget.share_of_limit(end),
        )
        for port in shown.system.ports
        for budget in shown.budgets
        if budget.kind in ("network", "data") and budget.name == port.id
    ]  # fmt: skip
