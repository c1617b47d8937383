"""The facts of data over one disk or several."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright.configuration.model import System, Volume
from sizewright.demand.usage import Usage, VolumeUse
from sizewright.facts.gains import mirror_gain, stripe_gain
from sizewright.facts.records import VolumeFacts
from sizewright.figure import Figure, count
from sizewright.guide.model import Guide

_UNKNOWN = VolumeUse()


def volume_facts(usage: Usage, system: System, guide: Guide) -> Iterator[VolumeFacts]:
    """Each volume of a system, with its use."""
    channel_of = {d.id: channel.id for channel in system.channels for d in channel.devices}
    for volume in system.volumes:
        use = usage.volumes.get(volume.name, _UNKNOWN)
        disks = [{part.disk for part in copy} for copy in volume.copies]
        channels = [{channel_of[d] for d in copy} for copy in disks]
        others = _beside(volume, system, usage)
        yield VolumeFacts(
            id=volume.name,
            use=use.use,
            access=use.access,
            hot=use.hot,
            protection=use.protection,
            layout=volume.layout or _layout(volume),
            joined_disks=_joined(disks),
            interlace_kb=volume.interlace_kb,
            manager=volume.manager or None,
            copies=count(len(volume.copies), "copies") if disks else None,
            copies_share_channel=_overlap(channels) if disks else None,
            copies_share_disk=_overlap(disks) if disks else None,
            mirrored_for=use.mirrored_for,
            mirror_gain=mirror_gain(system, volume, use.access, guide),
            stripe_gain=stripe_gain(system, volume, use.access, guide),
            full_share=use.full,
            clustered=use.clustered,
            database_mirrors=_database_does("mirrors_itself", use, guide),
            database_stripes=_database_does("stripes_itself", use, guide),
            shares_disk_with=_uses(others),
            shares_disk_with_hot=_any_hot(others),
            shares_disk_with_database=_any_database(others),
        )


def _layout(volume: Volume) -> str | None:
    """Single where each copy is one part of one disk, so that there is nothing to join."""
    return "single" if volume.copies and all(len(c) == 1 for c in volume.copies) else None


def _joined(copies: list[set[str]]) -> Figure | None:
    """The disks of the copy that lies on most."""
    return count(max(map(len, copies)), "disks of one copy", "disk") if copies else None


def _overlap(sets: list[set[str]]) -> bool:
    return sum(map(len, sets)) > len(set().union(*sets)) if sets else False


def _beside(volume: Volume, system: System, usage: Usage) -> list[VolumeUse] | None:
    """The uses of all other volumes on its disks; None where its disks are not stated."""
    own = {part.disk for copy in volume.copies for part in copy}
    if not own:
        return None
    others = [
        other.name for other in system.volumes
        if other.name != volume.name
        and any(part.disk in own for copy in other.copies for part in copy)
    ]  # fmt: skip
    # A volume of which nobody said where it lies may lie here too.
    unplaced = [_UNKNOWN for other in system.volumes if not other.copies]
    return [*(usage.volumes.get(name, _UNKNOWN) for name in others), *unplaced]


def _uses(others: list[VolumeUse] | None) -> tuple[str, ...] | None:
    if others is None or any(other.use is None for other in others):
        return None
    return tuple(sorted({other.use for other in others if other.use}))


def _any_hot(others: list[VolumeUse] | None) -> bool | None:
    if others is None:
        return None
    if any(other.hot for other in others):
        return True
    return None if any(other.hot is None for other in others) else False


def _any_database(others: list[VolumeUse] | None) -> bool | None:
    if others is None:
        return None
    if any(other.database for other in others):
        return True
    return None if any(other.database is None for other in others) else False


def _database_does(what: str, use: VolumeUse, guide: Guide) -> bool | None:
    if use.database is None:
        return None
    return bool(use.database) and guide.row("database-systems", use.database).find_flag(what)
