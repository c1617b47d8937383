from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sizewright.report.numbers import GLUE
from sizewright.report.page import Page
from sizewright.report.style import PLAIN, Style

COLOURED = Style(colour=True, unicode=True)


def test_a_table_aligns_words_left_and_numbers_right() -> None:
    page = Page(PLAIN)
    page.heading("Parts")
    page.table(("qty", "part"), [("1", "a machine"), ("12", "disks")], right=("qty",))
    assert page.text() == (
        "Parts\n"
        "  qty  part\n"
        "    1  a machine\n"
        "   12  disks\n"
    )  # fmt: skip


def test_a_flexible_column_wraps_at_its_words() -> None:
    page = Page(PLAIN)
    page.table(("id", "says"), [("a", "word " * 20), ("b", "short")], flexible=("says",))
    assert page.text() == (
        "  id  says\n"
        f"  a   {' '.join(['word'] * 15)}\n"
        f"      {' '.join(['word'] * 5)}\n"
        "  b   short\n"
    )


def test_a_number_stays_with_its_unit() -> None:
    page = Page(PLAIN)
    page.say("x" * 76 + f" 12{GLUE}op/s")
    assert page.text() == "x" * 76 + "\n12 op/s\n"


def test_what_hangs_is_indented_more() -> None:
    page = Page(PLAIN)
    page.say("- " + "word " * 20, depth=1, hang=1)
    first, second = page.text().splitlines()
    assert first.startswith("  - word")
    assert second.startswith("    word")


def test_gaps_do_not_add_up() -> None:
    page = Page(PLAIN)
    page.gap()
    page.say("a")
    page.gap()
    page.gap()
    page.heading("b")
    assert page.text() == "a\n\nb\n"


def test_plain_ascii_where_the_terminal_has_no_more() -> None:
    page = Page(Style(colour=False, unicode=False))
    page.say("█░ 1–2 × 3 ÷ 4 − 5 → …")
    assert page.text() == "#. 1-2 x 3 / 4 - 5 -> ...\n"


def test_colour_only_where_it_is_wanted() -> None:
    for style, coloured in ((PLAIN, False), (COLOURED, True)):
        page = Page(style)
        page.heading("a")
        page.say("b", verdict="violated")
        assert ("\x1b[" in page.text()) is coloured


def test_colour_takes_no_room_in_a_table() -> None:
    page = Page(COLOURED)
    rows = [("a", COLOURED.verdict("holds", "holds"), "x"), ("b", "violated", "y")]
    page.table(("r", "verdict", "z"), rows)
    plain = page.text().replace("\x1b[32m", "").replace("\x1b[0m", "")
    assert [line.rstrip()[-1] for line in plain.splitlines()] == ["z", "x", "y"]
    assert len({len(line) for line in plain.splitlines()}) == 1


def test_nothing_in_a_text_can_steer_a_terminal() -> None:
    page = Page(PLAIN)
    page.say("a\x1b[2Jb\x07\u202e")
    assert page.text() == "a\\x1b[2Jb\\x07\\u202e\n"


CELLS = st.text(st.characters(codec="ascii", categories=["L", "Zs"]), max_size=70)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=4))
def test_no_table_is_wider_than_the_page(rows: list[tuple[str, str, str]]) -> None:
    page = Page(PLAIN)
    page.table(("a", "b", "c"), rows, right=("a",), flexible=("c",))
    assert all(len(line) <= 80 for line in page.text().splitlines())
