"""Budgets built by hand, of leaves that a test knows."""

from __future__ import annotations

from sizewright.evaluate.budgets import Budget
from sizewright.quantity import Provenance, Quantity


def leaf(
    name: str, low: float, high: float | None = None, unit: str = "1", kind: str = "input"
) -> Quantity:
    """A leaf under a name, which is also the place where it stands."""
    top = low if high is None else high
    return Quantity(
        low, (low + top) / 2, top, unit, name=name, source=Provenance(kind, f"at {name}")
    )


def budget(
    name: str, used: Quantity | None, limit: Quantity | None, capacity: Quantity | None = None
) -> Budget:
    """A budget as far as its verdict hangs on it."""
    return Budget(
        resource=f"one/{name}", system="one", kind=name, name="", unit="1", items=(), used=used,
        capacity=capacity, limit=limit, limit_rule="", utilisation=None, verdict="holds",
    )  # fmt: skip
