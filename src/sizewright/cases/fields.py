"""Takes fields out of a fixture's mappings, noting what is wrong with each and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

from sizewright.cases.arithmetic import ExpressionError, evaluate
from sizewright.cases.model import Value
from sizewright.documents import Document
from sizewright.errors import Diagnostic, Location, did_you_mean, join_or, shown

Path = tuple[str | int, ...]


class Fields:
    """A mapping of a document, read field by field; faults go to the list it was given."""

    def __init__(self, document: Document, path: Path, data: Any, faults: list[Diagnostic]) -> None:
        self.document = document
        self.path = path
        self.faults = faults
        self.data: Mapping[str, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            self.fault("", f"is {shown(data)}", "a mapping")

    @property
    def place(self) -> Location:
        """Where the mapping stands."""
        return self.document.place(self.path)

    def fault(self, key: str, what: str, expected: str = "", hint: str = "") -> None:
        """Note what is wrong with a field."""
        place = self.document.place((*self.path, key) if key else self.path)
        self.faults.append(Diagnostic(place, f"{key} {what}" if key else what, expected, hint))

    def only(self, allowed: Iterable[str]) -> None:
        """Refuse every other key."""
        known = tuple(allowed)
        for key in self.data:
            if key not in known:
                self.fault(
                    key, "is not known here", f"one of {join_or(known)}", did_you_mean(key, known)
                )

    def text(self, key: str, required: bool = False, one_of: tuple[str, ...] = ()) -> str:
        """A text, empty where it is left out."""
        value = self.data.get(key)
        if value is None and not required:
            return ""
        if not isinstance(value, str) or not value:
            self.fault(key, f"is {shown(value)}", "a text")
            return ""
        if one_of and value not in one_of:
            self.fault(
                key, f"is {shown(value)}", f"one of {join_or(one_of)}", did_you_mean(value, one_of)
            )
        return str(value)

    def number(self, key: str, required: bool = False) -> float | None:
        """A number, None where it is left out."""
        value = self.data.get(key)
        if _is_number(value):
            return value
        if value is not None or required:
            self.fault(key, f"is {shown(value)}", "a number")
        return None

    def flag(self, key: str) -> bool:
        """A flag, false where it is left out."""
        value = self.data.get(key, False)
        if not isinstance(value, bool):
            self.fault(key, f"is {shown(value)}", "true or false")
        return value is True

    def value(self, key: str) -> Value:
        """A number, a range or a text."""
        value = self.data.get(key)
        if _is_number(value):
            return value
        if isinstance(value, list) and len(value) == 2 and all(map(_is_number, value)):
            low, high = value
            if low <= high:
                return low, high
        if isinstance(value, str) and value:
            return str(value)
        self.fault(key, f"is {shown(value)}", "a number, [low, high] or a text")
        return ""

    def expressions(self, key: str, required: bool = False) -> tuple[str, ...]:
        """One expression of plain arithmetic, or a low and a high one; checked."""
        value = self.data.get(key)
        if value is None and not required:
            return ()
        found = value if isinstance(value, list) else [value]
        if len(found) not in (1, 2) or not all(_is_number(f) or isinstance(f, str) for f in found):
            self.fault(key, f"is {shown(value)}", "an expression, or [low, high] of two")
            return ()
        texts = tuple(map(str, found))
        for text in texts:
            try:
                evaluate(text)
            except ExpressionError as error:
                self.fault(key, str(error), "numbers, + - * /, parentheses and ceil(…)")
                return ()
        return texts

    def list(self, key: str) -> list[Any]:
        """A list, empty where it is left out."""
        value = self.data.get(key, [])
        if not isinstance(value, list):
            self.fault(key, f"is {shown(value)}", "a list")
            return []
        return value

    def below(self, *path: str | int) -> Fields:
        """The fields of a mapping inside this one."""
        value: Any = self.data
        for step in path:
            value = value[step]
        return Fields(self.document, (*self.path, *path), value, self.faults)


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
