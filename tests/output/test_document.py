"""A document by its parts, headings and depth."""

from __future__ import annotations

from sizewright.output.document import Document, Paragraph, Table


def said(text: str, depth: int, *below: Paragraph, verdict: str = "") -> Paragraph:
    return Paragraph(text, depth, verdict=verdict, below=below)


def test_deeper_paragraphs_stand_below_those_before_them() -> None:
    page = Document()
    page.heading("Findings")
    page.say("Rule I", depth=1, verdict="violated")
    page.say("- one", depth=2)
    page.say("- two", depth=2)
    page.say("Rule II", depth=1)
    (part,) = page.parts()
    (section,) = part.sections
    assert section.title == "Findings"
    items = (said("- one", 2), said("- two", 2))
    assert [(item.is_item, item.words) for item in items] == [(True, "one"), (True, "two")]
    assert section.blocks == (said("Rule I", 1, *items, verdict="violated"), said("Rule II", 1))


def test_what_follows_a_gap_stands_apart_unless_it_is_indented() -> None:
    page = Document()
    page.heading("To measure")
    page.say("Two facts.", depth=1)
    page.gap()
    page.say("The first.", depth=1)
    page.gap()
    page.say("44 rules.")
    (part,) = page.parts()
    assert [(s.title, len(s.blocks)) for s in part.sections] == [("To measure", 2), ("", 1)]


def test_tables_keep_their_cells_and_empty_ones_are_left_out() -> None:
    page = Document()
    page.heading("Empty")
    page.table("a | b", [])
    page.heading("Full")
    page.table("a | >b", [("1", "2")])
    (part,) = page.parts()
    (section,) = part.sections
    assert section.title == "Full"
    assert section.blocks == (Table(("a", "b"), (("1", "2"),), ("b",)),)


def test_parts_hold_their_own_sections_and_the_whole_comes_after() -> None:
    page = Document()
    page.say("Verdict")
    page.part("System primary")
    page.heading("Order")
    page.say("one")
    page.part("All systems")
    page.heading("Failover")
    page.say("two")
    named = [(part.title, [s.title for s in part.sections]) for part in page.parts()]
    assert named == [("", [""]), ("System primary", ["Order"]), ("All systems", ["Failover"])]
