"""Work on the server's own disks as plain data."""

from __future__ import annotations

from typing import Any

from sizewright.facts.work import work_facts
from sizewright.figure import Figure
from sizewright.load.model import WorkLoad
from sizewright.planner.judge import Judgement
from sizewright.report.plain import explained, maybe, quantity

# What sets the rate of work: what is asked for, its disks, the network that takes its results, or
# either of these where it hangs on the ranges.
LIMITS = ("demand", "disks", "network", "either")


def limited_by(work: WorkLoad) -> str:
    """What sets the rate of some work, at the likely values."""
    if work.operations.ops is not None:
        return LIMITS[0]
    rate = work.rate.args[0] if work.rate.op == "is" else work.rate
    if rate.op != "readings" or rate.args[0].op != "min":
        return "disks"
    disks, network = rate.args[0].args
    if network.likely < disks.likely:
        return "network"
    return "either" if network.low < disks.high else "disks"


def run_s(work: WorkLoad) -> Figure | None:
    """How long a run takes; None where it does not end."""
    run = work_facts(work).run_s
    return run if isinstance(run, Figure) else None


def work_data(shown: Judgement) -> list[dict[str, Any]]:
    """Runs on disks: what they do, how fast they go, what sets that, and how long they take."""
    return [
        {
            "system": shown.system.id,
            "service": work.operations.service,
            "name": work.operations.name,
            "volume": work.operations.volume,
            "operation": work.operations.operation,
            "pattern": work.operations.pattern,
            "layer": work.operations.layer,
            "block_kb": quantity(work.operations.block_kb),
            "rate": quantity(work.rate),
            "limited_by": limited_by(work),
            "run_s": maybe(run_s(work)),
            "wanted_s": maybe(work.operations.runs.within_s),
            "every_s": maybe(work.operations.runs.every_s),
        }
        for work in shown.load.works
    ]


def yielding_data(shown: Judgement, end: str) -> list[dict[str, Any]]:
    """Kernel time of work that yields to all other."""
    return [
        {"system": shown.system.id, "name": line.name, **explained(line.figure, end)}
        for line in shown.load.yielding
    ]
