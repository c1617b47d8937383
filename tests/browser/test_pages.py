"""The pages of the case studies as a browser shows them: on a desk, on a telephone, on paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from .conftest import Pages
from .viewer import Seen, Surface, Viewer

pytestmark = pytest.mark.no_cover

# The second case comes in two variants. All pages but one are looked at in depth only.
CASES = ("case-1", "silent", "with-sound", "case-3", "case-4", "case-5", "case-6", "case-7")
EVERY_CASE = pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=pytest.mark.deep if case != CASES[0] else ()) for case in CASES],
)
# Layout and colours do not hang on each other, so that each is seen once in both of its kinds.
DESK, TELEPHONE = Surface(1280), Surface(400, scheme="dark")
PAPER = Surface(718, medium="print")
EVERY_SCREEN = pytest.mark.parametrize("surface", (DESK, TELEPHONE), ids=str)
EVERY_SURFACE = pytest.mark.parametrize("surface", (DESK, TELEPHONE, PAPER), ids=str)

_FOLDS = """
return [...document.querySelectorAll("details")].map(fold => {
  const steps = fold.querySelector(".steps");
  return [fold.open, steps.checkVisibility() && steps.getBoundingClientRect().height > 0];
});
"""
_UNFOLD = """
for (const fold of document.querySelectorAll("details"))
  if (!fold.open) fold.querySelector("summary").click();
"""
# The steps of one resource are made as those of all, and what is not shown bothers nobody; but
# axe-core would spend most of its time on them.
_LEAVE_ONE = """
const folds = [...document.querySelectorAll("details")];
folds.slice(1).forEach(fold => fold.querySelector(".steps").remove());
for (const form of document.querySelectorAll(".wide, .slim, .paper"))
  if (!form.checkVisibility()) form.remove();
"""


class Visit(NamedTuple):
    """A page on a surface: at first, and with all its arithmetic unfolded.

    `folds` say of each resource before, after a click on the first and a key on the second, and in
    the end, whether it is open and whether its steps are seen.
    """

    first: Seen
    unfolded: Seen
    folds: tuple[list[list[bool]], list[list[bool]], list[list[bool]]]
    obstacles: list[str]
    console: list[str]
    fetched: list[str]
    said: list[str]


Visits = Callable[[str, Surface], Visit]


@pytest.fixture(scope="session")
def visits(browser: Viewer, pages: Pages) -> Visits:
    """What is seen of a case's page on a surface; each is opened once."""
    kept: dict[tuple[str, Surface], Visit] = {}

    def visit(case: str, surface: Surface) -> Visit:
        if (case, surface) not in kept:
            browser.show(pages(case), surface)
            kept[case, surface] = _visit(browser, surface)
        return kept[case, surface]

    return visit


def _visit(browser: Viewer, surface: Surface) -> Visit:
    first, before = browser.look(), browser.ask(_FOLDS)
    browser.click("details summary")
    browser.press_enter("details:nth-of-type(2) summary")
    between = browser.ask(_FOLDS)
    browser.ask(_UNFOLD)
    unfolded, after = browser.look(), browser.ask(_FOLDS)
    console, fetched, said = browser.console(), browser.fetched(), browser.said()
    obstacles: list[str] = []
    if surface.medium == "screen":
        browser.ask(_LEAVE_ONE)
        obstacles = browser.obstacles()
    return Visit(
        first, unfolded, (before, between, after), obstacles, console, fetched, said
    )  # fmt: skip


@EVERY_CASE
@EVERY_SURFACE
def test_nothing_is_cut_off_or_lies_on_other_things(
    visits: Visits, case: str, surface: Surface
) -> None:
    found = visits(case, surface)
    assert found.first.texts > 100 and found.first.boxes > 10
    assert found.first.faults == []


@EVERY_CASE
@EVERY_SURFACE
def test_nor_where_the_arithmetic_is_unfolded(visits: Visits, case: str, surface: Surface) -> None:
    found = visits(case, surface)
    assert found.unfolded.texts > found.first.texts
    assert found.unfolded.faults == []


@EVERY_CASE
@EVERY_SCREEN
def test_arithmetic_unfolds_by_pointer_and_by_key(
    visits: Visits, case: str, surface: Surface
) -> None:
    before, between, after = visits(case, surface).folds
    assert len(before) > 5
    assert between == [[True, True]] * 2 + [[False, False]] * (len(before) - 2)
    assert before == [[False, False]] * len(before)
    assert after == [[True, True]] * len(before)


@EVERY_CASE
def test_paper_shows_the_arithmetic_of_what_decides(visits: Visits, case: str) -> None:
    before, _, after = visits(case, PAPER).folds
    shown = [seen for _, seen in before]
    assert 1 <= sum(shown) <= 2 and not any(fold for fold, _ in before)
    assert all(seen for _, seen in after)


@EVERY_CASE
@EVERY_SURFACE
def test_the_console_is_empty_and_nothing_is_fetched(
    visits: Visits, pages: Pages, case: str, surface: Surface
) -> None:
    found = visits(case, surface)
    assert (found.console, found.said) == ([], [])
    assert found.fetched == [pages(case).as_uri()]


@EVERY_CASE
@EVERY_SCREEN
def test_nothing_keeps_anybody_from_reading(visits: Visits, case: str, surface: Surface) -> None:
    assert visits(case, surface).obstacles == []
