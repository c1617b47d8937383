"""A guide with its compiled rules, policies that were stated for it, and checks of servers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sizewright.configuration.model import SYSTEM
from sizewright.documents import Document
from sizewright.errors import (
    Diagnostic,
    collect_errors,
    did_you_mean,
    join_or,
    shown,
)
from sizewright.evaluate.policy import Policy, Waiver
from sizewright.guide.loader import load_guide
from sizewright.guide.model import Guide, place_of
from sizewright.rules.compiler import RuleSet, Translations, compile_rules, kept_translations
from sizewright.rules.rule import rule_id
from sizewright.schema.policy import Policy as Stated
from sizewright.schema.policy import Waiver as StatedWaiver
from sizewright.units import PURE

if TYPE_CHECKING:
    from datetime import date

    from sizewright.box.schema import Box
    from sizewright.check.check import Check
    from sizewright.check.cross_guide import CrossCheck
    from sizewright.check.rule_filter import RuleFilter


class Engine:
    """A guide with its rules, which are compiled when they are first asked for."""

    def __init__(self, guide: Guide) -> None:
        self.guide = guide
        self._judging: dict[str, RuleSet] = {}

    @cached_property
    def translations(self) -> Translations:
        """The conditions of its rules, translated now or in an earlier run; raises InputError."""
        return kept_translations(self.guide)

    @cached_property
    def rule_set(self) -> RuleSet:
        """Every rule; raises InputError."""
        return compile_rules(self.guide, known=self.translations)

    def judging(self, what: str) -> RuleSet:
        """The rules for a plan, or for a box; raises InputError."""
        if what not in self._judging:
            self._judging[what] = compile_rules(self.guide, judging=what, known=self.translations)
        return self._judging[what]


def load_engine(guide: str, overlays: Iterable[Path] = ()) -> Engine:
    """Load a guide with its rules; raises InputError with every error of the overlays."""
    engine = Engine(load_guide(guide, overlays))
    if engine.guide.changes:
        # Compiled at once, so that errors in rules that are not used now are reported too.
        _ = engine.rule_set
    return engine


def check(box: Box, engine: Engine, rules: Iterable[str] = ()) -> Check:
    """Check a box against all rules or those named; raises InputError for unknown names."""
    from sizewright.box.names import with_ids
    from sizewright.check.check import check_box
    from sizewright.check.rule_filter import resolve_rules

    rule_set = engine.judging("box")
    with collect_errors() as errors:
        with errors.catch():
            rule_set = rules_for(box.policy, engine, "box")
        with errors.catch():
            named = resolve_rules(rules, engine.rule_set)
        policy = policy_of(box.policy, engine.guide)
        # The box is read even if a rule is unknown, so that all its errors are reported together.
        asked = rule_set.only(named) if not errors and named else rule_set
        found = check_box(with_ids(box, engine.guide), engine.guide, rule_set, policy, asked)
        errors.extend(_unknown_subjects(box.policy, engine.guide, found))
    return found


def _unknown_subjects(stated: Stated, guide: Guide, found: Check) -> Iterator[Diagnostic]:
    """Yield an error for each subject of a waiver that its rule does not have."""
    records = found.judged.facts.by_subject()
    for waiver in stated.waive:
        kind = guide.rules[rule_id(waiver.rule, guide.rules)]["subject"]
        names = [record.id for record in records[kind]] if kind != SYSTEM else []
        for subject in waiver.subjects:
            if subject not in (*names, *(f"{kind}/{name}" for name in names)):
                what = f"rule {waiver.rule} is not about {shown(subject)}"
                expected = f"one of {join_or(names)}" if names else "no subjects: it is about all"
                place = place_of(subject, "policy.waive")
                yield Diagnostic(place, what, expected, did_you_mean(subject, names))


def check_against(found: Check, engine: Engine, selection: RuleFilter | None = None) -> CrossCheck:
    """The findings of another guide's rules, or of those selected, on the facts of a check."""
    from sizewright.check.cross_guide import cross_check
    from sizewright.check.rule_filter import EVERYTHING

    return cross_check(found, engine.guide, engine.judging("box"), selection or EVERYTHING)


def rules_for(policy: Stated, engine: Engine, judging: str) -> RuleSet:
    """The rules for plans or boxes, with the parameters that a file's policy states.

    Raises InputError for parameters that no rule has.
    """
    if policy.parameters:
        rule_set = compile_rules(engine.guide, policy.parameters, known=engine.translations)
        return rule_set.judging(judging)
    return engine.judging(judging)


def policy_of(stated: Stated, guide: Guide) -> Policy:
    """The policy that a file states; raises InputError for a waiver of an unknown rule."""
    known = list(guide.rules)
    waive = [each.replace(rule=rule_id(each.rule, known)) for each in stated.waive]
    with collect_errors() as errors:
        for rule in (w.rule for w in waive if w.rule not in known):
            what, place = f"there is no rule '{rule}'", place_of(rule, "policy.waive")
            errors.append(Diagnostic(place, what, "", did_you_mean(rule, known)))
    waivers = tuple(_waiver(each, stated.date) for each in waive)
    waived = {w.rule: w.told for w in waivers if not w.subjects and not w.expired}
    reserve = stated.reserve.to(PURE) if stated.reserve is not None else None
    return Policy(
        stated.size_for, stated.follow_advice, waived, stated.parameters, reserve, waivers=waivers
    )


def _waiver(stated: StatedWaiver, day: date | None) -> Waiver:
    """Return a waiver as it is on a day; without a day none has expired."""
    until = stated.until
    expired = until is not None and day is not None and until < day
    end = "" if until is None else until.isoformat()
    return Waiver(stated.rule, stated.reason, stated.subjects, end, expired)


def workload_guide(document: Document, chosen: str, default: str) -> str:
    """Which guide to use: the one chosen on the command line, the file's own, or the default."""
    data = document.data
    own = data.get("guide") if isinstance(data, dict) else None
    return chosen or (str(own) if isinstance(own, str) else "") or default
