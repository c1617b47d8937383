"""The volumes of an existing server whose data a successor has, and which of them are in use."""

from collections.abc import Mapping, Sequence

from sizewright.box.schema import Box, BoxVolume
from sizewright.demand.rates import LineItem
from sizewright.workload.volume import OWN, SWAP, Access


def stored_volumes(
    box: Box, disks: Mapping[str, tuple[LineItem, ...] | None]
) -> tuple[BoxVolume, ...]:
    """Return the volumes; if none are stated, one on each of the disks that has work."""
    if box.volumes is not None:
        return box.volumes
    busy = (disk for disk, lines in disks.items() if lines)
    return tuple(BoxVolume(name=f"data-{disk}", copies=((disk,),)) for disk in busy)


def access_of(volume: BoxVolume, box: Box) -> Access | None:
    """Return how the disks of a volume are used; None if it is not stated, or not the same."""
    devices = (device for channel in box.channels or () for device in channel.parts)
    stated = {device.access for device in devices if device.id in volume.disks}
    return stated.pop() if len(stated) == 1 else None


def volumes_in_use(volumes: Sequence[BoxVolume], is_short_of_memory: bool) -> list[BoxVolume]:
    """Return the volumes of one disk that are in use; all that are not cold if this is unknown.

    The operating system is in use if it is hot, and swap space if memory is short.
    """
    warm = [volume for volume in volumes if volume.activity != "cold"] or list(volumes)
    return [
        volume for volume in warm
        if volume.use not in OWN or volume.activity == "hot"
        or (volume.use == SWAP and is_short_of_memory)
    ] or warm  # fmt: skip
