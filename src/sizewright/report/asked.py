"""Which rules of a guide were asked of a box, and how many of them ran, as text."""

from __future__ import annotations

from sizewright.check.rule_filter import RuleFilter
from sizewright.report.coverage import by_rule, ran
from sizewright.report.page import Page
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import Finding


def asked_for(selection: RuleFilter) -> str:
    """The rules that were asked, as a sentence; empty where all were."""
    parts = [f"only {_rules(selection.only)}"] if selection.only else []
    parts += [f"all but {_rules(selection.ignored)}"] if selection.ignored else []
    parts += [f"severity {selection.severity} or above"] if selection.severity else []
    return f"Selected: {'; '.join(parts)}." if parts else ""


def _rules(ids: tuple[str, ...]) -> str:
    return f"rule{'s' if len(ids) > 1 else ''} {', '.join(ids)}"


def rules_covered(page: Page, book: RuleSet, found: tuple[Finding, ...]) -> None:
    """How many rules there are, how many ran, and what came of them."""
    counts = by_rule(book, found)
    page.heading("Rule coverage")
    page.say(
        f"Rules: {len(book.rules)}. Ran: {ran(counts)} ({counts['holds']} pass, "
        f"{counts['tight']} borderline, {counts['violated']} fail, {counts['waived']} waived). "
        f"Not applicable: {counts['not_applicable']}. Unknown: {counts['unknown']}. "
        f"Results for all parts: {len(found)}.",
        depth=1,
    )
