"""A plan as Markdown: all that a ticket needs, and no name that becomes markup."""

from __future__ import annotations

import re

import pytest

import hand_plans
from sizewright.evaluate.findings import without_substituted
from sizewright.output.bill_of_materials import bill_of_materials
from sizewright.output.document import Document
from sizewright.output.plan import plan_markdown
from sizewright.output.render import escaped, render_markdown
from sizewright.output.reports import PlanReport
from sizewright.output.wording import CODE, code

from .conftest import CASES, Reporter

PAIR = hand_plans.report_on(
    hand_plans.paired(hand_plans.BUSY, hand_plans.DESKTOP, *hand_plans.PAIR)
)
OVER = hand_plans.report_on(hand_plans.missing(hand_plans.BUSY, hand_plans.DESKTOP))


def cells(line: str) -> list[str]:
    """The cells of a row as a reader sees them."""
    found = re.split(r"(?<!\\)\|", line)[1:-1]
    return [re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", cell.strip()) for cell in found]


def section(text: str, title: str) -> list[str]:
    """The lines under a heading."""
    _, _, rest = text.partition(f"\n## {title}")
    return rest.partition("\n## ")[0].splitlines()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a|b_c*<d>", "a\\|b\\_c\\*\\<d\\>"),
        ("&lt;script&gt;", "\\&lt;script\\&gt;"),
        ("[x](https://example.org)", "\\[x\\](https\\://example.org)"),
        ("www.example.org, @all, $x$", "www\\.example.org, \\@all, \\$x\\$"),
        ("- item", "\\- item"),
        ("1. item", "1\\. item"),
        ("12) item", "12\\) item"),
        ("1.5 MB", "1.5 MB"),
        ("=====", "\\====="),
        ("# title", "\\# title"),
        ("    code", "code"),
        ("two\nlines\x1b[2J\u202e", "two\\\\nlines\\\\x1b\\[2J\\\\u202e"),
        ("a\u00a0b", "a b"),
    ],
)
def test_text_means_nothing(text: str, meant: str) -> None:
    assert escaped(text) == meant


def test_a_table_with_numbers_on_the_right() -> None:
    document = Document()
    document.table(">qty | part", [("2", "a|b")])
    assert render_markdown(document) == "| qty | part |\n|---:|---|\n| 2 | a\\|b |\n"


@pytest.mark.parametrize("case", CASES)
def test_a_ticket_holds_all_that_is_asked_for(case: str, reported: Reporter) -> None:
    report = reported(case)
    text = plan_markdown(report)
    assert text.startswith(f"# Plan for {report.name}")
    verdict = "Recommended" if report.plan.holds else "Fail"
    assert f"\n**{verdict}" in text
    for title in ("Budgets", "Assumptions"):
        assert section(text, title), title
    header = next(line for line in section(text, "Budgets") if line.startswith("| "))
    assert {"share", "used", "limit", "verdict"} <= set(cells(header))
    for judged in report.systems if report.plan.chosen else ():
        for line in bill_of_materials(report.plan.guide, report.plan.demand, judged.system):
            assert f"\n| {line.quantity} | {escaped(line.name)} |" in text
    for judged in report.systems:
        for finding in without_substituted(judged.findings):
            if finding.verdict == "violated":
                assert f"Rule {finding.rule}" in text
    if report.plan.rejected and report.plan.holds:
        assert "\n## Rejected" in text


def test_a_remedy_stands_below_its_rule(reported: Reporter) -> None:
    title = "Borderline: passes at best case only, or exceeds a recommended limit"
    lines = section(plan_markdown(reported("case-1")), title)
    assert lines[1].strip() == "" or lines[1].startswith("- Rule ")
    assert any(line.startswith("  - To do: ") for line in lines)


@pytest.mark.parametrize("case", CASES)
def test_every_table_has_rows_of_one_length(case: str, reported: Reporter) -> None:
    length = 0
    for line in plan_markdown(reported(case)).splitlines():
        if not line.startswith("|"):
            length = 0
            continue
        length = length or len(cells(line))
        assert len(cells(line)) == length, line


def test_two_systems_each_have_a_part() -> None:
    text = plan_markdown(PAIR)
    assert "\n# System primary: " in text and "\n# System alternate: " in text


def test_a_nearest_miss_tells_what_to_change_first() -> None:
    text = plan_markdown(OVER)
    assert "\n**Fail: " in text
    assert "\nChange this first: " in text


def test_names_break_nothing(reported: Reporter) -> None:
    script, image = "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>|`x`'
    report: PlanReport = reported(
        "case-1",
        ("name: departmental-nfs", f"name: '{script}'"),
        ("name: mail\n", f"name: '{image}'\n"),
        ("{mail: ", f"{{'{image}': "),
        ("[mail, ", f"['{image}', "),
    )
    text = plan_markdown(report)
    assert escaped(script) in text and escaped(image) in text
    # The report itself names a key.
    assert not re.search(r"(?<!\\)[<>`]", text.replace(code("tape_mb").replace(CODE, "`"), ""))


def test_what_a_user_writes_is_code() -> None:
    told = escaped(f"drop {code('platforms: [a_b]')} of <c> and ` d")
    assert told == r"drop `platforms: [a_b]` of \<c\> and \` d"
    assert escaped(f"1. {code('a')}") == r"1\. `a`"
