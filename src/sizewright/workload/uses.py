"""Which volumes a service reads and writes, by weight."""

from typing import Annotated, Any

from sizewright.errors import shown
from sizewright.quantity import Quantity
from sizewright.schema.model import (
    FieldError,
    FieldMarker,
    InvalidFieldError,
    JsonSchema,
    Name,
    marker_of,
)
from sizewright.schema.quantity import QuantityField, origin_of
from sizewright.units import PURE

_WEIGHT = QuantityField(PURE, above_zero=True)
_EXPECTED = "volumes with weights, {mail: 60, binaries: 40}, or a list of volumes"


class _UsesField(FieldMarker):
    __slots__ = ()

    def read(self, value: Any, origins: Any) -> dict[str, Quantity]:
        """Return weights by volume; raises InvalidFieldError."""
        return read_uses(value, origins)

    def json_schema(self) -> JsonSchema:
        """Return weights by volume, or a list of volumes."""
        weights = {
            "type": "object", "additionalProperties": _WEIGHT.json_schema(),
            "propertyNames": {"pattern": r"\S"}, "minProperties": 1,
        }  # fmt: skip
        volumes = {
            "type": "array",
            "minItems": 1,
            "uniqueItems": True,
            "items": marker_of(Name).json_schema(),
        }
        return {"anyOf": [weights, volumes]}


def read_uses(value: Any, known: Any) -> dict[str, Quantity]:
    """Read weights by volume; a list weighs its volumes alike. Raises InvalidFieldError."""
    if isinstance(value, (list, tuple)):
        pairs: list[tuple[Any, Any, str | int]] = [
            (name, None, index) for index, name in enumerate(value)
        ]
    elif isinstance(value, dict):
        pairs = [(name, weight, name) for name, weight in value.items()]
    else:
        what = "no value is given" if value is None else f"{shown(value)} is not allowed here"
        raise InvalidFieldError(FieldError(what, _EXPECTED))
    uses: dict[str, Quantity] = {}
    objections: list[FieldError] = []
    for name, weight, step in pairs:
        if not isinstance(name, str) or not name.strip():
            objections.append(FieldError(f"{shown(name)} is no volume", _EXPECTED, at=(step,)))
        elif name in uses:
            objections.append(FieldError(f"{shown(name)} is listed twice", at=(step,)))
        elif isinstance(value, dict):
            try:
                uses[name] = _WEIGHT.read(weight, known)
            except InvalidFieldError as error:
                objections += [o._replace(at=(step, *o.at)) for o in error.errors]
        else:
            origin = origin_of(name, known)
            uses[name] = _WEIGHT.read_from(1, origin._replace(name=f"{origin.name}.{name}"))
    if not pairs:
        objections.append(FieldError("names no volume", _EXPECTED))
    if objections:
        raise InvalidFieldError(*objections)
    return uses


Uses = Annotated[dict[str, Quantity], _UsesField()]
