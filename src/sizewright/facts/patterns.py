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
    """The use of a disk: as stated of the disk itself, else as of the volumes on it."""
    stated = usage.disks.get(disk)
    if stated is not None and (stated.access is not None or stated.hot is not None):
        return _alone(stated)
    here = {
        volume.name for volume in system.volumes
        if any(part.disk == disk for copy in volume.copies for part in copy)
    }  # fmt: skip
    uses = [usage.volumes[name] for name in sorted(here) if name in usage.volumes]
    # A volume of which nobody said where it lies may lie here.
    vague = "volumes" in system.unstated or any(not v.copies for v in system.volumes)
    if vague or any(_alone(use).hot is None for use in uses):
        return DiskPattern(None, None)
    hot = [use for use in uses if _alone(use).hot]
    found = {use.access for use in (hot or uses)}
    if None in found:
        return DiskPattern(bool(hot), None)
    access = "random" if "random" in found else "serial" if found else ""
    return DiskPattern(bool(hot), access)


def _alone(use: VolumeUse) -> DiskPattern:
    """Whoever states an access pattern and no activity speaks of data in use."""
    hot = use.access is not None if use.hot is None and use.access is not None else use.hot
    return DiskPattern(hot, use.access)
