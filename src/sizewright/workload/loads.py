"""How hard the clients of a file service work: measured, by a known activity, or by data read."""

from collections.abc import Iterator
from typing import Annotated, Any

from sizewright.errors import join_or, shown
from sizewright.quantity import Quantity
from sizewright.schema.model import (
    NOT_EMPTY,
    FieldError,
    InvalidFieldError,
    Name,
    SourcedModel,
    TaggedUnion,
)
from sizewright.schema.quantity import QuantityField

Seconds = Annotated[Quantity, QuantityField("s", above_zero=True)]


class OperationsLoad(SourcedModel):
    """A rate of operations for each active client."""

    ops_per_s: Annotated[Quantity, QuantityField("op/s", per="client")]


class ActivityLoad(SourcedModel):
    """An activity that the guide has measured, in bursts, with `times` as many of like load."""

    activity: Name
    """A row of table `client-activities`."""
    burst_s: Seconds | None = None
    """Length of a burst; with `every_s`. Default: without pause."""
    every_s: Seconds | None = None
    """Interval from one burst to the next. Default: without pause."""
    times: Annotated[Quantity, QuantityField("1")] | None = None
    """Factor by which the activity is multiplied. Default: once."""

    def field_errors(self) -> Iterator[FieldError]:
        """Object to a duty cycle that is half said or more than whole."""
        yield from SourcedModel.field_errors(self)
        yield from _both_or_none(self, "burst_s", "every_s")
        if self.burst_s and self.every_s and self.burst_s.high > self.every_s.low:
            what = "a burst is longer than the time from one to the next"
            yield FieldError(what, "at most every_s", at=("burst_s",))


class DataItem(SourcedModel):
    """Data that each client reads: a size, or a size so often a second for some seconds."""

    name: Name
    kb: Annotated[Quantity, QuantityField("KB")] | None = None
    byte: Annotated[Quantity, QuantityField("byte")] | None = None
    per_s: Annotated[Quantity, QuantityField("1/s")] | None = None
    seconds: Seconds | None = None

    def field_errors(self) -> Iterator[FieldError]:
        """Object to no size, two sizes, or a rate without its duration."""
        yield from SourcedModel.field_errors(self)
        yield from _both_or_none(self, "per_s", "seconds")
        if self.kb is None and self.byte is None:
            yield FieldError("has no size", "kb or byte")
        if self.kb is not None and self.byte is not None:
            yield FieldError("is a second size", "kb or byte", at=("byte",))


class DataLoad(SourcedModel):
    """What each client reads every so many seconds."""

    data: Annotated[tuple[DataItem, ...], NOT_EMPTY]
    """Items, each with a `name` and its size in `kb` or `byte`. If an item repeats, `per_s` is how
    often and `seconds` how long."""
    every_s: Seconds
    """Interval at which each client reads all items."""


def _both_or_none(load: SourcedModel, one: str, other: str) -> Iterator[FieldError]:
    for present, absent in ((one, other), (other, one)):
        if getattr(load, present) is not None and getattr(load, absent) is None:
            yield FieldError(f"stands without {absent}", "both or none", at=(present,))


_BY_KEY = {
    "ops_per_s": OperationsLoad,
    "activity": ActivityLoad,
    "data": DataLoad,
}


def _kind(value: Any) -> Any:
    expected = f"a mapping with one of {join_or(_BY_KEY)}"
    if not isinstance(value, dict):
        what = "no value is given" if value is None else f"{shown(value)} is not a load"
        raise InvalidFieldError(FieldError(what, expected))
    present = [key for key in _BY_KEY if key in value]
    if not present:
        raise InvalidFieldError(FieldError("has no amount", expected))
    if len(present) > 1:
        what = f"states the amount in {len(present)} ways: {' and '.join(present)}"
        raise InvalidFieldError(FieldError(what, expected))
    return _BY_KEY[present[0]]


Load = Annotated[OperationsLoad | ActivityLoad | DataLoad, TaggedUnion(_kind)]
