"""The drives of backups, and how fast they work together (1.1.7, 2.4.2)."""

from collections.abc import Mapping, Sequence

from sizewright.demand.model import Backup
from sizewright.guide.model import Guide, Row
from sizewright.quantity import Quantity, count, smallest, total
from sizewright.units import PURE
from sizewright.workload.workload import BackupTerms

MEDIA = "removable-media"


def with_terms(when: Backup, stated: BackupTerms, speed: Quantity | None, guide: Guide) -> Backup:
    """Return a backup with what a workload or a box states of its time, drives and extent.

    `speed` is that of the network to the drives, if its medium is known.
    """
    part = stated.incremental_percent
    asked = when._replace(
        window=stated.window,
        drives_at_most=stated.tapes_at_most or 0,
        incremental=part and part.to(PURE),
        tape_mb=stated.tape_mb,
        over=stated.over or "",
    )
    if not asked.over:
        return asked
    rate = drives_rate(drives_elsewhere(asked, guide), guide)
    return asked._replace(
        over_kb_per_s=rate if rate is None or speed is None else smallest(rate, speed)
    )


def rate_left(speed: Quantity, others: Sequence[Quantity]) -> Quantity | None:
    """Return the KB/s that other data leaves of a network; None if it may take all."""
    left = speed - total(others, "KB/s") if others else speed
    return left if left.low > 0 else None


def backup_drives(guide: Guide) -> tuple[Row, ...]:
    """Return the devices of a guide that are fit for backups."""
    return tuple(row for row in guide.table(MEDIA) if "backup" in row.list("use"))


def drives_elsewhere(asked: Backup, guide: Guide) -> Mapping[str, int]:
    """Return the drives behind a network: the first model that is fit and has a known rate."""
    rated = (row.id for row in backup_drives(guide) if row.cell("transfer_kb_per_s") is not None)
    return {row: max(1, asked.drives_at_most) for row in (next(rated, ""),) if row}


def drives_rate(drives: Mapping[str, int], guide: Guide) -> Quantity | None:
    """Return the KB/s of all drives together; None if one has no known rate, or there is none."""
    rates = []
    for name, number in drives.items():
        rate = guide.row(MEDIA, name).cell("transfer_kb_per_s")
        if rate is None:
            return None
        rates.append(rate if number == 1 else rate * count(number, f"drives: {name}"))
    return total(rates, "KB/s") if rates else None
