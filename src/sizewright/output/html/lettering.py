"""Text in a drawing: made visible, measured, and folded into a room."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sizewright.errors import printable
from sizewright.output.html.layout import (
    BOLD,
    BOLD_WIDER,
    BROAD,
    BROAD_LETTERS,
    CAPITAL,
    CAPITAL_LETTERS,
    LEADING,
    LINES_AT_MOST,
    NARROW,
    NARROW_LETTERS,
    SIZES,
    USUAL,
)
from sizewright.output.wording import GLUE

MORE = "…"
_LAST_PLAIN = "\u02ff"
# A long word may be parted after these.
_PARTS = re.compile(r"[^-/,_.]*[-/,_.]+|[^-/,_.]+")


def width(text: str, style: str) -> float:
    """The pixels that a text takes at most."""
    wider = BOLD_WIDER if style in BOLD else 1
    return sum(map(_letter, text)) * SIZES[style] * wider


def step(style: str) -> float:
    """The height of a line."""
    return SIZES[style] * LEADING


def _letter(letter: str) -> float:
    for width_of, letters in (
        (NARROW, NARROW_LETTERS), (CAPITAL, CAPITAL_LETTERS), (BROAD, BROAD_LETTERS),
    ):  # fmt: skip
        if letter in letters:
            return width_of
    return USUAL if letter <= _LAST_PLAIN else BROAD


def fold(text: str, style: str, room: float, at_most: int = LINES_AT_MOST) -> tuple[str, ...]:
    """A text in lines that fit the room; what is left out after the last is marked so."""
    lines = [""]
    for word in text.split(" "):
        glue = " "
        for piece in _pieces(word, style, room):
            joined = f"{lines[-1]}{glue}{piece}" if lines[-1] else piece
            if width(joined, style) <= room or not lines[-1]:
                lines[-1] = joined
            else:
                lines.append(piece)
            glue = ""
    if len(lines) <= at_most:
        return tuple(lines)
    return (*lines[: at_most - 1], _cut(lines[at_most - 1], style, room))


def _pieces(word: str, style: str, room: float) -> Iterator[str]:
    """A word whole where it fits a line, else in pieces that do."""
    if width(word, style) <= room:
        yield word
        return
    for part in _PARTS.findall(word):
        rest = part
        while rest:
            length = _fitting(rest, style, room)
            yield rest[:length]
            rest = rest[length:]


def _fitting(text: str, style: str, room: float) -> int:
    """How many letters fit; one at least, so that there is an end."""
    length = len(text)
    while length > 1 and width(text[:length], style) > room:
        length -= 1
    return length


def _cut(text: str, style: str, room: float) -> str:
    while text and width(text + MORE, style) > room:
        text = text[:-1]
    return text.rstrip() + MORE


_SPACES = str.maketrans({"\n": " ", "\r": " ", "\t": " "})


def visible(text: str) -> str:
    """The text without characters that steer a reader's program or that XML forbids."""
    return GLUE.join(map(printable, text.translate(_SPACES).split(GLUE)))
