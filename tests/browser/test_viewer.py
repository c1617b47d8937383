"""Faults that are put into a page on purpose are noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Pages
from .viewer import WANTED, Seen, Surface, Viewer, viewer

CASE = "case-5"
DESK, TELEPHONE = Surface(1280), Surface(400)
pytestmark = pytest.mark.no_cover


def _with(pages: Pages, folder: Path, markup: str) -> Path:
    """The page of a case with something put at its end."""
    text = pages(CASE).read_text(encoding="ascii")
    assert text.count("</footer>") == 1
    changed = folder / "changed.html"
    changed.write_text(text.replace("</footer>", f"</footer>{markup}"), encoding="ascii")
    return changed


@pytest.mark.parametrize(
    ("how", "markup"),
    [
        ("outside", "<div style='width: 1500px'>wide</div>"),
        ("outside", "<p style='position: absolute; left: -50px'>left</p>"),
        ("outside", "<style>table { min-width: 90rem } .scroll { overflow: visible }</style>"),
        ("cut", "<style>h1 { height: 10px; overflow: hidden }</style>"),
        ("cut", "<style>.amount { white-space: nowrap; width: 2rem; overflow: clip }</style>"),
        ("covered", "<style>.bars .amount { position: relative; left: -90px }</style>"),
        ("parted", "<style>.bars .share { white-space: normal; width: 1em }</style>"),
        ("covered", "<style>footer { margin-top: -60px }</style>"),
        ("drawing", "<style>.drawing .name { font-size: 30px }</style>"),
        ("drawing", "<style>.role-disk { transform: translateX(40px) }</style>"),
        ("drawing", "<style>.role-board { transform: translateY(-30px) }</style>"),
    ],
)  # fmt: skip
def test_what_is_out_of_place(
    browser: Viewer, pages: Pages, tmp_path: Path, how: str, markup: str
) -> None:
    browser.show(_with(pages, tmp_path, markup), DESK)
    assert getattr(browser.look(), how)


def test_what_has_no_room_on_a_telephone(browser: Viewer, pages: Pages, tmp_path: Path) -> None:
    page = _with(pages, tmp_path, "<style>.bars { min-width: 600px }</style>")
    browser.show(page, DESK)
    assert browser.look().faults == []
    browser.show(page, TELEPHONE)
    assert browser.look().outside


@pytest.mark.parametrize(
    ("rule", "markup"),
    [
        ("color-contrast", "<p style='color: #c0c0c0'>pale</p>"),
        ("color-contrast", "<style>:root { --faint: #aaa }</style>"),
        ("image-alt", "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>"),
    ],
)
def test_what_is_hard_to_read(
    browser: Viewer, pages: Pages, tmp_path: Path, rule: str, markup: str
) -> None:
    browser.show(_with(pages, tmp_path, markup), DESK)
    found = browser.obstacles(rule)
    assert found and all(f": {rule}: " in each for each in found)


def test_what_a_script_says(browser: Viewer, pages: Pages, tmp_path: Path) -> None:
    markup = "<script>alert('hello'); console.warn('careful'); throw Error('broken')</script>"
    browser.show(_with(pages, tmp_path, markup), DESK)
    assert browser.said() == ["hello"]
    console = browser.console()
    assert any("careful" in line for line in console) and any("broken" in line for line in console)
    browser.show(pages(CASE), DESK)
    assert (browser.said(), browser.console()) == ([], [])


def test_what_a_page_asks_for(browser: Viewer, pages: Pages, tmp_path: Path) -> None:
    changed = _with(pages, tmp_path, "<img src='nothing.png' alt='nothing'>")
    browser.show(changed, DESK)
    assert browser.fetched() == [changed.as_uri(), (tmp_path / "nothing.png").as_uri()]
    assert any("nothing.png" in line for line in browser.console())


def test_every_kind_of_fault_is_told() -> None:
    seen = Seen(["a"], ["b"], ["c"], ["d"], ["e"], 0, 0)
    assert seen.faults == [
        "outside: a",
        "cut: b",
        "parted: c",
        "covered: d",
        "drawing: e",
    ]


@pytest.mark.parametrize(
    ("wanted", "end"), [("", pytest.skip.Exception), ("required", pytest.fail.Exception)]
)
def test_without_a_browser_tests_are_skipped_or_fail_where_one_is_required(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wanted: str, end: type[BaseException]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv(WANTED, wanted)
    with pytest.raises(end, match="there is not the program chromium"), viewer():
        pass
