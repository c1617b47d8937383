"""The pages that are written by hand, made ready for the site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sitebuild.markdown import toctree

DOCS = Path(__file__).resolve().parent.parent
CHANGES = DOCS.parent / "CHANGELOG.md"

# What the menu shows, from top to bottom.
MENU = {
    "Tutorials": ("tutorials/quote", "tutorials/box", "tutorials/ci"),
    "How to": ("how-to/disk", "how-to/prices", "how-to/rule", "how-to/guides", "adding-a-guide"),
    "Files": ("workload", "check", "json"),
    "Reference": (
        "reference/index", "reference/commands", "reference/exit-codes", "reference/schemas",
        "reference/facts", "reference/contract",
    ),
    "Method": ("method", "errata"),
    "The program": ("architecture", "mutation", "changelog"),
}  # fmt: skip

_LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")
_TITLED = re.compile(r'^```(\w+) title="([^"]+)"$', re.M)


def written_pages(guides: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Every page by its path without the ending; the first page also holds the menu."""
    for path in sorted(DOCS.rglob("*.md")):
        name = path.relative_to(DOCS).with_suffix("").as_posix()
        text = ready_page(path, path.read_text(encoding="utf-8"))
        yield name, f"{text}\n{_menu(guides)}" if name == "index" else text
    yield "changelog", ready_page(CHANGES, CHANGES.read_text(encoding="utf-8"))


def _menu(guides: tuple[str, ...]) -> str:
    own = tuple(f"reference/{guide}/{kind}" for guide in guides for kind in ("tables", "rules"))
    return "\n".join(
        toctree(pages + own * (caption == "Reference"), caption) for caption, pages in MENU.items()
    )


def ready_page(path: Path, text: str) -> str:
    """A page as the site has it: files with their names above them, links only within it."""
    titled = _TITLED.sub(r"```{code-block} \1\n:caption: \2\n", text)
    return _LINK.sub(lambda found: _link(path, found), titled)


def _link(path: Path, found: re.Match[str]) -> str:
    """A link as it is, or where it leads to a file that is no page of the site, its text."""
    text, target = found[1], found[2]
    inside = (path.parent / target).resolve().is_relative_to(DOCS)
    if "://" in target or inside or target.startswith("mailto:"):
        return found[0]
    return text if text.startswith("`") else f"`{text}`"
