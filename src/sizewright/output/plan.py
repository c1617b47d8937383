"""The whole report on a plan: the first page, then each system, then what concerns all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from sizewright.configuration.model import DISK, SYSTEM
from sizewright.errors import counted, enumerated, plural
from sizewright.evaluate.budgets import ROOM, Budget
from sizewright.evaluate.findings import find_missing, without_substituted
from sizewright.limits import FULLEST_SHOWN
from sizewright.load.backup import backup_on
from sizewright.load.model import processor_second
from sizewright.output.assumed import add_assumed
from sizewright.output.budgets import add_budgets, add_scenarios, add_sensitivity, say_at_worst
from sizewright.output.document import Document, VerdictCell
from sizewright.output.failure import add_failures
from sizewright.output.findings import (
    add_coverage,
    add_findings,
    add_missing_facts,
    add_overlays,
    add_rejections,
    add_unchecked_advice,
)
from sizewright.output.first_page import (
    add_headroom,
    add_parts,
    add_request,
    first_screen,
)
from sizewright.output.machine import add_machine, add_setup, add_stages, add_work
from sizewright.output.names import by_name, group, natural, system_names
from sizewright.output.provenance import add_assumptions, overlay_uses
from sizewright.output.recommendation import divided_data
from sizewright.output.remedies import OVER_LINES, add_kernel_lock, relieve_processors
from sizewright.output.render import PLAIN, Style, render_markdown, render_text
from sizewright.output.reports import PlanReport
from sizewright.output.summary import add_head, add_omissions, add_summary
from sizewright.output.systems import has_spare_networks
from sizewright.output.wording import percent, quantity, use_and_limit, verdict_word
from sizewright.planner.more_networks import own_networks, shared_networks
from sizewright.planner.plan import Failover, Group, Member, Plan
from sizewright.quantity import Quantity
from sizewright.rules.rule import LIMITS, Finding
from sizewright.sensitivity.remedies import split

_IN_VAIN = (
    "No configuration of this machine that was tried passes, exceeds no recommended limit by more, "
    "has what the workload states, and follows more of this advice."
)
_OF_PAIR = (
    "Either system of a pair is planned for what it runs after a failure. Nothing is added for "
    "advice on what it runs otherwise."
)


def add_system_heading(document: Document, report: PlanReport, member: Member, whole: Plan) -> None:
    """Which system comes now, underlined, the services that run on it, and its networks."""
    platform = report.names.platform()
    several = f"{member.quantity} systems {member.name}, each:" if member.quantity > 1 else (
        f"System {member.name}:"
    )  # fmt: skip
    document.part(f"{several} {platform}")
    if not member.services:
        other = "other of its pair" if member.quantity > 1 else "other system"
        until = "even if" if whole.group and member.name in whole.group.unneeded else "until"
        document.say(f"Idle {until} the {other} fails.")
        return
    names = by_name(member.services)
    said = f"For {names}" if member.quantity == 1 else f"Each for a part of {names}"
    spare = has_spare_networks(whole.demand)
    if own := [f"{many} for {name}" for name, many in own_networks(whole).items()]:
        owner = "its pair alone" if whole.group and whole.group.pairs else "its own"
        also = ", beside a spare one of each" if spare else ""
        said += f", on networks of {owner} ({enumerated(own)} in all{also})"
    on_all = whole.group is not None and whole.group.shares_all_networks
    for name, many in shared_networks(whole).items():
        if on_all:
            on, systems = counted(many, "network"), "all systems"
        else:
            on = f"one of {many} networks" if many > 1 else "one network"
            systems = f"up to {ceil(whole.number / many)} systems"
        said += f", on {on} for {name}{' and a spare one' if spare else ''} with {systems}"
    document.say(f"{said}.{_parts_of_data(member, whole)}")


def _parts_of_data(member: Member, whole: Plan) -> str:
    """Say how much of the data each of some identical systems has, and what each has all of."""
    divided = divided_data(member, whole)
    parts = [
        f"{quantity(part)} of the {quantity(size)} of {name}"
        for name, (part, size) in divided.items()
    ]
    of_plan = {volume.name for volume in whole.demand.volumes if not volume.added}
    copies = [
        v.name for v in member.plan.demand.volumes if v.name in of_plan and v.name not in divided
    ]
    said = f" Each has {enumerated(parts)}, which only its own clients reach." if parts else ""
    if copies and member.quantity > 1 and whole.group is not None and not whole.group.failover:
        said += f" Each has all of {by_name(sorted(copies))}; such copies have to be kept the same."
    return said


def add_division(document: Document, plan: Plan) -> None:
    """How much of its kernel lock each system uses, and why no division is more even."""
    found = split(plan)
    if found is None:
        return
    end = plan.policy.size_for
    first, second = (_of_lock(figure, end) for figure in found.used)
    document.heading("Division of the services")
    used = f"The primary uses {first} of its kernel lock and the alternate {second}."
    why = ""
    if found.why == "limits":
        why = f"{found.tried} more even divisions were tried first. None meets every limit."
    elif found.why == "most_even":
        why = "No other division has a more even kernel time."
    elif found.alone is not None:
        names, takes = by_name(found.names), _of_lock(found.alone, end)
        because = f"they share {by_name(found.volumes)}" if found.volumes else OVER_LINES
        why = (
            f"Service {names} takes {takes} by itself and cannot be divided."
            if found.why == "one_service"
            else f"Services {names} take {takes} and stay together, because {because}."
        )
    document.note(f"{used} {why}".rstrip())


def _of_lock(time: Quantity, end: str) -> str:
    return percent(time.at(end) / processor_second().high)


def add_failover(document: Document, report: PlanReport, group: Group) -> None:
    """What is left when one of several systems fails: services, and the fullest resources."""
    document.heading("Failure of a system")
    if not group.failover:
        document.note(
            "Not planned: no system takes over from another, so what runs on one stops with it. "
            "To plan for it, state availability: {survives: [system]}."
        )
        return

    def share(budget: Budget) -> float:
        return budget.share_of_limit(report.end) or 0

    rows = []
    alike = {member.name for member in group.members if member.quantity > 1}
    for each in group.failover:
        article = "an" if each.failed[:1] in "aeiou" else "a"
        one, other = (article, "its") if each.failed in alike else ("the", "the")
        of_pair = " of its pair" if each.failed in alike else ""
        told = f"Without {one} {each.failed}, {other} {each.survivor} {_carries(each, of_pair)}."
        document.note(told + _backup_of(each, report))
        # The resources with a load that are nearest to their limits, and what its memory is for.
        loaded = [budget for budget in each.state.budgets if budget.kind not in ROOM]
        fullest = sorted(loaded, key=share, reverse=True)[:FULLEST_SHOWN]
        memory = [budget for budget in each.state.budgets if budget.kind == "memory"]
        for budget in (*fullest, *memory):
            rows.append((
                each.failed, report.named[each.survivor].budget(budget),
                *use_and_limit(budget.used, budget.limit), percent(share(budget)),
                VerdictCell(verdict_word(budget.verdict), budget.verdict),
            ))  # fmt: skip
    for member in group.members:
        if member.name in group.alone:
            stops = f"what runs there of {by_name(member.services)} stops"
            document.note(f"Without {system_names([member.name])}, {stops}, as it may.")
    document.table("failed | resource of the other | >used | >limit | >share | verdict", rows)
    if single := _without_copies(report):
        one = plural(len(single), "one copy", "one copy each")
        survived = ", ".join((*report.plan.demand.survives, DISK))
        document.note(
            f"{by_name(single)} {plural(len(single), 'has', 'have')} {one}, on disks that both "
            "systems of a pair reach: if such a disk fails, neither has its data. To plan for it, "
            f"state availability: {{survives: [{survived}]}}."
        )
    cabled = {
        line.service for each in group.failover for line in each.demand.lines
        if line.kind != "serial" or each.state.system.serial_lines
    }  # fmt: skip
    if cabled:
        document.note(
            f"Both systems have ports for the lines of {by_name(cabled)}. After a "
            "failure their cables must be moved."
        )


def _without_copies(report: PlanReport) -> list[str]:
    """Return the volumes with one copy on disks that a second system reaches."""
    if DISK in report.plan.demand.survives:
        return []
    shared = {
        (each.system.id, disk.id) for each in report.systems
        for disk in each.system.disks() if disk.dual_ported
    }  # fmt: skip
    return sorted(
        {
            volume.name for each in report.systems for volume in each.system.volumes
            if len(volume.copies) == 1
            and any((each.system.id, disk) in shared for disk in volume.disks)
        },
        key=natural,
    )  # fmt: skip


def _backup_of(failover: Failover, report: PlanReport) -> str:
    """How long a full backup takes on the system that is left, and whether its window is kept."""
    state, wanted = failover.state, report.plan.demand.backup
    run = backup_on(state.load, state.system, report.guide)
    if not wanted.wanted:
        return ""
    if run is not None and run.full_hours is None and wanted.over:
        return " How long a full backup takes then is not known."
    if run is None or run.full_hours is None:
        return " It has no drive for backups, which wait until the other is repaired."
    told = f" A full backup takes {quantity(run.full_hours)} then"
    window = wanted.window
    if window is None:
        return f"{told}."
    kept = run.full_hours.at(report.end) <= window.at(report.end)
    return f"{told}, {'within' if kept else 'longer than'} its window of {quantity(window)}."


def _carries(failover: Failover, of_pair: str) -> str:
    """What a system does alone: everything, if there are several pairs of its own, or how much."""
    stopped = [each.service for each in failover.served if not each.share]
    slower = [
        f"{by_name(each.service for each in alike)} at {percent(share)}"
        for share, alike in group(failover.served, lambda each: each.share).items()
        if 0 < share < 1
    ]
    if not failover.runs_anything:
        return f"runs nothing, because {by_name(stopped)} may stop"
    told = f"runs everything{of_pair}"
    if slower:
        told = f"runs all{of_pair} at its full rates, except {'; '.join(slower)}"
    if not stopped:
        return told
    stop = plural(len(stopped), "stops", "stop")
    if slower:
        return f"{told}; {by_name(stopped)} {stop}"
    return f"{told} except {by_name(stopped)}, which {stop}"


def plan_text(
    report: PlanReport, full: bool = True, sections: Sequence[str] = (), style: Style = PLAIN
) -> str:
    """Return the report on a plan as text: the first screen, all of it, or only some sections.

    Below the first screen is what options asked for. Raises InputError for a section that the
    report does not have.
    """
    if full or sections:
        document = plan_document(report)
        return render_text(document.only(sections) if sections else document, style)
    more = options_document(report)
    below = "\n" + render_text(more, style) if more.blocks else ""
    return first_screen(report, style) + below


def plan_markdown(report: PlanReport) -> str:
    """Return the report on a plan as Markdown for tickets and quotes."""
    return render_markdown(plan_document(report))


def plan_document(report: PlanReport) -> Document:
    """Return the report on a plan: the first page, then everything else as appendix.

    Several systems have a part each; what concerns all of them comes after these.
    """
    document, plan = Document(), report.plan
    add_head(document, report)
    add_summary(document, report)
    add_omissions(document, report)
    add_request(document, report)
    add_headroom(document, report)
    add_parts(document, report)
    add_assumed(document, report)
    for part, member in _systems(report):
        if member is None:
            document.part("Appendix")
            add_kernel_lock(document, report)
        else:
            add_system_heading(document, part, member, plan)
            add_parts(document, part, report.plan)
        _system(document, part)
        if part.stages:
            add_stages(document, part, member)
        if member is None:
            _add_asked(document, report)
        _reasons(document, part, paired=bool(plan.group and plan.group.failover))
    if plan.group is not None:
        document.part("All systems")
        add_kernel_lock(document, report)
        add_division(document, plan)
        add_failover(document, report, plan.group)
        _add_asked(document, report)
        add_rejections(document, report)
    add_overlays(document, overlay_uses(plan))
    add_assumptions(document, report.budgets)
    if report.systems:
        add_coverage(
            document,
            len(plan.rules),
            tuple(f for each in report.systems for f in without_substituted(each.findings)),
        )
    return document


def _systems(report: PlanReport) -> Iterator[tuple[PlanReport, Member | None]]:
    members = report.plan.group.members if report.plan.group else (None,)
    return zip(report.parts, members, strict=True)


def _system(document: Document, report: PlanReport) -> None:
    shown = report.shown
    if shown is None:
        return
    add_machine(document, report, shown)
    add_work(document, report, shown)
    add_budgets(document, report, shown)
    add_scenarios(document, report)
    add_setup(document, report)


def _add_asked(document: Document, report: PlanReport) -> None:
    """Add what options ask for of the whole plan: sensitivity and failures."""
    if report.named and report.break_even is not None:
        add_sensitivity(document, report, report.break_even)
        say_at_worst(document, report, depth=1)
    add_failures(document, report)


def options_document(report: PlanReport) -> Document:
    """Return what options asked for: the stages of each system, sensitivity and failures."""
    document = Document()
    if report.stages:
        for part, member in _systems(report):
            if member is not None:
                add_system_heading(document, part, member, report.plan)
            add_stages(document, part, member)
        if report.plan.group is not None and (report.break_even or report.failed):
            document.part("All systems")
    _add_asked(document, report)
    return document


def _reasons(document: Document, report: PlanReport, paired: bool) -> None:
    """Add the findings on a system, the systems rejected for it, and the missing facts."""
    plan, shown, nearest = report.plan, report.shown, report.plan.nearest
    if shown is not None:
        on_advice, in_vain = "", None
        if plan.holds and not plan.gaps and plan.policy.follow_advice != "never":
            in_vain = None if paired or not report.advice else report.advice.why_in_vain
            on_advice = _OF_PAIR if paired else _IN_VAIN
        add_findings(
            document, report.names, shown.findings, nearest.findings if nearest else (), shown,
            report.end, plan.holds, on_advice, in_vain,
            relieve_processors(report, shown) if plan.holds else {},
        )  # fmt: skip
    add_rejections(document, report)
    if shown is not None:
        # The customer cannot answer what is unknown of the planner's own choices and sets no limit.
        asked, unchecked = list[Finding](), list[Finding]()
        for each in shown.findings:
            if each.verdict == "unknown":
                to_answer = each.severity in LIMITS or each.asked.subject == SYSTEM
                (asked if to_answer else unchecked).append(each)
        missing = find_missing(plan.guide, shown.system.id, asked)
        add_missing_facts(document, report.names, shown, missing, planned=True)
        add_unchecked_advice(document, report.names, shown, unchecked)
