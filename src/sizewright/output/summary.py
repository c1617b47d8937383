"""The first lines of a report: the recommendation, its bottleneck, or the closest alternative."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import partial

from sizewright.configuration.model import SYSTEM
from sizewright.errors import counted, enumerated, plural
from sizewright.evaluate.policy import Policy
from sizewright.output.brevity import WHOLE, Brevity
from sizewright.output.change import add_conflicts, change_text, quoted
from sizewright.output.document import Document
from sizewright.output.failure import add_survival
from sizewright.output.findings import borderline_sentences, rejection_reasons
from sizewright.output.layout import (
    NAMES_LISTED,
    PARTS_TOLD,
    REASONS_TOLD,
    ROUNDED_TO,
    SERVICES_TOLD,
)
from sizewright.output.names import (
    END_NAMES,
    Names,
    by_name,
    group,
    label_rejections,
    name_of_closest,
    name_of_failed,
    system_names,
)
from sizewright.output.relief import relief_text
from sizewright.output.remedies import why_not_split
from sizewright.output.reports import PlanReport
from sizewright.output.stopped import but_cut_short, doubts
from sizewright.output.systems import (
    UNLIKE_UNTRIED,
    alternative_text,
    joins_unlike_disks,
    networks_text,
)
from sizewright.output.wording import (
    LEAST_PERCENT,
    headline,
    number_word,
    percent,
    use_and_limit,
)
from sizewright.planner.partitions import on_serial_lines
from sizewright.planner.plan import Determinant, Member, Plan, determinant
from sizewright.quantity import Quantity, at_end
from sizewright.sensitivity.remedies import division, no_single

_PLATFORMS = "platforms"
_LIMITS = {
    "unknown": "every limit that could be checked (see What is not known)",
    "waived": "every limit that is not waived",
}


def add_head(document: Document, report: PlanReport) -> None:
    """Add what a report is about, who it is for, and the guide."""
    title = f": {report.title}" if report.title else ""
    document.say(report.cover.title or f"Plan for {report.name}{title}", strong=True)
    said = [f"{name}: {text}" for name, text in report.cover.lines().items()]
    if said:
        document.say(" · ".join(said))
    document.say(f"Guide {report.guide.id}: {report.guide.title}")
    if report.changes:
        document.say(f"Changed for this run: {', '.join(report.changes)}")


def add_summary(document: Document, report: PlanReport, brevity: Brevity = WHOLE) -> None:
    """Verdict and bottleneck; if nothing fits, what to change first and the closest alternative."""
    plan, verdict = report.plan, report.verdict
    recommended = _recommended(report, verdict, NAMES_LISTED if brevity.terse else SERVICES_TOLD)
    document.set_apart(f"{headline(verdict, 'Recommended')}: {recommended}", verdict=verdict)
    for doubt in doubts(plan):
        document.say(doubt, verdict="tight")
    if report.fewer_systems is not None:
        fewer, networks = report.fewer_systems
        are = "one machine is" if fewer.number == 1 else f"{number_word(fewer.number)} systems are"
        more = f"with {networks_text(networks, fewer.demand)} " if networks else ""
        document.say(f"Alternative: {more}{are} enough: {alternative_text(fewer)}.")
    if (way := report.without_owned) is not None:
        document.say(f"Alternative without {quoted(way.wishes)}: {alternative_text(way.plan)}.")
    if plan.chosen is None:
        _nearest(document, report)
        _add_conflicts(document, report, brevity)
        return
    own = {service.name for service in plan.demand.services if not service.replicated}
    is_idle = plan.group is not None and plan.group.idle and not plan.demand.standby
    if is_idle and own - on_serial_lines(plan.demand):
        document.say(
            "Both systems of a pair work if the load is stated as two services, each with volumes "
            "of its own."
        )
    if plan.demand.survives:
        add_survival(document, plan, brevity.terse)
    if plan.unsurvived and (change := change_text(report)):
        document.say(f"Change this first: {change}.")
    for what, text in _borderline(report, brevity.terse):
        document.say(f"Borderline{what}: {text}.", verdict="tight")
    for what, text_of in (
        ("Bottleneck", determinant_text), ("Nearest recommended limit", _recommended_room),
    ):  # fmt: skip
        of = partial(text_of, terse=brevity.terse)
        for systems, text in by_system(report, of, _left_out(report, brevity.terse)):
            document.say(f"{what}{systems and f' of {systems}'}: {text}")
    if text := _after_failure(report, brevity.terse):
        document.say(f"Bottleneck {text}")
    if report.relief is not None:
        document.say(relief_text(report, report.relief, brevity.terse))
    if report.cost is not None:
        document.say(f"Price: {report.cost.text}")
    if brevity.screen:
        # One screen has no room to say it of new disks alone.
        is_said = not brevity.terse and plan.demand.carry_forward and joins_unlike_disks(plan)
        untried = f" {UNLIKE_UNTRIED}" if is_said else ""
        document.say(f"To order: {_parts_in_short(report)}.{untried}")
    if plan.unsurvived:
        _add_conflicts(document, report, brevity)


def _add_conflicts(document: Document, report: PlanReport, brevity: Brevity) -> None:
    """Add wishes that conflict; in short only if there is no other change to name."""
    if not (brevity.terse and change_text(report)):
        add_conflicts(document, report)


def _left_out(report: PlanReport, terse: bool) -> Collection[str]:
    """Return systems that are left out: idle ones, in short all but the fullest."""
    group = report.plan.group
    if group is None:
        return ()
    shares = {
        part.names.system.id: part.determinant.share for part in report.parts
        if part.determinant is not None and part.names.system.id not in group.idle
    }  # fmt: skip
    if not terse or not shares:
        return group.idle
    fullest = max(shares, key=lambda name: shares[name])
    return {part.names.system.id for part in report.parts} - {fullest}


def by_system(
    report: PlanReport, text_of: Callable[[PlanReport], str], left_out: Collection[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield what is said of systems, with those of which it is said if there are several."""
    parts = (part for part in report.parts if part.names.system.id not in left_out)
    for text, alike in group(parts, text_of).items():
        systems = [part.names.system.id for part in alike]
        if text:
            yield system_names(systems) if report.plan.group else "", text


