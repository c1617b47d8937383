"""What changed between two checks of a server."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from sizewright.api import load_engine, report_check, written_check
from sizewright.box.reading import read_box
from sizewright.cli.files import schema_of
from sizewright.diff.changes import diff_results
from sizewright.diff.model import ChangedPart, Difference
from sizewright.diff.planfile import parse_plan
from sizewright.diff.text import difference_text
from sizewright.documents import parse_document
from sizewright.errors import InputError
from two_disks import TWO_DISKS

ENGINE = load_engine("sun-1992")
BOX = TWO_DISKS.replace("sd0: {busy_percent: 80}", "sd0: {busy_percent: 50}")
NAMES = ("june.json", "july.json")
BUSY = "rule 2.4.4-busy on two-disks/disk/"


def written(*replaced: tuple[str, str]) -> dict[str, Any]:
    text = BOX
    for old, new in replaced:
        assert old in text
        text = text.replace(old, new)
    document = parse_document(text, "box.yaml")
    return written_check(report_check(read_box(document), document, ENGINE))


def differ(*replaced: tuple[str, str]) -> Difference:
    return diff_results(written(), written(*replaced), NAMES)


def change(found: Difference, section: str, subject: str) -> ChangedPart:
    return next(c for c in found.changes if (c.section, c.subject) == (section, subject))


@pytest.mark.parametrize(
    ("first", "second", "disk", "trend"),
    [
        ("50", "70", "sd0", "new"),
        ("80", "90", "sd1", "worse"),
        ("80", "70", "sd1", "better"),
        ("80", "60", "sd1", "gone"),
    ],
)
def test_a_finding_is_new_worse_better_or_gone(
    first: str, second: str, disk: str, trend: str
) -> None:
    found = differ((f"{disk}: {{busy_percent: {first}}}", f"{disk}: {{busy_percent: {second}}}"))
    part = change(found, "finding", f"{BUSY}{disk}")
    assert part.trend == trend
    assert f"observed.disks.{disk}.busy_percent" in part.causes
    shares = {f.figure: (f.before, f.after) for f in part.figures}["share_of_limit"]
    assert shares == pytest.approx((int(first) / 65, int(second) / 65))
    text = difference_text(found)
    assert f"\n  {trend}: {BUSY}{disk}: " in text
    # Other disks are no news.
    assert sum(c.trend != "" for c in found.changes if c.section == "finding") == 1


def test_headroom_has_its_trend_and_the_head_its_words() -> None:
    found = differ(("busy_percent: 80", "busy_percent: 90"))
    part = change(found, "headroom", "two-disks/busy/sd1")
    (figure,) = part.figures
    assert part.trend == "worse"
    assert (figure.before["low"], figure.after["low"]) == pytest.approx((65 / 80, 65 / 90))
    found = differ(("busy_percent: 80", "busy_percent: 60"))
    head = {f.figure: (f.before, f.after) for f in change(found, "plan", "").figures}
    assert head == {
        "verdict": ("violated", "holds"),
        "do_first": ("rule 2.4.4-busy on two-disks/disk/sd1", None),
    }


def test_another_device_is_a_cause() -> None:
    found = differ(("sd1, device: 424mb-scsi", "sd1, device: 669mb-scsi"))
    (cause,) = (c for c in found.causes if c.key.endswith("devices.sd1.model"))
    assert cause.before is not None and cause.after is not None
    assert (cause.before.value, cause.after.value) == ("424mb-scsi", "669mb-scsi")


def test_the_file_of_a_server_is_named_as_one() -> None:
    found = differ(("sd1, device: 424mb-scsi", "sd1, device: 669mb-scsi"))
    assert [cause.key for cause in found.causes if cause.kind == "workload"] == ["server"]


def test_resources_have_their_names_in_the_text() -> None:
    """As in the report of a check; they had their ids, two-disks/busy/sd1."""
    told = difference_text(differ(("busy_percent: 80", "busy_percent: 90")))
    assert "two-disks/busy" not in told
    assert "busy time, sd1: factor 0.812 → 0.722" in told


def test_a_check_does_not_differ_from_itself() -> None:
    found = diff_results(written(), copy.deepcopy(written()), NAMES)
    assert found.same and found.causes == ()
    assert difference_text(found) == "no difference\n"


def test_a_written_check_is_read_back_and_nothing_else_is() -> None:
    data = written()
    jsonschema.Draft202012Validator(schema_of("check")).validate(data)
    assert parse_plan(json.dumps(data).encode(), "june.json", or_check=True) == data
    data["verdict"] = "fine"
    with pytest.raises(InputError, match=r"verdict: .fine. is not allowed here"):
        parse_plan(json.dumps(data).encode(), "june.json", or_check=True)


def test_the_json_is_as_its_schema() -> None:
    found = differ(("busy_percent: 80", "busy_percent: 90"))
    jsonschema.Draft202012Validator(schema_of("diff")).validate(
        json.loads(json.dumps(found.as_data()))
    )


def test_a_plan_and_a_check_are_not_compared(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from sizewright.cli.main import main

    box, case = tmp_path / "box.yaml", Path(__file__).resolve().parents[2]
    box.write_text(BOX)
    workload = case / "examples/sun-1992/case-1-departmental-nfs/workload.yaml"
    result = CliRunner().invoke(main, ["diff", str(box), str(workload)])
    assert result.exit_code == 2
    assert f"is a plan, and {box} is a check" in result.output
    saved = tmp_path / "june.json"
    saved.write_text(CliRunner().invoke(main, ["check", str(box), "--format", "json"]).output)
    box.write_text(BOX.replace("80", "90"))
    result = CliRunner().invoke(main, ["diff", str(saved), str(box)])
    assert result.exit_code == 1 and f"worse: {BUSY}sd1: share 123% → 138%" in result.output
