"""Records of failures and of sensitivity: what changes if a part fails, or if an input changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from sizewright.output.failure import BudgetChange, budget_changes, finding_changes
from sizewright.output.json.common import Finding, Part, Quantity, Source, source_records
from sizewright.output.json.record import End, Number, Record, doc
from sizewright.rules.rule import Verdict

if TYPE_CHECKING:
    from sizewright import failure
    from sizewright.check.rule_filter import RuleFilter
    from sizewright.evaluate.policy import Policy
    from sizewright.sensitivity import thresholds


class Outage(Record):
    """A service that stops."""

    service: str = doc("Its name.")
    volumes: list[str] = doc("Its volumes that are lost.")
    networks: list[str] = doc("Its networks that are lost; it continues on the others.")


class ChangedBudget(Record):
    """A resource before and after the failure."""

    resource: str = doc("Id of the budget.")
    kind: str = doc("Kind of resource.")
    name: str = doc("The part; empty for the system as a whole.")
    used_before: Quantity | None = doc(
        "Use before; null if unknown, or if there was no such resource."
    )
    used: Quantity | None = doc("Use after; null if unknown.")
    limit_before: Quantity | None = doc("Limit before; null if unknown.")
    limit: Quantity | None = doc("Limit after; null if unknown.")
    verdict_before: Verdict | None = doc("Verdict before; null if there was no such resource.")
    verdict: Verdict = doc("Verdict after.")


class ChangedFinding(Record):
    """A finding before and after the failure."""

    before: Verdict | None = doc("Verdict before; null if there was no such finding.")
    finding: Finding = doc("The finding after.")


class Failure(Record):
    """What a system is without one part."""

    component: str = doc("The part, as it was named.")
    kind: Part = doc("Kind of part.")
    system: str = doc("The system that is evaluated: if a system fails, the remaining one.")
    holds: bool = doc(
        "Whether nothing is lost or stops, and every limit that was met before is still met."
    )
    gone: list[str] = doc("Ids of all parts that are lost with it.")
    lost: list[str] = doc("Volumes without a copy, or that the remaining system does not reach.")
    cut_off: list[str] = doc("Communities of clients without a network.")
    down: list[Outage] = doc(
        "Services that stop. A box file does not state which data a service needs, so a check "
        "lists none."
    )
    untold: bool = doc("Whether disks are lost whose contents are not stated.")
    broken: list[str] = doc(
        "Limits that were met before and are not met now, at the end of the ranges that the policy "
        "names: `rule` with its id and subject, or the id of a budget. Rules that ask for the lost "
        "copies themselves do not count."
    )
    budgets: list[ChangedBudget] = doc(
        "Resources whose use, limit or verdict changes; those with another verdict first."
    )
    findings: list[ChangedFinding] = doc("Findings whose verdict changes.")


def failure_records(
    failures: Iterable[failure.Failure], policy: Policy, selection: RuleFilter
) -> list[Failure]:
    """Return what each failure changes; of findings only those of selected rules."""
    return [
        Failure.make(
            each,
            budgets=[_changed_budget(change) for change in budget_changes(each, policy)],
            findings=[
                ChangedFinding.make(before=change.before, finding=change.after)
                for change in finding_changes(each, selection)
            ],
        )
        for each in failures
    ]


def _changed_budget(change: BudgetChange) -> ChangedBudget:
    was, verdicts = change.before, change.verdicts
    return ChangedBudget.make(
        change.after, used_before=was and was.used, limit_before=was and was.limit,
        verdict_before=verdicts[0], verdict=verdicts[1],
    )  # fmt: skip


class Threshold(Record):
    """A value of one input at which a verdict changes."""

    leaf: Source = doc("The input, with its value.")
    end: End = doc("End of its range that counts.")
    value: Number = doc(
        "Value of that end at which the verdict changes, in the unit of the input. All its ends "
        "are changed by the same factor."
    )
    factor: Number = doc("This value ÷ the value of the input.")
    holds: Literal["at_most", "at_least"] = doc(
        "Whether the resource passes up to this value, or from it."
    )
    holds_now: bool = doc("Whether it passes at the value of the input.")
    resource: str = doc("Id of the budget whose verdict changes.")
    also: list[str] = doc("Ids of other budgets that change at the same value in the same way.")
    first: bool = doc(
        "Whether no verdict can change before. It is false if the input may act both ways, so that "
        "the range was searched in steps."
    )


class Steady(Record):
    """Inputs that change no verdict."""

    within: Number = doc("Factor by which each input was increased and reduced.")
    leaves: int = doc("Inputs that change no verdict within this factor.")
    at_zero: int = doc("Inputs that are 0, so that no factor changes them.")


def sensitivity_keys(found: thresholds.BreakEven | None) -> dict[str, Any]:
    """Return the keys `break_even` and `steady`; both null if `--break-even` was not given."""
    if found is None:
        return {"break_even": None, "steady": None}
    return {
        "break_even": [_threshold(each) for each in found.flips],
        "steady": Steady.make(found, leaves=found.steady),
    }


def _threshold(found: thresholds.Threshold) -> Threshold:
    (leaf,) = source_records(found.leaf)
    return Threshold.make(found, leaf=leaf, holds="at_most" if found.at_most else "at_least")
