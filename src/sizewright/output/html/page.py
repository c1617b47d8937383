"""The HTML page of a plan, with bars and strips, and its drawing: no network, no script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import PurePath
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from sizewright import __version__
from sizewright.errors import enumerated
from sizewright.evaluate.budgets import Budget
from sizewright.output.budgets import BudgetTable, budget_words
from sizewright.output.document import Block, Document, Paragraph, Table
from sizewright.output.explain import trace_budget
from sizewright.output.first_page import Headroom
from sizewright.output.html.arrange import Drawing, arrange, slice_drawing
from sizewright.output.html.parts import LEVELS, STRIPS, TONES, Piece, Pieces, level, visible
from sizewright.output.layout import LABELLED_FROM, PAD, PAGE_LINES, PAPER, SIZES, SLIM, WIDE
from sizewright.output.plan import plan_document
from sizewright.output.remedies import line_rows
from sizewright.output.reports import PlanReport
from sizewright.output.summary import determinant_text
from sizewright.output.wording import CODE, headroom, quantity
from sizewright.planner.plan import determinant
from sizewright.quantity import Quantity
from sizewright.units import PERCENT

_CODE = re.compile(f"{CODE}([^{CODE}]+){CODE}")


def environment() -> Environment:
    """The environment of all templates of this package."""
    found = Environment(
        loader=PackageLoader("sizewright.output.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    found.tests |= {
        "table": lambda block: isinstance(block, Table),
        "budgets": lambda block: isinstance(block, BudgetTable),
        "headroom": lambda block: isinstance(block, Headroom),
    }
    filters: dict[str, Any] = {
        "bars": make_bars, "locks": make_strips, "fullest": make_fullest, "code": mark_code,
    }  # fmt: skip
    found.filters |= filters
    found.globals |= {"sizes": SIZES, "pad": PAD, "lock_title": "Kernel lock (what uses it)"}
    return found


def plain(markup: str) -> str:
    """Return a document in ASCII; other characters by their numbers."""
    return markup.encode("ascii", "xmlcharrefreplace").decode("ascii")


def mark_code(value: object) -> object:
    """Return a text with what a user writes in a file as code; other values as they are."""
    if not isinstance(value, str):
        return value
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(visible(value)))))


def _finalize(value: object) -> object:
    """What templates print, as text that a page can hold."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return visible(value) if isinstance(value, str) else value


def make_drawing(report: PlanReport, width: float = WIDE) -> Drawing:
    """The configuration that a report shows; empty where there is none."""
    numbered = zip(report.parts, report.plan.numbers, strict=True)
    shown = [(part, part.shown, many) for part, many in numbered if part.shown is not None]
    paired = report.plan.group is not None
    pieces = [Pieces(part, judged).system(paired, many) for part, judged, many in shown]
    what = "configuration" if report.plan.chosen else "closest alternative"
    title = f"Drawing of the {what} for {report.name}"
    said = []
    for piece, (part, *_) in zip(pieces, shown, strict=True):
        nearest = determinant_text(part)
        said.append(_described(piece) + (f" Bottleneck: {nearest}." if nearest else ""))
    if not pieces:
        said = ["There is no configuration to draw."]
        pieces = [Piece("nothing", "section", said[0], group=True)]
    legend = [Piece(f"legend/{name}", "legend", what, level=name) for name, what in LEVELS.items()]
    return arrange(legend, pieces, title, " ".join(said), width)


def _described(system: Piece) -> str:
    """A system in words: its busses with their boards, its strings, its networks."""
    sentences = [f"{system.name}: {', '.join(note for note in system.notes if note)}."]
    for piece in _every(system):
        inside = [each for each in piece.inside if each.role != "free"]
        if piece.role == "bus":
            boards = [f"{board.name} at {board.mark}" for board in inside]
            sentences.append(f"{piece.name}: {enumerated(boards) if boards else 'no board'}.")
        elif piece.role in ("channel", "network"):
            on = [f"{each.name} ({each.notes[0]})" if each.notes else each.name for each in inside]
            sentences.append(f"{piece.name}, {piece.mark}: {enumerated(on) if on else 'nothing'}.")
    return " ".join(sentences)


def _every(piece: Piece) -> Iterator[Piece]:
    yield piece
    for each in (*piece.inside, *piece.hang):
        yield from _every(each)


