"""Names that are markup: shown as they are, and never obeyed."""

from __future__ import annotations

from pathlib import Path

import pytest

from case_reports import HOSTILE, IMAGE, SCRIPT, case_report
from sizewright.output.html.page import plan_svg

from .conftest import Pages
from .viewer import Surface, Viewer

DESK = Surface(1280)
pytestmark = pytest.mark.no_cover


def test_they_are_shown_on_the_page_and_run_nothing(browser: Viewer, pages: Pages) -> None:
    browser.show(pages("hostile"), DESK)
    browser.ask("for (const fold of document.querySelectorAll('details')) fold.open = true")
    shown = browser.ask("return document.body.innerText")
    assert shown.startswith(f"Plan for {SCRIPT}: </title></style></svg>]]>{{{{ 7 * 7 }}}} A mid-")
    assert f"{IMAGE} (copy 1)" in shown
    assert browser.ask("return document.title").startswith(f"Plan for {SCRIPT}")
    assert browser.ask("return document.querySelectorAll('script, img').length") == 0
    assert browser.look().faults == []
    assert (browser.said(), browser.console()) == ([], [])
    assert browser.fetched() == [pages("hostile").as_uri()]


def test_they_are_shown_in_the_drawing_alone_and_run_nothing(
    browser: Viewer, tmp_path: Path
) -> None:
    path = tmp_path / "drawing.svg"
    path.write_text(plan_svg(case_report("case-1", *HOSTILE)), encoding="ascii")
    browser.show(path, DESK)
    title = browser.ask("return document.querySelector('title').textContent")
    assert title == f"Drawing of the configuration for {SCRIPT}"
    assert IMAGE in browser.ask("return document.documentElement.textContent")
    assert browser.ask("return document.querySelectorAll('script, img').length") == 0
    assert (browser.said(), browser.console()) == ([], [])
