from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from generated_workloads import ENGINE
from sizewright.api import report_plan
from sizewright.check.rule_filter import RuleFilter
from sizewright.documents import parse_document
from sizewright.evaluate.findings import without_substituted
from sizewright.output.change import add_conflicts
from sizewright.output.document import Document
from sizewright.output.explain import explain_text
from sizewright.output.json.plan import plan_data
from sizewright.output.plan import plan_text
from sizewright.output.render import PLAIN, Style, render_text
from sizewright.planner.alternatives import Alternatives
from sizewright.planner.conflicts import Conflicts
from sizewright.workload.reading import read_workload
from small import plain, volume

from .conftest import CASES, Reporter


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("style", [PLAIN, Style(colour=False, unicode=False)])
def test_no_line_is_wider_than_80(reported: Reporter, case: str, style: Style) -> None:
    report = reported(case)
    for text in (plan_text(report, style=style), explain_text(report, style=style)):
        assert [line for line in text.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("case", CASES)
def test_plain_terminals_get_plain_characters(reported: Reporter, case: str) -> None:
    assert plan_text(reported(case), style=Style(colour=False, unicode=False)).isascii()


@pytest.mark.parametrize("case", CASES)
def test_colour_changes_no_word(reported: Reporter, case: str) -> None:
    report = reported(case)
    coloured = plan_text(report, style=Style(colour=True, unicode=True))
    assert "\x1b[" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plan_text(report)


def test_slots_that_share_a_line_are_all_named(reported: Reporter) -> None:
    """Two boards stand in four Sbus slots, and two in four that take memory alone."""
    lines = " ".join(plan_text(reported("case-6")).split())
    assert "Sbus and VME memory" in lines


def test_the_verdict_comes_first(reported: Reporter) -> None:
    lines = plan_text(reported("case-1")).splitlines()
    assert lines[:5] == [
        "Plan for departmental-nfs: A mid-sized NFS server for several dissimilar groups",
        "Guide sun-1992: Configuration and Capacity Planning for Sun Servers",
        "",
        "Recommended, borderline: SPARCstation-2. It meets every limit at the high end of",
        "all ranges. It is the smallest machine that this guide offers.",
    ]
    assert " ".join(lines[5:7]) == (
        "Borderline: The file systems of 424 MB disk #1 are 94% full; the guide advises at most "
        "90% (rule 1.2.4-full-disk; the same for 1 more)."
    )
    assert lines[7].startswith("Bottleneck: ")
    assert "headroom" in " ".join(lines[7:10])


def test_the_sections_come_in_the_order_of_use(reported: Reporter) -> None:
    titles = [
        line for line in plan_text(reported("case-1")).splitlines()
        if line and not line.startswith(" ")
    ]  # fmt: skip
    wanted = [
        "What to order", "Networks", "Disks and tapes on their channels", "Boards in slots",
        "Volumes", "Budgets (load and limit of each resource)", "Set-up", "Advice not followed",
    ]  # fmt: skip
    assert [title for title in titles if title in wanted] == wanted


def _order(text: str) -> dict[str, int]:
    section = text.split("What to order\n")[1].split("\n\n")[0]
    rows = re.findall(r"^ +(\d+)  (.+?)(?:  |$)", section, re.MULTILINE)
    return {name: int(quantity) for quantity, name in rows}


def test_case_1_can_be_ordered(reported: Reporter) -> None:
    found = _order(plan_text(reported("case-1")))
    assert found["SPARCstation-2"] == 1
    assert found["424 MB SCSI disk"] == 2
    assert found["1.3 GB SCSI disk"] == 4
    assert found["eNFS"] == 1
    assert found["Solaris 1.0.1"] == 1


TO_FDDI = ("- name: technical\n    medium: ethernet", "- name: technical\n    medium: fddi")
ACCEPTED = (
    "default_mix: legato",
    "default_mix: legato\n  waive:\n"
    "    - {rule: 1.1.2-interface, reason: nobody has measured it}\n"
    "    - {rule: 1.1.1-interface-sustained, reason: nobody has measured it}",
)


def test_a_part_that_an_interface_needs_is_ordered_with_it(reported: Reporter) -> None:
    found = _order(plan_text(reported("case-1", TO_FDDI, ACCEPTED)))
    assert found["FDDI/S"] == 1
    assert found["FDDI concentrator hub"] == 1


def test_what_is_not_planned_is_said(reported: Reporter) -> None:
    page = plan_text(reported("printing"))
    assert "Not planned: film-recorder of service printing needs a target on" in page
    assert "Not planned" not in plan_text(reported("case-6"))


def test_a_blank_cell_stands_in_nobodys_way(reported: Reporter) -> None:
    """FDDI has no printed NFS op/s; the bytes that its stack carries decide instead (2.5.4)."""
    text = " ".join(plan_text(reported("case-1", TO_FDDI)).split())
    assert ": SPARCstation-2. It meets every limit" in text
    assert "1 FDDI/S network technical" in text
    assert "passes unknown" not in text and "What to measure" not in text


def test_a_plan_asks_nothing_about_its_own_choices(reported: Reporter) -> None:
    """How the planner joins a volume is its own choice; a note about it waits for nobody."""
    report = reported("case-3")
    assert report.shown is not None
    unknown = {f.rule for f in report.shown.findings if f.verdict == "unknown"}
    assert "XXVII" in unknown
    assert "Whether it is striped" not in plan_text(report)
    assert "how its parts are joined" not in plan_text(report)


def test_disks_in_a_row_that_hold_the_same_share_a_line(reported: Reporter) -> None:
    text = plan_text(reported("case-1"))
    section = text.split("Disks and tapes on their channels\n")[1].split("\n\n")[0]
    assert re.search(r" 1\.3 GB disk #1 and #2 +ecad-files ", section)
    assert re.search(r" 1\.3 GB disk #3 +backup indexes, system ", section)


def test_devices_that_exist_are_not_ordered_again(reported: Reporter) -> None:
    wish = ("wishes:\n", "wishes:\n  carry_forward: [{device: 424mb-scsi, count: 1}]\n")
    text = plan_text(reported("case-1", wish))
    order, owned = text.split("What to order")[1].split("Devices already owned")
    assert re.search(r" 1  424 MB SCSI disk +binaries, mail\n", order)
    assert re.search(r" 1  424 MB SCSI disk +1 with data \(binaries, mail\)\n", owned)


def test_what_is_not_tried_with_disks_that_exist_is_stated(reported: Reporter) -> None:
    """Owned disks that get no data might, with new ones of another model, hold one volume."""
    wish = ("wishes:\n", "wishes:\n  carry_forward: [{device: 104mb-scsi, count: 1}]\n")
    order, owned = " ".join(plan_text(reported("case-1", wish)).split()).split("already owned")
    assert "Not tried: one volume on disks of different models." in order
    assert "1 attached without data" in owned


def test_advice_that_is_not_followed_is_counted_apart_from_failures(reported: Reporter) -> None:
    """A machine that is recommended fails no rule; Rule XXIII and others are advice."""
    report = reported("case-1")
    text = " ".join(plan_text(report).split())
    count = text.rpartition(" results: ")[2]
    found = (f for each in report.systems for f in without_substituted(each.findings))
    violated = [f for f in found if f.verdict == "violated"]
    assert {f.severity for f in violated} == {"advice", "note"}
    not_followed = [f for f in violated if f.severity == "advice"]
    assert f"{len(not_followed)} advice not followed" in count
    assert "fail" not in count


def test_a_limit_exceeded_with_advice_and_without_it_has_both_values() -> None:
    """28 op/s take 62 ms/s, 7 to 12 more with eNFS (2.12), beside 809 ms/s of other programs."""
    files = {"uses": ["data"], "load": {"ops_per_s_each": 2.8}, "mix": "legato"}
    desktop = {"platforms": ["sparcstation-2"]}
    stated = plain(files, volumes=[volume("data", 500)], wishes=desktop)
    stated["services"].append({"kind": "measured", "name": "sums", "user_processors": 0.809})
    document = parse_document(json.dumps(stated), "small.yaml")
    report = report_plan(read_workload(document), document, ENGINE)
    told = " ".join(plan_text(report).split()).partition("Rule XXVIII: ")[2]
    limit = "of the time; sizewright recommends at most 80% (rule busy-processors)."
    assert f"With it: The processors are busy 88% {limit}" in told
    assert f"Without it: The processors are busy 87% {limit}" in told


def test_nothing_fits_says_why_and_what_would(reported: Reporter) -> None:
    text = plan_text(reported("with-sound"))
    assert "Fail: no single machine in this guide meets every limit" in text
    assert re.search(r"Closest alternative: \S+\. It fails for these reasons:\n  - ", text)
    assert re.search(r"Change this first: reduce the load to \d+%", text)
    assert text.index("Change this first") < text.index("Closest alternative")
    assert "What to order" not in text
    assert "Other platforms\n" in text


def test_the_findings_that_are_reported_can_be_chosen(reported: Reporter) -> None:
    report = reported("case-1")
    chosen = replace(report, selection=RuleFilter(only=("XXIII",)))
    text = plan_text(chosen)
    assert "Rule XXIII: " in text and "Rule 1.2.4-full-disk: " not in text
    assert "Rule 1.2.4-full-disk: " in plan_text(report)
    assert "Rule XXIII: " not in plan_text(
        replace(report, selection=RuleFilter(ignored=("XXIII",)))
    )
    assert "Advice" not in plan_text(replace(report, selection=RuleFilter(severity="violation")))
    assert text.splitlines()[-2:] == plan_text(report).splitlines()[-2:]


def test_rejected_platforms_come_with_numbers(reported: Reporter) -> None:
    text = plan_text(reported("silent")).split("Rejected\n")[1]
    assert re.search(r"  SPARCstation-2.*\n    - .*\d+ op/s.*\n", text)
    assert "(rule 1.1.1-sustained)" in text


def test_a_rule_that_many_parts_break_stands_once(reported: Reporter) -> None:
    text = " ".join(plan_text(reported("with-sound")).split())
    nearest = text.split("It fails for these reasons:")[1].split("What was asked for")[0]
    rules = re.findall(r"\(rule ([^;)]+)", nearest)
    assert len(rules) == len(set(rules))


def test_a_waiver_is_shown_with_its_reason(reported: Reporter) -> None:
    waive = ("default_mix: legato", "default_mix: legato\n  waive: "
             "[{rule: XIV, reason: The customer has no use for it}]")  # fmt: skip
    text = plan_text(reported("case-1", waive))
    assert "Waived because: The customer has no use for it." in text
    assert "Recommended with limits waived: " in text


def test_a_name_cannot_steer_the_terminal_or_break_the_page(
    reported: Reporter, tmp_path: Path
) -> None:
    folder = tmp_path / "tables" / "sun-1992"
    folder.mkdir(parents=True)
    (folder / "ours.yaml").write_text(
        'table: boards\nrows:\n  - {id: sbus-scsi, name: "a\\e[2J\\u202e long board", '
        'source: {section: "2.4"}, status: printed}\n'
    )
    text = plan_text(reported("case-1", overlays=(tmp_path,)))
    assert "a\\x1b[2J\\u202e long board" in text
    assert text.replace("\n", "").isprintable()
    assert all(len(line) <= 80 for line in text.splitlines())


def test_an_overlay_is_named_with_what_it_changed(reported: Reporter, tmp_path: Path) -> None:
    folder = tmp_path / "site" / "rules" / "sun-1992"
    folder.mkdir(parents=True)
    (folder / "ours.yaml").write_text(
        "id: XIII\nparameters:\n"
        '  max_nfs_ops_per_s: {value: 200, unit: op/s, source: {section: "2.5.2"}}\n'
    )
    (folder / "title.yaml").write_text("id: VIII\ntitle: Tapes apart\n")
    report = reported("silent", overlays=(tmp_path / "site",))
    text = " ".join(plan_text(report).split("Changed by overlays\n")[1].split())
    assert "site: rule XIII parameter max_nfs_ops_per_s:" in text
    assert "→ 200 (used in this result)" in text
    assert "Tapes apart (not used in this result)" in text
    assert "Changed by overlays" not in plan_text(reported("silent"))


def test_a_refusal_names_the_wishes_that_conflict() -> None:
    """2.4.3: IPI drives need an SS690MP."""
    wishes = {
        "platforms": ["sparcstation-2"], "carry_forward": [{"device": "1-0gb-ipi", "count": 2}],
    }  # fmt: skip
    document = parse_document(json.dumps(plain({}, wishes=wishes)), "small.yaml")
    report = report_plan(read_workload(document), document, ENGINE)
    text = " ".join(plan_text(report).split("Wishes that conflict")[1].split())
    platform = "`platforms: [sparcstation-2]`"
    owned = "`carry_forward: [{device: 1-0gb-ipi, count: 2}]`"
    assert text.startswith(f"No plan meets {platform} and {owned}.")
    assert f"- without {platform}: SS690MP with " in text
    assert f"- without {owned}: SPARCstation-2 with " in text
    (found,) = plan_data(report)["conflicts"]["sets"]
    assert found == [platform.strip("`"), owned.strip("`")]


def conflict_text(stated: Any) -> str:
    """The page on a workload in one line."""
    document = parse_document(json.dumps(stated), "small.yaml")
    return " ".join(plan_text(report_plan(read_workload(document), document, ENGINE)).split())


def test_every_stated_wish_is_named_if_no_plan_passes_without_them() -> None:
    """The load is 250 times that of the largest machine. That the networks are not split is a
    default, and no wish."""
    stated = plain(
        {"uses": ["a", "b"], "load": {"ops_per_s_each": 16000}},
        networks=[{"name": "north", "medium": "fddi"}],
        volumes=[volume("a", 100, protection="mirror"), volume("b", 100, own_disks=True)],
        wishes={"removable_media": ["half-inch-tape"]},
    )
    text = conflict_text(stated)
    assert (
        "Dropping wishes does not help: no plan was found without "
        "`removable_media: [half-inch-tape]`, `networks[north].medium: fddi`, "
        "`volumes[a].protection: mirror` and `volumes[b].own_disks: true`."
    ) in text


def test_no_conflict_is_announced_that_was_not_found(reported: Reporter) -> None:
    found = Conflicts((), (), possible=True, complete=False, wishes=("boards: []",))
    document = Document()
    add_conflicts(document, replace(reported("silent"), alternatives=Alternatives(conflicts=found)))
    text = " ".join(render_text(document).split())
    assert text == (
        "Whether wishes are the reason is not known, because the search stopped early: "
        "`boards: []`."
    )


def test_a_default_that_conflicts_is_named_as_one() -> None:
    """400 op/s are more than the 320 of one Ethernet (1.1.1)."""
    load = {"uses": ["data"], "load": {"ops_per_s_each": 40}}
    text = conflict_text(plain(
        load, networks=[{"name": "north", "medium": "ethernet"}], volumes=[volume("data", 100)],
        availability={"systems": 1},
    ))  # fmt: skip
    default = "the default `networks[north].segments_at_most: 1`"
    conflict = text.partition("Wishes that conflict ")[2]
    assert conflict.startswith(
        f"No plan meets {default}, `networks[north].medium: ethernet` and "
        "`availability.systems: 1`."
    )
    assert f"- without {default}: " in conflict
