from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth, wcwidth

from sizewright.output.document import Document, VerdictCell
from sizewright.output.render import _NOT_PLAIN, PLAIN, Style, _seen, render_text
from sizewright.output.wording import GLUE

COLOURED = Style(colour=True, unicode=True)


def test_a_table_aligns_words_left_and_numbers_right() -> None:
    page = Document()
    page.heading("Parts")
    page.table(">qty | part", [("1", "a machine"), ("12", "disks")])
    assert render_text(page) == (
        "Parts\n"
        "  qty  part\n"
        "    1  a machine\n"
        "   12  disks\n"
    )  # fmt: skip


def test_a_flexible_column_wraps_at_its_words() -> None:
    page = Document()
    page.table("id | says", [("a", "word " * 20), ("b", "short")])
    assert render_text(page) == (
        "  id  says\n"
        f"  a   {' '.join(['word'] * 15)}\n"
        f"      {' '.join(['word'] * 5)}\n"
        "  b   short\n"
    )


def test_a_number_stays_with_its_unit() -> None:
    page = Document()
    page.say("x" * 76 + f" 12{GLUE}op/s")
    assert render_text(page) == "x" * 76 + "\n12 op/s\n"


def test_what_hangs_is_indented_more() -> None:
    page = Document()
    page.say("- " + "word " * 20, depth=1, hang=1)
    first, second = render_text(page).splitlines()
    assert first.startswith("  - word")
    assert second.startswith("    word")


def test_gaps_do_not_add_up() -> None:
    page = Document()
    page.gap()
    page.say("a")
    page.gap()
    page.gap()
    page.heading("b")
    assert render_text(page) == "a\n\nb\n"


def test_plain_ascii_where_the_terminal_has_no_more() -> None:
    page = Document()
    page.say("█░ 1–2 × 3 ÷ 4 − 5 → …")
    assert render_text(page, Style(colour=False, unicode=False)) == "#. 1-2 x 3 / 4 - 5 -> ...\n"


def test_colour_only_where_it_is_wanted() -> None:
    for style, coloured in ((PLAIN, False), (COLOURED, True)):
        page = Document()
        page.heading("a")
        page.say("b", verdict="violated")
        assert ("\x1b[" in render_text(page, style)) is coloured


def test_colour_takes_no_room_in_a_table() -> None:
    page = Document()
    rows = [("a", VerdictCell("holds", "holds"), "x"), ("b", "violated", "y")]
    page.table("r | verdict | z", rows)
    plain = render_text(page, COLOURED).replace("\x1b[32m", "").replace("\x1b[0m", "")
    assert [line.rstrip()[-1] for line in plain.splitlines()] == ["z", "x", "y"]
    assert len({len(line) for line in plain.splitlines()}) == 1


def test_nothing_in_a_text_can_steer_a_terminal() -> None:
    page = Document()
    page.say("a\x1b[2Jb\x07\u202e")
    assert render_text(page) == "a\\x1b[2Jb\\x07\\u202e\n"


CELLS = st.text(st.characters(codec="ascii", categories=["L", "Zs"]), max_size=70)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=4))
def test_no_table_is_wider_than_the_page(rows: list[tuple[str, str, str]]) -> None:
    page = Document()
    page.table(">a | b | c", rows)
    assert all(len(line) <= 80 for line in render_text(page).splitlines())


# --- characters that take two columns of a terminal, or none --------------------------------------

NAMES = ("共有ボリューム", "e\u0301tude", "plain", "한국어 이름", "naïve – 3 × █")


def columns(page: Document, last: str) -> set[int]:
    """Where the last column begins on a terminal, in every line of a page."""
    return {wcswidth(line[: line.rindex(last)]) for line in render_text(page).splitlines()}


def test_wide_characters_and_marks_do_not_shift_a_table() -> None:
    page = Document()
    page.table("name | >size | end", [(name, "7", "end") for name in NAMES])
    assert columns(page, "end") == {2 + wcswidth(NAMES[0]) + 2 + 4 + 2}


def test_nor_do_they_in_colour() -> None:
    page = Document()
    page.table("name | end", [(VerdictCell(name, "holds"), "end") for name in NAMES])
    lines = [line.replace("\x1b[32m", "").replace("\x1b[0m", "") for line in
             render_text(page, COLOURED).splitlines()]  # fmt: skip
    assert len({wcswidth(line) for line in lines}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_cell_is_wrapped_by_the_columns_that_it_takes(name: str) -> None:
    page = Document()
    page.table("says | end", [(f"{name} " * 20, "end")])
    lines = render_text(page).splitlines()
    assert max(map(wcswidth, lines)) <= 80
    assert {wcswidth(line[: line.index("end")]) for line in lines if "end" in line} == {
        wcswidth(lines[0][: lines[0].index("end")])
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_paragraph_is_wrapped_by_the_columns_that_it_takes(name: str) -> None:
    page = Document()
    page.say(f"{name}, " * 30, depth=1, hang=1)
    first, *others, last = map(wcswidth, render_text(page).splitlines())
    room = wcswidth(f"{name}, ")
    assert all(80 - room <= width <= 80 for width in (first, *others))
    assert last <= 80


def test_a_column_without_content_is_left_its_header() -> None:
    page = Document()
    page.table("a | b | c", [("", "x" * 37, "x" * 37)])
    assert render_text(page).splitlines()[0].split() == ["a", "b", "c"]


def test_a_line_of_few_characters_may_be_too_wide() -> None:
    page = Document()
    page.say("共有 " * 20)
    assert [wcswidth(line) for line in render_text(page).splitlines()] == [79, 19]


def test_what_counts_as_plain_takes_one_column() -> None:
    """But for what is escaped before it is measured."""
    plain = [c for c in map(chr, range(0x10000)) if c.isprintable() and not _NOT_PLAIN.search(c)]
    assert {"a", "é", "–", "█", "×", "…"} <= set(plain)
    assert [c for c in plain if wcwidth(c) != 1] == []
    assert _NOT_PLAIN.search(GLUE) is None and _seen(GLUE) == 1


WORDS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=50)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=3))
def test_no_table_of_any_text_is_wider_than_the_page(rows: list[tuple[str, str, str]]) -> None:
    page = Document()
    page.table(">a | b | c", rows)
    assert all(wcswidth(line) <= 80 for line in render_text(page).splitlines())


def test_plain_text_does_not_wait_for_their_widths() -> None:
    code = (
        "import sys; from sizewright.output.document import Document\n"
        "from sizewright.output.render import render_text\n"
        "page = Document(); page.say('a – b ' * 30); render_text(page)\n"
        "sys.exit('wcwidth' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
