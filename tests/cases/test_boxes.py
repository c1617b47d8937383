"""The boxes that a guide describes: every finding is explained, every explanation found."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from cases.copies import EXAMPLES, Copy, engine_of
from sizewright.api import Engine
from sizewright.cases.boxes import box_expectations, box_lines, run_box
from sizewright.cli.main import main
from sizewright.errors import InputError

EXPECTED = "box-expected.yaml"
DISKS = {"sd0", "sd1", "sd2", "sd3", "sd16"}
BOX = "box.yaml"
BOXES = tuple(box_expectations(EXAMPLES.parent))

# A finding of case study 1 whose figures its prose prints.
THIRD = """\
  - rule: III
    subject: system
    verdict: tight
"""


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["test", *map(str, words)], prog_name="sizewright")


def lines(copy: Copy, file: str = EXPECTED) -> list[str]:
    outcome = run_box(copy.folder / file, lambda document: copy.engine)
    return list(box_lines(outcome))


def faults(copy: Copy) -> str:
    with pytest.raises(InputError) as caught:
        lines(copy)
    return caught.value.text()


def without(copy: Copy, rule: str) -> Copy:
    """The case with no explanation of one rule's findings."""
    path = copy.folder / EXPECTED
    data: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    kept = [one for one in data["findings"] if one["rule"] != rule]
    assert len(kept) < len(data["findings"])
    data["findings"] = kept
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    return copy


def test_every_box_is_found_with_its_findings() -> None:
    found = set(BOXES)
    # The servers of tests/test_servers.py have expectations of another form.
    servers = set(EXAMPLES.parent.glob("servers/*/box.yaml"))
    boxes = set(EXAMPLES.parent.glob("*/*/box*.yaml")) - found - servers
    assert len(boxes) > 2
    assert {box.with_name(f"{box.stem}-expected.yaml") for box in boxes} == found


@pytest.mark.parametrize("file", BOXES, ids=lambda path: f"{path.parent.name}, {path.name}")
def test_each_box_has_the_findings_that_are_explained(file: Path) -> None:
    outcome = run_box(file, engine_of)
    assert [line for line in box_lines(outcome) if "DIFFERS" in line] == []
    assert outcome.explained == len(outcome.results) > 0
    assert not outcome.fails


def test_case_1_admits_its_mirror_and_passes_over_the_memory_of_its_clients(engine: Engine) -> None:
    (file,) = EXAMPLES.glob(f"case-1-*/{EXPECTED}")
    found = _verdicts(file, engine)
    assert found["2.11.1-halves-apart", "volume/mail"] == "violated"
    assert found["2.11.1-halves-apart", "volume/binaries"] == "violated"
    assert found["III", "system"] == "tight"
    assert found["1.1.7-online-backup", "system"] == "violated"


def _verdicts(file: Path, engine: Engine) -> dict[tuple[str, str], str]:
    outcome = run_box(file, lambda document: engine)
    return {(r.rule, r.subject): r.found for r in outcome.results}


def test_the_operations_of_disks_are_all_that_rule_vii_waits_for(
    engine: Engine,
) -> None:
    folder = EXAMPLES / "appendix-d"
    drafted = yaml.safe_load((folder / BOX).read_text(encoding="utf-8"))
    stated = yaml.safe_load((folder / "box-random.yaml").read_text(encoding="utf-8"))
    disks = [d for d in stated["channels"][0]["devices"] if d.pop("access", "") == "random"]
    assert {disk["id"] for disk in disks} == DISKS
    assert stated.pop("observed") == {"disks": {name: {"ops_per_s": 20} for name in DISKS}}
    assert stated == drafted
    bus = ("VII", "channel/esp0")
    assert _verdicts(folder / EXPECTED, engine)[bus] == "unknown"
    assert _verdicts(folder / "box-random-expected.yaml", engine)[bus] == "violated"


def _subjects(finding: dict[str, Any]) -> int:
    found = finding["subject"]
    return len(found) if isinstance(found, list) else 1


def test_a_case_tells_how_many_findings_of_its_box_are_explained(one: Copy) -> None:
    stdout = run(one.folder).stdout
    data = yaml.safe_load((one.folder / EXPECTED).read_text(encoding="utf-8"))
    count = sum(map(_subjects, data["findings"]))
    count += sum(_subjects({"subject": s}) for g in data["unknown"] for s in g["findings"].values())
    assert f"  box: {count} findings as expected, 0 differ\n" in stdout
    assert max(map(len, stdout.splitlines())) <= 80


def test_a_finding_that_nothing_explains_fails(one: Copy) -> None:
    result = run(without(one, "III").folder)
    assert result.exit_code == 1
    assert "DIFFERS  box: rule III on system: unexpected tight." in result.stdout


def test_a_finding_that_is_explained_and_not_found_fails(one: Copy) -> None:
    one.change(BOX, "total_mb: [32, 64]\n", "total_mb: 128\n")
    found = lines(one)
    assert "DIFFERS  box: rule III on system: expected tight, found holds." in found[1]
    assert run(one.folder).exit_code == 1


def test_a_finding_of_another_verdict_fails(one: Copy) -> None:
    one.change(BOX, "total_mb: [32, 64]\n", "total_mb: 32\n")
    assert any("III on system: expected tight, found violated. 32 MB" in x for x in lines(one))


