"""What every object of an input file may say of its own fields: where the source states them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Annotated, Literal

from sizewright.errors import did_you_mean, join_or, shown
from sizewright.schema.fields import Name, OneOf, Text
from sizewright.schema.objections import Objection


@dataclass(frozen=True, kw_only=True, eq=False)
class Saying:
    """The section of a source that states a field, and whether as fact or as assumption."""

    section: Name
    kind: Annotated[Literal["fact", "assumption"], OneOf()]
    note: Text | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Stated:
    """An object whose fields may carry their source."""

    said: dict[str, Saying] = field(default_factory=dict)

    def objections(self) -> Iterator[Objection]:
        """Yield what is wrong with the fields taken together."""
        if self.said:
            own = [one.name for one in fields(self) if one.name != "said"]
            for key in self.said:
                if key not in own:
                    what = f"{shown(key)} is no field of this object"
                    expected = f"one of {join_or(own)}"
                    yield Objection(what, expected, did_you_mean(key, own), ("said", key))
