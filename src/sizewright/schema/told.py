"""A value whose meaning only the guide knows: kept as it was told, with where it stands."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from pydantic_core import CoreSchema

from sizewright.schema.quantity import with_statement
from sizewright.schema.schema import Below, JsonSchema
from sizewright.schema.statements import Statement


class Told(NamedTuple):
    """A number, text, yes or no, or a list of them, as it stands in a file."""

    value: Any
    statement: Statement


class _ToldField:
    def core(self, shape: Any) -> CoreSchema:
        """Take any value; the guide's reader says what is wrong with it."""
        return with_statement(Told)

    def json(self, shape: Any, below: Below) -> JsonSchema:
        """What may stand there."""
        one = [{"type": kind} for kind in ("number", "string", "boolean")]
        return {"anyOf": [*one, {"type": "array", "items": {"anyOf": one}}]}


ToldValue = Annotated[Told, _ToldField()]
