"""How much is tested: a part by `make test`, everything by `make test-deep`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

DEEP = os.environ.get("SIZEWRIGHT_TESTS") == "deep"


def part_of(items: Iterable[T], one_in: int) -> tuple[T, ...]:
    """All items in depth, else one of this many, the first among them."""
    return tuple(items)[:: 1 if DEEP else one_in]
