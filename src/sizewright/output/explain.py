"""Each number of a budget traced step by step to its source, as text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from sizewright.errors import Location, did_you_mean, join_or, refusal
from sizewright.evaluate.budgets import Budget
from sizewright.formula import formula, quantity_text
from sizewright.output.document import Document
from sizewright.output.names import Names
from sizewright.output.render import PLAIN, Style, render_text
from sizewright.output.reports import PlanReport
from sizewright.output.wording import NOTHING, percent, verdict_word
from sizewright.quantity import Quantity
from sizewright.units import PURE

_METHOD = "the method"


def chosen_budgets(report: PlanReport, resource: str = "") -> tuple[Budget, ...]:
    """The budgets of a resource, of a kind, or all; raises InputError with the nearest name."""
    known = report.budgets
    wanted = resource.strip("/")
    found = tuple(
        b for b in known
        if not wanted or any(_is_within(b, name) for name in (wanted, f"{b.system}/{wanted}"))
    )  # fmt: skip
    if wanted and not found:
        names = list(dict.fromkeys(b.resource.removeprefix(f"{b.system}/") for b in known))
        what = f"the plan has no resource '{resource}'"
        expected = f"one of {join_or(names)}"
        near = did_you_mean(
            wanted, [*names, *(b.resource for b in known), *(b.kind for b in known)]
        )
        raise refusal(Location(report.file), what, expected, near)
    return found


def _is_within(budget: Budget, name: str) -> bool:
    return budget.resource == name or budget.resource.startswith(f"{name}/")


def explain_text(report: PlanReport, resource: str = "", style: Style = PLAIN) -> str:
    """Return the budgets of a plan with every number traced, as an indented tree."""
    document = Document()
    budgets = chosen_budgets(report, resource)
    if report.plan.chosen is None:
        document.say(f"{no_plan_text(report)}.", verdict="violated")
    for budget in budgets:
        trace_budget(document, report.end, report.named[budget.system], budget)
    return render_text(document, style)


def no_plan_text(report: PlanReport) -> str:
    """What is explained where no configuration holds."""
    nearest = report.plan.nearest
    name = f". Traced below: the closest alternative, {nearest.name}" if nearest else ""
    return f"No configuration meets every limit{name}"


def used_text(end: str, budget: Budget) -> str:
    """Return the use of a budget, its share of the limit, and the verdict."""
    share = budget.share_of_limit(end)
    limit = f"{percent(share)} of its limit" if share is not None else "its limit is unknown"
    return f"used {exact(budget.used)}, {limit}: {verdict_word(budget.verdict)}"


def trace_budget(document: Document, end: str, names: Names, budget: Budget) -> None:
    """Add a heading, the use, and every line, capacity and limit down to its source."""
    document.heading(f"{budget.resource} ({names.budget(budget)})")
    document.say(used_text(end, budget), verdict=budget.verdict)
    trace = _Trace(document, end)
    for item in budget.items:
        document.say(f"{names.line(item.name)}: {exact(item.figure)}", depth=1, hang=1)
        trace(item.figure, 2)
    if not budget.items:
        document.say("no load", depth=1)
    if budget.capacity is not None and budget.capacity is not budget.limit:
        document.say(f"capacity {exact(budget.capacity)}", depth=1, hang=1)
        trace(budget.capacity, 2)
    if budget.limit is not None:
        rule = f", set by rule {budget.limit_rule}" if budget.limit_rule else ""
        document.say(f"limit {exact(budget.limit)}{rule}", depth=1, hang=1)
        trace(budget.limit, 2)


class _Trace:
    """Traces numbers at one end of the ranges; a named number is traced only once."""

    def __init__(self, document: Document, end: str) -> None:
        self.document = document
        self.end = end
        self.done: set[tuple[str, str]] = set()

    def __call__(self, figure: Quantity, depth: int) -> None:
        """The formula of a figure in numbers, and each of its operands below it."""
        inner = unnamed(figure)
        if not inner.args:
            self.document.say(leaf_text(inner), depth, hang=1)
            return
        told = formula(inner, self.end)
        if told != exact(inner):
            self.document.say(f"= {told}", depth, hang=1)
        for operand in operands(inner):
            if not operand.args:
                self.document.say(leaf_text(operand), depth + 1, hang=1)
                continue
            known = (operand.name, exact(operand))
            again = " (traced above)" if known in self.done else ""
            self.document.say(f"{exact(operand)}: {operand.name}{again}", depth + 1, hang=1)
            if not again:
                self.done.add(known)
                self(operand, depth + 2)


def unnamed(figure: Quantity) -> Quantity:
    """The expression below the names that a figure was given."""
    while figure.op == "is":
        figure = figure.args[0]
    return figure


def operands(figure: Quantity) -> Iterator[Quantity]:
    """The leaves and named figures that a formula shows, each once; not what needs no source."""
    seen = set()
    for operand in _shown(figure):
        source = operand.source
        if source is not None and (source.where == _METHOD or source.where.startswith("1 ")):
            continue
        key = (operand.name, operand.low, operand.high)
        if key not in seen:
            seen.add(key)
            yield operand


def _shown(figure: Quantity) -> Iterator[Quantity]:
    for arg in figure.args:
        if not arg.args or arg.op == "is":
            yield arg
        else:
            yield from _shown(arg)


def exact(figure: Quantity | None) -> str:
    """The range of a figure with its unit, as formulas show numbers."""
    if figure is None:
        return NOTHING
    high = quantity_text(figure.high, figure.unit)
    low = quantity_text(figure.low, PURE)
    return high if low == quantity_text(figure.high, PURE) else f"{low}–{high}"


def leaf_text(leaf: Quantity) -> str:
    """A leaf's value, name and place."""
    what, where = origin(leaf)
    return f"{exact(leaf)}: {what}" + (f" [{where}]" if where else "")


