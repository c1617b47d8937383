"""The first page of a report on a plan, and the first screen of its text."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import replace
from datetime import date

import pytest
import yaml

import hand_plans
import small
from sizewright.api import load_engine, report_plan
from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.limits import LOGO_BYTES_AT_MOST
from sizewright.output.brevity import SCREENS
from sizewright.output.change import change_text
from sizewright.output.cover import Cover
from sizewright.output.document import Document, Paragraph
from sizewright.output.findings import add_findings
from sizewright.output.first_page import Headroom
from sizewright.output.html.logo import picture_address
from sizewright.output.html.page import plan_html
from sizewright.output.layout import SCREEN_LINES
from sizewright.output.plan import plan_markdown, plan_text
from sizewright.output.render import PLAIN, render_text
from sizewright.output.summary import add_summary
from sizewright.output.wording import headroom, with_likely
from sizewright.quantity import Quantity
from sizewright.workload.not_counted import Omission
from sizewright.workload.reading import read_workload

from .conftest import Reporter
from .test_pair import OVER, PAIR

CASES = ("case-1", "silent", "with-sound", "case-3", "case-4", "case-5", "case-6", "case-7")
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (40).to_bytes(4) + (20).to_bytes(4) + b"\x08\x02\0\0\0"
JPEG = bytes.fromhex("ffd8ffe00004 0000 ffc0000b08 0014 0028 01".replace(" ", ""))


@pytest.mark.parametrize("case", CASES)
def test_the_first_screen_has_24_lines_and_says_it_all(reported: Reporter, case: str) -> None:
    report = reported(case)
    text = plan_text(report, full=False)
    assert len(text.splitlines()) <= SCREEN_LINES == 24
    text = " ".join(text.split())
    assert "Bottleneck" in text and "--full prints" in text
    assert ("free, worst case" in text) or not report.plan.holds
    assert ("To order: " in text) is report.plan.holds
    assert ("Change this first: " in text) is not report.plan.holds


def test_a_long_first_screen_has_sentences_in_place_of_tables(reported: Reporter) -> None:
    omitted = Omission("mail", "its data", "volume"), Omission("orders", "its log", "log")
    report = replace(reported("case-7"), not_counted=omitted)
    text = " ".join(plan_text(report, full=False).split())
    assert "Not counted (not stated): mail: its data (to count it: volume), and 1 more." in text
    said = r"Headroom: the bottleneck is \d+% free, worst case <?\d+%; \d+ more"
    assert re.search(said, text)


def test_a_first_screen_that_is_still_too_long_leaves_details_out(reported: Reporter) -> None:
    """Case 7 has two systems, one of them with nine services; the primary is fuller."""
    document = Document()
    add_summary(document, reported("case-7"), SCREENS[-1])
    text = " ".join(render_text(document, PLAIN).split())
    assert "(SS690MP) for arcinfo, macs, office and 6 more and the alternate" in text
    assert "Bottleneck of the primary: " in text and "Bottleneck of the alternate: " not in text
    assert "Borderline (numbers with --full): " in text and "[rule" not in text


def test_parts_that_are_left_out_of_the_first_screen_are_counted(reported: Reporter) -> None:
    """Case 1 orders 16 parts: the machine, 4 and 2 disks, and ten others."""
    text = " ".join(plan_text(reported("case-1"), full=False).split())
    assert (
        "To order: SPARCstation-2, 4 × 1.3 GB SCSI disk, 2 × 424 MB SCSI disk, "
        "TRI/S (4- or 16Mb) and 9 more parts."
    ) in text


def test_the_parts_of_a_model_name_each_purpose_once(reported: Reporter) -> None:
    """Seven disks of the primary have all data, one of the alternate the operating system."""
    report = replace(reported("case-1"))
    disks = next(line for line in report.bill if line.kind == "disk")
    vars(report)["bill"] = (
        disks._replace(quantity=7, purpose="calls, operating system; 6 with two ports"),
        disks._replace(quantity=1, purpose="operating system"),
    )
    text = plan_text(report, sections=("What to order",))
    assert f"    8  {disks.name}  calls, operating system; 6 with two ports\n" in text


def test_a_section_is_printed_by_the_beginning_of_its_title(reported: Reporter) -> None:
    report = reported("case-1")
    text = plan_text(report, full=False, sections=("volumes", "BOARDS"))
    assert re.findall(r"^[A-Z].*$", text, re.MULTILINE) == ["Boards in slots", "Volumes"]
    with pytest.raises(InputError, match="no section is called 'volume-s'") as raised:
        plan_text(report, sections=("volume-s",))
    assert "did you mean 'Volumes'?" in str(raised.value)


def test_of_each_kind_of_resource_the_fullest_has_a_line() -> None:
    report = hand_plans.report_on(PAIR)
    lines = Headroom(report.named, report.budgets).lines()
    limited = [b for b in report.budgets if b.share_of_limit("high") is not None]
    assert len(lines) == len({budget.kind for budget in limited})
    for kind in {budget.kind for budget in limited}:
        alike = [b for b in limited if b.kind == kind]
        most = max(alike, key=lambda budget: budget.share_of_limit("high") or 0)
        label = f"{most.system}: {report.named[most.system].budget(most)}"
        (shares,) = [(likely, worst) for name, likely, worst, _ in lines if name == label]
        assert shares == (most.share_of_limit("likely"), most.share_of_limit("high"))


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.42, "58%"), (0.996, "<1%"), (1.0, "0%"), (1.25, "over by 25%"), (1.001, "over by <1%")],
)
def test_what_is_free_is_said_in_whole_percent(share: float, words: str) -> None:
    assert headroom(share) == words


def test_the_first_page_of_a_quote_comes_before_its_appendix(reported: Reporter) -> None:
    report = reported("case-1")
    order = ("Recommended", "What was asked for", "Headroom", "What to order", "Assumed",
             "Appendix", "Networks", "Budgets", "Set-up", "Assumptions")  # fmt: skip
    for text in (plan_text(report), plan_markdown(report)):
        places = [re.search(rf"^(\W*){title}", text, re.MULTILINE) for title in order]
        found = [place.start() for place in places if place]
        assert len(found) == len(order) and found == sorted(found)
    page = plan_html(report)
    assert page.index("What to order</h2>") < page.index('id="drawing"') < page.index(">Appendix<")


def test_what_was_asked_for_is_in_the_words_of_the_customer(reported: Reporter) -> None:
    """Case 1: 12 stations, 4 to 5 active with 30 op/s each, hence 120 to 150 op/s."""
    text = plan_text(reported("case-1"))
    assert re.search(r"  ecad +file service \(NFS\) +12 clients, 120–150 op/s of NFS\n", text)
    assert "  Data: 3700–3800 MB in 4 volumes; mirrored: binaries and mail.\n" in text


def test_who_uses_services_that_serve_no_files_is_said(reported: Reporter) -> None:
    text = " ".join(plan_text(reported("case-6")).split())
    for said in ("timesharing 40–75 sessions, 86 op/s on disks", "serial 40–75 lines ",
                 "print 4 printers, 43 op/s on disks"):  # fmt: skip
        assert said in text
    assert "oracle database 88–90 clients, 360 op/s" in " ".join(
        plan_text(reported("case-7")).split()
    )


def test_growth_without_years_is_said_to_be_applied_once() -> None:
    plain = small.plain({}, growth={"percent": 20})
    document = parse_document(yaml.safe_dump(plain), "w.yaml")
    report = report_plan(read_workload(document), document, load_engine("sun-1992"))
    text = plan_text(report)
    assert "  service-0  file service (NFS)  10 clients, 12 op/s of NFS\n" in text
    assert "  Growth: 20% once; it is included in all loads.\n" in text


def test_how_soon_a_service_must_run_again_is_stated() -> None:
    job = {"kind": "batch", "name": "job", "jobs": 1, "back_within_s": 300}
    plain = small.plain({}, volumes=[small.volume("data")])
    work = [{"name": "scan", "volume": "data", "ops_per_s": 1}]
    plain["services"].append(job | {"work": work})
    document = parse_document(yaml.safe_dump(plain), "w.yaml")
    report = report_plan(read_workload(document), document, load_engine("sun-1992"))
    line = "  job: runs again within 300 s of a failure (not calculated).\n"
    assert line in plan_text(report)


def test_a_bar_ends_at_its_limit() -> None:
    page = plan_html(hand_plans.report_on(OVER))
    assert set(re.findall(r'<path class="limit" d="M (\S+) ', page)) == {"100"}
    widths = [float(width) for width in re.findall(r'class="filled" y="1" width="([\d.]+)"', page)]
    assert max(widths) == 100 and min(widths) < 100


def test_the_head_states_customer_author_and_days(reported: Reporter) -> None:
    cover = Cover("Offer 12", "ACME & Sons", "J. Doe", date(1993, 6, 1), date(1993, 6, 30))
    report = replace(reported("case-1"), cover=cover)
    line = "For: ACME & Sons · From: J. Doe · Date: 1993-06-01 · Valid until: 1993-06-30"
    assert plan_text(report).startswith(f"Offer 12\n{line}\n")
    page = plan_html(report)
    assert "<h1>Offer 12</h1>" in page and "For: ACME &amp; Sons" in page and "<img" not in page


def test_a_logo_is_within_the_page(reported: Reporter) -> None:
    cover = Cover(logo=picture_address(PNG, "logo.png"))
    page = plan_html(replace(reported("case-1"), cover=cover))
    (address,) = re.findall(
        r'<img class="logo" src="data:image/png;base64,([^"]+)" alt="Logo">', page
    )
    assert b64decode(address) == PNG
    assert picture_address(JPEG, "logo.jpg").startswith("data:image/jpeg;base64,")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"GIF89a", "is no picture"),
        (b"<html/>", "is no picture"),
        (PNG + b"x" * LOGO_BYTES_AT_MOST, "is too large"),
        (PNG.replace((40).to_bytes(4), (9000).to_bytes(4)), "is 9000 × 20 pixels in size"),
        (JPEG[:-6], "is 0 × 0 pixels in size"),
        (b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>&a;</svg>", "declares a document type"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'>", "is no picture"),
    ],
)
def test_what_is_no_logo_is_refused(content: bytes, why: str) -> None:
    with pytest.raises(InputError, match=why) as raised:
        picture_address(content, "logo.png")
    assert "expected a PNG, JPEG or SVG picture of at most 256 KB" in str(raised.value)


def test_of_a_drawn_logo_only_shapes_are_kept() -> None:
    drawn = b"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink"
      onload="alert(1)"><script>alert(2)</script><style>@import 'http://a.example/';</style>
      <foreignObject><body>hello</body></foreignObject><image href="http://b.example/c.png"/>
      <use x:href="http://c.example/d.svg#e"/><use href="#mark"/><a href="http://d.example">f</a>
      <path id="mark" d="M 0 0 V 6" fill="url(#paint)" onclick="alert(3)"/>
      <rect fill="url(http://e.example/)" style="b: url(//f.example)" width="5"/></svg>"""
    address = picture_address(drawn, "logo.svg")
    kept = b64decode(address.removeprefix("data:image/svg+xml;base64,")).decode()
    assert 'd="M 0 0 V 6"' in kept and 'fill="url(#paint)"' in kept and 'href="#mark"' in kept
    assert 'width="5"' in kept
    for gone in ("alert", "example/", ".example", "script", "style", "foreign", "image", "hello"):
        assert gone not in kept, gone


