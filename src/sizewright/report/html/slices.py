"""A drawing in slices, so that a page of paper ends between its parts and never in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from sizewright.report.html.layout import BEYOND
from sizewright.report.html.shape import Box, Drawing


def sliced(drawing: Drawing) -> tuple[Drawing, ...]:
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
    """What is seen of boxes between two heights; nobody points at what is on paper."""
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
