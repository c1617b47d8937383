from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import site_rules
from site_rules import BOX, EXPECTED, PLAIN
from sizewright.check.rule_filter import RuleFilter
from sizewright.cli.exits import Exit
from sizewright.guide.model import SEVERITIES

from .conftest import CASE_1, ROOT, Run

ENV = {**os.environ, "PYTHONPATH": str(ROOT / "src")}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site_rules.overlay(tmp_path_factory.mktemp("overlays") / "site")


@pytest.fixture
def box(tmp_path: Path) -> Path:
    path = tmp_path / "box.yaml"
    path.write_text(BOX, encoding="utf-8")
    return path


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """The same box as it is judged without the site's rules."""
    path = tmp_path / "plain.yaml"
    path.write_text(PLAIN, encoding="utf-8")
    return path


def _only(*rules: str) -> list[str]:
    return [word for rule in rules for word in ("--rule", rule)]


def test_a_broken_limit_is_told_by_the_exit_code(run: Run, box: Path, site: Path) -> None:
    result = run("check", box, "--overlay", site, *_only("site-devices"))
    assert (result.exit_code, result.stderr) == (Exit.FAIL, "")
    assert result.stdout.startswith("Check of primary: The machine in the cellar\n")
    assert "\nLimits not met\n" in result.stdout


@pytest.mark.parametrize("severity", [None, *SEVERITIES])
@pytest.mark.parametrize("rule", EXPECTED)
def test_every_verdict_and_severity(
    run: Run, box: Path, site: Path, rule: str, severity: str | None
) -> None:
    more = ("--severity", severity) if severity else ()
    result = run("check", box, "--overlay", site, "--rule", rule, *more)
    rank = SEVERITIES.index
    own, least = rank(EXPECTED[rule].severity), rank(severity or SEVERITIES[0])
    verdicts = set(EXPECTED[rule].says.values())
    if severity and own > least:
        assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
        assert "no rule is left to ask" in result.stderr
    elif verdicts <= {"unknown", "not_applicable"}:
        assert result.exit_code == Exit.FAIL
        assert "Not enough data: none of the selected rules" in result.stdout
    else:
        broken = "violated" in verdicts and own <= least
        assert result.exit_code == (Exit.FAIL if broken else Exit.PASS)


def test_what_is_ignored_is_neither_told_nor_counted(run: Run, box: Path, site: Path) -> None:
    asked = _only("site-devices", "site-processors")
    result = run("check", box, "--overlay", site, *asked, "--ignore", "site-devices")
    assert result.exit_code == Exit.PASS
    assert "Rule site-devices" not in result.stdout
    assert "Rule site-processors" in result.stdout


def test_ids_are_found_in_any_case(run: Run, plain: Path) -> None:
    data = json.loads(run("check", plain, "--rule", "vii", "--format", "json").stdout)
    assert data["policy"]["rules"] == ["VII"]
    assert {finding["rule"] for finding in data["findings"]} == {"VII"}


@pytest.mark.parametrize("command", ["check", "plan"])
def test_unknown_ids_are_all_named_with_the_nearest(run: Run, box: Path, command: str) -> None:
    file = box if command == "check" else CASE_1
    result = run(command, file, "--rule", "XIIII", "--ignore", "1.1.1-sustaind", "--rule", "VII")
    assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
    assert "--rule: there is no rule 'XIIII'\n" in result.stderr
    assert "did you mean 'XIII'?" in result.stderr
    assert "--ignore: there is no rule '1.1.1-sustaind'\n" in result.stderr
    assert "did you mean '1.1.1-sustained'?" in result.stderr


def test_a_wrong_severity_is_wrong_usage(run: Run, box: Path) -> None:
    result = run("check", box, "--severity", "error")
    assert result.exit_code == Exit.BAD_INPUT
    assert "'error' is not one of 'violation', 'recommended', 'advice', 'note'" in result.stderr


