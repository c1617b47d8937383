"""What the program computes of a quantity that a prediction names."""

from __future__ import annotations

from typing import Any

from predictions import loads, systems
from predictions.entries import Trial
from predictions.lookup import TABLE, NothingThereError

__all__ = ["NothingThereError", "loads", "systems", "value_of"]


def value_of(trial: Trial, quantity: str, subject: str) -> Any:
    """Return what the program computes: a figure, a budget, a word, or a tuple of them.

    Raises NothingThereError.
    """
    for pattern, extractor in TABLE:
        match = pattern.fullmatch(quantity)
        if match:
            found = extractor(trial, subject, *match.groups())
            if found is None or found == ():
                raise NothingThereError("nothing is there")
            return found
    raise NothingThereError("this quantity has no meaning in the program")
