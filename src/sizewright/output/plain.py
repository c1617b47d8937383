"""Values of the library as plain data, ready for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizewright.formula import formula
from sizewright.quantity import Quantity, leaves


def plain_number(value: float) -> float | int:
    """A number without a fraction as an integer, so that it reads as it was written."""
    return int(value) if value == int(value) else value


def quantity(figure: Quantity) -> dict[str, Any]:
    """The three values of a figure and its unit."""
    return {
        "low": plain_number(figure.low),
        "likely": plain_number(figure.likely),
        "high": plain_number(figure.high),
        "unit": figure.unit,
    }


def maybe(figure: Quantity | None) -> dict[str, Any] | None:
    """A quantity, or nothing where it is unknown."""
    return None if figure is None else quantity(figure)


def plain(value: Any) -> Any:
    """Records as mappings by field, figures as quantities, everything below them too."""
    if isinstance(value, Quantity):
        return quantity(value)
    if isinstance(value, float):
        return plain_number(value)
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", None)
        if fields is None:
            return [plain(item) for item in value]
        return {name: plain(item) for name, item in zip(fields, value, strict=True)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return value


def explained(figure: Quantity, end: str) -> dict[str, Any]:
    """A quantity with its formula in numbers and the sources of its leaves."""
    return {"used": quantity(figure), "formula": formula(figure, end), "sources": sources(figure)}


def sources(figure: Quantity) -> list[dict[str, Any]]:
    """Every leaf of a figure once, with where it stands."""
    found = {}
    for leaf in leaves(figure):
        source = leaf.source
        if source is None or (source.kind, source.where, leaf.name) in found:
            continue
        found[source.kind, source.where, leaf.name] = {
            "kind": source.kind,
            "name": leaf.name,
            "where": source.where,
            "cite": source.cite,
            "status": source.status,
            "value": quantity(leaf),
        }
    return list(found.values())
