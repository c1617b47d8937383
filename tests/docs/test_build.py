"""The documentation site is built without a warning, and needs nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.no_cover

ROOT = Path(__file__).resolve().parent.parent.parent

# What a browser fetches by itself: tag -> attributes.
FETCHED = {
    "script": ("src",), "img": ("src", "srcset"), "iframe": ("src",), "embed": ("src",),
    "source": ("src", "srcset"), "video": ("src", "poster"), "audio": ("src",),
    "track": ("src",), "input": ("src",), "object": ("data",), "image": ("href", "xlink:href"),
    "use": ("href", "xlink:href"), "body": ("background",),
}  # fmt: skip
# Of a link in the head those that only say where the reader may go.
TOLD = {"next", "prev", "index", "search", "author", "license", "canonical"}
IN_STYLE = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


class Page(HTMLParser):
    """What a page fetches, where it leads, and the places in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.places: set[str] = set()
        self.in_style = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        for name in FETCHED.get(tag, ()):
            if name in given:
                parts = given[name].split(",") if name == "srcset" else [given[name]]
                self.fetched += [part.split()[0] for part in parts if part.strip()]
        if tag == "link" and "href" in given and not set(given.get("rel", "").split()) <= TOLD:
            self.fetched.append(given["href"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        self.fetched += in_style(given.get("style", ""))
        self.in_style = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self.in_style = False

    def handle_data(self, data: str) -> None:
        if self.in_style:
            self.fetched += in_style(data)


def in_style(text: str) -> list[str]:
    """What a style sheet fetches."""
    return [url or imported for url, imported in IN_STYLE.findall(text)]


def outside(url: str) -> bool:
    """Whether it is fetched from anywhere but the site."""
    parts = urlsplit(url)
    return bool(parts.netloc) or parts.scheme not in ("", "data")


def faults(site: Path) -> Iterator[str]:
    """Every resource from elsewhere, and every link of the site to nothing."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    for path, page in pages.items():
        name = path.relative_to(site)
        yield from (f"{name} fetches {url}" for url in page.fetched if outside(url))
        for url in (*page.fetched, *page.links):
            parts = urlsplit(url)
            if parts.scheme or parts.netloc:
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            if not target.is_file():
                yield f"{name} leads to {url}: no such file"
            elif parts.fragment and unquote(parts.fragment) not in _places(pages.get(target)):
                yield f"{name} leads to {url}: no such place"
    for path in site.rglob("*.css"):
        urls = in_style(path.read_text(encoding="utf-8"))
        yield from (f"{path.relative_to(site)} fetches {url}" for url in urls if outside(url))


def _places(page: Page | None) -> set[str]:
    return page.places if page else set()


def _python(*arguments: str) -> subprocess.CompletedProcess[str]:
    # By itself, as `make docs` does: it sets up logging and translation for a whole process.
    paths = os.pathsep.join(str(ROOT / name) for name in ("src", "docs"))
    return subprocess.run(
        [sys.executable, *arguments], env=os.environ | {"PYTHONPATH": paths},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.deep
def test_the_site_is_whole_and_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="the docs extra installs it")
    # One guide that plans, and one with facts of its own: the same code makes the others' pages.
    done = _python("-m", "sitebuild", str(tmp_path), "sun-1992", "sun-fire-2005")
    assert done.returncode == 0, done.stderr
    site = tmp_path / "html"
    assert list(faults(site)) == []
    built = {path.relative_to(site).with_suffix("") for path in site.rglob("*.html")}
    written = {path.relative_to(tmp_path / "pages").with_suffix("") for path in
               (tmp_path / "pages").rglob("*.md")}  # fmt: skip
    assert written < built
    assert {"index", "tutorials/quote", "errata"} <= {path.as_posix() for path in written}


@pytest.mark.deep
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[there](nowhere.md)", "nowhere.md"),
        ("[there](#nowhere)", "nowhere"),
        ("```{nothing}\n```", "nothing"),
    ],
)
def test_a_broken_page_fails(text: str, fault: str, tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="the docs extra installs it")
    done = _python(
        "-c",
        "import pathlib, sys; from sitebuild.build import site_of; "
        f"sys.exit(site_of([('index', {f'# Start{chr(10)}{chr(10)}{text}'!r})], "
        f"pathlib.Path({str(tmp_path)!r})))",
    )
    assert done.returncode != 0
    assert fault in done.stderr


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ('<script src="https://cdn.example/x.js"></script>', "cdn.example"),
        ('<script src="//cdn.example/x.js"></script>', "cdn.example"),
        ('<link rel="stylesheet" href="https://fonts.example/css">', "fonts.example"),
        ('<link rel="preconnect" href="https://fonts.example">', "fonts.example"),
        ('<img src="a.png" srcset="a.png 1x, http://img.example/b.png 2x">', "img.example"),
        ("<p style=\"background: url('http://img.example/b.png')\">", "img.example"),
        ("<style>@import 'http://css.example/a.css';</style>", "css.example"),
        ("<style>p { background: url(//img.example/b.png) }</style>", "img.example"),
        ('<a href="nowhere.html">', "no such file"),
        ('<a href="#nowhere">', "no such place"),
    ],
)
def test_what_a_page_fetches_is_found(page: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"")
    (tmp_path / "index.html").write_text(f"<html><body>{page}</body></html>", encoding="utf-8")
    (found,) = faults(tmp_path)
    assert fault in found


def test_the_wheel_does_not_carry_the_site() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    carried = [*wheel["packages"], *wheel["force-include"]]
    assert [name for name in carried if name.startswith("docs")] == ["docs/workload.md"]


def test_what_stays_inside_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("p { background: url(data:image/png;base64,AA==) }", "utf-8")
    (tmp_path / "index.html").write_text(
        '<link rel="stylesheet" href="a.css?v=1"><link rel="canonical" href="https://x.example/">'
        '<a href="https://x.example/">a source</a><h1 id="top"></h1>'
        '<a href="index.html#top">up</a>',
        encoding="utf-8",
    )
    assert list(faults(tmp_path)) == []
