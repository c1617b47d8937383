"""`--break-even`, of a plan and of a check."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sizewright.cli.exits import Exit

from .conftest import CASE_1, EXAMPLES, ROOT, Run

BOX = EXAMPLES / "case-1-departmental-nfs" / "box.yaml"


@pytest.mark.parametrize(("command", "file"), [("plan", CASE_1), ("check", BOX)])
def test_it_adds_what_decides_and_changes_nothing_else(run: Run, command: str, file: Path) -> None:
    plain, more = run(command, file), run(command, file, "--break-even")
    assert "Sensitivity" not in plain.stdout and "\nSensitivity (" in more.stdout
    kept = iter(more.stdout.splitlines())
    assert all(line in kept for line in plain.stdout.splitlines())
    assert (more.exit_code, more.stderr) == (plain.exit_code, plain.stderr)


@pytest.mark.parametrize(("command", "file"), [("plan", CASE_1), ("check", BOX)])
def test_json_has_all_flips(run: Run, command: str, file: Path) -> None:
    without = json.loads(run(command, file, "--format", "json").stdout)
    data = json.loads(run(command, file, "--format", "json", "--break-even").stdout)
    keys = dict.fromkeys(("break_even", "borderline_from", "steady"))
    assert keys.items() <= without.items()
    assert len(data["break_even"]) > 12 and data["steady"]["within"] == 1000
    assert {**data, **keys} == without


@pytest.mark.parametrize(("form", "heading"), [("markdown", "\n## {}"), ("html", "<h3>{}")])
def test_ticket_and_page_tell_it_as_the_text_does(run: Run, form: str, heading: str) -> None:
    text = run("plan", CASE_1, "--break-even").stdout
    told = text.split("\nSensitivity (")[1].split("--full")[0].splitlines()
    page = run("plan", CASE_1, "--break-even", "--format", form)
    assert (page.exit_code, page.stderr) == (Exit.PASS, "")
    _, found, section = page.stdout.partition(heading.format("Sensitivity ("))
    rows = [line for line in re.split("\n#|<h3>", section)[0].splitlines()
            if line.startswith(("| ", "<tr><td"))]  # fmt: skip
    # Twelve of each owner, twelve from which the plan is borderline; Markdown has three headings.
    assert found and len(rows) == 12 + 12 + 12 + 3 * (form == "markdown")
    words = set(re.split(r"\W+", section.replace("\\", "")))
    assert set(re.split(r"\W+", " ".join(told))) <= words


def test_it_asks_at_the_end_that_the_plan_is_sized_for(run: Run) -> None:
    def ends(*options: str) -> set[str]:
        told = run("plan", CASE_1, "--format", "json", "--break-even", *options).stdout
        return {each["end"] for each in json.loads(told)["break_even"]}

    assert ends("--size-for", "likely") == {"likely"}
    assert ends() == {"low", "high"}


@pytest.mark.parametrize(
    ("command", "file", "form", "telling"),
    [
        *(
            ("plan", CASE_1, form, "text, json, markdown or html")
            for form in ("yaml", "csv", "svg")
        ),
        *(("check", BOX, form, "text or json") for form in ("sarif", "junit")),
    ],
)  # fmt: skip
def test_a_form_without_a_place_for_it_is_refused(
    run: Run, command: str, file: Path, form: str, telling: str
) -> None:
    result = run(command, file, "--break-even", "--format", form)
    assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
    assert result.stderr == (
        f"--break-even: has no place in --format {form}\n  expected --format {telling}\n"
    )


@pytest.mark.parametrize(("options", "loaded"), [("", False), (", '--break-even'", True)])
def test_only_who_asks_pays_for_the_import(options: str, loaded: bool) -> None:
    code = (
        "import sys; from sizewright.cli.main import main\n"
        f"try: main(['plan', {str(CASE_1)!r}{options}])\n"
        "except SystemExit: pass\n"
        "print('decide' if 'sizewright.sensitivity.thresholds' in sys.modules else 'nothing')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT / "src")}, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == ("decide" if loaded else "nothing")


def test_an_array_without_room_for_its_data_at_some_factor_has_thresholds(
    run: Run, tmp_path: Path
) -> None:
    """A count of disks on the way to a threshold leaves no disk for data: a divisor of zero."""
    file = tmp_path / "box.yaml"
    disks = "".join(f"{{id: d{n}, device: 4gb-drive}}, " for n in range(3))
    file.write_text(
        "name: a\nguide: compaq-1999\nplatform: proliant-6500\n"
        "boards: [{id: array, board: smart-2dh, slots: [1]}]\n"
        f"channels: [{{id: c, kind: scsi-wide-ultra, provider: array, devices: [{disks}]}}]\n"
        "volumes: [{name: v, size_mb: 12 GB, raid: 5, protection: redundant, "
        "copies: [[d0, d1, d2]]}]\n",
        encoding="utf-8",
    )
    found = run("check", file, "--break-even")
    assert found.exit_code in (Exit.PASS, Exit.FAIL), found.stderr
