"""How much longer a request takes at a resource that others use too."""

from __future__ import annotations

from sizewright.quantity import Quantity, as_quantity


def stretch(utilisation: Quantity, servers: int = 1) -> Quantity | None:
    """Return the factor by which time in service grows: 1 ÷ (1 − utilisation^servers).

    None if the resource may be fully used, as requests then wait without end.
    """
    all_busy = utilisation
    for _ in range(1, servers):
        all_busy = all_busy * utilisation
    free = as_quantity(1) - all_busy
    return as_quantity(1) / free if free.low > 0 else None
