"""What the operations of a file service are: a mix known to the guide, or its shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from sizewright.errors import shown
from sizewright.quantity import Quantity
from sizewright.schema.fields import Name
from sizewright.schema.objections import Objection, ObjectionsError
from sizewright.schema.quantity import QuantityField
from sizewright.schema.said import Stated
from sizewright.schema.schema import Variants
from sizewright.units import PERCENT

Share = Annotated[Quantity, QuantityField("%", at_most=PERCENT)]


@dataclass(frozen=True, kw_only=True, eq=False)
class MixShares(Stated):
    """Reads and writes among all operations, in percent; the rest moves no data."""

    reads_percent: Share
    writes_percent: Share

    def objections(self) -> Iterator[Objection]:
        """Object to shares that leave no whole."""
        yield from Stated.objections(self)
        if self.reads_percent.low + self.writes_percent.low > PERCENT:
            what = f"reads and writes together are more than {PERCENT}%"
            yield Objection(what, at=("writes_percent",))


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return str.__name__
    if isinstance(value, dict):
        return MixShares.__name__
    what = "no value is given" if value is None else f"{shown(value)} is not a mix"
    expected = "the id of a mix, or a mapping with reads_percent and writes_percent"
    raise ObjectionsError(Objection(what, expected))


Mix = Annotated[Name | MixShares, Variants(_kind)]
