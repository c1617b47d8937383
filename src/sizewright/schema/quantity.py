"""Numbers with units and ranges of them, with place and source; documents read as models."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic_core import ValidationError

from sizewright import units
from sizewright.documents import Document
from sizewright.errors import InputError, Location, counted, shown
from sizewright.limits import QUANTITY_AT_MOST, SHOWN_CHARACTERS
from sizewright.quantity import Provenance, Quantity
from sizewright.schema.model import (
    FieldError,
    FieldMarker,
    InputModel,
    InvalidFieldError,
    JsonSchema,
    not_allowed,
)
from sizewright.units import PURE, UnitError

_WITH_UNIT = re.compile(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)\s*(\S*)\s*", re.ASCII)
# The same for editors, whose expressions are of another kind: a number, and a unit that is none.
_WITH_UNIT_JSON = r"^\s*\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?\s*[^\s0-9.]\S*\s*$"
# How people write a range outside these files: 5..30, 5-30, 5 to 30 MB.
_RANGE = re.compile(
    r"\s*(\d+(?:\.\d+)?)\s*(?:\.\.+|-|\N{EN DASH}|to)\s*(\d+(?:\.\d+)?)\s*(\S*)\s*", re.ASCII
)
_PLURAL = re.compile(r"\b([A-Za-z]{2,})s\b")
_WORD = re.compile(r"[A-Za-z]+")
_WORDS = {"hour": "h", "minute": "min", "second": "s"}
# Large units of memory, and the power of a thousand by which they count on in steps of 1024.
_LARGE = re.compile(r"\b([GT])Bs?\b")
_STEPS = {"G": 1, "T": 2}
_FORMS = "[low, high] or [low, likely, high]"


class FieldOrigin(NamedTuple):
    """A value's dotted name and place; the section that states it, and as what (fact …)."""

    name: str = ""
    where: str = ""
    section: str = ""
    kind: str = ""

    def source(self) -> Provenance:
        """Return the same as the provenance of a quantity."""
        return Provenance("input", self.where, self.section, self.kind)


def field_origins(document: Document) -> dict[Location, FieldOrigin]:
    """Return the origin of every text and number of a document, by location."""
    return dict(_below(document.data, (), ("", "")))


def origin_of(value: Any, known: Any) -> FieldOrigin:
    """Return the origin of a value, or of the first value in a list; blank if unknown."""
    first = value[0] if isinstance(value, (list, tuple)) and value else value
    place = getattr(first, "place", None)
    if place is None:
        return FieldOrigin()
    found: FieldOrigin | None = known.get(place) if isinstance(known, Mapping) else None
    return found or FieldOrigin(where=str(place))


