"""A whole `sizewright check` of case study 1's server, against importing the libraries."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from pairs import CASE, LIBRARIES, alternate, environment, judged, line, sizewright

RATIO_BELOW = 1.6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=25)
    pairs = parser.parse_args().pairs
    with tempfile.TemporaryDirectory() as folder:
        env, server = environment(folder), Path(folder, "server.yaml")
        planned = [*sizewright(), "plan", str(CASE), "--format", "yaml", "-o", str(server)]
        subprocess.run(planned, env=env, check=True)
        check = [*sizewright(), "check", str(server)]
        found = alternate(check, [sys.executable, "-c", LIBRARIES], pairs, env)
    print(line("check, guide cached", found.first))
    print(line("libraries alone", found.second))
    return 0 if judged("ratio", found.ratio(), RATIO_BELOW) else 1


if __name__ == "__main__":
    sys.exit(main())
