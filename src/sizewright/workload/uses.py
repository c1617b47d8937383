"""Which volumes a service reads and writes, by weight."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic_core import CoreSchema, core_schema

from sizewright.errors import shown
from sizewright.quantity import Quantity
from sizewright.schema.fields import Name
from sizewright.schema.objections import Objection, ObjectionsError
from sizewright.schema.quantity import QuantityField
from sizewright.schema.schema import Below, JsonSchema
from sizewright.schema.statements import statement_of
from sizewright.units import PURE

_WEIGHT = QuantityField(PURE, above_zero=True)
_EXPECTED = "volumes with weights, {mail: 60, binaries: 40}, or a list of volumes"


class _UsesField:
    def core(self, shape: Any) -> CoreSchema:
        """Make the field's schema."""
        return core_schema.with_info_plain_validator_function(
            lambda value, info: read_uses(value, info.context)
        )

    def json(self, shape: Any, below: Below) -> JsonSchema:
        """Weights by volume, or a list of volumes."""
        weights = {
            "type": "object", "additionalProperties": _WEIGHT.json(Quantity, below),
            "propertyNames": {"pattern": r"\S"}, "minProperties": 1,
        }  # fmt: skip
        volumes = {"type": "array", "minItems": 1, "uniqueItems": True, "items": below(Name)}
        return {"anyOf": [weights, volumes]}


def read_uses(value: Any, known: Any) -> dict[str, Quantity]:
    """Read weights by volume; a list weighs its volumes alike. Raises ObjectionsError."""
    if isinstance(value, (list, tuple)):
        pairs: list[tuple[Any, Any, str | int]] = [
            (name, None, index) for index, name in enumerate(value)
        ]
    elif isinstance(value, dict):
        pairs = [(name, weight, name) for name, weight in value.items()]
    else:
        what = "no value is given" if value is None else f"{shown(value)} is not allowed here"
        raise ObjectionsError(Objection(what, _EXPECTED))
    uses: dict[str, Quantity] = {}
    objections: list[Objection] = []
    for name, weight, step in pairs:
        if not isinstance(name, str) or not name.strip():
            objections.append(Objection(f"{shown(name)} is no volume", _EXPECTED, at=(step,)))
        elif name in uses:
            objections.append(Objection(f"{shown(name)} is listed twice", at=(step,)))
        elif isinstance(value, dict):
            try:
                uses[name] = _WEIGHT.read(weight, statement_of(weight, known))
            except ObjectionsError as error:
                objections += [o._replace(at=(step, *o.at)) for o in error.objections]
        else:
            said = statement_of(name, known)
            uses[name] = _WEIGHT.read(1, said._replace(name=f"{said.name}.{name}"))
    if not pairs:
        objections.append(Objection("names no volume", _EXPECTED))
    if objections:
        raise ObjectionsError(*objections)
    return uses


Uses = Annotated[dict[str, Quantity], _UsesField()]
