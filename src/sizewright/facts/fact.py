"""What one fact is: its type, unit and meaning, as the records annotate it."""

from typing import NamedTuple

from sizewright.quantity import Quantity


class Fact(NamedTuple):
    """Type, unit and meaning of one fact.

    Any fact may be unknown. An `optional` one may also have no object: a condition that uses it
    must ask first whether it is there. What is `seen` is only ever known of a box, never of a plan.
    """

    kind: str
    unit: str
    doc: str
    optional: bool = False
    one_of: tuple[str, ...] = ()
    seen: bool = False


def seen(fact: Fact) -> Fact:
    """The same fact, known only of a box that exists."""
    return fact._replace(seen=True)


def number(unit: str, doc: str, optional: bool = False) -> Fact:
    """A quantity, or two ends of one."""
    return Fact("number", unit, doc, optional)


def text(doc: str, optional: bool = False, one_of: tuple[str, ...] = ()) -> Fact:
    """A word, of a list if one is given."""
    return Fact("text", "", doc, optional, one_of)


def flag(doc: str, optional: bool = False) -> Fact:
    """Yes or no."""
    return Fact("flag", "", doc, optional)


def names(doc: str, optional: bool = False) -> Fact:
    """A list of words."""
    return Fact("names", "", doc, optional)


Number = Quantity | float | None
Flag = bool | None
Text = str | None
Names = tuple[str, ...] | None
