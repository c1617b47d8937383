"""Prints what a run of mutation testing found, file by file, as a table.

Takes the folder that the run left. What could not be told to be killed or to survive is shown
under `other`, and counts against the tests.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

# What the runner writes for the end of a mutant's tests.
KILLED, SURVIVED, UNTESTED, LATE = "killed", "survived", "untested", "timed out"
OUTCOMES = {0: SURVIVED, 1: KILLED, 3: KILLED, 5: UNTESTED, 33: UNTESTED, 36: LATE, 24: LATE,
            -24: LATE, 152: LATE, 255: LATE}  # fmt: skip
OTHER = "other"
COLUMNS = (KILLED, SURVIVED, UNTESTED, LATE, OTHER)


def outcomes(kept: Path) -> Counter[str]:
    """How many mutants of one file came to which end."""
    codes = json.loads(kept.read_text(encoding="utf-8"))["exit_code_by_key"].values()
    return Counter(OUTCOMES.get(code, OTHER) for code in codes)


def line(name: str, found: Counter[str]) -> str:
    """One row: name, mutants, each outcome, and the share that was killed."""
    share = f"{found[KILLED] / found.total():.1%}"
    cells = [name, str(found.total()), *(str(found[column]) for column in COLUMNS), share]
    return f"| {' | '.join(cells)} |"


def main(folder: Path) -> None:
    """Print the table, the sum in its last row."""
    root = folder / "src" / "sizewright"
    print(f"| file | mutants | {' | '.join(COLUMNS)} | share killed |")
    print("| --- |" + " ---: |" * (len(COLUMNS) + 2))
    whole: Counter[str] = Counter()
    for kept in sorted(root.rglob("*.py.meta")):
        found = outcomes(kept)
        if found:
            print(line(kept.relative_to(root).with_suffix("").as_posix(), found))
            whole += found
    print(line("together", whole))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
