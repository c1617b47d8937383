"""The page of a plan: whole, safe, by itself, in the numbers of every other form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest

import hand_plans
import small
from case_reports import HOSTILE, IMAGE, SCRIPT
from sizewright.output.explain import explain_text
from sizewright.output.html.page import mark_code, plan_html
from sizewright.output.html.parts import TONES
from sizewright.output.json.plan import plan_data
from sizewright.output.plan import plan_text
from sizewright.output.reports import PlanReport
from sizewright.output.wording import code, number, verdict_word

CASES = ("case-1", "silent", "with-sound", "case-3", "case-4", "case-5", "case-6", "case-7",
         "printing")  # fmt: skip
EVERY = pytest.mark.parametrize("case", CASES)
MEGABYTE = 1_000_000
# Those that have no end tag, or end themselves.
VOID = ("meta", "link", "br", "img", "hr", "input")
Reporter = Callable[..., PlanReport]
Attributes = dict[str, str | None]


class Seen(HTMLParser):
    """Elements with their attributes and text; fails where tags are not nested."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, Attributes]] = []
        # All text in pieces; each element has those from its first to before its last.
        self.pieces: list[str] = []
        self.spans: list[tuple[int, int]] = []
        self.open: list[int] = []
        self.feed(page)
        self.close()
        assert not self.open, self.elements[self.open[-1]]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), (tag, attrs)
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(len(self.elements) - 1)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.spans.append((len(self.pieces), len(self.pieces)))

    def handle_endtag(self, tag: str) -> None:
        element = self.open.pop()
        assert self.elements[element][0] == tag
        self.spans[element] = (self.spans[element][0], len(self.pieces))

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)

    def every(self, tag: str) -> Iterator[tuple[Attributes, str]]:
        """Attributes and text of every such element."""
        for (name, attributes), (start, end) in zip(self.elements, self.spans, strict=True):
            if name == tag:
                yield attributes, " ".join("".join(self.pieces[start:end]).split())


_PAGES: dict[str, Seen] = {}


def seen(reported: Reporter, case: str) -> Seen:
    if case not in _PAGES:
        _PAGES[case] = Seen(plan_html(reported(case)))
    return _PAGES[case]


@EVERY
def test_a_page_is_small_and_its_elements_are_nested(reported: Reporter, case: str) -> None:
    page = plan_html(reported(case))
    assert len(page) < MEGABYTE
    assert page.isascii() and page.startswith("<!DOCTYPE html>")
    found = seen(reported, case)
    assert found.elements[0] == ("html", {"lang": "en"})
    for landmark in ("header", "main", "footer", "title", "h1"):
        assert len([1 for tag, _ in found.elements if tag == landmark]) >= 1
    for landmark in ("header", "main", "footer", "h1"):
        assert len([1 for tag, _ in found.elements if tag == landmark]) == 1


@EVERY
def test_a_page_needs_nothing_else(reported: Reporter, case: str) -> None:
    found = seen(reported, case)
    tags = {tag for tag, _ in found.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "base", "form", "use"}
    for tag, attributes in found.elements:
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            assert name not in ("src", "srcset", "action", "data", "href"), (tag, name)
            assert name == "xmlns" or "://" not in (value or ""), (tag, name, value)
    style = " ".join(text for _, text in found.every("style"))
    assert "@import" not in style and "url(" not in style and "://" not in style


@EVERY
def test_headings_step_down_one_at_a_time(reported: Reporter, case: str) -> None:
    levels = [int(tag[1]) for tag, _ in seen(reported, case).elements
              if re.fullmatch("h[1-6]", tag)]  # fmt: skip
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(later - before <= 1 for before, later in pairwise(levels))


def test_each_of_two_systems_has_its_part_and_what_concerns_both_its_own(
    reported: Reporter,
) -> None:
    found = seen(reported, "case-7")
    parts = [text for attributes, text in found.every("section")
             if attributes.get("class") == "part"]  # fmt: skip
    assert [text.split(":")[0].split(" Kernel")[0] for text in parts[1:]] == [
        "System primary", "System alternate", "All systems",
    ]  # fmt: skip
    assert all("What to order" in text and "Budgets" in text for text in parts[1:3])
    both = next(text for text in parts if text.startswith("All systems"))
    assert "Assumptions" in both and "Rejected as a single system" in both
    assert not any("====" in text for text in parts)


@EVERY
def test_ids_are_unique_and_what_is_named_is_there(reported: Reporter, case: str) -> None:
    found = seen(reported, case)
    ids = Counter(attributes["id"] for _, attributes in found.elements if "id" in attributes)
    assert set(ids.values()) == {1}
    for _, attributes in found.elements:
        assert set((attributes.get("aria-labelledby") or "").split()) <= set(ids)


def _ends(quantity: dict[str, float] | None) -> str:
    if quantity is None:
        return "unknown"
    low, high = number(quantity["low"]), number(quantity["high"])
    return low if low == high else f"{low}–{high}"


