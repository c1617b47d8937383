"""The facts of volumes, and what joining disks gains in operations."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sizewright.configuration.model import System, Volume
from sizewright.demand.rates import READ, WRITE, pattern_of
from sizewright.demand.usage import UsageProfile, VolumeUse
from sizewright.facts.storage_records import VolumeFacts
from sizewright.guide.model import Guide, Row, measured_on
from sizewright.quantity import Quantity, ambiguous, count
from sizewright.units import PURE

_STRIPED = "striped"


def mirror_gain(
    system: System, volume: Volume, access: str | None, guide: Guide
) -> Quantity | None:
    """Return what mirroring gains, from reads to writes; None if not mirrored or not measured."""
    if len(volume.copies) < 2:
        return None
    disks = _disks(system, volume, guide)
    rows = measured_on(guide.table("mirroring-effects"), system.platform, disks)
    changes = (_change(row, access) for row in rows)
    return next((change for change in changes if change is not None), None)


def stripe_gain(
    system: System, volume: Volume, access: str | None, guide: Guide
) -> Quantity | None:
    """Return what striping gains, from reads to writes; None if on one disk or not measured.

    It is also what a volume would gain that is joined in another way.
    """
    if not any(len({part.disk for part in copy}) > 1 for copy in volume.copies):
        return None
    disks = _disks(system, volume, guide)
    for row in measured_on(guide.table("striping-effects"), system.platform, disks):
        measured = row.text("disk")
        if row.text("layout") == _STRIPED and all(_is(d, measured) for d in disks):
            return _change(row, access)
    return None


def _disks(system: System, volume: Volume, guide: Guide) -> list[Row]:
    used = volume.disks
    return [guide.row(d.table, d.model) for d in system.devices() if d.id in used]


def _is(disk: Row, measured: str) -> bool:
    """Return whether a disk is the measured one, by name and interface; "" is any disk."""
    own = f"{disk.text('name')} {disk.text('interface')}"
    return not measured or measured.casefold() == own.casefold()


def _change(row: Row, access: str | None) -> Quantity | None:
    if access is None:
        return None
    reads, writes = (
        row.cell(f"{pattern_of(access)}_{kind}_percent", PURE) for kind in (READ, WRITE)
    )
    return None if reads is None or writes is None else ambiguous(reads, writes)


_UNKNOWN = VolumeUse()
# Facts that are values of the use of a volume, under the same names.
_OF_USE = ("use", "size_mb", "access", "hot", "protection", "mirrored_for", "clustered", "database")


def volume_facts(usage: UsageProfile, system: System, guide: Guide) -> Iterator[VolumeFacts]:
    """Yield the facts of each volume of a system."""
    channel_of = {d.id: channel.id for channel in system.channels for d in channel.devices}
    ported = {d.id: d.dual_ported for d in system.devices()}
    neighbours = _Neighbours(system.volumes, usage.volumes)
    for volume in system.volumes:
        use = usage.volumes.get(volume.name, _UNKNOWN)
        disks = [{part.disk for part in copy} for copy in volume.copies]
        channels = [{channel_of[d] for d in copy} for copy in disks]
        ports = [ported.get(disk) for disk in volume.disks]
        copies = copies_of(volume, use)
        placed = bool(disks) or copies == 1
        others = neighbours.of(volume)
        yield VolumeFacts(
            id=volume.name,
            **{name: getattr(use, name) for name in _OF_USE},
            # Each copy is one part of one disk, so that nothing is joined.
            layout=volume.layout or ("single" if set(map(len, volume.copies)) == {1} else None),
            joined_disks=_joined(disks, volume.layout),
            interlace_kb=volume.interlace_kb,
            manager=volume.manager or None,
            copies=count(copies, "copies") if copies is not None else None,
            copies_share_channel=_overlap(channels) if placed else None,
            copies_share_disk=_overlap(disks) if placed else None,
            dual_ported=True if any(ports) else None if None in ports or not ports else False,
            mirror_gain=mirror_gain(system, volume, use.access, guide),
            stripe_gain=stripe_gain(system, volume, use.access, guide),
            full_share=use.full,
            **(_reached(use.file_access, guide) if use.file_access else {}),
            database_mirrors=_database_does("mirrors_itself", use, guide),
            database_stripes=_database_does("stripes_itself", use, guide),
            shares_disk_with=_uses(others),
            shares_disk_with_hot=_any(others, lambda kind: kind.hot),
            shares_disk_with_database=_any(others, lambda kind: kind.of_database),
        )


def _reached(method: str, guide: Guide) -> dict[str, Any]:
    """Return how programs access the files, and what the guide states about that."""
    way = guide.row("file-access-methods", method)
    return {
        "file_access": way.id,
        "page_cache": way.get_flag("page_cache"),
        "file_access_advised": way.get_flag("advised"),
    }


def copies_of(volume: Volume, use: VolumeUse) -> int | None:
    """Return the number of copies; if not stated, one if no protection is wanted, else None."""
    if volume.copies:
        return len(volume.copies)
    return 1 if use.protection == "none" else None


def _joined(copies: list[set[str]], layout: str) -> Quantity | None:
    """Return the disks of the copy on the most disks; 1 if a single disk is stated."""
    if not copies:
        return count(1, "disks of one copy", "disk") if layout == "single" else None
    return count(max(map(len, copies)), "disks of one copy", "disk")


def _overlap(sets: list[set[str]]) -> bool:
    return sum(map(len, sets)) > len(set().union(*sets))


class _Kind(NamedTuple):
    """What matters of a volume to others on its disks; None is unknown."""

    use: str | None
    hot: bool | None
    of_database: bool | None


def _has_database(use: VolumeUse) -> bool | None:
    """Return whether a volume has a database proper, which its log is not."""
    if use.database == "" or use.use == "log":
        return False
    return None if use.database is None or use.use is None else True


class _Others(NamedTuple):
    """The kinds of other volumes on a volume's disks, and of those that may be on them."""

    surely: set[_Kind]
    perhaps: set[_Kind]


