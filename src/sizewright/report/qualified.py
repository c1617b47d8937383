"""What another guide says where its rules stand among those of the box's own."""

from __future__ import annotations

from sizewright.check.cross_guide import CrossCheck
from sizewright.check.rule_filter import qualified
from sizewright.report.missing import Missing, missing
from sizewright.rules.rule import Finding, Rule


def qualified_rules(each: CrossCheck) -> list[Rule]:
    """The rules that were asked, each with its guide in its id."""
    return [rule._replace(id=qualified(rule.guide, rule.id)) for rule in each.book.rules]


def qualified_findings(each: CrossCheck) -> list[Finding]:
    """What they find, each with the guide in the rule's id."""
    return [f._replace(rule=qualified(f.guide, f.rule)) for f in each.findings]


def qualified_missing(each: CrossCheck) -> list[Missing]:
    """The facts that they wait for, each with the guide in the ids of its rules."""
    return [
        fact._replace(rules=tuple(qualified(each.guide.id, rule) for rule in fact.rules))
        for fact in missing(each.guide, each.judged.system.id, each.findings)
    ]
