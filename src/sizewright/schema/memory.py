"""Sizes of memory: as other quantities, but of a GB that is 1024 MB."""

from __future__ import annotations

import re

from sizewright import units
from sizewright.schema.quantity import QuantityField

_GB = re.compile(r"\bGBs?\b")


class MemoryQuantity(QuantityField):
    """Marks a Quantity field that holds a size of memory.

    Memory is made in powers of two, so that ``64 GB`` are 65,536 MB here, and 64,000 of a disk.
    """

    __slots__ = ()

    def _factor(self, unit: str, at: tuple[int, ...]) -> float:
        factor = super()._factor(unit, at)
        return factor / units.MB_PER_GB * units.MB_PER_GB_OF_MEMORY if _GB.search(unit) else factor
