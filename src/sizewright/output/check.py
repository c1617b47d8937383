"""A check of a box as a page of text, with the findings of other guides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import inf

from sizewright.check.advice import Step, memory_shortage
from sizewright.check.changes import limited_fact
from sizewright.check.check import LOADS, Headroom, headroom, next_limit
from sizewright.check.cross_guide import CrossCheck
from sizewright.check.rule_filter import RuleFilter
from sizewright.errors import counted, enumerated, plural
from sizewright.evaluate.budgets import against_recommended
from sizewright.evaluate.findings import any_checked, is_checked, rule_verdicts
from sizewright.evaluate.limits import as_known
from sizewright.output.budgets import add_budgets, add_sensitivity
from sizewright.output.document import Document, VerdictCell
from sizewright.output.findings import (
    add_findings,
    add_missing_facts,
    add_overlays,
    borderline_text,
)
from sizewright.output.layout import HEADROOM_TOLD, MISSING_TOLD
from sizewright.output.names import Names
from sizewright.output.provenance import uses_in
from sizewright.output.render import PLAIN, Style, render_text
from sizewright.output.reports import CHECK_VERDICTS, CheckReport
from sizewright.output.wording import (
    NOTHING,
    factor,
    headline,
    number,
    quantity,
    result_word,
    verdict_word,
    words_counted,
    years,
)
from sizewright.quantity import at_end
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import MISSED, Finding


def selection_text(selection: RuleFilter) -> str:
    """The rules that were asked, as a sentence; empty where all were."""
    parts = [f"only {_rules(selection.only)}"] if selection.only else []
    parts += [f"all but {_rules(selection.ignored)}"] if selection.ignored else []
    parts += [f"severity {selection.severity} or above"] if selection.severity else []
    return f"Selected: {'; '.join(parts)}." if parts else ""


def _rules(ids: tuple[str, ...]) -> str:
    return f"{plural(len(ids), 'rule')} {', '.join(ids)}"


def add_rule_coverage(document: Document, rule_set: RuleSet, found: Sequence[Finding]) -> None:
    """Add how many rules have each result, and how many results they have."""
    verdicts, rules = rule_verdicts(rule_set, found), rule_set.rules
    ran = [rule for rule in rules if is_checked(verdicts[rule.id])]
    words = words_counted(result_word(verdicts[rule.id], rule.severity) for rule in ran)
    left = Counter(verdicts.values())
    document.heading("Rule coverage")
    document.note(
        f"Rules: {len(rules)}. Ran: {len(ran)}{f' ({words})' if words else ''}. "
        f"Not applicable: {left['not_applicable']}. Unknown: {left['unknown']}. "
        f"Results for all parts: {len(found)}."
    )


_CAUTION = (
    "Other guides describe other machines. Their findings are for information only: they change "
    "neither the verdict nor the exit code."
)
_WORST_FIRST = ("violated", "unknown", "tight", "holds")


def add_other_guide(document: Document, names: Names, each: CrossCheck) -> None:
    """Add the findings of another guide that need attention; parts keep the names of the box."""
    document.part(f"Guide {each.guide.id}")
    document.say(each.guide.title)
    if asked := selection_text(each.selection):
        document.say(asked)
    if not any(f.verdict in MISSED for f in each.findings):
        ran = any_checked(each.findings)
        document.say(
            "Its rules have no findings." if ran else "None of its rules could be checked."
        )
    add_findings(document, names, each.findings, _broken(each.findings), each.judged, "high")
    add_overlays(document, uses_in(each.guide, (each.judged,)))
    add_rule_coverage(document, each.rule_set, each.findings)


def _broken(findings: Iterable[Finding]) -> list[Finding]:
    return [f for f in findings if f.severity == "violation" and f.verdict == "violated"]


_BROKEN = {
    "violation": ("limit", "limits", " not met"),
    "advice": ("piece of advice", "pieces of advice", " not followed"),
    "note": ("note", "notes", ""),
}


def check_text(report: CheckReport, style: Style = PLAIN, all_missing: bool = False) -> str:
    """The report on a box: verdict first, then findings, budgets, headroom, what to measure."""
    document, check, names = Document(), report.check, report.names
    guide, judged = check.guide, check.judged
    title = f": {report.title}" if report.title else ""
    document.say(f"Check of {report.name}{title}", strong=True)
    document.say(f"Guide {guide.id}: {guide.title}")
    document.set_apart(_says(report), verdict=report.verdict)
    if borderline := borderline_text(names, report.borderline):
        document.say(f"Borderline: {borderline}", verdict="tight")
    if asked := selection_text(report.selection):
        document.say(f"{asked} Budgets and headroom use the limits of all rules.")
    if report.policy.reserve_percent:
        document.say(f"All limits on loads keep a reserve of {report.policy.reserve_percent:g}%.")
    document.say(_first(report))
    for growth in report.check.data_growth[:1]:
        when = f"after {years(growth.years)}" if growth.years else "today"
        document.say(f"Growth of data: {report.label(growth.resource)} reaches its limit {when}.")
    if report.first_step is not None:
        document.say(step_text(report.first_step, names))
    add_findings(document, names, check.findings, _broken(check.findings), judged, report.end)
    add_budgets(document, report, judged)
    _headroom(document, report)
    _peaks(document, report)
    if report.break_even is not None:
        add_sensitivity(document, report, report.break_even)
    if report.failed:
        from sizewright.output.failure import add_failures

        add_failures(document, report)
    _measurements(document, report, None if all_missing else MISSING_TOLD)
    if all_missing:
        add_missing_facts(document, names, judged, report.missing)
    add_overlays(document, uses_in(guide, (judged,)))
    add_rule_coverage(document, check.rule_set, check.findings)
    if report.others:
        document.heading("Findings of other guides")
        document.note(_CAUTION)
    for each in report.others:
        add_other_guide(document, names, each)
    return render_text(document, style)


def checks_text(reports: Sequence[CheckReport], style: Style = PLAIN) -> str:
    """Several servers, the worst first, a line each: verdict, bottleneck, headroom, what to do."""
    counts = Counter(report.verdict for report in reports)
    told = ", ".join(
        f"{counts[v]} {verdict_word(v)}" for v in reversed(CHECK_VERDICTS) if counts[v]
    )
    document = Document(f"Check of {len(reports)} servers: {told}.")
    servers = [report.check.box.name for report in reports]
    if len(set(servers)) < len(servers):
        servers = [report.document.name for report in reports]
    document.table(
        "server | verdict | bottleneck | >headroom | do first",
        [
            (server, VerdictCell(verdict_word(report.verdict), report.verdict), *_in_short(report))
            for server, report in sorted(zip(servers, reports, strict=True), key=_urgency)
        ],
        depth=0,
    )
    document.set_apart(
        "Headroom is the factor by which the load on the bottleneck can grow; below 1 it is over "
        "its limit. To see the whole report, check one file, or use --full."
    )
    return render_text(document, style)


def _urgency(server: tuple[str, CheckReport]) -> tuple[int, float]:
    """Failing servers come first, then those with the least headroom."""
    _, report = server
    found = report.check.headroom
    return _WORST_FIRST.index(report.verdict), found[0].factor.low if found else inf


def _in_short(report: CheckReport) -> tuple[str, str, str]:
    """The bottleneck of a server, its headroom, and what to do first, as cells."""
    bottleneck = headroom = NOTHING
    if report.check.headroom:
        first = report.check.headroom[0]
        bottleneck = report.label(first.resource)
        headroom = factor(at_end(first.factor, "low"))
        if memory_shortage(report.check.findings) is not None:
            bottleneck, headroom = "memory", "none"
    step, left = report.first_step, [part for part in LOADS if part not in report.check.loads]
    to_do = _what_to_do(step) if step is not None else ""
    if step is None and report.verdict == "unknown" and left:
        to_do = f"Measure {enumerated(left)}."
    return bottleneck, headroom, to_do


def _says(report: CheckReport) -> str:
    unknown, loads = report.rules["unknown"], report.check.loads
    if not any_checked(report.check.findings):
        return (
            "Not enough data: none of the selected rules could be checked. None applies to this "
            "server, or its data are missing."
        )
    if report.verdict == "unknown":
        known = f"load is known for {enumerated(loads)} only" if loads else "no load is known"
        return (
            f"Not enough data: {known}. A check needs the load of two of {enumerated(LOADS)} "
            "(see What to measure)."
        )
    told = [
        f"{counted(n, one, several)}{what}"
        for severity, (one, several, what) in _BROKEN.items() if (n := report.counts[severity])
    ]  # fmt: skip
    told = told or [
        "no limit of the selected rules is broken" if selection_text(report.selection)
        else "all limits that could be checked are met"
    ]  # fmt: skip
    rules = counted(unknown, "rule")
    left = f" {rules} could not be checked: missing data (see What to measure)." if unknown else ""
    return f"{headline(report.verdict, 'Pass')}: {', '.join(told)}.{left}"


def _first(report: CheckReport) -> str:
    found = report.check.headroom
    if not found:
        return "Headroom: unknown. No resource has both a known load and a limit."
    short = memory_shortage(report.check.findings)
    first, others = found[0], found if short is not None else found[1:]
    over = [each for each in others if each.factor.low < 1]
    after = next_limit(found if first.factor.low < 1 else others)
    label, times = report.label(first.resource), factor(first.factor)
    if short is not None:
        text = f"No headroom: memory is short (rule {short.rule})"
    elif first.factor.high <= 0:
        text = f"No headroom: {label} meets its limit {_at(first)}"
    elif times == number(1.0):
        text = f"No headroom: {label} is at its limit"
    elif first.factor.low < 1 <= first.factor.high:
        text = f"No sure headroom: {label} reaches its limit at {times} times today's load"
    elif first.factor.low < 1:
        text = f"No headroom: {label} meets its limit only at {times} times today's load"
    else:
        text = f"Headroom: {label} reaches its limit at {times} times today's load"
        text += _when(first, report)
    text += f". Also: {report.label(over[0].resource)}, {_at(over[0])}" if over else ""
    text += f", and {len(over) - 1} more" if over[1:] else ""
    if after is None:
        return f"{text}."
    when = _when(after, report) if first.years is None else ""
    return f"{text}. Next: {report.label(after.resource)}, {_at(after)}{when}."


def _at(room: Headroom) -> str:
    """At how many times the load a resource reaches its limit."""
    return f"at {factor(room.factor)} times" if room.factor.high > 0 else "at no load"


def _when(room: Headroom, report: CheckReport) -> str:
    """After how many years of growth that is so; empty if it is not known."""
    growth = report.check.box.growth
    if growth is None or not room.years:
        return ""
    return f", after {years(room.years)} of {quantity(growth.percent)} growth"


def step_text(step: Step, names: Names) -> str:
    """What to do first, and what that does."""
    finding, after, figures = step.finding, step.after, step.figures
    where = f" on {names.subject(finding.subject)}" if finding.subject != names.system.id else ""
    if after is None or figures is None:
        return f"Do this first (rule {finding.rule}{where}): {_what_to_do(step)}"
    is_share = limited_fact(finding)[1].endswith("_share")
    before, now = (quantity(each.to("%") if is_share else each) for each in figures)
    short = "" if after.verdict == "holds" else ", still over its limit"
    effect = f"{finding.title}{where}: {now} instead of {before}{short}"
    return f"Do this first: {_what_to_do(step)} {effect} (rule {finding.rule})."


def _what_to_do(step: Step) -> str:
    """The change that was tried, or the remedy of the rule if none was found."""
    if step.change is None:
        return step.finding.remedy + (" Then measure again." if step.needs_measuring else "")
    text = _CHANGES[step.change.kind].format(part=step.change.part, to=step.change.to)
    if step.change.kind == "data" and not step.has_room:
        text += ", if it has the space"
    return f"{text}, into a tray that is connected there." if step.in_tray else f"{text}."


_CHANGES = {
    "disk": "Move disk {part} to channel {to}",
    "tape": "Move tape {part} to channel {to}",
    "data": "Move half of the data of disk {part} to disk {to}",
    "clients": "Move half of the clients of network {part} to network {to}",
    "channel": "Move {part} to a free channel of controller {to}",
    "controller": "Add a controller ({to}), and move {part} to it",
    "processors": "Install {to} processors",
}


def _measurements(document: Document, report: CheckReport, most: int | None) -> None:
    """Add what to measure, at most `most`: how, and which rules that decides."""
    found = report.measurements
    if not found and not report.missing:
        return
    document.heading("What to measure")
    document.note(
        f"{counted(report.rules['unknown'], 'rule')} could not be checked, because "
        f"{counted(len(report.missing), 'value is', 'values are')} missing. "
        "The measurements that decide most come first. OUT is the output of a command, BOX this "
        "file."
    )
    document.gap()
    for each in found[:most]:
        document.item(each.command, verdict="unknown")
        told = [f"Gives the load of {enumerated(each.loads)}."] if each.loads else []
        told += [f"Decides {_rules(each.decides)}."] if each.decides else []
        if not each.decides and each.helps:
            told.append(f"Needed for {_rules(each.helps)}, with other values.")
        document.say(" ".join(told), depth=2)
    if most is not None:
        document.note(
            f"--all-missing lists all {counted(len(found), 'measurement')} and "
            f"{counted(len(report.missing), 'missing value')}."
        )


def _headroom(document: Document, report: CheckReport) -> None:
    if not report.check.headroom:
        return
    document.heading("Headroom (the factor by which today's load can grow)")
    lines = []
    for each in report.check.headroom:
        budget = report.budget(each.resource)
        by = f"rule {each.limit_rule}" if each.limit_rule else "its capacity"
        lines.append((budget, (factor(each.factor), quantity(budget.limit), by)))
    rows = report.names.rows(lines)
    document.table("resource | >factor | >limit | set by", rows[:HEADROOM_TOLD])
    left = rows[HEADROOM_TOLD:]
    if left:
        others = counted(len(left), "more resource has", "more resources have")
        document.note(f"{others} more headroom.")
    _recommended(document, report)
    if report.enough_processors is not None:
        ops = as_known(report.check.judged.facts.system.nfs_ops_per_s)
        load = "today's load" if ops is None else f"{quantity(ops)} of NFS"
        enough = counted(report.enough_processors, "processor")
        have = report.check.judged.system.processors
        document.note(f"It has {have} processors for {load}; {enough} would be enough.")
    if report.smaller_platform is not None:
        row = report.guide.row("platforms", report.smaller_platform)
        document.note(
            f"The same parts and load on a smaller {row.text('name')} miss no further limit."
        )


def _recommended(document: Document, report: CheckReport) -> None:
    """Add at what factor the first recommended limit is reached, and the first one within it."""
    found = headroom(against_recommended(report.check.limited.values()))
    after = next_limit(found) if found and found[0].factor.low < 1 else None
    told = [
        f"{report.label(each.resource)} {_at(each)} (rule {each.limit_rule})"
        for each in (*found[:1], after) if each is not None
    ]  # fmt: skip
    if told:
        document.note(f"Recommended limits: {'; next '.join(told)}.")


def _peaks(document: Document, report: CheckReport) -> None:
    """Add when the resources with a limit were used most, those with least headroom first."""
    peaks = {peak.resource: peak for peak in report.check.peaks}
    found = [peaks[each.resource] for each in report.check.headroom if each.resource in peaks]
    if not found:
        return
    document.heading("Peaks (first and last of the reports judged, and the report with the most)")
    rows = [
        (
            report.label(each.resource), each.at, quantity(each.used), each.report_at,
            quantity(each.report_used),
        )
        for each in found[:HEADROOM_TOLD]
    ]  # fmt: skip
    document.table("resource | judged | >used | report | >used", rows)
