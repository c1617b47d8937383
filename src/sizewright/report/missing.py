"""What is not known, by fact: what it is, how to measure it, which rules wait for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sizewright.evaluate.system import Evaluation
from sizewright.facts.records import REPORTED, facts_of
from sizewright.guide.model import SEVERITIES, Guide
from sizewright.report.names import Names, subject_parts
from sizewright.report.page import Page
from sizewright.rules.rule import Finding

_OF_ALL = ("system", REPORTED)


class Missing(NamedTuple):
    """A fact (`subject.name`) that is not known of some subjects; `what` and `unit` describe it.

    `measure` says how to find it, in the words of the rules that lack least else. A rule that is
    unknown though it lacks no fact stands with an empty `fact` and its own title.
    """

    fact: str
    what: str
    unit: str
    subjects: tuple[str, ...]
    rules: tuple[str, ...]
    measure: tuple[str, ...]


def missing(guide: Guide, system: str, findings: Iterable[Finding]) -> tuple[Missing, ...]:
    """Every missing fact, those first that the most severe and then the most rules wait for."""
    waiting: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.verdict == "unknown":
            for fact in finding.missing or (f"/{finding.rule}",):
                waiting.setdefault(fact, []).append(finding)
    ordered = sorted(waiting.items(), key=lambda pair: _urgency(pair[1]))
    return tuple(_missing(guide, system, fact, alike) for fact, alike in ordered)


def _urgency(alike: list[Finding]) -> tuple[int, int]:
    return (
        min(SEVERITIES.index(f.severity) for f in alike),
        -len({f.rule for f in alike}),
    )  # fmt: skip


def _missing(guide: Guide, system: str, fact: str, alike: list[Finding]) -> Missing:
    subject, _, name = fact.partition(".")
    known = facts_of(subject, guide)[name] if name else None
    fewest = min(len(f.missing) for f in alike)
    ways = (how_to_measure(guide, f) for f in alike if len(f.missing) == fewest)
    return Missing(
        fact if known else "",
        known.doc if known else alike[0].title,
        known.unit if known else "",
        tuple(dict.fromkeys(system if subject in _OF_ALL else f.subject for f in alike)),
        tuple(dict.fromkeys(f.rule for f in alike)),
        tuple(dict.fromkeys(way for way in ways if way)),
    )


def how_to_measure(guide: Guide, finding: Finding) -> str:
    """How the rule says that its facts are measured."""
    return " ".join(str(guide.rules[finding.rule].get("measure") or "").split())


def what_to_measure(page: Page, guide: Guide, names: Names, judged: Evaluation) -> None:
    """An entry for each missing fact; facts that the same rules wait for share one."""
    found = missing(guide, judged.system.id, judged.findings)
    if not found:
        return
    there = {kind: len(records) for kind, records in judged.facts.by_subject().items()}
    shared: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Missing]] = {}
    for each in found:
        shared.setdefault((each.rules, each.measure), []).append(each)
    waiting = {rule for each in found for rule in each.rules}
    page.heading("What to measure")
    page.say(
        f"{_counted(len(waiting), 'rule')} could not be checked, because "
        f"{_counted(len(found), 'value')} {'are' if len(found) > 1 else 'is'} missing. "
        "Values for limits come first.", depth=1,
    )  # fmt: skip
    page.gap()
    for (rules, ways), alike in shared.items():
        for each in alike:
            what = f"{_asked(each, guide)}{_whose(each, names, there)}"
            page.say(what, depth=1, hang=1, verdict="unknown")
        asked = f"Needed for rule{'s' if len(rules) > 1 else ''} {', '.join(rules)}."
        page.say(" ".join((*map(_sentence, ways), asked)), depth=2)


def _asked(each: Missing, guide: Guide) -> str:
    """What a fact is; what is only yes or no, as a question."""
    subject, _, name = each.fact.partition(".")
    if not name or facts_of(subject, guide)[name].kind != "flag":
        return each.what
    first, rest = each.what[:1], each.what[1:]
    return f"Whether {first if rest[:1].isupper() else first.lower()}{rest}"


def _whose(each: Missing, names: Names, there: Mapping[str, int]) -> str:
    parts = [subject_parts(subject, names.system.id) for subject in each.subjects]
    kind = parts[0][0]
    if not kind:
        return ""
    if len(parts) > 1 and len(parts) == there.get(kind):
        return f" (each {names.kind(kind)})"
    return f" ({names.kind(kind)} {names.listing(names.of(kind, name) for _, name in parts)})"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."
