"""Records of what could be otherwise: failures, sensitivity, several systems, other plans."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from sizewright import failure
from sizewright.check.rule_filter import RuleFilter
from sizewright.guide import model
from sizewright.output.failure import budget_changes, finding_changes
from sizewright.output.findings import rejection_reasons
from sizewright.output.json import common
from sizewright.output.json.common import Count, End, Number, Part, Positive, Quantity, Record, doc
from sizewright.output.json.configuration import Configuration, backup_records
from sizewright.output.provenance import Origins
from sizewright.output.remedies import list_remedies
from sizewright.output.reports import PlanReport, Report
from sizewright.planner import plan
from sizewright.planner.infeasibility import Rejection
from sizewright.rules.rule import Verdict

if TYPE_CHECKING:
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
    used_before: Quantity | None = doc("Use before; null if unknown, or if the resource is new.")
    used: Quantity | None = doc("Use after; null if unknown.")
    limit_before: Quantity | None = doc("Limit before; null if unknown.")
    limit: Quantity | None = doc("Limit after; null if unknown.")
    verdict_before: Verdict | None = doc("Verdict before; null if there was no such resource.")
    verdict: Verdict = doc("Verdict after.")


class ChangedFinding(Record):
    """A finding before and after the failure."""

    before: Verdict | None = doc("Verdict before; null if there was no such finding.")
    finding: common.Finding = doc("The finding after.")


class Failure(Record):
    """What a system is without one part."""

    component: str = doc("The part, as it was named.")
    kind: Part = doc("Kind of part.")
    system: str = doc("The system that is evaluated: if a system fails, the remaining one.")
    holds: bool = doc("Whether nothing is lost or stops, and every limit met before is still met.")
    gone: list[str] = doc("Ids of all parts that are lost with it.")
    lost: list[str] = doc("Volumes without a copy, or that the remaining system does not reach.")
    cut_off: list[str] = doc("Communities of clients without a network.")
    down: list[Outage] = doc(
        "Services that stop. A box file does not state which data a service needs, so a check "
        "lists none."
    )
    untold: bool = doc("Whether disks are lost whose contents are not stated.")
    broken: list[str] = doc(
        "Limits that were met before and are not met now (by a plan at the end of the ranges that "
        "the policy names, in a check at every end): `rule` with its id and subject, or the id of "
        "a budget whose limit no rule in the list names. Rules that ask for the lost copies "
        "themselves do not count."
    )
    borderline: list[str] = doc(
        "Limits that were met before and are borderline now: met only in the best case, or above a "
        "recommended limit. They do not count for `holds`."
    )
    budgets: list[ChangedBudget] = doc(
        "Resources whose use, limit or verdict changes; those with another verdict first."
    )
    findings: list[ChangedFinding] = doc("Findings whose verdict changes.")


def failure_records(failures: Iterable[failure.Failure], selection: RuleFilter) -> list[Failure]:
    """Return what each failure changes; of findings only those of selected rules."""
    return [
        Failure.make(
            each,
            budgets=[
                ChangedBudget.make(
                    now, used_before=was and was.used, limit_before=was and was.limit,
                    verdict_before=was and was.verdict,
                )
                for was, now in budget_changes(each)
            ],
            findings=[
                ChangedFinding.make(before=before, finding=finding)
                for before, finding in finding_changes(each, selection)
            ],
        )
        for each in failures
    ]  # fmt: skip


class Threshold(Record):
    """A value of one input at which a verdict changes."""

    leaf: common.Source = doc("The input, with its value.")
    end: End = doc("End of its range that counts.")
    value: Number = doc(
        "Value of that end at which the verdict changes, in the unit of the input. All its ends "
        "are changed by the same factor."
    )
    factor: Number = doc("This value ÷ the value of the input.")
    holds: Literal["at_most", "at_least"] = doc("Whether it passes up to this value, or from it.")
    holds_now: bool = doc("Whether it passes at the value of the input.")
    resource: str = doc("Id of the budget whose verdict changes.")
    also: list[str] = doc("Ids of other budgets that change at the same value in the same way.")
    first: bool = doc(
        "Whether no verdict can change before. It is false if the input may act both ways, so that "
        "the range was searched in steps."
    )


Thresholds = Annotated[
    list[Threshold] | None,
    doc(
        "For each input of the budgets, the nearest value below and the nearest value above at "
        "which a verdict changes if nothing else changes; the nearest first. Null without "
        "`--break-even`."
    ),
]


BorderlineFrom = Annotated[
    list[Threshold] | None,
    doc(
        "For each input, the nearest values beyond which a recommended limit is exceeded, if no "
        "budget fails before. Null without `--break-even`."
    ),
]


class Steady(Record):
    """Inputs that change no verdict."""

    within: Number = doc("Factor by which each input was increased and reduced.")
    leaves: int = doc("Inputs that change no verdict within this factor.")
    at_zero: int = doc("Inputs that are 0, so that no factor changes them.")


def shared_keys(report: Report, uses: Iterable[tuple[model.Change, bool]]) -> dict[str, Any]:
    """Return the keys that the record of a plan and that of a check share.

    `uses` are the changes of overlays. What `--break-even` finds is null without it.
    """
    origins, found = Origins(report.budgets, report.findings), report.break_even
    return {
        "budgets": common.budget_records(report.budgets, report.end, origins),
        "sources": common.origin_records(origins),
        "no_kernel_lock": common.no_lock_records(report.guide, report.systems),
        "backups": backup_records(report.systems, report.guide, report.end),
        "break_even": found and _threshold_records(found.flips),
        "borderline_from": found and _threshold_records(found.borderline),
        "steady": found and Steady.make(found, leaves=found.steady),
        "failed": failure_records(report.failed, report.selection),
        "overlays": common.overlay_records(uses),
    }


def _threshold_records(flips: Iterable[thresholds.Threshold]) -> list[Threshold]:
    return [
        Threshold.make(each, leaf=leaf, holds="at_most" if each.at_most else "at_least")
        for each in flips for leaf in common.source_records(each.leaf)
    ]  # fmt: skip


class Served(Record):
    """The share of its rates that a service keeps after a failure."""

    service: str = doc("The service.")
    share: Number = doc("Share of its rates; 0 if it stops.")


class Failover(Record):
    """The failure of one of a pair of systems."""

    failed: str = doc("System that fails.")
    survivor: str = doc("System that remains.")
    served: list[Served] = doc("Services that are slower then, or stop.")
    budgets: list[common.Budget] = doc("Every resource of the system that remains.")


class Member(Record):
    """One of several systems."""

    name: str = doc("Id of the system.")
    services: list[str] = doc("Its services.")
    quantity: Count = doc("Number of identical systems.")


class Group(Record):
    """Several systems."""

    members: list[Member] = doc("The systems; identical ones once.")
    standby: str = doc(
        "Id of the first system that is idle until the other of its pair fails; else empty."
    )
    failover: list[Failover] = doc(
        "What each of a pair of systems runs alone; empty if it is not planned that they survive. "
        "A system that is in none runs only services that may stop."
    )


class Remedy(Record):
    """A way to relieve the kernel lock."""

    kind: Literal["disk_interface", "protocol_interface", "many_locks", "two_systems"] = doc(
        "Disks of another interface, network interfaces that process protocols, an operating "
        "system with many locks, or two systems."
    )
    name: str = doc(
        "The disks' interface, or the row of `network-interfaces` or `operating-systems`; empty "
        "for two systems."
    )
    says: str = doc("The remedy in words.")
    used: list[Quantity] = doc("Kernel time that is left on each system; empty if unknown.")
    holds: bool | None = doc("Whether every kernel lock is then under its limit; null if unknown.")
    available: bool = doc("Whether it is possible here.")


class KernelLock(Record):
    """A single system that exceeds its kernel lock."""

    platform: str = doc("Row of `platforms`: the closest alternative.")
    used: Quantity = doc("Kernel time of all services on it.")
    limit: Quantity = doc("The limit.")
    over: Number = doc("Excess in ms/s, at the end that the plan is sized for.")
    items: list[common.Line] = doc("What uses it, the largest first.")
    proposals: list[Remedy] = doc("Remedies of the guide, each on its own.")


class Shortfall(Record):
    """What a platform has too little of, whatever is chosen."""

    resource: str = doc("What it has too little of.")
    subject: str = doc("What needs it.")
    needed: Quantity = doc("How much is needed at least.")
    available: Quantity = doc("How much the platform can have.")
    message: str = doc("Both in words.")


class Rejected(Record):
    """A platform that does not meet every limit."""

    system: str = doc("Id of the system that it was tried for; empty if it was for all services.")
    processors: Positive | None = doc(
        "Processors of its closest configuration; null if its parts cannot attach what is needed."
    )
    platform: str = doc("Row of `platforms`.")
    name: str = doc("Its name.")
    load_share: Number = doc(
        "Share of the load that it supports at least; 0 if slots or rules prevent any."
    )
    waive: list[str] = doc("Rules that it breaks at any load.")
    reasons: list[str] = doc("What it breaks, as reports state it.")
    findings: list[common.Finding] = doc("The findings behind the reasons.")
    lacks: list[Shortfall] = doc("What it has too little of, whatever is chosen.")


class Nearest(Record):
    """The rejected platform that is the closest alternative."""

    platform: str = doc("Row of `platforms`.")
    name: str = doc("Its name.")
    reasons: list[str] = doc("What it breaks, as reports state it.")
    configuration: Configuration | None = doc(
        "Its closest configuration; null if its parts cannot attach what is needed."
    )


class Change(Record):
    """A change after which the closest alternative meets every limit."""

    platform: str = doc("Row of `platforms`.")
    load_share: Number = doc("Share of the load that it supports.")
    waive: list[str] = doc("Rules that would have to be waived.")


def group_record(group: plan.Group, end: str) -> Group:
    """Return the record of several systems."""
    failover = [
        Failover.make(each, budgets=common.budget_records(each.state.budgets, end))
        for each in group.failover
    ]
    return Group.make(group, standby=next(iter(group.idle), ""), failover=failover)


def kernel_lock_record(report: PlanReport) -> KernelLock | None:
    """Return by how much the closest single system exceeds its kernel lock; None if it does not."""
    found = report.excess
    if found is None:
        return None
    used, limit = found.budget.used, found.budget.limit
    assert used is not None and limit is not None
    return KernelLock.make(
        found, used=used, limit=limit, over=used.at(report.end) - limit.low,
        items=common.line_records(found.lines, report.end),
        proposals=list_remedies(found, report.plan),
    )  # fmt: skip


def rejected_record(found: Rejection, system: str, guide: model.Guide) -> Rejected:
    """Return the record of a platform that was tried for a system, or for all services."""
    judged = found.judgement
    return Rejected.make(
        found, system=system, processors=judged and judged.system.processors,
        reasons=rejection_reasons(guide, found),
    )  # fmt: skip


class Size(Record):
    """What makes one configuration of a platform smaller than another, most important first."""

    excess: Count = doc("Excess over recommended limits: used ÷ limit − 1 of each, in parts of 5%.")
    advice: Count = doc("Pieces of advice that are not followed.")
    tight: Count = doc("Pieces of advice that are followed only in the best case of ranges.")
    units: Count = doc("Units beside the server: terminal servers.")
    boards: Count = doc("Boards, with those of memory.")
    devices: Count = doc("Disks and removable media.")
    installed_mb: Number = doc("Megabytes on disks.")
    memory_mb: Number = doc("Megabytes of memory.")
    options: Count = doc("Options beside boards and devices: processors and software.")
    unrelieved: Count = doc(
        "KB/s on networks of files whose interfaces spare the processors nothing."
    )


class Gap(Record):
    """What the search of a platform that stopped early leaves open."""

    system: str = doc("Id of the system; empty if none was found.")
    platform: str = doc("The platform.")
    found: Size | None = doc("The smallest configuration found; null if none was found.")
    bound: Size = doc("No configuration of the platform that passes is smaller.")
