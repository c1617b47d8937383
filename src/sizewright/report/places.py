"""Where in its file the parts of a box stand."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright.box.schema import Box
from sizewright.documents import Document
from sizewright.errors import Location
from sizewright.report.names import subject_parts

Path = tuple[str | int, ...]
_NAME: Path = ("name",)


def places(document: Document, box: Box) -> dict[str, Location]:
    """Subject (`kind/id`) -> where it is stated; the box itself stands under the empty name."""
    found = {"": document.place(_NAME)}
    for subject, path in _parts(box):
        found[subject] = document.place(path)
    return found


def _parts(box: Box) -> Iterator[tuple[str, Path]]:
    for i, board in enumerate(box.boards or ()):
        yield f"board/{board.id}", ("boards", i)
    for i, expansion in enumerate(box.expansion_boxes):
        yield f"expansion/{expansion.id}", ("expansion_boxes", i)
    for i, network in enumerate(box.networks or ()):
        yield f"network/{network.id}", ("networks", i)
    for i, volume in enumerate(box.volumes or ()):
        yield f"volume/{volume.name}", ("volumes", i)
    for i, channel in enumerate(box.channels or ()):
        yield f"channel/{channel.id}", ("channels", i)
        for j, device in enumerate(channel.parts):
            yield f"disk/{device.id}", ("channels", i, "devices", j)


def place_of(found: dict[str, Location], subject: str, system: str) -> Location:
    """Where a finding's subject stands; what has no line of its own stands with the box."""
    return found.get("/".join(subject_parts(subject, system)), found[""])
