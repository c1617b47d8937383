"""Finds the parts of a plan or check that quantities of predictions are about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from predictions.comparing import worst
from predictions.entries import Trial
from sizewright.configuration.model import Port, System, Volume
from sizewright.demand.rates import LineItem, Operations
from sizewright.evaluate.budgets import Budget
from sizewright.evaluate.system import Evaluation
from sizewright.quantity import Quantity, total
from sizewright.rules.rule import LIMITS, Finding

Extractor = Callable[..., Any]
TABLE: list[tuple[re.Pattern[str], Extractor]] = []


class NothingThereError(LookupError):
    """The plan or check has nothing of the kind that was predicted."""


def extracts(*patterns: str) -> Callable[[Extractor], Extractor]:
    def put(extractor: Extractor) -> Extractor:
        TABLE.extend((re.compile(pattern), extractor) for pattern in patterns)
        return extractor

    return put


def shown_system(trial: Trial) -> Evaluation:
    if not trial.judged:
        raise NothingThereError("no system is shown")
    return trial.judged[0]


def name_in(subject: str) -> str:
    """Return the name in a subject: `work query-1`, `volume rows`, `network office`, or `esp0`."""
    return subject.split()[-1]


def budgets_of(trial: Trial, *kinds: str, names: Iterable[str] | None = None) -> tuple[Budget, ...]:
    wanted = None if names is None else set(names)
    return tuple(
        budget for judged in trial.judged for budget in judged.budgets
        if budget.kind in kinds and (wanted is None or budget.name in wanted)
    )  # fmt: skip


def budget_of(trial: Trial, *kinds: str, name: str = "") -> Budget:
    found = budgets_of(trial, *kinds, names=(name,))
    if not found:
        raise NothingThereError(f"no budget of {' or '.join(kinds)} {name}")
    return found[0]


def lines_of(trial: Trial, kind: str) -> Iterator[LineItem]:
    for budget in budgets_of(trial, kind):
        yield from budget.items


def work_of(trial: Trial, subject: str) -> Operations:
    name = name_in(subject)
    return next(work for work in trial.demand.operations if work.name == name)


def volume_of(trial: Trial, subject: str) -> str:
    return work_of(trial, subject).volume if subject.startswith("work ") else name_in(subject)


def laid_volume(trial: Trial, subject: str) -> tuple[System, Volume]:
    name = volume_of(trial, subject)
    for judged in trial.judged:
        for volume in judged.system.volumes:
            if volume.name == name:
                return judged.system, volume
    raise NothingThereError(f"volume {name} is on no disk")


def ports_of(trial: Trial, subject: str) -> tuple[tuple[System, Port], ...]:
    name = name_in(subject)
    return tuple(
        (judged.system, port) for judged in trial.judged for port in judged.system.ports
        if port.network == name
    )  # fmt: skip


def findings_of(trial: Trial, rule: str, subject: str = "") -> tuple[Finding, ...]:
    return tuple(
        finding for judged in trial.judged for finding in judged.findings
        if finding.rule == rule and subject in ("", "plan", "all", finding.subject.split("/")[-1])
        and finding.verdict != "not_applicable"
    )  # fmt: skip


def sum_of(figures: Iterable[Quantity]) -> Quantity:
    parts = tuple(figures)
    if not parts:
        raise NothingThereError("no line of the kind")
    return total(parts, parts[0].unit)


def figure_within(figure: Quantity, name: str) -> Quantity | None:
    """Return the figure of a name in the tree of another."""
    todo = [figure]
    while todo:
        each = todo.pop()
        if each.name == name:
            return each
        todo.extend(each.args)
    return None


def kernel_figure(trial: Trial, name: str) -> Quantity:
    """Return the figure of a name among the lines of kernel time, in ms/s."""
    for judged in trial.judged:
        for line in judged.load.kernel_lock or ():
            found = figure_within(line.figure, name)
            if found is not None:
                return found
    raise NothingThereError(f"no line '{name}'")


def without_manager(time: Quantity) -> Quantity:
    """Return the time of operations without the share that a volume manager adds to it."""
    while time.op == "is":
        (time,) = time.args
    if time.op == "*" and time.args[1].op == "+" and time.args[1].unit == "1":
        return time.args[0]
    return time


def work_findings(trial: Trial, subject: str) -> tuple[Finding, ...]:
    work = work_of(trial, subject)
    rules = {rule.id for rule in trial.engine.rule_set.rules if rule.subject == "work"}
    return tuple(
        finding for judged in trial.judged for finding in judged.findings
        if finding.rule in rules and finding.severity in LIMITS
        and finding.subject.endswith(f"{work.service}/{work.name}")
    )  # fmt: skip


# What rules read of a resource beside the budget's own limits.
_READ = {
    "kernel_lock": {"kernel_lock_share"},
    "processors": {"processor_share"},
    "space": {"file_system_share"},
}


def with_findings(trial: Trial, budget: Budget) -> Budget:
    """Return a budget with the worst verdict of it and of the rules that limit what it is for."""
    rules = {
        rule.id for rule in trial.engine.rule_set.rules
        if rule.severity in LIMITS and {name for _, name in rule.reads} & _READ[budget.kind]
    }  # fmt: skip
    said = [
        finding.verdict for judged in trial.judged for finding in judged.findings
        if finding.rule in rules and finding.verdict not in ("not_applicable", "unknown")
        and finding.subject.split("/")[-1] in (budget.name, budget.system)
    ]  # fmt: skip
    verdict = worst((budget.verdict, *said))
    words = {"pass": "holds", "borderline": "tight", "fail": "violated"}
    return budget._replace(verdict=words.get(verdict, verdict))
