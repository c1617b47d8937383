"""Colours of a page and its drawings, light and dark; they differ in brightness too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sizewright.output.html.layout import HOT, WARM


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
# The tones that words are written on, and the one they are written in.
GROUNDS = ("paper", "panel", "none", "calm", "warm", "hot", "full", "over")
LETTER = "ink"
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
