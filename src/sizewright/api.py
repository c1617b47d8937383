"""The program as a library: plan a workload, check a server, and assemble what a report shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sizewright.check.rule_filter import (
    EVERYTHING,
    RuleFilter,
    filter_of_guide,
    filter_of_own_guide,
    resolve_filter,
)
from sizewright.demand.added_volumes import room_of_client
from sizewright.documents import Document
from sizewright.engine import Engine, check, check_against, load_engine, policy_of, rules_for
from sizewright.further_plans import find_alternatives
from sizewright.guide.loader import load_guide
from sizewright.output.memory_reasons import memory_of_programs
from sizewright.output.reports import AdviceCosts, PlanReport
from sizewright.planner.alternatives import NO_ALTERNATIVES
from sizewright.planner.planning import ProgressCallback, unwatched
from sizewright.plans import plan, plan_on, plan_with_disks, stages
from sizewright.workload.not_counted import find_omissions
from sizewright.workload.reading import read_workload
from sizewright.workload.volume import ROOT
from sizewright.workload.workload import Workload

if TYPE_CHECKING:
    from sizewright.box.schema import Box
    from sizewright.check.check import Check
    from sizewright.diff.model import Difference
    from sizewright.evaluate.policy import Policy
    from sizewright.failure import Failure
    from sizewright.output.prices import Cost, Offer
    from sizewright.output.reports import CheckReport
    from sizewright.planner.plan import Plan
    from sizewright.rules.compiler import RuleSet
    from sizewright.sensitivity.thresholds import BreakEven

__all__ = [
    "Engine", "box_failures", "check", "check_against", "load_engine", "load_guide",
    "lock_difference", "plan", "plan_failures", "plan_report", "policy_of", "read_workload",
    "report_check", "report_plan", "stages", "written_check", "written_plan",
]  # fmt: skip


def report_plan(
    workload: Workload,
    document: Document,
    engine: Engine,
    *,
    systems: int | None = None,
    selection: RuleFilter = EVERYTHING,
    break_even: bool = False,
    failed: tuple[str, ...] = (),
    in_stages: bool = False,
    watch: ProgressCallback = unwatched,
) -> PlanReport:
    """Plan a workload, and return the plan with what its report shows.

    `document` is the file that the workload was read from. `failed` are components whose failures
    are evaluated, each alone. `watch` is called with what is being tried. Raises InputError for
    rules and components that do not exist, and as `plan` and `stages` do.
    """
    asked = resolve_filter(selection, engine.judging("plan"))
    found, offers = _priced(plan(workload, engine, systems, watch), workload, document, engine)
    report = replace(
        plan_report(found, workload, document, asked),
        offers=offers,
        alternatives=find_alternatives(found, workload, engine, watch),
    )
    report = _cheaper_with_room(report)
    if break_even:
        from sizewright.sensitivity import thresholds

        ways = thresholds.break_even(report.budgets_at_worst, report.end)
        report = replace(report, break_even=ways)
    if in_stages:
        from sizewright.output.bill_of_materials import stage_orders

        of_systems = zip(stages(workload, engine, report.plan), report.plan.numbers, strict=False)
        orders = (stage_orders(own, engine.guide, report.end, n) for own, n in of_systems)
        report = replace(report, stages=tuple(orders))
    return replace(report, failed=plan_failures(report, failed))


def _priced(
    found: Plan, workload: Workload, document: Document, engine: Engine
) -> tuple[Plan, tuple[Offer, ...]]:
    """Return the plan on the cheapest platform, and all that pass; as it is without prices."""
    from sizewright.output.prices import Prices, choose_by_price

    prices = Prices(engine.guide)
    if not prices:
        return found, ()

    def cost_on(planned: Plan) -> Cost | None:
        return plan_report(planned, workload, document).cost

    on_platform = partial(plan_on, workload=workload, engine=engine)
    with_disks = partial(plan_with_disks, workload=workload, engine=engine)
    return choose_by_price(found, on_platform, with_disks, cost_on, prices)


def _cheaper_with_room(report: PlanReport) -> PlanReport:
    """Return the report on the plan with more room, if it costs less and is no worse."""
    larger = report.larger
    if not report.offers or larger is None or larger.plan.chosen is None:
        return report
    from sizewright.output.prices import Offer, by_price

    now, then = report.cost, larger.cost
    if now is None or then is None:
        return report
    cheaper = now.is_whole and then.is_whole and then.total < now.total
    worse = larger.verdict != report.verdict and larger.verdict != "holds"
    relief = report.alternatives.relief
    wider = bool(relief and relief.networks) or larger.plan.group is not None
    if not cheaper or worse or wider or report.advice_lost:
        return report
    platform = larger.names.system.platform
    others = [each for each in report.offers if each.platform != platform]
    offers = by_price([*others, Offer(platform, larger.names.platform(), then)])
    plan = larger.plan.instead_of(report.plan)._replace(gaps=report.plan.gaps)
    return replace(report, plan=plan, offers=offers, alternatives=NO_ALTERNATIVES)


def plan_report(
    found: Plan, workload: Workload, document: Document, selection: RuleFilter = EVERYTHING
) -> PlanReport:
    """A plan that was made, with the file of its workload, and which findings to report."""
    has_root = any(volume.use == ROOT for volume in found.demand.volumes)
    systems = [part.shown.system for part in found.plans if part.shown is not None]
    omissions = find_omissions(
        workload, has_root, room_of_client(workload, found.guide),
        on_boards=any(system.serial_lines != 0 for system in systems) or not systems,
        typical={"private_mb": memory_of_programs(found.guide)},
    )  # fmt: skip
    return PlanReport(
        found, workload.name, workload.title or "", document.name, document.digest,
        document.changes, tuple(omissions), selection, advise=_advice_of,
    )  # fmt: skip


def _advice_of(report: PlanReport) -> AdviceCosts:
    # The first screen starts without what it takes to plan again.
    from sizewright.output.advice import Advice

    return Advice(report)


def report_check(
    box: Box,
    document: Document,
    engine: Engine,
    *,
    selection: RuleFilter = EVERYTHING,
    others: Iterable[Engine] = (),
    break_even: bool = False,
    failed: tuple[str, ...] = (),
) -> CheckReport:
    """Check a server, and return the check with what its report shows.

    `document` is the file that the box was read from; `others` are other guides, whose findings
    are added. Raises InputError for rules and components that do not exist, and as `check` does.
    """
    from sizewright.check.advice import enough_processors, first_step, smaller_platform
    from sizewright.output.reports import CheckReport

    guides = {other.guide.id: other for other in others}
    own = filter_of_own_guide(engine.guide.id, selection, guides) if guides else selection
    asked = resolve_filter(own, engine.rule_set.judging("box"))
    rules = [rule.id for rule in engine.rule_set.rules if asked.asks(rule.id, rule.severity)]
    found = check(box, engine, rules)
    policy = policy_of(box.policy, engine.guide)
    opinions = tuple(
        check_against(found, other, filter_of_guide(name, selection, other.judging("box")))
        for name, other in guides.items()
    )
    failures = box_failures(found, policy, failed)
    rule_set = rules_for(box.policy, engine, "box")
    ways = break_even_of(found, rule_set, policy.size_for) if break_even else None
    step, enough = first_step(found, rule_set, policy), enough_processors(found, rule_set, policy)
    smaller = smaller_platform(found, rule_set, policy)
    return CheckReport(
        found, document, policy, asked, step, ways, failures, opinions, enough, smaller
    )


def plan_failures(report: PlanReport, names: tuple[str, ...]) -> tuple[Failure, ...]:
    """The effects of the failure of each named component; none if there is no plan.

    Raises InputError for components that the plan does not have.
    """
    plan = report.plan
    if not names or plan.chosen is None:
        return ()
    from sizewright.output.failure import resolve_failing
    from sizewright.planner.failover import plan_components, plan_failure
    from sizewright.rules.compiler import compile_rules

    listed = (line.name for line in report.order)
    parts = resolve_failing(names, plan_components(plan), tuple(report.named.values()), listed)
    rule_set = compile_rules(plan.guide, plan.policy.parameters).only(
        rule.id for rule in plan.rules
    )
    return tuple(plan_failure(plan, part, rule_set) for part in parts)


def box_failures(check: Check, policy: Policy, names: tuple[str, ...]) -> tuple[Failure, ...]:
    """The effects of the failure of each named component of a box.

    Raises InputError for components that the box does not have.
    """
    if not names:
        return ()
    from sizewright.check.failure import box_failure
    from sizewright.configuration.model import components
    from sizewright.output.failure import resolve_failing
    from sizewright.output.names import OwnNames
    from sizewright.rules.compiler import compile_rules

    system = check.judged.system
    parts = resolve_failing(names, components(system), (OwnNames(check.guide, system),), ())
    rule_set = compile_rules(check.guide, policy.parameters).judging("box")
    return tuple(box_failure(check, part, rule_set, policy) for part in parts)


def break_even_of(check: Check, rule_set: RuleSet, end: str) -> BreakEven:
    """The values at which verdicts of a checked server change, at one end of their ranges.

    Measurements that contradict each other are not believed, so nothing changes at such values.
    """
    from sizewright.check.check import plausible
    from sizewright.sensitivity.thresholds import Condition, break_even

    conditions = [Condition(*each) for each in plausible(check.judged.facts, rule_set)]
    return break_even(check.limited.values(), end, conditions)


def written_plan(report: PlanReport) -> dict[str, Any]:
    """The plan as it is read back from its JSON."""
    from sizewright.output.json.plan import plan_data

    return _read_back(plan_data(report))


def written_check(report: CheckReport) -> dict[str, Any]:
    """The check as it is read back from its JSON."""
    from sizewright.output.json.check import check_data

    return _read_back(check_data(report))


def _read_back(data: object) -> dict[str, Any]:
    import json

    found: dict[str, Any] = json.loads(json.dumps(data, allow_nan=False))
    return found


def lock_difference(locked: dict[str, Any], report: PlanReport, name: str) -> Difference:
    """What differs between a written plan, which is in the file `name`, and a plan made now."""
    from sizewright.diff.changes import diff_results

    whole = replace(report, selection=EVERYTHING, break_even=None, failed=())
    return diff_results(locked, written_plan(whole), (name, report.file))
