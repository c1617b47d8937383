"""Budgets built by hand, of leaves that a test knows."""

from __future__ import annotations

from sizewright.budgets.model import Budget
from sizewright.figure import Figure, Source


def leaf(
    name: str, low: float, high: float | None = None, unit: str = "1", kind: str = "input"
) -> Figure:
    """A leaf under a name, which is also the place where it stands."""
    top = low if high is None else high
    return Figure(low, (low + top) / 2, top, unit, name=name, source=Source(kind, f"at {name}"))


def budget(
    name: str, used: Figure | None, limit: Figure | None, capacity: Figure | None = None
) -> Budget:
    """A budget as far as its verdict hangs on it."""
    return Budget(
        resource=f"one/{name}", system="one", kind=name, name="", unit="1", items=(), used=used,
        capacity=capacity, limit=limit, limit_rule="", utilisation=None, verdict="holds",
    )  # fmt: skip
