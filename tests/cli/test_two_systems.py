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
    result = run("plan", two, "--full")
    assert (result.exit_code, result.stderr) == (Exit.PASS, "")
    text = " ".join(result.stdout.split())
    assert "Recommended: two systems, " in text
    assert "the primary (SPARCstation-2) runs reports; the alternate (SPARCstation-2) runs orders."
    assert "300 ms/s (30%) over." in text
    assert "Not planned: no system takes over from another" in text


def test_one_system_can_be_asked_for(run: Run, two: Path) -> None:
    result = run("plan", two, "--systems", 1, "--full")
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
    assert "cannot be split over several systems." in " ".join(result.stdout.split())
    written = run("plan", path, "--systems", 2, "--format", "yaml")
    assert (written.exit_code, written.stdout) == (Exit.FAIL, "")
    assert "no plan meets every limit for pairwise; no box file" in written.stderr
    data = json.loads(run("plan", path, "--systems", 2, "--format", "json").stdout)
    assert (data["verdict"], data["systems"], data["budgets"]) == ("violated", [], [])
    first, *rest = run("explain", path, "--systems", 2).stdout.splitlines()
    assert first == "No configuration meets every limit." and "primary" not in "".join(rest)


def test_a_box_file_is_one_system_s(run: Run, two: Path, tmp_path: Path) -> None:
    single = tmp_path / "single.yaml"
    for options in ((), ("-o", single)):
        usual = run("plan", two, "--format", "yaml", *options)
        assert (usual.exit_code, usual.stdout) == (Exit.BAD_INPUT, "")
        assert usual.stderr == (
            "--format yaml: a box file has one system, and the plan has 2\n"
            "  expected -o FOLDER (an existing folder) for all of them, "
            "or --system primary or alternate\n"
        )
    assert not single.exists()
    chosen = run("plan", two, "--format", "yaml", "--system", "primary")
    assert (yaml.safe_load(chosen.stdout)["name"], chosen.stderr) == ("primary", "")
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


PAIR = Path(__file__).resolve().parents[2] / "examples/customers/ticket-office-pair/workload.yaml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "boxes"
    made.mkdir()
    return made


def test_all_systems_are_written_with_their_shared_strings(run: Run, folder: Path) -> None:
    result = run("plan", PAIR, "--format", "yaml", "-o", folder)
    assert (result.exit_code, result.stdout, result.stderr) == (Exit.PASS, "", "")
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == ["alternate.yaml", "primary.yaml"]
    boxes = {file.stem: yaml.safe_load(file.read_text()) for file in files}
    # A disk has one name in both systems; the one that does not write on it names its owner.
    ends = {
        name: {
            device["id"]: device.get("owner")
            for channel in box["channels"] for device in channel["devices"]
            if device.get("dual_ported")
        }
        for name, box in boxes.items()
    }  # fmt: skip
    assert ends["primary"] and ends["primary"].keys() == ends["alternate"].keys()
    for disk, owner in ends["primary"].items():
        assert {owner, ends["alternate"][disk]} in ({None, "primary"}, {None, "alternate"})
    planned = json.loads(run("plan", PAIR, "--format", "json").stdout)
    budgets = {budget["resource"]: budget for budget in planned["budgets"]}
    agreed = set()
    for file in files:
        found = json.loads(run("check", file, "--format", "json").stdout)
        assert found["verdict"] == planned["verdict"]
        for budget in found["budgets"]:
            before = budgets[budget["resource"]]
            assert [budget[key] for key in ("used", "limit", "verdict")] == [
                before[key] for key in ("used", "limit", "verdict")
            ], budget["resource"]
            agreed.add(budget["resource"])
    assert agreed == budgets.keys()


def test_a_folder_gets_one_system_too(run: Run, two: Path, light: Path, folder: Path) -> None:
    run("plan", two, "--format", "yaml", "--system", "alternate", "-o", folder)
    assert [file.name for file in folder.iterdir()] == ["alternate.yaml"]
    run("plan", light, "--format", "yaml", "-o", folder)
    (text, _) = (
        (folder / f"{name}.yaml").read_text(encoding="utf-8") for name in ("primary", "alternate")
    )
    assert text == run("plan", light, "--format", "yaml").stdout
    assert run("plan", light, "--format", "json", "-o", folder).exit_code == Exit.BAD_INPUT


