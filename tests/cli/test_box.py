from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from importers.outputs import COUNTERS, PAGING, SIDE_BY_SIDE, SUMS
from sizewright.cli.box import box_command
from sizewright.cli.exits import Exit
from sizewright.limits import BYTES_AT_MOST

from .conftest import CASE_1, EXAMPLES, Run

PROBE = EXAMPLES / "appendix-d" / "probe.txt"
NAMES = ("from-probe", "from-iostat", "from-vmstat", "from-nfsstat")
OF_NOTHING = "name: a\nplatform: sparcserver-690mp\n"


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    files = {"io": SIDE_BY_SIDE, "vm": PAGING, "sums": SUMS, "nfs": COUNTERS, "box": OF_NOTHING}
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


# --- from messages to a draft ---------------------------------------------------------------------


def test_a_draft_of_the_guides_messages(run: Run, tmp_path: Path) -> None:
    drafted = tmp_path / "box.yaml"
    result = run("box", "from-probe", PROBE, "--platform", "sparcserver-690mp", "-o", drafted)
    assert (result.exit_code, result.stdout) == (Exit.PASS, "")
    assert drafted.read_bytes() == (EXAMPLES / "appendix-d" / "box.yaml").read_bytes()
    assert result.stderr.startswith("cgtwelve0 in sbus slot 0")


def test_a_draft_as_data(run: Run) -> None:
    result = run("box", "from-probe", "-", "--format", "json", stdin=PROBE.read_text() + "odd\n")
    data = json.loads(result.stdout)
    assert data["schema"] == "sizewright.box-draft/1"
    assert data["box"]["processors"] == 4
    assert data["not_understood"] == [{"line": 46, "text": "odd"}]
    assert "not understood, line 46: odd\n" in result.stderr
    assert "the platform is unknown" in result.stderr


def test_a_stated_name_and_an_unknown_platform(run: Run) -> None:
    assert "\nname: big\n" in "\n" + run("box", "from-probe", PROBE, "--name", "big").stdout
    result = run("box", "from-probe", PROBE, "--platform", "sparcserver-690")
    assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
    assert "did you mean 'sparcserver-690mp'?" in result.stderr


def test_patterns_of_an_overlay(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "site" / "tables" / "sun-1992"
    folder.mkdir(parents=True)
    row = "rows:\n  - {id: ours, new: true, pattern: '(a+)+$', makes: nothing, "
    mark = "source: {appendix: D}, status: printed}\n"
    (folder / "ours.yaml").write_text(f"table: probe-messages\n{row}{mark}")
    result = run("box", "from-probe", PROBE, "--overlay", tmp_path / "site")
    assert result.exit_code == Exit.BAD_INPUT
    assert "table probe-messages, ours: the pattern cannot be used" in result.stderr


# --- what was observed ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("from-iostat", "io"), "          sd1: {ops_per_s: 10, kb_per_s: 40}"),
        (("from-iostat", "io", "--keep-first"), "          sd1: {ops_per_s: 0, kb_per_s: 1}\n"),
        (("from-iostat", "io", "--seconds", "60"), "      - seconds: 60\n        disks:\n"),
        (("from-vmstat", "vm"), "        paging: {scans_per_s: 2}\n"),
        (
            ("from-vmstat", "vm", "--page-kb", "4"),
            "        paging: {page_ins_per_s: 4, page_outs_per_s: 0, ",
        ),
        (("from-vmstat", "sums"), "  caches: {dnlc_hit_percent: 85}"),
        (("from-nfsstat", "nfs"), "  nfs: {reads_percent: 20, writes_percent: 5}"),
        (("from-nfsstat", "nfs", "--seconds", "250"), "  nfs: {ops_per_s: 4, "),
        (("from-nfsstat", "nfs", "--side", "client"), "  nfs: {reads_percent: 50, "),
    ],
)
def test_the_block_alone(
    run: Run, outputs: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], line: str
) -> None:
    monkeypatch.chdir(outputs)
    result = run("box", *arguments)
    assert result.exit_code == Exit.PASS
    assert result.stdout.startswith("observed:\n")
    assert f"\n{line}" in result.stdout


def test_a_box_file_is_completed_step_by_step(run: Run, outputs: Path) -> None:
    box = outputs / "box"
    disks = "".join(f"{{id: sd{n}, device: 424mb-scsi}}, " for n in range(2))
    parts = f"{OF_NOTHING}channels: [{{id: esp0, kind: scsi-synchronous, devices: [{disks}]}}]\n"
    box.write_text(parts)
    for name, output in (("from-iostat", "io"), ("from-vmstat", "vm"), ("from-nfsstat", "nfs")):
        more = outputs / f"box-{output}"
        result = run("box", name, outputs / output, "--box", box, "-o", more)
        assert result.exit_code == Exit.PASS
        box = more
    text = box.read_text()
    assert text.startswith(f"{parts}observed:\n")
    # Two reports of each tool; the processor time is that of the last tool.
    for part, times in (("disks:\n", 2), ("cpu: {", 2), ("paging:", 2), ("\n  nfs: {", 1)):
        assert text.count(part) == times


def test_observations_as_data(run: Run, outputs: Path) -> None:
    alone = json.loads(run("box", "from-iostat", outputs / "io", "--format", "json").stdout)
    assert alone["schema"] == "sizewright.observed/1"
    reports = alone["observed"]["reports"]["iostat"]
    assert [report["disks"]["sd0"]["kb_per_s"] for report in reports] == [120, 240]
    assert "the first report is an average since boot and was left out" in alone["notes"]
    within = run("box", "from-iostat", outputs / "io", "--box", outputs / "box", "--format", "json")
    data = json.loads(within.stdout)
    assert data["box"]["platform"] == "sparcserver-690mp"
    assert not any("disks" in each for each in data["box"]["observed"]["reports"]["iostat"])
    (note,) = (note for note in data["notes"] if "'sd0'" in note)
    assert note.startswith("the box file has no device 'sd0', so its values were left out")


