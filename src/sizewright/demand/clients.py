"""Of those whom a service is for, how many work at once."""

from __future__ import annotations

from sizewright.figure import Figure
from sizewright.workload import AtOnce


def active_of(active: Figure | AtOnce | None, everybody: Figure, called: str) -> Figure:
    """Those who work at once: all, so many, or a share of them, which is then `called` so."""
    if isinstance(active, AtOnce):
        return (everybody * (active.at_once / active.of)).named(called)
    return active or everybody
