"""The record of an explanation, `sizewright.explain/1`: budgets with every number as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from sizewright.formula import formula
from sizewright.output.explain import chosen_budgets
from sizewright.output.json.common import End, JsonData, Quantity, Record, Resource, doc
from sizewright.rules.rule import Verdict

if TYPE_CHECKING:
    from sizewright import quantity
    from sizewright.evaluate import budgets
    from sizewright.output.reports import PlanReport

SCHEMA = "sizewright.explain/1"


class LeafSource(Record):
    """Where a number comes from."""

    kind: Literal["table", "parameter", "input", "definition", "count"] = doc(
        "What has the number: a cell of a guide's table, a rule's parameter, a line of the input "
        "file, a definition, or a count of parts of the configuration."
    )
    where: str = doc(
        "`table/row/column`, the rule and parameter, `file:line:column`, the definition, or what "
        "is counted."
    )
    cite: str = doc("Section, table or document that it names; empty if none.")
    status: str = doc(
        "For cells and parameters `printed`, `inferred`, `outside`, `overlay` or `override`; for "
        "input `fact` or `assumption`; empty if not stated."
    )


class Node(Record):
    """A number with the expression that it was calculated from."""

    name: str = doc("What the number is called.")
    value: Quantity = doc("The number.")
    source: LeafSource = doc("Where it comes from; only if it has a source.", default=None)
    op: str = doc("How it was calculated; only if it was calculated.", default=None)
    formula: str = doc("This in numbers; only if it was calculated.", default=None)
    args: list[Node] = doc("The operands; only if it was calculated.", default_factory=list)


class LineItem(Record):
    """What uses a resource."""

    name: str = doc("What uses it.")
    figure: Node = doc("How much it uses.")


class ExplainedBudget(Record):
    """A resource and its limit, traced to their sources."""

    resource: str = doc("Id: system, kind, and the name if there are several of the kind.")
    kind: Resource = doc("Kind of resource.")
    name: str = doc("The bus, network, channel or disk; empty if the system has one of the kind.")
    verdict: Verdict = doc("Whether the use is within the limit.")
    limit_rule: str = doc("Rule that sets the limit; empty if the capacity is the limit.")
    used: Quantity | None = doc("Sum of the items; null if unknown.")
    items: list[LineItem] = doc("What uses the resource.")
    capacity: Node | None = doc("Capacity; null if unknown.")
    limit: Node | None = doc("How much of it may be used; null if unknown.")


class Explanation(Record):
    """What `sizewright explain --format json` prints."""

    schema_: Literal["sizewright.explain/1"] = doc(
        "Name and version of this format.", alias="schema"
    )
    guide: str = doc("Id of the planning guide.")
    workload: str = doc("Name of the workload.")
    verdict: Literal["holds", "tight", "unknown", "waived", "violated"] = doc(
        "The verdict of the plan."
    )
    size_for: End = doc("End of every range that the plan is sized for.")
    budgets: list[ExplainedBudget] = doc("The budgets that were selected.")


def explain_data(report: PlanReport, resource: str = "") -> JsonData:
    """Return the JSON of the budgets of a resource, of a kind, or of all, as plain data."""
    record = Explanation.make(
        schema=SCHEMA, guide=report.plan.guide.id, workload=report.workload,
        verdict=report.verdict, size_for=report.plan.policy.size_for,
        budgets=[_budget(report, budget) for budget in chosen_budgets(report, resource)],
    )  # fmt: skip
    return record.as_data()


def _budget(report: PlanReport, budget: budgets.Budget) -> ExplainedBudget:
    end = report.plan.policy.size_for
    return ExplainedBudget.make(
        budget,
        items=[LineItem.make(name=i.name, figure=_node(i.figure, end)) for i in budget.items],
        capacity=budget.capacity and _node(budget.capacity, end),
        limit=budget.limit and _node(budget.limit, end),
    )  # fmt: skip


def _node(figure: quantity.Quantity, end: str) -> Node:
    found: dict[str, Any] = {}
    if figure.source is not None:
        found["source"] = figure.source
    if figure.args:
        args = [_node(arg, end) for arg in figure.args]
        found |= {"op": figure.op, "formula": formula(figure, end), "args": args}
    return Node.make(name=figure.name, value=figure, **found)
