"""A page of text, 80 columns wide: headings, wrapped sentences, tables, trees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sizewright.output.layout import GRID_GAP, INDENT, WIDTH
from sizewright.output.style import Style
from sizewright.output.wording import GLUE

# Put in by reports themselves: the space that does not break, and the lines of a header.
_LAYOUT = (GLUE, "\n")
# All but letters of the West, punctuation, signs of arithmetic, lines and blocks.
_NOT_PLAIN = re.compile("[^\0-\u02ff\u2010-\u2027\u2200-\u22ff\u2500-\u259f]")
_COLOURING = re.compile("\x1b\\[[0-9;]*m")


class Page:
    """Collects lines; everything is made to fit as it comes in."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self._lines: list[str] = []

    def heading(self, text: str) -> None:
        """A heading, set off by a blank line."""
        self.gap()
        self.say(text, strong=True)

    def part(self, text: str) -> None:
        """The heading of a part with headings of its own."""
        self.heading(text)
        self.say("=" * len(text), strong=True)

    def whole(self) -> None:
        """What comes now concerns all parts; their headings tell by themselves."""

    def gap(self) -> None:
        """A blank line, unless there is one already or the page is empty."""
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def say(
        self, text: str, depth: int = 0, hang: int = 0, verdict: str = "", strong: bool = False
    ) -> None:
        """A paragraph, indented by steps; its later lines by `hang` more."""
        first, later = " " * (INDENT * depth), " " * (INDENT * (depth + hang))
        for line in wrapped(self.style.finished(_safe(text)), first, later):
            if verdict:
                line = self.style.verdict(line, verdict)
            self._lines.append(self.style.strong(line) if strong else line)

    def table(
        self,
        headers: Sequence[str],
        rows: Iterable[Sequence[str]],
        right: Sequence[str] = (),
        flexible: Sequence[str] = (),
        depth: int = 1,
    ) -> None:
        """A grid without rules; `right` columns hold numbers, `flexible` ones wrap to fit."""
        cells = [[_safe(cell, self.style.colour) for cell in row] for row in rows]
        if not cells:
            return
        from tabulate import tabulate

        indent = " " * (INDENT * depth)
        widths = _fitted(headers, cells, flexible, WIDTH - len(indent))
        # Headers go in as a row: as headers they would widen every column by a padding.
        laid = [_folded(row, widths) for row in (headers, *cells)]
        text = tabulate(
            laid, tablefmt="plain", disable_numparse=True,
            colalign=["right" if h in right else "left" for h in headers],
        )  # fmt: skip
        self._lines.extend((indent + line).rstrip() for line in text.splitlines())

    def text(self) -> str:
        """The finished page, its last line ended."""
        return self.style.finished("\n".join(self._lines).replace(GLUE, " ") + "\n")


def wrapped(text: str, first: str = "", later: str = "") -> list[str]:
    """A paragraph in lines of at most 80 columns."""
    if _seen(first + text) <= WIDTH and "\n" not in text:
        return [(first + text).rstrip()]
    return _wrap(text, WIDTH, first, later) or [""]


def _wrap(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    """Lines of so many columns on a terminal, where some characters take two or none."""
    # Most texts fit as they are, and of the others most are of plain characters; only what is left
    # pays for the imports.
    if _is_plain(text):
        from textwrap import wrap
    else:
        from wcwidth import wrap
    return wrap(text, width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def _seen(text: str) -> int:
    """How many columns of a terminal a text takes; marks of colour take none."""
    bare = _COLOURING.sub("", text)
    if _is_plain(bare):
        return len(bare)
    from wcwidth import wcswidth

    return max(wcswidth(line) for line in bare.split("\n"))


def _is_plain(text: str) -> bool:
    """Whether each character takes one column."""
    return _NOT_PLAIN.search(text) is None


def _fitted(
    headers: Sequence[str], cells: Sequence[Sequence[str]], flexible: Sequence[str], room: int
) -> list[int]:
    """Widths of the columns: as wide as their content, the flexible ones cut until all fit."""
    widths = [
        max(*(_seen(line) for line in (*h.split("\n"), *(row[i] for row in cells))))
        for i, h in enumerate(headers)
    ]
    over = sum(widths) + GRID_GAP * (len(widths) - 1) - room
    if over <= 0:
        return widths
    soft = [i for i, h in enumerate(headers) if h in flexible]
    words = [max(_longest_word(row[i]) for row in cells) for i in range(len(headers))]
    over = _narrow(widths, words, soft, over)
    over = _narrow(widths, words, range(len(widths)), over)
    _narrow(widths, [1] * len(widths), range(len(widths)), over)
    return widths


def _narrow(widths: list[int], least: Sequence[int], which: Iterable[int], over: int) -> int:
    """Take from the widest columns what is too much, down to a least; what is still too much."""
    columns = list(which)
    while over > 0:
        open_ = [i for i in columns if widths[i] > least[i]]
        if not open_:
            break
        widths[max(open_, key=lambda i: widths[i])] -= 1
        over -= 1
    return over


def _longest_word(cell: str) -> int:
    return max(1, *map(_seen, cell.split(" ")))


def _folded(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    found = []
    for cell, width in zip(row, widths, strict=True):
        if _seen(cell) <= width or "\n" in cell:
            found.append(cell)
            continue
        found.append("\n".join(_wrap(cell, width)))
    return found


def _safe(text: str, coloured: bool = False) -> str:
    """Escape whatever could steer a terminal, but for colours where a page has them."""
    if text.isprintable():
        return text
    if coloured and _COLOURING.search(text):
        marks = [*_COLOURING.findall(text), ""]
        parts = (_safe(part) for part in _COLOURING.split(text))
        return "".join(part + mark for part, mark in zip(parts, marks, strict=True))
    return "".join(c if c.isprintable() or c in _LAYOUT else ascii(c)[1:-1] for c in text)
