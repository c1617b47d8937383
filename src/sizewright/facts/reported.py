"""What a system reports by names of its guide: facts beside those of its record, for any rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sizewright.facts.fact import Fact
from sizewright.guide.model import Guide
from sizewright.guide.reported import declared


class Reported:
    """What a system reports, by the names of the facts; every other one is unknown."""

    __slots__ = ("id", "values")

    def __init__(self, ident: str, values: Mapping[str, Any]) -> None:
        self.id = ident
        self.values = values

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.values.get(name)

    @property
    def _fields(self) -> tuple[str, ...]:
        return ("id", *self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.id, *self.values.values()))

    def _replace(self, **values: Any) -> Reported:
        return Reported(self.id, {**self.values, **values})


def reported_facts(guide: Guide) -> dict[str, Fact]:
    """Every fact that a guide has boxes report, by name."""
    return {
        name: Fact(
            row.text("kind"), row.text("unit"), row.text("doc"), one_of=row.list("one_of"),
            seen=True,
        )
        for name, row in declared(guide).items()
    }  # fmt: skip
