"""Plans of case study 1 a second of cpu time, in one process, with guide and workload loaded."""

from __future__ import annotations

import sys
import time

import pyperf

from pairs import CASE
from sizewright.api import plan, ready
from sizewright.cli.main import collect_seldom
from sizewright.documents import read_document
from sizewright.guide.paths import default_guide
from sizewright.workload import read_workload

AT_LEAST_PER_CPU_S = 200


def main() -> int:
    runner = pyperf.Runner(processes=5)
    runner.metadata["description"] = __doc__
    # As every command does.
    collect_seldom()
    guide = ready(default_guide())
    workload = read_workload(read_document(str(CASE)))

    def cpu_time_of(loops: int) -> float:
        start = time.process_time()
        for _ in range(loops):
            plan(workload, guide)
        return time.process_time() - start

    bench = runner.bench_time_func("plan case 1 (cpu time)", cpu_time_of)
    if bench is None or runner.args.worker:
        return 0
    rate = 1 / bench.median()
    holds = rate >= AT_LEAST_PER_CPU_S
    print(
        f"plans a cpu second: {rate:.0f} (target at least {AT_LEAST_PER_CPU_S}): "
        f"{'ok' if holds else 'MISSED'}"
    )
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
