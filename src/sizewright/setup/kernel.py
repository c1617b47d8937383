"""Values of the kernel's parameters for a machine and its work."""

from __future__ import annotations

from math import floor

from sizewright.demand.model import Item
from sizewright.demand.usage import Usage
from sizewright.guide.model import Guide, Row
from sizewright.quantity import Quantity, count, largest, total
from sizewright.units import PURE

_TABLE = "tunables"
_NFSD = "nfsd"


def nfsd(usage: Usage, platform: Row, guide: Guide) -> Quantity | None:
    """How many nfsd a file server starts; None of others, and where processes are not known.

    As many as are customary (2.2.3), and where contexts are few, as leave one for each process.
    """
    row = guide.tables[_TABLE].rows.get(_NFSD) if _TABLE in guide.tables else None
    usual = row.find("recommended") if row else None
    if usual is None or usage.processes is None or "nfs" not in (usage.services or ()):
        return None
    started, unit = usual.high, contexts(platform, guide)
    if unit is not None:
        others = total((item.figure for item in usage.processes), PURE)
        left = floor(unit.low - others.high) - 1
        started = max(usual.low, min(usual.high, left))
    return count(started, "nfsd processes started")


def contexts(platform: Row, guide: Guide) -> Quantity | None:
    """The contexts of a platform whose memory unit has one for each process (2.2.3, Table 4)."""
    unit = platform.text("mmu")
    row = guide.row("mmu", unit) if unit else None
    return row.find("contexts") if row and row.text("mmu_type") == "SRAM" else None


def processes(
    usage: Usage, platform: Row, guide: Guide, started: Quantity | None
) -> tuple[Item, ...] | None:
    """The processes that are active at once, nfsd among them: as stated, else as advised."""
    if usage.processes is None:
        return None
    own = started or nfsd(usage, platform, guide)
    return ((Item(_NFSD, own),) if own is not None else ()) + usage.processes


def maxusers(memory_mb: float, guide: Guide) -> Quantity | None:
    """Return MAXUSERS for so much memory: what is printed for its size or the next smaller one.

    It is no less than Rule XXII asks (section 2.10.4).
    """
    rows = [row for row in guide.tables.get(_TABLE, ()) if row.text("name") == "MAXUSERS"]
    found = [each for row in rows if (each := _asked(row, memory_mb)) is not None]
    return largest(*found) if found else None


def _asked(row: Row, memory_mb: float) -> Quantity | None:
    """Return what one row asks of a machine of so much memory, None if it is for larger ones."""
    each = row.find("recommended_per_mb")
    if each is not None:
        return each * count(memory_mb, "memory installed", "MB")
    least, most = row.find("memory_from_mb"), row.find("memory_to_mb")
    above = least is not None and (memory_mb >= least.likely if most else memory_mb > least.likely)
    return row.find("recommended") if above else None
