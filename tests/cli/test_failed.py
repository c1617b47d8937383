"""`--failed`, of a plan and of a check."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO
from pathlib import Path

import pytest

from sizewright.cli.exits import Exit
from sizewright.errors import shown

from .conftest import CASE_1, EXAMPLES, Run

BOX = EXAMPLES / "case-1-departmental-nfs" / "box.yaml"
MIRRORED = """\
name: primary
platform: sparcserver-690mp
processors: 4
memory: {total_mb: 64}
channels:
  - {id: esp0, kind: scsi-synchronous, devices: [{id: sd0, device: 1-3gb-scsi}]}
  - {id: esp1, kind: scsi-synchronous, devices: [{id: sd1, device: 1-3gb-scsi}]}
networks: [{name: le0, interface: lance-ethernet}]
volumes:
  - {name: files, access: random, size_mb: 600, copies: [[sd0], [sd1]], manager: online-disksuite}
observed: {disks: {sd0: {ops_per_s: 20}, sd1: {ops_per_s: 20}}}
"""


def test_a_plan_is_judged_without_half_a_mirror_beside_the_whole(run: Run) -> None:
    plain, more = run("plan", CASE_1), run("plan", CASE_1, "--failed", "424mb-scsi-1")
    assert plain.exit_code == more.exit_code == Exit.PASS
    kept = iter(more.stdout.splitlines())
    assert all(line in kept for line in plain.stdout.splitlines())
    told = more.stdout.split("\nFailure of 424 MB disk #1\n")[1].split("\n\n")[0]
    assert " ".join(told.split()).startswith(
        "Pass: every service runs and meets every limit as before. Only one copy of binaries "
        "and mail is left."
    )
    assert "load, 424 MB disk #2" in told


def test_what_is_down_is_told_and_ends_with_1(run: Run) -> None:
    found = run("plan", CASE_1, "--failed", "1-3gb-scsi-1", "--failed", "424mb-scsi-1")
    assert found.exit_code == Exit.FAIL
    told = " ".join(found.stdout.split())
    assert "Fail: service ecad stops because volume ecad-files is lost." in told
    assert "Failure of 424 MB disk #1 Pass: every service" in told
    assert [line for line in found.stdout.splitlines() if len(line) > 80] == []


def test_json_lists_each_part_that_failed(run: Run) -> None:
    without = json.loads(run("plan", CASE_1, "--format", "json").stdout)
    found = run(
        "plan", CASE_1, "--format", "json", "--failed", "pcs", "--failed", "primary/sbus-scsi-1"
    )
    data = json.loads(found.stdout)
    assert without["failed"] == [] and {**data, "failed": []} == without
    network, board = data["failed"]
    assert (network["component"], network["kind"], network["cut_off"]) == (
        "pcs",
        "network",
        ["pcs"],
    )
    assert network["down"] == [{"service": "pcs", "volumes": [], "networks": ["pcs"]}]
    assert board["component"] == "primary/sbus-scsi-1" and board["kind"] == "controller"
    assert board["lost"] == ["backup indexes", "ecad-files", "system"] and not board["holds"]


def test_a_box_is_judged_without_a_part(run: Run, tmp_path: Path) -> None:
    box = tmp_path / "box.yaml"
    box.write_text(MIRRORED, encoding="utf-8")
    found = run("check", box, "--failed", "esp0", "--format", "json")
    (failed,) = json.loads(found.stdout)["failed"]
    assert failed["holds"] and failed["gone"] == ["esp0", "sd0"] and failed["lost"] == []
    (load,) = (b for b in failed["budgets"] if b["kind"] == "disk")
    assert load["used_before"]["high"] == 20
    assert (load["used"]["low"], load["used"]["likely"], load["used"]["high"]) == (20, 40, 40)
    assert run("check", box, "--failed", "le0").exit_code == Exit.FAIL


def test_what_becomes_borderline_fails_only_if_asked_for(run: Run, tmp_path: Path) -> None:
    """One disk then has 40 to 80 op/s, because nobody says which of the 40 were reads."""
    box = tmp_path / "box.yaml"
    cpu = "observed: {cpu: {user_percent: 5, system_percent: 5}, "
    text = MIRRORED.replace("ops_per_s: 20", "ops_per_s: 40").replace("observed: {", cpu)
    box.write_text(text, encoding="utf-8")
    found = run("check", box, "--failed", "esp0")
    told = " ".join(found.stdout.split("\nFailure of ")[1].partition("\n")[2].split())
    assert told.startswith("Pass, borderline: every service runs, and no limit fails.")
    # Rule VII: 40 to 80 op/s are 0.55 to 1.17 active disks, of 2.
    assert "1 limit becomes borderline: rule 2.4.4-random on disk sd1." in told
    assert found.exit_code == Exit.PASS
    strict = ("check", box, "--fail-on", "borderline")
    assert run(*strict).exit_code == Exit.PASS
    assert run(*strict, "--failed", "esp0").exit_code == Exit.FAIL
    data = json.loads(run("check", box, "--failed", "esp0", "--format", "json").stdout)
    (failed,) = data["failed"]
    assert failed["holds"] and failed["broken"] == []
    assert "rule 2.4.4-random, disk sd1" in failed["borderline"]


STRIPED = """\
name: primary
platform: sparcserver-690mp
processors: 4
memory: {total_mb: 64}
channels:
  - id: esp0
    kind: scsi-synchronous
    devices: [{id: sd0, device: 1-3gb-scsi}, {id: sd2, device: 1-3gb-scsi}]
  - id: esp1
    kind: scsi-synchronous
    devices: [{id: sd1, device: 1-3gb-scsi}, {id: sd3, device: 1-3gb-scsi}]
