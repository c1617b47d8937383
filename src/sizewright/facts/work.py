"""The facts of work on the server's own disks."""

from __future__ import annotations

from sizewright.facts.records import WorkFacts
from sizewright.load.model import WorkLoad


def work_facts(work: WorkLoad) -> WorkFacts:
    """One piece of work; how long a run takes follows from its size and its rate."""
    operations = work.operations
    runs, pace = operations.runs, work.pace
    return WorkFacts(
        id=f"{operations.service}/{operations.name}",
        service=operations.service,
        run_s=pace.run_s if pace else None,
        best_run_s=pace.best_run_s if pace else None,
        lasts=pace.lasts if pace else None,
        wanted_s=runs.within_s,
        every_s=runs.every_s,
        access=operations.pattern,
        low_priority=operations.low,
    )
