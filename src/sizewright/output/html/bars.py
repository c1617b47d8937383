"""Budgets as bars with their limit marked, and a kernel lock as a strip of its lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.system import Evaluation
from sizewright.output.budgets import BudgetWords, alike, budget_words
from sizewright.output.explain import unfold_budget
from sizewright.output.html.layout import BAR_REACHES, LABELLED_FROM, PAGE_LINES
from sizewright.output.html.palette import STRIPS, level
from sizewright.output.kernel_lock import line_rows
from sizewright.output.names import Names
from sizewright.output.outline import Block, Outline, Said
from sizewright.output.reports import PlanReport
from sizewright.output.wording import quantity
from sizewright.planner.plan import determinant
from sizewright.units import PERCENT

_LOCK = "kernel_lock"


class Bar(NamedTuple):
    """Budgets that are the same in words: their bar and its mark in percent of the bar's room.

    Below them stands the arithmetic of each. One of a system `decides`: it is the nearest to its
    limit.
    """

    resources: tuple[str, ...]
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


def bars(report: PlanReport, names: Names, shown: Evaluation) -> Bars:
    """A bar for each budget of a system; those of a kind with the same numbers share one."""
    nearest = determinant(shown.budgets, report.plan.policy.size_for)
    decides = "" if nearest is None else nearest.resource
    return Bars(tuple(
        _bar(report, names, words, same, decides)
        for words, same in alike(shown.budgets, report.plan.policy)
    ))  # fmt: skip


def _bar(
    report: PlanReport, names: Names, words: BudgetWords, same: tuple[Budget, ...], decides: str
) -> Bar:
    first, resources = same[0], tuple(budget.resource for budget in same)
    share = first.share_of_limit(report.plan.policy.size_for)
    return Bar(
        resources, names.resource(first.kind, [budget.name for budget in same]), words,
        min(share or 0, BAR_REACHES) / BAR_REACHES * PERCENT, PERCENT / BAR_REACHES,
        "over" if words.verdict == "violated" else level(share),
        _steps(report, names, same), decides in resources,
    )  # fmt: skip


def _steps(report: PlanReport, names: Names, same: tuple[Budget, ...]) -> tuple[Said | Block, ...]:
    """The arithmetic of budgets; of several, each below its name."""
    steps = Outline()
    for budget in same:
        unfold_budget(steps, report, names, budget)
    sections = steps.parts()[0].sections
    if len(sections) == 1:
        return sections[0].blocks
    return tuple(
        Said(each.title, "", False, False, tuple(b for b in each.blocks if isinstance(b, Said)))
        for each in sections
    )


def strip(report: PlanReport, names: Names, shown: Evaluation) -> Strip | None:
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
