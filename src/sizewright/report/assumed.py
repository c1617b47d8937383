"""What the figures of a plan rest on that nobody stated as a fact and no guide printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sizewright.evaluate.budgets import Budget
from sizewright.quantity import Quantity, leaves
from sizewright.report.explain import exact, origin
from sizewright.report.outline import Outline

_ASSUMPTION = "assumption"
_OF_THE_GUIDE = ("inferred", "outside")
_HEADERS = ("value", "what", "where")


def assumptions(page: Outline, budgets: Iterable[Budget]) -> None:
    """A table of what the workload assumes, and one of values that the guide does not print."""
    rows: dict[str, dict[tuple[str, str, str], None]] = {}
    for figure in _figures(budgets):
        for leaf in leaves(figure):
            if leaf.source is not None and leaf.source.status:
                row = (exact(leaf), *origin(leaf))
                rows.setdefault(leaf.source.status, {})[row] = None
    stated = sorted(rows.get(_ASSUMPTION, ()), key=lambda row: row[1:])
    others = sorted((row for status in _OF_THE_GUIDE for row in rows.get(status, ())),
                    key=lambda row: row[1:])  # fmt: skip
    page.heading("Assumptions")
    if not stated and not others:
        page.say("None. The workload states every value as a fact, or the guide prints it.")
    if stated:
        page.say("From the workload, stated as assumptions:")
        page.table(_HEADERS, stated, right=_HEADERS[:1])
    if others:
        page.say("From the tables, inferred or taken from a document other than the guide:")
        page.table(_HEADERS, others, right=_HEADERS[:1])


def _figures(budgets: Iterable[Budget]) -> Iterator[Quantity]:
    for budget in budgets:
        yield from (item.figure for item in budget.items)
        yield from (bound for bound in (budget.capacity, budget.limit) if bound is not None)
