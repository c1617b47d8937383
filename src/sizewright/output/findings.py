"""Findings and missing facts as text: limits not met, advice not followed, what to measure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from sizewright.configuration.slots import slots_of
from sizewright.errors import counted, plural
from sizewright.evaluate.findings import MissingFact, find_missing
from sizewright.evaluate.system import Evaluation
from sizewright.facts.records import facts_of
from sizewright.guide.model import Change, Guide
from sizewright.output.document import Document
from sizewright.output.layout import FINDINGS_TOLD
from sizewright.output.names import (
    Names,
    by_name,
    group,
    label_rejections,
    natural,
    subject_parts,
)
from sizewright.output.reports import PlanReport
from sizewright.output.wording import (
    NO_LIMIT,
    percent,
    result_word,
    whole_percent_below,
    words_counted,
)
from sizewright.planner.infeasibility import Rejection
from sizewright.rules.rule import Finding, Rule

_BROKEN = "broken"
# The title of each section, and the verdict that colours its findings.
_SECTIONS = {
    _BROKEN: ("Limits not met", "violated"),
    "violation": ("Limits not met at the other end of a range", "violated"),
    "advice": ("Advice not followed", "tight"),
    "note": ("Notes", ""),
    "tight": ("Borderline: passes at best case only, or exceeds a recommended limit", "tight"),
    "waived": ("Waived", "waived"),
}
_SEVERITY_TOLD = ("tight", "waived")


def add_findings(
    document: Document, names: Names, found: Iterable[Finding], broken: Iterable[Finding],
    judged: Evaluation, end: str, planned: bool = False, on_advice: str = "",
    why_in_vain: Callable[[str], str] | None = None, more_to_do: Mapping[str, list[str]] = {},
) -> None:  # fmt: skip
    """Every finding that asks for attention, with its numbers, its remedy and its source.

    `broken` are those that block a plan. Of the parts that break a rule those come first whose
    budgets are the fullest. Of a `planned` system it is said which limits the search does not
    weigh. `on_advice` is said of all advice that is not followed. If all is followed that can be,
    the rest has no remedy: `why_in_vain` returns for a rule of it what forbids it. `more_to_do` are
    remedies that depend on the plan, by rule.
    """
    shares = {
        (rule, budget.name): budget.share_of_limit(end) or 0
        for budget in judged.budgets for rule in (budget.recommended_rule, budget.limit_rule)
    }  # fmt: skip
    keys = {(f.rule, f.subject) for f in broken}
    by_kind = group(found, lambda f: _BROKEN if (f.rule, f.subject) in keys else _kind(f))
    for kind, (title, _) in _SECTIONS.items():
        if kind not in by_kind:
            continue
        document.heading(title)
        in_vain = why_in_vain if kind == "advice" else None
        if kind == "advice" and on_advice:
            document.note(on_advice)
        for alike in _grouped(by_kind[kind]):
            alike.sort(key=lambda f: (
                -shares.get((f.rule, f.subject.rpartition("/")[2]), 0), natural(f.subject),
            ))  # fmt: skip
            why = _why_no_part(alike[0].asked) if planned else ""
            if in_vain is not None:
                why = in_vain(alike[0].rule)
            remedies = [f.remedy for f in alike] + more_to_do.get(alike[0].rule, [])
            _rule(document, names, kind, alike, remedies if in_vain is None else [], why)


def _why_no_part(rule: Rule) -> str:
    """Return why a plan is not made larger for a recommended limit that the search leaves aside."""
    reason = rule.spec.get("severity_reason")
    return f"Nothing is added for this rule: {reason}." if rule.is_only_shown and reason else ""


def _kind(finding: Finding) -> str:
    """Return the section of a finding; what sets no limit is never borderline."""
    worst_only = finding.verdict == "tight" and finding.severity in NO_LIMIT
    return finding.severity if finding.verdict == "violated" or worst_only else finding.verdict


def _rule(
    document: Document, names: Names, kind: str, alike: list[Finding], remedies: list[str],
    why_not_followed: str,
) -> None:  # fmt: skip
    first, *others = alike
    part = first.subject != names.system.id and not others
    where = f" on {names.subject(first.subject)}" if part else ""
    end = " (at one end of a range)" if first.verdict == "tight" and kind in NO_LIMIT else ""
    title = f"Rule {first.rule}{where}: {first.title}{end}"
    document.item(title, verdict=_SECTIONS[kind][1])
    if not others:
        document.say(_sentence(names.message(first)), depth=2)
    else:
        groups = list(group(alike, partial(_said_alike, names)).values())
        for same in groups[:FINDINGS_TOLD]:
            document.item(f"- {_about(names, same)}", depth=2)
        left = [names.subject(f.subject) for each in groups[FINDINGS_TOLD:] for f in each]
        if left:
            document.item(f"- The same for {names.listing(left)}.", depth=2)
    if first.reason:
        document.say(f"Waived because: {_sentence(first.reason)}", depth=2)
    for remedy in list(dict.fromkeys(filter(None, remedies)))[:FINDINGS_TOLD]:
        document.say(f"To do: {remedy}", depth=2)
    if why_not_followed:
        document.say(why_not_followed, depth=2)
    severity = f"; {first.severity}" if kind in _SEVERITY_TOLD else ""
    document.say(f"[{first.source}{severity}]", depth=2)


def _without_name(names: Names, finding: Finding) -> str:
    """Return what a finding says, the same for parts that differ in their names only."""
    name = names.of(*subject_parts(finding.subject, names.system.id))
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "", names.message(finding))


def _said_alike(names: Names, finding: Finding) -> str:
    """Return what findings have in common that share a line; nothing if they do not name parts."""
    text = _without_name(names, finding)
    return finding.subject if text == names.message(finding) else text


def _about(names: Names, same: Sequence[Finding]) -> str:
    """Return what a finding says, and of which other parts it says the same."""
    first, *others = same
    text = _sentence(names.message(first))
    if _without_name(names, first) == names.message(first):
        return f"{names.subject(first.subject)}: {text}"
    also = names.listing(names.subject(f.subject) for f in others)
    return f"{text} The same for {also}." if others else text


def borderline_text(names: Names, found: Iterable[Finding]) -> str:
    """Return what is borderline, in a line; empty if nothing is."""
    return "".join(f"{each}. " for each in borderline_sentences(names, found)).rstrip()


def borderline_sentences(names: Names, found: Iterable[Finding]) -> Iterator[str]:
    """Yield the first sentence of each rule, about the first of the parts that it is about."""
    for first, *others in _grouped(found):
        what = names.message(first).partition(". ")[0].rstrip(".")
        if first.subject != names.system.id and _without_name(names, first) == names.message(first):
            what = f"{names.subject(first.subject)}: {what}"
        yield f"{what} (rule {first.rule}{_and_others(others)})"


def _and_others(others: Sequence[Finding]) -> str:
    return f"; the same for {len(others)} more" if others else ""


def add_rejections(document: Document, report: PlanReport) -> None:
    """Add every rejected platform with its reasons, but not the closest alternative again."""
    plan = report.plan
    others = label_rejections(plan)
    if not others:
        return
    if plan.group is not None:
        document.heading("Rejected as a single system")
    else:
        document.heading("Rejected" if plan.holds else "Other platforms")
    if any(rejection.judgement is not None for _, rejection in others):
        document.note("Of each, the limits that the nearest configuration tried exceeds:")
    for label, rejection in others:
        share = whole_percent_below(rejection.load_share)
        part = f" (supports at least {percent(share)} of the load)" if 0 < share < 1 else ""
        document.item(f"{label}{part}")
        for reason in rejection_reasons(plan.guide, rejection):
            document.item(f"- {reason}", depth=2)
    short = {bus for _, rejection in others for bus in _busses_without_room(plan.guide, rejection)}
    for row in plan.guide.table("boards"):
        if "bus_expander" in row.list("role") and row.text("bus") in short:
            slots = counted(int(row.number("added_slots")), "slot")
            name, cite = row.text("name"), row.mark.cite
            document.note(f"The plan puts no boards into {name} ({slots} each). [{cite}]")


def _busses_without_room(guide: Guide, rejection: Rejection) -> set[str]:
    """Return the busses of a platform that was rejected only because it has too few slots."""
    every = {slot.bus for slot in slots_of(guide, rejection.platform, rejection.processors)}
    if rejection.lacks or rejection.judgement is None:
        of_slots = all(each.resource in ("ports", "slots") for each in rejection.lacks)
        return every if of_slots and rejection.lacks else set()
    system = rejection.judgement.system.id
    parts = [subject_parts(each.subject, system) for each in rejection.findings]
    short = {name.partition(" ")[0] for kind, name in parts if kind == "slots"}
    return short if all(kind == "slots" for kind, _ in parts) else set()


def rejection_reasons(guide: Guide, rejection: Rejection) -> list[str]:
    """Return what a platform breaks, with numbers; each resource once, the worst first."""
    if rejection.judgement is None or not rejection.findings:
        return list(rejection.reasons)
    found, names = [], Names(guide, rejection.judgement.system)
    over = _shares_of_limits(rejection)
    told: set[frozenset[str]] = set()
    for alike in sorted(
        _grouped(rejection.certain_findings), key=lambda each: -over.get(each[0].rule, 0)
    ):
        limited = frozenset(bound.resource for bound in alike[0].asked.bounds)
        if limited and limited in told:
            continue
        told.add(limited)
        found.append(f"{names.message(alike[0])} (rule {alike[0].rule}{_and_others(alike[1:])})")
    return found


def _shares_of_limits(rejection: Rejection) -> Mapping[str, float]:
    """Return how full the fullest budget is that each rule limits, by rule."""
    found: dict[str, float] = {}
    for budget in rejection.judgement.budgets if rejection.judgement else ():
        share = budget.share_of_limit("high") or 0
        found[budget.limit_rule] = max(share, found.get(budget.limit_rule, 0))
    return found


def add_overlays(document: Document, uses: Iterable[tuple[Change, bool]]) -> None:
    """Add the values of overlays that override the guide, and whether the result uses them."""
    for number, (change, is_used) in enumerate(uses):
        if not number:
            document.heading("Changed by overlays")
        before = f"{change.before} → " if change.before else ""
        used = f"{'' if is_used else 'not '}used in this result"
        document.item(f"{change.overlay}: {change.what}: {before}{change.after} ({used})")


def add_coverage(document: Document, rules: int, found: tuple[Finding, ...]) -> None:
    """Add a line that states how many of the rules were checked, and with which results."""
    said = words_counted(result_word(f.verdict, f.severity) for f in found)
    document.set_apart(f"{rules} rules, {len(found)} results: {said}.")


def _grouped(found: Iterable[Finding]) -> list[list[Finding]]:
    return list(group(found, lambda finding: (finding.rule, finding.verdict)).values())


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."


def add_missing_facts(
    document: Document, names: Names, judged: Evaluation, found: Sequence[MissingFact],
    planned: bool = False,
) -> None:  # fmt: skip
    """Add an entry for each missing fact; facts that the same rules need share one.

    Those come first that the most severe, and then the most rules need. What is not known of a
    `planned` system can only be measured on another.
    """
    if not found:
        return
    there = {kind: len(records) for kind, records in judged.facts.by_subject().items()}
    shared = group(found, lambda each: (each.rules, each.measure))
    waiting = {rule for each in found for rule in each.rules}
    document.heading("What is not known" if planned else "Missing values")
    document.note(
        f"{counted(len(waiting), 'rule')} could not be checked, because "
        f"{counted(len(found), 'value is', 'values are')} missing. "
        "Values for limits come first, then those that most rules need."
    )
    document.gap()
    for (rules, ways), alike in shared.items():
        for each in alike:
            what = f"{_asked(each, names.guide, judged)}{_whose(each, names, there)}"
            document.item(what, verdict="unknown")
        asked = f"Needed for {plural(len(rules), 'rule')} {', '.join(rules)}."
        similar = ["On a similar server:"] if planned and ways else []
        document.say(" ".join((*similar, *map(_sentence, ways), asked)), depth=2)


def add_unchecked_advice(
    document: Document, names: Names, judged: Evaluation, found: Iterable[Finding]
) -> None:
    """Add each rule of advice that could not be checked, and which values are not known."""
    unchecked = _grouped(found)
    if unchecked:
        document.heading("Advice not checked")
    for alike in unchecked:
        first = alike[0]
        where = names.listing(names.subject(f.subject) for f in alike)
        document.item(f"Rule {first.rule} on {where}: {first.title}")
        missing = find_missing(names.guide, names.system.id, alike)
        unknown = "; ".join(_uncapitalized(_asked(each, names.guide, judged)) for each in missing)
        document.say(f"Not known: {unknown}. [{first.source}]", depth=2)


# What is incomplete if these flags are unknown, and the services without it.
_INCOMPLETE = {
    "processor_time_complete": ("Processor time of", "untimed"),
    "kernel_time_complete": ("Time in the kernel of", "untimed_kernel"),
}


def _asked(each: MissingFact, guide: Guide, judged: Evaluation) -> str:
    """What a fact is; what is only yes or no, as a question."""
    subject, _, name = each.fact.partition(".")
    what, field = _INCOMPLETE.get(name, ("", ""))
    if services := field and getattr(judged.load, field):
        return f"{what} {by_name(services)}"
    if not name or facts_of(subject, guide)[name].kind != "flag":
        return each.what
    return f"Whether {_uncapitalized(each.what)}"


def _uncapitalized(text: str) -> str:
    """Return a text that continues a sentence; an acronym at its start stays."""
    return text if text[1:2].isupper() else f"{text[:1].lower()}{text[1:]}"


def _whose(each: MissingFact, names: Names, there: Mapping[str, int]) -> str:
    parts = [subject_parts(subject, names.system.id) for subject in each.subjects]
    kind = parts[0][0]
    if not kind:
        return ""
    if len(parts) > 1 and len(parts) == there.get(kind):
        return f" (each {names.kind(kind)})"
    return f" ({names.kind(kind)} {names.listing(names.of(kind, name) for _, name in parts)})"
