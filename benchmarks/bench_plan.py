"""A whole `sizewright plan` of case study 1, against importing the libraries that it uses."""

from __future__ import annotations

import argparse
import sys
import tempfile

from pairs import CASE, LIBRARIES, alternate, environment, judged, line, own_peak_mib, sizewright

RATIO_BELOW = 1.6
PEAK_BELOW_MIB = 40


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=25)
    pairs = parser.parse_args().pairs
    plan, libraries = [*sizewright(), "plan", str(CASE)], [sys.executable, "-c", LIBRARIES]
    with tempfile.TemporaryDirectory() as cache:
        warm = alternate(plan, libraries, pairs, environment(cache))
    cold = alternate(plan, libraries, max(1, pairs // 5), environment(""))

    print(line("plan, guide cached", warm.first))
    print(line("plan, guide read anew", cold.first))
    print(line("libraries alone", warm.second))
    print(f"ratio with the guide read anew: {cold.ratio():.2f}")
    ratio_holds = judged("ratio with the guide cached", warm.ratio(), RATIO_BELOW)
    peak = max(run.peak_mib for run in (*warm.first, *cold.first))
    peak_holds = judged("peak memory, cached or not", peak, PEAK_BELOW_MIB, " MiB")
    if peak <= own_peak_mib():
        print("(no more than this process's own peak: the true figure is lower)")
    return 0 if ratio_holds and peak_holds else 1


if __name__ == "__main__":
    sys.exit(main())
