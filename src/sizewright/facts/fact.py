"""What a fact is: its type, unit and meaning; and the facts that a guide declares itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from sizewright.guide.model import Guide, custom_facts
from sizewright.quantity import Quantity, ambiguous, count
from sizewright.units import PURE


class Kind(StrEnum):
    """The type of a fact or of a rule's parameter."""

    NUMBER = "number"
    TEXT = "text"
    FLAG = "flag"
    NAMES = "names"

    @property
    def words(self) -> str:
        """The type as messages name it."""
        return "a list of texts" if self is Kind.NAMES else f"a {self}"


class Fact(NamedTuple):
    """Type, unit and meaning of one fact or parameter; a unit of "" goes with any.

    Any fact may be unknown. An `optional` one may also be absent: a condition that uses it must
    first ask whether it is present. A `seen` one is known about existing servers only.
    """

    kind: Kind
    unit: str = ""
    doc: str = ""
    optional: bool = False
    one_of: tuple[str, ...] = ()
    seen: bool = False


Record = TypeVar("Record", bound=type)


def record(fields: Record) -> Record:
    """Return a class of records whose fields are declared by facts: all unknown until given."""
    made: Any = fields
    made.__new__.__defaults__ = ("", *[None] * (len(made._fields) - 1))
    return fields


def seen(fact: Fact) -> Any:
    """Return the fact as one that is known about existing servers only."""
    return fact._replace(seen=True)


def number(unit: str, doc: str, optional: bool = False) -> Any:
    """Declare a quantity, which may be a range."""
    return Fact(Kind.NUMBER, unit, doc, optional)


def text(doc: str, optional: bool = False, one_of: tuple[str, ...] = ()) -> Any:
    """Declare a text, one of a list if there is one."""
    return Fact(Kind.TEXT, "", doc, optional, one_of)


def flag(doc: str) -> Any:
    """Declare a flag."""
    return Fact(Kind.FLAG, "", doc)


def names(doc: str) -> Any:
    """Declare a list of texts."""
    return Fact(Kind.NAMES, "", doc)


Number = Quantity | float | None
Flag = bool | None
Text = str | None
Names = tuple[str, ...] | None


class Reported:
    """What a system reports, by the names of facts; all others are unknown."""

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
    """Return the facts that a guide declares itself, by name."""
    return {
        name: Fact(
            Kind(row.text("kind")), row.text("unit"), row.text("doc"),
            one_of=row.list("one_of"), seen=True,
        )
        for name, row in custom_facts(guide).items()
    }  # fmt: skip


def count_known(found: int, unknown: int, what: str, unit: str = PURE) -> Quantity | None:
    """Return how many parts were found if some are unknown; None if no part was found yet."""
    least = count(found, what, unit)
    if not unknown:
        return least
    return ambiguous(least, count(found + unknown, what, unit)) if found else None


def count_true(answers: Sequence[bool | None], what: str, unit: str = PURE) -> Quantity | None:
    """Return how many answers are true; None is one that is unknown."""
    return count_known(answers.count(True), answers.count(None), what, unit)
