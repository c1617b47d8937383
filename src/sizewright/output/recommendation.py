"""The recommendation in one sentence: which systems, for what, and why no smaller ones."""

from __future__ import annotations

from itertools import zip_longest
from math import ceil, floor

from sizewright.configuration.model import SYSTEM
from sizewright.errors import counted, enumerated, plural
from sizewright.evaluate.policy import Policy
from sizewright.output.names import END_NAMES, by_name, system_names, with_processors
from sizewright.output.remedies import why_not_split
from sizewright.output.reports import PlanReport
from sizewright.output.stopped import but_cut_short
from sizewright.output.wording import number_word
from sizewright.planner.infeasibility import PassedOver, Rejection
from sizewright.planner.plan import Member, Plan
from sizewright.quantity import Quantity
from sizewright.sensitivity.remedies import division, no_single

_LIMITS = {
    "unknown": "every limit that could be checked (see What is not known)",
    "waived": "every limit that is not waived",
}


def recommendation_text(report: PlanReport, verdict: str, most: int) -> str:
    """What is recommended, and why nothing smaller is; or that no machine meets every limit.

    At `most` this number of services of a system has its name in it.
    """
    plan = report.plan
    end = f"at {END_NAMES[plan.policy.size_for]}{_reserved(plan.policy)}"
    # Load that is not stated counts as zero, so it may exceed a limit.
    stated = any(each.is_load for each in report.not_counted)
    end += " for the load that is stated" if stated else ""
    limits = f"{_LIMITS.get(verdict, 'every limit')} {end}"
    when = ", but not after a failure" if plan.unsurvived else ""
    if plan.group is not None:
        members = zip(plan.group.members, report.parts, strict=True)
        told = [_member(member, part, plan, most) for member, part in members]
        pairs = plan.group.number_of_pairs
        among = f" in {number_word(pairs)} pairs" if pairs > 1 else ""
        systems = f"{number_word(plan.number)} systems{among}, {enumerated(told)}"
        return f"{systems}. They meet {limits}{when}. {_why_several(report)}."
    if plan.chosen is not None:
        return f"{report.names.platform()}. It meets {limits}{when}. {_smaller(report)}."
    if SYSTEM in plan.demand.survives:
        return f"no pairs of systems {_on_offer(plan)} meet {limits}. {_why_none(report)}"
    if plan.demand.systems > 1:
        systems = number_word(plan.demand.systems)
        return f"no {systems} systems {_on_offer(plan)} meet {limits}. {_why_none(report)}"
    tried = "" if plan.demand.systems == 1 else f" {_why_none(report)}"
    return f"{_no_single(plan)} meets {limits}{_and_advice(plan)}{but_cut_short(plan)}.{tried}"


def _reserved(policy: Policy) -> str:
    """Say what stays free of every limit on a load; nothing if no reserve is asked for."""
    percent = policy.reserve_percent
    return f", with a reserve of {percent:g}%" if percent else ""


def _no_single(plan: Plan) -> str:
    """That no single machine passes, or only that none was found if a search stopped early."""
    return "no single machine " + ("was found that" if plan.cut_short else _on_offer(plan))


def _and_advice(plan: Plan) -> str:
    """Return which advice machines do not follow that meet every limit; nothing if none does."""
    if not plan.policy.insists_on_advice:
        return ""
    refused = (each for each in plan.rejected if each.only_advice)
    rules = dict.fromkeys(finding.rule for each in refused for finding in each.findings)
    if not rules:
        return ""
    return f" and follows the advice of {plural(len(rules), 'rule')} {enumerated(rules)}"


def _on_offer(plan: Plan) -> str:
    """Return which machines were tried: those of the guide, unless wishes exclude some."""
    chosen = plan.demand.platforms or any(each.required for each in plan.demand.carry_forward)
    return "that the wishes allow" if chosen else "in this guide"


def divided_data(member: Member, whole: Plan) -> dict[str, tuple[Quantity, Quantity]]:
    """Return how much of each volume each of some identical systems has a part of, and its size."""
    sizes = {volume.name: volume.size_mb for volume in whole.demand.volumes}
    return {
        each.name: (each.size_mb, sizes[each.name])
        for each in member.plan.demand.volumes
        if not each.added and each.size_mb.high < sizes[each.name].high
    }