class QuantityField(FieldMarker):
    """Marks a Quantity field: its unit, what it is counted per, and its bounds.

    `per` is what a rate in `unit` (``op/s``) or a size (``MB``) is for, too (``client``): the
    figure's unit is ``op/s*client`` or ``MB/client``, and the file may leave it out. Accepted are a
    number in the unit, ``[low, high]`` (likely is the midpoint), ``[low, likely, high]``, and text
    with a unit that converts, each end by itself. Sizes of `memory` count 1024 MB to the GB, others
    1000. The ends of what comes `whole` have no fraction.
    """

    __slots__ = ("above_zero", "at_most", "memory", "per", "plain_unit", "unit", "whole")

    def __init__(
        self,
        unit: str,
        per: str = "",
        above_zero: bool = False,
        at_most: float = QUANTITY_AT_MOST,
        memory: bool = False,
        whole: bool = False,
    ) -> None:
        is_rate = "/" in unit
        self.per = f"{'*' if is_rate else '/'}{per}" if per else ""
        self.unit = f"{unit}{self.per}"
        self.plain_unit = unit if is_rate else self.unit
        self.above_zero = above_zero
        self.at_most = at_most
        self.memory = memory
        self.whole = whole

    def json_schema(self) -> JsonSchema:
        """Return a number, a text with a unit, or two or three of them; any unit is accepted."""
        least = {"exclusiveMinimum": 0} if self.above_zero else {"minimum": 0}
        number = {"type": "number", **least, "maximum": self.at_most}
        one = [number, {"type": "string", "pattern": _WITH_UNIT_JSON}]
        ends = {"minItems": len(("low", "high")), "maxItems": len(("low", "likely", "high"))}
        several = {"type": "array", "items": {"anyOf": one}, **ends}
        takes = f"Takes {self.expected()}."
        return {"anyOf": [*one, several], "description": takes, "unit": self.plain_unit}

    def read(self, value: Any, origins: Any) -> Quantity:
        """Read a quantity in this unit; raises InvalidFieldError."""
        if isinstance(value, Quantity):
            return value.to(self.unit)
        return self.read_from(value, origin_of(value, origins))

    def read_from(self, value: Any, origin: FieldOrigin) -> Quantity:
        """Read a quantity that comes from a known place; raises InvalidFieldError."""
        if isinstance(value, (list, tuple)):
            low, likely, high = self._ends(value)
        else:
            low = likely = high = self._number(value, ())
        return Quantity(low, likely, high, self.unit, name=origin.name, source=origin.source())

    def expected(self) -> str:
        """Return what is accepted, in words."""
        if self.unit == PURE:
            return f"a number, {_FORMS}"
        each = self.unit.removeprefix(self.plain_unit).replace("*", " for each ")
        return (
            f"a number ({self.plain_unit}{each}), {_FORMS}, or with a unit: '{1} {self.plain_unit}'"
        )

    def _ends(self, value: list[Any] | tuple[Any, ...]) -> tuple[float, float, float]:
        ends: list[float] = []
        objections: list[FieldError] = []
        for index, item in enumerate(value[: len(("low", "likely", "high"))]):
            try:
                ends.append(self._number(item, (index,)))
            except InvalidFieldError as error:
                objections += error.errors
        if objections:
            raise InvalidFieldError(*objections)
        if len(value) == len(("low", "high")):
            low, high = ends
            likely = low + (high - low) / 2
        elif len(value) == len(("low", "likely", "high")):
            low, likely, high = ends
        else:
            count = counted(len(value), "number")
            raise InvalidFieldError(FieldError(f"a range has {count}", self.expected()))
        if not low <= likely <= high:
            given = ", ".join(shown(item) for item in value)
            what = f"the values of a range must increase: [{given}]"
            raise InvalidFieldError(FieldError(what, _FORMS))
        return low, likely, high

    def _number(self, value: Any, at: tuple[int, ...]) -> float:
        number: float
        if isinstance(value, str):
            number = self._with_unit(value, at)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            number = value
        else:
            (error,) = not_allowed(value, self.expected(), is_not="a quantity").errors
            raise InvalidFieldError(error._replace(at=at))
        if number < 0:
            raise InvalidFieldError(FieldError(f"{shown(value)} is negative", "0 or more", at=at))
        if self.above_zero and number == 0:
            raise InvalidFieldError(FieldError("must not be 0", "more than 0", at=at))
        # Also refuses what is not a number at all, which no comparison holds for.
        if not number <= self.at_most:
            most = (
                f"at most {self.at_most:,.0f}{'' if self.unit == PURE else ' ' + self.plain_unit}"
            )
            raise InvalidFieldError(FieldError(f"{shown(value)} is too large", most, at=at))
        if self.whole and number != int(number):
            what = f"{shown(value)} has a fraction"
            raise InvalidFieldError(FieldError(what, f"whole {self.plain_unit}s", at=at))
        return float(number)

    def _with_unit(self, text: str, at: tuple[int, ...]) -> float:
        is_short = len(text) <= SHOWN_CHARACTERS
        found = _WITH_UNIT.fullmatch(text) if is_short else None
        ends = _RANGE.fullmatch(text) if is_short else None
        if found is None or ends is not None:
            what = f"{shown(text)} is not a quantity"
            hint = f"write a range as {_range_text(*ends.groups())}" if ends else ""
            raise InvalidFieldError(FieldError(what, self.expected(), hint, at))
        number, unit = found.groups()
        if not unit:
            hint = "leave out the quotes, or add the unit"
            what = f"{shown(text)} is text without a unit"
            raise InvalidFieldError(FieldError(what, self.expected(), hint, at))
        return float(number) * self._factor(unit, at)

    def _factor(self, unit: str, at: tuple[int, ...]) -> float:
        singular = _PLURAL.sub(r"\1", unit)
        singular = _WORD.sub(lambda word: _WORDS.get(word[0], word[0]), singular)
        for given in dict.fromkeys((singular, f"{singular}{self.per}")):
            try:
                factor = units.factor(given, self.unit)
            except UnitError:
                continue
            large = _LARGE.search(unit) if self.memory else None
            steps = _STEPS[large[1]] if large else 0
            return factor * (units.MB_PER_GB_OF_MEMORY / units.MB_PER_GB) ** steps
        what = f"{shown(unit)} cannot be converted into {self.plain_unit}"
        known = units.convertible(self.plain_unit)
        hint = f"units: {', '.join(known)}" if len(known) > 1 else ""
        raise InvalidFieldError(FieldError(what, self.expected(), hint, at))


