"""Counts at their limits take little time and memory: what is only counted is not made apart."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.kinds import fault_of

pytestmark = pytest.mark.no_cover

MIB_AT_MOST = 200
_VOLUMES = "volumes: [{name: spool, size_mb: 350, access: serial}]"
_PRINTERS = "[{name: a, attached: serial, count: %d}, {name: b, attached: parallel, count: %d}]"
_NETWORK = "networks: [{name: n, medium: ethernet, segments_at_most: 10000}]"
LARGE = {
    "lines": "services: [{kind: serial, name: t, lines: 10000}]",
    "some printers": f"services: [{{kind: print, name: p, printers: {_PRINTERS % (1, 18)}}}]",
    "printers": f"services: [{{kind: print, name: p, printers: {_PRINTERS % (10000, 10000)}}}]",
    "wide lines": "services: [{kind: gateway, name: g, lines: "
    "[{name: a, protocol: sna, kbit_per_s: 64, count: 10000}]}]",
    "clients": "services: [{kind: nfs, name: m, clients: 1000000, "
    "load: {ops_per_s_each: 100}, "
    f"network: n}}]\n{_NETWORK}",
    "data": "services: [{kind: measured, name: m, memory_mb: 1, work: [{name: w, volume: spool, "
    "ops_per_s: 1e9}]}]",
    "devices": "services: [{kind: measured, name: m, user_processors: 0.1}]\n"
    "wishes: {carry_forward: [{device: 424mb-scsi, count: 60}]}",
}  # fmt: skip
# Plans the files that are named, and prints the most memory that it had, in MiB. `getrusage` would
# give the memory of the process that started it, if that had more.
_MEASURED = """
import re, sys
from pathlib import Path
from click.testing import CliRunner
from sizewright.cli.main import main
for file in sys.argv[1:]:
    CliRunner().invoke(main, ["plan", file])
status = Path("/proc/self/status").read_text()
print(int(re.search(r"VmHWM:\\s*(\\d+) kB", status)[1]) // 1024)
"""


def _written(name: str, folder: Path) -> Path:
    file = folder / f"{name}.yaml"
    file.write_text(f"name: large\n{_VOLUMES}\n{LARGE[name]}\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("name", LARGE)
def test_a_large_count_is_planned_soon(name: str, tmp_path: Path) -> None:
    assert fault_of(("plan", str(_written(name, tmp_path))), tmp_path) == ""


def test_large_counts_take_little_memory(tmp_path: Path) -> None:
    files = [str(_written(name, tmp_path)) for name in LARGE]
    found = subprocess.run(
        [sys.executable, "-c", _MEASURED, *files], capture_output=True, text=True, check=True
    )
    assert int(found.stdout) < MIB_AT_MOST


@pytest.mark.parametrize("count", [10_001, 10**9])
def test_a_count_beyond_the_limit_is_refused_with_the_limit(count: int, tmp_path: Path) -> None:
    file = tmp_path / "lines.yaml"
    file.write_text(f"name: a\nservices: [{{kind: serial, name: t, lines: {count}}}]\n", "utf-8")
    assert fault_of(("plan", str(file)), tmp_path) == ""
    assert "at most 10,000" in _message(file)


def _message(file: Path) -> str:
    from click.testing import CliRunner

    from sizewright.cli.main import main

    return CliRunner().invoke(main, ["plan", str(file)]).stderr
