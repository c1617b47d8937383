"""Waivers of some parts, and waivers that expire."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generated_boxes import check_text
from sizewright.check.check import Check
from sizewright.errors import InputError
from two_disks import TWO_DISKS

from .conftest import Run

BUSY = "2.4.4-busy"


def with_waivers(*waivers: str, date: str = "") -> str:
    lines = "".join(f"    - {{{each}, reason: it is old}}\n" for each in waivers)
    day = f"  date: {date}\n" if date else ""
    return f"{TWO_DISKS}policy:\n{day}  waive:\n{lines}"


def busy(found: Check) -> dict[str, str]:
    return {f.subject.split("/")[-1]: f.verdict for f in found.findings if f.rule == BUSY}


def faults(text: str) -> str:
    with pytest.raises(InputError) as caught:
        check_text(text)
    return "\n".join(fault.text() for fault in caught.value.faults)


@pytest.mark.parametrize("name", ["sd1", "disk/sd1"])
def test_only_the_named_parts_are_waived(name: str) -> None:
    found = check_text(with_waivers(f"rule: {BUSY}, subjects: [{name}]"))
    assert busy(found) == {"sd0": "violated", "sd1": "waived"}
    budgets = {b.name: b.verdict for b in found.judged.budgets if b.kind == "busy"}
    assert budgets == {"sd0": "violated", "sd1": "waived"}


def test_each_part_may_have_its_own_waiver() -> None:
    each = (f"rule: {BUSY}, subjects: [{name}]" for name in ("sd0", "sd1"))
    assert busy(check_text(with_waivers(*each))) == {"sd0": "waived", "sd1": "waived"}


def test_a_part_is_waived_once() -> None:
    text = with_waivers(f"rule: {BUSY}", f"rule: {BUSY}, subjects: [sd1]")
    assert "box.yaml:16:" in faults(text) and f"rule {BUSY} is waived twice on sd1" in faults(text)


def test_a_waiver_lasts_until_the_end_of_its_day() -> None:
    waiver = f"rule: {BUSY}, until: 1993-06-30"
    assert busy(check_text(with_waivers(waiver))) == {"sd0": "waived", "sd1": "waived"}
    last = check_text(with_waivers(waiver, date="1993-06-30"))
    assert busy(last) == {"sd0": "waived", "sd1": "waived"}
    assert {f.reason for f in last.findings if f.rule == BUSY} == {"it is old (until 1993-06-30)"}
    after = check_text(with_waivers(waiver, date="1993-07-01"))
    assert busy(after) == {"sd0": "violated", "sd1": "violated"}
    told = [f.message for f in after.findings if f.rule == BUSY]
    assert all(text.endswith("; its waiver expired on 1993-06-30") for text in told)


def test_an_expired_waiver_of_what_passes_is_not_mentioned() -> None:
    text = with_waivers(f"rule: {BUSY}, until: 1993-06-30", date="1993-07-01")
    found = check_text(text.replace("busy_percent: 80", "busy_percent: 20"))
    assert not any("expired" in f.message for f in found.findings)


def test_a_subject_that_the_rule_does_not_have_is_refused() -> None:
    told = faults(with_waivers(f"rule: {BUSY}, subjects: [sd11]"))
    assert told.startswith("box.yaml:15:") and "rule 2.4.4-busy is not about 'sd11'" in told
    assert "one of sd0 or sd1; did you mean 'sd1'?" in told
    assert "no subjects: it is about all" in faults(with_waivers("rule: III, subjects: [sd1]"))


@pytest.mark.parametrize("day", ["1993-13-01", "June", "[1993, 6, 30]", "1993"])
def test_what_is_no_day_is_refused(day: str) -> None:
    assert "a date such as 1993-06-30" in faults(with_waivers(f"rule: {BUSY}, until: {day}"))


def test_the_command_takes_the_day_of_its_option_or_today(run: Run) -> None:
    text = with_waivers(f"rule: {BUSY}, until: 1993-06-30")
    for options, code in ((("--date", "1993-06-30"), 0), ((), 1)):
        assert run("check", "-", *options, stdin=text).exit_code == code
    data = json.loads(run("check", "-", "--format", "json", stdin=text).stdout)
    (waiver,) = data["policy"]["waived"]
    assert (waiver["until"], waiver["expired"], waiver["subjects"]) == ("1993-06-30", True, [])
    assert run("check", "-", "--date", "soon", stdin=text).exit_code == 2


def test_sarif_shows_the_waiver_of_each_part(run: Run, tmp_path: Path) -> None:
    text = with_waivers(f"rule: {BUSY}, subjects: [sd0]", f"rule: {BUSY}, subjects: [sd1]")
    file = tmp_path / "box.yaml"
    file.write_text(text)
    found = json.loads(run("check", file, "--format", "sarif").stdout)["runs"][0]["results"]
    lines = [
        r["suppressions"][0]["location"]["physicalLocation"]["region"]["startLine"]
        for r in found if r["ruleId"] == BUSY
    ]  # fmt: skip
    assert lines == [15, 16]