def plan_html(report: PlanReport) -> str:
    """The page: the first page of the report, the drawing, then its appendix."""
    first, *others = plan_document(report).parts()
    head, *below = first.sections
    # Sections without a heading below the head are the verdict: they state what fails.
    says = tuple(takewhile(lambda section: not section.title, below))
    title, *notes = (said.text for said in head.blocks if isinstance(said, Paragraph))
    return plain(environment().get_template("page.html.jinja").render(
        title=title, notes=notes, logo=report.cover.logo, verdict=report.verdict, tones=TONES,
        says=[block for section in says for block in section.blocks],
        first=below[len(says) :], parts=others, drawn=bool(report.named),
        wide=make_drawing(report, WIDE), slim=make_drawing(report, SLIM),
        paper=slice_drawing(make_drawing(report, PAPER)),
        footer={
            "Guide": f"{report.guide.id}: {report.guide.title}",
            "Workload": f"{report.name} ({PurePath(report.file).name})",
            "SHA-256 of the workload": report.digest,
            **({"Changed for this run": ", ".join(report.changes)} if report.changes else {}),
            "Made by": f"sizewright {__version__}",
        },
    ))  # fmt: skip


def plan_svg(report: PlanReport) -> str:
    """The drawing of a plan's configuration, light or dark as its reader likes."""
    template = environment().get_template("alone.svg.jinja")
    return plain(template.render(drawing=make_drawing(report), tones=TONES))


_LOCK = "kernel_lock"


def make_bars(budgets: BudgetTable) -> Iterator[dict[str, Any]]:
    """Yield a bar for each line of the budgets of a system, in percent: it ends at the limit.

    `steps` is the arithmetic of each; it is `long` if it takes more than a page of paper. The one
    that `decides` is the bottleneck of its system.
    """
    nearest = determinant(budgets.shown.budgets, budgets.end)
    for label, words, same in budgets.lines():
        resources = tuple(budget.resource for budget in same)
        share, steps = same[0].share_of_limit(budgets.end), _steps(budgets, same)
        yield {
            "resources": resources, "label": label, "words": words, "filled": _filled(share),
            "level": "over" if words.verdict == "violated" else level(share), "steps": steps,
            "long": _lines(steps) > PAGE_LINES,
            "decides": nearest is not None and nearest.resource in resources,
        }  # fmt: skip


def _filled(share: float | None) -> float:
    """Return the length of a bar in percent; a bar over the limit is full."""
    return min(share or 0, 1) * PERCENT


def make_fullest(block: Headroom) -> Iterator[dict[str, Any]]:
    """Yield a bar for the fullest resource of each kind, and what is free in two cases."""
    for label, likely, worst, verdict in block.lines():
        yield {
            "label": label, "filled": _filled(worst), "likely": headroom(likely),
            "worst": headroom(worst), "level": "over" if verdict == "violated" else level(worst),
        }  # fmt: skip


def _lines(steps: Iterable[Paragraph | Block]) -> int:
    return sum(1 + _lines(each.below) for each in steps if isinstance(each, Paragraph))


def _steps(budgets: BudgetTable, same: tuple[Budget, ...]) -> tuple[Paragraph | Block, ...]:
    """Return the arithmetic of budgets; if there are several, each below its name."""
    document = Document()
    for budget in same:
        trace_budget(document, budgets.end, budgets.names, budget)
    sections = document.parts()[0].sections
    if len(sections) == 1:
        return sections[0].blocks
    return tuple(
        Paragraph(each.title, below=tuple(b for b in each.blocks if isinstance(b, Paragraph)))
        for each in sections
    )


def make_strips(blocks: Iterable[object]) -> Iterator[dict[str, Any]]:
    """Yield the kernel locks of the systems whose budgets are among the blocks of a section."""
    for block in (each for each in blocks if isinstance(each, BudgetTable)):
        for budget in block.shown.budgets:
            if budget.kind == _LOCK and budget.used is not None and budget.limit is not None:
                yield _strip(block, budget, budget.used, budget.limit.at(block.end))


def _strip(budgets: BudgetTable, budget: Budget, use: Quantity, limit: float) -> dict[str, Any]:
    """Return a kernel lock by what uses it, the largest line first, as pieces of a strip.

    Positions and lengths are in percent; `limit` is that of the limit. A piece with enough room
    has its number (`labelled`).
    """
    end, used = budgets.end, use.at(budgets.end)
    lines = sorted(budget.items, key=lambda line: (-line.figure.at(end), line.name))
    # What is over the limit has its place too.
    room = max(used, limit) or 1
    slices, start = list[dict[str, Any]](), 0.0
    rows = zip(lines, line_rows(lines, used, end), strict=True)
    for number, (line, (_, amount, share)) in enumerate(rows):
        length = line.figure.at(end) / room
        slices.append({
            "number": number + 1, "name": budgets.names.line(line.name), "used": amount,
            "share": share, "start": start * PERCENT, "length": length * PERCENT,
            "tone": STRIPS[number % len(STRIPS)], "labelled": length >= LABELLED_FROM,
        })  # fmt: skip
        start += length
    return {
        "words": budget_words(budget, end), "used": quantity(use), "slices": slices,
        "limit": limit / room * PERCENT,
    }  # fmt: skip