def test_an_explanation_of_a_subject_that_is_not_there_fails(one: Copy) -> None:
    one.change(EXPECTED, "[volume/mail, volume/binaries]", "[volume/mail, volume/letters]")
    text = " ".join(lines(one))
    assert "rule 2.11.1-halves-apart on volume/letters: expected violated, but" in text
    assert "rule 2.11.1-halves-apart on volume/binaries: unexpected violated" in text


def test_a_waiver_in_the_box_must_be_expected_and_is_told(one: Copy) -> None:
    path = one.folder / BOX
    waiver = "\npolicy: {waive: [{rule: III, reason: Measured with less.}]}\n"
    path.write_text(path.read_text(encoding="utf-8") + waiver, encoding="utf-8")
    assert "expected tight, found waived" in " ".join(lines(one))
    one.change(EXPECTED, THIRD, THIRD.replace("tight", "waived"))
    found = lines(one)
    assert found[0].endswith(", 0 differ")
    assert found[1:] == ["waived  box: rule III on system. Measured with less."]


def test_a_folder_may_hold_several_boxes_and_no_case_study(one: Copy, tmp_path: Path) -> None:
    folder = tmp_path / "boxes"
    folder.mkdir()
    box = "name: small\nplatform: sparcstation-2\nmemory: {total_mb: 8}\n"
    head = "case: small\nbox: {}\nfindings:\n"
    least = "  - {rule: 1.2.7-least-memory, subject: system, verdict: violated, why: Too small.}\n"
    for name in ("box", "box-again"):
        (folder / f"{name}.yaml").write_text(box, encoding="utf-8")
        text = head.format(f"{name}.yaml") + least
        (folder / f"{name}-expected.yaml").write_text(text, encoding="utf-8")
    result = run(folder)
    assert result.exit_code == 1
    assert "small\n  box-again: 1 finding as expected, " in result.stdout
    assert "  box: 1 finding as expected, " in result.stdout


def test_json_lists_every_finding_of_every_box(one: Copy) -> None:
    result = run(without(one, "III").folder, "--format", "json")
    data = json.loads(result.stdout)
    assert result.exit_code == 1
    assert data["summary"]["holds"] is False
    (box,) = data["boxes"]
    assert (box["case"], box["box"]) == ("case-1-departmental-nfs", BOX)
    assert box["differs"] == 1
    assert box["explained"] == len(box["findings"]) - 1
    (wrong,) = (f for f in box["findings"] if not f["agrees"])
    assert wrong.pop("message")
    assert wrong == {
        "rule": "III", "subject": "system", "expected": "", "found": "tight", "agrees": False,
        "why": "", "reason": "",
    }  # fmt: skip
    (told,) = (f for f in box["findings"] if f["subject"] == "volume/mail"
               and f["rule"] == "2.11.1-halves-apart")  # fmt: skip
    assert told["why"].startswith("The case first wants the halves on two adapters")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("rule: III\n", "rule: IIII\n", "there is no rule 'IIII'"),
        ("rule: III\n", "rules: III\n", "unknown key 'rules'"),
        ("verdict: tight", "verdict: tigth", "did you mean 'tight'?"),
        ("verdict: tight", "verdict: holds", "verdict: 'holds' is not allowed here"),
        ("    subject: system\n    verdict: tight", "    verdict: tight", "subject is missing"),
        ("    subject: system\n", "    subject: []\n", "subject: a list is not allowed here"),
        ("box: box.yaml", "box: bax.yaml", "no such file is next to it"),
        ("box: box.yaml\n", "", "box is missing"),
        ("subject: [volume/mail, volume/binaries]", "subject: [volume/mail, volume/mail]",
         "rule 2.11.1-halves-apart on volume/mail is expected twice"),
        ("    findings:\n", "    finding:\n", "unknown key 'finding'"),
        ("findings:\n", "findings: none\nfound:\n", "findings: 'none' is not allowed here"),
    ],
)  # fmt: skip
def test_each_fault_says_where_and_what(one: Copy, before: str, after: str, message: str) -> None:
    text = faults(one.change(EXPECTED, before, after))
    assert message in text
    assert f"{EXPECTED}:" in text


def test_an_explanation_without_a_why_is_refused(one: Copy) -> None:
    path = one.folder / EXPECTED
    data: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    del data["findings"][0]["why"]
    data["unknown"][0]["why"] = ""
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    assert re.findall("why(?: is missing|: is blank)", faults(one)) == [
        "why is missing",
        "why: is blank",
    ]


def test_a_group_without_findings_is_refused(one: Copy) -> None:
    path = one.folder / EXPECTED
    data: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    data["unknown"] = [{"why": "Open."}]
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    assert "findings is missing" in faults(one)


def test_broken_boxes_and_case_studies_end_in_2_together(one: Copy, two: Copy) -> None:
    one.change(EXPECTED, "verdict: tight", "verdict: tigth")
    two.change(BOX, "platform: sparcserver-670mp", "platform: sparcserver-671mp")
    two.change("expected.yaml", "end: range", "end: rnage")
    result = run(one.folder.parent)
    assert result.exit_code == 2
    assert result.stdout == ""
    for part in ("did you mean 'tight'?", "did you mean 'range'?", "sparcserver-671mp"):
        assert part in result.stderr
