"""Budgets as bars with their limit marked, and a kernel lock as a strip of its lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sizewright.evaluate.budgets import Budget
from sizewright.output.budgets import BudgetTable, BudgetWords, budget_words
from sizewright.output.document import Block, Document, Paragraph
from sizewright.output.explain import trace_budget
from sizewright.output.html.layout import BAR_REACHES, LABELLED_FROM, PAGE_LINES
from sizewright.output.html.style import STRIPS, level
from sizewright.output.kernel_lock import line_rows
from sizewright.output.wording import quantity
from sizewright.planner.plan import determinant
from sizewright.units import PERCENT

_LOCK = "kernel_lock"


class Bar(NamedTuple):
    """Budgets that are the same in words: their bar and its mark in percent of the bar's room.

    `steps` is the arithmetic of each. The one that `decides` is the bottleneck of its system.
    """

    resources: tuple[str, ...]
    label: str
    words: BudgetWords
    filled: float
    limit: float
    level: str
    steps: tuple[Paragraph | Block, ...]
    decides: bool

    @property
    def long(self) -> bool:
        """Whether its arithmetic takes more than a page of paper."""
        return _lines(self.steps) > PAGE_LINES


def _lines(steps: Iterable[Paragraph | Block]) -> int:
    return sum(1 + _lines(each.below) for each in steps if isinstance(each, Paragraph))


class Slice(NamedTuple):
    """A line of a kernel lock: where its piece of the strip begins and how long it is, in percent.

    Its number stands in the strip where there is room (`labelled`).
    """

    number: int
    name: str
    used: str
    share: str
    start: float
    length: float
    tone: str
    labelled: bool


class Strip(NamedTuple):
    """A kernel lock by what uses it; `limit` is the position of its limit."""

    words: BudgetWords
    used: str
    slices: tuple[Slice, ...]
    limit: float
    level: str


def make_bars(budgets: BudgetTable) -> tuple[Bar, ...]:
    """Return a bar for each line of the budgets of a system."""
    nearest = determinant(budgets.shown.budgets, budgets.end)
    decides = "" if nearest is None else nearest.resource
    return tuple(
        _bar(budgets, label, words, same, decides) for label, words, same in budgets.lines()
    )


def _bar(
    budgets: BudgetTable, label: str, words: BudgetWords, same: tuple[Budget, ...], decides: str
) -> Bar:
    resources = tuple(budget.resource for budget in same)
    share = same[0].share_of_limit(budgets.end)
    return Bar(
        resources, label, words,
        min(share or 0, BAR_REACHES) / BAR_REACHES * PERCENT, PERCENT / BAR_REACHES,
        "over" if words.verdict == "violated" else level(share),
        _steps(budgets, same), decides in resources,
    )  # fmt: skip


def _steps(budgets: BudgetTable, same: tuple[Budget, ...]) -> tuple[Paragraph | Block, ...]:
    """Return the arithmetic of budgets; if there are several, each below its name."""
    document = Document()
    for budget in same:
        trace_budget(document, budgets.end, budgets.names, budget)
    sections = document.parts()[0].sections
    if len(sections) == 1:
        return sections[0].blocks
    return tuple(
        Paragraph(each.title, below=tuple(b for b in each.blocks if isinstance(b, Paragraph)))
        for each in sections
    )


def make_strip(budgets: BudgetTable) -> Strip | None:
    """Return the kernel lock of a system, its largest line first; None if there is none."""
    budget = next((each for each in budgets.shown.budgets if each.kind == _LOCK), None)
    if budget is None or budget.used is None or budget.limit is None:
        return None
    end = budgets.end
    used, limit = budget.used.at(end), budget.limit.at(end)
    lines = sorted(budget.items, key=lambda line: (-line.figure.at(end), line.name))
    # What is over the limit has its place too.
    room = max(used, limit) or 1
    slices, start = list[Slice](), 0.0
    for number, (line, (_, amount, share)) in enumerate(
        zip(lines, line_rows(lines, used, end), strict=True)
    ):
        length = line.figure.at(end) / room
        slices.append(Slice(
            number + 1, budgets.names.line(line.name), amount, share, start * PERCENT,
            length * PERCENT, STRIPS[number % len(STRIPS)], length >= LABELLED_FROM,
        ))  # fmt: skip
        start += length
    return Strip(
        budget_words(budget, budgets.end), quantity(budget.used), tuple(slices),
        limit / room * PERCENT, level(budget.share_of_limit(end)),
    )  # fmt: skip
