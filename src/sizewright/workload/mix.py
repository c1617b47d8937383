"""What the operations of a file service are: a mix known to the guide, or its shares."""

from collections.abc import Iterator
from typing import Annotated, Any

from sizewright.errors import shown
from sizewright.quantity import Quantity
from sizewright.schema.model import FieldError, InvalidFieldError, Name, SourcedModel, TaggedUnion
from sizewright.schema.quantity import QuantityField
from sizewright.units import PERCENT

Share = Annotated[Quantity, QuantityField("%", at_most=PERCENT)]


class MixShares(SourcedModel):
    """Reads and writes among all operations, in percent; the rest moves no data."""

    reads_percent: Share
    writes_percent: Share

    def field_errors(self) -> Iterator[FieldError]:
        """Object to shares that leave no whole."""
        yield from SourcedModel.field_errors(self)
        if self.reads_percent.low + self.writes_percent.low > PERCENT:
            what = f"reads and writes together are more than {PERCENT}%"
            yield FieldError(what, at=("writes_percent",))


def _kind(value: Any) -> Any:
    if isinstance(value, str):
        return Name
    if isinstance(value, dict):
        return MixShares
    what = "no value is given" if value is None else f"{shown(value)} is not a mix"
    expected = "the id of a mix, or a mapping with reads_percent and writes_percent"
    raise InvalidFieldError(FieldError(what, expected))


Mix = Annotated[Name | MixShares, TaggedUnion(_kind)]
