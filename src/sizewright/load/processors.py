"""Processors: their speed, and how much longer requests take at a resource that others use too."""

from __future__ import annotations

from sizewright import units
from sizewright.configuration.model import System
from sizewright.guide.model import Guide
from sizewright.quantity import Provenance, Quantity, as_quantity


def mips_of(platform: str, guide: Guide) -> Quantity:
    """Return the speed of one processor of a platform, in MIPS."""
    return guide.row("platforms", platform).figure("mips")


def speed_ratio(guide: Guide, measured_on: str, system: System) -> Quantity:
    """Return the speed of the machine measured over that of a processor of this system."""
    return mips_of(measured_on, guide) / mips_of(system.platform, guide)


def stretch(utilisation: Quantity, servers: int = 1) -> Quantity | None:
    """Return the factor by which time in service grows: 1 ÷ (1 − utilisation^servers).

    None if the resource may be fully used, as requests then wait without end.
    """
    all_busy = utilisation
    for _ in range(1, servers):
        all_busy = all_busy * utilisation
    free = as_quantity(1) - all_busy
    return as_quantity(1) / free if free.low > 0 else None


def processor_second(processors: int = 1) -> Quantity:
    """Return the time that processors have in a second, in ms/s."""
    ms = processors * units.MS_PER_S
    what = "one processor's time" if processors == 1 else f"the time of {processors} processors"
    return Quantity(ms, ms, ms, "ms/s", name=what, source=Provenance("definition", "1 s = 1000 ms"))
