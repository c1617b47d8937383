"""The base of all records: their keys state type and meaning, and give JSON and JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, PlainSerializer
from pydantic.json_schema import GenerateJsonSchema

from sizewright.output.wording import plain_number
from sizewright.schema.jsonschema import DIALECT

JsonData = dict[str, Any]
End = Literal["low", "likely", "high"]


Number = Annotated[float, PlainSerializer(plain_number)]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
# A value of any kind that is not a list; an object is a quantity.
_ANY: list[JsonValue] = ["object", "number", "string", "boolean", "null"]
Value = Annotated[Any, Field(json_schema_extra={"type": _ANY})]


def doc(description: str, **rest: Any) -> Any:
    """Return the declaration of a key, with its meaning for the schema and the reference page."""
    return Field(description=description, **rest)


class Record(BaseModel):
    """A JSON object. Its fields are its keys, in the order in which they are written.

    A field takes a record, or any object that has the record's fields as attributes.
    """

    model_config = ConfigDict(from_attributes=True, extra="forbid", defer_build=True)

    @classmethod
    def make(cls, source: object = None, /, **computed: Any) -> Self:
        """Return a record of what is computed, and of an object's attributes for other keys."""
        fields = cls.model_fields.items()
        keys = [field.alias or name for name, field in fields if field.is_required()]
        found = {key: getattr(source, key) for key in keys if key not in computed}
        return cls.model_validate(found | computed)

    def as_data(self) -> JsonData:
        """Return the record as plain data; a key that is optional and was not given is left out."""
        return self.model_dump(by_alias=True, exclude_unset=True)


def record_schema(record: type[Record]) -> JsonData:
    """Return the JSON Schema of a record that is a document by itself."""
    found = record.model_json_schema(schema_generator=_Generator)
    contract = found["properties"]["schema"]["const"]
    return {"$schema": DIALECT, "$id": contract, **found}


class _Generator(GenerateJsonSchema):
    """Leaves out defaults, and titles, which only repeat the names of keys and records."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return that no key has a title."""
        return False

    def default_schema(self, schema: Any) -> JsonData:
        """Return the schema of a key that may be left out."""
        return self.generate_inner(schema["schema"])

    def model_schema(self, schema: Any) -> JsonData:
        """Return the schema of a record, with its docstring as one paragraph."""
        found = super().model_schema(schema)
        del found["title"]
        return found | {"description": " ".join(found["description"].split())}
