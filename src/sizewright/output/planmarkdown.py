"""A plan as Markdown, for tickets: all that the page of text says, and what is assumed."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright.output.budgets import budgets
from sizewright.output.layout import INDENT
from sizewright.output.markdown import escaped, table
from sizewright.output.outline import Block, Grid, Outline, Part, Said, Section
from sizewright.output.plan import tell
from sizewright.output.provenance import assumptions
from sizewright.output.reports import PlanReport


def plan_markdown(report: PlanReport) -> str:
    """Verdict, order, budgets, findings, rejections and assumptions under headings."""
    outline = Outline()
    tell(outline, report, budgets)
    outline.whole()
    assumptions(outline, report.budgets)
    lines = [line for part in outline.parts() for line in _part(part)]
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
    listing = False
    for block in section.blocks:
        # Below a heading, what stands on its own is a paragraph; what has parts below is an item.
        item = isinstance(block, Said) and (block.item or bool(block.below))
        if listing and not item:
            yield ""
        listing = item
        yield from _block(block, item)
    if listing:
        yield ""


def _block(block: Said | Block, item: bool) -> Iterator[str]:
    if isinstance(block, Grid):
        yield from table(block.headers, block.rows, block.right)
    elif isinstance(block, Said):
        yield from _item(block, 0) if item else _paragraph(block)


def _paragraph(said: Said) -> Iterator[str]:
    text = escaped(said.text)
    yield f"# {text}" if said.strong else f"**{text}**" if said.verdict else text
    yield ""


def _item(said: Said, depth: int) -> Iterator[str]:
    yield f"{' ' * (INDENT * depth)}- {escaped(said.text)}"
    for below in said.below:
        yield from _item(below, depth + 1)
