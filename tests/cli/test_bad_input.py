from __future__ import annotations

from pathlib import Path

import pytest

from sizewright.cli.exits import Exit

from .conftest import CASE_1, Run


def _refused(run: Run, *arguments: object, stdin: str | bytes | None = None) -> str:
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == Exit.BAD_INPUT
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


def test_a_missing_file(run: Run) -> None:
    assert _refused(run, "plan", "none.yaml") == "none.yaml: there is no such file\n"


def test_a_directory(run: Run, tmp_path: Path) -> None:
    assert _refused(run, "plan", tmp_path) == f"{tmp_path}: is a directory\n  expected a file\n"


def test_an_empty_file(run: Run, tmp_path: Path) -> None:
    empty = tmp_path / "empty.yaml"
    empty.touch()
    assert _refused(run, "plan", empty) == f"{empty}: is empty\n"
    assert _refused(run, "explain", "-", stdin="") == "<stdin>: is empty\n"


def test_yaml_that_is_none(run: Run) -> None:
    text = _refused(run, "plan", "-", stdin="a: [b\nc: d\n")
    assert text.startswith("<stdin>:2:")
    assert "is not valid YAML" in text


def test_bytes_that_are_no_text(run: Run) -> None:
    assert "UTF-8" in _refused(run, "plan", "-", stdin=b"\xff\xfe\x00")


def test_every_misspelt_key_at_once_with_the_nearest(run: Run) -> None:
    text = CASE_1.read_text(encoding="utf-8")
    broken = text.replace("name: departmental-nfs", "naem: departmental-nfs")
    broken = broken.replace("    clients: 12\n", "    clintes: 12\n")
    said = _refused(run, "plan", "-", stdin=broken)
    assert "unknown key 'naem'" in said and "did you mean 'name'?" in said
    assert "unknown key 'clintes'" in said and "did you mean 'clients'?" in said


def test_a_device_that_no_table_has(run: Run) -> None:
    text = CASE_1.read_text(encoding="utf-8").replace("[quarter-inch-tape]", "[quarter-inch-tap]")
    said = _refused(run, "plan", "-", stdin=text)
    assert said.startswith("<stdin>:")
    assert "did you mean 'quarter-inch-tape'?" in said


def test_an_unknown_resource(run: Run) -> None:
    said = _refused(run, "explain", CASE_1, "kernel-lock")
    assert f"{CASE_1}: no resource, rule or part is called 'kernel-lock'\n" in said
    assert "did you mean 'kernel_lock'?" in said


@pytest.mark.parametrize(
    ("arguments", "what", "near"),
    [
        (("tables", "disk"), "there is no table 'disk'", "disks"),
        (("tables", "disks", "424mb-scs"), "there is no row of table disks '424mb-scs'",
         "424mb-scsi"),
        (("rules", "show", "XIIII"), "there is no rule 'XIIII'", "XIII"),
    ],
)  # fmt: skip
def test_an_unknown_table_row_or_rule(
    run: Run, arguments: tuple[str, ...], what: str, near: str
) -> None:
    said = _refused(run, *arguments)
    assert said.startswith(f"guide sun-1992: {what}\n")
    assert f"did you mean '{near}'?" in said


@pytest.mark.parametrize("command", ["plan", "explain", "tables", "rules"])
def test_an_unknown_guide(run: Run, command: str) -> None:
    arguments = (command, CASE_1) if command in ("plan", "explain") else (command,)
    said = _refused(run, *arguments, "--guide", "sun-1993")
    assert said.startswith("--guide: there is no guide 'sun-1993'\n")
    assert "did you mean 'sun-1992'?" in said


def test_a_guide_that_the_workload_misspells(run: Run) -> None:
    text = CASE_1.read_text(encoding="utf-8").replace("guide: sun-1992", "guide: sun-192")
    line = text[: text.index("guide: sun-192")].count("\n") + 1
    said = _refused(run, "plan", "-", stdin=text)
    assert said.startswith(f"<stdin>:{line}:1: there is no guide 'sun-192'\n")


def test_an_overlay_that_is_missing_or_no_folder(run: Run, tmp_path: Path) -> None:
    none = tmp_path / "none"
    assert _refused(run, "plan", CASE_1, "--overlay", none) == (
        f"{none}: there is no such folder\n  expected a folder with tables or rules\n"
    )
    assert f"{CASE_1}: is no folder\n" in _refused(run, "rules", "--overlay", CASE_1)


def test_an_overlay_that_changes_nothing(run: Run, tmp_path: Path) -> None:
    said = _refused(run, "plan", CASE_1, "--overlay", tmp_path)
    assert f"{tmp_path}: the overlay has no file for guide sun-1992\n" in said