def test_a_former_box_is_replaced_and_nothing_else_is(run: Run, two: Path, folder: Path) -> None:
    options = ("plan", two, "--format", "yaml", "-o", folder)
    assert run(*options).exit_code == Exit.PASS
    first = (folder / "primary.yaml").read_text()
    assert run(*options).exit_code == Exit.PASS
    (folder / "primary.yaml").unlink()
    (folder / "alternate.yaml").write_text("notes: [mine]\n")
    result = run(*options)
    assert result.exit_code == Exit.BAD_INPUT
    assert f"{folder / 'alternate.yaml'}: exists, and is not a box file" in result.stderr
    assert [file.name for file in folder.iterdir()] == ["alternate.yaml"]
    assert (folder / "alternate.yaml").read_text() == "notes: [mine]\n"
    (folder / "alternate.yaml").unlink()
    run(*options)
    assert (folder / "primary.yaml").read_text() == first


@pytest.mark.parametrize("former", [True, False])
def test_all_files_are_written_or_none(
    run: Run, two: Path, light: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, former: bool
) -> None:
    if former:
        run("plan", light, "--systems", 2, "--format", "yaml", "-o", folder)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert len(before) == 2 * former
    rename = Path.replace

    def fail_at_alternate(self: Path, target: Path) -> Path:
        if target.name == "alternate.yaml":
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", fail_at_alternate)
    result = run("plan", two, "--format", "yaml", "-o", folder)
    assert result.exit_code == Exit.BAD_INPUT
    assert result.stderr == f"{folder}: cannot be written: permission denied\n"
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_several_boxes_are_checked_one_after_the_other(
    run: Run, two: Path, folder: Path, tmp_path: Path
) -> None:
    run("plan", two, "--format", "yaml", "-o", folder)
    files = sorted(folder.iterdir())
    result = run("check", *files, "--full")
    assert result.exit_code == Exit.PASS
    assert result.stdout == "\n".join(run("check", file).stdout for file in files)
    data = yaml.safe_load(files[0].read_text())
    # More kernel time than a second has (1.3.1): this one fails, and so do both.
    data["load"]["kernel_lock"] = {"orders": 1200}
    files[0].write_text(yaml.safe_dump(data))
    assert run("check", files[0]).exit_code == run("check", *files).exit_code == Exit.FAIL
    several = run("check", *files, "--format", "json")
    assert (several.exit_code, several.stdout) == (Exit.BAD_INPUT, "")
    assert several.stderr == (
        "BOX: --format json reports one box\n  expected one file, or --format text\n"
    )


def test_identical_systems_have_one_file(run: Run, folder: Path) -> None:
    school = PAIR.parents[1] / "language-school" / "workload.yaml"
    result = run("plan", school, "--format", "yaml", "-o", folder)
    assert [file.name for file in folder.iterdir()] == ["server.yaml"]
    assert result.stderr == (
        "sizewright: the box file of server is of each of 2 identical systems\n"
    )


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
    assert "primary/kernel_lock (kernel lock)" in heads
    assert "alternate/kernel_lock (kernel lock)" in heads
    one = run("explain", two, "alternate/kernel_lock").stdout
    assert "\nalternate/kernel_lock" in one and "primary/kernel_lock" not in one
    missing = run("explain", two, "kernel_lock", "--systems", 1)
    assert missing.exit_code == Exit.FAIL
    assert missing.stdout.startswith(
        "No configuration meets every limit. Traced below: the closest alternative,"
    )


def test_an_explanation_as_markdown(run: Run, tmp_path: Path) -> None:
    result = run("explain", CASE_1, "network/technical", "--format", "markdown")
    assert (result.exit_code, result.stderr) == (Exit.PASS, "")
    assert result.stdout.startswith("# Derivation for departmental-nfs: ")
    assert "\n## primary/network/technical (network technical)\n" in result.stdout
    assert "  - ecad: 120–150 op/s\n" in result.stdout
    assert "    - \\= 5 clients × 30 op/s per client\n" in result.stdout
    target = tmp_path / "quote.md"
    run("explain", CASE_1, "network/technical", "--format", "markdown", "-o", target)
    assert target.read_text(encoding="utf-8") == result.stdout
