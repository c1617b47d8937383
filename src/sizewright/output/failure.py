"""What is left without a part, and what changes by its failure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from sizewright.check.rule_filter import RuleFilter
from sizewright.configuration.model import DISK, NETWORK, SYSTEM
from sizewright.errors import (
    Location,
    collect_errors,
    counted,
    did_you_mean,
    enumerated,
    join_or,
    plural,
    refusal,
    shown,
)
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.limits import SPACE
from sizewright.facts.records import facts_of
from sizewright.failure import Failure, Served
from sizewright.guide.model import Guide
from sizewright.output.document import Document, VerdictCell
from sizewright.output.names import (
    Names,
    by_name,
    group,
    name_of_failed,
    subject_parts,
    system_names,
)
from sizewright.output.reports import Report
from sizewright.output.several import is_among, number_of_parts, without_number
from sizewright.output.wording import code, percent, quantity, span, use_and_limit, verdict_word
from sizewright.planner.availability import protects_data
from sizewright.planner.plan import Plan
from sizewright.rules.rule import LIMITS, Finding, Verdict
from sizewright.workload.volume import BACKUP_INDEX, ESSENTIAL


def budget_changes(failure: Failure) -> list[tuple[Budget | None, Budget]]:
    """The resources that are used or limited in another way, those with other verdicts first.

    Each is what it was before, if it was there, and what it is after.
    """
    earlier = {budget.resource: budget for budget in failure.before.budgets}
    pairs = [(earlier.get(after.resource), after) for after in failure.after.budgets]
    changed = [(was, now) for was, now in pairs if _limited(was) != _limited(now)]
    return sorted(
        changed, key=lambda pair: pair[0] is not None and pair[0].verdict == pair[1].verdict
    )


def _limited(budget: Budget | None) -> object:
    figures = (budget.used, budget.limit) if budget else ()
    ends = [None if figure is None else (figure.low, figure.high) for figure in figures]
    return budget and (budget.verdict, ends)


def finding_changes(
    failure: Failure, selection: RuleFilter
) -> list[tuple[Verdict | None, Finding]]:
    """The findings, of those that are reported, whose verdict is another than before, and that."""
    before = {(f.rule, f.subject): f.verdict for f in failure.before.findings}
    pairs = ((before.get((f.rule, f.subject)), f) for f in failure.after.findings)
    asks = selection.asks
    return [(was, f) for was, f in pairs if was != f.verdict and asks(f.rule, f.severity)]


_ARROW = "→"
# What a rule says for the first time, or no more, is no news unless it is bad.
_TOLD = ("violated", "tight", "unknown")


def _failed_part(names: Names, failure: Failure) -> str:
    """Return the kind and the name of a part that fails, with its system if there are several."""
    if failure.kind == SYSTEM:
        return f"system {failure.component}"
    system, _, part = failure.component.rpartition("/")
    return names.located(failure.kind, part) + (f" of {system_names([system])}" if system else "")


def add_failures(document: Document, report: Report) -> None:
    """Add a section for each failure that was asked for."""
    for failure in report.failed:
        names = type(report.names)(report.names.guide, failure.before.system)
        document.heading(f"Failure of {_failed_part(names, failure)}")
        verdict = "tight" if failure.borderline else "holds"
        document.note(_says(failure, names), verdict=verdict if failure.holds else "violated")
        others = [name for name in failure.gone if name != failure.component.rpartition("/")[2]]
        if others:
            called: dict[str, str] = {}
            for label, part in names.labels():
                called.setdefault(part, label)
            document.note(f"Also lost: {enumerated(called.get(name, name) for name in others)}.")
        changes = budget_changes(failure)
        bare = [now.name for was, now in changes if _is_unused(was, now)]
        if bare:
            disks = enumerated(names.located(DISK, name) for name in bare)
            have = plural(len(bare), "has", "have")
            document.note(
                f"{disks[:1].upper()}{disks[1:]} {have} only parts of copies that are lost."
            )
        shown_changes = ((was, now) for was, now in changes if not _is_unused(was, now))
        rows = names.rows((now, _cells(was, now)) for was, now in shown_changes)
        document.table("resource | >before | >after | >limit | verdict", rows)
        left = {budget.resource for budget in failure.after.budgets}
        of_lost = [b for b in failure.before.budgets if b.name in failure.gone]
        other = {
            "unchanged": len(left) - len(changes),
            "lost": sum(budget.resource not in left for budget in of_lost),
        }
        are = [
            f"{counted(n, 'resource is', 'resources are')} {how}" for how, n in other.items() if n
        ]
        if are:
            document.note(f"{enumerated(are)}.")
        _findings(document, names, failure, report.selection)


def add_survival(document: Document, plan: Plan, terse: bool = False) -> None:
    """Say which failures are survived, and for those that are not why, a line for each.

    In short it is not said what else the clients need.
    """
    kinds = enumerated(plan.demand.survives, "or")
    if plan.unsurvived:
        document.say(
            f"The workload must survive the failure of any one {kinds}. It does not survive:"
        )
    elif plan.demand.survives != (SYSTEM,):
        # That either of two systems can run everything is said with the recommendation.
        document.say(f"The plan survives the failure of any one {kinds}.")
    for failure in plan.borderline_failures[:1]:
        more = len(plan.borderline_failures) - 1
        others = f", and of {counted(more, 'other part')}" if more else ""
        document.say(
            f"It is borderline after the failure of {_failed(plan, failure)}{others}: "
            f"{_limits(failure.borderline, failure, _names_of(plan, failure))}."
        )
    for failure in plan.unsurvived:
        why = _says(failure, _names_of(plan, failure)).partition(": ")[2]
        document.item(f"{_failed(plan, failure)}: {why}", verdict="violated")
    if NETWORK in plan.demand.survives and plan.demand.networks:
        document.say(
            "Each group of clients has one network more than its load needs."
            + " Its clients must be connected so that any of its networks can serve them."
            * (not terse)
        )
    if protects_data(plan.demand):
        document.say("All data is mirrored for that.")
        # Whether some volume is the system's own, and no data of services.
        used = {name for service in plan.demand.services for name in service.volumes}
        own = (v for v in plan.demand.volumes if v.use != BACKUP_INDEX)
        if not any(v.use in ESSENTIAL or v.name not in used for v in own):
            document.say(
                "Not counted: the disk with root, /usr and swap, because the workload states no "
                f"volume for them: one with {code('use: swap')}, or one that no service uses."
            )


def _failed(plan: Plan, failure: Failure) -> str:
    return name_of_failed(plan.guide, failure, plan.group is not None)


def _names_of(plan: Plan, failure: Failure) -> Names:
    return Names(plan.guide, failure.before.system)


def _says(failure: Failure, names: Names) -> str:
    become = counted(len(failure.borderline), "limit becomes", "limits become")
    borderline = ""
    if failure.borderline:
        borderline = f"{become} borderline: {_limits(failure.borderline, failure, names)}"
    had = {volume.name: volume for volume in failure.before.system.volumes}
    kept = [(had[v.name], v) for v in failure.after.system.volumes if v.name in had]
    bare = [now.name for was, now in kept if len(was.copies) > len(now.copies) == 1]
    left = f" Only one copy of {by_name(bare)} is left." if bare else ""
    arrays = [
        now.name for was, now in kept
        if len(was.copies) == len(now.copies) and was.disks > now.disks
    ]  # fmt: skip
    if arrays:
        left += f" Another failed disk would lose {by_name(arrays)}."
    left += " Backups cannot be made as planned until it is repaired." * failure.backups_wait
    less = [f"{s.service} {_rate(s)}" for s in failure.slower if s.share < 1]
    left += f" As planned, {enumerated(less)}." if less else ""
    every = "every other service" if less else "every service"
    if failure.holds and less and not failure.after.load.usage.services:
        return f"Pass: no service is left to run.{left}"
    if failure.holds and borderline:
        return f"Pass, borderline: {every} runs, and no limit fails.{left} {borderline}."
    if failure.holds and _loses_verdicts(failure):
        return (
            f"Pass as far as is known: {every} runs, and no limit fails that can be checked.{left}"
        )
    if failure.holds:
        return f"Pass: {every} runs and meets every limit as before.{left}"
    # Services that stop for the same reason are named together.
    parts = []
    for (volumes, networks), alike in group(
        failure.down, lambda o: (o.volumes, o.networks)
    ).items():
        service, stop = (plural(len(alike), *of) for of in (("service",), ("stops", "stop")))
        stops = f"{service} {by_name(each.service for each in alike)} {stop}"
        why = [*(f"volume {name}" for name in volumes), *(f"network {name}" for name in networks)]
        are = plural(len(why), "is", "are")
        parts.append(f"{stops} because {by_name(why)} {are} lost" if why else stops)
    told = {name for outage in failure.down for name in (*outage.volumes, *outage.networks)}
    lost = [name for name in failure.lost if name not in told]
    cut = [name for name in failure.cut_off if name not in told]
    limits = counted(len(failure.broken), "limit")
    parts += [
        f"no copy of {by_name(lost)} is left" if lost else "",
        f"no network is left for {by_name(cut)}" if cut else "",
        "the contents of its disks are not stated" if failure.untold else "",
        f"{limits} not met: {_limits(failure.broken, failure, names)}" if failure.broken else "",
        borderline,
    ]
    return f"Fail: {'; '.join(filter(None, parts))}."


def _loses_verdicts(failure: Failure) -> bool:
    """Return whether a limit that had a verdict is unknown after the failure."""
    before = {(f.rule, f.subject): f.verdict for f in failure.before.findings}
    known = {budget.resource for budget in failure.before.budgets if budget.verdict != "unknown"}
    return any(
        f.verdict == "unknown" != before.get((f.rule, f.subject), "unknown")
        for f in failure.after.findings
        if f.severity in LIMITS
    ) or any(b.verdict == "unknown" and b.resource in known for b in failure.after.budgets)


def _limits(found: Iterable[str], failure: Failure, names: Names) -> str:
    """Return limits as in a sentence, those of one rule on several parts together."""
    budgets = (*failure.before.budgets, *failure.after.budgets)
    labels = {budget.resource: names.budget(budget) for budget in budgets}
    texts = []
    for limit, alike in group(found, lambda name: name.partition(", ")[0]).items():
        parts = [name.partition(", ")[2].partition(" ") for name in alike]
        on = [names.located(kind, part) for kind, _, part in parts if kind]
        own = [names.of(kind, part) for kind, _, part in parts if kind]
        if not on:
            texts.append(labels.get(limit, limit))
        elif on == own:
            texts.append(f"{limit} on {names.listing(on)}")
        else:
            texts.append(f"{limit} on {plural(len(own), parts[0][0])} {enumerated(own)}")
    return "; ".join(texts)


def _is_unused(was: Budget | None, now: Budget) -> bool:
    """Return whether a disk that is left had data before, and has none that counts now."""
    stored = [budget.used.high for budget in (was, now) if budget is not None and budget.used]
    return now.kind == SPACE and len(stored) == 2 and stored[0] > 0 and stored[1] == 0


def _rate(served: Served) -> str:
    return f"keeps {percent(served.share)} of its rates" if served.share else "stops"


def _cells(was: Budget | None, now: Budget) -> tuple[str, str, str, str]:
    verdict = verdict_word(now.verdict)
    if was is not None and was.verdict != now.verdict:
        verdict = f"{verdict_word(was.verdict)} {_ARROW} {verdict}"
    used, limit = use_and_limit(now.used, now.limit)
    if was is None:
        return "", used, limit, VerdictCell(verdict, now.verdict)
    before, limit_before = use_and_limit(was.used, was.limit)
    if now.used is not None and now.used.high == 0:
        # What nothing uses any more has the limit of no use at all.
        limit = limit_before
    elif was.used is not None and now.used is not None and was.used.unit != now.used.unit:
        before, used = quantity(was.used), quantity(now.used)
    elif limit_before != limit and was.limit is not None:
        limit = f"{span(was.limit)} {_ARROW} {limit}"
    return before, used, limit, VerdictCell(verdict, now.verdict)


def _findings(document: Document, names: Names, failure: Failure, selection: RuleFilter) -> None:
    unknown: dict[tuple[str, str], list[str]] = {}
    for before, finding in finding_changes(failure, selection):
        # Advice that a lost part makes applicable, such as to use its slot, is no effect of it.
        is_new = before == "not_applicable" and finding.severity not in LIMITS
        if finding.verdict not in _TOLD or is_new:
            continue
        kind, name = subject_parts(finding.subject, failure.system)
        where = f" on {names.located(kind, name)}" if kind else ""
        was = "" if before is None else f"{verdict_word(before)} {_ARROW} "
        now = f"{finding.severity}: {was}{verdict_word(finding.verdict)}"
        if finding.verdict == "unknown":
            facts = "; ".join(_meaning(fact, names.guide) for fact in finding.missing)
            rest = f"{now}. Not known after the failure: {facts or finding.title}"
            unknown.setdefault((finding.rule, rest), []).append(where.removeprefix(" on "))
            continue
        document.item(f"Rule {finding.rule}{where}, {now}. {names.message(finding)}")
    for (rule, rest), parts in unknown.items():
        on = f" on {enumerated(parts)}" if any(parts) else ""
        document.item(f"Rule {rule}{on}, {rest}")


def _meaning(fact: str, guide: Guide) -> str:
    subject, _, name = fact.partition(".")
    return facts_of(subject, guide)[name].doc


FAILED = Location("--failed")


def resolve_failing(
    asked: Iterable[str], parts: Mapping[str, str], systems: Sequence[Names], listed: Iterable[str]
) -> tuple[str, ...]:
    """Return the ids of the parts that are asked for, by id or by the name in a report.

    `parts` are all that can fail. Those of several systems have their system before them, as in
    `primary/esp0`; without it only if no other system has a part with the same id or name.
    `listed` are names of what else the plan orders. Raises InputError for every name of nothing,
    of several parts at once, or of a part of another kind. The name that a table gives several
    parts (`1.3 GB disk #1 and #2`) means each of them.
    """
    found: dict[str, list[str]] = {}
    labels: list[str] = []
    for names in systems:
        for label, part in names.labels():
            one = f"{names.system.id}/{part}"
            labels.append(label)
            for name in (label, f"{names.system.id}/{label}", part, one):
                found.setdefault(name.casefold(), []).append(part if part in parts else one)
    machines = {names.platform().casefold() for names in systems}
    idle = {name.casefold() for name in listed}
    short = [one for one in parts if "/" not in one or one.rpartition("/")[2] not in parts]

    def resolve(name: str) -> tuple[str, ...]:
        same = list(dict.fromkeys(found.get(name.casefold(), ())))
        can_fail = [name] if name in parts else [part for part in same if part in parts]
        if len(can_fail) == 1:
            return tuple(can_fail)
        if not same:
            can_fail, is_clear = _of_several(name.casefold(), found)
            if is_clear:
                return tuple(can_fail)
        expected, hint = f"one of {join_or(can_fail or short)}", ""
        if can_fail:
            what = f"{len(can_fail)} parts are called {shown(name)}"
        elif name.casefold() in machines:
            what = f"nothing is left without {shown(name)}, the only system"
        elif same or name.casefold() in idle:
            what = (
                f"the failure of {shown(name)} is not evaluated, only those of disks, controllers "
                "and networks"
            )
        else:
            what, hint = f"there is no part {shown(name)}", did_you_mean(name, [*parts, *labels])
            expected = expected if parts else "a part of the system"
        raise refusal(FAILED, what, expected, hint)

    with collect_errors() as errors:
        return tuple(dict.fromkeys(chain.from_iterable(errors.for_each(resolve, asked))))


def _of_several(name: str, found: Mapping[str, Sequence[str]]) -> tuple[list[str], bool]:
    """Return the parts that a name of several may mean, and whether they are as many as it says.

    There are none if they are fewer.
    """
    among = [parts for label, parts in found.items() if is_among(label, name)]
    if (model := without_number(name)) != name:
        among += [[part] for part in found.get(model, ())]
    parts, number = list(dict.fromkeys(chain.from_iterable(among))), number_of_parts(name)
    each_is_one = all(len(set(same)) == 1 for same in among)
    if len(parts) < number:
        return [], False
    return parts, bool(parts) and each_is_one and len(parts) == number
