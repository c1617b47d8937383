"""Does one thing for many, and tells the faults of all of them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from sizewright.errors import Diagnostic, InputError, tried

A = TypeVar("A")
T = TypeVar("T")


def for_all(work: Callable[[A], T], wanted: Iterable[A]) -> tuple[T, ...]:
    """What some work gives for each; raises InputFaults with the faults of all."""
    faults: list[Diagnostic] = []
    found = [tried(faults, partial(work, one)) for one in wanted]
    if faults:
        raise InputError(faults)
    return tuple(one for one in found if one is not None)
