"""A document as Markdown, for tickets: names escaped, tables that no cell can break."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sizewright.errors import printable
from sizewright.output.document import Block, Document, Paragraph, Part, Section
from sizewright.output.layout import INDENT
from sizewright.output.wording import GLUE

# Marks of emphasis, code, links, tables, HTML, entities, mentions and formulas; what makes a link
# of a bare address; and what makes a list or a line of what begins with it.
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&@$]|:(?=//)|(?<=\bwww)\.|^[-+=])", re.IGNORECASE)
_NUMBERED = re.compile(r"^(\d+)([.)])(?= |$)")


def escaped(text: str) -> str:
    """Text that means nothing in Markdown, and steers no terminal."""
    shown = printable(text.replace(GLUE, " ")).strip(" ")
    return _NUMBERED.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", shown))


def render_markdown(document: Document) -> str:
    """Return a document as Markdown that ends with a line break."""
    lines = [line for part in document.parts() for line in _part(part)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _part(part: Part) -> Iterator[str]:
    if part.title:
        yield f"# {escaped(part.title)}"
        yield ""
    for section in part.sections:
        yield from _section(section)


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
            yield from _table(block)
        else:
            yield from _item(block, 0) if is_item else _paragraph(block)
    if in_list:
        yield ""


def _paragraph(paragraph: Paragraph) -> Iterator[str]:
    text = escaped(paragraph.text)
    yield f"# {text}" if paragraph.strong else f"**{text}**" if paragraph.verdict else text
    yield ""


def _item(paragraph: Paragraph, depth: int) -> Iterator[str]:
    yield f"{' ' * (INDENT * depth)}- {escaped(paragraph.words)}"
    for below in paragraph.below:
        yield from _item(below, depth + 1)


def _table(block: Block) -> Iterator[str]:
    table = block.table
    yield f"| {' | '.join(map(escaped, table.headers))} |"
    yield f"|{'|'.join('---:' if header in table.right else '---' for header in table.headers)}|"
    for row in table.rows:
        yield f"| {' | '.join(map(escaped, row))} |"
    yield ""