@pytest.mark.parametrize(
    ("selection", "asked"),
    [
        (RuleFilter(), {"A violation", "B advice", "C note"}),
        (RuleFilter(severity="advice"), {"A violation", "B advice"}),
        (RuleFilter(only=("B", "C")), {"B advice", "C note"}),
        (RuleFilter(ignored=("B",)), {"A violation", "C note"}),
        (RuleFilter(only=("A", "C"), ignored=("A",), severity="note"), {"C note"}),
    ],
)
def test_what_a_selection_asks(selection: RuleFilter, asked: set[str]) -> None:
    every = (("A", "violation"), ("B", "advice"), ("C", "note"))
    assert {f"{rule} {severity}" for rule, severity in every if selection.asks(rule, severity)} == (
        asked
    )


def test_the_help_says_what_the_exit_code_tells(run: Run) -> None:
    text = " ".join(run("check", "--help").stdout.split())
    assert "The exit code is 1 if a limit is not met, or if there is not enough data" in text
    assert "[text|json|sarif|junit]" in text


def test_a_plan_keeps_to_every_rule_whatever_is_reported(run: Run) -> None:
    def data(*options: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(run("plan", CASE_1, "--format", "json", *options).stdout)
        return found

    whole, part = data(), data("--rule", "III", "--severity", "advice")
    chosen = part.pop("findings"), part.pop("unknown")
    every = whole.pop("findings"), whole.pop("unknown")
    assert part == whole
    assert chosen[0] == [f for f in every[0] if f["rule"] == "III"]


# --- the forms ------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["json", "sarif", "junit", "text"])
def test_a_form_goes_to_a_file_as_it_is_printed(
    run: Run, box: Path, site: Path, tmp_path: Path, form: str
) -> None:
    target = tmp_path / "result"
    words = ("check", box, "--overlay", site, "--rule", "site-devices", "--format", form)
    printed = run(*words)
    written = run(*words, "-o", target)
    assert (written.exit_code, written.stdout) == (Exit.FAIL, "")
    assert target.read_text(encoding="utf-8") == printed.stdout


def test_each_form_is_what_it_says(run: Run, plain: Path) -> None:
    assert json.loads(run("check", plain, "--format", "json").stdout)["schema"] == (
        "sizewright.check/1"
    )
    assert json.loads(run("check", plain, "--format", "sarif").stdout)["version"] == "2.1.0"
    root = ElementTree.fromstring(run("check", plain, "--format", "junit").stdout)
    assert root.tag == "testsuites"


def test_standard_input(run: Run) -> None:
    data = json.loads(run("check", "-", "--format", "json", stdin=PLAIN).stdout)
    assert data["box"]["file"] == "<stdin>"


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit"])
def test_an_old_terminal_gets_every_form(tmp_path: Path, form: str) -> None:
    path = tmp_path / "box.yaml"
    path.write_text(PLAIN.replace("The machine in the cellar", "Das Gerät im Keller ☃"))
    done = subprocess.run(
        [sys.executable, "-m", "sizewright", "check", str(path), "--format", form],
        env={**ENV, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode in (Exit.PASS, Exit.FAIL), done.stderr) == (True, b"")
    assert form == "json" or done.stdout.isascii()


def test_no_colour_in_a_pipe(run: Run, plain: Path) -> None:
    assert "\x1b" not in run("check", plain).stdout


@pytest.mark.parametrize("module", ["sarif", "junit", "json.check", "json.plan"])
def test_a_text_loads_no_other_form(plain: Path, module: str) -> None:
    code = (
        "import sys\nfrom sizewright.cli.main import main\n"
        f"try: main(['check', {str(plain)!r}])\n"
        f"except SystemExit: sys.stderr.write(str('sizewright.output.{module}' in sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=ENV, capture_output=True, text=True, check=False
    )
    assert done.stderr == "False"


# --- overlays -------------------------------------------------------------------------------------


def _change(folder: Path, value: int) -> Path:
    place = folder / "rules" / "sun-1992"
    place.mkdir(parents=True)
    (place / "ours.yaml").write_text(f"id: site-devices\nparameters: {{most: {value}}}\n")
    return folder


def test_of_several_overlays_the_later_wins(
    run: Run, box: Path, site: Path, tmp_path: Path
) -> None:
    wide, tight = _change(tmp_path / "wide", 4), _change(tmp_path / "tight", 1)

    def check(*overlays: Path) -> tuple[int, str]:
        words = [word for overlay in overlays for word in ("--overlay", overlay)]
        result = run("check", box, *words, "--rule", "site-devices")
        return result.exit_code, result.stdout

    code, text = check(site, tight, wide)
    assert code == Exit.PASS
    assert "wide: rule site-devices parameter most: " in text
    assert "→ 4 (used in this result)" in text
    code, text = check(site, wide, tight)
    assert code == Exit.FAIL
    assert "3 devices on esp0, at most 1." in text


def test_overlays_are_told_in_json(run: Run, box: Path, site: Path, tmp_path: Path) -> None:
    words = ("--overlay", site, "--overlay", _change(tmp_path / "wide", 4), "--format", "json")
    data = json.loads(run("check", box, *words).stdout)
    (change,) = (c for c in data["overlays"] if c["overlay"] == "wide")
    assert (change["before"], change["after"], change["used"]) == ("2", "4", True)


CPU = "processors: 1\nobserved: {cpu: {system_percent: 10, user_percent: 10}"


@pytest.mark.parametrize(
    ("more", "loads"),
    [
        ("", []),
        ("observed: {paging: {scans_per_s: 10}}", ["memory"]),
        (f"{CPU}}}", ["processors"]),
        (
            f"{CPU}, paging: {{scans_per_s: 10}}}}",
            ["processors", "memory"],
        ),
    ],
)
def test_fewer_than_two_loads_are_not_enough_data(
    run: Run, tmp_path: Path, more: str, loads: list[str]
) -> None:
    box = tmp_path / "box.yaml"
    box.write_text(f"name: a\nplatform: sparcstation-2\n{more}\n", encoding="utf-8")
    enough = len(loads) > 1
    result = run("check", box)
    assert result.exit_code == (Exit.PASS if enough else Exit.FAIL)
    assert ("\nNot enough data: " in result.stdout) != enough
    data = json.loads(run("check", box, "--format", "json").stdout)
    assert (data["loads"], data["verdict"] == "unknown") == (loads, not enough)
    sarif = json.loads(run("check", box, "--format", "sarif").stdout)
    assert sarif["runs"][0]["invocations"][0]["executionSuccessful"] == enough
    junit = ElementTree.fromstring(run("check", box, "--format", "junit").stdout)
    assert junit.get("errors") == ("0" if enough else "1")


# --- several servers ------------------------------------------------------------------------------

ATTIC = """\
name: attic
platform: sparcstation-2
processors: 1
memory: {total_mb: 32}
channels:
  - id: esp0
    kind: scsi-synchronous
    devices: [{id: sd1, device: 1-3gb-scsi}, {id: sd2, device: 1-3gb-scsi}]
volumes:
  - {name: homes, copies: [[sd1]], size_mb: 1000, access: random}
  - {name: archive, copies: [[sd2]], size_mb: 700, access: random}
observed:
  cpu: {user_percent: 10, system_percent: 10}
  disks: {sd1: {ops_per_s: 100}, sd2: {ops_per_s: 2}}
"""


@pytest.fixture
def servers(tmp_path: Path) -> list[Path]:
    """A server with 100 random op/s on a disk that sustains 60 (Table 8), one with 30, one bare.

    The limit is 60 / 100 = 0.6 of today's load on the first, and twice that on the second.
    """
    texts = {
        "attic": ATTIC,
        "cellar": ATTIC.replace("name: attic", "name: cellar").replace("100", "30"),
        "bare": "name: bare\nplatform: sparcstation-2\n",
    }
    files = [tmp_path / f"{name}.yaml" for name in texts]
    for file, text in zip(files, texts.values(), strict=True):
        file.write_text(text)
    return files


def _rows(text: str) -> list[list[str]]:
    """The rows of a table without those that only continue a cell, split where columns are."""
    lines = [line for line in text.split("\n\n")[1].splitlines() if line[:1] != " "]
    return [re.split(r" {2,}", line) for line in lines]


def test_several_servers_have_a_line_each(run: Run, servers: list[Path]) -> None:
    result = run("check", *servers)
    assert result.exit_code == Exit.FAIL
    assert result.stdout.startswith("Check of 3 servers: 1 unknown, 1 fail, 1 pass.\n\n")
    # The worst comes first, in whatever order the files are given.
    assert run("check", *servers[::-1]).stdout == result.stdout
    head, attic, bare, cellar = _rows(result.stdout)
    assert head == ["server", "verdict", "bottleneck", "headroom", "do first"]
    assert attic[:4] == ["attic", "fail", "load, sd1", "0.6"]
    assert (
        " ".join(result.stdout.split()).count("Move half of the data of disk sd1 to disk sd2") == 1
    )
    assert cellar[:2] == ["cellar", "pass"] and len(cellar) == 4
    assert bare[:4] == ["bare", "unknown", "unknown", "unknown"]
    assert bare[4].startswith("Measure processors")
    assert [line for line in result.stdout.splitlines() if len(line) > 80] == []


def test_the_exit_code_of_several_is_that_of_the_worst(run: Run, servers: list[Path]) -> None:
    attic, cellar, bare = servers
    assert run("check", cellar, cellar).exit_code == Exit.PASS
    assert run("check", cellar, attic).exit_code == Exit.FAIL
    assert run("check", cellar, bare).exit_code == Exit.FAIL
    assert run("check", cellar, cellar, "--fail-on", "unknown").exit_code == Exit.FAIL


def test_servers_of_one_name_are_told_by_their_files(run: Run, servers: list[Path]) -> None:
    servers[1].write_text(ATTIC.replace("100", "30"))
    text = run("check", *servers[:2]).stdout
    folded = "".join(line.split("  ")[0].strip() for line in text.split("\n\n")[1].splitlines()[1:])
    assert str(servers[0]) in folded and str(servers[1]) in folded


@pytest.mark.parametrize(
    "options", [("--full",), ("--break-even",), ("--also-by", "auspex-1992"), ("--failed", "sd2")]
)
def test_what_only_the_whole_report_shows_has_the_whole_report(
    run: Run, servers: list[Path], options: tuple[str, ...]
) -> None:
    several = run("check", *servers[:2], *options).stdout
    assert several == "\n".join(run("check", file, *options).stdout for file in servers[:2])


def test_the_five_measurements_that_decide_most_are_listed(run: Run, servers: list[Path]) -> None:
    """The list of all begins with them, and the missing values follow it."""
    short, whole = (run("check", servers[0], *more).stdout for more in ((), ("--all-missing",)))
    listed, every = (
        text.split("\nWhat to measure\n")[1].split("\n\n")[1] for text in (short, whole)
    )
    entries, line = listed.rsplit("\n  --all-missing lists all ", 1)
    assert len(re.findall(r"^  (?! )", entries, re.MULTILINE)) == 5
    assert every.startswith(entries)
    known = re.fullmatch(r"(\d+) measurements and (\d+) missing\n  values\.|"
                         r"(\d+) measurements and (\d+) missing values\.", line)  # fmt: skip
    assert known is not None
    measured, missing = (int(number) for number in known.groups() if number)
    assert len(re.findall(r"^  (?! )", every, re.MULTILINE)) == measured
    values = whole.split("\nMissing values\n")[1].split("\n\n")
    assert f"because {missing} values are missing" in " ".join(values[0].split())
    assert "\nMissing values\n" not in short and "--all-missing" not in whole
