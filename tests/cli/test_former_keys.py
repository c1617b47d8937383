"""Keys that have another name now are read until the next version, with a hint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sizewright import __version__

from .conftest import Run

PLAIN = """\
name: small
networks: [{name: office, medium: ethernet}]
volumes: [{name: home, size_mb: 800, access: random}]
services:
  - kind: nfs
    name: home
    clients: 20
    load: {LOAD}
    network: office
    uses: [home]
"""
NOW = 'ops_per_s_each: [5, 10], said: {ops_per_s_each: {section: "2", kind: fact}}'
FORMER = NOW.replace("_each", "")
HINT = """\
w.yaml:8:12: the key 'ops_per_s' of a load is deprecated
  expected ops_per_s_each, which says that it is the rate of each active client
"""


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _write(load: str) -> str:
    Path("w.yaml").write_text(PLAIN.replace("LOAD", load), encoding="utf-8")
    return "w.yaml"


@pytest.mark.usefixtures("write")
def test_a_former_key_means_the_same_with_a_hint(run: Run) -> None:
    former = run("plan", _write(FORMER), "--format", "json")
    now = run("plan", _write(NOW), "--format", "json")
    assert (former.exit_code, former.stderr) == (0, HINT)
    assert (now.exit_code, now.stderr) == (0, "")
    left, right = (json.loads(found.stdout) for found in (former, now))
    assert left["kernel_lock"] == right["kernel_lock"]
    assert left["order"] == right["order"]


@pytest.mark.usefixtures("write")
def test_both_keys_are_an_amount_stated_twice(run: Run) -> None:
    found = run("plan", _write(f"ops_per_s: 4, {NOW}"))
    assert found.exit_code == 2
    assert "2 ways: ops_per_s_each and ops_per_s\n" in found.stderr


SCANS = """\
name: scans
volumes: [{name: rows, size_mb: 800, access: serial}]
services:
  - kind: measured
    name: scans
    work: [{name: scan, volume: rows, mb: 20, within_s: 300, NUMBER}]
"""


@pytest.mark.usefixtures("write")
def test_runs_at_once_have_a_key_of_their_own(run: Run) -> None:
    Path("s.yaml").write_text(SCANS.replace("NUMBER", "by: 10"), encoding="utf-8")
    former = run("plan", "s.yaml", "--format", "csv")
    Path("s.yaml").write_text(SCANS.replace("NUMBER", "runs_at_once: 10"), encoding="utf-8")
    now = run("plan", "s.yaml", "--format", "csv")
    assert (now.exit_code, now.stdout, now.stderr) == (0, former.stdout, "")
    assert former.stderr == (
        "s.yaml:6:62: the key 'by' of work without every_s is deprecated\n"
        "  expected runs_at_once, which says that it is the number of runs at once\n"
    )


@pytest.mark.usefixtures("write")
@pytest.mark.parametrize("beside", ["every_s: 60", "by: 3"])
def test_runs_at_once_are_stated_once(run: Run, beside: str) -> None:
    text = SCANS.replace("NUMBER", f"runs_at_once: 10, {beside}")
    Path("s.yaml").write_text(text, encoding="utf-8")
    found = run("plan", "s.yaml")
    assert found.exit_code == 2
    assert f"runs_at_once: is stated with {beside.partition(':')[0]}\n" in found.stderr


def test_the_next_version_refuses_them() -> None:
    assert __version__.startswith("0.1."), (
        "renamed_from(...) of schema/model.py has served its time"
    )
