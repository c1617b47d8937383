"""What would make a plan pass: wishes to drop, less load, remedies of rules."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from math import ceil

from sizewright.configuration.model import SYSTEM
from sizewright.demand.build import horizon
from sizewright.demand.model import Demand
from sizewright.demand.usage import usage_of
from sizewright.errors import enumerated
from sizewright.guide.model import rated_platforms
from sizewright.limits import SYSTEMS_AT_MOST
from sizewright.load.lines import rates_of
from sizewright.output.document import Document
from sizewright.output.layout import REASONS_TOLD
from sizewright.output.names import name_of_closest
from sizewright.output.reports import PlanReport
from sizewright.output.systems import (
    alternative_text,
    machines_support,
    networks_text,
)
from sizewright.output.wording import (
    code,
    number,
    percent,
    quantity,
    whole_percent_below,
    years,
)
from sizewright.planner.alternatives import Alternatives
from sizewright.planner.conflicts import THIRD_PARTY
from sizewright.planner.infeasibility import Rejection
from sizewright.planner.more_networks import networks_beyond
from sizewright.planner.parts import platforms_on_offer
from sizewright.planner.reasons import is_about_memory
from sizewright.quantity import Quantity
from sizewright.units import PURE

_OTHER_VENDORS = f"permit disks of other vendors ({code('wishes.third_party_disks')})"


def add_conflicts(document: Document, report: PlanReport) -> None:
    """Add the sets of wishes that conflict, and what is planned without some of them."""
    found = report.alternatives.conflicts
    if found is None:
        return
    if not found.possible:
        if found.wishes:
            document.say(
                f"Dropping wishes does not help: no plan was found without {quoted(found.wishes)}."
            )
        return
    if not found.sets and not found.ways:
        document.say(
            "Whether wishes are the reason is not known, because the search stopped early: "
            f"{quoted(found.wishes)}."
        )
        return
    document.heading("Wishes that conflict")
    after = horizon(report.plan.demand)
    for wishes in found.sets:
        alone = ", even if all other wishes are dropped" if len(wishes) == 1 else ""
        grown = f" after {quantity(after)} of growth" if after is not None and after.high else ""
        document.item(f"No plan meets {quoted(wishes, found.defaults)}{grown}{alone}.")
    for way in found.ways:
        networks = networks_beyond(report.plan.demand, way.plan)
        also = f", with {networks_text(networks, way.plan.demand)}" if networks else ""
        without = quoted(way.wishes, found.defaults)
        said = f"- without {without}: {alternative_text(way.plan)}{also}"
        document.item(said)
    if found.sets and not found.ways:
        document.note(
            "Without any wish there is a plan. Which wishes to drop was not found, because the "
            "search stopped early."
        )
    if not found.complete:
        document.note("Not all wishes were tried; others may conflict too.")


def quoted(wishes: tuple[str, ...], defaults: Container[str] = ()) -> str:
    """Return wishes as keys of the workload with their values."""
    keys = {THIRD_PARTY: f"wishes.{THIRD_PARTY}"}
    return enumerated(
        f"{'the default ' if wish in defaults else ''}{code(keys.get(wish, wish))}"
        for wish in wishes
    )


def change_text(report: PlanReport) -> str:
    """Return what would make a plan pass; empty if no such change is known."""
    nearest, others = report.plan.nearest, report.alternatives
    ways = [*_without_wishes(report), *_with_less(others)]
    less = _less_load(report)
    if (
        less
        and nearest is not None
        and nearest.lacks
        and all(each.available.unit == PURE for each in nearest.lacks)
    ):
        # Slower work may need fewer of them too, but that is not what is lacking.
        ways.append(f"ask for {_less(nearest, report.plan.demand)}")
    if less:
        ways.append(less)
    elif not ways and not (nearest and nearest.lacks) and (beyond := _far_beyond(report)):
        # No part of less than a percent is searched for, and no rule is to be met with all of it.
        return f"ask for much less load ({beyond})"
    if nearest is None:
        return "; or ".join(ways)
    of_memory = others.reduced is not None and others.reduced.of_memory
    planned = (others.fewer_users, others.fewer_years, others.less_memory)
    if of_memory or any(each is not None for each in planned):
        return "; or ".join(ways)
    at_any_load = [f for f in nearest.findings if not ways or f.rule in nearest.waive]
    remedies = dict.fromkeys(
        f"ask for less: {f.message} (rule {f.rule})" if is_about_memory(f)
        else f"meet rule {f.rule} ({f.remedy[:1].lower()}{f.remedy[1:].rstrip('.')})"
        for f in at_any_load if f.remedy
    )  # fmt: skip
    if remedies:
        # Each of them is over its limit by itself, so that one change is not enough.
        ways.append("; and ".join(list(remedies)[:REASONS_TOLD]))
    if nearest.lacks and not ways:
        beyond = _far_beyond(report)
        more = f" ({beyond})" if beyond else ""
        ways.append(f"ask for {_less(nearest, report.plan.demand)}{more}")
        ways.append("use a machine of another guide")
    return "; or ".join(ways)


def _without_wishes(report: PlanReport) -> Iterator[str]:
    """Yield which wishes to drop, or what to permit in their place."""
    conflicts = report.alternatives.conflicts
    dropped = []
    found, defaults = (conflicts.ways, conflicts.defaults) if conflicts is not None else ((), ())
    for way in found:
        networks = networks_beyond(report.plan.demand, way.plan)
        if networks and len(way.wishes) == 1:
            yield f"permit {networks_text(networks, way.plan.demand)}"
        elif way.wishes == (THIRD_PARTY,):
            yield _OTHER_VENDORS
        else:
            stated = quoted(tuple(w for w in way.wishes if w != THIRD_PARTY), defaults)
            also = f" and {_OTHER_VENDORS}" if THIRD_PARTY in way.wishes else ""
            dropped.append(f"{stated}{also}")
    if dropped:
        yield f"drop {enumerated(dropped, 'or')}"
    if conflicts is not None and conflicts.sets and not found:
        # The search ended before it found which to drop. Without all of them there is a plan.
        sets = [
            f"one of {quoted(wishes, defaults)}" for wishes in conflicts.sets if len(wishes) > 1
        ]
        sets += [quoted(wishes, defaults) for wishes in conflicts.sets if len(wishes) == 1]
        yield f"drop {enumerated(sets)} (others may conflict too)"


def _with_less(others: Alternatives) -> Iterator[str]:
    """Yield what can be less of one kind, of lines, users, years of growth or memory."""
    if others.fewer_lines is not None:
        line, most, plan = others.fewer_lines
        instead = f"{most} instead of {number(line.number.high)} lines ({line.title})"
        yield f"have {instead}, which {machines_support(plan)}"
    if others.fewer_users is not None:
        service, called, most, of, plan, less_active = others.fewer_users
        instead = f"{most} instead of {of} {called} ({service}){', all active' * less_active}"
        yield f"have {instead}, which {machines_support(plan)}"
    if others.fewer_years is not None:
        fewer, horizon_years, plan, enough_for, is_permitted = others.fewer_years
        load = (
            f"{fewer} instead of {quantity(horizon_years)} of growth" if fewer else "today's load"
        )
        also, kept = "", "which"
        if is_permitted:
            # The key has its place in another way, if that permits them too.
            ways = others.conflicts.ways if others.conflicts is not None else ()
            is_named = any(THIRD_PARTY in way.wishes for way in ways)
            permit = _OTHER_VENDORS.partition(" (")[0] if is_named else _OTHER_VENDORS
            also, kept = f" and {permit}", "which, with all other wishes,"
        lasts = f" (enough for {years(enough_for)})" if enough_for is not None else ""
        yield f"plan for {load}{also}, {kept} {machines_support(plan)}{lasts}"
    if others.less_memory is not None:
        use, mb, plan = others.less_memory
        memory = f"{number(mb)} of {number(use.figure.high)} MB"
        yield f"have {memory} of memory for {use.owner}, which {machines_support(plan)}"


def _less_load(report: PlanReport) -> str:
    """Return to what part the load can be reduced, and what supports that; empty if not known.

    It is the part of which a plan was found, or which the closest alternative supports by itself.
    """
    plan, reduced = report.plan, report.alternatives.reduced
    alone = plan.nearest.load_share if plan.nearest and SYSTEM not in plan.demand.survives else 0
    # A share that is nearly all of the load is exceeded by rounding only.
    alone = whole_percent_below(alone) if percent(alone) != percent(1) else 0
    if reduced is not None and reduced.plan is not None and reduced.share >= alone:
        share, who = reduced.share, machines_support(reduced.plan)
    elif alone:
        share, who = alone, f"the {name_of_closest(plan)} supports"
    else:
        return ""
    rates = [(of, whole) for of, whole in _rates_of(plan.demand, report.end).items() if whole]
    told = ", ".join(f"{number(whole * share)} of {number(whole)} {of}" for of, whole in rates)
    every = "all rates: " if len(rates) > 1 else ""
    if reduced is not None and reduced.of_memory and share == reduced.share:
        every = "all rates and the memory of all services: "
    load = f" ({every}{told})" if told else ""
    remarks = [] if reduced is None or reduced.proven else ["a larger part may pass too"]
    remarks += filter(None, [_far_beyond(report)])
    more = f" ({'; '.join(remarks)})" if remarks else ""
    return f"reduce the load to {percent(share)}{load}, which {who}{more}"


def _rates_of(demand: Demand, end: str) -> dict[str, float]:
    """Return the rates of a demand that are less if its load is, at one end of ranges."""
    printers = (line.kb_per_s and line.kb_per_s * line.number for line in demand.lines)
    return {
        "op/s of NFS": sum(stream.ops.at(end) for stream in demand.streams),
        "op/s on volumes": _sum_at(end, (o.ops for o in demand.operations if not o.low)),
        "processors": _sum_at(end, (u.processors for u in demand.user if not u.low)),
        "Kb/s of lines": sum(line.figure.at(end) for line in rates_of(demand.lines)),
        "KB/s of printers": _sum_at(end, printers),
    }


def _sum_at(end: str, figures: Iterable[Quantity | None]) -> float:
    return sum(figure.at(end) for figure in figures if figure is not None)


def _less(nearest: Rejection, demand: Demand) -> str:
    """Return the most that can be requested of what a machine has too little of.

    Of the room for one volume, other data takes a part.
    """
    shared = len(demand.volumes) > 1
    most = [
        f"{'less than' if shared and each.available.unit == 'MB' else 'at most'} "
        f"{quantity(each.available)}{'' if each.available.unit == PURE else ' of'} "
        f"{each.resource} for {each.subject}"
        for each in nearest.lacks if each.available.high
    ]  # fmt: skip
    return enumerated(most) if most else f"less: {nearest.lacks[0].message}"


def _far_beyond(report: PlanReport) -> str:
    """Return how many of the largest machine are needed, if more than are planned; else nothing.

    They are as many as NFS, processor time or what one of them has too little of needs.
    """
    plan = report.plan
    offered = {row.id: row for row in platforms_on_offer(plan.guide)}
    rated = {
        name: sustained.likely for name, row in rated_platforms(plan.guide).items()
        if name in offered and (sustained := row.cell("sustained_ops_per_s")) is not None
    }  # fmt: skip
    if not rated:
        return ""
    largest = max(rated, key=lambda name: (rated[name], offered[name].number("rank")))
    ops = usage_of(plan.demand).nfs_weighted_ops_per_s
    shares = [ops.at(report.end) / rated[largest] if ops is not None else 0]
    busy = usage_of(plan.demand).needed_processors
    used = busy and busy.on(offered[largest].cell("mips"))
    counts = offered[largest].list("processor_counts") or (1,)
    shares.append(used.at(report.end) / max(counts) if used is not None else 0)
    shares += [
        each.times for rejected in plan.rejected if rejected.platform == largest
        for each in rejected.lacks if each.available.likely
    ]  # fmt: skip
    needed = ceil(max(shares))
    name = offered[largest].text("name")
    beyond = f"all of it needs about {needed} of the {name}: outside this guide's range"
    return beyond if needed > SYSTEMS_AT_MOST else ""
