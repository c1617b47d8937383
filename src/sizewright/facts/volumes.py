"""The facts of data over one disk or several."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from sizewright.configuration.model import System, Volume
from sizewright.demand.usage import Usage, VolumeUse
from sizewright.facts.gains import mirror_gain, stripe_gain
from sizewright.facts.records import VolumeFacts
from sizewright.guide.model import Guide
from sizewright.quantity import Quantity, count

_UNKNOWN = VolumeUse()


def volume_facts(usage: Usage, system: System, guide: Guide) -> Iterator[VolumeFacts]:
    """Each volume of a system, with its use."""
    channel_of = {d.id: channel.id for channel in system.channels for d in channel.devices}
    ported = {d.id: d.dual_ported for d in system.devices()}
    for volume in system.volumes:
        use = usage.volumes.get(volume.name, _UNKNOWN)
        disks = [{part.disk for part in copy} for copy in volume.copies]
        channels = [{channel_of[d] for d in copy} for copy in disks]
        copies = copies_of(volume, use)
        placed = bool(disks) or copies == 1
        others = _beside(volume, system, usage)
        yield VolumeFacts(
            id=volume.name,
            use=use.use,
            size_mb=use.size_mb,
            access=use.access,
            hot=use.hot,
            protection=use.protection,
            layout=volume.layout or _layout(volume),
            joined_disks=_joined(disks, volume.layout),
            interlace_kb=volume.interlace_kb,
            manager=volume.manager or None,
            copies=count(copies, "copies") if copies is not None else None,
            copies_share_channel=_overlap(channels) if placed else None,
            copies_share_disk=_overlap(disks) if placed else None,
            dual_ported=_any_port([ported.get(disk) for disk in volume.disks]),
            mirrored_for=use.mirrored_for,
            mirror_gain=mirror_gain(system, volume, use.access, guide),
            stripe_gain=stripe_gain(system, volume, use.access, guide),
            full_share=use.full,
            clustered=use.clustered,
            database=use.database,
            **_reached(use, guide),
            database_mirrors=_database_does("mirrors_itself", use, guide),
            database_stripes=_database_does("stripes_itself", use, guide),
            shares_disk_with=_uses(others),
            shares_disk_with_hot=_any(others, lambda use: use.hot),
            shares_disk_with_database=_any(others, _is_of_database),
        )


def _reached(use: VolumeUse, guide: Guide) -> dict[str, Any]:
    """How programs reach the files, and what the guide says of that way."""
    if use.file_access is None:
        return {}
    way = guide.row("file-access-methods", use.file_access)
    return {
        "file_access": way.id,
        "page_cache": way.find_flag("page_cache"),
        "file_access_advised": way.find_flag("advised"),
    }


def copies_of(volume: Volume, use: VolumeUse) -> int | None:
    """How many copies are kept; where it is not stated, one of what asks for no protection."""
    if volume.copies:
        return len(volume.copies)
    return 1 if use.protection == "none" else None


def _layout(volume: Volume) -> str | None:
    """Single where each copy is one part of one disk, so that there is nothing to join."""
    return "single" if volume.copies and all(len(c) == 1 for c in volume.copies) else None


def _joined(copies: list[set[str]], layout: str) -> Quantity | None:
    """The disks of the copy that lies on most; a single one where that is what is stated."""
    if not copies:
        return count(1, "disks of one copy", "disk") if layout == "single" else None
    return count(max(map(len, copies)), "disks of one copy", "disk")


def _any_port(ports: list[bool | None]) -> bool | None:
    return True if any(ports) else None if None in ports or not ports else False


def _overlap(sets: list[set[str]]) -> bool:
    return sum(map(len, sets)) > len(set().union(*sets)) if sets else False


class _Others(NamedTuple):
    """The uses of other volumes that lie on a volume's disks, and of those that perhaps do."""

    surely: list[VolumeUse]
    perhaps: list[VolumeUse]


def _beside(volume: Volume, system: System, usage: Usage) -> _Others:
    """All other volumes that may share a disk; one that is not placed may lie anywhere."""
    own = volume.disks
    found = _Others([], [])
    for other in system.volumes:
        theirs = other.disks
        if other.name == volume.name or (own and theirs and not own & theirs):
            continue
        use = usage.volumes.get(other.name, _UNKNOWN)
        (found.surely if own & theirs else found.perhaps).append(use)
    return found


def _uses(others: _Others) -> tuple[str, ...] | None:
    sure = {other.use for other in others.surely}
    if None in sure or not sure.issuperset(other.use for other in others.perhaps):
        return None
    return tuple(sorted(use for use in sure if use))


def _any(others: _Others, asked: Callable[[VolumeUse], bool | None]) -> bool | None:
    """Whether any of those that share a disk is so; who only may share one cannot make it sure."""
    if any(asked(other) for other in others.surely):
        return True
    settled = all(asked(other) is False for other in (*others.surely, *others.perhaps))
    return False if settled else None


def _is_of_database(use: VolumeUse) -> bool | None:
    return None if use.database is None else bool(use.database)


def _database_does(what: str, use: VolumeUse, guide: Guide) -> bool | None:
    manager = guide.table("database-systems").rows.get(use.database or "")
    if use.database is None or (use.database and manager is None):
        return None
    return manager is not None and manager.find_flag(what)