def _member(member: Member, report: PlanReport, whole: Plan, most: int) -> str:
    """One of several systems, or identical ones: the machine, and what it is for."""
    assert whole.group is not None
    of = whole.group
    many, machine = member.quantity > 1, report.names.platform()
    named = f"{system_names([member.name])} ({machine})"
    if many:
        named = f"{member.quantity} × {machine} ({member.name})"
    services = by_name(member.services, most) if member.services else ""
    if member.name in of.idle:
        also = f" besides {services}" if services else ""
        other = "the other of its pair" if many else "the other"
        until = "even if" if member.name in of.unneeded else "until"
        return f"{named}, {'each ' if many else ''}idle{also} {until} {other} fails"
    stops = ", which may stop" if member.name in of.alone else ""
    if not many:
        return f"{named} for {services}{stops}"
    on_each = [s.name for s in member.plan.demand.services if s.replicated]
    divided = by_name((name for name in member.services if name not in on_each), most)
    data = " and of the data" if divided_data(member, whole) else ""
    also = f", and {by_name(on_each, most)} on each" if on_each else ""
    return f"{named} with equal parts of {divided}{data}{_uneven(member, whole)}{also}{stops}"


def _uneven(member: Member, whole: Plan) -> str:
    """Return how many clients each of identical systems is for, if they do not divide evenly."""
    every = {each.service: each.clients.high for each in whole.demand.streams}

    def part(planned: float, of: float) -> int:
        # A plan for a part of a client is one for no more than the whole ones.
        return floor(planned) if floor(planned) * member.quantity >= of else ceil(planned)

    parts = {
        each.service: f"{part(each.clients.high, of)} of {of:g} clients"
        for each in member.plan.demand.streams
        if each.clients.high * member.quantity > (of := every[each.service])
    }
    told = (f"{part} of {name}" if len(parts) > 1 else part for name, part in parts.items())
    return f" (each for up to {enumerated(list(told))})" if parts else ""


def _why_several(report: PlanReport) -> str:
    alone, group = "A single machine would be enough", report.plan.group
    if no_single(report.plan):
        single = _no_single(report.plan).capitalize()
        limits = f"every limit{_and_advice(report.plan)}{but_cut_short(report.plan)}"
        alone = f"{single} meets {limits} (see Rejected)"
    wanted = report.plan.demand
    if SYSTEM in wanted.survives and group is not None:
        slower = any(served.share < 1 for state in group.failover for served in state.served)
        every = "everything of its pair" if group.number_of_pairs > 1 else "everything"
        left = "what must continue" if slower else every
        of = " of the pair" if group.alone else ""
        of = " of each pair" if group.number_of_pairs > 1 else of
        without = "" if no_single(report.plan) else " if it did not have to survive"
        told = f"Either{of} can run {left} if the other fails."
        if spare := group.unneeded:
            told += f" No service moves to {system_names(spare)}, because all of them may stop."
        return f"{told} {alone}{without}"
    if wanted.systems > 1:
        return f"{number_word(wanted.systems).capitalize()} systems were requested. {alone}"
    return alone


def _why_none(report: PlanReport) -> str:
    """Why services were not divided, and whether a single machine would be enough."""
    if SYSTEM in report.plan.demand.survives:
        return (
            "Each system of a pair must run alone what must continue, with its data on disks with "
            "two ports."
        )
    why = why_not_split(division(report.plan, report.plan.shown))
    alone = "" if no_single(report.plan) else " A single machine would be enough."
    return f"{why}{alone}"


def _smaller(report: PlanReport) -> str:
    if report.offers:
        return _cheapest(report)
    refused = _passed_over(report.plan)
    smaller = []
    for does_not, machines in refused.items():
        others = (each for alike in refused.values() if alike is not machines for each in alike)
        named = {report.names.platform(), *(each.name for each in others)}
        labels = (with_processors(m) if m.name in named else m.name for m in machines)
        smaller.append(f"do not {does_not}: {', '.join(dict.fromkeys(labels))}")
    if smaller:
        return f"Smaller machines {', or '.join(smaller)} (see Rejected)"
    if report.plan.demand.platforms:
        return "It is the smallest of the requested platforms"
    return "It is the smallest machine that this guide offers"


def _passed_over(plan: Plan) -> dict[str, list[PassedOver | Rejection]]:
    """Return the machines that were passed over, by what they do not.

    Their reasons take long to find and are asked only if advice may be one.
    """
    machines = plan.reasons.passed_over if plan.reasons is not None else ()
    why = plan.rejected if plan.policy.insists_on_advice else ()
    found: dict[str, list[PassedOver | Rejection]] = {}
    for machine, rejection in zip_longest(machines, why):
        advice = rejection is not None and rejection.only_advice
        found.setdefault("follow all advice" if advice else "meet every limit", []).append(machine)
    return found


def _cheapest(report: PlanReport) -> str:
    whole = [each for each in report.offers if each.cost.is_whole]
    if len(report.offers) == 1:
        return "It is the only machine that passes"
    passing = counted(len(report.offers), "machine")
    if whole:
        return (
            f"It is the cheapest of the {len(whole)} with a price for each part, of {passing}, by "
            "its smallest configuration or by one with a single model of disks"
        )
    return f"It is the smallest of {passing} that pass; each has parts without a price"
