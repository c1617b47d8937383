"""Backups: when the tapes may run, how long, on how many drives, and how much they save."""

from typing import Annotated

from sizewright.quantity import Quantity
from sizewright.schema.model import Count, Flag, Name, SourcedModel
from sizewright.schema.quantity import QuantityField
from sizewright.units import PERCENT


class BackupTerms(SourcedModel):
    """How long a backup may take, on how many drives, and how much it saves.

    A full backup saves one copy of each volume except swap.
    """

    window: Annotated[Quantity, QuantityField("h", above_zero=True)] | None = None
    """Time in which a full backup must end; a plan has as many drives as that takes. Default: one
    drive, and the report states the hours."""
    tapes_at_most: Count | None = None
    """Most tape drives that may work on a backup at once, of all systems together; those under
    `removable_media` count. Default: as many as the window needs."""
    incremental_percent: (
        Annotated[Quantity, QuantityField("%", above_zero=True, at_most=PERCENT)] | None
    ) = None
    """Share of the data that a daily backup saves; the report states its hours too. Default: each
    backup saves all data."""
    tape_mb: Annotated[Quantity, QuantityField("MB", above_zero=True)] | None = None
    """What one tape holds; the report states how many tapes a full backup fills. Default: what the
    guide states of the drive, if it does."""
    over: Name | None = None
    """Network that leads to the drives, if they are on another system: `tapes_at_most` of them,
    else one. A plan has no drive then."""


class Backup(BackupTerms):
    """When the tapes may run, and whether the system is in use at night too."""

    during_working_hours: Flag = False
    """Tapes run during the load."""
    at_night_in_use: Flag = False
    """The system is also in use at night."""
