"""Two commands run alternately, so that what disturbs the machine disturbs both."""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CASE = ROOT / "examples" / "sun-1992" / "case-1-departmental-nfs" / "workload.yaml"
LIBRARIES = "import click, yaml, tabulate; from pydantic import BaseModel"
KIB_PER_MIB = 1024
# The system counts peak memory in KiB, except where it counts in bytes.
PEAK_PER_MIB = KIB_PER_MIB * KIB_PER_MIB if sys.platform == "darwin" else KIB_PER_MIB


class Run(NamedTuple):
    """One whole process: seconds on the wall, seconds of cpu, peak resident memory in MiB."""

    wall_s: float
    cpu_s: float
    peak_mib: float


class Pair(NamedTuple):
    """Both commands' runs, in the order they were made."""

    first: tuple[Run, ...]
    second: tuple[Run, ...]

    def ratio(self) -> float:
        """The median over the pairs of wall time, first over second."""
        return median(a.wall_s / b.wall_s for a, b in zip(self.first, self.second, strict=True))


def run(command: Sequence[str], env: Mapping[str, str]) -> Run:
    """Run a command to its end; it must succeed."""
    code, spent = run_any(command, env)
    if code:
        raise SystemExit(f"{' '.join(command)} ended with {code}")
    return spent


def run_any(command: Sequence[str], env: Mapping[str, str]) -> tuple[int, Run]:
    """Run a command to its end; return its exit code and times. What it prints is not kept."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    start = time.perf_counter()
    child = os.posix_spawn(
        command[0], command, env, file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, 1)]
    )
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - start
    os.close(nowhere)
    spent = Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / PEAK_PER_MIB)
    return os.waitstatus_to_exitcode(status), spent


def alternate(
    first: Sequence[str], second: Sequence[str], pairs: int, env: Mapping[str, str]
) -> Pair:
    """Run both commands `pairs` times, changing which goes first; one unmeasured pair warms up."""
    run(first, env)
    run(second, env)
    runs: tuple[list[Run], list[Run]] = ([], [])
    for index in range(pairs):
        for which in (0, 1) if index % 2 == 0 else (1, 0):
            runs[which].append(run((first, second)[which], env))
    return Pair(tuple(runs[0]), tuple(runs[1]))


def line(name: str, runs: Sequence[Run]) -> str:
    """One line of a report: medians, and the spread of the wall time."""
    walls = sorted(r.wall_s for r in runs)
    return (
        f"{name:<28}{median(walls) * 1000:8.1f} ms wall ({walls[0] * 1000:.1f} to "
        f"{walls[-1] * 1000:.1f})  {median(r.cpu_s for r in runs) * 1000:8.1f} ms cpu  "
        f"{max(r.peak_mib for r in runs):6.1f} MiB peak"
    )


def sizewright() -> list[str]:
    """Return the installed command, or `python -m sizewright` if there is none."""
    script = Path(sys.executable).with_name("sizewright")
    return [str(script)] if script.exists() else [sys.executable, "-m", "sizewright"]


def environment(cache: str) -> dict[str, str]:
    """This process's environment with a guide cache of its own; empty switches the cache off."""
    return {**os.environ, "SIZEWRIGHT_CACHE": cache, "NO_COLOR": "1"}


def judged(what: str, value: float, target: float, unit: str = "") -> bool:
    """Print a figure against the target that it must stay below; say whether it does."""
    holds = value < target
    print(
        f"{what}: {value:.2f}{unit} (target below {target:g}{unit}): {'ok' if holds else 'MISSED'}"
    )
    return holds


def own_peak_mib() -> float:
    """The peak resident memory of this process: a child's figure cannot be lower than this."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / PEAK_PER_MIB
