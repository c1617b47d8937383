"""Cpu time of planning servers with twenty to thirty disks, guide and workload already loaded."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pyperf

from sizewright.api import plan, ready
from sizewright.cli.main import collect_seldom
from sizewright.documents import parse_document
from sizewright.guide.paths import default_guide
from sizewright.workload import Workload, read_workload

BELOW_CPU_S = 0.5
ROOT = Path(__file__).resolve().parents[1]
CASE_7 = ROOT / "examples/sun-1992/case-7-enterprise-complex/workload.yaml"

# Two groups of workstations and one of personal computers over eight volumes, one of them large.
WORKLOAD = """
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
  - {kind: nfs, name: design, clients: 20, load: {ops_per_s: 10}, network: design,
     uses: [home, records]}
  - {kind: nfs, name: layout, clients: 15, load: {ops_per_s: 10}, network: layout,
     uses: [home, maps, scratch]}
  - {kind: nfs, name: office, clients: 20, load: {ops_per_s: 1}, network: office,
     uses: [programs, mail]}
"""


def main() -> int:
    runner = pyperf.Runner(processes=3, values=2, warmups=1)
    runner.metadata["description"] = __doc__
    # As every command does.
    collect_seldom()
    guide = ready(default_guide())
    late = []
    for name, text in (("a large server", WORKLOAD), ("case study 7", CASE_7.read_text("utf-8"))):
        workload = read_workload(parse_document(text, name))

        def cpu_time_of(loops: int, workload: Workload = workload) -> float:
            start = time.process_time()
            for _ in range(loops):
                found = plan(workload, guide)
                assert found.holds, "a workload that finds no platform is another question"
            return time.process_time() - start

        bench = runner.bench_time_func(f"plan {name} (cpu time)", cpu_time_of)
        if bench is None or runner.args.worker:
            continue
        seconds = bench.median()
        print(f"{name}: {seconds:.2f} s of cpu; target less than {BELOW_CPU_S}")
        late += [name] if seconds >= BELOW_CPU_S else []
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
