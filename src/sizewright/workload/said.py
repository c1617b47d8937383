"""What every object of a workload may say of its own fields: where the source states them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, field_validator

from sizewright.errors import listed, meant, shown
from sizewright.workload.fields import Name, OneOf, Text
from sizewright.workload.objections import Objection, ObjectionsError


class Saying(BaseModel):
    """The section of a source that states a field, and whether as fact or as assumption."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    section: Name
    kind: Annotated[Literal["fact", "assumption"], OneOf()]
    note: Text | None = None


class Stated(BaseModel):
    """An object whose fields may carry their source."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    said: dict[str, Saying] = {}

    @field_validator("said")
    @classmethod
    def _speaks_of_fields(cls, said: dict[str, Saying]) -> dict[str, Saying]:
        if said:
            fields = [name for name in cls.model_fields if name != "said"]
            strange = [
                Objection(
                    f"{shown(key)} is no field of this object",
                    f"one of {listed(fields)}",
                    meant(key, fields),
                    (key,),
                )
                for key in said
                if key not in fields
            ]
            if strange:
                raise ObjectionsError(*strange)
        return said
