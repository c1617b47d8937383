"""Text that a page can hold: what cannot be seen is written out, marks of layout become spaces."""

from __future__ import annotations

from sizewright.report.numbers import GLUE

_SPACES = str.maketrans({"\n": " ", "\r": " ", "\t": " "})


def visible(text: str) -> str:
    """The text without characters that steer a reader's program or that XML forbids."""
    spaced = text.translate(_SPACES)
    if spaced.isprintable():
        return spaced
    return "".join(c if c.isprintable() or c == GLUE else ascii(c)[1:-1] for c in spaced)
