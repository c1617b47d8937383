"""Work on the server's own disks as plain data."""

from __future__ import annotations

from typing import Any

from sizewright.evaluate.system import Evaluation
from sizewright.load.model import WorkLoad
from sizewright.output.plain import explained, maybe, quantity


def work_data(shown: Evaluation) -> list[dict[str, Any]]:
    """Return each work in runs: its demand, its pace, what limits that, and the time of a run."""
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
            "demand": maybe(work.rate),
            **_pace(work),
            "wanted_s": maybe(work.operations.runs.within_s),
            "every_s": maybe(work.operations.runs.every_s),
        }
        for work in shown.load.works
    ]


def _pace(work: WorkLoad) -> dict[str, Any]:
    pace = work.pace
    return {
        "pace": maybe(pace and pace.rate),
        "limited_by": pace and pace.station,
        "best_limited_by": pace and pace.best_station,
        "limited_by_requests": pace and pace.by_requests,
        "requests": maybe(pace and pace.requests),
        "requests_assumed": work.operations.runs.outstanding is None,
        "run_s": maybe(pace and pace.run_s),
        "best_run_s": maybe(pace and pace.best_run_s),
    }


def yielding_data(shown: Evaluation, end: str) -> list[dict[str, Any]]:
    """Kernel time of work that yields to all other."""
    return [
        {"system": shown.system.id, "name": line.name, **explained(line.figure, end)}
        for line in shown.load.low_priority
    ]
