"""Arrays that lose disks and go on without them."""

from __future__ import annotations

from typing import NamedTuple

from sizewright.box.build import Known
from sizewright.configuration.model import System, Volume, VolumeAsBuilt
from sizewright.guide.model import Guide
from sizewright.quantity import count


class Degraded(NamedTuple):
    """What is known where arrays go on without some disks, and the disks that work for those."""

    known: Known
    left: System
    busier: frozenset[str]


def degraded(known: Known, left: System, guide: Guide) -> Degraded:
    """What is left of a box with the arrays whose level outlives the disks that are gone.

    Such an array is none that outlives a disk any more. How much more its other disks do is not
    known.
    """
    there = {device.id for device in left.devices()}
    shown, sizes = dict(known.shown.volumes), dict(known.measured.sizes)
    kept: dict[str, Volume] = {}
    for volume in known.system.volumes:
        missing = volume.disks - there
        if len(volume.copies) != 1 or not _outlives(volume, len(missing), known, guide):
            continue
        (copy,) = volume.copies
        parts = tuple(part for part in copy if part.disk in there)
        kept[volume.name] = volume._replace(copies=(parts,))
        shown[volume.name] = VolumeAsBuilt("")
        if volume.name in sizes:
            share = count(len(parts), "disks left", "disk") / count(len(copy), "disks", "disk")
            sizes[volume.name] = sizes[volume.name] * share
    if not kept:
        return Degraded(known, left, frozenset())
    others = {volume.name: volume for volume in left.volumes} | kept
    volumes = tuple(others[v.name] for v in known.system.volumes if v.name in others)
    return Degraded(
        known._replace(
            shown=known.shown._replace(volumes=shown),
            measured=known.measured._replace(sizes=sizes),
        ),
        left._replace(volumes=volumes),
        frozenset(disk for volume in kept.values() for disk in volume.disks),
    )


def _outlives(volume: Volume, missing: int, known: Known, guide: Guide) -> bool:
    said = known.shown.volumes.get(volume.name)
    level = guide.row("raid-levels", said.raid) if said and said.raid else None
    failures = level.find("disk_failures_survived") if level else None
    return failures is not None and 1 <= missing <= failures.low