@EVERY
def test_every_budget_has_its_bar_with_the_numbers_of_the_json(
    reported: Reporter, case: str
) -> None:
    bars = [
        (a["data-resources"].split("; "), text) for a, text in seen(reported, case).every("details")
    ]
    report = reported(case)
    systems = [part.shown.system for part in report.parts if part.shown is not None]
    # Disks of another system have theirs in its part of the page.
    others = {
        f"{system.id}/{kind}/{disk}"
        for system in systems
        for disk in system.others_disks
        for kind in ("disk", "space")
    }
    found = plan_data(report)["budgets"]
    budgets = {each["resource"]: each for each in found if each["resource"] not in others}
    assert len(budgets) + len(others) == len(found)
    # Those with the same numbers share a bar, which has the arithmetic of each.
    assert sorted(each for resources, _ in bars for each in resources) == sorted(budgets)
    for resources, text in bars:
        assert len({budgets[each]["kind"] for each in resources}) == 1
        for resource in resources:
            budget = budgets[resource]
            limit = "no limit" if _is_only_advised(budget) else _ends(budget["limit"])
            used = budget["used"]
            told = (
                re.escape(f" {_ends(used)}") + r"( \(likely [\d.]+\))?" + re.escape(f" of {limit}")
            )
            assert (match := re.search(told, text))
            assert bool(match[1]) is (number(used["low"]) != number(used["high"]))
            assert not match[1] or f"likely {number(used['likely'])}" in match[1]
            assert f" {verdict_word(budget['verdict'])}" in text
            assert len(resources) == 1 or f"{resource} (" in text


def _is_only_advised(budget: dict[str, Any]) -> bool:
    return budget["limit"] is None and budget["recommended"] is not None


@pytest.mark.parametrize("case", ["case-1", "case-4", "case-7"])
def test_all_that_the_text_says_is_on_the_page(reported: Reporter, case: str) -> None:
    report = reported(case)
    page = _words(next(text for _, text in seen(reported, case).every("body")))
    text = plan_text(report)
    paragraphs = [line.strip("- ") for line in text.splitlines() if line.startswith("  - ")
                  or line.endswith(".")]  # fmt: skip
    assert len(paragraphs) > 3
    for paragraph in paragraphs:
        assert _words(paragraph) in page, paragraph


def _words(text: str) -> str:
    # What is between backticks is code on the page.
    return " ".join(text.replace("\u00a0", " ").replace("`", "").split())


@pytest.mark.parametrize("case", ["case-1", "case-7"])
def test_every_step_of_the_explanation_unfolds(reported: Reporter, case: str) -> None:
    report = reported(case)
    unfolded = _words(" ".join(text for _, text in seen(reported, case).every("details")))
    steps = [line for line in explain_text(report).splitlines() if line.startswith("    ")]
    single = [line for line in steps if line.endswith("]")]
    assert len(single) > 50
    missed = [line for line in single if _words(line).lstrip("= ") not in unfolded]
    assert not missed


@EVERY
def test_tables_can_be_scrolled_by_keys(reported: Reporter, case: str) -> None:
    regions = [attributes for _, attributes in seen(reported, case).elements
               if attributes.get("class") == "scroll"]  # fmt: skip
    assert len(regions) == len(list(seen(reported, case).every("table")))
    for attributes in regions:
        assert attributes["tabindex"] == "0" and attributes["role"] == "region"
        assert attributes["aria-label"]


def test_the_lock_is_a_strip_of_its_lines(reported: Reporter) -> None:
    report = reported("case-1")
    lengths = [
        float(re.findall(r"width: ([\d.]+)%", str(attributes["style"]))[0])
        for attributes, _ in seen(reported, "case-1").every("span")
        if attributes.get("class") == "slice"
    ]
    budget = next(b for b in report.budgets if b.kind == "kernel_lock")
    assert budget.used is not None and budget.limit is not None
    assert sum(lengths) == pytest.approx(100 * budget.used.high / budget.limit.high, abs=1)
    assert lengths == sorted(lengths, reverse=True)


def test_what_is_over_the_lock_keeps_within_the_strip() -> None:
    plain = small.plain({"load": {"ops_per_s_each": 900}})
    plan = hand_plans.missing(plain, small.system())
    found = Seen(plan_html(PlanReport(plan, "over", "", "over.yaml", "0" * 64)))
    mark = next(a["style"] for a, _ in found.every("span") if a.get("class") == "mark")
    assert plan.shown is not None
    budget = next(b for b in plan.shown.budgets if b.kind == "kernel_lock")
    assert budget.used is not None and budget.limit is not None
    assert mark == f"left: {round(100 * budget.limit.high / budget.used.high, 1):g}%"
    assert next(text for _, text in found.every("h1")) == "Plan for over"
    assert "Fail" in next(text for _, text in found.every("header"))


