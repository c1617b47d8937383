"""What another guide than the box's own says of the facts of a check."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sizewright.check.judge import Check
from sizewright.check.select import Selection
from sizewright.evaluate.findings import finding
from sizewright.evaluate.system import Evaluation
from sizewright.facts.derive import Facts
from sizewright.facts.elsewhere import known_kinds, shared_reports
from sizewright.guide.model import Guide
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import Finding


class Opinion(NamedTuple):
    """Another guide, those of its rules that were asked, and what they find.

    `judged` has the system, its load and its facts as that guide is told them. It has no budgets:
    limits are those of the box's own guide.
    """

    guide: Guide
    book: RuleSet
    selection: Selection
    judged: Evaluation

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every rule on every subject it is about."""
        return self.judged.findings


def opinion(check: Check, guide: Guide, book: RuleSet, selection: Selection) -> Opinion:
    """Ask the rules of another guide's book that are selected of the facts of a check.

    What the box waives and the parameters that it sets are rules of its own guide, whatever their
    ids, so none of that counts here.
    """
    asked = book.only(r.id for r in book.rules if not r.own and selection.asks(r.id, r.severity))
    told = shared_reports(check.judged.facts, check.guide, guide)
    found = tuple(_findings(asked, told, known_kinds(told, guide), check.judged.system.id))
    judged = check.judged._replace(facts=told, budgets=(), findings=found)
    return Opinion(guide, asked, selection, judged)


def _findings(book: RuleSet, told: Facts, understood: Facts, system: str) -> Iterator[Finding]:
    """Verdicts by what the guide understands, in words that show everything that was told."""
    shown, judged = told.by_subject(), understood.by_subject()
    for rule in book.rules:
        for one, other in zip(shown[rule.subject], judged[rule.subject], strict=True):
            subjects = understood.asked(rule.subject, other)
            found = finding(rule, subjects, rule.verdict(subjects), system)
            words = finding(rule, told.asked(rule.subject, one), found.verdict, system)
            yield found._replace(message=words.message, remedy=words.remedy)
