"""The record of an explanation, `sizewright.explain/1`: each number is a tree."""

from __future__ import annotations

from typing import Literal

from sizewright import quantity
from sizewright.evaluate import budgets
from sizewright.formula import formula
from sizewright.output.explain import choose, conditions, read_values
from sizewright.output.json import common
from sizewright.output.json.common import End, JsonData, Quantity, Record, doc
from sizewright.output.reports import Report
from sizewright.rules import rule
from sizewright.rules.rule import Verdict, in_words

SCHEMA = "sizewright.explain/1"


class LeafSource(Record):
    """Where a number comes from."""

    kind: common.SourceKind
    where: common.SourcePlace
    cite: common.Cite
    status: common.Status


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
    kind: common.Resource = doc("Kind of resource.")
    name: str = doc("The bus, network, channel or disk; empty if the system has one of the kind.")
    verdict: Verdict = doc("Whether the use is within the limit.")
    limit_rule: str = doc("Rule that sets the limit; empty if the capacity is the limit.")
    used: Quantity | None = doc("Sum of the items; null if unknown.")
    items: list[LineItem] = doc("What uses the resource.")
    capacity: Node | None = doc("Capacity; null if unknown.")
    limit: Node | None = doc("How much of it may be used; null if unknown.")


class ReadValue(Record):
    """A fact or a parameter that a finding depends on."""

    name: str = doc("The fact, as `subject.name`, or the parameter of the rule.")
    what: str = doc("What it is.")
    value: str = doc("Its value in words; `unknown` if it is missing.")
    figure: Node | None = doc("The number with its expression; null if it is no number.")


class ExplainedFinding(Record):
    """The result of a rule for a subject, traced to its sources."""

    rule: str = doc("Id of the rule.")
    title: str = doc("What the rule is about.")
    severity: common.Severity = doc("What it means to break the rule.")
    subject: str = doc("The system's id, or `system/kind/name`.")
    verdict: Verdict = doc("Whether the requirement is met.")
    message: str = doc("What was found; empty if the rule is not applicable.")
    remedy: str = doc("What to do; empty if nothing is to be done.")
    source: str = doc("Where the guide states the rule.")
    when: str = doc("When the rule applies, as a condition; empty if always.")
    require: str = doc("What it requires, as a condition.")
    values: list[ReadValue] = doc("Each fact that these conditions read, and each parameter.")


class Explanation(Record):
    """What `sizewright explain --format json` prints."""

    schema_: Literal["sizewright.explain/1"] = doc("The format with its version.", alias="schema")
    guide: str = doc("Id of the planning guide.")
    workload: str = doc("Name of the workload, or of the server.")
    verdict: common.PlanVerdict = doc("The verdict of the plan, or of the check.")
    size_for: End = doc("End of every range that is sized for.")
    end: End = doc("End of every range at which formulas are calculated.")
    budgets: list[ExplainedBudget] = doc("The budgets that were selected.")
    findings: list[ExplainedFinding] = doc("The findings that were selected.")


def explain_data(report: Report, wanted: str = "", end: str | None = None) -> JsonData:
    """Return the JSON of the budgets and findings that are wanted, as plain data.

    Formulas are those of an end of all ranges, by default of the one that is sized for.
    """
    budgets, findings = choose(report, wanted)
    shown = end or report.end
    record = Explanation.make(
        schema=SCHEMA, guide=report.guide.id, workload=report.name, verdict=report.verdict,
        size_for=report.end, end=shown, budgets=[_budget(budget, shown) for budget in budgets],
        findings=[_finding(finding, report, shown) for finding in findings],
    )  # fmt: skip
    return record.as_data()


def _finding(finding: rule.Finding, report: Report, end: str) -> ExplainedFinding:
    when, require = conditions(finding)
    values = [
        ReadValue.make(
            name=name,
            what=what,
            value=in_words(value),
            figure=_node(value, end) if isinstance(value, quantity.Quantity) else None,
        )
        for name, what, value in read_values(finding, report.guide)
    ]
    return ExplainedFinding.make(finding, when=when, require=require, values=values)


def _budget(budget: budgets.Budget, end: str) -> ExplainedBudget:
    return ExplainedBudget.make(
        budget,
        items=[LineItem.make(name=i.name, figure=_node(i.figure, end)) for i in budget.items],
        capacity=budget.capacity and _node(budget.capacity, end),
        limit=budget.limit and _node(budget.limit, end),
    )  # fmt: skip


def _node(figure: quantity.Quantity, end: str) -> Node:
    return Node.make(
        name=figure.name, value=figure, source=figure.source, op=figure.args and figure.op,
        formula=figure.args and formula(figure, end), args=[_node(arg, end) for arg in figure.args],
    )  # fmt: skip
