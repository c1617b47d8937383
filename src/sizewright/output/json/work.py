"""Records of work on disks: its demand, its pace, what limits it, and the time of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sizewright.output.json.common import Quantity, Source, line_records
from sizewright.output.json.demand import Layer, Operation, Pattern
from sizewright.output.json.record import Record, doc

if TYPE_CHECKING:
    from sizewright.evaluate.system import Evaluation
    from sizewright.load.model import WorkLoad

Station = Literal[
    "disks", "active disks", "channel", "bus", "network", "kernel lock", "processors"
]  # fmt: skip


class Run(Record):
    """Work on disks, in runs or open-ended."""

    system: str = doc("Id of the system.")
    service: str = doc("Service.")
    name: str = doc("Name of this work of the service.")
    volume: str = doc("Volume.")
    operation: Operation = doc("Kind of operation.")
    pattern: Pattern = doc("Access pattern.")
    layer: Layer = doc("Raw, or through the file system.")
    block_kb: Quantity = doc("Size of one operation.")
    demand: Quantity | None = doc(
        "Operations per second that arrivals and target times require; null if neither is stated."
    )
    pace: Quantity | None = doc(
        "Operations per second of all runs in progress; null if a rate or a cost is unknown."
    )
    limited_by: Station | None = doc(
        "What limits the pace at the likely values, or whose recommended rate other work uses up; "
        "null if the pace is unknown."
    )
    best_limited_by: Station | None = doc(
        "What limits it if disks are always busy and networks reach their raw speed; null if the "
        "pace is unknown."
    )
    limited_by_requests: bool | None = doc(
        "Whether too few outstanding requests keep this from being busy, so that its response time "
        "limits the pace; if false, its capacity does. Null if the pace is unknown."
    )
    requests: Quantity | None = doc("Outstanding requests of a run; null if the pace is unknown.")
    requests_assumed: bool = doc(
        "Whether `requests` is an assumption: the number of disks that the channels allow to be "
        "active."
    )
    run_s: Quantity | None = doc(
        "Time of a run, from recommended rates of disks and networks to their maximum; null if the "
        "recommended rates leave nothing for it, or if it has no size."
    )
    best_run_s: Quantity | None = doc(
        "Time of a run if disks are always busy and networks reach their raw speed; null if "
        "unknown."
    )
    wanted_s: Quantity | None = doc("Target time; null if none.")
    every_s: Quantity | None = doc("Interval between the starts of runs; null if not stated.")


class YieldingWork(Record):
    """Kernel time of work with low priority."""

    system: str = doc("Id of the system.")
    name: str = doc("The work.")
    used: Quantity = doc("Kernel time if no other work needs it.")
    formula: str = doc("How this was calculated, in numbers.")
    sources: list[Source] = doc("Where each number of the formula comes from.")


def run_record(work: WorkLoad, system: str) -> Run:
    """Return the record of work on the disks of a system."""
    pace, runs = work.pace, work.operations.runs
    return Run.make(
        work.operations, system=system, demand=work.operations.ops,
        pace=pace and pace.rate, limited_by=pace and pace.station,
        best_limited_by=pace and pace.best_station, limited_by_requests=pace and pace.by_requests,
        requests=pace and pace.requests, requests_assumed=runs.outstanding is None,
        run_s=pace and pace.run_s, best_run_s=pace and pace.best_run_s,
        wanted_s=runs.within_s, every_s=runs.every_s,
    )  # fmt: skip


def yielding_records(shown: Evaluation, end: str) -> list[YieldingWork]:
    """Return kernel time of work with low priority, at one end of the ranges."""
    return [
        YieldingWork.make(line, system=shown.system.id)
        for line in line_records(shown.load.low_priority, end)
    ]
