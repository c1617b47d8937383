"""The first lines of a report: the recommendation, its bottleneck, or the closest alternative."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial

from sizewright.configuration.model import SYSTEM
from sizewright.demand.build import horizon
from sizewright.errors import counted, enumerated
from sizewright.load.backup import backup_on
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
from sizewright.output.media import chosen_media
from sizewright.output.names import (
    Names,
    by_name,
    group,
    name_of_closest,
    name_of_failed,
    system_names,
)
from sizewright.output.recommendation import recommendation_text
from sizewright.output.relief import divided_text, relief_text
from sizewright.output.reports import PlanReport
from sizewright.output.stopped import doubts
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
    quantity,
    use_and_limit,
)
from sizewright.planner.partitions import on_serial_lines
from sizewright.planner.plan import Determinant, determinant
from sizewright.quantity import at_end
from sizewright.workload.not_counted import Omission

_PLATFORMS = "platforms"


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
    recommended = recommendation_text(
        report, verdict, NAMES_LISTED if brevity.terse else SERVICES_TOLD
    )
    document.set_apart(f"{headline(verdict, 'Recommended')}: {recommended}", verdict=verdict)
    for doubt in doubts(plan):
        document.say(doubt, verdict="tight")
    if report.alternatives.fewer_systems is not None:
        fewer, networks = report.alternatives.fewer_systems
        are = "one machine is" if fewer.number == 1 else f"{number_word(fewer.number)} systems are"
        more = f"with {networks_text(networks, fewer.demand)} " if networks else ""
        document.say(f"Alternative: {more}{are} enough: {alternative_text(fewer)}.")
    if (way := report.alternatives.without_owned) is not None:
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
        if plan.group is not None and plan.group.number_of_pairs > 1:
            document.say("Not tried: one idle system that takes over from several.")
    after_failure = _after_failure(report, brevity.terse)
    if plan.demand.survives:
        add_survival(document, plan, brevity.terse)
        if not (brevity.terse or after_failure) and (fuller := _fuller_then(report)):
            document.say(fuller)
    if plan.unsurvived and (change := change_text(report)):
        document.say(f"Change this first: {change}.")
    for what, text in _borderline(report, brevity.terse):
        document.say(f"Borderline{what}: {text}.", verdict="tight")
    for what, text_of in (
        ("Bottleneck", determinant_text),
        ("Nearest recommended limit on a load", _recommended_room),
    ):  # fmt: skip
        of = partial(text_of, terse=brevity.terse)
        for systems, text in by_system(report, of, _left_out(report, brevity.terse)):
            document.say(f"{what}{systems and f' of {systems}'}: {text}")
    if after_failure:
        document.say(f"Bottleneck {after_failure}")
    if report.alternatives.divided_volumes is not None:
        document.say(divided_text(plan, report.alternatives.divided_volumes, brevity.screen))
    if report.alternatives.relief is not None:
        document.say(relief_text(report, report.alternatives.relief, brevity.terse))
    if report.cost is not None:
        document.say(f"Price: {report.cost.text}")
    if brevity.screen:
        # One screen has no room to say it of new disks alone.
        is_said = not brevity.terse and plan.demand.carry_forward and joins_unlike_disks(plan)
        untried = f" {UNLIKE_UNTRIED}" if is_said else ""
        owned = "" if brevity.terse else _owned_in_short(report)
        depends = "" if brevity.terse else _conditions(report)
        document.say(f"To order: {_parts_in_short(report)}.{owned}{untried}{depends}")
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


def omission_rows(omissions: Iterable[Omission]) -> list[tuple[str, str, str]]:
    """Return the subjects, what does not count of them, and what states it, a row for each."""
    return [
        (by_name(each.subject for each in alike), what, add)
        for (what, add), alike in group(omissions, lambda o: (o.what, o.add)).items()
    ]


def add_omission_rows(document: Document, rows: Iterable[tuple[str, str, str]]) -> None:
    """Add the table of what does not count, if anything does not."""
    if told := list(rows):
        document.heading("Not counted (the workload does not state it, so it counts as zero)")
        document.table("of | what | to count it, state", told)


def add_omissions(document: Document, report: PlanReport, most: int | None = None) -> None:
    """List what the workload does not state, so that it counts as zero, and how to state it."""
    omissions = report.not_counted
    if most is not None:
        omissions = tuple(sorted(omissions, key=lambda each: not each.is_work))
    rows = omission_rows(omissions)
    if rows and most == 0:
        (of, what, add), *others = rows
        more = f", and {len(others)} more" if others else ""
        document.say(f"Not counted (not stated): {of}: {what} (to count it: {add}){more}.")
        return
    told = rows[:most]
    if len(told) < len(rows):
        told.append((f"and {len(rows) - len(told)} more", "", ""))
    add_omission_rows(document, told)
    known = {each.what: each.typical for each in report.not_counted if each.typical}
    for what, typical in known.items() if most is None else ():
        document.note(f"For {what} the guide has {typical}.")


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


def _owned_in_short(report: PlanReport) -> str:
    """Return which devices that exist a single system uses, and which not, with a space before."""
    if report.plan.group is not None or not report.owned:
        return ""
    used, idle, unused = (
        {each.name: getattr(each, field) for each in report.owned}
        for field in ("with_data", "without_data", "unused")
    )
    told = []
    for numbers, what in (
        (used, "used"), (idle, "attached without data"), (unused, "not used"),
    ):  # fmt: skip
        if any(numbers.values()):
            parts = (f"{number} × {name}" for name, number in numbers.items() if number)
            told.append(f"{enumerated(parts)} {what}")
    return f" Of what is owned: {'; '.join(told)}."


def _conditions(report: PlanReport) -> str:
    """Return what the order depends on and does not have, in sentences that begin with a space."""
    conditions = [
        f" The machines of the {quantity(clients)} of {network} need {medium} interfaces."
        for network, medium, clients in chosen_media(report.plan)
    ]
    runs = (backup_on(each.load, each.system, report.guide) for each in report.systems)
    if any(run is not None and run.exceeds_tapes for run in runs):
        conditions.append(" Someone must change tapes while a full backup runs.")
    return "".join(conditions)


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


def _fuller_then(report: PlanReport) -> str:
    """Return what has more to do after the failure of a part, of that what is fullest."""
    failure, end = report.plan.tightest_failure, report.end
    if failure is None or failure.kind == SYSTEM:
        return ""
    before = {b.resource: b.share_of_limit(end) or 0 for b in failure.before.budgets}
    fuller = [
        b for b in failure.after.budgets
        if (b.share_of_limit(end) or 0) > before.get(b.resource, 0)
    ]  # fmt: skip
    found = determinant(tuple(fuller), end)
    if found is None:
        return ""
    (budget,) = (each for each in fuller if each.resource == found.resource)
    label = Names(report.guide, failure.before.system).budget(budget)
    room = _room_text(label, found, end, terse=True)
    failed = name_of_failed(report.guide, failure, report.plan.group is not None)
    return f"After the failure of {failed}, the fullest of what has more to do: {room}."


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
    years = horizon(report.plan.demand)
    then = f" after {quantity(years)} of growth" if years is not None and years.high else ""
    alone = " with all of the load on one system" if report.plan.demand.systems > 1 else ""
    document.set_apart(
        f"Closest alternative: {name_of_closest(report.plan)}{alone}. It fails{then} for these "
        "reasons:"
    )
    reasons = rejection_reasons(report.guide, nearest)
    left = len(reasons) - REASONS_TOLD
    also = [f"and {left} more (see Limits not met)"] if left > 0 else []
    for reason in [*reasons[:REASONS_TOLD], *also]:
        document.item(f"- {reason}")
