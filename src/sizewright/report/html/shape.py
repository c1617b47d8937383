"""A drawing: boxes within boxes, each with its place, its words and how full its part is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sizewright.report.html.layout import GAUGE_BELOW


class Line(NamedTuple):
    """A line of text in a box; `x` and `y` are where it begins, on its base line."""

    text: str
    style: str
    x: float
    y: float


class Wire(NamedTuple):
    """A line from a board to what hangs on it."""

    points: tuple[tuple[float, float], ...]


class Box(NamedTuple):
    """A part of a system at its place.

    `key` tells it from all others (`system/kind/id`), `title` is all that is known of it in words.
    `share` is how full it is against its limit, None where nothing asks of it; `level` is its tone.
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
        """Where the bar lies that shows how full it is: below its words."""
        return self.lines[-1].y + GAUGE_BELOW if self.lines else self.y

    def moved(self, dx: float, dy: float) -> Box:
        """The same, with all that is in it, at another place."""
        return self._replace(
            x=self.x + dx,
            y=self.y + dy,
            lines=tuple(line._replace(x=line.x + dx, y=line.y + dy) for line in self.lines),
            children=tuple(child.moved(dx, dy) for child in self.children),
            wires=tuple(shifted(wire, dx, dy) for wire in self.wires),
        )

    def every(self) -> Iterator[Box]:
        """It and every box within it."""
        yield self
        for child in self.children:
            yield from child.every()


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

    def every(self) -> Iterator[Box]:
        """Every box."""
        for box in self.boxes:
            yield from box.every()


def shifted(wire: Wire, dx: float, dy: float) -> Wire:
    """A wire at another place."""
    return Wire(tuple((x + dx, y + dy) for x, y in wire.points))
