"""Widths and places on a page and in a drawing, and its letters; no number of any method."""

from __future__ import annotations

import re
from collections.abc import Iterator

WIDTH = 80
INDENT = 2
SCREEN_LINES = 24
BAR = 10
SHORT_BAR = 5
ACRONYM_AT_MOST = 3
YEARS_TOLD = 10
CELL_AT_MOST = 24
GRID_GAP = 2
NAMES_LISTED = 3
SERVICES_TOLD = 8
PARTS_TOLD = 4
ROUNDED_TO = 9
FINDINGS_TOLD = 5
HEADROOM_TOLD = 5
# Of room for parts and data the fullest are on the first screen only from this share on.
NEARLY_FULL = 0.9
FULL_TOLD = 2
ASSUMED_TOLD = 8
OMISSIONS_TOLD = 3
REASONS_TOLD = 2
MISSING_TOLD = 5
FLIPS_TOLD = 12
FIGURES_TOLD = 8
CAUSES_TOLD = 6
DIGEST_TOLD = 12
FACTOR_SHOWN = 1000


# Widths of a whole drawing: on a desk, on a telephone, and on paper, scaled to the page.
WIDE = 1120
SLIM = 340
PAPER = 880
# By how much a group whose border is left out reaches beyond what is seen of it.
BEYOND = 8

# Widths of single boxes.
BOARD = 176
DEVICE = 172
CLIENTS = 150
FREE = 96
LEAST_GROUP = 206

# Space inside a box, between boxes, and for the wire from a board to what is attached to it.
PAD = 10
GAP = 10
WIRE = 26
WIRE_DOWN = 16
GAUGE = 8
GAUGE_BELOW = 6
LEGEND = 137
SYSTEM_GAP = 24
MARGIN = 2

# Sizes of letters, and the step from line to line.
SIZES = {"head": 16, "group": 13, "name": 13, "mark": 11, "note": 12, "share": 12}
LEADING = 1.35
BOLD_WIDER = 1.1
BOLD = ("head", "group", "name")
ASCENT = 0.95
LINES_AT_MOST = 4

# Widths of letters in shares of their size, as the widest of the usual fonts has them.
NARROW = 0.42
USUAL = 0.65
CAPITAL = 0.8
BROAD = 1.02
NARROW_LETTERS = "fijlrtI .,:;'`|!()[]\"/\\-–·"
CAPITAL_LETTERS = "ABCDEFGHJKLNOPQRSTUVXYZ#+<>=~×~$?"
BROAD_LETTERS = "mwMW@%&…—"

# From which share of its limit on a part is warm, hot, or over.
WARM = 0.5
HOT = 0.8

# From which share of a strip a number is written into it.
LABELLED_FROM = 0.05

# Arithmetic of more lines than a page of paper holds is shown there without its last steps.
PAGE_LINES = 70

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