def origin(leaf: Quantity) -> tuple[str, str]:
    """Return what a leaf is, and its source."""
    source = leaf.source
    if source is None:
        return leaf.name, ""
    what, place = leaf.name, source.where
    if source.kind == "table":
        table, row, column = _split(place)
        what, place = f"{column} of {row}", f"table {table}"
    elif source.kind == "input":
        place = PurePath(place).name
    elif source.kind == "count":
        place = "counted"
    elif source.kind == "parameter":
        what, place = place, ""
    cite = source.cite if not source.cite[:1].isdigit() else f"section {source.cite}"
    return what, ", ".join(part for part in (place, cite, source.status) if part)


def _split(place: str) -> tuple[str, str, str]:
    table, _, rest = place.partition("/")
    row, _, column = rest.partition("/")
    return table, row, column


def explain_markdown(report: PlanReport, resource: str = "") -> str:
    """Return the budgets of a plan as Markdown, to paste into a quote.

    Each has a table of its lines, and one of the numbers behind them.
    """
    from sizewright.output.render import render_markdown

    document, guide = Document(), report.plan.guide
    budgets = chosen_budgets(report, resource)
    title = f": {report.title}" if report.title else ""
    document.say(f"Budgets of {report.workload}{title}", strong=True)
    document.say(f"Guide {guide.id}: {guide.title}.")
    if report.plan.chosen is None:
        document.say(f"{no_plan_text(report)}.", verdict="violated")
    for budget in budgets:
        _tabulate(document, report.end, report.named[budget.system], budget)
    return render_markdown(document)


def _tabulate(document: Document, end: str, names: Names, budget: Budget) -> None:
    called, used = names.budget(budget), used_text(end, budget)
    document.heading(f"{_capitalized(called)} ({budget.resource})")
    document.say(f"{_capitalized(used)}.")
    lines = [(names.line(item.name), item.figure) for item in budget.items]
    rows, bounds = (
        [(label, exact(figure), *_derived(figure, end)) for label, figure in figures]
        for figures in (lines, list(_bounds(budget)))
    )
    total = [("total", exact(budget.used), "", "")] if len(lines) > 1 else []
    document.table(("line", "value", "formula", "source"), [*rows, *total, *bounds])
    figures = [figure for _, figure in (*lines, *_bounds(budget))]
    sources = list(_below(figures, end))
    if sources:
        document.say("Sources of these numbers:")
        document.table(("number", "what", "formula", "source"), sources)


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _bounds(budget: Budget) -> Iterator[tuple[str, Quantity]]:
    if budget.capacity is not None and budget.capacity is not budget.limit:
        yield "capacity", budget.capacity
    if budget.limit is not None:
        yield f"limit (rule {budget.limit_rule})" if budget.limit_rule else "limit", budget.limit


def _derived(figure: Quantity, end: str) -> tuple[str, str]:
    """Return the formula of a number, or its source if it was not calculated."""
    inner = unnamed(figure)
    return (formula(inner, end), "") if inner.args else ("", ": ".join(filter(None, origin(inner))))


def _below(figures: list[Quantity], end: str) -> Iterator[tuple[str, str, str, str]]:
    """Every operand of figures, each once, and then theirs."""
    done: set[tuple[str, str, str]] = set()
    waiting = list(figures)
    while waiting:
        inner = unnamed(waiting.pop(0))
        for operand in operands(inner) if inner.args else ():
            what, where, text = operand.name, "", ""
            if operand.args:
                text, where = _derived(operand, end)
            else:
                what, where = origin(operand)
            key = (exact(operand), what, where)
            if key in done:
                continue
            done.add(key)
            yield exact(operand), what, text, where
            if operand.args:
                waiting.append(operand)