def test_disks_of_the_box_are_known(run: Run, outputs: Path) -> None:
    box = EXAMPLES / "appendix-d" / "box.yaml"
    result = run("box", "from-iostat", outputs / "io", "--box", box)
    assert result.stdout.startswith(box.read_text(encoding="utf-8"))
    assert "has no device" not in result.stderr


# --- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "is empty"),
        (b"\x7fELF\0\0", ":1: is binary, not text"),
        (b"\xff\n", ":1: byte 0xff is not UTF-8"),
        (b"word\n" * (BYTES_AT_MOST // 4), "is too large"),
        (b"hello\n", "no line is a "),
    ],
)
def test_no_output_of_a_tool(
    run: Run, tmp_path: Path, name: str, content: bytes, what: str
) -> None:
    file, written = tmp_path / "out.txt", tmp_path / "box.yaml"
    file.write_bytes(content)
    result = run("box", name, file, "-o", written)
    assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
    assert result.stderr.startswith(str(file))
    assert what in result.stderr.splitlines()[0]
    assert not written.exists()


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_is_not_there(run: Run, tmp_path: Path, name: str) -> None:
    assert "there is no such file" in run("box", name, tmp_path / "none").stderr
    assert "is a directory" in run("box", name, tmp_path).stderr


def test_both_readings_are_missing(run: Run, tmp_path: Path) -> None:
    result = run("box", "from-nfsstat", tmp_path / "a", tmp_path / "b")
    assert result.stderr.count("there is no such file") == 2


@pytest.mark.parametrize("arguments", ["from-iostat - --box -", "from-nfsstat - -"])
def test_standard_input_is_read_once(run: Run, arguments: str) -> None:
    result = run("box", *arguments.split(), stdin=SIDE_BY_SIDE)
    assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
    assert "standard input (-) can be read once only" in result.stderr


def test_a_workload_gets_no_observations(run: Run, outputs: Path) -> None:
    result = run("box", "from-iostat", outputs / "io", "--box", CASE_1)
    assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
    assert result.stderr.endswith("a workload, not a box file\n  try sizewright plan\n")


def test_the_wrong_tool_is_named(run: Run, outputs: Path) -> None:
    result = run("box", "from-probe", outputs / "vm")
    assert result.exit_code == Exit.BAD_INPUT
    assert result.stderr.endswith("try sizewright box from-vmstat\n")


@pytest.mark.parametrize("box", ["{name: a}\n", "- a\n", "a: [\n", "name: a\nobserved: 7\n"])
def test_a_box_file_that_cannot_be_completed(run: Run, outputs: Path, box: str) -> None:
    file = outputs / "box"
    file.write_text(box)
    result = run("box", "from-iostat", outputs / "io", "--box", file, "-o", file)
    assert (result.exit_code, file.read_text()) == (Exit.BAD_INPUT, box)


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "x"])
@pytest.mark.parametrize("option", ["from-nfsstat --seconds", "from-vmstat --page-kb"])
def test_times_and_sizes_above_zero(run: Run, outputs: Path, option: str, value: str) -> None:
    name, flag = option.split()
    result = run("box", name, outputs / "nfs", f"{flag}={value}")
    assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
    assert flag in result.stderr


def test_a_wrong_name_and_none(run: Run) -> None:
    assert run("box", "from-nothing").exit_code == Exit.BAD_INPUT
    assert "from-iostat" in run("box").output


# --- help -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [("box",), *(("box", name) for name in NAMES)])
def test_help_fits_the_page_and_has_an_example(run: Run, arguments: tuple[str, ...]) -> None:
    text = run(*arguments, "--help").stdout
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "Example:\n" in text
    assert f"    {' '.join(('sizewright', *arguments))}" in text


def test_the_four_commands_have_the_shared_options() -> None:
    assert isinstance(box_command, click.Group)
    assert set(box_command.commands) == set(NAMES)
    for one in box_command.commands.values():
        names = {option for param in one.params for option in param.opts}
        assert {"--format", "--guide", "--overlay", "--output", "-o"} <= names
        assert one.help


@pytest.mark.parametrize(("platform", "page_kb"), [("sparcstation-2", 4), ("sun-4-490", 8)])
def test_the_size_of_a_page_is_that_of_the_platform(
    run: Run, outputs: Path, platform: str, page_kb: int
) -> None:
    """Table 4; without a platform that is known, pages are not counted."""
    box = outputs / "box"
    vmstat = (" procs     memory            page             disk       faults     cpu\n"
              " r b w   avm   fre  re at  pi  po  fr  de  sr s0  in  sy cs us sy id\n"
              " 0 0 0  5000  1000   0  0   0   0   0   0   0  0  10  20  3  5  5 90\n"
              " 0 0 0  5000  1000   0  0  16  80   0   0   9  0  10  20  3  5  5 90\n")  # fmt: skip
    (outputs / "paging").write_text(vmstat)

    def paging(*options: str) -> dict[str, float]:
        more = ("--format", "json", "--box", box, *options)
        result = run("box", "from-vmstat", outputs / "paging", *more)
        found: dict[str, float] = json.loads(result.stdout)["box"]["observed"]["paging"]
        return found

    box.write_text(f"name: a\nguide: sun-1992\nplatform: {platform}\n")
    assert paging()["page_outs_per_s"] == 80 / page_kb
    assert paging("--page-kb", "2")["page_outs_per_s"] == 40
    box.write_text("name: a\nguide: sun-1992\n")
    assert "page_outs_per_s" not in paging()
