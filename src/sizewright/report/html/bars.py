"""Budgets as bars with their limit marked, and a kernel lock as a strip of its lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sizewright.budgets.model import Budget
from sizewright.planner.judge import Judgement
from sizewright.planner.plan import determinant
from sizewright.report.budgetform import BudgetWords, budget_words
from sizewright.report.explain import unfold_budget
from sizewright.report.html.layout import BAR_REACHES, LABELLED_FROM, PAGE_LINES
from sizewright.report.html.palette import STRIPS, level
from sizewright.report.lock import line_rows
from sizewright.report.model import PlanReport
from sizewright.report.names import Names
from sizewright.report.numbers import quantity
from sizewright.report.outline import Block, Outline, Said
from sizewright.units import PERCENT

_LOCK = "kernel_lock"


class Bar(NamedTuple):
    """A budget: its words, its bar and its mark in percent of the bar's room, its arithmetic.

    One of a system `decides`: it is the nearest to its limit.
    """

    resource: str
    label: str
    words: BudgetWords
    filled: float
    limit: float
    level: str
    steps: tuple[Said | Block, ...]
    decides: bool

    @property
    def long(self) -> bool:
        """Whether its arithmetic takes more than a page of paper."""
        return _lines(self.steps) > PAGE_LINES


def _lines(steps: Iterable[Said | Block]) -> int:
    return sum(1 + _lines(each.below) for each in steps if isinstance(each, Said))


class Bars(NamedTuple):
    """The budgets of a system."""

    bars: tuple[Bar, ...]

    @property
    def kind(self) -> str:
        """What it is."""
        return "bars"


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
    """A kernel lock by what carries it; `limit` is where its limit is marked."""

    words: BudgetWords
    used: str
    slices: tuple[Slice, ...]
    limit: float
    level: str

    @property
    def kind(self) -> str:
        """What it is."""
        return "strip"


def bars(report: PlanReport, names: Names, shown: Judgement) -> Bars:
    """A bar for each budget of a system."""
    nearest = determinant(shown.budgets, report.plan.policy.size_for)
    decides = "" if nearest is None else nearest.resource
    return Bars(tuple(
        _bar(report, names, budget, budget.resource == decides) for budget in shown.budgets
    ))  # fmt: skip


def _bar(report: PlanReport, names: Names, budget: Budget, decides: bool) -> Bar:
    words = budget_words(budget, report.plan.policy)
    share = budget.share_of_limit(report.plan.policy.size_for)
    steps = Outline()
    unfold_budget(steps, report, names, budget)
    return Bar(
        budget.resource, names.resource(budget.kind, [budget.name]), words,
        min(share or 0, BAR_REACHES) / BAR_REACHES * PERCENT, PERCENT / BAR_REACHES,
        "over" if words.verdict == "violated" else level(share),
        steps.parts()[0].sections[0].blocks, decides,
    )  # fmt: skip


def strip(report: PlanReport, names: Names, shown: Judgement) -> Strip | None:
    """The kernel lock of a system, its largest line first; None where it has none or is unknown."""
    budget = next((each for each in shown.budgets if each.kind == _LOCK), None)
    if budget is None or budget.used is None or budget.limit is None:
        return None
    end = report.plan.policy.size_for
    lines = sorted(budget.items, key=lambda line: (-line.figure.at(end), line.name))
    rows = line_rows(report, tuple(lines), report.at_end(budget.used))
    # What is over the limit has its place too.
    room = max(report.at_end(budget.used), budget.limit.at(end)) or 1
    slices, start = list[Slice](), 0.0
    for number, (line, (name, used, share)) in enumerate(zip(lines, rows, strict=True)):
        length = line.figure.at(end) / room
        slices.append(Slice(
            number + 1, names.line(name), used, share, start * PERCENT, length * PERCENT,
            STRIPS[number % len(STRIPS)], length >= LABELLED_FROM,
        ))  # fmt: skip
        start += length
    return Strip(
        budget_words(budget, report.plan.policy), quantity(budget.used), tuple(slices),
        budget.limit.at(end) / room * PERCENT, level(budget.share_of_limit(end)),
    )  # fmt: skip
