"""The drives of backups, and how fast they work together (1.1.7, 2.4.2)."""

from collections.abc import Mapping

from sizewright.demand.model import Backup, VolumeDemand
from sizewright.demand.usage import VolumeUse
from sizewright.guide.model import Guide, Row
from sizewright.quantity import Quantity, count, largest, smallest, total
from sizewright.units import PURE
from sizewright.workload.volume import BACKUP_INDEX, SWAP
from sizewright.workload.workload import BackupTerms

MEDIA = "removable-media"
# Swap space, and indexes that the software makes itself.
_NEVER_SAVED = (SWAP, BACKUP_INDEX)


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
    rate = drives_rate(drives_elsewhere(asked.drives_at_most, guide), guide)
    return asked._replace(
        over_kb_per_s=rate if rate is None or speed is None else smallest(rate, speed)
    )


def saved_mb(data: VolumeDemand | VolumeUse) -> Quantity | None:
    """Return what a full backup saves of a volume, in MB; None if nothing, or if not known."""
    if data.saved_mb is not None:
        return data.saved_mb
    return None if data.use in _NEVER_SAVED else data.size_mb


def rate_left(speed: Quantity, others: Quantity) -> Quantity:
    """Return the KB/s that other data leaves of a network; of a full one next to nothing.

    That is one, so little that no window is kept.
    """
    return largest(speed - others, count(1, "next to nothing", "KB/s"))


def rate_for_window(
    speed: Quantity, others: Quantity, most: int, data: Quantity, asked: BackupTerms, guide: Guide,
    end: str,
) -> Quantity:  # fmt: skip
    """Return what is left of each of the fewest of `most` networks that keep the window.

    The clients are divided over them. Without a window, they are the fewest that are not full.
    """
    drives = drives_rate(drives_elsewhere(asked.tapes_at_most or 0, guide), guide)
    left = [
        rate_left(speed, others if n == 1 else others / count(n, "networks of a backup"))
        for n in range(1, most + 1)
    ]
    if drives is None or asked.window is None:
        return next((rate for rate in left if rate.low > 1), left[-1])
    most_hours = asked.window.at(end)
    hours = (((data.to("KB") / smallest(drives, rate)).to("h").at(end), rate) for rate in left)
    return next((rate for needed, rate in hours if needed <= most_hours), left[-1])


def backup_drives(guide: Guide) -> tuple[Row, ...]:
    """Return the devices of a guide that are fit for backups."""
    return tuple(row for row in guide.table(MEDIA) if "backup" in row.list("use"))


def drives_elsewhere(most: int, guide: Guide) -> Mapping[str, int]:
    """Return the drives behind a network: the first model that is fit and has a known rate."""
    rated = (row.id for row in backup_drives(guide) if row.cell("transfer_kb_per_s") is not None)
    return {row: max(1, most) for row in (next(rated, ""),) if row}


def drives_rate(drives: Mapping[str, int], guide: Guide) -> Quantity | None:
    """Return the KB/s of all drives together; None if one has no known rate, or there is none."""
    rates = []
    for name, number in drives.items():
        rate = guide.row(MEDIA, name).cell("transfer_kb_per_s")
        if rate is None:
            return None
        rates.append(rate if number == 1 else rate * count(number, f"drives: {name}"))
    return total(rates, "KB/s") if rates else None
