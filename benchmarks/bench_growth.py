"""Whole processes of growing input: more volumes, services, printers, disks, rows of an overlay.

Each row of the table is one kind of input: the processor time and the peak memory of 100, 1,000
and 10,000 parts, or the limit by which so many are refused. `growth` is the time of the most parts
that are accepted, divided by the time of a tenth of them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pairs import ROOT, Run, environment, run_any, sizewright

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


def different(number: int, volume_mb: float = 0) -> str:
    """Volumes of 7 GB, or of so many MB each on average, with shares of 40 op/s in all."""
    shares = [1 + (i * 7) % 13 for i in range(number)]
    unit = 40 / sum(shares)
    mean = volume_mb or 7000 / number
    sizes = [mean * (0.3 + (i * 37) % 100 / 70 + i / number / 100) for i in range(number)]
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
        f"  - {{kind: nfs, name: {name}, clients: {clients}, "
        f"load: {{ops_per_s_each: {ops_per_s}}}, "
        f"network: office, uses: [{volume}]}}"
    )


def lines(number: int) -> str:
    """Serial lines, a count."""
    return _spooling(f"{{kind: serial, name: t, lines: {number}}}")


def printers(number: int) -> str:
    """Printers, a count."""
    return _spooling(
        f"{{kind: print, name: p, printers: [{{name: a, attached: serial, count: {number}}}]}}"
    )


def named_printers(number: int) -> str:
    """Printers, each with its name."""
    each = ", ".join(f"{{name: p{i}, attached: serial}}" for i in range(number))
    return _spooling(f"{{kind: print, name: p, printers: [{each}]}}")


def clients(number: int) -> str:
    """Clients, a count, that ask for 40 op/s in all."""
    rate = 40 / number
    service = _service("files", number, rate, "spool").removeprefix("  - ")
    return f"{_spooling(service)}\n{NETWORK}"


def existing(number: int) -> str:
    """Disks that the customer has, a count."""
    wish = f"wishes: {{carry_forward: [{{device: 424mb-scsi, count: {number}}}]}}"
    return f"{_spooling('{kind: measured, name: m, user_processors: 0.1}')}\n{wish}"


def _spooling(service: str) -> str:
    volumes = "volumes: [{name: spool, size_mb: 350, access: serial}]"
    return f"name: counted\n{volumes}\nservices: [{service}]"


def server(number: int) -> str:
    """An existing server with disks on one bus, far too many."""
    disks = ", ".join(f"{{id: d{i}, device: 669mb-scsi}}" for i in range(number))
    channel = f"{{id: esp0, kind: scsi-synchronous, provider: builtin, devices: [{disks}]}}"
    platform = "name: server\nguide: sun-1992\nplatform: sparcserver-690mp"
    return f"{platform}\nchannels: [{channel}]"


def observed(number: int) -> str:
    """The same with a measurement of each disk."""
    rates = ", ".join(f"d{i}: {{ops_per_s: 20}}" for i in range(number))
    return f"{server(number)}\nobserved: {{disks: {{{rates}}}}}"


def models(number: int) -> str:
    """Rows of an overlay: models of disk that nobody orders."""
    rows = [
        f"  - {{id: disk-{i}, new: true, source: {{section: '2.4.4'}}, status: inferred, "
        f"from: others, name: Disk {i}, interface: scsi, disk_busses: [scsi-synchronous], "
        f"capacity_mb: {100 + i}, orderable: false}}"
        for i in range(number)
    ]
    return "\n".join(["table: disks", "rows:", *rows])


Made = Callable[[int], str]
TARGET_S = 2
OVERLAY = "overlay"
NUMBERS = (100, 1000, 10_000)
BOX = ROOT / "examples" / "sun-1992" / "appendix-d" / "box-random.yaml"
# What grows, how it is made, and the command that reads it; the most that is accepted, if that is
# less than 10,000; and the seconds that this may take, if more than two.
ROWS: tuple[tuple[str, Made, str, int, float], ...] = (
    ("identical volumes", identical, "plan", 5000, 15),
    ("different volumes", different, "plan", 1000, 10),
    ("more data than fits", partial(different, volume_mb=70), "plan", 1000, 20),
    ("services", services, "plan", 3000, 10),
    ("clients", clients, "plan", 10_000, TARGET_S),
    ("serial lines", lines, "plan", 10_000, TARGET_S),
    ("printers", printers, "plan", 10_000, TARGET_S),
    ("printers with names", named_printers, "plan", 7000, 10),
    ("existing disks", existing, "plan", 500, TARGET_S),
    ("disks of a server", server, "check", 7000, 10),
    ("measured disks", observed, "check", 4000, 10),
    ("rows of an overlay", models, OVERLAY, 2000, 10),
)


def _spent(text: str, command: str, folder: Path) -> tuple[int, Run]:
    """Run the command on a file with this text; return its exit code and times."""
    overlay = folder / "site"
    file = overlay / "tables" / "sun-1992" / "it.yaml" if command == OVERLAY else folder / "it.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text + "\n", encoding="utf-8")
    arguments = ["check", str(BOX), "--overlay", str(overlay)]
    if command != OVERLAY:
        arguments = [command, str(file)]
    return run_any([*sizewright(), *arguments], environment(str(folder / "cache")))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--row", action="append", help="one row; repeatable")
    rows = parser.parse_args().row
    late = 0
    with tempfile.TemporaryDirectory() as folder:
        for what, made, command, most, target in ROWS:
            if rows and what not in rows:
                continue
            seconds: dict[int, float] = {}
            for number in sorted({*NUMBERS, most, most // 10}):
                code, spent = _spent(made(number), command, Path(folder))
                refused = code not in (0, 1)
                late += refused != (number > most) or spent.cpu_s > target
                seconds[number] = spent.cpu_s
                told = f"refused with {code}" if refused else f"exit {code}"
                print(
                    f"{number:6} {what}: {spent.cpu_s:6.2f} s of cpu, "
                    f"{spent.peak_mib:4.0f} MiB, {told}", flush=True,
                )  # fmt: skip
            growth = seconds[most] / seconds[most // 10]
            print(f"{what}: growth {growth:.1f} from {most // 10} to {most}")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
