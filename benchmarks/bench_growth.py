"""Whole `sizewright plan` processes of growing workloads: more volumes, more services."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from pairs import environment, run_any, sizewright

NETWORK = "networks: [{name: office, medium: ethernet}]"


def identical(number: int) -> str:
    """Volumes of 5 MB that are seldom read, and one that a service uses."""
    cold = [
        f"  - {{name: v{i}, size_mb: 5, access: serial, activity: cold}}" for i in range(number)
    ]
    return "\n".join(
        [
            *("name: identical volumes", NETWORK, "volumes:", *cold),
            *("  - {name: home, size_mb: 200, access: random}", "services:"),
            _service("files", 1, 5, "home"),
        ]
    )


def different(number: int) -> str:
    """Volumes of 20 to 119 MB, each with its own share of up to 40 op/s in all."""
    shares = [1 + (i * 7) % 13 for i in range(number)]
    unit = 40 / sum(shares)
    sizes = [20 + (i * 37) % 100 + i / number for i in range(number)]
    volumes = [
        f"  - {{name: v{i}, size_mb: {size:.4f}, access: random}}" for i, size in enumerate(sizes)
    ]
    services = [
        _service(f"s{i}", 1, round(share * unit, 6), f"v{i}") for i, share in enumerate(shares)
    ]
    return "\n".join(
        ["name: different volumes", NETWORK, "volumes:", *volumes, "services:", *services]
    )


def services(number: int) -> str:
    """Services that share one volume and 40 op/s."""
    rate = round(40 / number, 6)
    return "\n".join(
        [
            *("name: services", NETWORK, "volumes: [{name: home, size_mb: 800, access: random}]"),
            *("services:", *(_service(f"s{i}", 1, rate, "home") for i in range(number))),
        ]
    )


def _service(name: str, clients: int, ops_per_s: float, volume: str) -> str:
    return (
        f"  - {{kind: nfs, name: {name}, clients: {clients}, load: {{ops_per_s: {ops_per_s}}}, "
        f"network: office, uses: [{volume}]}}"
    )


Made = Callable[[int], str]
# What grows, how it is made, how many, and the seconds that a plan may take.
ROWS: tuple[tuple[str, Made, int, float], ...] = (
    ("identical volumes", identical, 10, 2),
    ("identical volumes", identical, 100, 2),
    ("identical volumes", identical, 1000, 2),
    ("identical volumes", identical, 5000, 15),
    ("different volumes", different, 30, 2),
    ("different volumes", different, 100, 2),
    ("different volumes", different, 1000, 10),
    ("services", services, 1000, 2),
    # More have more values than a file may have.
    ("services", services, 3000, 10),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at-most", type=int, default=10**6, help="leave out larger workloads")
    at_most = parser.parse_args().at_most
    late = 0
    with tempfile.TemporaryDirectory() as folder:
        env, file = environment(folder), Path(folder, "workload.yaml")
        for what, made, number, target in ROWS:
            if number > at_most:
                continue
            file.write_text(made(number) + "\n", encoding="utf-8")
            code, spent = run_any([*sizewright(), "plan", str(file)], env)
            in_time = code in (0, 1) and spent.wall_s < target
            late += not in_time
            print(
                f"{number:6} {what}: {spent.wall_s:7.2f} s, {spent.peak_mib:5.0f} MiB, exit {code} "
                f"(target below {target:g} s): {'ok' if in_time else 'MISSED'}",
                flush=True,
            )
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
