"""What a field has to say against its value, in plain words; the reader adds the place."""

from __future__ import annotations

from typing import NamedTuple


class Objection(NamedTuple):
    """One thing wrong with a value; `at` leads from that value to the part meant."""

    what: str
    expected: str = ""
    hint: str = ""
    at: tuple[str | int, ...] = ()


class ObjectionsError(ValueError):
    """Raised by a field's check; carries every objection."""

    def __init__(self, *objections: Objection) -> None:
        self.objections = objections
        super().__init__("; ".join(objection.what for objection in objections))