def _range_text(low: str, high: str, unit: str) -> str:
    """Return a range as a file states it; both ends have the unit."""
    low, high = (f"{number} {unit}".rstrip() for number in (low, high))
    return f"[{low}, {high}]"


def _below(
    value: Any, name: tuple[str, ...], cited: tuple[str, str]
) -> Iterator[tuple[Location, FieldOrigin]]:
    if isinstance(value, dict):
        own = value.get("said")
        sayings = own if isinstance(own, dict) else {}
        for key, child in value.items():
            if child is not own:
                yield from _below(child, (*name, key), _citation(sayings.get(key)) or cited)
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _below(child, _item(name, index, child), cited)
    else:
        place = getattr(value, "place", None)
        if place is not None:
            yield place, FieldOrigin(".".join(name), str(place), *cited)


def _item(name: tuple[str, ...], index: int, item: Any) -> tuple[str, ...]:
    """Return the name of an item: its own name, or that of the range whose end it is."""
    if not isinstance(item, (dict, list)):
        return name
    called = item.get("name") if isinstance(item, dict) else None
    return (*name, str(called) if isinstance(called, str) else str(index))


def _citation(said: Any) -> tuple[str, str] | None:
    if not isinstance(said, dict):
        return None
    section, kind = said.get("section"), said.get("kind")
    return (
        str(section) if isinstance(section, str) else "",
        str(kind) if isinstance(kind, str) else "",
    )


class RawValue(NamedTuple):
    """A number, text, flag or list of them whose meaning only the guide knows, and its origin."""

    value: Any
    origin: FieldOrigin


class RawValueField(FieldMarker):
    """Marks a field that takes any plain value; the guide's reader says what is wrong with it."""

    __slots__ = ()

    def read(self, value: Any, origins: Any) -> RawValue:
        """Return the value as it is, with its origin; raises InvalidFieldError for other values."""
        for each in value if isinstance(value, list) else [value]:
            if not isinstance(each, (bool, int, float, str)):
                raise not_allowed(each, "a number, text, flag or list of them")
        return RawValue(value, origin_of(value, origins))

    def json_schema(self) -> JsonSchema:
        """Return what a guide may declare: a number, text, flag or a list of them."""
        one = [{"type": kind} for kind in ("number", "string", "boolean")]
        return {"anyOf": [*one, {"type": "array", "items": {"anyOf": one}}]}


# Quantities that workloads and box files share. Counts of people and parts may be ranges.
Seconds = Annotated[Quantity, QuantityField("s", above_zero=True)]
Clients = Annotated[Quantity, QuantityField("client")]
WholeClients = Annotated[Quantity, QuantityField("client", whole=True)]
Pure = Annotated[Quantity, QuantityField(PURE)]
Percent = Annotated[Quantity, QuantityField("%", at_most=units.PERCENT)]
Megabytes = Annotated[Quantity, QuantityField("MB")]
MemoryMegabytes = Annotated[Quantity, QuantityField("MB", memory=True)]
Operations = Annotated[Quantity, QuantityField("op/s")]
KilobytesPerSecond = Annotated[Quantity, QuantityField("KB/s")]
Packets = Annotated[Quantity, QuantityField("packet/s")]
Bytes = Annotated[Quantity, QuantityField("byte", above_zero=True)]
Kilobytes = Annotated[Quantity, QuantityField("KB", above_zero=True)]


M = TypeVar("M", bound=InputModel)


def read_model(document: Document, model: type[M]) -> M:
    """The data of a document as a model; raises InputError with every error."""
    try:
        return model.model_validate(document.data, context=field_origins(document))
    except ValidationError as error:
        # Only a file with errors needs the code that explains them.
        from sizewright.schema.diagnostics import validation_diagnostics

        raise InputError(validation_diagnostics(error, document, model)) from None
