"""How fast processors are, each machine by one figure; measured costs go by the ratio."""

from __future__ import annotations

from sizewright.configuration.model import System
from sizewright.guide.model import Guide
from sizewright.quantity import Quantity


def mips_of(platform: str, guide: Guide) -> Quantity:
    """The speed of one processor of a platform, in MIPS."""
    return guide.row("platforms", platform).figure("mips")


def speed_ratio(guide: Guide, measured_on: str, system: System) -> Quantity:
    """The speed of the machine measured over that of a processor of this system."""
    return mips_of(measured_on, guide) / mips_of(system.platform, guide)
