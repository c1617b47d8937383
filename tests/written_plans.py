"""Plans written as box files and read back, and what can be compared of the two."""

from __future__ import annotations

from typing import Any

from generated_boxes import check_text
from generated_workloads import ENGINE
from sizewright.api import Engine
from sizewright.check.check import Check
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.system import Evaluation
from sizewright.facts.records import RECORDS, facts_of
from sizewright.output.box_file import box_text
from sizewright.output.reports import PlanReport
from sizewright.planner.plan import Plan
from sizewright.quantity import Quantity

FILE = "plan.yaml"


def written(plan: Plan, name: str = "generated", title: str = "") -> str:
    """The text of the box file of a plan that was found."""
    assert plan.chosen is not None
    return box_text(PlanReport(plan, name, title, "generated.yaml", "0" * 64), plan.chosen)


def reread(text: str, engine: Engine = ENGINE) -> Check:
    """A box file checked as `sizewright check` does."""
    return check_text(text, engine, FILE)


def exact(figure: Quantity | None) -> Any:
    """All of a figure's digits."""
    return figure and (figure.low, figure.likely, figure.high, figure.unit)


def of_budgets(judged: Evaluation) -> list[Any]:
    """Every budget in its order, with all digits of every line."""
    return list(map(_of_budget, judged.budgets))


def _of_budget(budget: Budget) -> Any:
    figures = (budget.used, budget.capacity, budget.limit, budget.utilisation)
    lines = [
        (name, exact(line.figure)) for name, line in zip(_names(budget), budget.items, strict=True)
    ]
    return budget.resource, *map(exact, figures), budget.limit_rule, budget.verdict, lines


def _names(budget: Budget) -> list[str]:
    """The names of its lines; a file tells those of one name apart by numbers."""
    names = [line.name for line in budget.items]
    before = [names[:place].count(name) for place, name in enumerate(names)]
    return [f"{name} ({n + 1})" if n else name for name, n in zip(names, before, strict=True)]


def of_findings(judged: Evaluation, rules: set[str]) -> dict[tuple[str, str], str]:
    """Rule and subject -> verdict, for some rules."""
    return {(f.rule, f.subject): f.verdict for f in judged.findings if f.rule in rules}


# Facts that a box file does not carry, with the reason.
ONLY_OF_PLANS = {
    ("work", ""): "how long a run takes and how often one begins is asked for, never measured",
    ("system", "processors_wanted"): "what services could use is asked for; a box shows what runs",
    (
        "system",
        "controller_may_fail",
    ): "what must be survived is asked for, and never seen",
}


# Facts that no plan has; a box file that a plan wrote may show some of them.
_ONLY_OF_BOXES = {
    (subject, name) for subject in RECORDS for name, fact in facts_of(subject).items() if fact.seen
}


def of_facts(judged: Evaluation) -> dict[tuple[str, str, str], Any]:
    """Subject, id and name -> value of every fact that is known and that a box file carries."""
    return {
        (subject, record.id, name): exact(value) if isinstance(value, Quantity) else value
        for subject, records in judged.facts.by_subject().items()
        for record in records
        for name, value in zip(record._fields, record, strict=True)
        if value is not None
        and not {(subject, ""), (subject, name)} & ONLY_OF_PLANS.keys()
        and (subject, name) not in _ONLY_OF_BOXES
    }


def differences(plan: Plan, found: Check) -> list[str]:
    """What a box read back says otherwise than the plan that it was written from."""
    assert plan.chosen is not None
    rules = {rule.id for rule in plan.rules if "box" in rule.judges}
    pairs = {
        "budgets": (of_budgets(plan.chosen), of_budgets(found.judged)),
        "findings": (of_findings(plan.chosen, rules), of_findings(found.judged, rules)),
        "facts": (of_facts(plan.chosen), of_facts(found.judged)),
    }
    told = []
    for what, (before, after) in pairs.items():
        if before == after:
            continue
        old = set(map(repr, before.items() if isinstance(before, dict) else before))
        new = set(map(repr, after.items() if isinstance(after, dict) else after))
        told += [f"{what}: lost {each}" for each in sorted(old - new)]
        told += [f"{what}: new {each}" for each in sorted(new - old)]
        told += [f"{what}: in another order"] if old == new else []
    return told