volumes:
  - {name: files, access: random, size_mb: 600, copies: [[sd0, sd2], [sd1, sd3]]}
observed:
  disks:
    sd0: {ops_per_s: 80}
    sd1: {ops_per_s: 30, busy_percent: 40}
    sd2: {ops_per_s: 30}
    sd3: {ops_per_s: 30, busy_percent: 40}
"""


def test_limits_and_unknown_values_of_several_disks_are_in_one_sentence(
    run: Run, tmp_path: Path
) -> None:
    """Either disk of the other copy then has 30 to 85 op/s: 30 and half of 80 + 30."""
    box = tmp_path / "box.yaml"
    box.write_text(STRIPED, encoding="utf-8")
    told = " ".join(run("check", box, "--failed", "sd0").stdout.split("\nFailure of ")[1].split())
    assert "rule 2.4.4-random on disks sd1 and sd3." in told
    assert "Rule 2.4.4-busy on disk sd1 and disk sd3, violation: pass → unknown. Not known " in told
    assert "busy for unknown" not in told
    # sd2 is still there, and the other half of its data is lost.
    assert "Disk sd2 has only parts of copies that are lost." in told
    assert "space, sd2" not in told


@pytest.mark.parametrize(("form", "heading"), [("markdown", "\n## {}\n"), ("html", "<h3>{}<")])
def test_ticket_and_page_tell_it_as_the_text_does(run: Run, form: str, heading: str) -> None:
    gone = ("--failed", "1-3gb-scsi-1", "--failed", "424mb-scsi-1")
    text = run("plan", CASE_1, *gone).stdout
    page = run("plan", CASE_1, *gone, "--format", form)
    assert (page.exit_code, page.stderr) == (Exit.FAIL, "")
    for part in ("1.3 GB disk #1", "424 MB disk #1"):
        told = text.split(f"\nFailure of {part}\n")[1].split("\n\n")[0]
        shown = page.stdout.replace("\\#", "#")
        _, found, section = shown.partition(heading.format(f"Failure of {part}"))
        words = set(re.split(r"\W+", section.replace("&#8594;", "→")))
        assert found and set(re.split(r"\W+", told)) <= words


@pytest.mark.parametrize(
    ("command", "file", "name", "near"),
    [("plan", CASE_1, "424mb-scsi-3", "424mb-scsi-2"), ("check", BOX, "nowhere-at-all", "")],
)
def test_a_part_that_is_not_there_is_refused(
    run: Run, command: str, file: Path, name: str, near: str
) -> None:
    found = run(command, file, "--failed", name)
    assert (found.exit_code, found.stdout) == (Exit.BAD_INPUT, "")
    first, second = found.stderr.splitlines()
    assert first == f"--failed: there is no part '{name}'"
    assert second.startswith("  expected one of ") and "primary/" not in second
    assert second.endswith(f"; did you mean '{near}'?") == bool(near)


@pytest.mark.parametrize(
    ("name", "part", "heading"),
    [
        ("1.3 GB disk #2", "1-3gb-scsi-2", "1.3 GB disk #2"),
        ("1.3 gb DISK #2", "1-3gb-scsi-2", "1.3 GB disk #2"),
        ("Sbus SCSI", "sbus-scsi-1", "controller Sbus SCSI"),
        ("TRI/S (4- or 16Mb)", "tri-s-1", "network TRI/S (4- or 16Mb)"),
        ("network pcs", "pcs", "network pcs"),
    ],
)
def test_a_part_goes_by_the_name_in_the_report(
    run: Run, name: str, part: str, heading: str
) -> None:
    found = run("plan", CASE_1, "--failed", name)
    assert f"\nFailure of {heading}\n" in found.stdout
    assert found.stdout == run("plan", CASE_1, "--failed", part).stdout


@pytest.mark.parametrize(
    ("several", "parts"),
    [
        ("1.3 GB disk #1 and #2", ["1-3gb-scsi-1", "1-3gb-scsi-2"]),
        ("1.3 GB disk #1 and #3", ["1-3gb-scsi-1", "1-3gb-scsi-3"]),
        ("1.3 GB disk #2 to #4", ["1-3gb-scsi-2", "1-3gb-scsi-3", "1-3gb-scsi-4"]),
        ("2 × 424 MB disk", ["424mb-scsi-1", "424mb-scsi-2"]),
    ],
)
def test_a_name_of_several_parts_in_a_table_stands_for_each(
    run: Run, several: str, parts: list[str]
) -> None:
    found = run("plan", CASE_1, "--failed", several, "--format", "json")
    assert [each["component"] for each in json.loads(found.stdout)["failed"]] == parts


@pytest.mark.parametrize("several", ["3 × 424 MB disk", "1.3 GB disk #3 to #9"])
def test_a_name_of_more_parts_than_there_are_is_refused(run: Run, several: str) -> None:
    found = run("plan", CASE_1, "--failed", several)
    assert (found.exit_code, found.stdout) == (Exit.BAD_INPUT, "")
    assert found.stderr.startswith(
        f"--failed: there is no part {shown(several)}\n  expected one of"
    )


def test_a_name_of_fewer_parts_than_there_are_is_refused_with_all_of_them(run: Run) -> None:
    found = run("plan", CASE_1, "--failed", "3 × 1.3 GB disk")
    assert (found.exit_code, found.stdout) == (Exit.BAD_INPUT, "")
    assert found.stderr.startswith(
        "--failed: 4 parts are called '3 × 1.3 GB disk'\n  expected one of 1-3gb-scsi-1, "
    )


def test_a_part_of_an_order_with_its_number_is_refused_with_all_of_them(run: Run) -> None:
    found = run("plan", CASE_1, "--failed", "2 × 1.3 GB SCSI disk")
    assert (found.exit_code, found.stdout) == (Exit.BAD_INPUT, "")
    assert found.stderr.startswith("--failed: 4 parts are called '2 × 1.3 GB SCSI disk'\n")


def test_a_part_of_an_order_with_all_of_its_number_stands_for_each(run: Run) -> None:
    found = run("plan", CASE_1, "--failed", "2 × 424 MB SCSI disk", "--format", "json")
    failed = [each["component"] for each in json.loads(found.stdout)["failed"]]
    assert failed == ["424mb-scsi-1", "424mb-scsi-2"]


def test_a_plan_has_nothing_left_without_its_only_machine(run: Run) -> None:
    found = run("plan", CASE_1, "--failed", "SPARCstation-2")
    assert (found.exit_code, found.stdout) == (Exit.BAD_INPUT, "")
    assert found.stderr.startswith("--failed: nothing is left without 'SPARCstation-2', the only")


def test_every_part_that_a_plan_orders_can_be_named(run: Run) -> None:
    rows = list(csv.DictReader(StringIO(run("plan", CASE_1, "--format", "csv").stdout)))
    for name in {row["name"] for row in rows if row["table"] in ("boards", "disks")}:
        found = run("plan", CASE_1, "--failed", name)
        if found.exit_code == Exit.BAD_INPUT:
            assert re.match(r"--failed: \d parts are called", found.stderr), found.stderr
    for name in {row["name"] for row in rows if row["table"] in ("removable-media", "software")}:
        found = run("plan", CASE_1, "--failed", name)
        message = f"--failed: the failure of {shown(name)} is not evaluated, only those of disks"
        assert found.exit_code == Exit.BAD_INPUT and found.stderr.startswith(message)


def test_a_name_of_several_parts_is_refused_with_all_of_them(run: Run) -> None:
    found = run("plan", CASE_1, "--failed", "1.3 GB SCSI disk")
    assert (found.exit_code, found.stdout) == (Exit.BAD_INPUT, "")
    assert found.stderr == (
        "--failed: 4 parts are called '1.3 GB SCSI disk'\n"
        "  expected one of 1-3gb-scsi-1, 1-3gb-scsi-2, 1-3gb-scsi-3 or 1-3gb-scsi-4\n"
    )


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
    found = run(command, file, "--failed", "any", "--format", form)
    assert (found.exit_code, found.stdout) == (Exit.BAD_INPUT, "")
    assert found.stderr == (
        f"--failed: has no place in --format {form}\n  expected --format {telling}\n"
    )


def test_a_service_without_data_or_network_is_down_with_its_only_system(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "branches.yaml"
    path.write_text(
        "name: branch-offices\n"
        "services:\n"
        "  - {kind: gateway, name: branches,\n"
        "     lines: [{name: leased, protocol: tcp, kbit_per_s: 56, count: 2}]}\n"
        "availability: {survives: [system]}\n"
    )
    found = run("plan", path, "--systems", 1, "--full")
    assert found.exit_code == Exit.FAIL
    assert "the primary: service branches stops; no copy of operating system" in found.stdout


def test_a_limit_is_the_one_before_if_nothing_uses_the_resource_any_more(run: Run) -> None:
    """A disk that nothing uses has no kind of access, without which random access is assumed."""
    found = run("plan", CASE_1, "--failed", "1.3 GB disk #1")
    (load,) = (line for line in found.stdout.splitlines() if "load, 2 × 1.3 GB disk" in line)
    assert load.split()[-5:] == ["48–120", "0", "1347–1756", "KB/s", "pass"]


ARRAY = """\
name: pc
guide: compaq-1999
platform: proliant-1600
boards: [{id: arr, board: smart-array-3200, slots: [1]}]
channels:
  - id: s0
    kind: scsi-wide-ultra
    provider: arr
    devices:
      - {id: d0, device: 7200-rpm-9.1gb, bus_kind: scsi-wide-ultra}
      - {id: d1, device: 7200-rpm-9.1gb, bus_kind: scsi-wide-ultra}
      - {id: d2, device: 7200-rpm-9.1gb, bus_kind: scsi-wide-ultra}
volumes: [{name: stock, raid: 5, copies: [[d0, d1, d2]], access: serial}]
observed:
  disks:
    d0: {ops_per_s: 70, kb_per_s: 560}
    d1: {ops_per_s: 70, kb_per_s: 560}
    d2: {ops_per_s: 70, kb_per_s: 560}
"""


def test_limits_that_are_unknown_after_a_failure_are_not_said_to_be_met(
    run: Run, tmp_path: Path
) -> None:
    """RAID 5 survives one disk; what the others do then is unknown, and so are their transfers."""
    box = tmp_path / "box.yaml"
    box.write_text(ARRAY)
    told = " ".join(run("check", str(box), "--failed", "d0").stdout.split())
    assert "Pass as far as is known: every service runs, and no limit fails that can be" in told
    assert "Another failed disk would lose stock." in told


def test_a_use_in_other_units_after_a_failure_states_both(run: Run, tmp_path: Path) -> None:
    """The array stops with d0, and what is in KB/s today is no operations then."""
    box = tmp_path / "box.yaml"
    box.write_text(ARRAY.replace("raid: 5", "raid: 0"))
    told = " ".join(run("check", str(box), "--failed", "d0").stdout.split())
    assert "load, d1, d2 560 KB/s 0 op/s" in told
