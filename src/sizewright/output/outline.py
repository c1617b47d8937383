"""What a report says, kept as headings, paragraphs and tables instead of lines of text.

The functions that write a page of text fill it too, so that every form of a report says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from sizewright.output.page import Page
from sizewright.output.style import PLAIN

_ITEM = "- "


class Said(NamedTuple):
    """A paragraph with those that are set below it; an `item` is one of a list."""

    text: str
    verdict: str
    strong: bool
    item: bool
    below: tuple[Said, ...] = ()

    @property
    def kind(self) -> str:
        """What it is."""
        return "said"


class Grid(NamedTuple):
    """A table; `right` columns hold numbers."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[str, ...]

    @property
    def kind(self) -> str:
        """What it is."""
        return "grid"


class Block(Protocol):
    """What stands in a section beside paragraphs; a template tells it by its kind."""

    @property
    def kind(self) -> str:
        """Which of all."""
        ...


class Section(NamedTuple):
    """What stands under a heading; its title is empty where it is set apart without one."""

    title: str
    blocks: tuple[Said | Block, ...]


class Part(NamedTuple):
    """Sections under a heading of a higher rank; its title is empty where there is only one."""

    title: str
    sections: tuple[Section, ...]


class _Line(NamedTuple):
    depth: int
    said: Said


class Outline(Page):
    """A page that remembers what it was told."""

    def __init__(self) -> None:
        super().__init__(PLAIN)
        self._parts: list[tuple[str, list[tuple[str, list[_Line | Block]]]]] = [("", [("", [])])]
        self._apart = False

    def heading(self, text: str) -> None:
        """Begin a section."""
        self._parts[-1][1].append((text, []))
        self._apart = False

    def part(self, text: str) -> None:
        """Begin a part with sections of its own."""
        self._parts.append((text, [("", [])]))

    def whole(self) -> None:
        """Begin what concerns all parts."""
        self.part("")

    def gap(self) -> None:
        """What is said next is not set under the heading before, unless it is indented."""
        self._apart = True

    def put(self, block: Block) -> None:
        """Something that only this form of a report has."""
        self._open().append(block)

    def say(
        self, text: str, depth: int = 0, hang: int = 0, verdict: str = "", strong: bool = False
    ) -> None:
        """A paragraph, below the last one that is less deep."""
        if self._apart and not depth:
            self.heading("")
        self._apart = False
        item = text.startswith(_ITEM)
        said = Said(text.removeprefix(_ITEM), verdict, strong, item)
        self._open().append(_Line(depth, said))

    def table(
        self,
        headers: Sequence[str],
        rows: Iterable[Sequence[str]],
        right: Sequence[str] = (),
        flexible: Sequence[str] = (),
        depth: int = 1,
    ) -> None:
        """A table with all its rows; nothing where there are none."""
        cells = tuple(tuple(row) for row in rows)
        if cells:
            self._open().append(Grid(tuple(headers), cells, tuple(right)))

    def parts(self) -> tuple[Part, ...]:
        """All that was said, by headings; a section that says nothing is left out."""
        return tuple(
            Part(name, tuple(
                Section(title, tuple(_nested(lines))) for title, lines in sections if lines
            ))
            for name, sections in self._parts if any(lines for _, lines in sections)
        )  # fmt: skip

    def _open(self) -> list[_Line | Block]:
        return self._parts[-1][1][-1][1]


def _nested(lines: Sequence[_Line | Block]) -> list[Said | Block]:
    """Paragraphs in the order they were said, deeper ones below those before them."""
    found: list[Said | Block] = []
    position = 0
    while position < len(lines):
        line = lines[position]
        position += 1
        if not isinstance(line, _Line):
            found.append(line)
            continue
        end = position
        while end < len(lines) and _is_below(lines[end], line.depth):
            end += 1
        below = _nested(lines[position:end])
        found.append(line.said._replace(below=tuple(b for b in below if isinstance(b, Said))))
        position = end
    return found


def _is_below(line: _Line | Block, depth: int) -> bool:
    return isinstance(line, _Line) and line.depth > depth
