"""`plan` and `explain` for two systems, and explanations as Markdown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from sizewright.cli.exits import Exit

from .conftest import CASE_1, Run

# Each takes more than half of the time of the only processor there is.
TWO = """\
name: pairwise
networks:
  - {name: office, medium: ethernet}
services:
  - {kind: measured, name: orders, kernel_ms_per_s: 600, measured_on: sparcstation-2}
  - {kind: measured, name: reports, kernel_ms_per_s: [500, 700], measured_on: sparcstation-2}
wishes: {platforms: [sparcstation-2]}
"""
LIGHT = TWO.replace("600", "60").replace("[500, 700]", "50")


@pytest.fixture
def two(tmp_path: Path) -> Path:
    path = tmp_path / "two.yaml"
    path.write_text(TWO)
    return path


@pytest.fixture
def light(tmp_path: Path) -> Path:
    path = tmp_path / "light.yaml"
    path.write_text(LIGHT)
    return path


def test_what_one_system_cannot_carry_is_dealt_over_two(run: Run, two: Path) -> None:
    result = run("plan", two)
    assert (result.exit_code, result.stderr) == (Exit.PASS, "")
    text = " ".join(result.stdout.split())
    assert "Recommended: two systems, " in text
    assert "the primary (SPARCstation-2) runs reports; the alternate (SPARCstation-2) runs orders."
    assert "300 ms/s (30%) over." in text
    assert "Not planned: no system takes over from another" in text


def test_one_system_can_be_asked_for(run: Run, two: Path) -> None:
    result = run("plan", two, "--systems", 1)
    assert result.exit_code == Exit.FAIL
    text = " ".join(result.stdout.split())
    assert "Fail: no single machine" in text
    assert "Not planned, because the workload asks for one system (see --systems 2)." in text


def test_two_can_be_asked_for_though_one_would_do(run: Run, light: Path) -> None:
    assert json.loads(run("plan", light, "--format", "json").stdout)["group"] is None
    data = json.loads(run("plan", light, "--systems", 2, "--format", "json").stdout)
    services = [name for member in data["group"]["members"] for name in member["services"]]
    assert sorted(services) == ["orders", "reports"]
    assert [system["id"] for system in data["systems"]] == ["primary", "alternate"]
    assert data["kernel_lock"] is None
    text = " ".join(run("plan", light, "--systems", 2).stdout.split())
    assert "Two systems were requested. A single machine would be enough. " in text


def test_more_than_are_planned_is_refused(run: Run, two: Path) -> None:
    result = run("plan", two, "--systems", 17)
    assert result.exit_code == Exit.BAD_INPUT
    assert "--systems" in result.stderr and "1<=x<=16" in result.stderr


def test_what_cannot_be_divided_says_so(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text("".join(line for line in LIGHT.splitlines(True) if "orders" not in line))
    result = run("plan", path, "--systems", 2)
    assert result.exit_code == Exit.FAIL
    assert "there is only one service, and a service runs on one system." in " ".join(
        result.stdout.split()
    )
    written = run("plan", path, "--systems", 2, "--format", "yaml")
    assert (written.exit_code, written.stdout) == (Exit.FAIL, "")
    assert (
        "no two systems in this guide meet every limit for pairwise; no box file" in written.stderr
    )
    data = json.loads(run("plan", path, "--systems", 2, "--format", "json").stdout)
    assert (data["verdict"], data["systems"], data["budgets"]) == ("violated", [], [])
    assert run("explain", path, "--systems", 2).stdout == "No configuration meets every limit.\n"


def test_a_box_file_is_one_system_s(run: Run, two: Path) -> None:
    usual = run("plan", two, "--format", "yaml")
    assert yaml.safe_load(usual.stdout)["name"] == "primary"
    assert usual.stderr == (
        "sizewright: this is the primary of 2 different systems; "
        "--system alternate writes the other\n"
    )
    chosen = run("plan", two, "--format", "yaml", "--system", "primary")
    assert (chosen.stdout, chosen.stderr) == (usual.stdout, "")
    other = run("plan", two, "--format", "yaml", "--system", "alternate")
    assert (other.exit_code, other.stderr) == (Exit.PASS, "")
    written = yaml.safe_load(other.stdout)
    assert written["name"] == "alternate"
    assert "orders: kernel time" in str(written["load"]["kernel_lock"])
    assert "reports" not in other.stdout


def test_a_written_system_of_two_can_be_checked(run: Run, two: Path, tmp_path: Path) -> None:
    box = tmp_path / "box.yaml"
    assert run("plan", two, "--format", "yaml", "--system", "alternate", "-o", box).exit_code == 0
    found = json.loads(run("check", box, "--format", "json").stdout)
    (lock,) = (b for b in found["budgets"] if b["kind"] == "kernel_lock")
    assert (lock["resource"], lock["used"]["high"]) == ("alternate/kernel_lock", 600)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--format", "json"), "--system: has no meaning with --format json\n"),
        ((), "--system: has no meaning with --format text\n"),
    ],
)
def test_a_system_is_chosen_for_a_box_file_only(
    run: Run, two: Path, options: tuple[str, ...], told: str
) -> None:
    result = run("plan", two, "--system", "alternate", *options)
    assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
    assert result.stderr.startswith(told)


def test_a_single_system_is_no_alternate(run: Run, light: Path) -> None:
    result = run("plan", light, "--format", "yaml", "--system", "alternate")
    assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
    assert result.stderr == (
        "--system: the plan has no system 'alternate'\n"
        "  expected one of primary; --systems 2 plans two systems\n"
    )


def test_explanations_tell_of_both(run: Run, two: Path) -> None:
    text = run("explain", two, "kernel_lock").stdout
    heads = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert heads[0] == "primary/kernel_lock (kernel lock)"
    assert "alternate/kernel_lock (kernel lock)" in heads
    assert run("explain", two, "alternate/kernel_lock").stdout.startswith("alternate/kernel_lock")
    missing = run("explain", two, "kernel_lock", "--systems", 1)
    assert missing.exit_code == Exit.FAIL
    assert missing.stdout.startswith(
        "No configuration meets every limit. Traced below: the closest alternative,"
    )


def test_an_explanation_as_markdown(run: Run, tmp_path: Path) -> None:
    result = run("explain", CASE_1, "network/technical", "--format", "markdown")
    assert (result.exit_code, result.stderr) == (Exit.PASS, "")
    assert result.stdout.startswith("# Budgets of departmental-nfs: ")
    assert "\n## Network technical (primary/network/technical)\n" in result.stdout
    assert "\n| ecad | 120–150 op/s | 5 clients × 30 op/s per client |  |\n" in result.stdout
    target = tmp_path / "quote.md"
    run("explain", CASE_1, "network/technical", "--format", "markdown", "-o", target)
    assert target.read_text(encoding="utf-8") == result.stdout
