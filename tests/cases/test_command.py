from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import click
import pytest
from click.testing import CliRunner, Result

from cases.copies import EXAMPLES, ROOT, Copy
from sizewright.cli.main import main
from sizewright.guide import loader

pytestmark = pytest.mark.no_cover

CASE = EXAMPLES / "case-1-departmental-nfs"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["test", *map(str, words)], prog_name="sizewright")


def test_a_case_that_agrees_ends_in_0_and_lists_errata() -> None:
    result = run(CASE)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    assert "case-1-departmental-nfs (section 1.1.8)" in result.stdout
    assert "differs  mirror-halves: guide 1, plan 2." in result.stdout
    assert "not planned  mirror-read-option" in result.stdout
    assert "Errata of the guide\n  technical-share-of-offload-interface" in result.stdout
    assert "0 differ" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_the_summary_says_what_was_computed_and_what_was_only_read() -> None:
    words = " ".join(run(EXAMPLES / "worked-examples" / "machines").stdout.split())
    assert "0 computed by a plan or a check, 0 computed from a workload, 3" in words
    assert " printed arithmetic checked" in words


def test_a_figure_that_agrees_has_no_line_of_its_own() -> None:
    assert "ecad-load" not in run(CASE).stdout


def test_a_figure_that_differs_ends_in_1_with_a_line_for_it(one: Copy) -> None:
    one.change("workload.yaml", "clients: 75", "clients: 80")
    result = run(one.folder)
    assert result.exit_code == 1
    assert "DIFFERS  total-load: guide 208 op/s, plan 210 op/s." in result.stdout
    assert "facts.system.nfs_ops_per_s" in result.stdout


def test_json_is_the_contract() -> None:
    result = run(CASE, "--format", "json")
    data = json.loads(result.stdout)
    assert result.exit_code == 0
    assert data["schema"] == "sizewright.test/1"
    (figure,) = (f for f in data["figures"] if f["id"] == "ecad-load")
    assert figure == {
        "case": "case-1-departmental-nfs",
        "id": "ecad-load",
        "kind": "demand",
        "workload": "workload.yaml",
        "path": "demand.streams[ecad].ops",
        "cite": "section 1.1.8",
        "guide": [120, 150],
        "computed": [120.0, 150.0],
        "unit": "op/s",
        "tolerance": 0.5,
        "verdict": "agrees",
        "reason": "",
        "forced_by": "",
    }
    assert {f["verdict"] for f in data["figures"]} <= {"agrees", "erratum", "differs"}
    summary = data["summary"]
    assert summary["holds"] is True
    (case,) = summary["cases"]
    assert case["comparisons"] == len(data["figures"])
    assert case["agrees"] + case["erratum"] + case["differs"] == case["comparisons"]
    assert case["differs"] == case["forced"] == sum(bool(f["forced_by"]) for f in data["figures"])
    assert case["kinds"] == summary["kinds"]
    assert sum(summary["kinds"].values()) == case["comparisons"]
    assert summary["kinds"]["plan"] > summary["kinds"]["cell"]
    assert summary["examples"]["run"] > summary["examples"]["rules"] > 0
    assert summary["examples"]["differs"] == []


def test_a_broken_fixture_ends_in_2_and_says_where(one: Copy) -> None:
    one.change("expected.yaml", "end: range", "end: rnage")
    result = run(one.folder)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "expected.yaml:" in result.stderr
    assert "did you mean 'range'?" in result.stderr


def test_the_faults_of_all_case_studies_come_together(one: Copy, two: Copy, tmp_path: Path) -> None:
    one.change("expected.yaml", "end: range", "end: rnage")
    two.change("expected.yaml", "end: range", "end: rnage")
    stderr = run(tmp_path).stderr
    assert one.folder.name in stderr
    assert two.folder.name in stderr


def test_a_missing_expectation_file_is_a_broken_fixture(one: Copy) -> None:
    (one.folder / "expected.yaml").unlink()
    result = run(one.folder)
    assert result.exit_code == 2
    assert "there is no such file" in result.stderr


def test_a_folder_without_case_studies_ends_in_2(tmp_path: Path) -> None:
    assert run(tmp_path).exit_code == 2


def test_without_a_folder_the_examples_of_the_source_are_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import sizewright.cli.browse as module

    copytree(CASE, tmp_path / "examples" / "sun-1992" / CASE.name)
    monkeypatch.setattr(module, "data_root", lambda: tmp_path)
    result = run()
    assert result.exit_code == 0, result.output
    assert f"{CASE.name} (section" in result.stdout


def test_where_no_examples_lie_the_rules_are_tested_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import sizewright.cli.browse as module

    assert loader.data_root() == ROOT
    monkeypatch.setattr(module, "data_root", lambda: tmp_path)
    result = run()
    assert result.exit_code == 0
    assert result.stderr == "no case studies next to the tables: rule examples only\n"
    assert result.stdout.endswith("0 differ\n")


def test_an_overlay_is_held_against_the_guide(tmp_path: Path) -> None:
    folder = tmp_path / "overlay" / "tables" / "sun-1992"
    folder.mkdir(parents=True)
    (folder / "network-interfaces.yaml").write_text(
        "table: network-interfaces\nrows:\n  - id: lance-ethernet\n    nfs_ops_per_s: 300\n"
    )
    result = run(CASE, "--overlay", tmp_path / "overlay")
    assert result.exit_code == 1, result.stderr
    assert "DIFFERS  technical-share-of-plain-interface" in result.stdout


def test_errata_are_printed_or_written(tmp_path: Path) -> None:
    page = run("--errata").stdout
    assert page == (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    file = tmp_path / "errata.md"
    assert run("--errata", "-o", file).stdout == ""
    assert file.read_text(encoding="utf-8") == page


def test_help_shows_an_example_within_80_columns() -> None:
    result = CliRunner().invoke(main, ["test", "--help"], terminal_width=80)
    assert "sizewright test examples/" in result.output
    assert max(map(len, result.output.splitlines())) <= 80
    assert isinstance(main, click.Group)


def test_a_rule_example_that_differs_ends_in_1(tmp_path: Path) -> None:
    from sizewright.cases.results import all_pass, cases_data, cases_text
    from sizewright.rules.examples import ExampleResult

    wrong = (ExampleResult("XIII", 0, "holds", "violated", False, guide="one"),)
    assert not all_pass((), wrong)
    assert "DIFFERS  one, rule XIII, example 1: expected holds, got violated" in cases_text(
        (), wrong
    )
    assert cases_data((), wrong)["summary"]["examples"]["differs"] == [
        {"guide": "one", "rule": "XIII", "example": 1, "reason": "expected holds, got violated"}
    ]
