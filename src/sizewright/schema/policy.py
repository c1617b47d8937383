"""How the plan is to be made where the guide leaves it open, or where it is overruled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic_core import CoreSchema, core_schema

from sizewright.errors import shown
from sizewright.quantity import Quantity
from sizewright.schema.fields import Name, OneOf, Text
from sizewright.schema.objections import Objection, ObjectionsError
from sizewright.schema.quantity import QuantityField
from sizewright.schema.said import Stated
from sizewright.schema.schema import Below, JsonSchema
from sizewright.units import PERCENT

SizeFor = Annotated[Literal["low", "likely", "high"], OneOf()]
FollowAdvice = Annotated[Literal["where_free", "always", "never"], OneOf()]


class _ParameterField:
    """A rule's parameter; its unit is the rule's, so it is only read when the guide is known."""

    def core(self, shape: Any) -> CoreSchema:
        """Make the field's schema."""
        return core_schema.no_info_plain_validator_function(_parameter)

    def json(self, shape: Any, below: Below) -> JsonSchema:
        """A number, a text, or several of them."""
        one: JsonSchema = {"type": ["number", "string"]}
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}


def _parameter(value: Any) -> float | str | tuple[float | str, ...]:
    items = value if isinstance(value, (list, tuple)) else (value,)
    for item in items:
        if isinstance(item, bool) or not isinstance(item, (int, float, str)):
            what = "no value is given" if item is None else f"{shown(item)} is not allowed here"
            raise ObjectionsError(Objection(what, "a number, text, or a list of them"))
    if not items:
        raise ObjectionsError(Objection("the list is empty", "a number, text, or a list of them"))
    return tuple(value) if isinstance(value, (list, tuple)) else value


ParameterValue = Annotated[float | str | tuple[float | str, ...], _ParameterField()]


@dataclass(frozen=True, kw_only=True, eq=False)
class Waiver(Stated):
    """A rule, by id, that is not to block the plan, and why not."""

    rule: Name
    reason: Text


@dataclass(frozen=True, kw_only=True, eq=False)
class Policy(Stated):
    """The end of ranges to size for, the mix where none is said, and what is overruled.

    `reserve` is the part of every limit on a load that stays free.
    `parameters` holds values by rule id and parameter name, as written: Quantity reads them once
    the unit is known.
    """

    size_for: SizeFor = "high"
    default_mix: Name | None = None
    follow_advice: FollowAdvice = "where_free"
    reserve: Annotated[Quantity, QuantityField("%", at_most=PERCENT)] | None = None
    parameters: dict[str, dict[str, ParameterValue]] = field(default_factory=dict)
    waive: tuple[Waiver, ...] = ()

    def objections(self) -> Iterator[Objection]:
        """Object to a rule that is waived twice: one of its reasons would be lost."""
        yield from super().objections()
        if self.reserve is not None and self.reserve.high >= PERCENT:
            yield Objection("nothing is left to use", "less than 100 %", at=("reserve",))
        seen: set[str] = set()
        for index, waiver in enumerate(self.waive):
            if waiver.rule in seen:
                what = f"rule {waiver.rule} is waived twice"
                yield Objection(what, "one reason a rule", at=("waive", index))
            seen.add(waiver.rule)
