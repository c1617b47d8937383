"""How a disk is used: whether its data is hot, and in which pattern it is read."""

from __future__ import annotations

from typing import NamedTuple

from sizewright.configuration.model import System
from sizewright.demand.usage import Usage, VolumeUse


class DiskPattern(NamedTuple):
    """The access pattern that a disk sees, empty where nothing lies on it; None is unknown."""

    hot: bool | None
    access: str | None


def pattern_of(usage: Usage, system: System, disk: str) -> DiskPattern:
    """The use of a disk: as stated of the disk itself, else as of the volumes on it.

    A volume of which nobody said where it lies may lie on it too; what is certain all the same
    stands.
    """
    stated = usage.disks.get(disk)
    if stated is not None and (stated.access is not None or stated.hot is not None):
        return _alone(stated)
    if "volumes" in system.unstated:
        return DiskPattern(None, None)
    here, perhaps = [], []
    for volume in system.volumes:
        use = usage.volumes.get(volume.name)
        if not volume.copies:
            perhaps.append(_alone(use or VolumeUse()))
        elif use and volume.lies_on(disk):
            here.append(_alone(use))
    hot = _hot(here, perhaps)
    return DiskPattern(hot, _access(here, perhaps, hot))


def _hot(here: list[DiskPattern], perhaps: list[DiskPattern]) -> bool | None:
    if any(each.hot for each in here):
        return True
    return False if all(each.hot is False for each in (*here, *perhaps)) else None


def _access(here: list[DiskPattern], perhaps: list[DiskPattern], hot: bool | None) -> str | None:
    """The pattern of the hot data, or of all where none is hot; random where both are met."""
    counting = [each for each in here if each.hot is hot and hot is not None]
    if any(each.access == "random" for each in counting):
        return "random"
    possible = [each for each in (*here, *perhaps) if not hot or each.hot is not False]
    if not possible:
        return ""
    kinds = {each.access for each in possible}
    return possible[0].access if here and len(kinds) == 1 else None


def _alone(use: VolumeUse) -> DiskPattern:
    """Whoever states an access pattern and no activity speaks of data in use."""
    hot = use.access is not None if use.hot is None and use.access is not None else use.hot
    return DiskPattern(hot, use.access)
