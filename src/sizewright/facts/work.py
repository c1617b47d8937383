"""The facts of work on the server's own disks."""

from __future__ import annotations

from sizewright.facts.records import WorkFacts
from sizewright.load.model import WorkLoad


def work_facts(work: WorkLoad) -> WorkFacts:
    """One piece of work; how long a run takes follows from its size and its rate."""
    operations = work.operations
    pace = operations.pace
    run = None
    if pace.run_ops is not None and work.rate.low > 0:
        run = (pace.run_ops / work.rate).named(f"{operations.title}: time of a run")
    return WorkFacts(
        id=f"{operations.service}/{operations.name}",
        service=operations.service,
        run_s=run,
        wanted_s=pace.within_s,
        every_s=pace.every_s,
        access=operations.pattern,
        low_priority=operations.low,
    )
