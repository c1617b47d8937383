"""A report as a document of headings, paragraphs and tables; text, Markdown and HTML render it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from sizewright.errors import Location, did_you_mean, join_or, refusal, shown

_ITEM = "- "
_NUMBERS = ">"


class VerdictCell(str):
    """The text of a cell, with the verdict that colours it."""

    __slots__ = ("verdict",)
    verdict: str

    def __new__(cls, text: str, verdict: str) -> VerdictCell:
        """Make a cell that reads as its text."""
        cell = super().__new__(cls, text)
        cell.verdict = verdict
        return cell


class Heading(NamedTuple):
    """The heading of a section, or of a part with sections of its own."""

    text: str
    is_part: bool


class Gap(NamedTuple):
    """A blank line, after which a paragraph without indent begins a section without a heading."""


class Paragraph(NamedTuple):
    """A paragraph, indented by `depth` steps; its later lines by `hang` more.

    Deeper paragraphs belong to those before them; `below` has them after nesting.
    """

    text: str
    depth: int = 0
    hang: int = 0
    verdict: str = ""
    strong: bool = False
    below: tuple[Paragraph, ...] = ()

    @property
    def is_item(self) -> bool:
        """Return whether it is an item of a list."""
        return self.text.startswith(_ITEM)

    @property
    def words(self) -> str:
        """Return its text without the mark of an item."""
        return self.text.removeprefix(_ITEM)


class Table(NamedTuple):
    """A table; its `right` columns have numbers."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[str, ...] = ()
    depth: int = 1

    @property
    def table(self) -> Table:
        """Return the table itself, as blocks do that may be drawn as well."""
        return self


def make_table(
    columns: str | Sequence[str], rows: Iterable[Sequence[str]], depth: int = 1
) -> Table:
    """Return a table with columns in one text, as `part | >qty`, or one by one.

    A column has numbers if its header begins with `>`.
    """
    marked = columns.split(" | ") if isinstance(columns, str) else columns
    right = tuple(header[1:] for header in marked if header.startswith(_NUMBERS))
    headers = tuple(header.removeprefix(_NUMBERS) for header in marked)
    return Table(headers, tuple(map(tuple, rows)), right, depth)


class Block(Protocol):
    """A block that some formats draw; the others render it as a table."""

    @property
    def table(self) -> Table:
        """Return it as a table."""


class Section(NamedTuple):
    """The content under a heading; its title is empty if it is set apart without one."""

    title: str
    blocks: tuple[Paragraph | Block, ...]


class Part(NamedTuple):
    """Sections under a heading of a higher rank; its title is empty if there is none."""

    title: str
    sections: tuple[Section, ...]


class Document:
    """Collects the blocks of a report, in their order; its title is set apart, if it has one."""

    def __init__(self, title: str = "") -> None:
        self.blocks: list[Heading | Gap | Paragraph | Block] = []
        if title:
            self.say(title, strong=True)
            self.gap()

    def heading(self, text: str) -> None:
        """Begin a section."""
        self.blocks.append(Heading(text, is_part=False))

    def part(self, text: str) -> None:
        """Begin a part with sections of its own."""
        self.blocks.append(Heading(text, is_part=True))

    def gap(self) -> None:
        """Set what comes next apart."""
        self.blocks.append(Gap())

    def say(
        self, text: str, depth: int = 0, hang: int = 0, verdict: str = "", strong: bool = False
    ) -> None:
        """Add a paragraph."""
        self.blocks.append(Paragraph(text, depth, hang, verdict, strong))

    def set_apart(self, text: str, verdict: str = "") -> None:
        """Add a paragraph that is set apart from what is above it."""
        self.gap()
        self.say(text, verdict=verdict)

    def note(self, text: str, verdict: str = "") -> None:
        """Add a paragraph below a heading."""
        self.say(text, depth=1, verdict=verdict)

    def item(self, text: str, depth: int = 1, verdict: str = "") -> None:
        """Add a paragraph below a heading or another one, whose later lines hang."""
        self.say(text, depth, hang=1, verdict=verdict)

    def table(
        self, columns: str | Sequence[str], rows: Iterable[Sequence[str]], depth: int = 1
    ) -> None:
        """Add a table, with its columns as `make_table` takes them; nothing if it has no rows."""
        found = make_table(columns, rows, depth)
        if found.rows:
            self.put(found)

    def put(self, block: Block) -> None:
        """Add a block that some formats draw."""
        self.blocks.append(block)

    def only(self, names: Sequence[str]) -> Document:
        """Return the sections whose titles begin with these names; of several parts, in each.

        Raises InputError for a name with which no section begins.
        """
        found, is_wanted, titles, part = Document(), False, dict[str, str](), list[Heading]()
        several = sum(isinstance(block, Heading) and block.is_part for block in self.blocks) > 1
        for block in self.blocks:
            if isinstance(block, Heading):
                title = block.text.casefold()
                is_wanted = any(title.startswith(name.casefold()) for name in names)
                if block.is_part:
                    part = [block] if several else []
                    continue
                titles[title] = block.text.partition(" (")[0]
            if is_wanted:
                # A part without any of these sections is left out with its title.
                found.blocks += [*part, block]
                part = []
        for name in names:
            if not any(title.startswith(name.casefold()) for title in titles):
                known = tuple(titles.values())
                what, hint = f"no section is called {shown(name)}", did_you_mean(name, known)
                raise refusal(Location("--section"), what, f"one of {join_or(known)}", hint)
        return found

    def parts(self) -> tuple[Part, ...]:
        """Return the content by headings, deeper paragraphs below those before them.

        Sections without content are left out.
        """
        parts: list[tuple[str, list[tuple[str, list[Paragraph | Block]]]]] = [("", [("", [])])]
        is_apart = False
        for block in self.blocks:
            sections = parts[-1][1]
            if isinstance(block, Gap):
                is_apart = True
            elif not isinstance(block, Heading):
                if is_apart and isinstance(block, Paragraph):
                    is_apart = False
                    if not block.depth:
                        sections.append(("", []))
                sections[-1][1].append(block)
            elif block.is_part:
                parts.append((block.text, [("", [])]))
            else:
                sections.append((block.text, []))
                is_apart = False
        return tuple(
            Part(name, tuple(Section(title, _nested(lines)) for title, lines in sections if lines))
            for name, sections in parts
            if any(lines for _, lines in sections)
        )


def _nested(blocks: Sequence[Paragraph | Block]) -> tuple[Paragraph | Block, ...]:
    """Return paragraphs with the deeper ones that follow them below them; tables as they are."""
    found: list[Paragraph | Block] = []
    position = 0
    while position < len(blocks):
        block = blocks[position]
        position += 1
        if isinstance(block, Paragraph):
            end = position
            while end < len(blocks) and isinstance(below := blocks[end], Paragraph):
                if below.depth <= block.depth:
                    break
                end += 1
            inner = _nested(blocks[position:end])
            block = block._replace(below=tuple(b for b in inner if isinstance(b, Paragraph)))
            position = end
        found.append(block)
    return tuple(found)
