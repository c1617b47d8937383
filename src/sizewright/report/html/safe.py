"""Text that a page can hold: what cannot be seen is written out, marks of layout become spaces."""

from __future__ import annotations

from sizewright.errors import printable
from sizewright.report.numbers import GLUE

_SPACES = str.maketrans({"\n": " ", "\r": " ", "\t": " "})


def visible(text: str) -> str:
    """The text without characters that steer a reader's program or that XML forbids."""
    return GLUE.join(map(printable, text.translate(_SPACES).split(GLUE)))
