"""Records of two systems, of remedies of a kernel lock, and of rejected platforms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sizewright.output.json.common import Finding, Line, Quantity, line_records
from sizewright.output.json.configuration import Configuration, configuration_record
from sizewright.output.json.record import Number, Positive, Record, doc

if TYPE_CHECKING:
    from sizewright.output.reports import PlanReport
    from sizewright.planner import plan
    from sizewright.planner.infeasibility import Rejection

Role = Literal["primary", "alternate"]


class Failover(Record):
    """The failure of one of two systems."""

    failed: Role = doc("System that fails.")
    survivor: Role = doc("System that remains.")
    used: Quantity = doc("Kernel time of the work of both systems there.")
    capacity: Quantity = doc("Kernel time available.")
    items: list[Line] = doc("What uses it.")


class Pair(Record):
    """Two systems."""

    primary: list[str] = doc("Services of the primary.")
    alternate: list[str] = doc("Services of the alternate.")
    failover: list[Failover] = doc("The kernel work of each system if the other fails.")


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
    items: list[Line] = doc("What uses it, the largest first.")
    proposals: list[Remedy] = doc("Remedies of the guide, each on its own.")


class Rejected(Record):
    """A platform that does not meet every limit."""

    system: str = doc("Id of the system that it was tried for; empty if it was for all services.")
    processors: Positive | None = doc(
        "Processors of its closest configuration; null if its parts cannot attach what is needed."
    )
    platform: str = doc("Row of `platforms`.")
    name: str = doc("Its name.")
    load_share: Number = doc(
        "Share of the load that it supports; 0 if slots or rules prevent any load."
    )
    waive: list[str] = doc("Rules that it breaks at any load.")
    reasons: list[str] = doc("What it breaks.")
    findings: list[Finding] = doc("The findings behind the reasons.")


class Nearest(Record):
    """The rejected platform that is the closest alternative."""

    platform: str = doc("Row of `platforms`.")
    name: str = doc("Its name.")
    reasons: list[str] = doc("What it breaks.")
    configuration: Configuration | None = doc(
        "Its closest configuration; null if its parts cannot attach what is needed."
    )


class Change(Record):
    """A change after which the closest alternative meets every limit."""

    platform: str = doc("Row of `platforms`.")
    load_share: Number = doc("Share of the load that it supports.")
    waive: list[str] = doc("Rules that would have to be waived.")


def pair_record(pair: plan.Pair | None, end: str) -> Pair | None:
    """Return the record of two systems; None if there is one."""
    if pair is None:
        return None
    failover = [Failover.make(each, items=line_records(each.lines, end)) for each in pair.failover]
    return Pair.make(pair.deal, failover=failover)


def kernel_lock_record(report: PlanReport) -> KernelLock | None:
    """Return by how much the closest single system exceeds its kernel lock; None if it does not."""
    found = report.excess
    if found is None:
        return None
    from sizewright.output.kernel_lock import list_remedies

    used, limit = found.budget.used, found.budget.limit
    assert used is not None and limit is not None
    return KernelLock.make(
        platform=found.platform, used=used, limit=limit, over=report.at_end(used) - limit.low,
        items=line_records(found.lines, report.plan.policy.size_for),
        proposals=list(list_remedies(found, report.plan)),
    )  # fmt: skip


def rejected_record(found: Rejection, system: str) -> Rejected:
    """Return the record of a platform that was tried for a system, or for all services."""
    judged = found.judgement
    return Rejected.make(found, system=system, processors=judged and judged.system.processors)


def nearest_record(nearest: Rejection | None) -> Nearest | None:
    """Return the record of the closest alternative; None if a configuration was found."""
    if nearest is None:
        return None
    judged = nearest.judgement
    return Nearest.make(nearest, configuration=judged and configuration_record(judged.system))