def _borderline(report: PlanReport, terse: bool) -> Iterator[tuple[str, str]]:
    """Yield what is borderline in the same systems, with these if there are several.

    In short it is the titles of the rules.
    """
    if terse:
        judged = [part.plan.chosen for part in report.parts if part.plan.chosen is not None]
        titles = dict.fromkeys(each.title for one in judged for each in one.borderline)
        if titles:
            yield " (numbers with --full)", "; ".join(titles)
        return
    said: dict[str, list[str]] = {}
    for part in report.parts:
        found = part.plan.chosen.borderline if part.plan.chosen else ()
        for sentence in borderline_sentences(part.names, found):
            said.setdefault(sentence, []).append(part.names.system.id)
    for systems, alike in group(said, lambda sentence: tuple(said[sentence])).items():
        where = f" in {system_names(systems)}" if report.plan.group else ""
        yield where, ". ".join(alike)


def add_omissions(document: Document, report: PlanReport, most: int | None = None) -> None:
    """List what the workload does not state, so that it counts as zero, and how to state it."""
    rows = [
        (by_name(each.subject for each in alike), what, add)
        for (what, add), alike in group(report.not_counted, lambda o: (o.what, o.add)).items()
    ]
    if rows and most == 0:
        (of, what, add), *others = rows
        more = f", and {len(others)} more" if others else ""
        document.say(f"Not counted (not stated): {of}: {what} (to count it: {add}){more}.")
        return
    told = rows[:most]
    if len(told) < len(rows):
        told.append((f"and {len(rows) - len(told)} more", "", ""))
    if told:
        document.heading("Not counted (the workload does not state it, so it counts as zero)")
        document.table("of | what | to count it, state", told)


def _recommended(report: PlanReport, verdict: str, most: int) -> str:
    """What is recommended, and why nothing smaller is; or that no machine meets every limit.

    At `most` this number of services of a system has its name in it.
    """
    plan = report.plan
    end = f"at {END_NAMES[plan.policy.size_for]}{reserved(plan.policy)}"
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


def reserved(policy: Policy) -> str:
    """Say what stays free of every limit on a load; nothing if no reserve is asked for."""
    percent = policy.reserve_percent
    return f", with a reserve of {percent:g}%" if percent else ""


def _no_single(plan: Plan) -> str:
    """That no single machine passes, or only that none was found if a search stopped early."""
    return "no single machine " + ("was found that" if plan.cut_short else _on_offer(plan))


