"""A comparison as plain data: the contract `sizewright.compare/1`."""

from __future__ import annotations

from typing import Any

from sizewright.compare.columns import Column, Comparison

SCHEMA = "sizewright.compare/1"


def comparison_data(found: Comparison) -> dict[str, Any]:
    """Every column, in the order of the schema."""
    return {
        "schema": SCHEMA,
        "of": found.of,
        "holds": found.holds,
        "columns": [_column(column) for column in found.columns],
    }


def _column(column: Column) -> dict[str, Any]:
    return {
        **column._asdict(),
        "bottleneck": column.bottleneck and column.bottleneck._asdict(),
        "loads": [load._asdict() for load in column.loads],
        "parts": [part._asdict() for part in column.parts],
        "reasons": list(column.reasons),
    }
