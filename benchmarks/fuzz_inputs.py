"""Feeds mutated files to the commands that read them, for as long as you like.

    python benchmarks/fuzz_inputs.py MINUTES [--seed N] [--kind KIND] [--keep FOLDER]

The kinds of input, their mutations and what counts as a failure are those of `tests/fuzz`: an exit
other than 0, 1 or 2, five seconds of processor time, an output that is left after a message, a
message that does not name its file. Here more than 200 MiB are a failure too. Every kind gets about
the same time. A table by kind comes last, at Ctrl-C too: inputs, failures, the slowest, the most
memory. With failures the exit code is 1. The same seed tries the same inputs. The files are in a
temporary folder; TMPDIR with a folder in memory makes each try quicker.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from fuzz import kinds  # noqa: E402
from fuzz.kinds import KINDS, Kind, fault_of, prepared_once  # noqa: E402
from guide.test_overlay_fuzz import mutated, outcome  # noqa: E402

kinds.SECONDS_AT_MOST = 5
MIB_AT_MOST = 200
_LINUX = Path("/proc/self/clear_refs")
# Returns what is wrong with an input of a kind; empty if nothing is.
Trial = Callable[[Random, Path], str]


def _of(kind: Kind) -> Trial:
    def trial(random: Random, folder: Path) -> str:
        arguments = kind.write(random, folder)
        fault = fault_of(arguments, folder)
        return fault and f"{' '.join(arguments)} {fault}"

    return trial


def _overlay(random: Random, _folder: Path) -> str:
    try:
        outcome(mutated(random))
    except AssertionError as error:
        return str(error)
    return ""


TRIALS: dict[str, Trial] = {**{kind.name: _of(kind) for kind in KINDS}, "overlay": _overlay}


class Count:
    """The inputs of one kind so far."""

    def __init__(self, seed: int) -> None:
        self.next = self.first = seed
        self.failures = 0
        self.seconds = 0.0
        self.slowest = 0.0, 0
        self.largest = 0, 0

    def line(self, name: str) -> str:
        """A row of the table."""
        (slowest, at), (mib, at_most) = self.slowest, self.largest
        return (
            f"{name:10} {self.next - self.first:>9,} {self.failures:>9} "
            f"{slowest:8.2f} s (seed {at}) {mib:6} MiB (seed {at_most})"
        )


def _forget_peak() -> None:
    if _LINUX.exists():
        _LINUX.write_text("5")


def _peak_mib() -> int:
    """Return the most memory since it was forgotten; 0 if the system does not say."""
    if not _LINUX.exists():
        return 0
    found = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) // 1024 if found else 0


def _try_one(name: str, count: Count, keep: Path, mib_at_start: int) -> None:
    seed, count.next = count.next, count.next + 1
    with tempfile.TemporaryDirectory() as written:
        folder = Path(written)
        _forget_peak()
        # What earlier inputs left is not counted: click keeps the streams of each run.
        left = _peak_mib() - mib_at_start
        began = time.process_time()
        fault = TRIALS[name](Random(seed), folder)
        seconds, mib = time.process_time() - began, _peak_mib() - left
        if mib > MIB_AT_MOST:
            fault = fault or f"has {mib} MiB"
        if fault:
            count.failures += 1
            shutil.copytree(folder, keep / f"{name}-{seed}", dirs_exist_ok=True)
    if fault:
        print(f"{name} {seed}: {fault}", flush=True)
    count.seconds += seconds
    count.slowest = max(count.slowest, (seconds, seed))
    count.largest = max(count.largest, (mib, seed))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("minutes", type=float)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--kind", choices=TRIALS, action="append", help="one kind; repeatable")
    parser.add_argument(
        "--keep", type=Path, default=Path("build/fuzz"), help="a folder for files that fail"
    )
    given = parser.parse_args()
    counts = {name: Count(given.seed) for name in given.kind or TRIALS}
    ends = time.monotonic() + given.minutes * 60
    mib_at_start = _peak_mib()
    try:
        with prepared_once():
            while time.monotonic() < ends:
                name = min(counts, key=lambda one: counts[one].seconds)
                _try_one(name, counts[name], given.keep, mib_at_start)
    except KeyboardInterrupt:
        pass
    print(f"{'kind':10} {'inputs':>9} {'failures':>9}   slowest, largest")
    for name, count in counts.items():
        print(count.line(name))
    print(f"{sum(count.next - count.first for count in counts.values()):,} inputs")
    return 1 if any(count.failures for count in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
