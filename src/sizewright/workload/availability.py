"""What must still hold when a part is gone, and on how many systems the work may be divided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from sizewright.schema.fields import Count, OneOf
from sizewright.schema.objections import Objection
from sizewright.schema.said import Stated

Failure = Annotated[Literal["disk", "controller", "network", "system"], OneOf()]


@dataclass(frozen=True, kw_only=True, eq=False)
class Availability(Stated):
    """The systems that are wanted, and the kinds of part of which any one may fail."""

    systems: Count | None = None
    survives: tuple[Failure, ...] = ()

    def objections(self) -> Iterator[Objection]:
        """Object to more systems than work is divided over."""
        yield from Stated.objections(self)
        if self.systems is not None and self.systems > 2:
            what = f"{self.systems} systems are more than work is divided over"
            yield Objection(what, "1 or 2", at=("systems",))
