"""The systems of an alternative, in short."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import hand_plans
from generated_workloads import ENGINE, Plain, read, text_of
from sizewright.api import report_plan
from sizewright.documents import parse_document
from sizewright.output.json.plan import plan_data
from sizewright.output.plan import plan_markdown, plan_text
from sizewright.output.reports import PlanReport
from sizewright.output.systems import joins_unlike_disks, systems_text
from small import plain, volume

PAIR = hand_plans.paired(hand_plans.BUSY, hand_plans.DESKTOP, *hand_plans.PAIR)


def test_two_systems_in_short_are_called_two() -> None:
    """One has two disks to order, the other none: the line between them was read as a choice."""
    told = systems_text(PAIR)
    assert told.startswith("two systems (SPARCstation-2 with ") and told.count("to order") == 2


def _report(*volumes: Plain, owned: Sequence[Plain] = ()) -> PlanReport:
    """A plan of serial data that an office uses little; the system is elsewhere."""
    wishes = {"carry_forward": list(owned)}
    stated = plain({"uses": [each["name"] for each in volumes]}, volumes=volumes, wishes=wishes)
    return report_plan(read(stated), parse_document(text_of(stated), "office.yaml"), ENGINE)


@pytest.mark.parametrize(
    ("size_mb", "owned", "is_said"),
    [
        # Four drives of 424 MB, or two of 1.3 GB, where one of each holds 1500 MB (2.11).
        (1500, (), True),
        (300, (), False),
        # Two owned drives of 327 MB and a new one, where 327 and 424 MB might do.
        (700, ({"device": "327mb-scsi", "count": 2},), True),
        (200, ({"device": "424mb-scsi"},), False),
    ],
)
def test_a_plan_says_that_a_volume_on_different_disks_was_not_tried(
    size_mb: int, owned: Sequence[Plain], is_said: bool
) -> None:
    report = _report(volume("archive", size_mb, access="serial"), owned=owned)
    said = "Not tried: one volume on disks of different models."
    for text in (plan_text(report), plan_markdown(report)):
        assert (said in " ".join(text.split())) is is_said
    first_screen = " ".join(plan_text(report, full=False).split())
    assert (said in first_screen) is (is_said and bool(owned))
    assert plan_data(report).get("not_tried", []) == ["disks_of_different_models"] * is_said


def test_it_is_not_said_under_a_guide_whose_software_joins_no_unlike_disks() -> None:
    plan = _report(volume("archive", 1500, access="serial")).plan
    row = plan.guide.row("software", "online-disksuite")
    gives = tuple(each for each in row.list("gives") if each != "joining-unlike-disks")
    guide = plan.guide.with_values("software", row.id, {"gives": gives})
    assert joins_unlike_disks(plan) and not joins_unlike_disks(plan._replace(guide=guide))
