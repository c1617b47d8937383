"""Colours of a page and its drawings, and the letters in a drawing, folded into its room."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sizewright.errors import printable
from sizewright.output.layout import (
    BOLD,
    BOLD_WIDER,
    BROAD,
    BROAD_LETTERS,
    CAPITAL,
    CAPITAL_LETTERS,
    HOT,
    LEADING,
    LINES_AT_MOST,
    NARROW,
    NARROW_LETTERS,
    SIZES,
    USUAL,
    WARM,
)
from sizewright.output.wording import GLUE


class Tone(NamedTuple):
    """A colour in a light surrounding and in a dark one."""

    light: str
    dark: str


# Each level of use is darker than the one before where it is light, and brighter where it is dark.
TONES: Mapping[str, Tone] = {
    "paper": Tone("#ffffff", "#14181d"),
    "panel": Tone("#f5f7f9", "#1c2229"),
    "ink": Tone("#15191d", "#eef2f5"),
    "faint": Tone("#4d5760", "#b4bec7"),
    "edge": Tone("#7c8791", "#7b8792"),
    "rule": Tone("#d5dbe0", "#38424c"),
    "link": Tone("#0b57a4", "#8cc2f7"),
    "none": Tone("#ffffff", "#171c22"),
    "calm": Tone("#e3eefa", "#1a3049"),
    "warm": Tone("#bcd7f2", "#224a73"),
    "hot": Tone("#f6cf86", "#6f4a06"),
    "full": Tone("#f3bd5a", "#7f5406"),
    "over": Tone("#f0a35e", "#8f3d05"),
    "gauge": Tone("#1d5f9e", "#7cb8ee"),
    "alarm": Tone("#9a2c00", "#ffb38a"),
    "good": Tone("#176437", "#7fd6a2"),
    "doubt": Tone("#7a4b00", "#f3c46b"),
    "strip-0": Tone("#1d5f9e", "#7cb8ee"),
    "strip-1": Tone("#e8b04a", "#c98a16"),
    "strip-2": Tone("#2f7f5f", "#7fd6a2"),
    "strip-3": Tone("#c9622a", "#f09a63"),
    "strip-4": Tone("#7a5aa6", "#c3a9ea"),
    "strip-5": Tone("#8f9aa3", "#9aa7b2"),
}
STRIPS = tuple(name for name in TONES if name.startswith("strip-"))

LEVELS: Mapping[str, str] = {
    "calm": f"less than {WARM:.0%} of its limit",
    "warm": f"{WARM:.0%} to {HOT:.0%}",
    "hot": f"{HOT:.0%} up to its limit",
    "full": "at its limit: hatched",
    "over": "over its limit: hatched, thick border",
    "none": "not calculated",
}


def level(share: float | None) -> str:
    """The tone of a part that is so full against its limit."""
    if share is None:
        return "none"
    if share >= 1:
        return "over" if share > 1 else "full"
    return "hot" if share >= HOT else "warm" if share >= WARM else "calm"


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


def fold(text: str, style: str, room: float) -> tuple[str, ...]:
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
    if len(lines) <= LINES_AT_MOST:
        return tuple(lines)
    last = lines[LINES_AT_MOST - 1]
    while last and width(last + MORE, style) > room:
        last = last[:-1]
    return (*lines[: LINES_AT_MOST - 1], last.rstrip() + MORE)


def _pieces(word: str, style: str, room: float) -> Iterator[str]:
    """A word whole where it fits a line, else in pieces that do."""
    if width(word, style) <= room:
        yield word
        return
    for part in _PARTS.findall(word):
        rest = part
        while rest:
            # One letter at least, so that there is an end.
            length = len(rest)
            while length > 1 and width(rest[:length], style) > room:
                length -= 1
            yield rest[:length]
            rest = rest[length:]


_SPACES = str.maketrans({"\n": " ", "\r": " ", "\t": " "})


def visible(text: str) -> str:
    """The text without characters that steer a reader's program or that XML forbids."""
    return GLUE.join(map(printable, text.translate(_SPACES).split(GLUE)))
