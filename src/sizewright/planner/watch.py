"""Whoever is told what is being tried while a search goes on."""

from __future__ import annotations

from collections.abc import Callable

Watch = Callable[[str], None]


def unwatched(_doing: str) -> None:
    """Nobody is told."""
