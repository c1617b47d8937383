"""The HTML page of a plan, and its drawing as an SVG file: no network, no script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import PurePath
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from sizewright import __version__
from sizewright.output.budgets import BudgetTable
from sizewright.output.document import Block, Paragraph, Part, Table
from sizewright.output.html.arrange import Drawing, arrange, slice_drawing
from sizewright.output.html.bars import Strip, make_bars, make_strip
from sizewright.output.html.layout import PAD, PAPER, SIZES, SLIM, WIDE
from sizewright.output.html.parts import Piece, make_system
from sizewright.output.html.style import LEVELS, TONES, visible
from sizewright.output.names import enumerated
from sizewright.output.plan import plan_document
from sizewright.output.provenance import add_assumptions
from sizewright.output.reports import PlanReport
from sizewright.output.summary import determinant_text


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
    }
    found.filters |= {"bars": make_bars, "locks": _locks}
    found.globals |= {"sizes": SIZES, "pad": PAD, "lock_title": "Kernel lock (what uses it)"}
    return found


def _locks(blocks: Iterable[object]) -> list[Strip]:
    """Return the kernel locks of the systems whose budgets are among the blocks of a section."""
    found = (make_strip(block) for block in blocks if isinstance(block, BudgetTable))
    return [strip for strip in found if strip is not None]


def plain(markup: str) -> str:
    """Return a document in ASCII; other characters by their numbers."""
    return markup.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _finalize(value: object) -> object:
    """What templates print, as text that a page can hold."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return visible(value) if isinstance(value, str) else value


def make_drawing(report: PlanReport, width: float = WIDE) -> Drawing:
    """The configuration that a report shows; empty where there is none."""
    shown = [(part, part.shown) for part in report.parts if part.shown is not None]
    paired = report.plan.group is not None
    pieces = [make_system(part, judged, paired) for part, judged in shown]
    what = "configuration" if report.plan.chosen else "closest alternative"
    title = f"Drawing of the {what} for {report.workload}"
    said = [
        *(f"{_described(piece)}{_determinant(part)}" for piece, (part, _) in
          zip(pieces, shown, strict=True)),
    ]  # fmt: skip
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


def _determinant(report: PlanReport) -> str:
    found = report.determinant
    return f" Bottleneck: {determinant_text(report, found)}." if found else ""


def _every(piece: Piece) -> Iterator[Piece]:
    yield piece
    for each in (*piece.inside, *piece.hang):
        yield from _every(each)


class _View(NamedTuple):
    """What the template shows."""

    title: str
    guide: str
    verdict: str
    says: tuple[Paragraph | Block, ...]
    parts: tuple[Part, ...]
    wide: Drawing
    slim: Drawing
    paper: tuple[Drawing, ...]
    footer: tuple[tuple[str, str], ...]


def plan_html(report: PlanReport) -> str:
    """The page: verdict, drawing, then all that the text report says, with its arithmetic."""
    template = environment().get_template("page.html.jinja")
    return plain(template.render(view=_view(report), tones=TONES))


def _view(report: PlanReport) -> _View:
    document = plan_document(report)
    document.whole()
    add_assumptions(document, report.budgets)
    first, *others = document.parts()
    head, *below = first.sections
    # Sections without a heading below the verdict belong to it: they state what fails.
    says = tuple(takewhile(lambda section: not section.title, below))
    rest = below[len(says) :]
    title, guide = (said.text for said in head.blocks if isinstance(said, Paragraph))
    return _View(
        title, guide, report.verdict,
        tuple(block for section in says for block in section.blocks),
        tuple(part for part in (Part("", tuple(rest)), *others) if part.sections),
        make_drawing(report, WIDE), make_drawing(report, SLIM),
        slice_drawing(make_drawing(report, PAPER)),
        _footer(report),
    )  # fmt: skip


def _footer(report: PlanReport) -> tuple[tuple[str, str], ...]:
    guide = report.plan.guide
    return (
        ("Guide", f"{guide.id}: {guide.title}"),
        ("Workload", f"{report.workload} ({PurePath(report.file).name})"),
        ("SHA-256 of the workload", report.digest),
        *([("Changed for this run", ", ".join(report.changes))] if report.changes else ()),
        ("Made by", f"sizewright {__version__}"),
    )


def plan_svg(report: PlanReport) -> str:
    """The drawing of a plan's configuration, light or dark as its reader likes."""
    template = environment().get_template("alone.svg.jinja")
    markup = template.render(drawing=make_drawing(report), tones=TONES)
    return plain(markup)