def test_a_broken_table_is_named_by_file_and_line(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "site" / "tables" / "sun-1992"
    folder.mkdir(parents=True)
    (folder / "disks.yaml").write_text(
        "table: disks\n"
        "rows:\n"
        "  - id: 424mb-scsi\n"
        "    capacity_mb: many\n"
        '    source: {section: "2.4.4"}\n'
        "    status: printed\n"
        "  - id: ours\n"
        "    capacty_mb: 3\n"
    )
    said = _refused(run, "plan", CASE_1, "--overlay", tmp_path / "site")
    assert "site/tables/sun-1992/disks.yaml:4:5: capacity_mb is 'many'\n" in said
    assert "site/tables/sun-1992/disks.yaml:8:5: unknown column 'capacty_mb'\n" in said
    assert "did you mean 'capacity_mb'?" in said


def test_a_broken_rule_is_named(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "site" / "rules" / "sun-1992"
    folder.mkdir(parents=True)
    (folder / "ours.yaml").write_text("id: XIII\nrequire: network.nfs_ops_per_sec <= 2\n")
    said = _refused(run, "plan", CASE_1, "--overlay", tmp_path / "site")
    assert said.startswith("site/rules/sun-1992/ours.yaml")
    assert "nfs_ops_per_s" in said


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("plan",), "Missing argument 'WORKLOAD'"),
        (("plan", CASE_1, "--size-for", "most"), "'most' is not one of 'low', 'likely', 'high'"),
        (("plan", CASE_1, "--format", "xml"), "'xml' is not one of"),
        (("plan", CASE_1, "--guid", "x"), "No such option"),
        (("plann", CASE_1), "there is no command 'plann'; did you mean 'plan'?"),
        (("fly",), "there is no command 'fly'; one of plan, check, box, workload, explain, "),
        (("rules", "XIII"), "'XIII' is not 'show'"),
        (("rules", "show"), "which rule?"),
    ],
)
def test_wrong_usage(run: Run, arguments: tuple[str, ...], what: str) -> None:
    said = _refused(run, *arguments)
    assert said.startswith("Usage: sizewright")
    assert what in said


def test_no_arguments_at_all_are_answered_with_help(run: Run) -> None:
    assert "Commands:" in _refused(run)


def test_an_output_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    assert f"{tmp_path}: is a directory\n" in _refused(run, "rules", "-o", tmp_path)
    missing = tmp_path / "none" / "plan.txt"
    said = _refused(run, "plan", CASE_1, "-o", missing)
    assert f"{missing}: there is no folder '{tmp_path / 'none'}'\n" in said


def test_an_unknown_rule_in_a_waiver(run: Run) -> None:
    text = CASE_1.read_text(encoding="utf-8").replace(
        "default_mix: legato", "default_mix: legato\n  waive: [{rule: XIIV, reason: none}]"
    )
    said = _refused(run, "plan", "-", stdin=text)
    assert said.startswith("<stdin>:")
    assert "there is no rule 'XIIV'\n" in said


def test_platforms_that_are_not_on_offer(run: Run) -> None:
    text = CASE_1.read_text(encoding="utf-8").replace(
        "wishes:\n", "wishes:\n  platforms: [sun-4-260]\n"
    )
    assert "sun-4-260" in _refused(run, "plan", "-", stdin=text)


def test_a_fault_of_the_program_ends_in_a_message(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("sizewright.cli.browse.engine_of", broken)
    with pytest.raises(ZeroDivisionError):
        run("rules")
    monkeypatch.delenv("SIZEWRIGHT_DEBUG")
    result = run("rules")
    assert result.exit_code == Exit.INTERNAL_ERROR
    assert result.stdout == ""
    assert result.stderr.startswith("sizewright: internal error: ZeroDivisionError: by nothing\n")


@pytest.mark.parametrize(
    ("services", "wishes", "where", "what"),
    [
        ("load: {data: [{name: d, kb: 9}], every_s: 3}, mix: {reads_percent: 0, writes_percent: 5}",
         "{}", "4:139", "needs the share of reads"),
        ("load: {ops_per_s_each: 1}", "{platforms: [sun-4-490]}", "5:22",
         "can be checked, not planned"),
    ],
)  # fmt: skip
def test_a_value_that_a_plan_cannot_use_is_named_with_its_place(
    run: Run, tmp_path: Path, services: str, wishes: str, where: str, what: str
) -> None:
    file = tmp_path / "workload.yaml"
    file.write_text(
        "name: a\nvolumes: [{name: homes, size_mb: 300, access: random}]\n"
        "networks: [{name: n, medium: ethernet}]\n"
        f"services: [{{kind: nfs, name: m, clients: 9, network: n, uses: [homes], {services}}}]\n"
        f"wishes: {wishes}\n",
        "utf-8",
    )
    said = _refused(run, "plan", file)
    assert said.startswith(f"{file}:{where}: ") and what in said
    assert said.count(what) == 1
