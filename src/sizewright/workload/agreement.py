"""Figures that tell one quantity twice, or a part and its whole: whether they can both hold."""

from collections.abc import Iterator

from sizewright.formula import quantity_text
from sizewright.limits import CONTRADICTION_SHARE
from sizewright.quantity import Quantity
from sizewright.schema.model import FieldError
from sizewright.units import PURE

Path = tuple[str | int, ...]


def differ(at: Path, stated: Quantity, told: Quantity, how: str) -> Iterator[FieldError]:
    """Object where what is `told`, and `how`, is not what is `stated` as well."""
    told = told.to(stated.unit)
    spare = 1 + CONTRADICTION_SHARE
    if stated.low > told.high * spare or told.low > stated.high * spare:
        what = f"{how} are not {text(stated)}, but {text(told)}"
        yield FieldError(what, "one of the two, or consistent values", at=at)


def told_twice(at: Path, what: str) -> Iterator[FieldError]:
    """Object to what is told by bytes and by operations, whose size is not told."""
    what = f"states {what} twice, and the size of an operation is unknown"
    yield FieldError(what, "one of the two, or block_kb", at=at)


def beyond(
    at: Path, part: Quantity, whole: Quantity, name: str, expected: str, how: str = ""
) -> Iterator[FieldError]:
    """Object to a part larger than its whole, which goes by `name`; `how` the part is told.

    A part that is reckoned, not stated, may be larger by what slips of rounding make.
    """
    spare = 1 + CONTRADICTION_SHARE if how else 1
    if part.low > whole.high * spare:
        what = f"{how}{text(part)} are more than {name} {text(whole)}"
        yield FieldError(what, expected, at=at)


def text(figure: Quantity) -> str:
    """A figure as a fault names it: its ends, where it has two."""
    high = quantity_text(figure.high, figure.unit)
    return high if figure.low == figure.high else f"{quantity_text(figure.low, PURE)} to {high}"


def one(unit: str) -> Quantity:
    """One of what is counted, by which a count is taken out of a unit."""
    return Quantity(1, 1, 1, unit)
