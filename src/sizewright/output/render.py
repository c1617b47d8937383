"""A document as text for a terminal, 80 columns wide, and as Markdown for tickets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click

from sizewright.errors import printable
from sizewright.output.document import (
    Block,
    Document,
    Gap,
    Heading,
    Paragraph,
    Section,
    Table,
    VerdictCell,
)
from sizewright.output.layout import GRID_GAP, INDENT, WIDTH
from sizewright.output.wording import CODE, GLUE

# Put in by reports themselves: the space that does not break, and the lines of a header.
_LAYOUT = (GLUE, "\n")
# All but letters of the West, punctuation, signs of arithmetic, lines and blocks.
_NOT_PLAIN = re.compile("[^\0-\u02ff\u2010-\u2027\u2200-\u22ff\u2500-\u259f]")

_COLOURS = {
    "holds": "green", "tight": "yellow", "violated": "red", "unknown": "magenta",
    "waived": "cyan",
}  # fmt: skip
_ASCII = str.maketrans(
    {"–": "-", "−": "-", "×": "x", "÷": "/", "…": "...", "█": "#", "░": ".", "→": "->", "·": "-"}
)


class Style(NamedTuple):
    """What a terminal shows: colour or not, all of Unicode or only ASCII."""

    colour: bool
    unicode: bool

    def strong(self, text: str) -> str:
        """Return a heading."""
        return click.style(text, bold=True) if self.colour else text

    def verdict(self, text: str, verdict: str) -> str:
        """Return a text in the colour of a verdict."""
        colour = _COLOURS.get(verdict)
        return click.style(text, fg=colour) if self.colour and colour else text

    def finished(self, text: str) -> str:
        """Return a text in characters that can be shown."""
        return text if self.unicode else text.translate(_ASCII)


PLAIN = Style(colour=False, unicode=True)


def render_text(document: Document, style: Style = PLAIN) -> str:
    """Return a document as text, 80 columns wide, that ends with a line break."""
    lines: list[str] = []
    for block in document.blocks:
        if isinstance(block, Paragraph):
            lines += _paragraph(block, style)
        elif isinstance(block, Gap):
            _end_block(lines)
        elif not isinstance(block, Heading):
            lines += _table(block.table, style)
        else:
            _end_block(lines)
            lines += _paragraph(Paragraph(block.text, strong=True), style)
            if block.is_part:
                lines += _paragraph(Paragraph("=" * len(block.text), strong=True), style)
    text = "\n".join(lines).replace(GLUE, " ").replace(CODE, "`")
    return style.finished(text + "\n")


def _end_block(lines: list[str]) -> None:
    """Add a blank line, unless there is one already or there is no line yet."""
    if lines and lines[-1]:
        lines.append("")


def _paragraph(block: Paragraph, style: Style) -> Iterator[str]:
    first, later = (" " * (INDENT * steps) for steps in (block.depth, block.depth + block.hang))
    text = style.finished(_safe(block.text))
    fits = _seen(first + text) <= WIDTH and "\n" not in text
    lines = [(first + text).rstrip()] if fits else _wrap(text, WIDTH, first, later) or [""]
    for line in lines:
        coloured = style.verdict(line, block.verdict)
        yield style.strong(coloured) if block.strong else coloured


def _table(table: Table, style: Style) -> Iterator[str]:
    """A grid without lines; verdicts are coloured once it is laid out."""
    from tabulate import tabulate

    indent = " " * (INDENT * table.depth)
    cells = [tuple(map(_safe, row)) for row in table.rows]
    widths = _fitted(table.headers, cells, WIDTH - len(indent))
    laid = [_folded(row, widths) for row in cells]
    for row, folded in zip(table.rows, laid, strict=True):
        for number, cell in enumerate(row):
            if isinstance(cell, VerdictCell):
                lines = folded[number].split("\n")
                folded[number] = "\n".join(style.verdict(line, cell.verdict) for line in lines)
    # Headers go in as a row: as headers they would widen every column by a padding.
    text = tabulate(
        [_folded(table.headers, widths), *laid], tablefmt="plain", disable_numparse=True,
        colalign=["right" if header in table.right else "left" for header in table.headers],
    )  # fmt: skip
    yield from ((indent + line).rstrip() for line in text.splitlines())


def _wrap(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    """Return lines of at most `width` columns of a terminal; a character may take two or none."""
    # Most texts fit as they are, and of the others most are of plain characters; only what is left
    # pays for the imports.
    if _is_plain(text):
        from textwrap import wrap
    else:
        from wcwidth import wrap
    return wrap(text, width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def _seen(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if _is_plain(text):
        return len(text)
    from wcwidth import wcswidth

    # A mark that begins a text is shown with the space before it, and may widen that.
    return max(wcswidth(f" {line}") for line in text.split("\n")) - 1


def _is_plain(text: str) -> bool:
    return _NOT_PLAIN.search(text) is None


def _fitted(headers: Sequence[str], cells: Sequence[Sequence[str]], room: int) -> list[int]:
    """Widths of the columns: as wide as their content, the widest cut until all fit."""
    widths = [
        max(*(_seen(line) for line in (*h.split("\n"), *(row[i] for row in cells))))
        for i, h in enumerate(headers)
    ]
    over = sum(widths) + GRID_GAP * (len(widths) - 1) - room
    if over <= 0:
        return widths
    words = [
        max(_seen(word) for row in cells for word in row[i].split(" ")) for i in range(len(headers))
    ]
    # Between words first, then within them.
    for least in (words, [0] * len(widths)):
        while over > 0 and (
            wide := [i for i, width in enumerate(widths) if width > max(1, least[i])]
        ):
            widths[max(wide, key=lambda i: widths[i])] -= 1
            over -= 1
    return widths


def _folded(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [
        cell if _seen(cell) <= width or "\n" in cell else "\n".join(_wrap(cell, width))
        for cell, width in zip(row, widths, strict=True)
    ]


def _safe(text: str) -> str:
    """Escape whatever could steer a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _LAYOUT else ascii(c)[1:-1] for c in text)


