"""Of those whom a service is for, how many work at once."""

from __future__ import annotations

from sizewright.quantity import Quantity, count
from sizewright.workload import AtOnce
from sizewright.workload.service import at_work


def active_of(active: Quantity | AtOnce | None, everybody: Quantity, called: str) -> Quantity:
    """Those who work at once: all, so many, or a share of them, which is then `called` so."""
    working = at_work(active, everybody)
    return working.named(called) if isinstance(active, AtOnce) else working


def one_each(clients: Quantity) -> Quantity:
    """A process for each client or session."""
    return clients * count(1, "a process for each", "1/client")