def _and_advice(plan: Plan) -> str:
    """Return which advice machines do not follow that meet every limit; nothing if none does."""
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
    parts = {
        each.service: f"{each.clients.high:g} of {every[each.service]:g} clients"
        for each in member.plan.demand.streams
        if each.clients.high * member.quantity > every[each.service]
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
        left = "what must continue" if slower else "everything"
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
    found = group(label_rejections(report.plan), lambda each: each[1].only_advice)
    smaller = []
    for only_advice, rejected in found.items():
        others = (each for alike in found.values() if alike is not rejected for _, each in alike)
        named = {report.names.platform(), *(each.name for each in others)}
        labels = (label if each.name in named else each.name for label, each in rejected)
        does_not = "follow all advice" if only_advice else "meet every limit"
        smaller.append(f"do not {does_not}: {', '.join(dict.fromkeys(labels))}")
    if smaller:
        return f"Smaller machines {', or '.join(smaller)} (see Rejected)"
    if report.plan.demand.platforms:
        return "It is the smallest of the requested platforms"
    return "It is the smallest machine that this guide offers"


def _cheapest(report: PlanReport) -> str:
    whole = [each for each in report.offers if each.cost.is_whole]
    if len(report.offers) == 1:
        return "It is the only machine that passes"
    passing = counted(len(report.offers), "machine")
    if whole:
        return f"It is the cheapest of the {len(whole)} with a price for each part, of {passing}"
    return f"It is the smallest of {passing} that pass; each has parts without a price"


def _parts_in_short(report: PlanReport) -> str:
    """The machines and the most numerous other parts to order, and how many more there are."""
    parts: Counter[str] = Counter()
    for line in sorted(report.order, key=lambda each: each.table != _PLATFORMS):
        parts[line.name] += line.quantity - line.kept
    machines = {line.name for line in report.order if line.table == _PLATFORMS}
    ranked = sorted(+parts, key=lambda name: (name not in machines, -parts[name]))
    told = [f"{parts[name]} × {name}" if parts[name] > 1 else name for name in ranked[:PARTS_TOLD]]
    left = sum(parts[name] for name in ranked[PARTS_TOLD:])
    return enumerated([*told, *([counted(left, "more part", "more parts")] if left else [])])


def determinant_text(report: PlanReport, terse: bool = False) -> str:
    """Return the resource nearest its limit, its load of its limit, the headroom, the rule."""
    found = report.determinant
    return _room_text(report.label(found.resource), found, report.end, terse) if found else ""


def _recommended_room(report: PlanReport, terse: bool) -> str:
    """Return the resource nearest to a recommended limit, if it is nearer than to other limits.

    In short not if it is the bottleneck as well.
    """
    found, other = report.nearest_recommended, report.determinant
    if found is None or (terse and other is not None and other.resource == found.resource):
        return ""
    return _room_text(report.label(found.resource), found, report.end, terse)


def _room_text(name: str, found: Determinant, end: str, terse: bool) -> str:
    """Return a resource with its load of its limit, the headroom, and what sets it if not terse."""
    needed, available = use_and_limit(at_end(found.required, end), found.available)
    by = f"rule {found.rule}" if found.rule else "its capacity"
    rule = "" if terse else f" [{by}]"
    if percent(found.share) == LEAST_PERCENT:
        return f"{name}, less than 1% of {available}{rule}"
    free = round(1 - found.share, ROUNDED_TO)
    room = f"{percent(free)} headroom" if free > 0 else f"{percent(-free)} over the limit"
    room = room if free else "no headroom"
    return f"{name}, {needed} of {available} ({room}){rule}"


def _after_failure(report: PlanReport, terse: bool) -> str:
    """Return what is nearest to its limit after the worst failure, if it is nearer than before."""
    failure, end = report.plan.tightest_failure, report.end
    found = failure and determinant(failure.after.budgets, end)
    before = report.determinant.share if report.determinant else 0
    if failure is None or found is None or found.share <= before:
        return ""
    if percent(found.share) == percent(before):
        return ""
    budget = next(each for each in failure.after.budgets if each.resource == found.resource)
    label = Names(report.guide, failure.before.system).budget(budget)
    room = _room_text(label, found, end, terse)
    failed = name_of_failed(report.guide, failure, report.plan.group is not None)
    of = f"of {system_names([failure.system])} " if failure.kind == SYSTEM else ""
    return f"{of}after the failure of {failed}: {room}"


def _nearest(document: Document, report: PlanReport) -> None:
    """Add what to change first, then why the closest alternative fails: at most a few reasons."""
    if change := change_text(report):
        document.say(f"Change this first: {change}.")
    nearest = report.plan.nearest
    if nearest is None:
        return
    found = report.determinant
    if found is not None and found.share > 1:
        document.say(f"Bottleneck: {determinant_text(report)}")
    document.set_apart(
        f"Closest alternative: {name_of_closest(report.plan)}. It fails for these reasons:"
    )
    reasons = rejection_reasons(report.guide, nearest)
    left = len(reasons) - REASONS_TOLD
    also = [f"and {left} more (see Limits not met)"] if left > 0 else []
    for reason in [*reasons[:REASONS_TOLD], *also]:
        document.item(f"- {reason}")
