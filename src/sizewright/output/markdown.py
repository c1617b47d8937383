"""Markdown that means what it says: names escaped, tables that no cell can break."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from sizewright.errors import printable
from sizewright.output.wording import GLUE

# Marks of emphasis, code, links, tables, HTML, entities, mentions and formulas; what makes a link
# of a bare address; and what makes a list or a line of what begins with it.
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&@$]|:(?=//)|(?<=\bwww)\.|^[-+=])", re.IGNORECASE)
_NUMBERED = re.compile(r"^(\d+)([.)])(?= |$)")


def escaped(text: str) -> str:
    """Text that means nothing in Markdown, and steers no terminal."""
    shown = printable(text.replace(GLUE, " ")).strip(" ")
    return _NUMBERED.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", shown))


def table(
    headers: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[str] = ()
) -> Iterator[str]:
    """The lines of a table and a blank one; `right` columns hold numbers."""
    yield f"| {' | '.join(map(escaped, headers))} |"
    yield f"|{'|'.join('---:' if header in right else '---' for header in headers)}|"
    for row in rows:
        yield f"| {' | '.join(map(escaped, row))} |"
    yield ""
