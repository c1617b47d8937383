"""Of those whom a service is for, how many work at once."""

from __future__ import annotations

from sizewright.figure import Figure, count
from sizewright.workload import AtOnce
from sizewright.workload.service import at_work


def active_of(active: Figure | AtOnce | None, everybody: Figure, called: str) -> Figure:
    """Those who work at once: all, so many, or a share of them, which is then `called` so."""
    working = at_work(active, everybody)
    return working.named(called) if isinstance(active, AtOnce) else working


def one_each(clients: Figure) -> Figure:
    """A process for each client or session."""
    return clients * count(1, "a process for each", "1/client")
