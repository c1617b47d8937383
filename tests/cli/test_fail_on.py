"""What is borderline passes, is named in the first lines, and ends with 1 only if asked to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

import site_rules
from sizewright.cli.exits import Exit

from .conftest import CASE_1, Run

# Case 1's machine has 64 MB; a recommended limit of 4 GB is out of its reach.
ROOMY = {
    "id": "site-roomy", "title": "Plenty of memory", "source": {"section": "1.1.5"},
    "subject": "system", "severity": "recommended",
    "parameters": {"roomy_mb": {"value": 4096, "unit": "MB", "source": {"section": "1.1.5"}}},
    "require": "system.memory_mb >= roomy_mb", "message": "{system.memory_mb} installed",
    "examples": [{"given": {"system": {"memory_mb": 64}}, "parameters": {"roomy_mb": 96},
                  "expect": "tight"},
                 {"given": {"system": {"memory_mb": 96}}, "parameters": {"roomy_mb": 96},
                  "expect": "holds"}],
}  # fmt: skip


@pytest.fixture
def roomy(tmp_path: Path) -> Path:
    place = tmp_path / "site" / "rules" / "sun-1992"
    place.mkdir(parents=True)
    (place / "roomy.yaml").write_text(yaml.safe_dump(ROOMY), encoding="utf-8")
    return tmp_path / "site"


def test_a_plan_beyond_a_recommended_limit_is_borderline(run: Run, roomy: Path) -> None:
    plain, strict = (
        run("plan", CASE_1, "--overlay", roomy, *more) for more in ((), ("--fail-on", "borderline"))
    )
    assert (plain.exit_code, strict.exit_code) == (Exit.PASS, Exit.FAIL)
    assert plain.stdout == strict.stdout
    first = " ".join(plain.stdout.split("What to order")[0].split())
    assert "Recommended, borderline: SPARCstation-2. It meets every limit" in first
    # Case 1's pair of disks is over 90 % full, and borderline by itself.
    assert "Borderline: " in first
    assert "64 MB installed (rule site-roomy)" in first
    data = json.loads(run("plan", CASE_1, "--overlay", roomy, "--format", "json").stdout)
    assert data["verdict"] == "tight"
    (found,) = (each for each in data["findings"] if each["rule"] == "site-roomy")
    assert (found["verdict"], found["severity"]) == ("tight", "recommended")


@pytest.mark.parametrize(
    ("rule", "verdict", "code"),
    [
        ("site-operations", "Pass, borderline", Exit.FAIL),
        ("site-processors", "Pass", Exit.PASS),
        ("site-devices", "Fail", Exit.FAIL),
    ],
)
def test_a_check_ends_with_1_from_the_verdict_on_that_is_asked_for(
    run: Run, tmp_path: Path, rule: str, verdict: str, code: Exit
) -> None:
    box = tmp_path / "box.yaml"
    box.write_text(site_rules.BOX, encoding="utf-8")
    words = ("check", box, "--overlay", site_rules.overlay(tmp_path / "site"), "--rule", rule)
    strict = run(*words, "--fail-on", "borderline")
    assert strict.exit_code == code
    assert f"\n{verdict}: " in strict.stdout
    assert run(*words).exit_code == (Exit.FAIL if verdict == "Fail" else Exit.PASS)
    named = "Borderline: disk sd0: 30 to 45 op/s is the limit (rule site-operations)."
    assert (named in strict.stdout) == (rule == "site-operations")


def test_other_verdicts_to_fail_on_are_refused(run: Run) -> None:
    result = run("plan", CASE_1, "--fail-on", "tight")
    assert result.exit_code == Exit.BAD_INPUT
    assert "'tight' is not one of 'fail', 'borderline'" in result.stderr


def test_advice_that_is_not_followed_may_fail(run: Run) -> None:
    """Case 1 puts both halves of a mirror on one adapter (2.11.1); case 6 follows all advice."""
    examples = CASE_1.parents[1]
    for case, ends in (
        (CASE_1.parent, Exit.FAIL),
        (examples / "case-6-front-end-server", Exit.PASS),
    ):
        assert run("check", case / "box.yaml").exit_code == Exit.PASS
        assert run("check", case / "box.yaml", "--fail-on", "advice").exit_code == ends


def test_a_limit_that_could_not_be_checked_may_fail(run: Run, tmp_path: Path) -> None:
    """Nothing is known of disks and networks; processors and memory have a light load."""
    box = tmp_path / "box.yaml"
    box.write_text(
        "name: a\nplatform: sparcstation-2\nprocessors: 1\nmemory: {total_mb: 32}\n"
        "observed: {cpu: {user_percent: 5, system_percent: 5}, paging: {page_outs_per_s: 0,"
        " scans_per_s: 0}}\n"
    )
    assert run("check", box).exit_code == Exit.PASS
    assert run("check", box, "--fail-on", "borderline").exit_code == Exit.PASS
    both = ("--fail-on", "borderline", "--fail-on", "unknown")
    assert run("check", box, *both).exit_code == Exit.FAIL
