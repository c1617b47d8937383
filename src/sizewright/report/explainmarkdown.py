"""Every number of a budget unfolded, as Markdown for pasting into a quote."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright.evaluate.budgets import Budget
from sizewright.quantity import Quantity, formula
from sizewright.report.explain import (
    chosen_budgets,
    exact,
    named,
    nothing_holds,
    operands,
    origin,
    unnamed,
    used_text,
)
from sizewright.report.markdown import escaped, table
from sizewright.report.model import PlanReport
from sizewright.report.names import Names


def explain_markdown(report: PlanReport, resource: str = "") -> str:
    """The budgets of a plan: a table of line items for each, and one of their operands."""
    budgets = chosen_budgets(report, resource)
    guide = report.plan.guide
    title = f": {report.title}" if report.title else ""
    lines = [f"# {escaped(f'Budgets of {report.workload}{title}')}", ""]
    lines += [escaped(f"Guide {guide.id}: {guide.title}."), ""]
    if report.plan.chosen is None:
        lines += [f"**{escaped(nothing_holds(report))}.**", ""]
    names = named(report)
    for budget in budgets:
        lines += _budget(report, names[budget.system], budget)
    return "\n".join(lines).rstrip("\n") + "\n"


def _budget(report: PlanReport, names: Names, budget: Budget) -> Iterator[str]:
    end = report.plan.policy.size_for
    called = names.resource(budget.kind, [budget.name])
    said = used_text(report, budget)
    yield f"## {escaped(called[:1].upper() + called[1:])} ({escaped(budget.resource)})"
    yield ""
    yield f"{escaped(said[:1].upper() + said[1:])}."
    yield ""
    rows = [(names.line(item.name), item.figure) for item in budget.items]
    bounds = list(_bounds(budget))
    whole = [("total", exact(budget.used), "", "")] if len(rows) > 1 else []
    yield from table(
        ("line", "value", "formula", "source"),
        [
            *((label, exact(figure), *_derived(figure, end)) for label, figure in rows),
            *whole,
            *((label, exact(figure), *_derived(figure, end)) for label, figure in bounds),
        ],
    )
    figures = [*rows, *bounds]
    below = list(_below([figure for _, figure in figures], end))
    if below:
        yield "Sources of these numbers:"
        yield ""
        yield from table(("number", "what", "formula", "source"), below)


def _bounds(budget: Budget) -> Iterator[tuple[str, Quantity]]:
    if budget.capacity is not None and budget.capacity is not budget.limit:
        yield "capacity", budget.capacity
    if budget.limit is not None:
        yield f"limit (rule {budget.limit_rule})" if budget.limit_rule else "limit", budget.limit


def _derived(figure: Quantity, end: str) -> tuple[str, str]:
    """The formula of a figure, or where it stands if nothing was reckoned."""
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
