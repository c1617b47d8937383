"""Cpu time of plans and of a check in one process, with guide and input files already read."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import pyperf

from pairs import CASE, ROOT, sizewright
from sizewright.__main__ import tune_process
from sizewright.api import check, load_engine, plan
from sizewright.box.reading import read_box
from sizewright.documents import Document, parse_document, read_document
from sizewright.guide.loader import default_guide
from sizewright.workload.reading import read_workload

CASES = ROOT / "examples" / "sun-1992"

# Two groups of workstations and one of personal computers over eight volumes, one of them large.
LARGE = """
name: large
networks:
  - {name: design, medium: ethernet, segments_at_most: 3}
  - {name: layout, medium: ethernet, segments_at_most: 2}
  - {name: office, medium: token-ring-4mb}
volumes:
  - {name: home, size_mb: 2500, access: random}
  - {name: maps, size_mb: 4000, access: random}
  - {name: records, size_mb: 22000, access: random}
  - {name: mail, size_mb: 2600, access: serial}
  - {name: scratch, size_mb: 1000, access: random}
  - {name: archive, size_mb: 3000, access: serial, activity: cold}
  - {name: system, size_mb: 400, access: random, protection: mirror}
  - {name: programs, size_mb: 400, access: random, protection: mirror}
backup: {during_working_hours: false}
services:
  - {kind: nfs, name: design, clients: 20, load: {ops_per_s_each: 10}, network: design,
     uses: [home, records]}
  - {kind: nfs, name: layout, clients: 15, load: {ops_per_s_each: 10}, network: layout,
     uses: [home, maps, scratch]}
  - {kind: nfs, name: office, clients: 20, load: {ops_per_s_each: 1}, network: office,
     uses: [programs, mail]}
"""


class Row(NamedTuple):
    """One measurement: its name, what is done, and the milliseconds of cpu that it may take."""

    name: str
    work: Callable[[], object]
    below_ms: float


def _rows() -> list[Row]:
    guide = load_engine(default_guide())
    workloads = {
        "case 1": (read_document(str(CASE)), 1000 / 300),
        **{f"case {n}": (_case(n), 300) for n in (3, 4, 7)},
        "a large server": (parse_document(LARGE, "large.yaml"), 500),
    }
    rows = []
    for name, (document, below_ms) in workloads.items():
        workload = read_workload(document)
        rows.append(Row(f"plan of {name}", lambda one=workload: plan(one, guide), below_ms))
    command = [*sizewright(), "plan", str(CASE), "--format", "yaml"]
    written = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    server = read_box(parse_document(written, "server.yaml"))
    rows.append(Row("check of case 1's server", lambda: check(server, guide), 2))
    return rows


def _case(number: int) -> Document:
    return read_document(str(next(CASES.glob(f"case-{number}-*")) / "workload.yaml"))


def main() -> int:
    runner = pyperf.Runner(processes=3, values=2, warmups=1)
    runner.metadata["description"] = __doc__
    # As every command does.
    tune_process()
    late = 0
    for row in _rows():

        def cpu_time_of(loops: int, work: Callable[[], object] = row.work) -> float:
            start = time.process_time()
            for _ in range(loops):
                work()
            return time.process_time() - start

        bench = runner.bench_time_func(f"{row.name} (cpu time)", cpu_time_of)
        if bench is None or runner.args.worker:
            continue
        taken = bench.median() * 1000
        late += taken >= row.below_ms
        print(f"{row.name}: {taken:.1f} ms of cpu; target below {row.below_ms:.1f} ms")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
