"""Where each quantity of an input file stands, how it is called, and what source states it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sizewright.documents import Document
from sizewright.errors import Location
from sizewright.quantity import Provenance


class Statement(NamedTuple):
    """A value's dotted name and place; the section that states it, and as what (fact …)."""

    name: str = ""
    where: str = ""
    section: str = ""
    kind: str = ""

    def source(self) -> Provenance:
        """Give the same as the source of a figure's leaf."""
        return Provenance("input", self.where, self.section, self.kind)


Statements = Mapping[Location, Statement]


def statements(document: Document) -> dict[Location, Statement]:
    """Collect the statement of every text and number of the document, by place."""
    return dict(_below(document.data, (), ("", "")))


def statement_of(value: Any, known: Any) -> Statement:
    """Find the statement of a value, or of the first value in a list; blank where unknown."""
    first = value[0] if isinstance(value, (list, tuple)) and value else value
    place = getattr(first, "place", None)
    if place is None:
        return Statement()
    found: Statement | None = known.get(place) if isinstance(known, Mapping) else None
    return found or Statement(where=str(place))


def _below(
    value: Any, name: tuple[str, ...], said: tuple[str, str]
) -> Iterator[tuple[Location, Statement]]:
    if isinstance(value, dict):
        own = value.get("said")
        sayings = own if isinstance(own, dict) else {}
        for key, child in value.items():
            if child is not own:
                yield from _below(child, (*name, key), _saying(sayings.get(key)) or said)
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _below(child, _item(name, index, child), said)
    else:
        place = getattr(value, "place", None)
        if place is not None:
            yield place, Statement(".".join(name), str(place), *said)


def _item(name: tuple[str, ...], index: int, item: Any) -> tuple[str, ...]:
    """Things in a list go by their names; the ends of a range by that of the range."""
    if not isinstance(item, (dict, list)):
        return name
    called = item.get("name") if isinstance(item, dict) else None
    return (*name, str(called) if isinstance(called, str) else str(index))


def _saying(said: Any) -> tuple[str, str] | None:
    if not isinstance(said, dict):
        return None
    section, kind = said.get("section"), said.get("kind")
    return (
        str(section) if isinstance(section, str) else "",
        str(kind) if isinstance(kind, str) else "",
    )
