"""Names that would steer a terminal, turn text round or hide it: no format writes them as they are.

They begin as formulas do, so that a spreadsheet would calculate them.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml

from cli.conftest import EXAMPLES, ROOT, Run
from generated_workloads import text_of

STEERING = "=x\x1b[8m\u202ey\u200b\x9bz\u2066\u2028\ufeff"
WORKLOAD = ROOT / "examples" / "customers" / "print-room" / "workload.yaml"
BOX = EXAMPLES / "appendix-d" / "box-random.yaml"
NAMED = ("name", "id")
BY_NAME = ("disks", "networks", "channels", "boards")
NOT_NAMES = ("platform", "access", "device", "board", "kind", "bus")


def hostile(file: Path) -> Any:
    """The data of a file; every name in it, and the title, begin as they must not be written."""
    data = yaml.safe_load(file.read_text(encoding="utf-8"))
    names = {name: f"{STEERING}{number}" for number, name in enumerate(_names(data))}
    return {**_renamed(data, names), "title": f"{STEERING} title"}


def _names(data: Any) -> Iterator[str]:
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        if key in NAMED and isinstance(value, str):
            yield value
        elif isinstance(value, (dict, list)):
            yield from _names(value)


def _renamed(data: Any, names: dict[str, str], key: str = "") -> Any:
    if isinstance(data, dict):
        keys = names if key in BY_NAME else {}
        return {keys.get(k, k): _renamed(v, names, k) for k, v in data.items()}
    if isinstance(data, list):
        return [_renamed(one, names, key) for one in data]
    return data if key in NOT_NAMES else names.get(data, data)


@pytest.fixture
def workload(tmp_path: Path) -> Path:
    file = tmp_path / "workload.yaml"
    file.write_text(text_of(hostile(WORKLOAD)), encoding="utf-8")
    return file


@pytest.fixture
def box(tmp_path: Path) -> Path:
    file = tmp_path / "box.yaml"
    file.write_text(text_of(hostile(BOX)), encoding="utf-8")
    return file


def is_harmless(text: str) -> bool:
    """Whether no character of a text steers, turns or hides anything."""
    return all(line.isprintable() for line in text.replace("\r\n", "\n").split("\n"))


@pytest.mark.parametrize("form", ["text", "json", "yaml", "markdown", "csv", "html", "svg"])
def test_a_plan_writes_no_name_that_steers(run: Run, workload: Path, form: str) -> None:
    found = run("plan", workload, "--format", form)
    assert found.exit_code == 0, found.stderr
    assert is_harmless(found.stdout)
    assert "x" in found.stdout and "8m" in found.stdout
    if form == "json":
        assert json.loads(found.stdout)["workload"]["title"] == f"{STEERING} title"
    if form == "csv":
        cells = [cell for row in csv.reader(StringIO(found.stdout)) for cell in row]
        assert any(STEERING[:2] in cell for cell in cells)
        assert not any(cell.startswith("=") for cell in cells)


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit"])
def test_a_check_writes_no_name_that_steers(run: Run, box: Path, form: str) -> None:
    found = run("check", box, "--format", form)
    assert found.exit_code == 1, found.stderr
    assert is_harmless(found.stdout)
    assert "8m" in found.stdout


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("command", [("explain",), ("compare",), ("diff", WORKLOAD)])
def test_other_commands_write_no_name_that_steers(
    run: Run, workload: Path, command: tuple[object, ...], form: str
) -> None:
    found = run(*command, workload, "--format", form)
    assert is_harmless(found.stdout)
    assert "8m" in found.stdout


@pytest.mark.parametrize("form", ["text", "json"])
def test_expected_findings_are_told_without_what_steers(run: Run, box: Path, form: str) -> None:
    finding = {"rule": "I", "subject": f"{STEERING}1", "verdict": "violated", "why": STEERING}
    expected = {"case": STEERING, "box": box.name, "findings": [finding]}
    (box.parent / "box-expected.yaml").write_text(text_of(expected), encoding="utf-8")
    found = run("test", box.parent, "--format", form)
    assert is_harmless(found.stdout)
    assert found.stdout.count("8m") > 1


def test_a_message_has_no_name_that_steers(run: Run, workload: Path) -> None:
    workload.write_text(workload.read_text("utf-8").replace("volume:", "volumes:"), "utf-8")
    found = run("plan", workload)
    assert found.exit_code == 2
    assert is_harmless(found.stderr)
