"""How long a backup takes: data over the rate of the drives, and of a network to them (2.4.2)."""

from collections import Counter
from collections.abc import Mapping
from math import floor
from typing import NamedTuple

from sizewright.configuration.model import Port, System
from sizewright.demand.backup import (
    MEDIA,
    drives_elsewhere,
    drives_rate,
    rate_left,
    saved_files_mb,
    saved_mb,
)
from sizewright.demand.model import Backup
from sizewright.demand.rates import TO_TAPES, Known, LineItem, sum_lines
from sizewright.demand.usage import UsageProfile
from sizewright.guide.model import Guide, Row, effective_kb_per_s
from sizewright.load.model import Load
from sizewright.load.network_traffic import medium_of
from sizewright.quantity import Quantity, ceil, smallest


class BackupRun(NamedTuple):
    """A full backup: the data of each volume in MB, and the drives that work on it at once.

    `drives` are rows of removable-media, each with its number. They save `kb_per_s` together, or
    less if a network to them is slower. `media` is how many tapes a full backup fills, `tapes` how
    many the drives have inside; `too_much_mb` exceed one. None is unknown; so is everything else
    without drives.
    """

    asked: Backup
    data: Known
    drives: Mapping[str, int]
    kb_per_s: Quantity | None
    media: Quantity | None
    tapes: int
    too_much_mb: Quantity | None

    @property
    def data_mb(self) -> Quantity | None:
        """Return what a full backup saves, in MB."""
        return sum_lines(self.data, "MB")

    @property
    def hours(self) -> Known:
        """Return the hours of a full backup, a line for each volume."""
        if self.data is None or self.kb_per_s is None:
            return None
        return tuple(
            each._replace(figure=(each.figure.to("KB") / self.kb_per_s).to("h"))
            for each in self.data
        )

    @property
    def full_hours(self) -> Quantity | None:
        """Return the hours of a full backup."""
        return sum_lines(self.hours, "h")

    @property
    def daily_hours(self) -> Quantity | None:
        """Return the hours of a daily backup; None if it saves all data, or they are unknown."""
        hours, part = self.full_hours, self.asked.incremental
        return None if hours is None or part is None else hours * part

    @property
    def more_tapes_than(self) -> int:
        """Return a number of tapes that cannot hold the data, if their capacity is not stated."""
        data, each = self.data_mb, self.too_much_mb
        known = self.drives and self.media is None and data is not None and each is not None
        return floor(data.high / each.low) if known and data and each else 0

    @property
    def exceeds_tapes(self) -> bool | None:
        """Return whether the data needs more tapes than the drives have; None if unknown."""
        data, each = self.data_mb, self.too_much_mb
        if not self.drives or data is None:
            return None
        if self.media is not None:
            return self.media.high > self.tapes
        return (each is not None and data.high >= each.low * self.tapes) or None


def saved_data(usage: UsageProfile) -> Known:
    """Return what a full backup saves, in MB; None if a volume does not state its size."""
    if usage.stored_mb is None:
        return None
    saved = ((name, saved_mb(use)) for name, use in usage.volumes.items())
    return tuple(LineItem(name, size) for name, size in saved if size is not None and size.high)


def saved_files(usage: UsageProfile) -> Quantity | None:
    """Return the MB of files that a full backup saves; None if a volume's size or use is unknown.

    Raw data is saved by its own manager (1.2.6), and the operating system is no data.
    """
    if usage.stored_mb is None or any(use.use is None for use in usage.volumes.values()):
        return None
    return saved_files_mb(usage.volumes.values())


def backup_of(asked: Backup, data: Known, drives: Mapping[str, int], guide: Guide) -> BackupRun:
    """Return a full backup of data by these drives."""
    models = {name: guide.row(MEDIA, name) for name in drives}
    only = next(iter(models.values())) if len(models) == 1 else None
    holds = asked.tape_mb or (_capacity(only) if only else None)
    whole = sum_lines(data, "MB")
    media = None if whole is None or holds is None else ceil(whole / holds)
    tapes = sum(int(models[name].number("drives", 1)) * n for name, n in drives.items())
    too_much = only.cell("too_much_mb") if only else None
    return BackupRun(asked, data, drives, drives_rate(drives, guide), media, tapes, too_much)


def backup_elsewhere(asked: Backup, data: Known, guide: Guide) -> BackupRun:
    """Return a full backup over a network, as fast as the drives and a named medium allow."""
    run = backup_of(asked, data, drives_elsewhere(asked.drives_at_most, guide), guide)
    return run._replace(kb_per_s=asked.over_kb_per_s)


def backup_on(load: Load, system: System, guide: Guide) -> BackupRun | None:
    """Return the full backup of a system; None if none is wanted, or that is not stated."""
    usage = load.usage
    asked = usage.backup
    if asked is None or not asked.wanted:
        return None
    data = saved_data(usage)
    if not asked.over:
        attached = Counter(
            device.model for device in system.devices()
            if device.table == MEDIA and device.purpose == "backup"
        )  # fmt: skip
        return backup_of(asked, data, attached, guide)
    run = backup_elsewhere(asked, data, guide)
    port = next((port for port in system.ports if port.network == asked.over), None)
    speed = None if port is None else _speed_left(load, port, guide)
    if run.kb_per_s is None or speed is None:
        return run._replace(kb_per_s=None)
    return run._replace(kb_per_s=smallest(run.kb_per_s, speed))


def _speed_left(load: Load, port: Port, guide: Guide) -> Quantity | None:
    """Return the KB/s that a network has for a backup: less other data if the system is in use.

    None if the speed is not known.
    """
    speed, backup = effective_kb_per_s(medium_of(port, guide)), load.usage.backup
    if speed is None or backup is None or not backup.while_in_use:
        return speed
    others = [each for each in load.on_wire(port.id) or () if each.name != TO_TAPES]
    return rate_left(speed, sum_lines(others, "KB/s"))


def _capacity(model: Row) -> Quantity | None:
    """Return what one tape of a drive holds in MB, as far as the guide says."""
    whole, inside = model.cell("capacity_mb"), model.cell("drives")
    return whole if whole is None or inside is None else whole / inside
