"""One plan, whole process: sizewright and the nearest peer, service-capacity-modeling, in turn."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from pairs import CASE, alternate, environment, line, sizewright


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument(
        "--peer-python",
        default=sys.executable,
        help="the Python that has service-capacity-modeling (default: this one)",
    )
    args = parser.parse_args()
    peer = [args.peer_python, str(Path(__file__).with_name("peer_plan.py"))]
    plan = [*sizewright(), "plan", str(CASE)]
    with tempfile.TemporaryDirectory() as cache:
        pair = alternate(peer, plan, args.pairs, environment(cache))
    print(line("service-capacity-modeling", pair.first))
    print(line("sizewright", pair.second))
    print(f"the peer takes {pair.ratio():.1f} times as long")
    return 0 if pair.ratio() > 1 else 1


if __name__ == "__main__":
    sys.exit(main())
