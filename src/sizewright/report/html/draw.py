"""The drawing of a plan: its systems, arranged at a width, with a title and a description."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright.report.html.arrange import arranged
from sizewright.report.html.layout import WIDE
from sizewright.report.html.palette import LEVELS
from sizewright.report.html.parts import system_piece
from sizewright.report.html.piece import Piece
from sizewright.report.html.shape import Drawing
from sizewright.report.model import PlanReport
from sizewright.report.names import enumerated
from sizewright.report.summary import determinant_text


def drawing(report: PlanReport, width: float = WIDE) -> Drawing:
    """The configuration that a report shows; empty where there is none."""
    shown = [(part, part.shown) for part in report.parts if part.shown is not None]
    paired = report.plan.pair is not None
    pieces = [system_piece(part, judged, paired) for part, judged in shown]
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
    return arranged(legend, pieces, title, " ".join(said), width)


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