def test_what_is_in_the_way_stands_in_the_verdict(reported: Reporter) -> None:
    """Table 1 prints the same loads for the SS670MP and the SS690MP; the second has more slots."""
    header = next(text for _, text in seen(reported, "with-sound").every("header"))
    for said in (
        "Fail",
        "Change this first:",
        "Closest alternative: SS690MP. It fails for these reasons:",
    ):
        assert said in header


@EVERY
def test_paper_shows_the_arithmetic_of_what_decides(reported: Reporter, case: str) -> None:
    unfolded = [a["data-resources"].split("; ") for a, _ in seen(reported, case).every("details")
                if (a.get("class") or "").startswith("decides")]  # fmt: skip
    parts = [part.determinant for part in reported(case).parts]
    wanted = [found.resource for found in parts if found is not None]
    assert wanted and len(unfolded) == len(wanted)
    assert all(resource in several for resource, several in zip(wanted, unfolded, strict=True))


def test_clients_that_are_counted_elsewhere_are_not_said_to_be_none(reported: Reporter) -> None:
    words = [text for _, text in seen(reported, "with-sound").every("text")]
    assert "lab" in words and not any(text.startswith("0 clients") for text in words)


def test_assumptions_name_their_line_and_section(reported: Reporter) -> None:
    cells = [text for _, text in seen(reported, "case-1").every("tr")]
    assert any(re.search(r"services\.ecad.*case-1\.yaml:\d+:\d+, section 1\.1\.8, assumption", cell)
               for cell in cells)  # fmt: skip
    assert not any(cell.endswith(", fact") for cell in cells)


def test_the_footer_tells_guide_version_and_digest(reported: Reporter) -> None:
    footer = next(text for _, text in seen(reported, "case-1").every("footer"))
    report = reported("case-1")
    for part in (report.digest, report.plan.guide.title, "case-1.yaml", "sizewright "):
        assert part in footer


@EVERY
def test_light_dark_and_paper_have_their_styles(reported: Reporter, case: str) -> None:
    ((_, style),) = seen(reported, case).every("style")
    light, _, dark = style.partition("@media (prefers-color-scheme: dark)")
    assert all(f"--{name}: {tone.light};" in light for name, tone in TONES.items())
    assert all(f"--{name}: {tone.dark};" in dark for name, tone in TONES.items())
    assert "@media print" in style


def test_paper_has_page_numbers_and_parts_nothing(reported: Reporter) -> None:
    """Charts, rows, and headings with what follows them stay on one page."""
    ((_, style),) = seen(reported, "case-1").every("style")
    assert 'content: "Page " counter(page) " of " counter(pages)' in style
    whole = style.partition("{ break-inside: avoid; }")[0].rpartition("}")[2]
    assert {".chart", ".fullest", "tr"} <= {each.strip() for each in whole.split(",")}
    assert "h2, h3, h4 { break-after: avoid; }" in style


def test_two_renderings_are_the_same(reported: Reporter) -> None:
    assert plan_html(reported("case-7")) == plan_html(reported("case-7"))


@pytest.fixture(scope="module")
def hostile(reported: Reporter) -> Seen:
    return Seen(plan_html(reported("case-1", *HOSTILE)))


def test_names_are_shown_and_never_markup(hostile: Seen) -> None:
    heading = next(text for _, text in hostile.every("h1"))
    assert heading.startswith(
        f"Plan for {SCRIPT}: </title></style></svg>]]>{{{{ 7 * 7 }}}} A mid-sized"
    )
    shown = [text for _, text in hostile.every("td") if IMAGE in text]
    assert f"{IMAGE} (copy 1)" in " ".join(shown)
    assert any(IMAGE in text for _, text in hostile.every("title"))


def test_no_element_and_no_attribute_comes_from_a_name(reported: Reporter, hostile: Seen) -> None:
    usual = seen(reported, "case-1")
    assert {tag for tag, _ in hostile.elements} == {tag for tag, _ in usual.elements}
    assert {n for _, a in hostile.elements for n in a} == {n for _, a in usual.elements for n in a}
    for attribute in ("style", "class", "role", "fill"):
        values = [{a.get(attribute) for _, a in page.elements} for page in (usual, hostile)]
        kinds = [{re.sub(r"[\d.]+", "0", value or "") for value in each} for each in values]
        assert kinds[0] == kinds[1], attribute


def test_what_steers_a_program_is_written_out(reported: Reporter) -> None:
    report = replace(reported("case-1"), name="a\x00b\x1b[2J\u202ec\ud800")
    heading = next(text for _, text in Seen(plan_html(report)).every("h1"))
    assert heading.startswith("Plan for a\\x00b\\x1b[2J\\u202ec\\ud800:")


def test_what_a_user_writes_is_code_and_no_markup() -> None:
    said = str(mark_code(f"drop {code('platforms: [a]')} & <b>; `c`"))
    assert said == "drop <code>platforms: [a]</code> &amp; &lt;b&gt;; `c`"
    assert mark_code(3) == 3
