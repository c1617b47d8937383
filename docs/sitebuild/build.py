"""Puts all pages into one folder and has Sphinx make the site of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from sphinx.cmd.build import build_main

from sitebuild.commands import commands_page, exits_page
from sitebuild.facts import facts_page
from sitebuild.pages import written_pages
from sitebuild.rules import rule_pages
from sitebuild.schemas import schema_pages
from sitebuild.tables import contract_page, table_pages
from sizewright.api import load_engine
from sizewright.guide.loader import guide_ids

_SETTINGS = Path(__file__).resolve().parent / "sphinx"


def build(folder: Path, guides: tuple[str, ...] = ()) -> int:
    """Write every page into `folder`/pages and the site into `folder`/html; Sphinx's exit code."""
    return site_of(all_pages(guides or guide_ids()), folder)


def site_of(texts: Iterable[tuple[str, str]], folder: Path) -> int:
    """The same of some pages. Whatever Sphinx warns of, such as a broken link, fails."""
    pages, site = folder / "pages", folder / "html"
    for old in (pages, site):
        shutil.rmtree(old, ignore_errors=True)
    for name, text in texts:
        path = pages / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return build_main(
        ["-b", "html", "-W", "--keep-going", "-n", "-q", "-E", "-c", str(_SETTINGS),
         "-d", str(folder / "doctrees"), str(pages), str(site)]
    )  # fmt: skip


def all_pages(guides: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Every page of a site with these guides, by its path without the ending."""
    yield from written_pages(guides)
    yield "reference/commands", commands_page()
    yield "reference/exit-codes", exits_page()
    yield "reference/facts", facts_page()
    yield "reference/contract", contract_page()
    for name, text in schema_pages():
        yield f"reference/{name}", text
    for guide in guides:
        engine = load_engine(guide)
        for pages in (table_pages(engine.guide), rule_pages(engine.guide, engine.rule_set)):
            for name, text in pages:
                yield f"reference/{guide}/{name}", text
