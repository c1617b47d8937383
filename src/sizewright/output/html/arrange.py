"""The parts of a drawing at their places: rows that wrap, groups around them, wires between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from sizewright.output.html.parts import Piece, visible
from sizewright.output.layout import (
    ASCENT,
    BEYOND,
    BOARD,
    CLIENTS,
    DEVICE,
    FREE,
    GAP,
    GAUGE,
    GAUGE_BELOW,
    LEAST_GROUP,
    LEGEND,
    MARGIN,
    PAD,
    SIZES,
    SYSTEM_GAP,
    WIRE,
    WIRE_DOWN,
    fold,
    step,
)


class Line(NamedTuple):
    """A line of text in a box; `x` and `y` are where it begins, on its base line."""

    text: str
    style: str
    x: float
    y: float


# The points of a line from a board to what is attached to it.
Wire = tuple[tuple[float, float], ...]


class Box(NamedTuple):
    """A part of a system at its place.

    `key` identifies it (`system/kind/id`), `title` is all that is known about it in words.
    `share` is how full it is against its limit, None if nothing uses it; `level` is its tone.
    """

    key: str
    role: str
    x: float
    y: float
    w: float
    h: float
    lines: tuple[Line, ...]
    title: str
    share: float | None = None
    level: str = ""
    children: tuple[Box, ...] = ()
    wires: tuple[Wire, ...] = ()

    @property
    def gauge(self) -> float:
        """Return the height of the bar that shows how full it is: below its words."""
        return self.lines[-1].y + GAUGE_BELOW if self.lines else self.y

    def moved(self, dx: float, dy: float) -> Box:
        """The same, with all that is in it, at another place."""
        return self._replace(
            x=self.x + dx,
            y=self.y + dy,
            lines=tuple(line._replace(x=line.x + dx, y=line.y + dy) for line in self.lines),
            children=tuple(child.moved(dx, dy) for child in self.children),
            wires=tuple(tuple((x + dx, y + dy) for x, y in wire) for wire in self.wires),
        )


class Drawing(NamedTuple):
    """Systems one below the other, with what the drawing is called and what it shows in words.

    What is seen of it begins at `top`, and is `height` high.
    """

    width: float
    height: float
    boxes: tuple[Box, ...]
    title: str
    description: str
    top: float = 0


# These take the whole width, and stand one below the other.
_WHOLE = ("system", "bus", "section")
_WIDTHS = {"disk": DEVICE, "medium": DEVICE, "clients": CLIENTS, "free": FREE,
           "legend": LEGEND}  # fmt: skip

_STYLES = {"system": "head", "legend": "note", "free": "note"}


def _cluster(w: float, h: float, boxes: Iterable[Box], wires: Iterable[Wire] = ()) -> Box:
    """Return boxes that keep their places to each other, as a box without a border."""
    return Box("", "", 0, 0, w, h, (), "", children=tuple(boxes), wires=tuple(wires))


def arrange(
    legend: Iterable[Piece], systems: Iterable[Piece], title: str, description: str, width: float
) -> Drawing:
    """Return the drawing of systems, one below the other, below a legend of the tones."""
    room = width - 2 * MARGIN
    above = _flow([_leaf(each, room) for each in legend], room).moved(MARGIN, MARGIN)
    boxes, y = list(above.children), MARGIN + above.h + SYSTEM_GAP
    for system in systems:
        boxes.append(_group(system, room).moved(MARGIN, y))
        y += boxes[-1].h + SYSTEM_GAP
    return Drawing(width, y - SYSTEM_GAP + MARGIN, tuple(boxes), title, description)


def _arranged(piece: Piece, width: float) -> Box:
    if piece.hang:
        return _hung(piece, width)
    return _group(piece, width) if piece.group else _leaf(piece, width)


def _leaf(piece: Piece, width: float) -> Box:
    w = min(width, _WIDTHS.get(piece.role, BOARD))
    return _box(piece, w, *_words(piece, w))


def _group(piece: Piece, width: float) -> Box:
    """A part with others in it: as wide as they need, or the whole width."""
    room = width - 2 * PAD
    inside = _flow([_arranged(each, room) for each in piece.inside], room)
    whole = piece.role in _WHOLE
    w = width if whole else min(width, max(LEAST_GROUP, inside.w + 2 * PAD))
    lines, top = _words(piece, w)
    placed = inside.moved(PAD, top)
    h = top + inside.h + PAD if placed.children else top
    return _box(piece, w, lines, h)._replace(children=placed.children, wires=placed.wires)


def _hung(piece: Piece, width: float) -> Box:
    """Return a board with what is attached to it: to its right, or below it if there is no room."""
    board = _leaf(piece, width)
    beside = width >= board.w + WIRE + LEAST_GROUP + DEVICE
    left, top = (board.w + WIRE, 0.0) if beside else (WIRE_DOWN, board.h + GAP)
    boxes, wires = [board], list[Wire]()
    right, y, half = board.w, top, SIZES["group"] + PAD / 2
    for each in piece.hang:
        group = _arranged(each, width - left).moved(left, y)
        boxes.append(group)
        right = max(right, left + group.w)
        end = (left, y + half)
        if beside:
            middle = board.w + WIRE / 2
            wires.append(((board.w, half), (middle, half), (middle, end[1]), end))
        else:
            wires.append(((left / 2, board.h), (left / 2, end[1]), end))
        y += group.h + GAP
    return _cluster(right, max(board.h, y - GAP), boxes, wires)


def _flow(items: Sequence[Box], width: float) -> Box:
    """Side by side as long as the width allows, then in the next row."""
    boxes, wires, widest, y = list[Box](), list[Wire](), 0.0, 0.0
    for row in _rows(items, width):
        x, high = 0.0, max(item.h for item in row)
        for item in row:
            placed = item.moved(x, y)
            # The boxes of a cluster join the others; a single one is as high as its row.
            boxes += (placed._replace(h=high),) if placed.role else placed.children
            wires += () if placed.role else placed.wires
            x += item.w + GAP
        widest = max(widest, x - GAP)
        y += high + GAP
    return _cluster(widest, max(0, y - GAP), boxes, wires)


def _rows(items: Iterable[Box], width: float) -> Iterator[list[Box]]:
    row, used = list[Box](), 0.0
    for item in items:
        # Single parts are not in a row with what is much higher.
        if row and (used + item.w > width or bool(item.role) != bool(row[-1].role)):
            yield row
            row, used = [], 0.0
        row.append(item)
        used += item.w + GAP
    if row:
        yield row


def _words(piece: Piece, width: float) -> tuple[tuple[Line, ...], float]:
    """The lines of a part in its width, and how high they are with the space around them."""
    name = _STYLES.get(piece.role, "group" if piece.group else "name")
    texts = (
        (piece.mark, "mark"), (piece.name, name), *((note, "note") for note in piece.notes),
        (piece.told, "share"),
    )  # fmt: skip
    lines, y = list[Line](), float(PAD)
    for text, style in texts:
        for line in fold(visible(text), style, width - 2 * PAD) if text else ():
            lines.append(Line(line, style, PAD, y + SIZES[style] * ASCENT))
            y += step(style)
    return tuple(lines), y + PAD / 2 + (GAUGE if piece.share is not None else 0)


def _box(piece: Piece, w: float, lines: tuple[Line, ...], h: float) -> Box:
    return Box(piece.key, piece.role, 0, 0, w, h, lines, piece.title, piece.share, piece.level)


def slice_drawing(drawing: Drawing) -> tuple[Drawing, ...]:
    """As many slices as there are places to cut; set one below the other they are the drawing.

    A part is whole in one slice, and so are the words of a group with the parts that come first.
    """
    ends = (drawing.top, *_cuts(drawing.boxes), drawing.top + drawing.height)
    return tuple(
        drawing._replace(
            top=top, height=bottom - top, boxes=tuple(_within(drawing.boxes, top, bottom))
        )
        for top, bottom in pairwise(ends)
    )


def _cuts(boxes: Iterable[Box]) -> Iterator[float]:
    """Heights at which nothing is cut but groups, each in the middle of its gap."""
    reached = None
    for top, bottom in sorted(each for box in boxes for each in _kept_whole(box)):
        if reached is not None and top > reached:
            yield round((reached + top) / 2)
        reached = bottom if reached is None else max(reached, bottom)


def _kept_whole(box: Box) -> Iterator[tuple[float, float]]:
    """From where to where a box may not be cut."""
    if not box.children:
        yield box.y, box.y + box.h
        return
    yield box.y, min(child.y for child in box.children)
    yield max(child.y + child.h for child in box.children), box.y + box.h
    for child in box.children:
        yield from _kept_whole(child)


def _within(boxes: Iterable[Box], top: float, bottom: float) -> Iterator[Box]:
    """Return boxes between two heights, without titles, because paper has no pointer."""
    for box in boxes:
        if box.y >= bottom or box.y + box.h <= top:
            continue
        if not box.children:
            yield box._replace(title="")
            continue
        first, last = max(box.y, top - BEYOND), min(box.y + box.h, bottom + BEYOND)
        headed = box.y > top
        yield box._replace(
            y=first, h=last - first, title="", lines=box.lines if headed else (),
            share=box.share if headed else None,
            children=tuple(_within(box.children, top, bottom)),
        )  # fmt: skip