# Marks of emphasis, code, links, tables, HTML, entities, mentions and formulas; what makes a link
# of a bare address; and what makes a list or a line of what begins with it.
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&@$]|:(?=//)|(?<=\bwww)\.|^[-+=])", re.IGNORECASE)
_NUMBERED = re.compile(r"^(\d+)([.)])(?= |$)")


def escaped(text: str) -> str:
    """Text that means nothing in Markdown, and steers no terminal; code is between backticks."""
    shown = printable(text.replace(GLUE, " ")).strip(" ")
    told = (
        "`{}`".format(part.replace("`", "'")) if number % 2 else _SPECIAL.sub(r"\\\1", part)
        for number, part in enumerate(shown.split(CODE))
    )
    return _NUMBERED.sub(r"\1\\\2", "".join(told))


def render_markdown(document: Document) -> str:
    """Return a document as Markdown that ends with a line break."""
    lines: list[str] = []
    for part in document.parts():
        lines += [f"# {escaped(part.title)}", ""] if part.title else []
        lines += (line for section in part.sections for line in _section(section))
    return "\n".join(lines).rstrip("\n") + "\n"


def _section(section: Section) -> Iterator[str]:
    if section.title:
        yield f"## {escaped(section.title)}"
        yield ""
    in_list = False
    for block in section.blocks:
        # A paragraph with others below it is an item with items.
        is_item = isinstance(block, Paragraph) and (block.is_item or bool(block.below))
        if in_list and not is_item:
            yield ""
        in_list = is_item
        if not isinstance(block, Paragraph):
            yield from _markdown_table(block)
        elif is_item:
            yield from _item(block, 0)
        else:
            text = escaped(block.text)
            yield f"# {text}" if block.strong else f"**{text}**" if block.verdict else text
            yield ""
    if in_list:
        yield ""


def _item(paragraph: Paragraph, depth: int) -> Iterator[str]:
    yield f"{' ' * (INDENT * depth)}- {escaped(paragraph.words)}"
    for below in paragraph.below:
        yield from _item(below, depth + 1)


def _markdown_table(block: Block) -> Iterator[str]:
    table = block.table
    yield f"| {' | '.join(map(escaped, table.headers))} |"
    yield f"|{'|'.join('---:' if header in table.right else '---' for header in table.headers)}|"
    for row in table.rows:
        yield f"| {' | '.join(map(escaped, row))} |"
    yield ""
