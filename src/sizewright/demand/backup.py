"""The drives of backups, and how fast they work together (1.1.7, 2.4.2)."""

from collections.abc import Iterable, Mapping

from sizewright.demand.model import Backup, Demand, NetworkDemand, VolumeDemand
from sizewright.demand.rates import FILE_SYSTEM, LineItem, sum_lines
from sizewright.demand.usage import VolumeUse
from sizewright.guide.model import Guide, Row, effective_kb_per_s
from sizewright.quantity import Quantity, count, largest, smallest, total
from sizewright.units import PURE
from sizewright.workload.volume import BACKUP_INDEX, SWAP
from sizewright.workload.workload import BackupTerms

MEDIA = "removable-media"
# Swap space, and indexes that the software makes itself.
_NEVER_SAVED = (SWAP, BACKUP_INDEX)


def with_terms(when: Backup, stated: BackupTerms, guide: Guide) -> Backup:
    """Return a backup with what a workload or a box states of its time, drives and extent."""
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
    return asked._replace(over_kb_per_s=rate)


def with_speed_of_network(demand: Demand, guide: Guide) -> Demand:
    """Return a demand whose backup is no faster than a network to its drives.

    While the system is in use, it has what other data leaves. Nothing changes if the medium is not
    known.
    """
    backup, media = demand.backup, guide.table("network-media").rows
    network = next((n for n in demand.networks if n.name == backup.over), None)
    medium = media.get(network.medium) if network is not None else None
    speed = effective_kb_per_s(medium) if medium is not None else None
    if network is None or speed is None or backup.over_kb_per_s is None:
        return demand
    if backup.while_in_use:
        speed = _left_for_window(speed, network, demand)
    rate = smallest(backup.over_kb_per_s, speed)
    return demand._replace(backup=backup._replace(over_kb_per_s=rate))


def saved_mb(data: VolumeDemand | VolumeUse) -> Quantity | None:
    """Return what a full backup saves of a volume, in MB; None if nothing, or if not known."""
    if data.saved_mb is not None:
        return data.saved_mb
    return None if data.use in _NEVER_SAVED else data.size_mb


def saved_files_mb(volumes: Iterable[VolumeDemand | VolumeUse]) -> Quantity:
    """Return the MB of files that a full backup saves, without the operating system."""
    files = (saved_mb(data) for data in volumes if data.use == FILE_SYSTEM)
    return total((mb for mb in files if mb is not None), "MB")


def rate_left(speed: Quantity, others: Quantity) -> Quantity:
    """Return the KB/s that other data leaves of a network; of a full one next to nothing.

    That is one, so little that no window is kept.
    """
    return largest(speed - others, count(1, "next to nothing", "KB/s"))


def _left_for_window(speed: Quantity, network: NetworkDemand, demand: Demand) -> Quantity:
    """Return what other data leaves of each of the fewest networks that keep the window.

    The clients are divided over them. Without a window, they are the fewest that are not full.
    """
    backup, end = demand.backup._replace(over_kb_per_s=None), demand.size_for
    sent = demand._replace(backup=backup).data()
    lines = tuple(LineItem(t.service, t.kb_per_s) for t in sent if t.network == network.name)
    others = sum_lines(demand.at_peak(lines), "KB/s")
    left = [
        rate_left(speed, others if n == 1 else others / count(n, "networks of a backup"))
        for n in range(1, network.segments_at_most + 1)
    ]
    drives = demand.backup.over_kb_per_s
    if drives is None or backup.window is None:
        return next((rate for rate in left if rate.low > 1), left[-1])
    most_hours = backup.window.at(end)
    data = total((mb for each in demand.volumes if (mb := saved_mb(each)) is not None), "MB")
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