_UNPLACED = ""


class _Neighbours:
    """The volumes on each disk, and those that are not placed, each by its name with its kind."""

    def __init__(self, volumes: Iterable[Volume], uses: Mapping[str, VolumeUse]) -> None:
        self._there: dict[str, dict[str, _Kind]] = {}
        for volume in volumes:
            use = uses.get(volume.name, _UNKNOWN)
            kind = _Kind(use.use, use.hot, _has_database(use))
            for place in volume.disks or (_UNPLACED,):
                self._there.setdefault(place, {})[volume.name] = kind

    def of(self, volume: Volume) -> _Others:
        """Return the other volumes that may share a disk; one that is not placed may."""
        perhaps = (_UNPLACED,) if volume.disks else self._there
        return _Others(self._others(volume, volume.disks), self._others(volume, perhaps))

    def _others(self, volume: Volume, places: Iterable[str]) -> set[_Kind]:
        return {
            kind for place in places for name, kind in self._there.get(place, {}).items()
            if name != volume.name
        }  # fmt: skip


def _uses(others: _Others) -> tuple[str, ...] | None:
    sure = {other.use for other in others.surely}
    if None in sure or not sure.issuperset(other.use for other in others.perhaps):
        return None
    return tuple(sorted(use for use in sure if use))


def _any(others: _Others, asked: Callable[[_Kind], bool | None]) -> bool | None:
    """Return whether it is true of a volume that shares a disk; None if that is unknown."""
    if any(asked(other) for other in others.surely):
        return True
    settled = all(asked(other) is False for other in (*others.surely, *others.perhaps))
    return False if settled else None


def _database_does(what: str, use: VolumeUse, guide: Guide) -> bool | None:
    manager = guide.table("database-systems").rows.get(use.database or "")
    if use.database is None or (use.database and manager is None):
        return None
    return manager is not None and manager.get_flag(what)
