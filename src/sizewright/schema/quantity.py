"""Numbers with units, and ranges of them, read into figures."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pydantic_core import CoreSchema, core_schema

from sizewright import units
from sizewright.errors import shown
from sizewright.limits import QUANTITY_AT_MOST, SHOWN_CHARACTERS
from sizewright.quantity import Quantity
from sizewright.schema.objections import Objection, ObjectionsError
from sizewright.schema.schema import Below, JsonSchema
from sizewright.schema.statements import Statement, statement_of
from sizewright.units import PURE, UnitError

_WITH_UNIT = re.compile(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)\s*(\S*)\s*", re.ASCII)
# The same for editors, whose expressions are of another kind: a number, and a unit that is none.
_WITH_UNIT_JSON = r"^\s*\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?\s*[^\s0-9.]\S*\s*$"
_PLURAL = re.compile(r"\b([A-Za-z]{2,})s\b")
_FORMS = "[low, high] or [low, likely, high]"


class QuantityField:
    """Marks a Quantity field: its unit, what it is counted per, and its bounds.

    `per` is what a rate in `unit` (``op/s``) is for besides (``client``): the figure's unit is
    ``op/s*client``, and the file may leave the client out. Accepted are a number in the unit,
    ``[low, high]`` (likely is the midpoint), ``[low, likely, high]``, and text with a unit that
    converts, each end by itself.
    """

    __slots__ = ("above_zero", "at_most", "per", "plain_unit", "unit")

    def __init__(
        self,
        unit: str,
        per: str = "",
        above_zero: bool = False,
        at_most: float = QUANTITY_AT_MOST,
    ) -> None:
        self.plain_unit = unit
        self.unit = f"{unit}*{per}" if per else unit
        self.per = per
        self.above_zero = above_zero
        self.at_most = at_most

    def core(self, shape: Any) -> CoreSchema:
        """Make the field's schema."""
        return with_statement(self.read)

    def json(self, shape: Any, below: Below) -> JsonSchema:
        """A number, a text with a unit, or two or three of them; which units fit is left open."""
        least = {"exclusiveMinimum": 0} if self.above_zero else {"minimum": 0}
        number = {"type": "number", **least, "maximum": self.at_most}
        one = [number, {"type": "string", "pattern": _WITH_UNIT_JSON}]
        ends = {"minItems": len(("low", "high")), "maxItems": len(("low", "likely", "high"))}
        several = {"type": "array", "items": {"anyOf": one}, **ends}
        return {"anyOf": [*one, several], "description": f"Takes {self.expected()}."}

    def read(self, value: Any, statement: Statement) -> Quantity:
        """Read a figure in this unit; raises ObjectionsError where the value is none."""
        if isinstance(value, Quantity):
            return value.to(self.unit)
        if isinstance(value, (list, tuple)):
            low, likely, high = self._ends(value)
        else:
            low = likely = high = self._number(value, ())
        return Quantity(
            low, likely, high, self.unit, name=statement.name, source=statement.source()
        )

    def expected(self) -> str:
        """Say what is accepted."""
        if self.unit == PURE:
            return f"a number, {_FORMS}"
        return (
            f"a number ({self.plain_unit}{self.per and f' for each {self.per}'}), {_FORMS}, "
            f"or with a unit: '{1} {self.plain_unit}'"
        )

    def _ends(self, value: list[Any] | tuple[Any, ...]) -> tuple[float, float, float]:
        ends: list[float] = []
        objections: list[Objection] = []
        for index, item in enumerate(value[: len(("low", "likely", "high"))]):
            try:
                ends.append(self._number(item, (index,)))
            except ObjectionsError as error:
                objections += error.objections
        if objections:
            raise ObjectionsError(*objections)
        if len(value) == len(("low", "high")):
            low, high = ends
            likely = low + (high - low) / 2
        elif len(value) == len(("low", "likely", "high")):
            low, likely, high = ends
        else:
            count = f"{len(value)} number{'' if len(value) == 1 else 's'}"
            raise ObjectionsError(Objection(f"a range has {count}", self.expected()))
        if not low <= likely <= high:
            given = ", ".join(shown(item) for item in value)
            what = f"the values of a range must increase: [{given}]"
            raise ObjectionsError(Objection(what, _FORMS))
        return low, likely, high

    def _number(self, value: Any, at: tuple[int, ...]) -> float:
        number: float
        if isinstance(value, str):
            number = self._with_unit(value, at)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            number = value
        else:
            what = "no value is given" if value is None else f"{shown(value)} is not a quantity"
            raise ObjectionsError(Objection(what, self.expected(), at=at))
        if number < 0:
            raise ObjectionsError(Objection(f"{shown(value)} is negative", "0 or more", at=at))
        if self.above_zero and number == 0:
            raise ObjectionsError(Objection("must not be 0", "more than 0", at=at))
        # Also refuses what is not a number at all, which no comparison holds for.
        if not number <= self.at_most:
            most = (
                f"at most {self.at_most:,.0f}{'' if self.unit == PURE else ' ' + self.plain_unit}"
            )
            raise ObjectionsError(Objection(f"{shown(value)} is too large", most, at=at))
        return float(number)

    def _with_unit(self, text: str, at: tuple[int, ...]) -> float:
        found = _WITH_UNIT.fullmatch(text) if len(text) <= SHOWN_CHARACTERS else None
        if found is None:
            what = f"{shown(text)} is not a quantity"
            raise ObjectionsError(Objection(what, self.expected(), at=at))
        number, unit = found.groups()
        if not unit:
            hint = "leave out the quotes, or add the unit"
            what = f"{shown(text)} is text without a unit"
            raise ObjectionsError(Objection(what, self.expected(), hint, at))
        return float(number) * self._factor(unit, at)

    def _factor(self, unit: str, at: tuple[int, ...]) -> float:
        singular = _PLURAL.sub(r"\1", unit)
        for given in (singular, f"{singular}*{self.per}") if self.per else (singular,):
            try:
                return units.factor(given, self.unit)
            except UnitError:
                continue
        what = f"{shown(unit)} cannot be converted into {self.plain_unit}"
        raise ObjectionsError(Objection(what, self.expected(), at=at))


def with_statement(read: Callable[[Any, Statement], Any]) -> CoreSchema:
    """Make a field's schema from a reader that also wants to know what is said of the value."""

    def check(value: Any, info: core_schema.ValidationInfo) -> Any:
        return read(value, statement_of(value, info.context))

    return core_schema.with_info_plain_validator_function(check)
