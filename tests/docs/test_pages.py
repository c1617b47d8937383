"""Pages that are written by hand come to the site as they stand, but for what it cannot lead to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plain_terms import avoided_terms
from sitebuild.pages import DOCS, MENU, ready_page, written_pages

GUIDES = ("one-1990", "two-1991")
PAGES = dict(written_pages(GUIDES))
# Made from tables, or kept as it was written.
_OTHERS = ("CHANGELOG.md", "errata.md", "json.md")
PROSE = [p for p in (*DOCS.parent.glob("*.md"), *DOCS.rglob("*.md")) if p.name not in _OTHERS]
BLOCK_OR_CODE = re.compile(r"^```.*?^```$|`[^`]*`", re.M | re.S)


def test_every_page_is_in_the_menu() -> None:
    listed = {page for pages in MENU.values() for page in pages}
    assert set(PAGES) - {"index"} <= listed
    assert all(f"\n{page}\n" in PAGES["index"] for page in listed)


def test_every_guide_is_in_the_menu() -> None:
    for guide in GUIDES:
        for kind in ("tables", "rules"):
            assert f"\nreference/{guide}/{kind}\n" in PAGES["index"]


@pytest.mark.parametrize(
    ("text", "ready"),
    [
        ("see [here](check.md) and [there](json.md#a)", None),
        ("see [elsewhere](https://x.example/) and [below](#below)", None),
        ("in ([load/nfs.py](../src/sizewright/load/nfs.py))", "in (`load/nfs.py`)"),
        ("in [`nfs`](../src/sizewright/load/nfs.py#L1)", "in `nfs`"),
        (
            '```yaml title="a/b.yaml"\nname: a\n```',
            "```{code-block} yaml\n:caption: a/b.yaml\n\nname: a\n```",
        ),
        ("```yaml\nname: a\n```", None),
    ],
)
def test_links_to_files_that_are_no_pages_become_their_text(text: str, ready: str | None) -> None:
    assert ready_page(DOCS / "index.md", text) == (text if ready is None else ready)


def test_no_page_leads_out_of_the_site() -> None:
    for name, text in PAGES.items():
        assert "](../src/" not in text, name


def test_no_console_block_is_wider_than_a_page() -> None:
    for path in DOCS.rglob("*.md"):
        in_block = False
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("```"):
                in_block = line == "```console"
            elif in_block and not line.startswith("$ "):
                assert len(line) <= 80, f"{Path(path).name}: {line}"


def test_the_first_hour_names_what_is_in_the_code() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    walks = page.partition("\n## Your first hour\n")[2].partition("\n## ")[0].split("\n### ")[1:]
    assert len(walks) == len(("a rate", "a table cell", "a rule"))
    for walk in walks:
        steps = re.findall(r"^\| `([^`]+)` \| ([^|]+) \| [^|]+ \|$", walk, re.M)
        assert 0 < len(steps) <= 12
        for path, names in steps:
            folder = DOCS.parent / ("" if path.endswith(".yaml") else "src/sizewright")
            text = (folder / path).read_text(encoding="utf-8")
            for name in re.findall(r"`(\w+)`", names):
                assert re.search(rf"^\s*(?:def |class )?{name}\b", text, re.M), f"{path}: {name}"


@pytest.mark.parametrize("path", PROSE, ids=lambda path: path.stem)
def test_pages_use_the_terms_of_the_field(path: Path) -> None:
    prose = BLOCK_OR_CODE.sub("", path.read_text(encoding="utf-8"))
    assert avoided_terms(prose) == []