def test_a_likely_value_is_shown_unless_it_is_in_the_middle() -> None:
    assert with_likely(Quantity(120, 135, 150, "op/s")) == "120–150\u00a0op/s"
    assert with_likely(Quantity(120, 125, 150, "op/s")) == "120–150\u00a0op/s (likely 125)"
    assert with_likely(Quantity(8, 8, 8, "op/s")) == "8\u00a0op/s"


def test_wishes_that_conflict_are_the_first_to_change() -> None:
    wishes = {
        "platforms": ["sparcstation-2"],
        "carry_forward": [{"device": "1-0gb-ipi", "count": 4}],
    }
    plain = small.plain({}, volumes=[small.volume("data", 3000)], wishes=wishes)
    document = parse_document(yaml.safe_dump(plain), "desk.yaml")
    report = report_plan(read_workload(document), document, load_engine("sun-1992"))
    assert report.plan.chosen is None
    text = " ".join(plan_text(report, full=False).split())
    assert "Change this first: drop `platforms: [sparcstation-2]` or `carry_forward: [" in text
    page = plan_html(report)
    assert 'id="drawing"' not in page and "Change this first: drop" in page


def test_a_limit_that_is_missed_at_any_load_is_met_by_its_remedy(reported: Reporter) -> None:
    nearest = hand_plans.report_on(OVER).plan.nearest
    assert nearest is not None
    finding = nearest.findings[0]
    bare = nearest._replace(load_share=0, waive=(finding.rule,), findings=(finding,))
    text = change_text(hand_plans.report_on(hand_plans.refusing(OVER, (bare,), bare)))
    remedy = finding.remedy[0].lower() + finding.remedy[1:].rstrip(".")
    assert text == f"meet rule {finding.rule} ({remedy})"


def test_of_many_parts_that_exceed_a_limit_the_worst_come_first() -> None:
    report = hand_plans.report_on(OVER)
    (shown,) = report.systems
    finding = next(f for f in shown.findings if f.verdict == "violated")
    used = {"a": 110, "b": 190, "c": 150, "d": 120, "e": 130, "f": 140}
    budgets = tuple(
        shown.budgets[0]._replace(
            name=name, limit_rule=finding.rule, recommended_rule="", limit=small.given(100),
            used=small.given(value),
        )
        for name, value in used.items()
    )  # fmt: skip
    alike = [finding._replace(subject=f"{shown.system.id}/disk/{name}") for name in used]
    document = Document()
    judged = shown._replace(budgets=budgets)
    add_findings(document, report.names, alike, set(), judged, "high")
    told = [b.text for b in document.blocks if isinstance(b, Paragraph) and b.is_item]
    assert [text.partition(":")[0] for text in told[:5]] == [f"- disk {name}" for name in "bcfed"]
    assert told[5] == "- The same for disk a."
