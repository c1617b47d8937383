"""How hard the clients of a file service work: measured, by a known activity, or by data read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from sizewright.errors import join_or, shown
from sizewright.quantity import Quantity
from sizewright.schema.fields import Name
from sizewright.schema.objections import Objection, ObjectionsError
from sizewright.schema.quantity import QuantityField
from sizewright.schema.said import Stated
from sizewright.schema.schema import Checked, Variants, not_empty

Seconds = Annotated[Quantity, QuantityField("s", above_zero=True)]


@dataclass(frozen=True, kw_only=True, eq=False)
class OperationsLoad(Stated):
    """A rate of operations for each active client."""

    ops_per_s: Annotated[Quantity, QuantityField("op/s", per="client")]


@dataclass(frozen=True, kw_only=True, eq=False)
class ActivityLoad(Stated):
    """An activity that the guide has measured, in bursts, with `times` as many of like load."""

    activity: Name
    burst_s: Seconds | None = None
    every_s: Seconds | None = None
    times: Annotated[Quantity, QuantityField("1")] | None = None

    def objections(self) -> Iterator[Objection]:
        """Object to a duty cycle that is half said or more than whole."""
        yield from Stated.objections(self)
        yield from _both_or_none(self, "burst_s", "every_s")
        if self.burst_s and self.every_s and self.burst_s.high > self.every_s.low:
            what = "a burst is longer than the time from one to the next"
            yield Objection(what, "at most every_s", at=("burst_s",))


@dataclass(frozen=True, kw_only=True, eq=False)
class DataItem(Stated):
    """Data that each client reads: a size, or a size so often a second for some seconds."""

    name: Name
    kb: Annotated[Quantity, QuantityField("KB")] | None = None
    byte: Annotated[Quantity, QuantityField("byte")] | None = None
    per_s: Annotated[Quantity, QuantityField("1/s")] | None = None
    seconds: Seconds | None = None

    def objections(self) -> Iterator[Objection]:
        """Object to no size, two sizes, or a rate without its duration."""
        yield from Stated.objections(self)
        yield from _both_or_none(self, "per_s", "seconds")
        if self.kb is None and self.byte is None:
            yield Objection("has no size", "kb or byte")
        if self.kb is not None and self.byte is not None:
            yield Objection("is a second size", "kb or byte", at=("byte",))


@dataclass(frozen=True, kw_only=True, eq=False)
class DataLoad(Stated):
    """What each client reads every so many seconds."""

    data: Annotated[tuple[DataItem, ...], Checked(not_empty)]
    every_s: Seconds


def _both_or_none(load: Stated, one: str, other: str) -> Iterator[Objection]:
    for present, absent in ((one, other), (other, one)):
        if getattr(load, present) is not None and getattr(load, absent) is None:
            yield Objection(f"stands without {absent}", "both or none", at=(present,))


_BY_KEY = {
    "ops_per_s": OperationsLoad.__name__,
    "activity": ActivityLoad.__name__,
    "data": DataLoad.__name__,
}


def _kind(value: Any) -> str:
    expected = f"a mapping with one of {join_or(_BY_KEY)}"
    if not isinstance(value, dict):
        what = "no value is given" if value is None else f"{shown(value)} is not a load"
        raise ObjectionsError(Objection(what, expected))
    present = [key for key in _BY_KEY if key in value]
    if not present:
        raise ObjectionsError(Objection("has no amount", expected))
    if len(present) > 1:
        what = f"states the amount in {len(present)} ways: {' and '.join(present)}"
        raise ObjectionsError(Objection(what, expected))
    return _BY_KEY[present[0]]


Load = Annotated[OperationsLoad | ActivityLoad | DataLoad, Variants(_kind)]
