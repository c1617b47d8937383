"""Field types that hold other things: one of several classes, and lists that are not empty."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from sizewright.workload.objections import Objection, ObjectionsError


class Variants:
    """Marks a union field; `choose` names the member's class or raises ObjectionsError.

    The members of the union are models, and beside them at most one marked text.
    """

    __slots__ = ("choose",)

    def __init__(self, choose: Callable[[Any], str]) -> None:
        self.choose = choose

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        choices = {
            variant_name(member): handler.generate_schema(member) for member in get_args(source)
        }
        return core_schema.no_info_before_validator_function(
            self._checked, core_schema.tagged_union_schema(choices, self._chosen)
        )

    def _checked(self, value: Any) -> Any:
        self._chosen(value)
        return value

    def _chosen(self, value: Any) -> str:
        return type(value).__name__ if isinstance(value, BaseModel) else self.choose(value)


def variant_name(member: Any) -> str:
    """Name a member of a union: a model by its class, anything else as a name."""
    return member.__name__ if isinstance(member, type) else "Name"


class NotEmpty:
    """Marks a list that must hold something."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_before_validator_function(_not_empty, handler(source))


def _not_empty(value: Any) -> Any:
    if isinstance(value, (list, tuple)) and not value:
        raise ObjectionsError(Objection("the list is empty", "at least one"))
    return value
