"""What the operations of a file service are: a mix known to the guide, or its shares."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import model_validator

from sizewright.errors import shown
from sizewright.figure import Figure
from sizewright.units import PERCENT
from sizewright.workload.fields import Name
from sizewright.workload.objections import Objection, ObjectionsError
from sizewright.workload.quantity import Quantity
from sizewright.workload.said import Stated
from sizewright.workload.shapes import Variants

Share = Annotated[Figure, Quantity("%", at_most=PERCENT)]


class MixShares(Stated):
    """Reads and writes among all operations, in percent; the rest moves no data."""

    reads_percent: Share
    writes_percent: Share

    @model_validator(mode="after")
    def _leaves_a_whole(self) -> Self:
        if self.reads_percent.low + self.writes_percent.low > PERCENT:
            what = f"reads and writes together are more than {PERCENT}%"
            raise ObjectionsError(Objection(what, at=("writes_percent",)))
        return self


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return "Name"
    if isinstance(value, dict):
        return MixShares.__name__
    what = "no value is given" if value is None else f"{shown(value)} is not a mix"
    expected = "the id of a mix, or a mapping with reads_percent and writes_percent"
    raise ObjectionsError(Objection(what, expected))


Mix = Annotated[Name | MixShares, Variants(_kind)]
