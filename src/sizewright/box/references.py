"""Parts that a box file speaks of, and does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sizewright.box.schema import Box
from sizewright.documents import Document
from sizewright.errors import Diagnostic, did_you_mean, join_or, shown

Path = tuple[str, ...]


def reference_faults(box: Box, document: Document) -> Iterator[Diagnostic]:
    """Every part that has a load or a measurement, and is none of the box's."""
    known = {
        "network": [n.id for n in box.networks or ()],
        "disk": [d.id for c in box.channels or () for d in c.parts],
        "channel": [c.id for c in box.channels or ()],
        "board": [b.id for b in box.boards or ()],
    }
    for path, kind, named in _named(box):
        parts = known[kind]
        expected = f"one of {join_or(parts)}" if parts else f"a {kind} of this box"
        for name in named:
            if name not in parts:
                what = f"there is no {kind} {shown(name)}"
                yield Diagnostic(
                    document.place((*path, name)), what, expected, did_you_mean(name, parts)
                )


def _named(box: Box) -> Iterator[tuple[Path, str, Mapping[str, object]]]:
    for key, part in (("observed", box.observed), ("load", box.load)):
        yield (key, "networks"), "network", part.networks
        yield (key, "disks"), "disk", part.disks
        yield (key, "channels"), "channel", part.channels
    yield ("observed", "boards"), "board", box.observed.boards
    yield ("load", "data"), "network", box.load.data
    yield ("load", "stored"), "disk", box.load.stored
    yield ("load", "work"), "disk", box.load.work
