"""What a page may use: colour or not, all of Unicode or only what every terminal shows."""

from __future__ import annotations

from typing import NamedTuple

import click

_COLOURS = {
    "holds": "green", "tight": "yellow", "violated": "red", "unknown": "magenta",
    "waived": "cyan",
}  # fmt: skip
_ASCII = str.maketrans(
    {"–": "-", "−": "-", "×": "x", "÷": "/", "…": "...", "█": "#", "░": ".", "→": "->", "·": "-"}
)


class Style(NamedTuple):
    """How a page is finished."""

    colour: bool
    unicode: bool

    def strong(self, text: str) -> str:
        """A heading."""
        return click.style(text, bold=True) if self.colour else text

    def verdict(self, text: str, verdict: str) -> str:
        """Text in the colour of a verdict."""
        colour = _COLOURS.get(verdict)
        return click.style(text, fg=colour) if self.colour and colour else text

    def finished(self, text: str) -> str:
        """The text in characters that can be shown."""
        return text if self.unicode else text.translate(_ASCII)


PLAIN = Style(colour=False, unicode=True)
