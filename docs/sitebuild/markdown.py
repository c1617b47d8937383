"""Pieces of Markdown that any text can be put into."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_QUOTED = re.compile(r"`([^`]+)`")
_SPECIAL = re.compile(r"([\\`*_\[\]<>|{}#~])")


def plain(text: str) -> str:
    """A text that is shown as it is, on one line; what it quotes in backticks is code."""
    parts = _QUOTED.split(" ".join(text.split()))
    return "".join(
        code(part) if number % 2 else _SPECIAL.sub(r"\\\1", part)
        for number, part in enumerate(parts)
    )


def code(text: str) -> str:
    """A text in the type of code, on one line; empty where there is none."""
    joined = " ".join(text.split()).replace("|", r"\|")
    return f"`{joined}`" if joined else ""


def block(language: str, text: str) -> str:
    """Lines kept as they are."""
    return f"```{language}\n{text.rstrip()}\n```\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def slug(heading: str) -> str:
    """The anchor that a heading gets, as on other sites that show Markdown."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def toctree(pages: Iterable[str], caption: str = "", hidden: bool = True) -> str:
    """The pages below a page, for the site's own menu."""
    options = [":hidden:"] * hidden + [f":caption: {caption}"] * bool(caption)
    return "\n".join(("```{toctree}", *options, "", *pages, "```", ""))
